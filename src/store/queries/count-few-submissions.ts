import { maxCounts, type SubmissionCount } from '../../contract/resources/statistics.ts';
import { createLocalDays } from '../../domain/values/timestamps.ts';
import type { Engine } from '../engine.ts';
import type { Read } from './bounded-reader.ts';
import { composeScope, publishedLists } from './published-lists.ts';

/** On SQLite, each is read from the table, where it may be long. */
const rowsPerStatement = 200;

interface Row {
  at: string;
  id: string;
  status: string;
  topic: string | null;
}

/**
 * Counts submissions one by one, whatever their topics.
 *
 * @param range first time, and the time after the last one
 * @returns undefined for more submissions than the statistics may have counts
 */
export async function countFewSubmissions(
  dialect: Engine['dialect'],
  read: Read,
  { timeZone, first, end }: { timeZone: string; first: string; end: string },
): Promise<SubmissionCount[] | undefined> {
  const findDay = createLocalDays(timeZone);
  const counts = new Map<string, SubmissionCount>();
  let rows = 0;
  for await (const { at, status, topic } of walkRows(dialect, read, first, end)) {
    rows += 1;
    if (rows > maxCounts) return undefined;
    const month = findDay(at).slice(0, 7);
    const key = JSON.stringify([month, status, topic]);
    const present = counts.get(key);
    if (present === undefined) counts.set(key, { month, status, topicCategoryName: topic, count: 1 });
    else present.count += 1;
  }
  return [...counts.values()];
}

async function* walkRows(
  dialect: Engine['dialect'],
  read: Read,
  first: string,
  end: string,
): AsyncGenerator<Row> {
  const { sameTime, older } = composeSteps(dialect);
  for (let last: Row | undefined; ; ) {
    let rows = last === undefined ? [] : await read<Row>(sameTime, [last.at, last.id]);
    if (rows.length === 0) rows = await read<Row>(older, [first, last?.at ?? end]);
    yield* rows;
    last = rows.at(-1);
    if (last === undefined) return;
  }
}

function composeSteps(dialect: Engine['dialect']) {
  const scope = composeScope(dialect, publishedLists.submissions, 0).join(' AND ');
  const select = `SELECT created_at AS at, id, status, topic_category_name AS topic FROM submission WHERE ${scope}`;
  const limit = `LIMIT ${rowsPerStatement}`;
  return {
    /** The rest of the rows with the time `$2`, after the id `$3`. */
    sameTime: `${select} AND created_at = $2 AND id > $3 ORDER BY id ${limit}`,
    /** From the time `$2` on, before the time `$3`. */
    older: `${select} AND created_at >= $2 AND created_at < $3 ORDER BY created_at DESC, id ${limit}`,
  };
}
