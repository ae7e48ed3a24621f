/** The calendar months in which submissions were created. Months without submissions cost nothing, however many there are. */
import { createLocalDays, findStartOfDay } from '../../domain/values/timestamps.ts';
import type { Engine } from '../engine.ts';
import { composeScope, publishedLists } from './published-lists.ts';

/** A calendar month with its first timestamp, and the first timestamp of the next month. */
export interface Month {
  month: string;
  first: string;
  next: string;
}

/** Computing the limits of this many months takes about three milliseconds. */
const monthsPerStep = 60;

/**
 * Months of UTC, each found with an index seek: a month sorts before all its times. Parameters: municipality, first time, and the
 * time after the last one.
 */
const composeStep = (dialect: Engine['dialect']) => {
  const scope = composeScope(dialect, publishedLists.submissions, 0).join(' AND ');
  const seek = (before: string) => `SELECT substr(created_at, 1, 7) FROM submission
    WHERE ${scope} AND created_at >= $2 AND created_at < ${before} ORDER BY created_at DESC, id LIMIT 1`;
  return `WITH RECURSIVE found (month) AS (
    SELECT (${seek('$3')})
    UNION ALL SELECT (${seek('found.month')}) FROM found WHERE found.month IS NOT NULL
  ) SELECT month FROM found WHERE month IS NOT NULL LIMIT ${monthsPerStep}`;
};

/**
 * Reads the months with submissions, and perhaps a month beside them without any.
 *
 * @param read reads a step of the municipality, and lets other requests run before it
 * @param maxMonths the last month includes all times before it, if there are about this many
 * @returns latest first
 */
export async function listMonths(
  dialect: Engine['dialect'],
  read: (sql: string, range: readonly [first: string, end: string]) => Promise<{ month: string }[]>,
  { timeZone, first, end }: MonthRange,
  maxMonths = Number.POSITIVE_INFINITY,
): Promise<Month[]> {
  const months: Month[] = [];
  const toLocalMonths = createLocalMonths(timeZone);
  const step = composeStep(dialect);
  for (let before = end; months.length < maxMonths; ) {
    const found = await read(step, [first, before]);
    for (const { month } of found)
      for (const local of toLocalMonths(month))
        if (months.at(-1)?.month !== local) months.push(findLimits(local, timeZone));
    if (found.length < monthsPerStep) return months;
    before = found.at(-1)?.month as string;
  }
  const oldest = months.at(-1);
  if (oldest !== undefined) oldest.first = '';
  return months;
}

interface MonthRange {
  /** IANA name. */
  timeZone: string;
  /** First time, inclusive; empty: the earliest. */
  first: string;
  /** Exclusive; `~` is after every time. */
  end: string;
}

/** @returns a function that finds the local months of a month of UTC, latest first */
function createLocalMonths(timeZone: string): (month: string) => string[] {
  const findDay = createLocalDays(timeZone);
  return (month) => {
    const { daysInMonth } = Temporal.PlainYearMonth.from(month);
    const [oldest = '', latest = ''] = [
      `${month}-01T00:00:00.000Z`,
      `${month}-${daysInMonth}T23:59:59.999Z`,
    ].map((at) => findDay(at).slice(0, 7));
    return oldest === latest ? [latest] : [latest, oldest];
  };
}

function findLimits(month: string, timeZone: string): Month {
  const start = Temporal.PlainDate.from(`${month}-01`);
  return {
    month,
    first: findStartOfDay(start, timeZone),
    next: findStartOfDay(start.add({ months: 1 }), timeZone),
  };
}
