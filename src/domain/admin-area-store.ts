/**
 * Accounts, login sessions, attempt limits, audit log and statistics: entities and store interfaces of the admin
 * area. Errors: see store.ts.
 *
 * The store receives tokens as SHA-256 and passwords as Argon2id hashes in PHC string format.
 */
import type { Actor } from './actor.ts';
import type { KeyUsageStore } from './key-usage.ts';

/** From the least to the most powerful. Operators act for every municipality, the others for their own one. */
export const accountRoles = ['reader', 'administrator', 'operator'] as const;
export type AccountRole = (typeof accountRoles)[number];

export interface NewAccount {
  /** In lower case. */
  email: string;
  role: AccountRole;
  /** null for an operator only. */
  organizationId: string | null;
}

export interface Account extends NewAccount {
  id: string;
  organizationName: string | null;
  /** Language of emails to this account, such as `de`; null if unknown. */
  language: string | null;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  /** Number of unused recovery codes. */
  recoveryCodes: number;
  createdAt: string;
  createdBy: string;
}

export interface Credentials {
  account: Account;
  passwordHash: string | null;
  totpSecret: Buffer | null;
  /** The last time step whose code was accepted (RFC 6238). */
  totpStep: number;
}

/** A one-time link to set a password. */
export interface Invitation {
  /** SHA-256 of the secret in the link. */
  tokenHash: Buffer;
  validMs: number;
}

export interface AccountStore {
  /** @throws StoreConflictError if the address is in use, or the municipality was removed */
  addAccount(account: NewAccount, invitation: Invitation, by?: Actor): Promise<Account>;
  /** Ordered by email address; accounts of all municipalities and operators by default. */
  listAccounts(organizationId?: string): Promise<Account[]>;
  /**
   * A page of the accounts whose email address or municipality contains `term`, ordered by email address.
   *
   * @param organizationId undefined: accounts of all municipalities and operators
   * @param role undefined: every role
   */
  searchAccounts(
    organizationId: string | undefined,
    term: string,
    offset: number,
    limit: number,
    role?: AccountRole,
  ): Promise<{ accounts: Account[]; total: number }>;
  /** Searches by id and by email address. */
  findAccount(idOrEmail: string): Promise<Account | undefined>;
  /** Takes effect with the next request of the account. Returns false for a missing account and for an operator. */
  changeRole(id: string, role: Exclude<AccountRole, 'operator'>, by?: Actor): Promise<boolean>;
  /** @param language a tag such as `de` */
  setLanguage(id: string, language: string): Promise<void>;
  /** Ends the login sessions too. */
  removeAccount(id: string, by?: Actor): Promise<boolean>;
  /** Invalidates the previous link. Password and second factor stay unchanged until the link is used. */
  replaceInvitation(id: string, invitation: Invitation, by?: Actor): Promise<void>;
  /** undefined for an invalid, used or expired link. */
  findInvitedAccount(tokenHash: Buffer): Promise<Account | undefined>;
  /**
   * Consumes the link, sets the password, removes the second factor with its recovery codes, and ends all login
   * sessions.
   *
   * @returns undefined for an invalid, used or expired link
   */
  acceptInvitation(tokenHash: Buffer, passwordHash: string, address: string): Promise<Account | undefined>;
  findCredentials(email: string): Promise<Credentials | undefined>;
  /** Ends all login sessions except `keep`. */
  setPassword(id: string, passwordHash: string, keep: LoginSession, by: Actor): Promise<void>;
  /**
   * Sets the second factor, or removes it (null) with its recovery codes, and ends all login sessions except `keep`. Does nothing if the
   * account already has a second factor, or has none to remove.
   */
  setSecondFactor(id: string, totpSecret: Buffer | null, keep: LoginSession, by: Actor): Promise<void>;
  /** Accepts each time step once: returns false if this step or a later one was used before. */
  consumeTotpStep(id: string, step: number): Promise<boolean>;
  /** Replaces all recovery codes. @param hashes SHA-256 of each code */
  replaceRecoveryCodes(id: string, hashes: readonly Buffer[], by: Actor): Promise<void>;
  /** Accepts each recovery code once. */
  consumeRecoveryCode(id: string, hash: Buffer, address: string): Promise<boolean>;
  /** Stores the identity at the OpenID Connect provider. Returns false if another identity is stored. */
  bindIdentity(id: string, issuer: string, subject: string, address: string): Promise<boolean>;
}

/** Times are Unix milliseconds of the store's clock. */
export interface LoginSession {
  id: string;
  account: Account;
  /** The second factor is missing: the session allows nothing else. */
  pendingSecondFactor: boolean;
  createdAtMs: number;
  lastSeenAtMs: number;
  /** Last time the user entered the password. */
  reauthenticatedAtMs: number;
  address: string;
  browser: string;
}

interface NewLoginSession {
  accountId: string;
  tokenHash: Buffer;
  pendingSecondFactor: boolean;
  /** Unix milliseconds; undefined: now. */
  reauthenticatedAtMs: number | undefined;
  address: string;
  browser: string;
}

export interface LoginSessionLimits {
  /** A session ends after this time without a request. */
  idleMs: number;
  /** A session ends after this time in any case. */
  maxAgeMs: number;
}

export interface LoginSessionStore {
  /** Also deletes the expired sessions of this account. */
  createLoginSession(session: NewLoginSession, bounds: LoginSessionLimits): Promise<void>;
  /** undefined: unknown, expired, or the account was removed. Updates `lastSeenAtMs` once a minute. */
  findLoginSession(
    tokenHash: Buffer,
    bounds: LoginSessionLimits,
  ): Promise<{ loginSession: LoginSession; nowMs: number } | undefined>;
  /** The session gets a new token with the second factor. */
  completeSecondFactor(id: string, tokenHash: Buffer, by: Actor): Promise<void>;
  recordReauthentication(id: string): Promise<void>;
  /** Active sessions, newest first. */
  listLoginSessions(accountId: string, bounds: LoginSessionLimits): Promise<LoginSession[]>;
  /** Ends one session of the account, or all. Returns the number of ended sessions. */
  endLoginSessions(accountId: string, loginSessionId: string | undefined, by: Actor): Promise<number>;
}

export interface AttemptLimitStore {
  /**
   * Counts an attempt under `name` in fixed windows. Attempts over the limit are not counted.
   *
   * @returns the number of attempts in the window including this one; `limit + 1` over the limit
   */
  hitAttemptLimit(name: string, limit: number, windowMs: number): Promise<number>;
}

export type AuditAction =
  | 'organization.added'
  | 'organization.edited'
  | 'organization.removed'
  | 'record.removed'
  | 'import.added'
  | 'import.started'
  | 'import.cancelled'
  | 'import.undone'
  | 'account.added'
  | 'account.invited'
  | 'account.removed'
  | 'account.role_changed'
  | 'identity.bound'
  | 'password.set'
  | 'second_factor.set'
  | 'second_factor.removed'
  | 'notifications.edited'
  | 'recovery_codes.created'
  | 'recovery_code.used'
  | 'signed_in'
  | 'signed_out'
  | 'signed_out_everywhere'
  | 'key.issued'
  | 'key.edited'
  | 'key.rotated'
  | 'key.revoked'
  | 'source.added'
  | 'source.edited'
  | 'source.removed'
  | 'database.pruned';

export interface AuditEvent {
  id: string;
  /** null: the event concerns the whole installation. */
  organizationId: string | null;
  at: string;
  actor: string;
  address: string;
  action: AuditAction;
  /** Name of the changed object at that time. */
  subject: string;
  /** null if the subject has no page. */
  subjectKind: AuditSubjectKind | null;
  subjectId: string | null;
  /** Whether the subject still exists, so that it can be linked. */
  subjectExists: boolean;
  changes: FieldChange[];
}

export type AuditSubjectKind = 'organization' | 'key' | 'account' | 'import' | 'source';

/** The old and the new value of a field, abbreviated; null if not set. */
export interface FieldChange {
  field: string;
  before: string | null;
  after: string | null;
}

/** Part of the audit log that an index serves, in the order of the log. */
export interface AuditLogRange {
  /** RFC 3339, inclusive. */
  from?: string | undefined;
  /** RFC 3339, exclusive. */
  until?: string | undefined;
  /** Only with `organizationId` undefined. */
  actor?: string | undefined;
  /** Only with `organizationId` undefined, and without `actor`. */
  action?: AuditAction | undefined;
  /** Ids of keys, municipalities and accounts. Only with `organizationId` undefined. */
  subjectIds?: readonly string[] | undefined;
}

export interface AuditLogStore {
  /**
   * Newest first.
   *
   * @param organizationId undefined: events of all municipalities and of the installation
   * @param after exclusive: the last event of the previous page
   */
  listAuditEvents(
    organizationId: string | undefined,
    after: Pick<AuditEvent, 'at' | 'id'> | undefined,
    limit: number,
    range?: AuditLogRange,
  ): Promise<AuditEvent[]>;
}

export interface NamedCount {
  name: string;
  count: number;
}

/** Submissions of a calendar month. Those without a topic are in `byStatus` only. */
export interface MonthlyCounts {
  month: string;
  byStatus: ReadonlyMap<string, number>;
  byTopic: ReadonlyMap<string, number>;
}

/** Statistics of the published data of one municipality. */
export interface PublishedStatistics {
  submissions: number;
  /** Calendar months (`YYYY-MM`) with submissions, latest first. */
  months: MonthlyCounts[];
  /** Most frequent first. */
  statuses: NamedCount[];
  /** At most ten documents of submissions with support, most supported first. */
  mostSupported: string[];
  sessions: number;
  /** Most frequent first, at most a hundred. */
  committees: NamedCount[];
}

export interface ReadStatistics {
  statistics: PublishedStatistics;
  /** Unix milliseconds. */
  computedAtMs: number;
  /** The data has not changed since. Otherwise, new statistics are being counted. */
  isCurrent: boolean;
}

export interface StatisticsStore {
  /**
   * Counts in short steps, so that other requests are not delayed. Keeps the result until the data changes. A large
   * municipality is counted in the background: meanwhile, the result is the previous one.
   *
   * @param timeZone IANA name. Months begin at midnight in this time zone.
   * @returns undefined while the first statistics of a large municipality are counted
   */
  readStatistics(organizationId: string, timeZone: string): Promise<ReadStatistics | undefined>;
}

export interface Administration
  extends AccountStore,
    LoginSessionStore,
    AttemptLimitStore,
    AuditLogStore,
    KeyUsageStore,
    StatisticsStore {}
