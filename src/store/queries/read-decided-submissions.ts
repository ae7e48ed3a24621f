import {
  type DecidedStatus,
  decidedStatuses,
  maxDecidedSubmissions,
} from '../../domain/records/decided-statuses.ts';
import { createLocalDays, findStartOfDay, isTimestamp } from '../../domain/values/timestamps.ts';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import type { Engine, Snapshot } from '../engine.ts';
import { composeScope, publishedLists } from './published-lists.ts';
import { composeDecidedAfter, decidedAfter, decidedById, maxDecidedRows } from './statements.ts';

type Query = Snapshot['query'];

type Dialect = Engine['dialect'];

interface DecidedSubmission {
  id: string;
  status: DecidedStatus;
  created: string;
  at: string;
}

/** The character after the last digit: years are before it, and texts that begin with a letter after it. */
const afterEveryTime = ':';

/** Of a source that does not say when it decides, each submission is examined in vain. */
const maxExamined = 10_000;

/** @returns the documents of the latest `maxDecidedSubmissions` decided submissions with the time of the decision, latest first */
export const readDecidedSubmissions = async (query: Query, organizationId: string): Promise<string[]> =>
  readDocuments(
    query,
    organizationId,
    await listDecidedSubmissions(query, organizationId, { limit: maxDecidedSubmissions }),
  );

/** The decided submissions of the latest days, those of a day by status. @param timeZone of the days @returns at most `limit` documents */
export async function readDecidedSubmissionsByDay(
  dialect: Dialect,
  query: Query,
  organizationId: string,
  timeZone: string,
  limit: number,
): Promise<string[]> {
  const latest = await listDecidedSubmissions(query, organizationId, { limit });
  const last = latest.at(-1);
  if (last === undefined) return [];
  const findDay = createLocalDays(timeZone);
  const day = findDay(last.at);
  const start = Temporal.PlainDate.from(day);
  const from = findStartOfDay(start, timeZone);
  const before = findStartOfDay(start.add({ days: 1 }), timeZone);
  // Others of the last day may come before those that were read.
  const submissions = latest.filter(({ at }) => findDay(at) > day);
  for (const status of decidedStatuses)
    submissions.push(
      ...(await listDecidedSubmissions(query, organizationId, {
        limit,
        ofStatus: { dialect, status, from },
        before,
      })),
    );
  const compare = (one: DecidedSubmission, other: DecidedSubmission) => {
    const [oneDay, otherDay] = [findDay(one.at), findDay(other.at)];
    if (oneDay !== otherDay) return oneDay < otherDay ? 1 : -1;
    return decidedStatuses.indexOf(one.status) - decidedStatuses.indexOf(other.status);
  };
  return readDocuments(query, organizationId, submissions.toSorted(compare).slice(0, limit));
}

/** As `decidedAfter`, with the status `$4`, from the time `$5` on. */
export const composeDecidedOfStatus = (dialect: Dialect) =>
  composeDecidedAfter([
    ...composeScope(dialect, publishedLists.statusChanges, 1),
    'status = $4 AND status_changed_at >= $5',
  ]);

/** `statusChangedAt` equals `createdAt` if the source does not say when the status changed. Statements cannot check a day of a month. */
const isDated = ({ created, at }: DecidedSubmission): boolean => at !== created && isTimestamp(at);

async function listDecidedSubmissions(
  query: Query,
  organizationId: string,
  {
    limit,
    ofStatus,
    before = afterEveryTime,
  }: {
    limit: number;
    ofStatus?: { dialect: Dialect; status: DecidedStatus; from: string };
    before?: string;
  },
): Promise<DecidedSubmission[]> {
  const submissions: DecidedSubmission[] = [];
  let examined = 0;
  for (let after = { at: before, id: '~' }; ; ) {
    if (isSliceUsedUp()) await waitForSlice();
    const position = [organizationId, after.at, after.id] as const;
    const rows = await (ofStatus === undefined
      ? query<DecidedSubmission>(decidedAfter, position)
      : query<DecidedSubmission>(composeDecidedOfStatus(ofStatus.dialect), [
          ...position,
          ofStatus.status,
          ofStatus.from,
        ]));
    submissions.push(...rows.filter(isDated));
    examined += rows.length;
    const last = rows.at(-1);
    const isEnd = last === undefined || rows.length < maxDecidedRows || examined >= maxExamined;
    if (isEnd || submissions.length >= limit) return submissions.slice(0, limit);
    after = last;
  }
}

/** Each by a statement of its own, because texts may be long. Those that are removed meanwhile are left out. */
async function readDocuments(
  query: Query,
  organizationId: string,
  submissions: readonly DecidedSubmission[],
): Promise<string[]> {
  const documents: string[] = [];
  for (const { id } of submissions) {
    if (isSliceUsedUp()) await waitForSlice();
    const [row] = await query<{ document: string }>(decidedById, [organizationId, id]);
    if (row !== undefined) documents.push(row.document);
  }
  return documents;
}
