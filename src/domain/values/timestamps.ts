/** Timestamps in the published form: UTC with milliseconds, such as `2026-03-01T09:15:00.000Z`. */
import { InvalidFieldError } from '../reasons/reason.ts';

const inputPattern = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;
const publishedPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const offsetPattern = /(Z|[+-]\d{2}(:?\d{2})?)$/i;

/**
 * Parses ISO 8601 and returns the published form. A date stands for midnight. Dates and times without offset are local to
 * `timeZone`. A local time in the gap of a clock change moves forward by the gap; for a repeated local time the earlier
 * one is used (RFC 5545, section 3.3.5).
 *
 * @param name name of the field, for the error message
 * @param text ISO 8601; seconds and offset are optional
 * @param timeZone IANA name; undefined rejects times without offset
 * @throws InvalidFieldError
 */
export function parseTimestamp(name: string, text: string, timeZone: string | undefined): string {
  if (isTimestamp(text)) return text;
  if (!inputPattern.test(text)) throw new InvalidFieldError({ code: 'time-invalid-form', field: name });
  const normalized = text.toUpperCase().replace(' ', 'T');
  if (timeZone === undefined && !(normalized.includes('T') && offsetPattern.test(normalized))) {
    throw new InvalidFieldError({ code: 'time-without-offset', field: name });
  }
  try {
    const time = parseInstant(normalized, timeZone ?? 'UTC').toString({ fractionalSecondDigits: 3 });
    if (isTimestamp(time)) return time;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new InvalidFieldError({ code: 'time-invalid', field: name });
}

function parseInstant(text: string, timeZone: string): Temporal.Instant {
  if (text.includes('T') && offsetPattern.test(text)) return Temporal.Instant.from(text);
  return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).toInstant();
}

/** Accepts valid times in the published form, years 0001 to 9999. Called several times for each imported record. */
export function isTimestamp(text: string): boolean {
  if (!publishedPattern.test(text)) return false;
  const year = 100 * parseTwoDigits(text, 0) + parseTwoDigits(text, 2);
  const month = parseTwoDigits(text, 5);
  const day = parseTwoDigits(text, 8);
  return (
    year > 0 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= countDays(year, month) &&
    parseTwoDigits(text, 11) < 24 &&
    parseTwoDigits(text, 14) < 60 &&
    parseTwoDigits(text, 17) < 60
  );
}

const zero = 48;
const parseTwoDigits = (text: string, at: number) =>
  10 * (text.charCodeAt(at) - zero) + text.charCodeAt(at + 1) - zero;

function countDays(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Date (`YYYY-MM-DD`) and time (`HH:MM`) of a published timestamp in a time zone. */
export function parseLocalTime(published: string, timeZone: string): { date: string; time: string } {
  const local = Temporal.Instant.from(published).toZonedDateTimeISO(timeZone);
  return {
    date: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: 'minute' }),
  };
}

/**
 * The first instant of a local day. The first day of the calendar has the published times before it too, and the last day those
 * after it, as in `createLocalDays`.
 */
export function findStartOfDay(day: Temporal.PlainDate, timeZone: string): string {
  if (day.year > 9999) return '~';
  return day.equals('0001-01-01')
    ? ''
    : day.toZonedDateTime(timeZone).toInstant().toString({ fractionalSecondDigits: 3 });
}

/** A time in which the offset from UTC does not change. */
interface OffsetPeriod {
  from: string;
  until: string;
  offsetMs: number;
}

/** By time zone. There are a few hundred zones, each with a few hundred changes until today. */
const offsetPeriods = new Map<string, OffsetPeriod[]>();

/** A zone with summer time changes twice in each of the years until 9999. */
const maxOffsetPeriods = 500;

/** @returns a function that finds the local days of published times. It is called for each row of a page. */
export function createLocalDays(timeZone: string): (at: string) => string {
  const periods = offsetPeriods.getOrInsert(timeZone, []);
  let current: OffsetPeriod | undefined;
  const contains = (at: string) => (period: OffsetPeriod) => period.from <= at && at < period.until;
  return (at) => {
    if (current === undefined || !contains(at)(current)) {
      current = periods.find(contains(at)) ?? findOffsetPeriod(at, timeZone);
      if (periods.length === maxOffsetPeriods) periods.length = 0;
      if (!periods.includes(current)) periods.push(current);
    }
    // Most times are on the same day as in UTC.
    const localMs = parseMsOfDay(at) + current.offsetMs;
    if (localMs >= 0 && localMs + minuteMs <= dayMs) return at.slice(0, 10);
    const local = new Date(Date.parse(at) + current.offsetMs).toISOString();
    // The first and the last hours of the calendar.
    if (local.startsWith('+')) return '9999-12-31';
    return local.startsWith('0000') ? '0001-01-01' : local.slice(0, 10);
  };
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The start of the minute. */
const parseMsOfDay = (published: string) =>
  minuteMs * (60 * parseTwoDigits(published, 11) + parseTwoDigits(published, 14));

function findOffsetPeriod(at: string, timeZone: string): OffsetPeriod {
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(timeZone);
  const format = (change: Temporal.ZonedDateTime | null) =>
    change?.toInstant().toString({ fractionalSecondDigits: 3 });
  return {
    // A change at this very instant belongs to the period that it begins.
    from: format(local.add({ milliseconds: 1 }).getTimeZoneTransition('previous')) ?? '',
    until: format(local.getTimeZoneTransition('next')) ?? '~',
    offsetMs: local.offsetNanoseconds / 1_000_000,
  };
}

/** @returns the IANA name in its usual case, also that of an alias; undefined for other texts, such as an offset from UTC */
export const normalizeTimeZone = (text: string): string | undefined =>
  /^[A-Za-z][A-Za-z0-9_+/-]{0,99}$/.test(text) ? findTimeZoneId(text) : undefined;

export const isTimeZone = (name: string): boolean => findTimeZoneId(name) !== undefined;

function findTimeZoneId(text: string): string | undefined {
  try {
    const { timeZoneId } = Temporal.Now.zonedDateTimeISO(text);
    // Temporal also reads times with an offset, such as T12+01.
    return timeZoneId.toLowerCase() === text.toLowerCase() ? timeZoneId : undefined;
  } catch {
    return undefined;
  }
}
