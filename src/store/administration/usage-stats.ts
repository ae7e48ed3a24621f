/**
 * Requests of each key on each day. They are counted in memory and added to the database now and then, so that no
 * request writes for them: a process that is killed loses what it counted in the last seconds.
 */
import type { DailyKeyUsage, KeyUsageStore } from '../../domain/administration.ts';
import type { Admission } from '../../domain/store.ts';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { Engine } from '../engine.ts';
import { nextEventLoopTurn } from '../event-loop-turn.ts';
import { keyUsageDaily } from '../schema.ts';

const flushIntervalMs = 10_000;

/** Days are kept for as long as somebody may compare a month with that of the year before. */
const retentionDays = 400;
const dayMs = 86_400_000;

interface Tally {
  organization_id: string;
  key_id: string;
  day: string;
  answered: number;
  rejected: number;
}

export interface UsageCounter extends KeyUsageStore {
  count(admission: Admission): void;
  /** Adds what was counted, and stops. */
  stop(): Promise<void>;
}

/** @param notice told when figures were lost */
export function createUsageCounter(engine: Engine, notice: (sentence: string) => void): UsageCounter {
  let tallies = new Map<string, Tally>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let pruning: Promise<void> = Promise.resolve();
  let today = -1;
  let todayText = '';
  /** The day on which this process last removed old figures. */
  let prunedOn = -1;
  let stopped = false;

  function tallyOf({ caller, nowMs }: Admission): Tally {
    const day = Math.floor(nowMs / dayMs);
    if (day !== today) {
      today = day;
      todayText = new Date(nowMs).toISOString().slice(0, 10);
      // The tallies of another day keep their text; those of this one get places of their own.
      if (tallies.size > 0) flush();
    }
    let tally = tallies.get(caller.keyId);
    if (tally === undefined) {
      const { organizationId, keyId } = caller;
      tally = { organization_id: organizationId, key_id: keyId, day: todayText, answered: 0, rejected: 0 };
      tallies.set(keyId, tally);
    }
    return tally;
  }

  /** What cannot be added now is lost: figures of use are no reason to hold memory while a database is away. */
  async function add(counted: readonly Tally[]): Promise<void> {
    try {
      await engine.execute(upsertTallies(engine), [JSON.stringify(counted)]);
    } catch (error) {
      notice(`The requests of the last seconds are missing in the figures of the day: ${error}`);
    }
  }

  /** Once a day, in statements that are short enough to hold up no request. Several processes may do it at once. */
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
        notice(`Daily figures from before ${oldest} could not be removed: ${error}`);
    }
  }

  function flush(): Promise<void> {
    // In one order, so that two processes do not wait for each other's rows.
    const counted = [...tallies.values()].sort((one, other) => (one.key_id < other.key_id ? -1 : 1));
    tallies = new Map();
    if (counted.length > 0) flushing = flushing.then(() => add(counted));
    return flushing;
  }

  return {
    count(admission) {
      const tally = tallyOf(admission);
      if (admission.isRateLimited) tally.rejected += 1;
      else tally.answered += 1;
      timer ??= setInterval(() => {
        flush();
        pruning = pruning.then(prune);
      }, flushIntervalMs).unref();
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await flush();
      await pruning;
    },
    listDailyUsage: (organizationId, keyId, since) =>
      engine.query<DailyKeyUsage>(
        `SELECT day, answered, rejected FROM key_usage_daily
        WHERE organization_id = $1 AND key_id = $2 AND day >= $3 ORDER BY day DESC`,
        [organizationId, keyId, since],
      ),
  };
}

const columns = Object.keys({ ...keyUsageDaily.key, ...keyUsageDaily.columns }).join(', ');

/** Rows that one statement removes. */
const pruneBatchSize = 500;

export const selectExpiredDays = `
  SELECT organization_id, key_id, day FROM key_usage_daily WHERE day < $1 ORDER BY day LIMIT ${pruneBatchSize}`;

const deleteExpiredDays = `DELETE FROM key_usage_daily WHERE (organization_id, key_id, day) IN (${selectExpiredDays})`;

const upsertTallies = ({ recordset }: Engine) => `
  INSERT INTO key_usage_daily (organization_id, ${columns})
  SELECT organization_id, ${columns}
  FROM ${recordset('counted', '$1', { organization_id: 'text', ...keyUsageDaily.key, ...keyUsageDaily.columns })} WHERE true
  ON CONFLICT (organization_id, key_id, day) DO UPDATE
  SET answered = key_usage_daily.answered + excluded.answered, rejected = key_usage_daily.rejected + excluded.rejected`;
