/** API keys as the store has them: without the secret. */
import type { KeyValues, NewKeyValues } from './key-fields.ts';

export interface NewKey extends NewKeyValues {
  /** Random by default. */
  id?: string | undefined;
  organizationId: string;
  secretHash: Buffer;
  prefix: string;
}

/** New values by field; null removes a value. Absent fields stay as they are. */
export type KeyChanges = Partial<KeyValues>;

export type KeyState = 'active' | 'expired' | 'revoked';

/** The facts that the list of keys filters and sorts by. */
export type KeySummary = Pick<
  StoredKey,
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

export interface StoredKey extends KeyValues {
  id: string;
  organizationId: string;
  organizationName: string;
  prefix: string;
  state: KeyState;
  createdAt: string;
  createdBy: string;
  revokedAt: string | null;
  /** Rounded down to the minute; null for an unused key. */
  lastUsedAt: string | null;
  /** The key that this key replaced. */
  predecessorId: string | null;
  /** The key that replaced this key. A key is rotated at most once. */
  successorId: string | null;
  /** Number of requests in the current window. */
  usedInWindow: number;
  /** Then all requests are available again. */
  windowEndsAt: string;
}

export type KeyEnd = Pick<StoredKey, 'revokedAt' | 'expiresAt'>;

export function getKeyState({ revokedAt, expiresAt }: KeyEnd, nowMs: number): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? 'expired' : 'active';
}
