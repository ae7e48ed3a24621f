/** Infers the date pattern of a column. */
import { epochPatterns, isoDate, parseDatePattern } from './date-pattern.ts';

const datePatterns = [
  'YYYY-MM-DD',
  'DD.MM.YYYY',
  'D.M.YYYY',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'M/D/YYYY',
  'D/M/YYYY',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'YYYY/MM/DD',
  'YYYYMMDD',
  'DD.MM.YY',
  'MM/DD/YY',
  'DD/MM/YY',
  'D.M.YY',
  'M/D/YY',
  'D/M/YY',
];

/** Times of day, with and without a date before them. */
export const timePatterns = [
  'HH:mm',
  'HH:mm:ss',
  'H:mm',
  'H:mm:ss',
  'hh:mm A',
  'hh:mm:ss A',
  'h:mm A',
  'h:mm:ss A',
  'HH:mm [Uhr]',
  'H:mm [Uhr]',
  'HH.mm',
  'HH.mm [Uhr]',
];

/** Tried in this order: of patterns that the same cells match, the first one counts. */
const patterns = [
  'ISO',
  ...datePatterns.flatMap((date) => [date, ...timePatterns.map((time) => `${date} ${time}`)]),
  'YYYY',
];

/** @param isTime whether the name of the column is that of a time. Otherwise numbers are ids rather than times */
export const listPatterns = (isTime: boolean): readonly string[] =>
  isTime ? [...patterns, ...epochPatterns] : patterns;

const cache = new Map<string, ReturnType<typeof parseDatePattern>>();

function getParser(pattern: string): ReturnType<typeof parseDatePattern> {
  const parser = cache.get(pattern) ?? parseDatePattern(pattern);
  cache.set(pattern, parser);
  return parser;
}

/** Excludes numbers of eight digits that are dates only by chance. */
const plausibleDate = /^(?:19[5-9]|20[0-9])\d-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?/;

const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Checks ranges without a calendar, because whole columns are checked: 29 February is valid in every year. */
export function isDate(value: string, pattern: string): boolean {
  if (epochPatterns.includes(pattern)) return getParser(pattern).read(value) !== undefined;
  if (pattern === 'YYYY' && !/^(19|20)\d\d$/.test(value)) return false;
  if (pattern === 'ISO' && !isoDate.test(value)) return false;
  const isoTime = getParser(pattern).read(value)?.toUpperCase().replace(' ', 'T') ?? '';
  const [, month, day, hour = '0', minute = '0'] = plausibleDate.exec(isoTime) ?? [];
  if (month === undefined) return false;
  return Number(day) >= 1 && Number(day) <= (daysOfMonth[Number(month) - 1] ?? 0) && isTime(hour, minute);
}

const isTime = (hour: string, minute: string) => Number(hour) < 24 && Number(minute) < 60;

export function isTimeOfDay(value: string, pattern: string): boolean {
  return isDate(`2000-01-01 ${value}`, `YYYY-MM-DD ${pattern}`);
}

export const isMonthFirst = (pattern: string): boolean => /^MM?[/-]D/.test(pattern);

/** @returns the pattern with day and month exchanged, if `matching` includes it */
export function findAlternative(pattern: string, matching: readonly string[]): string | null {
  const exchanged = pattern.replace(/^(MM?|DD?)([/-])(MM?|DD?)/, '$3$2$1');
  return exchanged !== pattern && matching.includes(exchanged) ? exchanged : null;
}
