/** Parses dates by a pattern of a mapping file, such as `DD.MM.YYYY HH:mm`. */
import { ReasonError } from '../../../reasons/reason.ts';

/** An invalid pattern. The reason is a clause about it. */
export class InvalidDatePatternError extends ReasonError {}

interface DatePattern {
  /** Whether dates have an offset from UTC. Otherwise they are local times. */
  hasOffset: boolean;
  /** @returns ISO 8601; undefined if the text does not match the pattern */
  read(text: string): string | undefined;
}

type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'half' | 'offset';

/** Each token with its unit and a regular expression. */
const tokens: Record<string, readonly [unit: Unit, pattern: string]> = {
  YYYY: ['year', '\\d{4}'],
  YY: ['year', '\\d{2}'],
  MM: ['month', '\\d{2}'],
  M: ['month', '\\d{1,2}'],
  DD: ['day', '\\d{2}'],
  D: ['day', '\\d{1,2}'],
  HH: ['hour', '\\d{2}'],
  H: ['hour', '\\d{1,2}'],
  hh: ['hour', '\\d{2}'],
  h: ['hour', '\\d{1,2}'],
  mm: ['minute', '\\d{2}'],
  ss: ['second', '\\d{2}'],
  SSS: ['fraction', '\\d{3}'],
  A: ['half', '[AaPp]\\.?\\s?[Mm]\\.?'],
  Z: ['offset', '[Zz]|[+-]\\d{2}:?\\d{2}'],
};

const known = 'YYYY, YY, MM, M, DD, D, HH, H, hh, h, mm, ss, SSS, A and Z';

export const isoDate =
  /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

/** Accepts all texts: `parseTimestamp` explains invalid ones. */
const iso: DatePattern = { hasOffset: false, read: (text) => text };

/** Milliseconds. Only times in this range are read, so that milliseconds are never read as seconds, and the reverse. */
const epochStart = Date.UTC(1980, 0);
const epochEnd = Date.UTC(2100, 0);

/** Milliseconds in the unit of each pattern. */
const epochUnits: Readonly<Record<string, number>> = { unix: 1_000, 'unix-ms': 1 };

/** Patterns of numbers that count from 1970. */
export const epochPatterns = Object.keys(epochUnits);

/** Optionally with decimals. */
const createEpochPattern = (unit: number): DatePattern => ({
  hasOffset: true,
  read: (text) => {
    if (!/^\d{1,13}(?:\.\d{1,9})?$/.test(text)) return undefined;
    const time = Math.round(Number(text) * unit);
    return time >= epochStart && time < epochEnd ? new Date(time).toISOString() : undefined;
  },
});

/** Characters of a date. A pattern with several blanks takes polynomial time. */
const maxTextLength = 100;

/** @throws InvalidDatePatternError */
export function parseDatePattern(pattern: string): DatePattern {
  if (pattern.toLowerCase() === 'iso') return iso;
  const unit = Object.hasOwn(epochUnits, pattern.toLowerCase()) && epochUnits[pattern.toLowerCase()];
  if (unit) return createEpochPattern(unit);
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
  for (const [part] of pattern.matchAll(/\[[^\]]*(?:\]|$)|([A-Za-z])\1*|\s+|[^A-Za-z\s]/g)) {
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
  return { expression: new RegExp(`^${expression}$`), units };
}

/** Each unit needs the next larger one, because a guess would invent times. @throws InvalidDatePatternError */
function assertUsable(units: Set<Unit>, is12Hour: boolean): void {
  if (!units.has('year')) throw new InvalidDatePatternError({ code: 'pattern-without-year' });
  for (const [unit, needed] of [
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
  const { year = '', month = '1', day = '1', hour, minute = '00', second = '00', fraction, offset } = parts;
  const pad = (digits: string) => digits.padStart(2, '0');
  const date = `${toFullYear(year)}-${pad(month)}-${pad(day)}`;
  if (hour === undefined) return date;
  const hours = is12Hour ? to24Hours(Number(hour), parts.half ?? '') : Number(hour);
  if (hours === undefined || Number(second) > 59) return undefined;
  const time = `${pad(String(hours))}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}`;
  return `${date}T${time}${offset ?? ''}`;
}

/** POSIX (strptime, %y): 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068. */
function toFullYear(digits: string): string {
  if (digits.length === 4) return digits;
  return `${Number(digits) >= 69 ? '19' : '20'}${digits}`;
}

/** 12 AM is midnight, 12 PM is noon. 0 and 13 are invalid. */
function to24Hours(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}
