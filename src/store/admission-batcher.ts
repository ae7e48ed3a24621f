/** Batches concurrent requests of one key for `AccessStore.admit`. */
import type { Admission, Caller, PagePrefetch } from '../domain/store.ts';
import type { PageQuery, PageRow } from './engine.ts';
import { nextEventLoopTurn } from './event-loop-turn.ts';

export interface RateLimitOptions {
  /** Requests per window of keys without a limit of their own. */
  rateLimit: number;
  rateWindowMs: number;
}

/** A page to read in the statement of a batch. */
export interface BatchedPage {
  query: PageQuery;
  /** See `PagePrefetch`. */
  cachedVersion: Admission['dataVersion'];
}

/** Result of one statement for several requests of a key. */
export interface GrantedBatch extends Caller {
  limit: number;
  nowMs: number;
  windowStartMs: number;
  /** Used requests in the window, including the granted ones. */
  used: number;
  /** Number of granted requests of the batch: the first ones in order of arrival. */
  granted: number;
  secrets: [Buffer, ...Buffer[]];
  /** See `Admission`. */
  dataVersion: number | string | undefined;
  /** By the index of the page in the batch; undefined if it was not read. */
  pages: readonly (PageRow | undefined)[];
}

/** The pages that the statement of one batch reads. */
export interface BatchPages {
  readonly pages: readonly BatchedPage[];
  /** @returns reads the page from the result of the statement; undefined if the statement did not read it */
  add(prefetch: PagePrefetch | undefined): (batch: GrantedBatch) => Admission['page'];
}

export const readNothing = () => undefined;

/** For an engine whose statement reads no pages. */
export const noPages: BatchPages = { pages: [], add: () => readNothing };

/** @returns undefined for an unknown key */
export type GrantRequests = (
  secretHash: Buffer,
  requests: number,
  pages: readonly BatchedPage[],
) => Promise<GrantedBatch | undefined>;

/**
 * The batches of one key. The map of queues changes with every request, and its old tables stay in memory for a while, so a
 * queue refers to no result after its statement has ended (docs/decisions/0078).
 */
interface KeyQueue {
  pending: PendingBatch | undefined;
  running: Promise<unknown> | undefined;
}

interface PendingBatch {
  requests: number;
  pages: BatchPages;
  granted: Promise<GrantedBatch | undefined>;
}

/**
 * Requests of one key that arrive in one turn of the event loop, or during a running statement for the key, share the
 * next statement: separate statements would wait for the same row lock. The statement starts after all its requests have
 * arrived, so it sees every revocation that was committed before them.
 *
 * @param grantRequests grants up to `requests` requests, limited by the window of the key, and may read the pages
 * @param createPages called for each batch
 */
export function createAdmissionBatcher(
  grantRequests: GrantRequests,
  rateWindowMs: number,
  createPages: () => BatchPages,
) {
  const queues = new Map<string, KeyQueue>();

  function openBatch(key: string, queue: KeyQueue, secretHash: Buffer): PendingBatch {
    const batch: PendingBatch = {
      requests: 0,
      pages: createPages(),
      granted: (queue.running ?? nextEventLoopTurn()).then(() => {
        queue.pending = undefined;
        const granted = grantRequests(secretHash, batch.requests, batch.pages.pages);
        const markFinished = () => {
          queue.running = undefined;
          if (queue.pending === undefined) queues.delete(key);
        };
        queue.running = granted.then(markFinished, markFinished);
        return granted;
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
    const readPage = batch.pages.add(prefetch);
    const granted = await batch.granted;
    return granted && toAdmission(granted, position, rateWindowMs, readPage(granted));
  };
}

/** @param position of the request in the batch, from 1 */
function toAdmission(
  batch: GrantedBatch,
  position: number,
  rateWindowMs: number,
  page: Admission['page'],
): Admission {
  const { organizationId, keyId, keyPrefix, keyName, limit, nowMs, windowStartMs } = batch;
  const isRateLimited = position > batch.granted;
  return {
    caller: { organizationId, keyId, keyPrefix, keyName },
    window: {
      limit,
      remaining: isRateLimited ? 0 : limit - (batch.used - batch.granted + position),
      resetAtMs: windowStartMs + rateWindowMs,
    },
    isRateLimited,
    cursorSecrets: batch.secrets,
    dataVersion: batch.dataVersion,
    nowMs,
    page,
  };
}
