/** The context that all pages share. */

import type { Logger } from 'pino';
import type { LoginSessionLimits } from '../../domain/accounts/login-session.ts';
import type { Mailer } from '../../domain/accounts/mail.ts';
import type { RunOperation } from '../../domain/installation/run-operation.ts';
import type { Organization } from '../../domain/organizations/organization.ts';
import type { SourceRedactionPolicy } from '../../domain/records/record-decision.ts';
import type { ImportRunReference } from '../../domain/runs/run-history.ts';
import type { RunPortalKey } from '../../domain/runs/run-queue.ts';
import type { UploadStorage } from '../../domain/runs/upload-storage.ts';
import type { SourceDefinition } from '../../domain/sources/import-source.ts';
import type { EncryptedPortalKey } from '../../domain/sources/portal-key-encryption.ts';
import type { Store } from '../../domain/store.ts';
import type { Redactor } from '../../ingest/privacy/redaction/create-redactor.ts';
import type { IsTrustedProxy } from '../../platform/http/client-address.ts';
import type { FooterUrls } from '../../platform/http/footer-urls.ts';
import type { SignInFailure } from '../../platform/metrics/metrics-registry.ts';
import type { OidcClient } from './auth/oidc-client.ts';

/** Issuer name in authenticator apps; passwords must not be based on it. */
export const appName = 'Rostra';

export interface AdminContext {
  store: Store;
  runOperation: RunOperation;
  /** Default limit of requests per window and key. */
  rateLimit: number;
  rateWindowMs: number;
  log: Logger;
  countSignInFailure: (reason: SignInFailure) => void;
  /** IANA name, for pages of the whole installation. */
  timeZone: string;
  /** ISO 3166 and ISO 639-1 codes, for municipalities without their own. */
  country: string;
  language: string;
  /** For texts that replace those of a source. @throws InputError for invalid patterns of the installation */
  createTypedTextRedactor: (organization: Organization, source: SourceRedactionPolicy) => Redactor;
  /** @throws InputError for an invalid key, a source without a portal that takes one, and a missing setting */
  encryptKeyOfSource: (key: string, organizationId: string, source: SourceDefinition) => EncryptedPortalKey;
  /** @param url of the portal. @throws InputError for an invalid key, and a missing setting */
  encryptKeyOfRun: (key: string, run: ImportRunReference, url: string) => RunPortalKey;
  /** Origin at which clients reach this installation; undefined: derived from each request. */
  publicUrl: string | undefined;
  isTrustedProxy: IsTrustedProxy | undefined;
  footerUrls: FooterUrls;
  /** Whether the installation has an index of words. */
  hasWordSearch: boolean;
  /** undefined without email. */
  mailer: Mailer | undefined;
  uploads: UploadStorage;
  /** Starts the process that runs the steps of imports. */
  wakeQueue: () => void;
  /** Prepares that process, because the user looks at the page from which a step starts. */
  expectStep: () => void;
  sessionLimits: LoginSessionLimits;
  passwordLoginEnabled: boolean;
  /** Accounts with a password must set up a second factor. */
  requiresSecondFactor: boolean;
  /** undefined without single sign-on. */
  oidc: OidcClient | undefined;
}
