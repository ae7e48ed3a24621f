/**
 * Counts of submissions and sessions by month, from one state of the data. Each count of submissions is a range of an index,
 * and other requests can run between the statements.
 */
import { setImmediate } from 'node:timers/promises';
import {
  maxCounts,
  type SessionCount,
  type Statistics,
  type SubmissionCount,
} from '../../contract/statistics.ts';
import type { StatisticsRequest } from '../../domain/store.ts';
import { findStartOfDay } from '../../domain/timestamps.ts';
import type { Engine, Snapshot, SqlValue } from '../engine.ts';
import { listMonths, type Month } from './list-months.ts';
import { composeDistinct, composeScope, orders, publishedLists } from './published-data.ts';

/** A request waits as long as counting this many submissions takes: about 200 ms on SQLite. */
const maxCost = 3_000_000;
/** In submissions that are counted in the same time. */
const costOfStatement = 750;
const costOfCount = 75;
const costOfSession = 20;

/** A statement has up to this many counts, and fewer if they have more submissions than this. */
const maxCountsPerStatement = 1_000;
const firstCountsPerStatement = 100;
const submissionsPerStatement = 10_000;

/** More statuses or topics are too expensive. */
const maxNames = maxCost / costOfCount + 1;

class TooExpensiveError extends Error {}

/** See `PublishedDataStore.countByMonth`. */
export async function countByMonth(
  engine: Engine,
  request: StatisticsRequest,
): Promise<Statistics | undefined> {
  const snapshot = await engine.openSnapshot(request.organizationId);
  try {
    const read = createBoundedReader(snapshot, request.organizationId);
    const submissions = await countSubmissions(engine, read, request);
    return { submissions, sessions: await countSessions(engine, read, request) };
  } catch (error) {
    if (error instanceof TooExpensiveError) return undefined;
    throw error;
  } finally {
    await snapshot.close();
  }
}

/** @param cost beside that of the statement */
type Read = <Row extends object>(
  sql: string,
  parameters: readonly SqlValue[],
  getCost?: (rows: readonly Row[]) => number,
) => Promise<Row[]>;

function createBoundedReader(snapshot: Snapshot, organizationId: string): Read {
  let cost = 0;
  return async (sql, parameters, getCost = ({ length }) => length * costOfCount) => {
    await setImmediate();
    const rows = await snapshot.query<never>(sql, [organizationId, ...parameters]);
    cost += costOfStatement + getCost(rows);
    if (cost > maxCost) throw new TooExpensiveError();
    return rows;
  };
}

async function countSubmissions(
  { dialect, recordset }: Engine,
  read: Read,
  { timeZone, from, to }: StatisticsRequest,
): Promise<SubmissionCount[]> {
  const first = from === undefined ? '' : findStartOfDay(Temporal.PlainDate.from(from), timeZone);
  const end = to === undefined ? '~' : findStartOfDay(Temporal.PlainDate.from(to).add({ days: 1 }), timeZone);
  const [oldest, newest] = await read<{ at: string }>(composeBounds(dialect), [first, end]);
  if (oldest === undefined || newest === undefined) return [];
  const months = listMonths(oldest.at, newest.at, timeZone).map((month) => ({
    ...month,
    first: month.first > first ? month.first : first,
    next: month.next < end ? month.next : end,
  }));
  const cells: Cell[] = [];
  for (const { value: status } of await read<{ value: string }>(
    composeDistinct(dialect, 'status', [], maxNames),
    [],
  )) {
    const topics = await read<{ value: string }>(
      composeDistinct(dialect, 'topic_category_name', ['status'], maxNames),
      [status],
    );
    for (const topic of [null, ...topics.map(({ value }) => value)])
      for (const month of months) cells.push({ status, topic, ...month });
    if (cells.length * costOfCount > maxCost) throw new TooExpensiveError();
  }
  return countCells(composeCellCounts({ dialect, recordset }), read, cells);
}

interface Cell extends Month {
  status: string;
  topic: string | null;
}

async function countCells(sql: string, read: Read, cells: readonly Cell[]): Promise<SubmissionCount[]> {
  const counts: SubmissionCount[] = [];
  let size = firstCountsPerStatement;
  for (let from = 0; from < cells.length; ) {
    const part = cells.slice(from, from + size);
    const numbered = part.map(({ status, topic, first, next }, cell) => ({
      cell,
      status,
      topic,
      first,
      next,
    }));
    let counted = 0;
    const rows = await read<{ cell: number; count: number }>(sql, [JSON.stringify(numbered)], (found) => {
      counted = found.reduce((sum, { count }) => sum + count, 0);
      return found.length * costOfCount + counted;
    });
    for (const { cell, count } of rows) {
      const { month, status, topic } = part[cell] as Cell;
      if (count > 0) counts.push({ month, status, topicCategoryName: topic, count });
    }
    if (counts.length > maxCounts) throw new TooExpensiveError();
    from += part.length;
    // Grows at most twofold, because the next months may have more submissions.
    const fitting = Math.floor((part.length * submissionsPerStatement) / (counted + 1));
    size = Math.max(1, Math.min(maxCountsPerStatement, 2 * part.length, fitting));
  }
  return counts.sort(
    (one, other) =>
      compare(one.month, other.month) ||
      compare(one.status, other.status) ||
      compare(one.topicCategoryName ?? '', other.topicCategoryName ?? ''),
  );
}

const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);

/** The first and the last submission. Union instead of min and max, which would read all rows of the municipality. */
const composeBounds = (dialect: Engine['dialect']) =>
  [orders.asc.order, orders.desc.order]
    .map(
      (order) =>
        `SELECT * FROM (SELECT created_at AS at, id FROM submission
          WHERE ${composeScope(dialect, publishedLists.submissions, 0).join(' AND ')} AND created_at >= $2 AND created_at < $3
          ORDER BY ${order} LIMIT 1) AS bound`,
    )
    .join(' UNION ALL ');

/** Parameters: municipality, cells. */
export function composeCellCounts({ dialect, recordset }: Pick<Engine, 'dialect' | 'recordset'>): string {
  const scope = composeScope(dialect, publishedLists.submissions, 2).join(' AND ');
  const count = (ofTopic: string) => `(SELECT count(*) FROM submission
    WHERE ${scope} AND status = cells.status AND ${ofTopic} AND created_at >= cells.first AND created_at < cells.next)`;
  return `SELECT cell, CASE
      WHEN cells.topic IS NULL THEN ${count('topic_category_name IS NULL')}
      ELSE ${count('topic_category_name = cells.topic')}
    END AS count
    FROM ${recordset('cells', '$2', { cell: 'integer', status: 'text', topic: 'text', first: 'text', next: 'text' })}`;
}

/** Parameters: municipality, first day, end of the last day. */
const composeSessionCounts = (dialect: Engine['dialect']) =>
  `SELECT substr(date, 1, 7) AS month, committee_name AS "committeeName", count(*) AS count FROM session
    WHERE ${composeScope(dialect, publishedLists.sessions, 0).join(' AND ')} AND date >= $2 AND date < $3 GROUP BY 1, 2`;

/** Sessions of the time, up to the number that is too expensive. */
const composeSessionNumber = (dialect: Engine['dialect']) =>
  `SELECT count(*) AS count FROM (SELECT 1 FROM session
    WHERE ${composeScope(dialect, publishedLists.sessions, 0).join(' AND ')} AND date >= $2 AND date < $3
    LIMIT ${maxCost / costOfSession}) AS counted`;

async function countSessions(
  { dialect }: Engine,
  read: Read,
  { from = '', to = '' }: StatisticsRequest,
): Promise<SessionCount[]> {
  const days = [from, `${to}~`];
  await read<{ count: number }>(
    composeSessionNumber(dialect),
    days,
    ([row]) => (row?.count ?? 0) * costOfSession,
  );
  const counts = await read<SessionCount>(composeSessionCounts(dialect), days);
  if (counts.length > maxCounts) throw new TooExpensiveError();
  return counts.sort(
    (one, other) => compare(one.month, other.month) || compare(one.committeeName, other.committeeName),
  );
}
