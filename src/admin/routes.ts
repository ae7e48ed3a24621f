/** What the pages of one installation share, and how a page is told to the server. */

import type { Logger } from 'pino';
import type { LoginSessionLimits } from '../domain/administration.ts';
import type { Store } from '../domain/store.ts';
import type { OidcClient } from './auth/oidc-client.ts';
import type { PageContext, SignedInContext, TenantContext } from './page-context.ts';
import type { AdminResponse } from './response.ts';

/** As authenticator apps show it; no word of a good password. */
export const appName = 'Rostra';

export interface AdminContext {
  store: Store;
  /** Requests that a key without a limit of its own may make in one window. */
  rateLimit: number;
  rateWindowMs: number;
  log: Logger;
  /** IANA name. */
  timeZone: string;
  sessionLimits: LoginSessionLimits;
  passwordLoginEnabled: boolean;
  /** undefined where there is no provider. */
  oidc: OidcClient | undefined;
}

/** Who a page is for, and with that what it knows of its visitor. */
interface ContextByAccess {
  public: PageContext;
  /** Whoever has entered the password, and not yet the code. */
  pendingSecondFactor: SignedInContext;
  administrator: SignedInContext;
  /** The administrators of the municipality that the address names, and operators. Others are told 404. */
  tenant: TenantContext;
  /** Others are told 404. */
  operator: SignedInContext;
}

/** How a route behaves; `submit` answers a form that is sent to the page's address. */
interface RouteWithAccess<Who extends keyof ContextByAccess> {
  /** As Fastify reads it. */
  path: string;
  access: Who;
  /** The password must have been entered within the last minutes. */
  requiresRecentAuth?: true;
  /** What it shows it shows once: HEAD must not use that up. */
  oneTime?: true;
  get?: (context: ContextByAccess[Who]) => Promise<AdminResponse>;
  post?: (context: ContextByAccess[Who], form: URLSearchParams) => Promise<AdminResponse>;
}

export type Route = { [Who in keyof ContextByAccess]: RouteWithAccess<Who> }[keyof ContextByAccess];
