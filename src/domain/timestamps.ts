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

/** @returns the IANA name in its usual case, also that of an alias; undefined for other texts, such as an offset from UTC */
export function normalizeTimeZone(text: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,99}$/.test(text)) return undefined;
  try {
    const { timeZoneId } = Temporal.Now.zonedDateTimeISO(text);
    // Temporal also reads times with an offset, such as T12+01.
    return timeZoneId.toLowerCase() === text.toLowerCase() ? timeZoneId : undefined;
  } catch {
    return undefined;
  }
}

export function isTimeZone(name: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
