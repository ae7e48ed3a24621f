import { Temporal } from 'temporal-polyfill';

const written = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;
const published = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const offset = /(Z|[+-]\d{2}(:?\d{2})?)$/i;

/** A time that cannot be understood; the message starts with the name of the field. */
export class InvalidTimestampError extends Error {}

/**
 * A time in the published form: UTC, three decimals. A date alone is midnight; both it and a time without
 * offset are local to `timeZone`. A local time that a change of clocks leaves out is moved on by the gap; one
 * that happens twice is the earlier.
 *
 * @param name of the field, for the message of a refusal
 * @param text ISO 8601, with seconds and offset or without
 * @param timeZone IANA name; undefined: only times with an offset are accepted
 * @throws TimeProblem
 */
export function parseTimestamp(name: string, text: string, timeZone: string | undefined): string {
  if (isTimestamp(text)) return text;
  if (!written.test(text))
    throw new InvalidTimestampError(`${name} must be a time such as 2026-03-01T09:15:00Z`);
  const spelt = text.toUpperCase().replace(' ', 'T');
  if (timeZone === undefined && !(spelt.includes('T') && offset.test(spelt))) {
    throw new InvalidTimestampError(
      `${name} has no offset from UTC: write one, or name the time zone with --time-zone`,
    );
  }
  try {
    const time = instant(spelt, timeZone ?? 'UTC').toString({ fractionalSecondDigits: 3 });
    if (isTimestamp(time)) return time;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new InvalidTimestampError(`${name} is no time there is`);
}

function instant(text: string, timeZone: string): Temporal.Instant {
  if (text.includes('T') && offset.test(text)) return Temporal.Instant.from(text);
  return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).toInstant();
}

/** Whether the text is a time there is, in the published form, of the years 0001 to 9999. */
export function isTimestamp(text: string): boolean {
  if (!published.test(text)) return false;
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text && !text.startsWith('0000');
}

/** Date (`YYYY-MM-DD`) and time of day (`HH:MM`) of a published time in a time zone. */
export function parseLocalTime(published: string, timeZone: string): { date: string; time: string } {
  const local = Temporal.Instant.from(published).toZonedDateTimeISO(timeZone);
  return {
    date: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: 'minute' }),
  };
}

export function isTimeZone(name: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
