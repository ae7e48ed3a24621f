/** Derives the date patterns that a cell may have from its digits, its separators and its words. */
import { splitWordList } from '../../../../domain/values/split-word-list.ts';
import { findMonth, findWeekdays } from '../../../records/vocabulary/calendar-names.ts';
import { halfExpression, isoDate, numberPatternNames, offsetExpression } from '../parse-date-pattern.ts';

/** Longer cells are texts. */
const maxLength = 80;

/** Words between the parts of a date, in the languages of the vocabulary. No other word of a cell gets into a pattern. */
const connectors = new Set(
  splitWordList(`
  at | on | of | the | st | nd | rd | th | um | uhr | den | der | le | er | à | h | de | del | d | a | las | les | il |
  alle | ore | om | op | uur | u | o | godz | r | dnia | kl`),
);

const timeOfDay = new RegExp(
  `(?<=^|[\\sT])(?<hour>\\d{1,2})(?<separator>:|\\.|\\s?[hH]\\s?)\\d{2}(?:(?<second>[:.]\\d{2})(?<fraction>[.,]\\d{1,9})?)?(?<half>\\s?${halfExpression})?(?!\\.?\\d)`,
  'gu',
);
const offset = new RegExp(`^(\\s?)${offsetExpression}(?![\\p{L}\\d])`, 'u');

/**
 * @param isTime whether the name of the column is that of a time. Otherwise numbers are ids rather than times
 * @returns the strictest first, both orders of day and month if both are usual; none if the cell is no date
 */
export function derivePatterns(cell: string, isTime: boolean): string[] {
  if (cell.length > maxLength || !/^[\p{L}\d]/u.test(cell) || !/\d/.test(cell)) return [];
  if (/^\d+(?:[.,]\d+)?$/.test(cell)) return deriveNumberPatterns(cell, isTime);
  if (isoDate.test(cell)) return ['ISO'];
  if (/^\d{8}T\d{6}Z?$/.test(cell)) return [`YYYYMMDDTHHmmss${cell.endsWith('Z') ? 'Z' : ''}`];
  const time = findTime(cell);
  if (time === undefined) return composePatterns(cell, [''], '');
  const { before, patterns, after } = time;
  return composePatterns(before, patterns, after);
}

function deriveNumberPatterns(cell: string, isTime: boolean): string[] {
  if (/^(?:19|20)\d{2}$/.test(cell)) return ['YYYY'];
  return [
    ...(cell.length === 8 ? ['YYYYMMDD'] : []),
    ...(isTime && cell.length === 14 ? ['YYYYMMDDHHmmss'] : []),
    ...(isTime ? numberPatternNames.filter((name) => name !== 'excel' || isLikelySerial(cell)) : []),
  ];
}

/** From 1980 on. Smaller numbers are rather a duration, or a number of things. */
const isLikelySerial = (cell: string) => Number.parseInt(cell, 10) > 29_220;

interface FoundTime {
  before: string;
  patterns: string[];
  after: string;
}

function findTime(cell: string): FoundTime | undefined {
  const found = [...cell.matchAll(timeOfDay)];
  // 01.02.26 is a date, unless another number is the day or the year.
  const isBesideDate = ({ 0: text, index }: RegExpExecArray) =>
    index > 0 && (cell.slice(0, index) + cell.slice(index + text.length)).split(/\d+/).length > 2;
  const match = found.find(({ groups }) => groups?.separator === ':') ?? found.findLast(isBesideDate);
  if (match?.groups === undefined) return undefined;
  const { hour = '', separator = '', second, fraction, half } = match.groups;
  const literal = separator.replace(/[hH]/, '[$&]');
  const rest = [
    `${literal}mm`,
    second === undefined ? '' : `${second.charAt(0)}ss`,
    fraction === undefined ? '' : `${fraction.charAt(0)}SSS`,
    half === undefined ? '' : `${/^\s/.test(half) ? ' ' : ''}A`,
  ].join('');
  const token = half === undefined ? 'H' : 'h';
  const hours = hour.length === 2 ? [token.repeat(2), token] : [token];
  const after = cell.slice(match.index + match[0].length);
  const [zone = '', blank = ''] = offset.exec(after) ?? [];
  return {
    before: cell.slice(0, match.index),
    patterns: hours.map((given) => `${given}${rest}${zone === '' ? '' : `${blank}Z`}`),
    after: after.slice(zone.length),
  };
}

/** A number, or a part of a pattern. */
type Part = { digits: string } | string;

/** @param times of the same time of day; an empty text without one */
function composePatterns(before: string, times: readonly string[], after: string): string[] {
  const first = readParts(before);
  const second = readParts(after);
  if (first === undefined || second === undefined) return [];
  const named = nameWords([...first, ...second]);
  const numbers = named?.filter((part) => typeof part !== 'string') ?? [];
  if (named === undefined) return [];
  const count = (token: string) => named.filter((part) => String(part).startsWith(token)).length;
  const hasMonth = count('MMM') > 0;
  // A weekday or a time belongs to a day.
  if (count('ddd') > 1 || (numbers.length < 2 && (count('ddd') > 0 || times[0] !== ''))) return [];
  const separator = named[named.findIndex((part) => typeof part !== 'string') + 1];
  return listOrders(
    numbers.map(({ digits }) => digits),
    hasMonth,
    String(separator),
  ).flatMap((units) => {
    const fill = (parts: readonly Part[], from: number) => {
      let at = from;
      return parts.map((part) => (typeof part === 'string' ? part : units[at++])).join('');
    };
    const start = named.slice(0, first.length);
    const count = start.filter((part) => typeof part !== 'string').length;
    return times.map((time) => `${fill(start, 0)}${time}${fill(named.slice(first.length), count)}`);
  });
}

/** @returns undefined for a character that no date has */
function readParts(text: string): Part[] | undefined {
  const parts: Part[] = [];
  // The full stop of an abbreviation belongs to it, but not one between the parts of a date.
  for (const [part] of text.matchAll(/\d+|[\p{L}\p{M}]+(?:\.(?=[\s,]|$))?|\s+|./gsu)) {
    if (/\d/.test(part)) parts.push({ digits: part });
    else if (/^\s/.test(part)) parts.push(' ');
    else if (/^[\p{L}.,/'’–-]/u.test(part)) parts.push(part);
    else return undefined;
  }
  return parts;
}

/** Replaces the names of the month and the weekday. @returns undefined if a word is neither a name nor a connector */
function nameWords(parts: readonly Part[]): Part[] | undefined {
  const isNumeric = parts.filter((part) => typeof part !== 'string').length > 2;
  let hasMonth = isNumeric;
  const named: Part[] = [];
  if (connectors.has(String(parts[0]).toLowerCase())) return undefined;
  // The month comes after the weekday, and "mar" is a Tuesday or March.
  for (const part of parts.toReversed()) {
    if (typeof part !== 'string' || !/^\p{L}/u.test(part) || part === 'T') named.push(part);
    else if (!hasMonth && findMonth(part) !== undefined) {
      named.push('MMM');
      hasMonth = true;
    } else if (connectors.has(part.toLowerCase().replace(/\.$/, ''))) named.push(`[${part}]`);
    else if (findWeekdays(part).size > 0) named.push('ddd');
    else return undefined;
  }
  return named.reverse();
}

/** @returns the tokens of the numbers in each usual order, the strictest first */
function listOrders(numbers: readonly string[], hasMonth: boolean, separator: string): string[][] {
  const lengths = numbers.map(({ length }) => length);
  const orders = lengths.some((length) => length > 2 && length !== 4)
    ? []
    : hasMonth
      ? listOrdersBesideName(lengths)
      : listNumericOrders(lengths, separator);
  const toTokens = (order: string, isStrict: boolean) =>
    [...order].map((unit, index) =>
      unit === 'Y' ? 'Y'.repeat(lengths[index] ?? 0) : isStrict ? unit.repeat(2) : unit,
    );
  return orders.flatMap((order) => {
    const isPadded = [...order].every((unit, index) => unit === 'Y' || lengths[index] === 2);
    return isPadded && order !== 'Y'
      ? [toTokens(order, true), toTokens(order, false)]
      : [toTokens(order, false)];
  });
}

function listOrdersBesideName([first, second, ...others]: readonly number[]): string[] {
  if (others.length > 0 || first === undefined) return [];
  if (second === undefined) return first === 4 ? ['Y'] : [];
  if (first === 4) return second === 4 ? [] : ['YD'];
  return second === 1 ? [] : ['DY'];
}

/** Without a name, dates with a full stop begin with the day, and those with a slash with either. */
function listNumericOrders(
  [first, second, third, ...others]: readonly number[],
  separator: string,
): string[] {
  if (others.length > 0 || first === undefined || second === 4 || third === undefined) return [];
  if (first === 4) return third === 4 ? [] : ['YMD'];
  if (third === 1 || (third === 2 && separator === '-')) return [];
  if (separator === '/') return ['MDY', 'DMY'];
  return separator === '-' ? ['DMY', 'MDY'] : ['DMY'];
}
