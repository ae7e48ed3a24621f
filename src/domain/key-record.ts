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
}

export type KeyState = 'active' | 'expired' | 'revoked';

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
  /** Number of requests in the current window. */
  usedInWindow: number;
}
