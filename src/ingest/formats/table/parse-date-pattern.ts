/** Parses dates by a pattern of a mapping file, such as `DD.MM.YYYY HH:mm`. */
import { ReasonError } from '../../../domain/reasons/reason.ts';
import { formatSerial } from '../../readers/spreadsheet/cell-text.ts';
import { findMonth, findWeekdays } from '../../records/vocabulary/calendar-names.ts';
import { to24Hours } from './time-of-day.ts';

/** An invalid pattern. The reason is a clause about it. */
export class InvalidDatePatternError extends ReasonError {}

export interface DatePattern {
  /** Whether dates have an offset from UTC. Otherwise they are local times. */
  hasOffset: boolean;
  /** @returns ISO 8601; undefined if the text does not match the pattern */
  read(text: string): string | undefined;
}

type Unit =
  | 'year'
  | 'month'
  | 'weekday'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'half'
  | 'offset';

/** Hours and minutes by the abbreviations of RFC 2822 (section 4.3), of Europe, and of German texts. */
const namedOffsets: Readonly<Record<string, string>> = {
  ...{ Z: 'Z', UTC: 'Z', GMT: 'Z', UT: 'Z', WET: 'Z', WEST: '+01:00', BST: '+01:00' },
  ...{ CET: '+01:00', MEZ: '+01:00', CEST: '+02:00', MESZ: '+02:00', EET: '+02:00', EEST: '+03:00' },
  ...{ EST: '-05:00', EDT: '-04:00', CST: '-06:00', CDT: '-05:00' },
  ...{ MST: '-07:00', MDT: '-06:00', PST: '-08:00', PDT: '-07:00' },
};

/** `+0100`, `GMT+0100` and `CET`; programs add the name of the zone in brackets. */
export const offsetExpression = `(?:(?:UTC|GMT)?[+-]\\d{2}(?::?\\d{2})?|[Zz]|${Object.keys(namedOffsets).join('|')})(?:\\s?\\([^()]{1,60}\\))?`;

/** With a full stop if it is abbreviated. */
const nameExpression = '[\\p{L}\\p{M}]{2,24}\\.?';

export const halfExpression = '[AaPp]\\.?\\s?[Mm]\\.?';

/** Each token with its unit and a regular expression. */
const tokens: Record<string, readonly [unit: Unit, pattern: string]> = {
  YYYY: ['year', '\\d{4}'],
  YY: ['year', '\\d{2}'],
  MMMM: ['month', nameExpression],
  MMM: ['month', nameExpression],
  MM: ['month', '\\d{2}'],
  M: ['month', '\\d{1,2}'],
  dddd: ['weekday', nameExpression],
  ddd: ['weekday', nameExpression],
  DD: ['day', '\\d{2}'],
  D: ['day', '\\d{1,2}'],
  HH: ['hour', '\\d{2}'],
  H: ['hour', '\\d{1,2}'],
  hh: ['hour', '\\d{2}'],
  h: ['hour', '\\d{1,2}'],
  mm: ['minute', '\\d{2}'],
  ss: ['second', '\\d{2}'],
  SSS: ['fraction', '\\d{1,9}'],
  A: ['half', halfExpression],
  Z: ['offset', offsetExpression],
};

const known = `${Object.keys(tokens).slice(0, -1).join(', ')} and Z`;

export const isoDate =
  /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

/** Accepts all texts: `parseTimestamp` explains invalid ones. */
const iso: DatePattern = { hasOffset: false, read: (text) => text };

/** Milliseconds. Only times in this range are read, so that milliseconds are never read as seconds, and the reverse. */
const epochStart = Date.UTC(1980, 0);
const epochEnd = Date.UTC(2100, 0);

/** Optionally with decimals. @param unit in milliseconds */
const createEpochPattern = (unit: number): DatePattern => ({
  hasOffset: true,
  read: (text) => {
    if (!/^\d{1,13}(?:\.\d{1,9})?$/.test(text)) return undefined;
    const time = Math.round(Number(text) * unit);
    return time >= epochStart && time < epochEnd ? new Date(time).toISOString() : undefined;
  },
});

/** 1 January 2100. */
const maxSerial = 73_051;

/** Days since the start of 1900, as Excel stores dates. Day 60 is 29 February 1900, which did not exist. */
const excel: DatePattern = {
  hasOffset: false,
  read: (text) => {
    if (!/^\d{1,5}(?:[.,]\d{1,15})?$/.test(text)) return undefined;
    const serial = Number(text.replace(',', '.'));
    const isDay = serial >= 1 && serial < maxSerial && Math.floor(serial) !== 60;
    return isDay ? formatSerial(serial, 'date', false) : undefined;
  },
};

/** Numbers, by the name of their pattern. */
const numberPatterns: Readonly<Record<string, DatePattern>> = {
  unix: createEpochPattern(1_000),
  'unix-ms': createEpochPattern(1),
  excel,
};

/** Patterns of numbers that count from a day. */
export const numberPatternNames = Object.keys(numberPatterns);

/** Characters of a date. A pattern with several blanks takes polynomial time. */
const maxTextLength = 100;

/** @throws InvalidDatePatternError */
export function parseDatePattern(pattern: string): DatePattern {
  const name = pattern.toLowerCase();
  if (name === 'iso') return iso;
  if (Object.hasOwn(numberPatterns, name)) return numberPatterns[name] as DatePattern;
  const { expression, units } = compilePattern(pattern);
  const is12Hour = /h/.test(pattern.replace(/\[[^\]]*(?:\]|$)/g, ''));
  assertUsable(units, is12Hour);
  return {
    hasOffset: units.has('offset'),
    read: (text) => {
      const parts = text.length > maxTextLength ? undefined : expression.exec(text)?.groups;
      return parts && formatIso(parts, is12Hour);
    },
  };
}

/**
 * @param patterns tried in this order
 * @throws InvalidDatePatternError
 */
export function parseDatePatterns(patterns: string | readonly string[]): DatePattern {
  if (typeof patterns === 'string') return parseDatePattern(patterns);
  const parsed = patterns.map((pattern) => {
    const { hasOffset, read } = parseDatePattern(pattern);
    return pattern.toLowerCase() === 'iso'
      ? { hasOffset, read: (text: string) => (isoDate.test(text) ? text : undefined) }
      : { hasOffset, read };
  });
  return {
    hasOffset: parsed.every(({ hasOffset }) => hasOffset),
    read: (text) => {
      for (const { read } of parsed) {
        const isoTime = read(text);
        if (isoTime !== undefined) return isoTime;
      }
      return undefined;
    },
  };
}

function compilePattern(pattern: string): { expression: RegExp; units: Set<Unit> } {
  const units = new Set<Unit>();
  let expression = '';
  for (const [part] of pattern.matchAll(/\[[^\]]*(?:\]|$)|([A-Za-z])\1*|\s+|[^A-Za-z\s]/gu)) {
    const token = Object.hasOwn(tokens, part) ? tokens[part] : undefined;
    if (token !== undefined) {
      const [unit, unitExpression] = token;
      if (units.has(unit)) throw new InvalidDatePatternError({ code: 'pattern-repeats', unit });
      units.add(unit);
      expression += `(?<${unit}>${unitExpression})`;
    } else if (/^[A-Za-z]/.test(part) && part !== 'T') {
      throw new InvalidDatePatternError({ code: 'pattern-token-unknown', token: part, known });
    } else {
      expression += part.trim() === '' ? '\\s+' : RegExp.escape(part.replace(/^\[(.*)\]$/, '$1'));
    }
  }
  return { expression: new RegExp(`^${expression}$`, 'u'), units };
}

/** Each unit needs the next larger one, because a guess would invent times. @throws InvalidDatePatternError */
function assertUsable(units: Set<Unit>, is12Hour: boolean): void {
  if (!units.has('year')) throw new InvalidDatePatternError({ code: 'pattern-without-year' });
  for (const [unit, needed] of [
    ['weekday', 'day'],
    ['day', 'month'],
    ['hour', 'day'],
    ['minute', 'hour'],
    ['second', 'minute'],
    ['fraction', 'second'],
    ['offset', 'minute'],
  ] as const) {
    if (units.has(unit) && !units.has(needed))
      throw new InvalidDatePatternError({ code: 'pattern-incomplete', unit, needed });
  }
  if (is12Hour && !units.has('half')) throw new InvalidDatePatternError({ code: 'pattern-without-half' });
  if (units.has('half') && !is12Hour) throw new InvalidDatePatternError({ code: 'pattern-half-alone' });
}

/** Missing units are the start of the year, the day or the minute. */
function formatIso(parts: Record<string, string>, is12Hour: boolean): string | undefined {
  const { year = '', month = '1', day = '1', hour, minute = '00', second = '00', fraction } = parts;
  const monthNumber = /\d/.test(month) ? month : findMonth(month);
  if (monthNumber === undefined) return undefined;
  const date = `${toFullYear(year)}-${pad(monthNumber)}-${pad(day)}`;
  if (parts.weekday !== undefined && !isOnWeekday(date, parts.weekday)) return undefined;
  if (hour === undefined) return date;
  const hours = is12Hour ? to24Hours(Number(hour), parts.half ?? '') : Number(hour);
  if (hours === undefined || Number(second) > 59) return undefined;
  const time = `${pad(hours)}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}`;
  return `${date}T${time}${parts.offset === undefined ? '' : toIsoOffset(parts.offset)}`;
}

const pad = (value: string | number) => String(value).padStart(2, '0');

/** Another weekday shows that the date is misread or mistyped. */
function isOnWeekday(date: string, weekday: string): boolean {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return findWeekdays(weekday).has(day === 0 ? 7 : day);
}

function toIsoOffset(text: string): string {
  const [named = ''] = text.split('(', 1);
  const offset = named.trimEnd().toUpperCase();
  return namedOffsets[offset] ?? offset.replace(/^(?:UTC|GMT)/, '');
}

/** POSIX (strptime, %y): 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068. */
function toFullYear(digits: string): string {
  if (digits.length === 4) return digits;
  return `${Number(digits) >= 69 ? '19' : '20'}${digits}`;
}
