/** The rate limit window of a key, and batches of its concurrent requests, for `AccessStore.admit`. */

import { setImmediate } from 'node:timers/promises';
import type { Admission, Caller, PagePrefetch } from '../domain/store.ts';
import type { PageQuery, PageRow } from './engine.ts';

export interface RateLimitOptions {
  /** Requests per window of keys without a limit of their own. */
  rateLimit: number;
  rateWindowMs: number;
}

/**
 * Start of the window that contains `nowMs`, in Unix milliseconds. Each key has its own offset, so that the windows of all keys
 * do not reset at once. postgres/admit-key.ts has the same formula in SQL.
 *
 * @param keyId a UUID. Its first 48 bits determine the offset.
 */
export function computeWindowStart(keyId: string, nowMs: number, windowMs: number): number {
  const offset = Number.parseInt(keyId.slice(0, 8) + keyId.slice(9, 13), 16) % windowMs;
  return nowMs - ((nowMs - offset) % windowMs);
}

/**
 * Grants requests within the limit. `present` is the stored window, `excluded` the one of the current time:
 *
 * - In the stored window, `used` grows up to the limit.
 * - In an exhausted window, all requests are rejected, and the statement returns no row.
 * - In a later window, counting starts again.
 *
 * A window never moves back after a small correction of the clock. If the stored window is more than one window ahead, the
 * clock was wrong, and counting starts again. The row has a column for the number of granted requests because RETURNING
 * cannot return the previous value of `used`.
 *
 * @param least the engine's function for the smaller of two values
 * @param rows query for the row as it is without a stored window
 */
export function composeGrant(
  table: string,
  least: 'min' | 'least',
  { requests, limit, rateWindowMs }: Record<'requests' | 'limit' | 'rateWindowMs', string>,
  rows: string,
): string {
  const isCurrent = `present.window_start_ms BETWEEN excluded.window_start_ms AND excluded.window_start_ms + ${rateWindowMs}`;
  return `INSERT INTO ${table} AS present (organization_id, key_id, window_start_ms, used, granted, last_used_at_ms)
  ${rows}
  ON CONFLICT (organization_id, key_id) DO UPDATE SET
    window_start_ms = CASE WHEN ${isCurrent} THEN present.window_start_ms ELSE excluded.window_start_ms END,
    used = CASE WHEN ${isCurrent} THEN ${least}(present.used + ${requests}, ${limit}) ELSE excluded.used END,
    granted = CASE WHEN ${isCurrent} THEN ${least}(${requests}, ${limit} - present.used) ELSE excluded.granted END,
    last_used_at_ms = excluded.last_used_at_ms
  WHERE present.used < ${limit} OR NOT (${isCurrent})
  RETURNING used, granted, window_start_ms AS "windowStartMs"`;
}

/** A page that the statement of a batch reads, unless its cached version is the current one. */
export interface PlannedPage {
  query: PageQuery;
  /** See `PagePrefetch`. */
  cachedVersion: Admission['dataVersion'];
}

/** What one statement found for the requests of a batch, which have the same key. */
export interface BatchResult extends Caller {
  limit: number;
  nowMs: number;
  windowStartMs: number;
  /** Used requests in the window, including the granted ones. */
  used: number;
  /** Number of granted requests of the batch: the first ones in order of arrival. */
  grantedCount: number;
  secrets: [Buffer, ...Buffer[]];
  /** See `Admission`. */
  dataVersion: number | string | undefined;
  /** By the index of the planned page; undefined if it was not read. */
  pageRows: readonly (PageRow | undefined)[];
}

/** Collects the pages of one batch. */
export interface PageCollector {
  readonly planned: readonly PlannedPage[];
  /** Plans the page of a request. @returns finds this page in the result; undefined if the statement did not read it */
  add(prefetch: PagePrefetch | undefined): (result: BatchResult) => Admission['page'];
}

export const findNoPage = () => undefined;

/** For an engine whose statement reads no pages. */
export const collectNoPages: PageCollector = { planned: [], add: () => findNoPage };

/**
 * Looks up a key, grants up to `requests` requests within its window, and may read the pages.
 *
 * @returns undefined for an unknown key
 */
export type AdmitBatch = (
  secretHash: Buffer,
  requests: number,
  pages: readonly PlannedPage[],
) => Promise<BatchResult | undefined>;

/**
 * The batches of one key. The map of queues changes with every request, and its old hash tables stay in memory for a while, so a
 * queue refers to no result after its statement has ended (docs/decisions/0078).
 */
interface KeyQueue {
  pending: PendingBatch | undefined;
  running: Promise<unknown> | undefined;
}

interface PendingBatch {
  requests: number;
  collector: PageCollector;
  result: Promise<BatchResult | undefined>;
}

/**
 * Requests of one key that arrive in one turn of the event loop, or during a running statement for the key, share the
 * next statement: separate statements would wait for the same row lock. The statement starts after all its requests have
 * arrived, so it sees every revocation that was committed before them.
 *
 * @param createCollector called for each batch
 */
export function createAdmissionBatcher(
  admitBatch: AdmitBatch,
  rateWindowMs: number,
  createCollector: () => PageCollector,
) {
  const queues = new Map<string, KeyQueue>();

  function openBatch(key: string, queue: KeyQueue, secretHash: Buffer): PendingBatch {
    const batch: PendingBatch = {
      requests: 0,
      collector: createCollector(),
      result: (queue.running ?? setImmediate()).then(() => {
        queue.pending = undefined;
        const result = admitBatch(secretHash, batch.requests, batch.collector.planned);
        const markFinished = () => {
          queue.running = undefined;
          if (queue.pending === undefined) queues.delete(key);
        };
        queue.running = result.then(markFinished, markFinished);
        return result;
      }),
    };
    queue.pending = batch;
    return batch;
  }

  return async (secretHash: Buffer, prefetch?: PagePrefetch): Promise<Admission | undefined> => {
    const key = secretHash.toString('latin1');
    let queue = queues.get(key);
    if (queue === undefined) {
      queue = { pending: undefined, running: undefined };
      queues.set(key, queue);
    }
    const batch = queue.pending ?? openBatch(key, queue, secretHash);
    batch.requests += 1;
    const position = batch.requests;
    const findPage = batch.collector.add(prefetch);
    const result = await batch.result;
    return result && toAdmission(result, position, rateWindowMs, findPage(result));
  };
}

/** @param position of the request in the batch, from 1 */
function toAdmission(
  result: BatchResult,
  position: number,
  rateWindowMs: number,
  page: Admission['page'],
): Admission {
  const { organizationId, keyId, keyPrefix, keyName, limit, nowMs, windowStartMs } = result;
  const isRateLimited = position > result.grantedCount;
  return {
    caller: { organizationId, keyId, keyPrefix, keyName },
    window: {
      limit,
      remaining: isRateLimited ? 0 : limit - (result.used - result.grantedCount + position),
      resetAtMs: windowStartMs + rateWindowMs,
    },
    isRateLimited,
    cursorSecrets: result.secrets,
    dataVersion: result.dataVersion,
    nowMs,
    page,
  };
}
