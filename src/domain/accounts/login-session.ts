/** Login sessions and limits of attempts. The store receives tokens as SHA-256. */
import type { Account } from './account.ts';
import type { Actor } from './actor.ts';

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

interface NewLoginSession extends Pick<LoginSession, 'pendingSecondFactor' | 'address' | 'browser'> {
  accountId: string;
  tokenHash: Buffer;
  /** undefined: now. */
  reauthenticatedAtMs: number | undefined;
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
