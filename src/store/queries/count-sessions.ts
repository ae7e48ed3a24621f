/** Counts of sessions, in statements of a bounded number of rows: other requests wait for a statement of SQLite. */
import type { Engine } from '../engine.ts';
import type { Read } from './bounded-reader.ts';
import { afterEveryTime, composeScope, publishedLists } from './published-lists.ts';

/** Each is read from the table, where it may be long. */
const sessionsPerStatement = { sqlite: 500, postgres: 50_000 };

interface SessionQuery<Group> {
  /** Columns of the result, by which sessions are counted. */
  groups: readonly string[];
  /** First day, inclusive; empty: the earliest. */
  first: string;
  /** Exclusive; `afterEveryTime` is after every day. */
  end: string;
  /** Only the sessions that this source was the last to write; undefined: all. */
  sourceId?: number | undefined;
  /** Of the statements that count a part. */
  getCost(counts: readonly Group[]): number;
}

/**
 * Reads parts of the range with a bounded number of sessions: some days, or some of the sessions of one day.
 *
 * @returns the counts of each part. Several parts may have the same group
 */
export async function* countSessions<Group extends { count: number }>(
  dialect: Engine['dialect'],
  read: Read,
  { groups, first, end, sourceId, getCost }: SessionQuery<Group>,
): AsyncGenerator<Group[]> {
  const { days, oneDay } = composeSessionCounts(dialect, groups, sourceId !== undefined);
  const source = sourceId === undefined ? [] : [sourceId];
  for (let from = first; ; ) {
    const [beyond] = await read<{ date: string }>(days.firstBeyond, [from, end], () => 0);
    const hasManyOnOneDay = beyond?.date === from;
    if (hasManyOnOneDay) yield* countOneDay(from);
    else yield await read(days.counts, [from, beyond?.date ?? end, ...source], getCost);
    if (beyond === undefined) return;
    from = hasManyOnOneDay ? from + afterEveryTime : beyond.date;
  }

  async function* countOneDay(day: string): AsyncGenerator<Group[]> {
    for (let from = ''; ; ) {
      const [beyond] = await read<{ id: string }>(oneDay.firstBeyond, [from, afterEveryTime, day], () => 0);
      yield await read(oneDay.counts, [from, beyond?.id ?? afterEveryTime, day, ...source], getCost);
      if (beyond === undefined) return;
      from = beyond.id;
    }
  }
}

/** Adds the counts of a part to those of the parts before it. */
export function addCounts<Group extends { count: number }>(
  counts: Map<string, Group>,
  part: readonly Group[],
  toKey: (group: Group) => string,
): void {
  for (const group of part) {
    const present = counts.get(toKey(group));
    if (present === undefined) counts.set(toKey(group), group);
    else present.count += group.count;
  }
}

/**
 * `firstBeyond` finds the end of a part with an index, and `counts` reads its sessions. Parameters: municipality, first day or id, the
 * one after the last; of `oneDay`, the day; and of `counts`, the source if there is one.
 */
export function composeSessionCounts(
  dialect: Engine['dialect'],
  groups: readonly string[],
  hasSource: boolean,
) {
  const compose = (column: 'date' | 'id', conditions: readonly string[]) => {
    const scope = [
      ...composeScope(dialect, publishedLists.sessions, 0),
      `${column} >= $2 AND ${column} < $3`,
      ...conditions,
    ];
    const ofSource = hasSource ? [`source_id = $${4 + conditions.length}`] : [];
    return {
      firstBeyond: `SELECT ${column} FROM session WHERE ${scope.join(' AND ')}
        ORDER BY ${column} LIMIT 1 OFFSET ${sessionsPerStatement[dialect]}`,
      counts: `SELECT ${groups.join(', ')}, count(*) AS count FROM session
        WHERE ${[...scope, ...ofSource].join(' AND ')} GROUP BY ${groups.map((_, index) => index + 1).join(', ')}`,
    };
  };
  return { days: compose('date', []), oneDay: compose('id', ['date = $4']) };
}
