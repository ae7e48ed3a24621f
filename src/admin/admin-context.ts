/** The context that all pages share. */

import type { Logger } from 'pino';
import type { OperationId } from '../contract/operations.ts';
import type { LoginSessionLimits } from '../domain/admin-area-store.ts';
import type { Store } from '../domain/store.ts';
import type { FooterUrls } from '../http/footer-urls.ts';
import type { OidcClient } from './auth/oidc-client.ts';

/** Issuer name in authenticator apps; passwords must not be based on it. */
export const appName = 'Rostra';

/** Operations that the admin area can run: all except those about the service and the key itself. */
export type RunnableOperationId = Exclude<OperationId, 'getHealth' | 'getMe'>;

export interface OperationResult {
  status: number;
  headers: [name: string, value: string][];
  /** JSON. The beginning of it if it has more bytes than requested. */
  body: string;
  /** Of the whole body. */
  bodyBytes: number;
}

/**
 * Runs an operation of the API for a municipality, without a key, and without counting it.
 *
 * @throws errors of the store, and unexpected errors
 */
export type RunOperation = (
  operationId: RunnableOperationId,
  organizationId: string,
  target: { id: string; queryString: string },
  maxBodyBytes: number,
) => Promise<OperationResult>;

export interface AdminContext {
  store: Store;
  runOperation: RunOperation;
  /** Default limit of requests per window and key. */
  rateLimit: number;
  rateWindowMs: number;
  log: Logger;
  /** IANA name, for pages of the whole installation. */
  timeZone: string;
  /** Origin at which clients reach this installation; undefined: derived from each request. */
  publicUrl: string | undefined;
  footerUrls: FooterUrls;
  sessionLimits: LoginSessionLimits;
  passwordLoginEnabled: boolean;
  /** undefined without single sign-on. */
  oidc: OidcClient | undefined;
}
