/** API keys as the store has them: without the secret. */

export interface NewKey {
  /** Random by default. */
  id?: string | undefined;
  organizationId: string;
  secretHash: Buffer;
  prefix: string;
  /** See `isValidName`. */
  name: string;
  /** Requests per window; undefined for the default limit of the installation. */
  requestLimit: number | undefined;
  /** undefined: never. */
  expiresAt: string | undefined;
  contact?: string | undefined;
  purpose?: string | undefined;
}

/** New values by field; null removes a value. Absent fields stay as they are. */
export interface KeyChanges {
  /** See `isValidName`. */
  name?: string;
  /** null: the key does not expire. */
  expiresAt?: string | null;
  /** null: the default limit of the installation. */
  requestLimit?: number | null;
  contact?: string | null;
  purpose?: string | null;
}

/** Characters of `contact` and `purpose`, in one line. See `isOneLine`. */
export const maxContactLength = 200;
export const maxPurposeLength = 500;

export type KeyState = 'active' | 'expired' | 'revoked';

/** The facts that the list of keys filters and sorts by. */
export type KeySummary = Pick<
  KeyRecord,
  'id' | 'prefix' | 'name' | 'state' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'successorId'
>;

/** A page of the keys of all municipalities. */
export interface KeySearch {
  /** Part of the name, of the prefix, or of the name of the municipality; empty: all keys. */
  term: string;
  state: KeyState | undefined;
  /** Exclusive: the last key of the previous page. */
  after: { at: string; id: string } | undefined;
  limit: number;
}

export interface KeyRecord {
  id: string;
  organizationId: string;
  organizationName: string;
  prefix: string;
  name: string;
  state: KeyState;
  requestLimit: number | null;
  createdAt: string;
  createdBy: string;
  expiresAt: string | null;
  revokedAt: string | null;
  /** Rounded down to the minute; null for an unused key. */
  lastUsedAt: string | null;
  /** Person or office that uses the key. */
  contact: string | null;
  purpose: string | null;
  /** The key that this key replaced. */
  predecessorId: string | null;
  /** The key that replaced this key. A key is rotated at most once. */
  successorId: string | null;
  /** Number of requests in the current window. */
  usedInWindow: number;
  /** Then all requests are available again. */
  windowEndsAt: string;
}

export type KeyEnd = Pick<KeyRecord, 'revokedAt' | 'expiresAt'>;

export function getKeyState({ revokedAt, expiresAt }: KeyEnd, nowMs: number): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? 'expired' : 'active';
}
