/**
 * Statistics of the published data. Each statement reads one range of an index, and other requests can run between the
 * statements. One aggregate over a million submissions would block an SQLite process.
 */
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type {
  NamedCount,
  PublishedStatistics,
  ReadStatistics,
  StatisticsStore,
} from '../../domain/records/published-statistics.ts';
import { sortInSlices } from '../../platform/time-slices.ts';
import type { Engine, TenantParameters } from '../engine.ts';
import { costOfStatement } from '../queries/bounded-reader.ts';
import { addCounts, countSessions } from '../queries/count-sessions.ts';
import { listMonths, type Month } from '../queries/list-months.ts';
import { afterEveryTime, composeScope, publishedLists } from '../queries/published-lists.ts';
import { extendDocument, selectChangeHistory } from '../queries/statements.ts';

/** Further statuses or topics are ignored. */
const maxNames = 1_000;
/** Of two centuries. Earlier submissions count in the first of them. */
const maxMonths = 2_400;
const maxCommittees = 100;
const maxMostSupported = 10;

/** A request waits as long as counting this many submissions takes: less than a tenth of a second. */
const maxAwaitedCosts = { sqlite: 600_000, postgres: 70_000 };
/** In submissions that are counted in the same time, as `costOfStatement`. */
const costOfMonth = 75;
/** Less than it takes, because few municipalities have so many that a request should not wait for them. */
const costOfSession = 2;

/** A statement counts submissions of up to this many months, and of fewer if they have more submissions than this. */
const maxMonthsPerStatement = 120;
const firstMonthsPerStatement = 12;
const submissionsPerStatement = 10_000;

/** Municipalities whose statistics stay in memory. */
const maxCached = 100;

type Column = 'status' | 'topic_category_name';

const composeSubmissionScope = (dialect: Engine['dialect'], filterCount: number) =>
  composeScope(dialect, publishedLists.submissions, filterCount).join(' AND ');

/** Finds the next name with an index seek. SELECT DISTINCT would read all rows. */
const nextName = ({ dialect }: Engine, column: Column) => `SELECT ${column} AS name FROM submission
  WHERE ${composeSubmissionScope(dialect, 1)} AND ${column} > $2 ORDER BY ${column} LIMIT 1`;

/** Other requests wait while SQLite walks an index up to an offset. */
const offsetsInBudget = { sqlite: 6, postgres: 1 };

/** Each submission is counted by status and by topic. Parameters: municipality, id before the offset. */
const submissionAtOffset = ({ dialect }: Engine) => `SELECT id FROM submission
  WHERE organization_id = $1 AND id >= $2
  ORDER BY id LIMIT 1 OFFSET ${maxAwaitedCosts[dialect] / 2 / offsetsInBudget[dialect]}`;

const countByMonthQuery = (
  { dialect, recordset }: Engine,
  column: Column,
  ofSource: string,
) => `SELECT month, (
    SELECT count(*) FROM submission WHERE ${composeSubmissionScope(dialect, 1)} AND ${column} = $2 AND created_at >= months.first AND created_at < months.next
      ${ofSource}
  ) AS count FROM ${recordset('months', '$3', { month: 'text', first: 'text', next: 'text' })}`;

const composeMostSupported = (ofSource: string) =>
  `SELECT ${extendDocument('submission')} AS document FROM submission
  WHERE organization_id = $1 AND support_count > 0 ${ofSource}
  ORDER BY support_count DESC, created_at DESC, id LIMIT ${maxMostSupported}`;

/** A run may change only which source wrote records last, which is no change of the data. */
const latestRun = `SELECT id, ended_at AS "endedAt" FROM import_run
  WHERE organization_id = $1 AND outcome IS NOT NULL ORDER BY started_at DESC, id LIMIT 1`;

/** Changes with each decision about a record, such as its removal for good. */
const latestDecision = `SELECT decision, count(*) AS count, max(decided_at) AS latest FROM record_decision
  WHERE organization_id = $1 GROUP BY decision ORDER BY decision`;

/** @param place of the parameter */
const composeSourceCondition = (sourceId: number | undefined, place: number): string =>
  sourceId === undefined ? '' : `AND source_id = $${place}`;

const toParameters = (sourceId: number | undefined): number[] => (sourceId === undefined ? [] : [sourceId]);

type MonthlyMaps = Map<string, Record<Column, Map<string, number>>>;

export function createStatisticsStore(engine: Engine): StatisticsStore {
  const cache = new LRUCache<string, CountedStatistics>({ max: maxCached });
  const running = new Map<string, Computation>();

  async function readDataState(organizationId: string, sourceId: number | undefined): Promise<string> {
    const rows = await engine.tenantQuery(selectChangeHistory, [organizationId], 'primary');
    if (sourceId !== undefined)
      rows.push(...(await engine.tenantQuery(latestRun, [organizationId], 'primary')));
    return JSON.stringify(rows);
  }

  const readDecisions = async (organizationId: string): Promise<string> =>
    JSON.stringify(await engine.tenantQuery(latestDecision, [organizationId], 'primary'));

  /** At most one computation for each municipality, time zone and source. */
  function compute(
    key: string,
    organizationId: string,
    timeZone: string,
    sourceId: number | undefined,
    state: string,
  ): Computation {
    const present = running.get(key);
    if (present !== undefined) return present;
    const overBudget = Promise.withResolvers<void>();
    const readRows = createCountingReader(engine, overBudget.resolve);
    const count = async (): Promise<CountedStatistics> => {
      const decisions = await readDecisions(organizationId);
      if (await exceedsBudget(engine, readRows, organizationId)) overBudget.resolve();
      const statistics = await computeStatistics(engine, readRows, organizationId, timeZone, sourceId);
      const counted = { statistics, computedAtMs: await engine.now(), state, decisions };
      cache.set(key, counted);
      return counted;
    };
    const done = count().finally(() => running.delete(key));
    // If nobody waits any more, the next request repeats a failed computation.
    done.catch(() => undefined);
    const computation = { done, overBudget: overBudget.promise };
    running.set(key, computation);
    return computation;
  }

  return {
    readStatistics: async (organizationId, timeZone, sourceId): Promise<ReadStatistics | undefined> => {
      const key = `${organizationId} ${timeZone} ${sourceId}`;
      const state = await readDataState(organizationId, sourceId);
      const cached = cache.get(key);
      if (cached?.state === state) return { ...cached, isCurrent: true };
      const { done, overBudget } = compute(key, organizationId, timeZone, sourceId, state);
      const fresh = await Promise.race([done, overBudget]);
      const result = fresh ?? cached;
      // Another request may have begun to count an earlier state.
      if (result === undefined || result.state === state) return result && { ...result, isCurrent: true };
      // Earlier statistics may name the topic or committee of a record that was removed for good or unpublished.
      if (result.decisions !== (await readDecisions(organizationId))) return undefined;
      // A record that an import removed, or that left this source, must not be shown.
      const read: ReadRows = (sql, parameters) => engine.tenantQuery(sql, parameters, 'primary');
      const mostSupported = await readMostSupported(read, organizationId, sourceId);
      return { ...result, statistics: { ...result.statistics, mostSupported }, isCurrent: false };
    },
  };
}

interface CountedStatistics {
  statistics: PublishedStatistics;
  computedAtMs: number;
  /** Of the data before counting. */
  state: string;
  /** Of the municipality about records, before counting. */
  decisions: string;
}

interface Computation {
  done: Promise<CountedStatistics>;
  /** Resolves when the computation turns out to take long. */
  overBudget: Promise<void>;
}

/** @param getCost cost of the statement and its rows */
type ReadRows = <Row>(
  sql: string,
  parameters: TenantParameters,
  getCost?: (rows: readonly Row[]) => number,
) => Promise<Row[]>;

const sumCounts = (rows: readonly { count?: number }[]): number =>
  rows.reduce((sum, { count = 0 }) => sum + count, 0);

/** Adds up the cost of the statements. */
function createCountingReader(engine: Engine, onOverBudget: () => void): ReadRows {
  let cost = 0;
  return async (
    sql,
    parameters,
    getCost = (rows) =>
      costOfStatement + rows.length * costOfMonth + sumCounts(rows as readonly { count?: number }[]),
  ) => {
    await setImmediate();
    // A replica may be behind the state that was read.
    const rows = await engine.tenantQuery<never>(sql, parameters, 'primary');
    cost += getCost(rows);
    if (cost > maxAwaitedCosts[engine.dialect]) onOverBudget();
    return rows;
  };
}

/** Whether counting the submissions takes too long to wait for it. */
async function exceedsBudget(engine: Engine, readRows: ReadRows, organizationId: string): Promise<boolean> {
  let id = '';
  for (let offset = 0; offset < offsetsInBudget[engine.dialect]; offset += 1) {
    const [found] = await readRows<{ id: string }>(submissionAtOffset(engine), [organizationId, id]);
    if (found === undefined) return false;
    ({ id } = found);
  }
  return true;
}

async function computeStatistics(
  engine: Engine,
  readRows: ReadRows,
  organizationId: string,
  timeZone: string,
  sourceId: number | undefined,
): Promise<PublishedStatistics> {
  const months = await listMonths(
    engine.dialect,
    (sql, range) => readRows(sql, [organizationId, ...range]),
    { timeZone, first: '', end: afterEveryTime },
    maxMonths,
  );
  const counts: MonthlyMaps = new Map(
    months.map(({ month }) => [month, { status: new Map(), topic_category_name: new Map() }]),
  );
  const statuses = await countNames(engine, readRows, 'status', organizationId, sourceId, months, counts);
  await countNames(engine, readRows, 'topic_category_name', organizationId, sourceId, months, counts);
  const committees = await countCommittees(engine, readRows, organizationId, sourceId);
  return {
    submissions: statuses.reduce((sum, { count }) => sum + count, 0),
    months: [...counts]
      .map(([month, counted]) => ({ month, byStatus: counted.status, byTopic: counted.topic_category_name }))
      .filter(({ byStatus }) => byStatus.size > 0),
    statuses: statuses.filter(({ count }) => count > 0).sort(compareFrequency),
    mostSupported: await readMostSupported(readRows, organizationId, sourceId),
    sessions: sumCounts(committees),
    committees: committees.slice(0, maxCommittees),
  };
}

async function readMostSupported(
  readRows: ReadRows,
  organizationId: string,
  sourceId: number | undefined,
): Promise<string[]> {
  const parameters = [organizationId, ...toParameters(sourceId)] as const;
  const rows = await readRows<{ document: string }>(
    composeMostSupported(composeSourceCondition(sourceId, 2)),
    parameters,
  );
  return rows.map(({ document }) => document);
}

/** Counts the submissions of each name in each month. @returns the sums */
async function countNames(
  engine: Engine,
  readRows: ReadRows,
  column: Column,
  organizationId: string,
  sourceId: number | undefined,
  months: readonly Month[],
  counts: MonthlyMaps,
): Promise<NamedCount[]> {
  const sums: NamedCount[] = [];
  const sql = countByMonthQuery(engine, column, composeSourceCondition(sourceId, 4));
  let monthsPerStatement = firstMonthsPerStatement;
  for (let name = ''; sums.length < maxNames; ) {
    const [next] = await readRows<{ name: string }>(nextName(engine, column), [organizationId, name]);
    if (next === undefined) break;
    name = next.name;
    const sum = { name, count: 0 };
    for (let from = 0; from < months.length; ) {
      const part = months.slice(from, from + monthsPerStatement);
      const parameters = [organizationId, name, JSON.stringify(part), ...toParameters(sourceId)] as const;
      let counted = 0;
      for (const { month, count } of await readRows<{ month: string; count: number }>(sql, parameters)) {
        counted += count;
        if (count > 0) counts.get(month)?.[column].set(name, count);
      }
      from += part.length;
      sum.count += counted;
      monthsPerStatement = adaptToCount(monthsPerStatement, counted);
    }
    sums.push(sum);
  }
  return sums;
}

/** @returns most frequent first */
async function countCommittees(
  { dialect }: Engine,
  readRows: ReadRows,
  organizationId: string,
  sourceId: number | undefined,
): Promise<NamedCount[]> {
  const committees = new Map<string, NamedCount>();
  const parts = countSessions<NamedCount>(
    dialect,
    (sql, parameters, getCost) => readRows(sql, [organizationId, ...parameters], getCost),
    {
      groups: ['committee_name AS name'],
      first: '',
      end: afterEveryTime,
      sourceId,
      getCost: (part) => sumCounts(part) * costOfSession,
    },
  );
  for await (const part of parts) addCounts(committees, part, ({ name }) => name);
  return sortInSlices([...committees.values()], compareCommittees);
}

/** As databases compare texts: UTF-16 has another order of characters beyond the basic plane. */
const compareCommittees = (one: NamedCount, other: NamedCount): number =>
  other.count - one.count || Buffer.compare(Buffer.from(one.name), Buffer.from(other.name));

/** Grows at most twofold, because the next months may have more submissions. */
function adaptToCount(months: number, counted: number): number {
  const fitting = Math.floor((months * submissionsPerStatement) / (counted + 1));
  return Math.max(1, Math.min(maxMonthsPerStatement, 2 * months, fitting));
}

function compareFrequency(one: NamedCount, other: NamedCount): number {
  return other.count - one.count || (one.name < other.name ? -1 : 1);
}
