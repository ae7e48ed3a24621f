/** Batches concurrent requests of one key for `AccessStore.admit`. */

import { setImmediate } from 'node:timers/promises';
import type { Admission, Caller, PagePrefetch } from '../domain/store.ts';
import type { PageQuery, PageRow } from './engine.ts';

export interface RateLimitOptions {
  /** Requests per window of keys without a limit of their own. */
  rateLimit: number;
  rateWindowMs: number;
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
