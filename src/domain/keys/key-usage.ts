/**
 * The use of API keys: counts by day, operation and status, and the latest rejected requests. Neither contains paths,
 * values of parameters or addresses. Days are UTC days, `YYYY-MM-DD`. Errors: see store.ts.
 */

/** Operation of requests whose path or method the API does not have. */
export const unknownOperation = 'unknown';

/** The latest rejected requests of each key that the store keeps. */
export const maxStoredRejectedRequests = 50;

const dayMs = 86_400_000;

/** @returns the last `count` UTC days up to the one of `nowMs`, earliest first */
export function listLatestDays(nowMs: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(nowMs - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

/** Requests of one key on one day. Status 401: requests while the key was revoked or expired. */
export interface KeyUsage {
  day: string;
  /** Operation ID of the API, or `unknownOperation`. */
  operation: string;
  /** Status of the response. */
  status: number;
  requests: number;
}

/** Why the client's request was rejected. */
export interface RejectionCause {
  /** The sentence of the response. It contains the names of parameters, but no values. */
  message: string;
  /** Name of the parameter to blame, as the client sent it. */
  parameter?: string | undefined;
}

/** Characters of a stored message. Longer ones are cut. */
export const maxRejectionMessageLength = 500;

/** A request of an active key with a status of 400 or above. */
export interface RejectedRequest extends Pick<KeyUsage, 'operation' | 'status'> {
  at: string;
  message: string;
  /** null: none is to blame, or its name cannot be decoded. */
  parameter: string | null;
}

/** Requests of all keys of one municipality on one day. */
export interface DailyRequests {
  organizationId: string;
  day: string;
  requests: number;
  /** Those of `requests` with a status of 400 or above. */
  rejected: number;
}

interface KeyReference {
  organizationId: string;
  keyId: string;
  keyName: string;
  keyPrefix: string;
}

/** A revoked or expired key that clients still send. */
export interface InactiveKeyUse extends KeyReference {
  requests: number;
  lastDay: string;
}

/** A key that exhausted its rate limit. */
export interface LimitedKey extends KeyReference {
  /** Number of days with rejected requests. */
  days: number;
  /** Requests over the limit. */
  requests: number;
  lastDay: string;
}

/** The requests of the last ten seconds may be missing in all results. */
export interface KeyUsageStore {
  /** Counts since the day `since`, latest day first. */
  listKeyUsage(organizationId: string, keyId: string, since: string): Promise<KeyUsage[]>;
  /** Latest first, at most `maxStoredRejectedRequests`. */
  listRejectedRequests(organizationId: string, keyId: string): Promise<RejectedRequest[]>;
  /**
   * One entry for each municipality and day. The time grows with the number of keys.
   *
   * @param organizationIds without duplicates, like `days`
   * @param days for example of `listLatestDays`
   */
  listDailyRequests(organizationIds: readonly string[], days: readonly string[]): Promise<DailyRequests[]>;
  /**
   * Keys of these municipalities that are revoked or expired and were sent on these days, most requests first. The
   * parameters are those of `listDailyRequests`.
   */
  listInactiveKeysInUse(
    organizationIds: readonly string[],
    days: readonly string[],
  ): Promise<InactiveKeyUse[]>;
  /**
   * Active keys of these municipalities whose requests exceeded their limit on these days, most days first. The parameters
   * are those of `listDailyRequests`.
   */
  listLimitedKeys(organizationIds: readonly string[], days: readonly string[]): Promise<LimitedKey[]>;
}
