/** Random calendars, and their sessions as a second library expands them. */
import rrule from 'rrule';

export interface RandomCalendar {
  content: string;
  /** Expected: local date and time, in order. */
  sessions: string[];
}

const zone = 'Europe/Berlin';
const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * The rule libraries disagree on the named cases, and the generator avoids them or applies the standard:
 * - DTSTART outside of the rule: the second library leaves it out, so the calendar begins at the first match.
 * - Rules that never match: the second library never ends, so no rule combines parts that can exclude each other.
 *
 * @param random numbers from 0 to 1
 */
export function createRandomCalendar(random: () => number): RandomCalendar {
  const int = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const pick = <T>(values: readonly T[]): T => values[int(0, values.length - 1)] as T;
  const list = (make: () => string | number) =>
    [...new Set(Array.from({ length: int(1, 3) }, make))].join(',');
  const parts: Record<string, () => string[]> = {
    DAILY: () => (random() < 0.4 ? [`BYDAY=${list(() => pick(days))}`] : []),
    WEEKLY: () => (random() < 0.6 ? [`BYDAY=${list(() => pick(days))}`, `WKST=${pick(days)}`] : []),
    MONTHLY: () =>
      pick([
        [],
        [`BYDAY=${list(() => pick([1, 2, 3, 4, -1]) + pick(days))}`],
        [`BYMONTHDAY=${list(() => pick([int(1, 28), -int(1, 5)]))}`],
        ['BYDAY=MO,TU,WE,TH,FR', `BYSETPOS=${pick([1, 2, 3, -1, -2])}`],
      ]),
    YEARLY: () =>
      pick([
        [],
        [`BYMONTH=${list(() => int(1, 12))}`, `BYDAY=${pick([1, 2, 3, -1])}${pick(days)}`],
        [`BYMONTH=${list(() => int(1, 12))}`, `BYMONTHDAY=${pick([int(1, 28), -1])}`],
      ]),
  };
  const frequency = pick(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const);
  const interval = random() < 0.4 && frequency !== 'YEARLY' ? [`INTERVAL=${int(1, 4)}`] : [];
  const rule = [`FREQ=${frequency}`, ...interval, ...(parts[frequency]?.() ?? [])].join(';');
  const first = Temporal.PlainDateTime.from({
    year: 2026,
    month: int(1, 12),
    day: int(1, 28),
    hour: int(8, 20),
  });
  const count = int(2, 12);
  const starts = expandBySecondLibrary(`${rule};COUNT=${count}`, first);
  const start = starts[0] as Temporal.PlainDateTime;
  const all = expandBySecondLibrary(`${rule};COUNT=${count}`, start);
  return writeCalendar(rule, all, random, pick);
}

function expandBySecondLibrary(rule: string, start: Temporal.PlainDateTime): Temporal.PlainDateTime[] {
  const text = start.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
  return rrule
    .rrulestr(`DTSTART:${text}Z\nRRULE:${rule}`)
    .all()
    .map((date) => Temporal.PlainDateTime.from(date.toISOString().slice(0, 19)));
}

const compact = (time: { toString(options?: { smallestUnit: 'second' }): string }) =>
  time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');

/** Writes each exception, addition and replacement in a random form. */
function writeCalendar(
  rule: string,
  all: readonly Temporal.PlainDateTime[],
  random: () => number,
  pick: <T>(values: readonly T[]) => T,
): RandomCalendar {
  const inZone = (time: Temporal.PlainDateTime, name: string) =>
    compact(time.toZonedDateTime(zone).withTimeZone(name).toPlainDateTime());
  const format = (time: Temporal.PlainDateTime) =>
    pick([
      `;TZID=${zone}:${compact(time)}`,
      `:${inZone(time, 'UTC')}Z`,
      `;TZID=America/New_York:${inZone(time, 'America/New_York')}`,
      `;TZID=W. Europe Standard Time:${compact(time)}`,
      `:${compact(time)}`,
    ]);
  const formatDay = (time: Temporal.PlainDateTime) =>
    random() < 0.3 ? `;VALUE=DATE:${compact(time).slice(0, 8)}` : format(time);
  const start = all[0] as Temporal.PlainDateTime;
  const last = all.at(-1) as Temporal.PlainDateTime;
  const end = pick([
    `COUNT=${all.length}`,
    `UNTIL=${inZone(last, 'UTC')}Z`,
    `UNTIL=${compact(last).slice(0, 8)}`,
    `UNTIL=${compact(last)}`,
  ]);
  const lines: string[] = [];
  const overrides: string[] = [];
  const sessions: Temporal.PlainDateTime[] = [];
  for (const time of all) {
    const fate = random();
    if (fate < 0.2) lines.push(`EXDATE${formatDay(time)}`);
    else if (fate < 0.3)
      overrides.push(
        toEvent([`RECURRENCE-ID${formatDay(time)}`, pick(['STATUS:CANCELLED', 'CLASS:PRIVATE'])]),
      );
    else if (fate < 0.4) {
      const moved = time.add({ hours: 1, minutes: 7 });
      overrides.push(toEvent([`RECURRENCE-ID${formatDay(time)}`, `DTSTART${format(moved)}`]));
      sessions.push(moved);
    } else sessions.push(time);
  }
  if (random() < 0.3) {
    const added = last.add({ days: 3, minutes: 13 });
    lines.push(`RDATE${format(added)}`);
    sessions.push(added);
  }
  const master = toEvent([`DTSTART;TZID=${zone}:${compact(start)}`, `RRULE:${rule};${end}`, ...lines]);
  return {
    content: ['BEGIN:VCALENDAR', 'VERSION:2.0', ...[master, ...overrides], 'END:VCALENDAR', ''].join('\r\n'),
    sessions: sessions
      .toSorted(Temporal.PlainDateTime.compare)
      .map((time) => time.toString({ smallestUnit: 'minute' })),
  };
}

const toEvent = (lines: readonly string[]) =>
  ['BEGIN:VEVENT', 'UID:r', 'SUMMARY:Rat', ...lines, 'END:VEVENT'].join('\r\n');
