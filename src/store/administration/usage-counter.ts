/**
 * Requests of each key on each day. Counted in memory and periodically added to the database, so that requests do not
 * write. A killed process loses the counts of the last seconds.
 */
import type { DailyKeyUsage, KeyUsageStore } from '../../domain/admin-area-store.ts';
import type { Admission } from '../../domain/store.ts';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { Engine } from '../engine.ts';
import { nextEventLoopTurn } from '../event-loop-turn.ts';
import { getColumns, keyUsageTable, listColumnNames } from '../table-descriptors.ts';

const flushIntervalMs = 10_000;

/** Allows comparing a month with the same month of the previous year. */
const retentionDays = 400;
const dayMs = 86_400_000;

interface Tally {
  organization_id: string;
  key_id: string;
  day: string;
  answered: number;
  rejected: number;
}

/** @param notice receives a message when counts are lost */
export function createUsageCounter(engine: Engine, notice: (sentence: string) => void) {
  let tallies = new Map<string, Tally>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let pruning: Promise<void> = Promise.resolve();
  let today = -1;
  let todayText = '';
  /** Day of the last removal of old rows by this process. */
  let prunedOn = -1;
  let stopped = false;

  function findTally({ caller, nowMs }: Admission): Tally {
    const day = Math.floor(nowMs / dayMs);
    if (day !== today) {
      today = day;
      todayText = new Date(nowMs).toISOString().slice(0, 10);
      // The counts of the previous day keep their date.
      if (tallies.size > 0) void flush();
    }
    let tally = tallies.get(caller.keyId);
    if (tally === undefined) {
      const { organizationId, keyId } = caller;
      tally = { organization_id: organizationId, key_id: keyId, day: todayText, answered: 0, rejected: 0 };
      tallies.set(keyId, tally);
    }
    return tally;
  }

  /** Failed writes are not retried: usage counts must not fill the memory while the database is unavailable. */
  async function add(counted: readonly Tally[]): Promise<void> {
    try {
      await engine.execute(composeTallyUpsert(engine), [JSON.stringify(counted)]);
    } catch (error) {
      notice(`The daily usage lacks the requests of the last seconds: ${error}`);
    }
  }

  /** Runs once a day, in short statements that do not delay requests. Several processes may run it concurrently. */
  async function prune(): Promise<void> {
    const day = today;
    if (prunedOn === day) return;
    prunedOn = day;
    const oldest = new Date((day - retentionDays) * dayMs).toISOString().slice(0, 10);
    try {
      while (!stopped && (await engine.execute(deleteExpiredDays, [oldest])) === pruneBatchSize)
        await nextEventLoopTurn();
    } catch (error) {
      // The next flush tries again.
      prunedOn = -1;
      if (!(error instanceof StoreUnavailableError))
        notice(`The daily usage before ${oldest} could not be deleted: ${error}`);
    }
  }

  function flush(): Promise<void> {
    // A fixed order prevents deadlocks between processes.
    const counted = [...tallies.values()].sort((one, other) => (one.key_id < other.key_id ? -1 : 1));
    tallies = new Map();
    if (counted.length > 0) flushing = flushing.then(() => add(counted));
    return flushing;
  }

  return {
    count(admission: Admission): void {
      const tally = findTally(admission);
      if (admission.isRateLimited) tally.rejected += 1;
      else tally.answered += 1;
      timer ??= setInterval(() => {
        void flush();
        pruning = pruning.then(prune);
      }, flushIntervalMs).unref();
    },
    /** Writes the remaining counts. */
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await flush();
      await pruning;
    },
    listDailyUsage: ((organizationId, keyId, since) =>
      engine.query<DailyKeyUsage>(
        `SELECT day, answered, rejected FROM key_usage_daily
        WHERE organization_id = $1 AND key_id = $2 AND day >= $3 ORDER BY day DESC`,
        [organizationId, keyId, since],
      )) satisfies KeyUsageStore['listDailyUsage'],
  };
}

const columns = getColumns(keyUsageTable);
const names = listColumnNames(keyUsageTable);

/** Rows per statement. */
const pruneBatchSize = 500;

export const selectExpiredDays = `
  SELECT organization_id, key_id, day FROM key_usage_daily WHERE day < $1 ORDER BY day LIMIT ${pruneBatchSize}`;

const deleteExpiredDays = `DELETE FROM key_usage_daily WHERE (organization_id, key_id, day) IN (${selectExpiredDays})`;

const composeTallyUpsert = ({ recordset }: Engine) => `
  INSERT INTO key_usage_daily (organization_id, ${names})
  SELECT organization_id, ${names} FROM ${recordset('counted', '$1', { organization_id: 'text', ...columns })} WHERE true
  ON CONFLICT (organization_id, key_id, day) DO UPDATE
  SET answered = key_usage_daily.answered + excluded.answered, rejected = key_usage_daily.rejected + excluded.rejected`;
