/**
 * Counts the requests of each key by day, operation and status. Counted in memory and periodically added to the
 * database, so that requests do not write. A killed process loses the counts of the last seconds.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { maskKeys } from '../../domain/keys/api-key.ts';
import {
  maxRejectionMessageLength,
  maxStoredRejectedRequests,
  type RejectionCause,
} from '../../domain/keys/key-usage.ts';
import type { UsedKey } from '../../domain/store.ts';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { Engine } from '../engine.ts';
import {
  addInactiveUse,
  addRejectedRequests,
  addUsage,
  deleteRejectedRequestsBefore,
  deleteUsageBefore,
  deletionBatchSize,
  type InactiveKeyRow,
  type InactiveUse,
  type RejectedRequestRow,
  type UsageRow,
} from './key-usage.ts';

const flushIntervalMs = 10_000;

/** Allows comparing a month with the same month of the previous year. */
const usageRetentionDays = 400;
const rejectedRequestRetentionDays = 90;
const dayMs = 86_400_000;

/** Rows per statement. SQLite writes them on the thread of the requests, within a few milliseconds. */
const rowsPerStatement = 25;

/** Rejected requests of all keys that wait for the next flush. */
const maxPendingRejectedRequests = 2_000;

/** Distinct keys of one flush: clients can send any number of keys that never existed. */
const maxPendingInactiveKeys = 500;

interface PendingRejection extends RejectionCause {
  atMs: number;
  operation: string;
  status: number;
}

interface KeyTally {
  organizationId: string;
  keyId: string;
  day: string;
  /** Requests by operation and status. */
  requests: Map<string, Map<number, number>>;
  /** The latest ones; a ring when it is full. */
  rejections: PendingRejection[];
  /** Index of the oldest rejection of a full ring. */
  oldest: number;
}

export type Notice = (sentence: string, fields?: Readonly<Record<string, unknown>>) => void;

/** The use of an inactive key is reported again after this time. */
const inactiveKeyNoticeIntervalMs = 3_600_000;

/** @param notice receives a message when counts are lost, and when a revoked or expired key is used */
export function createUsageCounter(engine: Engine, notice: Notice) {
  let tallies = new Map<string, KeyTally>();
  /** Requests by key and operation. Keys are SHA-256 in Latin-1. */
  let inactiveKeys = new Map<string, Map<string, number>>();
  let pendingRejections = 0;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let pruning: Promise<void> = Promise.resolve();
  let today = -1;
  let todayText = '';
  /** Day of the last removal of old rows by this process. */
  let prunedOn = -1;
  let stopped = false;
  let isFailing = false;
  /** From `performance.now()`, by key id. Keys that exist, so clients cannot fill it. */
  const noticedMs = new Map<string, number>();

  function startTimer(): void {
    timer ??= setInterval(() => {
      void flush();
      pruning = pruning.then(prune);
    }, flushIntervalMs).unref();
  }

  function findTally({ caller, nowMs }: UsedKey): KeyTally {
    const day = Math.floor(nowMs / dayMs);
    if (day !== today) {
      today = day;
      todayText = formatDay(day);
      // The counts of the previous day keep their date.
      if (tallies.size > 0) void flush();
    }
    let tally = tallies.get(caller.keyId);
    if (tally === undefined) {
      const { organizationId, keyId } = caller;
      tally = { organizationId, keyId, day: todayText, requests: new Map(), rejections: [], oldest: 0 };
      tallies.set(keyId, tally);
      startTimer();
    }
    return tally;
  }

  /** Overwrites the oldest request of a full ring, so a client that fails all the time takes no more memory. */
  function addRejection(tally: KeyTally, rejection: PendingRejection): void {
    const { rejections, oldest } = tally;
    if (rejections.length < maxStoredRejectedRequests && pendingRejections < maxPendingRejectedRequests) {
      rejections.push(rejection);
      pendingRejections += 1;
      return;
    }
    if (rejections.length === 0) return;
    rejections[oldest] = rejection;
    tally.oldest = (oldest + 1) % rejections.length;
  }

  /** Failed writes are not retried: usage counts must not fill the memory while the database is unavailable. */
  async function write<RowType>(
    rows: IteratorObject<RowType>,
    add: (engine: Engine, rows: readonly RowType[]) => Promise<unknown>,
  ): Promise<void> {
    for (;;) {
      const part: RowType[] = [];
      while (part.length < rowsPerStatement) {
        const { value, done } = rows.next();
        if (done) break;
        part.push(value);
      }
      if (part.length > 0) await add(engine, part);
      if (part.length < rowsPerStatement) return;
      await setImmediate();
    }
  }

  async function writeAll(
    counted: readonly KeyTally[],
    inactive: ReadonlyMap<string, ReadonlyMap<string, number>>,
  ): Promise<void> {
    try {
      await write(listUsageRows(counted), addUsage);
      await write(listRejectedRequestRows(counted), addRejectedRequests);
      if (inactive.size > 0) {
        const day = formatDay(Math.floor((await engine.now()) / dayMs));
        await write(listInactiveKeyRows(inactive, day), addAndReportInactiveUse);
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing) notice(`The daily usage lacks the requests of the last seconds: ${error}`);
      isFailing = true;
    }
  }

  async function addAndReportInactiveUse(_: Engine, rows: readonly InactiveKeyRow[]): Promise<void> {
    const nowMs = performance.now();
    const found = await addInactiveUse(engine, rows);
    for (const [keyId, uses] of Map.groupBy(found, (use) => use.key_id)) {
      const [first] = uses as [InactiveUse];
      const { organization_id: organization, prefix: keyPrefix, inactiveSince } = first;
      if (nowMs - (noticedMs.get(keyId) ?? Number.NEGATIVE_INFINITY) < inactiveKeyNoticeIntervalMs) continue;
      noticedMs.set(keyId, nowMs);
      const requests = uses.reduce((sum, use) => sum + use.requests, 0);
      const fields = { organization, keyPrefix, inactiveSince, requests };
      notice('a revoked or expired key is still used', fields);
    }
  }

  /** Runs once a day, in short statements that do not delay requests. Several processes may run it concurrently. */
  async function prune(): Promise<void> {
    try {
      const day = Math.floor((await engine.now()) / dayMs);
      if (prunedOn === day) return;
      const oldestDay = formatDay(day - usageRetentionDays);
      const oldestRequest = new Date((day - rejectedRequestRetentionDays) * dayMs).toISOString();
      await deleteAll(() => deleteUsageBefore(engine, oldestDay));
      await deleteAll(() => deleteRejectedRequestsBefore(engine, oldestRequest));
      prunedOn = day;
    } catch (error) {
      // The next flush tries again.
      if (!(error instanceof StoreUnavailableError)) notice(`Old daily usage could not be deleted: ${error}`);
    }
  }

  async function deleteAll(deleteBatch: () => Promise<number>): Promise<void> {
    while (!stopped && (await deleteBatch()) === deletionBatchSize) await setImmediate();
  }

  function flush(): Promise<void> {
    // A fixed order prevents deadlocks between processes.
    const counted = [...tallies.values()].sort((one, other) => (one.keyId < other.keyId ? -1 : 1));
    const inactive = inactiveKeys;
    tallies = new Map();
    inactiveKeys = new Map();
    pendingRejections = 0;
    if (counted.length > 0 || inactive.size > 0) flushing = flushing.then(() => writeAll(counted, inactive));
    return flushing;
  }

  return {
    recordUse(use: UsedKey, operation: string, status: number, rejection?: RejectionCause): void {
      const tally = findTally(use);
      let byStatus = tally.requests.get(operation);
      if (byStatus === undefined) {
        byStatus = new Map();
        tally.requests.set(operation, byStatus);
      }
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      if (rejection === undefined) return;
      // Not the error itself, which keeps its cause and its stack. A client may send a key as a parameter.
      const message = maskKeys(rejection.message);
      const parameter = rejection.parameter && maskKeys(rejection.parameter);
      addRejection(tally, { atMs: use.nowMs, operation, status, message, parameter });
    },
    recordInactiveKey(secretHash: Buffer, operation: string): void {
      const key = secretHash.toString('latin1');
      let byOperation = inactiveKeys.get(key);
      if (byOperation === undefined) {
        if (inactiveKeys.size === maxPendingInactiveKeys) return;
        byOperation = new Map();
        inactiveKeys.set(key, byOperation);
        startTimer();
      }
      byOperation.set(operation, (byOperation.get(operation) ?? 0) + 1);
    },
    /** Writes the remaining counts. */
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await flush();
      await pruning;
    },
  };
}

/** @param day since 1 January 1970 */
const formatDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

const compareKeys = <Key>([one]: readonly [Key, unknown], [other]: readonly [Key, unknown]) =>
  one < other ? -1 : 1;

function* listUsageRows(tallies: readonly KeyTally[]): Generator<UsageRow, undefined> {
  for (const { organizationId, keyId, day, requests } of tallies)
    for (const [operation, byStatus] of [...requests].sort(compareKeys))
      for (const [status, count] of [...byStatus].sort(compareKeys))
        yield { organization_id: organizationId, key_id: keyId, day, operation, status, requests: count };
}

function* listRejectedRequestRows(tallies: readonly KeyTally[]): Generator<RejectedRequestRow, undefined> {
  for (const { organizationId, keyId, rejections } of tallies)
    for (const { atMs, operation, status, message, parameter = null } of rejections)
      yield {
        organization_id: organizationId,
        key_id: keyId,
        id: randomUUID(),
        at: new Date(atMs).toISOString(),
        operation,
        status,
        message: message.slice(0, maxRejectionMessageLength).toWellFormed(),
        parameter,
      };
}

function* listInactiveKeyRows(
  keys: ReadonlyMap<string, ReadonlyMap<string, number>>,
  day: string,
): Generator<InactiveKeyRow, undefined> {
  for (const [key, byOperation] of [...keys].sort(compareKeys))
    for (const [operation, requests] of [...byOperation].sort(compareKeys))
      yield { secret_hash: Buffer.from(key, 'latin1').toString('hex'), day, operation, requests };
}
