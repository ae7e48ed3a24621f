/** Dates of the form that a mapping file tells, such as `DD.MM.YYYY HH:mm`. */

/** A form of dates that cannot be read by; the message is a sentence part that names the fault. */
export class InvalidDateFormError extends Error {}

export interface DateForm {
  /** Whether the text says how far it is from UTC; else it is local time. */
  hasOffset: boolean;
  /** ISO 8601 as `publishedTime` takes it; undefined where the text is not of this form. */
  read(text: string): string | undefined;
}

type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'half' | 'offset';

/** Each token with what it stands for, and the digits or letters that it is written with. */
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

const iso: DateForm = { hasOffset: false, read: (text) => text };

/** Seconds since 1970, with decimals or without. */
const unix: DateForm = {
  hasOffset: true,
  read: (text) => {
    if (!/^-?\d{1,12}(\.\d+)?$/.test(text)) return undefined;
    const at = new Date(Number(text) * 1_000);
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
  },
};

/** @throws InvalidDateFormError */
export function dateForm(form: string): DateForm {
  if (form.toLowerCase() === 'iso') return iso;
  if (form.toLowerCase() === 'unix') return unix;
  const { pattern, units } = patternOf(form);
  const inHalves = /h/.test(form.replace(/\[[^\]]*\]/g, ''));
  refuseUseless(units, inHalves);
  return {
    hasOffset: units.has('offset'),
    read: (text) => {
      const parts = pattern.exec(text)?.groups;
      return parts && written(parts, inHalves);
    },
  };
}

function patternOf(form: string): { pattern: RegExp; units: Set<Unit> } {
  const units = new Set<Unit>();
  let pattern = '';
  for (const [part] of form.matchAll(/\[[^\]]*\]|([A-Za-z])\1*|\s+|[^A-Za-z\s]/g)) {
    const token = Object.hasOwn(tokens, part) ? tokens[part] : undefined;
    if (token !== undefined) {
      const [unit, digits] = token;
      if (units.has(unit)) throw new InvalidDateFormError(`names the ${unit} twice`);
      units.add(unit);
      pattern += `(?<${unit}>${digits})`;
    } else if (/^[A-Za-z]/.test(part) && part !== 'T') {
      throw new InvalidDateFormError(`has "${part}", which is no part of a date: ${known} are`);
    } else {
      pattern += part.trim() === '' ? '\\s+' : RegExp.escape(part.replace(/^\[(.*)\]$/, '$1'));
    }
  }
  return { pattern: new RegExp(`^${pattern}$`), units };
}

/** A form that leaves out what stands between two of its parts would make times up. */
function refuseUseless(units: Set<Unit>, inHalves: boolean): void {
  if (!units.has('year')) throw new InvalidDateFormError('has no year: write YYYY, or YY for two digits');
  for (const [unit, needed] of [
    ['day', 'month'],
    ['hour', 'day'],
    ['minute', 'hour'],
    ['second', 'minute'],
    ['fraction', 'second'],
    ['offset', 'minute'],
  ] as const) {
    if (units.has(unit) && !units.has(needed))
      throw new InvalidDateFormError(`has the ${unit} without the ${needed}`);
  }
  if (inHalves && !units.has('half'))
    throw new InvalidDateFormError(
      'has hours of 1 to 12 (hh) without AM or PM: add A, or write HH for 0 to 23',
    );
  if (units.has('half') && !inHalves)
    throw new InvalidDateFormError('has AM or PM (A) without hours of 1 to 12: write hh or h');
}

/** What the form leaves out is the beginning: of the year, of the day, of the minute. */
function written(parts: Record<string, string>, inHalves: boolean): string | undefined {
  const { year = '', month = '1', day = '1', hour, minute = '00', second = '00', fraction, offset } = parts;
  const two = (digits: string) => digits.padStart(2, '0');
  const date = `${fullYear(year)}-${two(month)}-${two(day)}`;
  if (hour === undefined) return date;
  const hours = inHalves ? hourOfDay(Number(hour), parts.half ?? '') : Number(hour);
  if (hours === undefined || Number(second) > 59) return undefined;
  const time = `${two(String(hours))}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}`;
  return `${date}T${time}${offset ?? ''}`;
}

/** Of two digits as POSIX has it (strptime, %y): 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068. */
function fullYear(digits: string): string {
  if (digits.length === 4) return digits;
  return `${Number(digits) >= 69 ? '19' : '20'}${digits}`;
}

/** 12 AM is midnight, 12 PM is noon; there is no 0 and no 13. */
function hourOfDay(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}
