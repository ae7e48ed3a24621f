/** Lists the repetitions of RRULE and EXRULE. */
import { RRuleTemporal } from 'rrule-temporal';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import { type CalendarTime, parseTime, toDay, toInstant } from './calendar-time.ts';

/** As the parser returns it: `until`, `count` and the other parts. */
export type RecurrenceRule = Readonly<Record<string, string | number | readonly (string | number)[]>>;

interface RuleLimits {
  /** Last day of endless repetitions. */
  until: Temporal.PlainDate;
  max: number;
}

/**
 * The library expands local times without a zone, and this code ends them: it compares UNTIL in each form, and DTSTART counts as
 * the first of COUNT even if the rule does not match it (RFC 5545, section 3.3.10).
 *
 * @returns local times in the zone of the series, in order; the start only if the rule matches it
 * @throws InvalidFieldError
 */
export function expandRule(
  { until: end, count, ...parts }: RecurrenceRule,
  start: CalendarTime,
  { until, max }: RuleLimits,
): Temporal.PlainDateTime[] {
  if (/^(?:HOURLY|MINUTELY|SECONDLY)$/.test(String(parts.freq)))
    throw new InvalidFieldError({ code: 'rule-too-frequent' });
  const isBeyond = createEnd(end, count, start, until);
  const rruleString = Object.entries(parts)
    .map(
      ([name, value]) =>
        `${name.toUpperCase()}=${name === 'wkst' ? formatWeekday(value) : [value].flat().join(',')}`,
    )
    .join(';');
  const starts: Temporal.PlainDateTime[] = [];
  const total = count === undefined ? max : Math.min(max, Number(count));
  try {
    new RRuleTemporal({ rruleString, dtstart: start.local.toZonedDateTime('UTC') }).all((next) => {
      const local = Temporal.PlainDateTime.from(next.toPlainDateTime().toString());
      const left = starts[0]?.equals(start.local) === false ? total - 1 : total;
      if (isBeyond(local) || starts.length >= left) return false;
      starts.push(local);
      return true;
    });
  } catch (error) {
    const isExhausted = error instanceof Error && /^Maximum/.test(error.message);
    throw new InvalidFieldError({ code: isExhausted ? 'rule-too-slow' : 'rule-invalid' });
  }
  const isFirstCounted = count !== undefined && starts[0]?.equals(start.local) === false;
  return isFirstCounted && starts.length === total ? starts.slice(0, -1) : starts;
}

/** The parser counts the days from Sunday, which is 1. */
const formatWeekday = (day: RecurrenceRule[string]) =>
  ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][Number(day) - 1] ?? 'MO';

/** @returns whether a repetition is after the last one */
function createEnd(
  end: RecurrenceRule[string] | undefined,
  count: RecurrenceRule[string] | undefined,
  start: CalendarTime,
  until: Temporal.PlainDate,
): (local: Temporal.PlainDateTime) => boolean {
  if (end === undefined) {
    if (count !== undefined) return () => false;
    return (local) => Temporal.PlainDate.compare(local.toPlainDate(), until) > 0;
  }
  const last = parseTime(String(end), start.zone);
  if (last === undefined) throw new InvalidFieldError({ code: 'rule-invalid' });
  if (start.isDate || last.isDate) {
    const day = toDay(last, start.zone);
    return (local) => local.toPlainDate().toString() > day;
  }
  const { epochMilliseconds } = toInstant(last);
  return (local) => start.zone.toInstant(local).epochMilliseconds > epochMilliseconds;
}
