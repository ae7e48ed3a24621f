/** What the pages of one installation share, and how a page is told to the server. */

import type { Logger } from 'pino';
import type { LoginSessionLimits } from '../domain/administration.ts';
import type { Store } from '../domain/store.ts';
import type { SingleSignOn } from './auth/oidc.ts';
import type { MunicipalVisit, SignedInVisit, Visit } from './request-context.ts';
import type { Answer } from './response.ts';

/** As authenticator apps show it; no word of a good password. */
export const appName = 'Rostra';

export interface Site {
  store: Store;
  /** Requests that a key without a limit of its own may make in one window. */
  rateLimit: number;
  rateWindowMs: number;
  log: Logger;
  /** IANA name. */
  timeZone: string;
  bounds: LoginSessionLimits;
  passwordsAllowed: boolean;
  /** undefined where there is no provider. */
  singleSignOn: SingleSignOn | undefined;
}

/** Who a page is for, and with that what it knows of its visitor. */
interface VisitOf {
  everybody: Visit;
  /** Whoever has entered the password, and not yet the code. */
  halfSignedIn: SignedInVisit;
  administrators: SignedInVisit;
  /** The administrators of the municipality that the address names, and operators. Others are told 404. */
  municipality: MunicipalVisit;
  /** Others are told 404. */
  operators: SignedInVisit;
}

/** How a route behaves; `submit` answers a form that is sent to the page's address. */
interface RouteFor<Who extends keyof VisitOf> {
  /** As Fastify reads it. */
  path: string;
  for: Who;
  /** The password must have been entered within the last minutes. */
  fresh?: true;
  /** What it shows it shows once: HEAD must not use that up. */
  once?: true;
  show?: (visit: VisitOf[Who]) => Promise<Answer>;
  submit?: (visit: VisitOf[Who], form: URLSearchParams) => Promise<Answer>;
}

export type Route = { [Who in keyof VisitOf]: RouteFor<Who> }[keyof VisitOf];
