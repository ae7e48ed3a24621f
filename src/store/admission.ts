/** The rate limit window of a key, and batches of concurrent requests, for `AccessStore.admit`. */

import type { Admission, Caller, ListPageRequest, PagePrefetch } from '../domain/store.ts';
import { createTimeoutQueue } from '../timeouts/timeout-queue.ts';
import { getSpan, runInSpan, type Span } from '../tracing/tracing.ts';
import type { PageQuery, PageRow } from './engine.ts';
import { toPage } from './queries/published-data.ts';

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
 * clock was wrong, and counting starts again. RETURNING cannot return the previous value of `used`, and `excluded` has only
 * columns of the table, so the row has columns for the requests of its last statement and their limit.
 *
 * @param least the engine's function for the smaller of two values
 * @param rows query for organization_id, key_id, window_start_ms, used, granted, request_limit and last_used_at_ms, as if
 *   there were no stored window: `granted` is the number of requests, `used` is not above the limit
 */
export function composeGrant(
  table: string,
  least: 'min' | 'least',
  rateWindowMs: string,
  rows: string,
): string {
  const isCurrent = `present.window_start_ms BETWEEN excluded.window_start_ms AND excluded.window_start_ms + ${rateWindowMs}`;
  return `INSERT INTO ${table} AS present
    (organization_id, key_id, window_start_ms, used, granted, request_limit, last_used_at_ms)
  ${rows}
  ON CONFLICT (organization_id, key_id) DO UPDATE SET
    window_start_ms = CASE WHEN ${isCurrent} THEN present.window_start_ms ELSE excluded.window_start_ms END,
    used = CASE WHEN ${isCurrent} THEN ${least}(present.used + excluded.granted, excluded.request_limit) ELSE excluded.used END,
    granted = CASE WHEN ${isCurrent} THEN ${least}(excluded.granted, excluded.request_limit - present.used) ELSE excluded.granted END,
    request_limit = excluded.request_limit,
    last_used_at_ms = excluded.last_used_at_ms
  WHERE present.used < excluded.request_limit OR NOT (${isCurrent})
  RETURNING organization_id, key_id, used, ${least}(used, granted) AS granted, window_start_ms AS "windowStartMs"`;
}

/** A page that the step of a batch reads, unless its cached version is the current one. */
export interface PlannedPage {
  /** Index in `AdmissionBatch.keys`. */
  key: number;
  query: PageQuery;
  /** See `PagePrefetch.guessVersion`. */
  cachedVersion: Admission['dataVersion'];
}

/** What one step of the store does for several requests. */
export interface AdmissionBatch {
  /** Different keys, of any municipalities, and how many requests each asks for. */
  keys: { secretHash: Buffer; requests: number }[];
  /** All have the same parts. */
  pages: PlannedPage[];
}

/** What the step found for a key. */
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

/** Adds a page to a batch. @returns its index; undefined if the step cannot read it together with the others */
export type PlanPage = (
  batch: AdmissionBatch,
  page: Pick<PlannedPage, 'key' | 'cachedVersion'> & { request: ListPageRequest },
) => number | undefined;

export interface BatcherOptions {
  admitBatch: AdmitBatch;
  /** Whether the batch failed, without an effect, for a reason that may concern only one of its keys. */
  mayConcernOneKey: (error: unknown, batch: AdmissionBatch) => boolean;
  /** Undefined: the step reads no pages. */
  planPage: PlanPage | undefined;
  rateWindowMs: number;
  /** Batches of several keys at a time, without slow ones. */
  maxRunning: number;
}

interface WaitingRequest {
  prefetch: PagePrefetch | undefined;
  resolve: (admission: Admission | undefined) => void;
  reject: (error: unknown) => void;
  /** Of the request, for the span of the batch. */
  span: Span | undefined;
}

interface WaitingKey {
  secretHash: Buffer;
  /** In order of arrival. */
  requests: WaitingRequest[];
}

interface BatchedRequest extends WaitingRequest {
  /** Index of its page. */
  page: number | undefined;
}

interface OpenBatch extends AdmissionBatch {
  /** By the index of the key. */
  requests: BatchedRequest[][];
}

/** Further requests wait for the next batch, so that those of other keys need not wait for all of them. */
const maxBatchRequests = 40;

/** After this time a batch does not count as running. */
const maxSlotMs = 50;

export const slotCheckIntervalMs = 25;

/** After a failure that it may have caused, a key has batches of its own without pages for this time. */
const isolationMs = 10_000;

/**
 * Requests that arrive in one turn of the event loop, or while `maxRunning` batches are under way, share the next batch,
 * whatever their keys: a statement or a commit costs more than a look-up. The batch starts after its requests have arrived, so
 * it sees every revocation that was committed before them.
 *
 * A key is in one batch at a time: two would wait for the same row. If a batch fails because of one key, each of its keys is
 * tried alone.
 */
export function createAdmissionBatcher(options: BatcherOptions) {
  const { admitBatch, mayConcernOneKey, planPage, rateWindowMs, maxRunning } = options;
  /** By hash, in order of arrival. Replaced with each batch: see docs/decisions/0078. */
  let waiting = new Map<string, WaitingKey>();
  const runningKeys = new Set<string>();
  const isolatedUntilMs = new Map<string, number>();
  let running = 0;
  let isScheduled = false;
  // A batch that waits for a lock, or for a server that does not respond, holds up the other keys no longer than this.
  const slots = createTimeoutQueue(maxSlotMs, slotCheckIntervalMs, () => {
    running -= 1;
    schedule();
  });

  function schedule(): void {
    const isFull = running === maxRunning && isolatedUntilMs.size === 0;
    if (isScheduled || isFull || waiting.size === 0) return;
    isScheduled = true;
    setImmediate(startBatches);
  }

  function startBatches(): void {
    isScheduled = false;
    const batch: OpenBatch = { keys: [], pages: [], requests: [] };
    const names: string[] = [];
    let room = running < maxRunning ? maxBatchRequests : 0;
    const left = new Map<string, WaitingKey>();
    // A key with many requests waits behind all others then.
    const partlyTaken: [string, WaitingKey][] = [];
    for (const [name, key] of waiting) {
      if (runningKeys.has(name)) left.set(name, key);
      else if (isIsolated(name)) void runAlone(name, key.secretHash, key.requests).then(schedule);
      else {
        const count = takeRequests(batch, key, room);
        room -= count;
        if (count > 0) names.push(name);
        if (count === 0) left.set(name, key);
        else if (count < key.requests.length)
          partlyTaken.push([name, { ...key, requests: key.requests.slice(count) }]);
      }
    }
    for (const [name, key] of partlyTaken) left.set(name, key);
    waiting = left;
    if (names.length === 0) return;
    running += 1;
    const slot = slots.add({ startedMs: performance.now() });
    void run(batch, names).then(() => {
      if (slot.work !== undefined) running -= 1;
      slots.remove(slot);
      schedule();
    });
    schedule();
  }

  /** @returns the number of taken requests: 0 if there is no room, or if the first page belongs into another batch */
  function takeRequests(batch: OpenBatch, { secretHash, requests }: WaitingKey, room: number): number {
    const key = batch.keys.length;
    const taken: BatchedRequest[] = [];
    for (const request of requests.slice(0, room)) {
      const wanted = planPage && request.prefetch?.plan();
      const cachedVersion = wanted && request.prefetch?.guessVersion();
      const page = wanted && planPage?.(batch, { key, request: wanted, cachedVersion });
      if (taken.length === 0 && wanted !== undefined && page === undefined) return 0;
      taken.push({ ...request, page });
    }
    if (taken.length > 0) {
      batch.keys.push({ secretHash, requests: taken.length });
      batch.requests.push(taken);
    }
    return taken.length;
  }

  async function run(batch: OpenBatch, names: readonly string[]): Promise<void> {
    for (const name of names) runningKeys.add(name);
    const outcome = await runInSpan(batch.requests[0]?.[0]?.span, () => admitBatch(batch)).then(
      (admitted) => ({ admitted }),
      (error: unknown) => ({ error }),
    );
    for (const name of names) runningKeys.delete(name);
    if ('admitted' in outcome) answer(batch, outcome.admitted);
    else if (mayConcernOneKey(outcome.error, batch)) isolate(batch, names);
    else for (const { reject } of batch.requests.flat()) reject(outcome.error);
  }

  function answer({ pages, requests }: OpenBatch, { keys, pageRows }: AdmittedBatch): void {
    for (const [key, ofKey] of requests.entries()) {
      const found = keys[key];
      for (const [index, { page, resolve }] of ofKey.entries())
        resolve(found && toAdmission(found, index + 1, rateWindowMs, pickPage(pages, pageRows, page)));
    }
  }

  function isolate({ keys, requests }: OpenBatch, names: readonly string[]): void {
    const untilMs = performance.now() + isolationMs;
    for (const [key, { secretHash }] of keys.entries()) {
      const name = names[key] as string;
      isolatedUntilMs.set(name, untilMs);
      void runAlone(name, secretHash, requests[key] as BatchedRequest[]).then(schedule);
    }
  }

  function isIsolated(name: string): boolean {
    if (isolatedUntilMs.size === 0) return false;
    const untilMs = isolatedUntilMs.get(name);
    if (untilMs === undefined || untilMs > performance.now()) return untilMs !== undefined;
    isolatedUntilMs.delete(name);
    return false;
  }

  const runAlone = (name: string, secretHash: Buffer, requests: readonly WaitingRequest[]) =>
    run(
      {
        keys: [{ secretHash, requests: requests.length }],
        pages: [],
        requests: [requests.map((request) => ({ ...request, page: undefined }))],
      },
      [name],
    );

  return (secretHash: Buffer, prefetch?: PagePrefetch): Promise<Admission | undefined> =>
    new Promise((resolve, reject) => {
      const name = secretHash.toString('latin1');
      const request = { prefetch, resolve, reject, span: getSpan() };
      const present = waiting.get(name);
      if (present === undefined) waiting.set(name, { secretHash, requests: [request] });
      else present.requests.push(request);
      schedule();
    });
}

function pickPage(
  pages: readonly PlannedPage[],
  rows: AdmittedBatch['pageRows'],
  index: number | undefined,
): Admission['page'] {
  const row = index === undefined ? undefined : rows[index];
  // One more row than requested: see toPageQuery.
  return row && toPage(row, (pages[index as number] as PlannedPage).query.maxRows - 1);
}

/** @param position of the request among those of its key, from 1 */
function toAdmission(
  found: AdmittedKey,
  position: number,
  rateWindowMs: number,
  page: Admission['page'],
): Admission {
  const { organizationId, keyId, keyPrefix, keyName, limit, nowMs, windowStartMs } = found;
  const isRateLimited = position > found.grantedCount;
  return {
    caller: { organizationId, keyId, keyPrefix, keyName },
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
