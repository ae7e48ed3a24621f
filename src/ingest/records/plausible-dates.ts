/** Recognises dates that stand for an unknown one, such as 0000-00-00, 0001-01-01, 1753-01-01 and 9999-12-31. */

import type { Reason } from '../../domain/reasons/reason.ts';
import { parseTimestamp } from '../../domain/values/timestamps.ts';
import type { ImportObserver } from './import-observer.ts';

const minYear = 1800;
const maxYearsAhead = 50;

/**
 * @param text begins with a date in ISO 8601; other texts have no problem
 * @returns why the date stands for an unknown one
 */
export function findDateProblem(field: string, text: string): Reason | undefined {
  const [day, year] = /^(\d{4})-\d{2}-\d{2}/.exec(text) ?? [];
  if (day === undefined) return undefined;
  if (Number(year) < minYear) return { code: 'date-too-early', field, min: minYear };
  const latest = new Date();
  latest.setUTCFullYear(latest.getUTCFullYear() + maxYearsAhead);
  return day > latest.toISOString().slice(0, 10)
    ? { code: 'date-too-late', field, years: maxYearsAhead }
    : undefined;
}

/** @returns undefined for a text that stands for an unknown date, which is reported; any other value unchanged */
export function leaveOutUnknownDate(field: string, value: unknown, observer: ImportObserver): unknown {
  const problem = typeof value === 'string' ? findDateProblem(field, value) : undefined;
  if (problem === undefined) return value;
  observer.onLeftOutValue?.(problem);
  return undefined;
}

/**
 * For the fields that a format reads. `parse-record.ts` rejects or leaves out dates that stand for an unknown one, which may have no
 * place in the calendar.
 *
 * @returns the published form; a date that stands for an unknown one unchanged
 * @throws InvalidFieldError
 */
export const parseSourceTime = (field: string, text: string, timeZone: string): string =>
  findDateProblem(field, text) === undefined ? parseTimestamp(field, text, timeZone) : text;

/** Days from which Access, SQL Server, Excel and Unix count: programs write 0 for an unknown date. */
export const zeroDays: ReadonlySet<string> = new Set([
  ...['1899-12-30', '1900-01-01', '1904-01-01', '1970-01-01'],
]);
