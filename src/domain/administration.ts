/**
 * The port to what the admin area keeps: who may sign in, who has, what is bounded, and who did what. Part of the
 * port in store.ts; rejections are as there.
 *
 * Secrets come as hashes, and passwords as their Argon2id hashes in PHC form.
 */

/** Who does something, and from where: both stand in the audit log. */
export interface Actor {
  /** An administrator's e-mail address, or what stands for the command line. 1 to 254 characters. */
  name: string;
  /** Address of the browser, or of the machine. At most 254 characters. */
  address: string;
}

export interface Administrator {
  id: string;
  /** null: an operator, who may act for every municipality. */
  organizationId: string | null;
  organizationName: string | null;
  /** In lower case. */
  email: string;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  createdAt: string;
  createdBy: string;
}

/** What proves that somebody is an administrator. */
export interface Credentials {
  administrator: Administrator;
  passwordHash: string | null;
  totpSecret: Buffer | null;
  /** The last time step whose code was taken. */
  totpStep: number;
}

/** A one-time link, by the SHA-256 of its secret. */
export interface Invitation {
  tokenHash: Buffer;
  validMs: number;
}

export interface AdministratorStore {
  /** undefined for an operator. @throws StoreRefusal when the address is taken, or the municipality is gone */
  addAdministrator(
    email: string,
    organizationId: string | undefined,
    invitation: Invitation,
    by?: Actor,
  ): Promise<Administrator>;
  /** By their addresses; of one municipality where it is given. */
  listAdministrators(organizationId?: string): Promise<Administrator[]>;
  /** By id, else by address. */
  findAdministrator(idOrEmail: string): Promise<Administrator | undefined>;
  /** Ends all sign-ins with it. Returns false when there was none. */
  removeAdministrator(id: string, by?: Actor): Promise<boolean>;
  /**
   * The link takes the place of an earlier one. Until it is used, the password and a second factor stay as they are.
   */
  replaceInvitation(id: string, invitation: Invitation, by?: Actor): Promise<void>;
  /** Whom a link that is still good is for. */
  findInvitedAdministrator(tokenHash: Buffer): Promise<Administrator | undefined>;
  /** Uses the link up, sets the password, forgets a second factor and ends all sign-ins. Returns undefined when the link is not good. */
  acceptInvitation(
    tokenHash: Buffer,
    passwordHash: string,
    address: string,
  ): Promise<Administrator | undefined>;
  findCredentials(email: string): Promise<Credentials | undefined>;
  /** Ends all other sign-ins than `keep`. */
  setPassword(id: string, passwordHash: string, keep: LoginSession, by: Actor): Promise<void>;
  /** null takes the second factor away. Ends all other sign-ins than `keep`. Does nothing where it is so already. */
  setSecondFactor(id: string, totpSecret: Buffer | null, keep: LoginSession, by: Actor): Promise<void>;
  /** Each time step is taken once: returns false when it, or a later one, was taken before. */
  consumeTotpStep(id: string, step: number): Promise<boolean>;
  /** Keeps who the provider says this is. Returns false when another identity has been kept before. */
  bindIdentity(id: string, issuer: string, subject: string, address: string): Promise<boolean>;
}

/** A browser in which somebody has signed in. Times are Unix milliseconds of the store's clock. */
export interface LoginSession {
  id: string;
  administrator: Administrator;
  /** The second factor is still to be shown: nothing else is allowed. */
  pendingSecondFactor: boolean;
  createdAtMs: number;
  lastSeenAtMs: number;
  /** When the password was entered last. */
  reauthenticatedAtMs: number;
  address: string;
  browser: string;
}

export interface NewLoginSession {
  administratorId: string;
  tokenHash: Buffer;
  pendingSecondFactor: boolean;
  /** When the password was entered, Unix milliseconds; undefined: now. */
  reauthenticatedAtMs: number | undefined;
  address: string;
  browser: string;
}

export interface LoginSessionLimits {
  /** Without a request for so long, it has ended. */
  idleMs: number;
  /** However often it is used. */
  maxAgeMs: number;
}

export interface LoginSessionStore {
  /** Removes, with it, the sign-ins of this administrator that have ended. */
  createLoginSession(session: NewLoginSession, bounds: LoginSessionLimits): Promise<void>;
  /** undefined: unknown, ended, or its administrator is gone. Notes that it was used, to the minute. */
  findLoginSession(
    tokenHash: Buffer,
    bounds: LoginSessionLimits,
  ): Promise<{ loginSession: LoginSession; nowMs: number } | undefined>;
  /** The second factor was shown. The cookie gets a new secret with it. */
  completeSecondFactor(id: string, tokenHash: Buffer, by: Actor): Promise<void>;
  /** The password was entered afresh. */
  recordReauthentication(id: string): Promise<void>;
  /** The newest first; those that have ended are left out. */
  listLoginSessions(administratorId: string, bounds: LoginSessionLimits): Promise<LoginSession[]>;
  /** One sign-in of the administrator, or all. Returns how many ended. */
  endLoginSessions(administratorId: string, loginSessionId: string | undefined, by: Actor): Promise<number>;
  /** From now on this browser may show the secret of the key, once. Returns its salt, 32 bytes, the same each time. */
  allowReveal(loginSessionId: string, keyId: string): Promise<Buffer>;
  /** The salt, where this browser may show the secret of the key; asked again, it may not. */
  takeReveal(loginSessionId: string, keyId: string): Promise<Buffer | undefined>;
}

export interface AttemptLimitStore {
  /**
   * Counts an attempt at `name`, in fixed windows.
   *
   * @returns how many have been made in the window, this one included; more than `limit` are not counted
   */
  hitAttemptLimit(name: string, limit: number, windowMs: number): Promise<number>;
}

/** What the audit log tells apart. */
export type AuditAction =
  | 'organization.added'
  | 'organization.removed'
  | 'record.removed'
  | 'administrator.added'
  | 'administrator.invited'
  | 'administrator.removed'
  | 'identity.bound'
  | 'password.set'
  | 'second_factor.set'
  | 'second_factor.removed'
  | 'signed_in'
  | 'signed_out'
  | 'signed_out_everywhere'
  | 'key.issued'
  | 'key.rotated'
  | 'key.revoked';

export interface AuditEvent {
  id: string;
  /** null: it concerns the whole installation. */
  organizationId: string | null;
  at: string;
  actor: string;
  address: string;
  action: AuditAction;
  /** What it was done to, by its name at that time. */
  subject: string;
}

export interface AuditLogStore {
  /**
   * The newest first, at most `limit`. Of one municipality where it is given, else of all and of the installation.
   *
   * @param after exclusive: the event that the page before ended with
   */
  listAuditEvents(
    organizationId: string | undefined,
    after: Pick<AuditEvent, 'at' | 'id'> | undefined,
    limit: number,
  ): Promise<AuditEvent[]>;
}

/** Requests of a key on one day (UTC, `YYYY-MM-DD`). */
export interface DailyKeyUsage {
  day: string;
  answered: number;
  /** Because the window was exhausted. */
  rejected: number;
}

export interface KeyUsageStore {
  /** Days with requests, the latest first; complete but for what was counted in the last seconds. */
  listDailyUsage(organizationId: string, keyId: string, since: string): Promise<DailyKeyUsage[]>;
}

export interface NamedCount {
  name: string;
  count: number;
}

/** What is published for a municipality, counted. */
export interface PublishedStatistics {
  submissions: number;
  /** Calendar months (`YYYY-MM`) with submissions, the latest first. */
  months: { month: string; byStatus: ReadonlyMap<string, number> }[];
  /** Statuses that occur, the most frequent first. */
  statuses: NamedCount[];
  /** Most frequent first. Submissions without a topic are not among them. */
  topics: NamedCount[];
  withoutTopic: number;
  /** At most ten documents of submissions with support, the most supported first. */
  mostSupported: string[];
  sessions: number;
  /** Most frequent first, at most a hundred. */
  committees: NamedCount[];
}

export interface StatisticsStore {
  /**
   * Counted in short steps, so that requests are answered meanwhile.
   *
   * @param timeZone IANA name: months begin and end at midnight there
   */
  computeStatistics(organizationId: string, timeZone: string): Promise<PublishedStatistics>;
}

export interface Administration
  extends AdministratorStore,
    LoginSessionStore,
    AttemptLimitStore,
    AuditLogStore,
    KeyUsageStore,
    StatisticsStore {}
