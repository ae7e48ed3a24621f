/**
 * Counts of submissions and sessions by month, from one state of the data. Each count of submissions is a range of an index,
 * and other requests can run between the statements.
 */
import {
  maxCounts,
  type SessionCount,
  type Statistics,
  type SubmissionCount,
} from '../../contract/resources/statistics.ts';
import type { StatisticsRequest } from '../../domain/store.ts';
import { createLocalDays, findStartOfDay } from '../../domain/values/timestamps.ts';
import type { Engine } from '../engine.ts';
import {
  costOfCount,
  costOfMonth,
  costOfRow,
  costOfSession,
  costOfStatement,
  createBoundedReader,
  maxCost,
  type Read,
  TooExpensiveError,
} from './bounded-reader.ts';
import { countFewSubmissions } from './count-few-submissions.ts';
import { addCounts, countSessions } from './count-sessions.ts';
import { listMonths, type Month } from './list-months.ts';
import { afterEveryTime, composeDistinct, composeScope, publishedLists } from './published-lists.ts';

/** A statement finds them in less than a millisecond. */
const namesPerStatement = 200;

/** A statement has up to this many counts, and fewer if they have more submissions than this. */
const maxCountsPerStatement = 1_000;
const firstCountsPerStatement = 100;
const submissionsPerStatement = 10_000;

/** With more pairs of a status and a topic, the submissions of the time may be fewer. */
const maxPairs = 1_000;

/** See `PublishedDataStore.countByMonth`. */
export async function countByMonth(
  engine: Engine,
  request: StatisticsRequest,
): Promise<Statistics | undefined> {
  const snapshot = await engine.openSnapshot(request.organizationId);
  try {
    const read = createBoundedReader(snapshot, request.organizationId);
    const submissions = await countSubmissions(engine, read, request);
    return { submissions, sessions: await countSessionsByMonth(engine, read, request) };
  } catch (error) {
    if (error instanceof TooExpensiveError) return undefined;
    throw error;
  } finally {
    await snapshot.close();
  }
}

async function countSubmissions(
  { dialect, recordset }: Engine,
  read: Read,
  { timeZone, from, to }: StatisticsRequest,
): Promise<SubmissionCount[]> {
  const first = from === undefined ? '' : findStartOfDay(Temporal.PlainDate.from(from), timeZone);
  const end =
    to === undefined
      ? afterEveryTime
      : findStartOfDay(Temporal.PlainDate.from(to).add({ days: 1 }), timeZone);
  const found = await listMonths(
    dialect,
    (sql, range) => read(sql, range, ({ length }) => costOfStatement + length * costOfMonth),
    { timeZone, first, end },
  );
  if (found.length === 0) return [];
  const months = found.map((month) => ({
    ...month,
    first: month.first > first ? month.first : first,
    next: month.next < end ? month.next : end,
  }));
  const range = { timeZone, first, end };
  const walk = walkPairs(dialect, read);
  const pairs = await takePairs(walk, maxPairs);
  if (pairs.length === maxPairs) {
    const counted = await countFewSubmissions(dialect, read, range);
    if (counted !== undefined) return sortCounts(counted);
    // Of all time, each topic of a status has a count, so nothing needs to be counted to know that there are too many.
    const isOfAllTime = from === undefined && to === undefined;
    pairs.push(...(await takePairs(walk, isOfAllTime ? maxCounts : Number.POSITIVE_INFINITY)));
    if (isOfAllTime && pairs.filter(({ topic }) => topic !== null).length > maxCounts)
      throw new TooExpensiveError();
  }
  const compose = (aggregate: string) => composeCells({ dialect, recordset }, aggregate);
  const cells = pairs.map((pair) => ({ ...pair, month: '', first, next: end }));
  const sums = await readCells(compose(countAll), read, cells);
  // The times of a pair with few submissions are fewer than its months.
  const isSparse = ({ value }: { value: number | string }) => Number(value) <= months.length;
  const times = await readCells(
    compose(listTimes),
    read,
    sums.filter(isSparse).map(({ cell }) => cell),
  );
  const dense = sums.filter((sum) => !isSparse(sum));
  const counts = await readCells(
    compose(countAll),
    read,
    dense.flatMap(({ cell: { status, topic } }) => months.map((month) => ({ status, topic, ...month }))),
  );
  const submissions = [
    ...counts.map(({ cell, value }) => toCount(cell, cell.month, Number(value))),
    ...times.flatMap(({ cell, value }) => countTimes(cell, String(value).split(' '), timeZone)),
  ];
  return sortCounts(submissions);
}

function sortCounts(counts: SubmissionCount[]): SubmissionCount[] {
  if (counts.length > maxCounts) throw new TooExpensiveError();
  return counts.sort(
    (one, other) =>
      compare(one.month, other.month) ||
      compare(one.status, other.status) ||
      compare(one.topicCategoryName ?? '', other.topicCategoryName ?? ''),
  );
}

interface Pair {
  status: string;
  topic: string | null;
}

/** Submissions of a time with the same status and topic. */
interface Cell extends Month, Pair {}

/** Every pair of all time, and each status without a topic. */
async function* walkPairs(dialect: Engine['dialect'], read: Read): AsyncGenerator<Pair> {
  for await (const status of walkNames(dialect, read, 'status')) {
    yield { status, topic: null };
    for await (const topic of walkNames(dialect, read, 'topic_category_name', status))
      yield { status, topic };
  }
}

async function* walkNames(
  dialect: Engine['dialect'],
  read: Read,
  column: 'status' | 'topic_category_name',
  ...status: [] | [string]
): AsyncGenerator<string> {
  const sql = composeDistinct(dialect, column, status.length === 0 ? [] : ['status'], namesPerStatement);
  for (let after = ''; ; ) {
    const names = await read<{ value: string }>(sql, [...status, after]);
    for (const { value } of names) yield value;
    if (names.length < namesPerStatement) return;
    after = (names.at(-1) as { value: string }).value;
  }
}

async function takePairs(walk: AsyncGenerator<Pair>, maxPairs: number): Promise<Pair[]> {
  const pairs: Pair[] = [];
  while (pairs.length < maxPairs) {
    const { value, done } = await walk.next();
    if (done) break;
    pairs.push(value);
  }
  return pairs;
}

const toCount = ({ status, topic }: Cell, month: string, count: number): SubmissionCount => ({
  month,
  status,
  topicCategoryName: topic,
  count,
});

function countTimes(cell: Cell, times: readonly string[], timeZone: string): SubmissionCount[] {
  const findDay = createLocalDays(timeZone);
  const counts = new Map<string, number>();
  for (const at of times) {
    const month = findDay(at).slice(0, 7);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  return [...counts].map(([month, count]) => toCount(cell, month, count));
}

/** @returns the cells that have submissions */
async function readCells(
  sql: string,
  read: Read,
  cells: readonly Cell[],
): Promise<{ cell: Cell; value: number | string }[]> {
  if (cells.length * costOfCount > maxCost) throw new TooExpensiveError();
  const found: { cell: Cell; value: number | string }[] = [];
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
    const rows = await read<{ cell: number; value: number | string | null }>(
      sql,
      [JSON.stringify(numbered)],
      (values) => {
        for (const { value } of values)
          counted += typeof value === 'string' ? value.length / listedBytes : (value ?? 0);
        return costOfStatement + values.length * costOfCount + counted;
      },
    );
    for (const { cell, value } of rows)
      if (value !== null && value !== 0) found.push({ cell: part[cell] as Cell, value });
    from += part.length;
    // Grows at most twofold, because the next months may have more submissions.
    const fitting = Math.floor((part.length * submissionsPerStatement) / (counted + 1));
    size = Math.max(1, Math.min(maxCountsPerStatement, 2 * part.length, fitting));
  }
  return found;
}

const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);

export const countAll = 'count(*)';
const listTimes = "string_agg(created_at, ' ')";
/** Of each time. */
const listedBytes = 25;

/** Parameters: municipality, cells. @param aggregate of the submissions of each cell */
export function composeCells(
  { dialect, recordset }: Pick<Engine, 'dialect' | 'recordset'>,
  aggregate: string,
): string {
  const scope = composeScope(dialect, publishedLists.submissions, 2).join(' AND ');
  const read = (ofTopic: string) => `(SELECT ${aggregate} FROM submission
    WHERE ${scope} AND status = cells.status AND ${ofTopic} AND created_at >= cells.first AND created_at < cells.next)`;
  return `SELECT cell, CASE
      WHEN cells.topic IS NULL THEN ${read('topic_category_name IS NULL')}
      ELSE ${read('topic_category_name = cells.topic')}
    END AS value
    FROM ${recordset('cells', '$2', { cell: 'integer', status: 'text', topic: 'text', first: 'text', next: 'text' })}`;
}

async function countSessionsByMonth(
  { dialect }: Engine,
  read: Read,
  { from = '', to = '' }: StatisticsRequest,
): Promise<SessionCount[]> {
  const counts = new Map<string, SessionCount>();
  const toKey = ({ month, committeeName }: SessionCount) => month + committeeName;
  const isNew = (part: SessionCount) => !counts.has(toKey(part));
  const parts = countSessions<SessionCount>(dialect, read, {
    groups: ['substr(date, 1, 7) AS month', 'committee_name AS "committeeName"'],
    first: from,
    end: `${to}${afterEveryTime}`,
    getCost: (part) =>
      part.filter(isNew).length * costOfRow + part.reduce((sum, { count }) => sum + count * costOfSession, 0),
  });
  for await (const part of parts) {
    addCounts(counts, part, toKey);
    if (counts.size > maxCounts) throw new TooExpensiveError();
  }
  return [...counts.values()].sort(
    (one, other) => compare(one.month, other.month) || compare(one.committeeName, other.committeeName),
  );
}
