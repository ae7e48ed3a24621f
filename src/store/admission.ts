/** Batches of concurrent requests, for `AccessStore.admit`. */

import type { Admission, Caller, ListPageRequest, PagePrefetch } from '../domain/store.ts';
import { StoreUnavailableError } from '../domain/store-errors.ts';
import { createTimeoutQueue } from '../platform/timeout-queue.ts';
import { getSpan, runInSpan, type Span } from '../platform/tracing/tracing.ts';
import type { PageQuery, PageRow } from './engine.ts';
import { toPage } from './queries/published-lists.ts';

/** A page that is read together with the keys, unless its cached version is the current one. */
export interface PlannedPage {
  /** Index in `AdmissionBatch.keys`. */
  keyIndex: number;
  query: PageQuery;
  /** See `PagePrefetch.guessVersion`. */
  cachedVersion: Admission['dataVersion'];
}

/** Requests that share one transaction or statement. */
export interface AdmissionBatch {
  /** Different keys, of any municipalities. */
  keys: readonly { secretHash: Buffer; requests: readonly unknown[] }[];
  /** One statement reads them, so all have the same parts. */
  pages: PlannedPage[];
}

/** A valid key with its window after the batch. */
export interface AdmittedKey extends Caller {
  limit: number;
  nowMs: number;
  windowStartMs: number;
  /** Used requests in the window, including the granted ones. */
  used: number;
  /** Number of granted requests: the first ones in order of arrival. */
  grantedCount: number;
  secrets: readonly [Buffer, ...Buffer[]];
  /** See `Admission`. */
  dataVersion: number | string | undefined;
}

export interface AdmittedBatch {
  /** By the index of the key; undefined: unknown. */
  keys: readonly (AdmittedKey | undefined)[];
  /** By the index of the page; undefined: not read. */
  pageRows: readonly (PageRow | undefined)[];
}

/** Looks up the keys, grants requests within their windows, and may read the pages. */
export type AdmitBatch = (batch: AdmissionBatch) => Promise<AdmittedBatch>;

/** Adds a page to a batch. @returns its index; undefined if it cannot be read together with the others */
export type AddPage = (
  batch: AdmissionBatch,
  page: Pick<PlannedPage, 'keyIndex' | 'cachedVersion'> & { request: ListPageRequest },
) => number | undefined;

export interface BatcherOptions {
  admitBatch: AdmitBatch;
  /** Whether a batch failed, without an effect, for a reason that may concern only one of its keys or pages. */
  mayConcernOneKey: (error: unknown) => boolean;
  /** Undefined: pages are read later. */
  addPage: AddPage | undefined;
  rateWindowMs: number;
  /** Of batches under way, apart from slow ones and those of one key alone. Above it, only full batches begin. */
  maxRunning: number;
  /** Maximum wait of a request for its batch. */
  maxWaitMs: number;
}

interface WaitingRequest {
  /** From `performance.now()`. */
  sinceMs: number;
  prefetch: PagePrefetch | undefined;
  resolve: (admission: Admission | undefined) => void;
  reject: (error: unknown) => void;
  /** Of the request, for the span of the batch. */
  span: Span | undefined;
  /** Index of its page in the batch. */
  page: number | undefined;
}

interface WaitingKey {
  /** `secretHash` as text. */
  hash: string;
  secretHash: Buffer;
  /** In order of arrival. */
  requests: WaitingRequest[];
}

interface OpenBatch extends AdmissionBatch {
  keys: WaitingKey[];
}

/** Further requests wait for the next batch, so that those of other keys need not wait for all of them. */
export const maxBatchRequests = 40;

const waitedTooLong = 'The database failed: too many requests wait for it.';

/**
 * Requests that arrive in one turn of the event loop, or while `maxRunning` batches are under way, share the next batch,
 * whatever their keys: a statement or a commit costs more than a look-up. The batch starts after its requests have arrived,
 * so it sees every revocation that was committed before them. It ends after `maxBatchRequests` requests, and pages of another
 * shape wait for another one.
 *
 * A key is in one batch at a time: two would wait for the same row. If a batch fails and one key may be the reason, each
 * of its keys is tried alone.
 *
 * The functions that a request passes come first, in their order, from `admit` to `answer`; those for rare cases follow. SQLite reads no
 * pages here, so `addPage` is undefined, and batches have no `pages`.
 */
export function createAdmissionBatcher(options: BatcherOptions) {
  const { admitBatch, mayConcernOneKey, addPage, rateWindowMs, maxRunning, maxWaitMs } = options;
  /** By hash, in order of their turns. Replaced with each batch: see docs/decisions/0078. */
  let waiting = new Map<string, WaitingKey>();
  const runningKeys = new Set<string>();
  const isolatedKeys = createIsolatedKeys();
  const slots = createBatchSlots(maxRunning, schedule);
  let isScheduled = false;

  /** @returns undefined: the key is unknown */
  function admit(secretHash: Buffer, prefetch?: PagePrefetch): Promise<Admission | undefined> {
    return new Promise((resolve, reject) => {
      const hash = secretHash.toString('latin1');
      const request = {
        sinceMs: performance.now(),
        prefetch,
        resolve,
        reject,
        span: getSpan(),
        page: undefined,
      };
      const present = waiting.get(hash);
      if (present === undefined) waiting.set(hash, { hash, secretHash, requests: [request] });
      else present.requests.push(request);
      schedule();
    });
  }

  function schedule(): void {
    if (isScheduled || waiting.size === 0 || !(mayStart() || isolatedKeys.size > 0)) return;
    isScheduled = true;
    setImmediate(startBatch);
  }

  /** Another batch begins if a slot is free, or if it will be full. */
  function mayStart(): boolean {
    if (slots.isFree()) return true;
    if (waiting.size < maxBatchRequests) return false;
    const canJoin = (hash: string) => !runningKeys.has(hash) && !isolatedKeys.has(hash);
    return waiting.keys().filter(canJoin).take(maxBatchRequests).toArray().length === maxBatchRequests;
  }

  function startBatch(): void {
    isScheduled = false;
    const batch = openBatch();
    waiting = fillBatch(batch);
    if (batch.keys.length === 0) return;
    void slots.run(() => run(batch));
    // The remaining requests may fill another batch.
    schedule();
  }

  /** @returns the keys that still wait */
  function fillBatch(batch: OpenBatch): Map<string, WaitingKey> {
    let room = mayStart() ? maxBatchRequests : 0;
    const latestMs = performance.now() - maxWaitMs;
    const remaining = new Map<string, WaitingKey>();
    const partlyTaken: WaitingKey[] = [];
    for (const [hash, key] of waiting) {
      rejectOldRequests(key, latestMs);
      if (key.requests.length === 0) continue;
      if (runningKeys.has(hash)) remaining.set(hash, key);
      else if (isolatedKeys.has(hash)) runAlone(key, undefined);
      else {
        const count = takeRequests(batch, key, room, addPage);
        room -= count;
        if (count === 0) remaining.set(hash, key);
        else if (count < key.requests.length)
          partlyTaken.push({ ...key, requests: key.requests.slice(count) });
      }
    }
    // A key with many requests waits behind all others then.
    for (const key of partlyTaken) remaining.set(key.hash, key);
    return remaining;
  }

  /** @returns the number of taken requests: 0 if there is no room, or if the first page belongs into another batch */
  function takeRequests(batch: OpenBatch, key: WaitingKey, room: number, add: AddPage | undefined): number {
    const keyIndex = batch.keys.length;
    const taken = key.requests.slice(0, room);
    for (const request of taken) {
      const { prefetch } = request;
      const wanted = add && prefetch?.plan();
      request.page =
        wanted && add?.(batch, { keyIndex, request: wanted, cachedVersion: prefetch?.guessVersion() });
      if (request === taken[0] && wanted !== undefined && request.page === undefined) return 0;
    }
    if (taken.length > 0) batch.keys.push({ ...key, requests: taken });
    return taken.length;
  }

  async function run(batch: OpenBatch): Promise<void> {
    const { keys } = batch;
    for (const { hash } of keys) runningKeys.add(hash);
    let admitted: AdmittedBatch | undefined;
    let failure: unknown;
    try {
      admitted = await runInSpan(keys[0]?.requests[0]?.span, () => admitBatch(batch));
    } catch (error) {
      failure = error;
    }
    // Before `handleFailure`, which may run them again.
    for (const { hash } of keys) runningKeys.delete(hash);
    if (admitted === undefined) handleFailure(batch, failure);
    else answer(batch, admitted);
  }

  function answer(batch: OpenBatch, { keys, pageRows }: AdmittedBatch): void {
    for (const [keyIndex, { requests }] of batch.keys.entries()) {
      const found = keys[keyIndex];
      for (const [index, { page, resolve }] of requests.entries())
        resolve(found && toAdmission(found, index + 1, rateWindowMs, pickPage(batch.pages, pageRows, page)));
    }
  }

  /** An admission after this time would be too late for the response. */
  function rejectOldRequests({ requests }: WaitingKey, latestMs: number): void {
    while (requests[0] !== undefined && requests[0].sinceMs < latestMs)
      requests.shift()?.reject(new StoreUnavailableError(waitedTooLong));
  }

  function handleFailure(batch: OpenBatch, error: unknown): void {
    const { keys, pages } = batch;
    const isShared = keys.length > 1;
    const mayBeOwn = mayConcernOneKey(error);
    if (mayBeOwn && !isShared) isolatedKeys.add((keys[0] as WaitingKey).hash);
    // A database that does not answer in time would not do so without the page either.
    const isRepeated =
      mayBeOwn && (isShared || (pages.length > 0 && !(error instanceof StoreUnavailableError)));
    for (const key of keys) {
      if (isRepeated) runAlone(key, isShared ? addPage : undefined);
      else for (const { reject } of key.requests) reject(error);
    }
  }

  function runAlone(key: WaitingKey, add: AddPage | undefined): void {
    const batch = openBatch();
    takeRequests(batch, key, Number.POSITIVE_INFINITY, add);
    void run(batch).then(schedule);
  }

  return admit;
}

const openBatch = (): OpenBatch => ({ keys: [], pages: [] });

function pickPage(
  pages: readonly PlannedPage[],
  rows: AdmittedBatch['pageRows'],
  index: number | undefined,
): Admission['page'] {
  const row = index === undefined ? undefined : rows[index];
  return row && toPage(row, (pages[index as number] as PlannedPage).query.maxRows);
}

/** @param position of the request among those of its key, from 1 */
function toAdmission(
  found: AdmittedKey,
  position: number,
  rateWindowMs: number,
  page: Admission['page'],
): Admission {
  const { organizationId, keyId, keyPrefix, keyName, timeZone, limit, nowMs, windowStartMs } = found;
  const isRateLimited = position > found.grantedCount;
  return {
    caller: { organizationId, keyId, keyPrefix, keyName, timeZone },
    window: {
      limit,
      remaining: isRateLimited ? 0 : limit - (found.used - found.grantedCount + position),
      resetAtMs: windowStartMs + rateWindowMs,
    },
    isRateLimited,
    cursorSecrets: found.secrets,
    dataVersion: found.dataVersion,
    nowMs,
    page,
  };
}

// What keeps a slow or failing batch from delaying the others.

/** After this time, a batch no longer keeps others from beginning. */
const maxSlotMs = 50;

export const slotCheckIntervalMs = 25;

/** A key that fails alone has batches of its own, without pages, for this time after its last failure. */
const isolationMs = 10_000;

/** Counts the batches under way. @param onFree a slot may be free: a batch has ended, or takes too long to count any more */
function createBatchSlots(maxRunning: number, onFree: () => void) {
  let running = 0;
  const taken = createTimeoutQueue(maxSlotMs, slotCheckIntervalMs, () => {
    running -= 1;
    onFree();
  });
  return {
    isFree: () => running < maxRunning,
    run: async (work: () => Promise<void>): Promise<void> => {
      running += 1;
      const slot = taken.add({ startedMs: performance.now() });
      await work();
      if (taken.remove(slot)) running -= 1;
      onFree();
    },
  };
}

/** By the hashes of their secrets. */
function createIsolatedKeys() {
  const ends = new Map<string, NodeJS.Timeout>();
  return {
    get size() {
      return ends.size;
    },
    has: (hash: string) => ends.has(hash),
    add(hash: string): void {
      const end = ends.get(hash) ?? setTimeout(() => ends.delete(hash), isolationMs).unref();
      ends.set(hash, end.refresh());
    },
  };
}
