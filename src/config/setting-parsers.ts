/**
 * How the text of a setting becomes its value. Each throws an Error whose message goes on after "must":
 * `be a port from 0 to 65535`.
 */
import { isIP } from 'node:net';
import { isPostgresUrl } from '../domain/postgres-url.ts';

export function wholeNumber(what: string, minimum: number, maximum: number) {
  return (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new Error(`be ${what} from ${minimum} to ${maximum}`);
  };
}

export function oneOf<const Word extends string>(...words: Word[]) {
  return (text: string): Word => {
    if ((words as string[]).includes(text)) return text as Word;
    throw new Error(`be one of ${words.join(', ')}`);
  };
}

export const seconds = (minimum: number, maximum: number) => {
  const parse = wholeNumber('a number of seconds', minimum, maximum);
  return (text: string) => parse(text) * 1000;
};

export const port = wholeNumber('a port', 0, 65_535);

export function database(text: string): string {
  if (text === '') throw new Error('name a file, or a PostgreSQL address');
  if (isPostgresUrl(text)) return address(text);
  if (/^[a-z]+:\/\//i.test(text)) throw new Error('name an SQLite file, or start with postgres://');
  return text;
}

/** A PostgreSQL address. What is wrong with it is not told by quoting it: it holds a password. */
export function address(text: string): string {
  if (isPostgresUrl(text) && URL.canParse(text) && new URL(text).pathname.length > 1) return text;
  throw new Error('be an address such as postgres://rostra:password@db.example.org/rostra');
}

export const listed = (text: string) => text.split(/[\s,]+/).filter((part) => part !== '');

export function origins(text: string): string[] {
  const list = listed(text);
  for (const origin of list) {
    if (origin !== '*' && (!URL.canParse(origin) || new URL(origin).origin !== origin)) {
      throw new Error('be origins such as https://data.example.org, separated by commas, or *');
    }
  }
  return list;
}

export function addressRanges(text: string): string[] {
  const list = listed(text);
  for (const range of list) {
    const [ip = '', prefix, ...more] = range.split('/');
    const bits = { 4: 32, 6: 128 }[isIP(ip)] ?? -1;
    const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    if (bits < 0 || !fits || more.length > 0)
      throw new Error('be addresses such as 10.0.0.1, or ranges such as 10.0.0.0/8, separated by commas');
  }
  return list;
}

/** An https address; plain http is for this machine alone. */
export function webAddress(text: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const local = url !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && local)) return text;
  throw new Error('be an address such as https://api.stadt.example');
}

export function printable(text: string): string {
  if (/^[!-~]*$/.test(text)) return text;
  throw new Error('have no blanks, and none but ASCII characters');
}

export function timeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw new Error('be a time zone such as Europe/Berlin');
  }
}
