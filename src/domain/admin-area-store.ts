/**
 * Login sessions, attempt limits, audit log and statistics: entities and store interfaces of the admin area. Errors: see
 * store.ts.
 *
 * The store receives tokens as SHA-256.
 */
import type { Account, AccountStore, CredentialStore } from './account.ts';
import type { Actor } from './actor.ts';
import type { KeyUsageStore } from './key-usage.ts';

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
  | 'account.role_added'
  | 'account.role_changed'
  | 'account.role_removed'
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
    CredentialStore,
    LoginSessionStore,
    AttemptLimitStore,
    AuditLogStore,
    KeyUsageStore,
    StatisticsStore {}
