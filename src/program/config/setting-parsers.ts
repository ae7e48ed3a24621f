/** Parsers of settings. Each throws an Error whose message follows "must": `be a port from 0 to 65535`. */
import { accessSync, constants, statSync } from 'node:fs';
import { isPostgresUrl } from '../../domain/installation/is-postgres-url.ts';
import { minRetentionMs } from '../../domain/installation/pruning.ts';
import {
  defaultRedactionKinds,
  type RedactionKind,
  redactionKinds,
} from '../../domain/sources/import-source.ts';
import { encryptionKeyBytes } from '../../domain/sources/portal-key-encryption.ts';
import { createAddressCheck } from '../../domain/values/ip-ranges.ts';
import { isOneLine, parseEmail } from '../../domain/values/name-and-email-validation.ts';
import { isTimestamp, normalizeTimeZone } from '../../domain/values/timestamps.ts';

/**
 * The parser accepts no leading zeros, so that each number has one spelling.
 *
 * @param what for the message, such as `a port`
 */
export function createIntegerParser(what: string, min: number, max: number) {
  return (text: string): number => {
    const value = /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new Error(`be ${what} from ${min} to ${max}`);
  };
}

export function createChoiceParser<const Choice extends string>(...choices: Choice[]) {
  const parse = (text: string): Choice => {
    const choice = choices.find((each) => each === text);
    if (choice !== undefined) return choice;
    throw new Error(`be one of ${choices.join(', ')}`);
  };
  return Object.assign(parse, { choices });
}

/** The parser returns milliseconds. */
export function createSecondsParser(min: number, max: number) {
  const parse = createIntegerParser('a number of seconds', min, max);
  return (text: string) => parse(text) * 1000;
}

/** The parser returns bytes. */
export function createMebibytesParser(min: number, max: number) {
  const parse = createIntegerParser('a number of mebibytes', min, max);
  return (text: string) => parse(text) * 1_048_576;
}

const daysByUnit: Record<string, number> = { d: 1, y: 365 };

/** @returns milliseconds */
export function parseRetention(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([dy])$/.exec(text) ?? [];
  const retentionMs = Number(count) * (daysByUnit[unit] ?? Number.NaN) * 86_400_000;
  if (retentionMs >= minRetentionMs && retentionMs <= maxRetentionMs) return retentionMs;
  throw new Error('be a time from 90d to 100y, such as 400d or 2y');
}

const maxRetentionMs = 100 * 365 * 86_400_000;

export const parsePort = createIntegerParser('a port', 0, 65_535);

export function parseDatabase(text: string): string {
  if (text === '') throw new Error('be a file or a PostgreSQL URL');
  if (isPostgresUrl(text)) return parsePostgresUrl(text);
  if (/^[a-z]+:\/\//i.test(text)) throw new Error('be an SQLite file, or start with postgres://');
  return text;
}

/** The message never quotes the URL, which contains a password. */
export function parsePostgresUrl(text: string): string {
  const path = isPostgresUrl(text) && URL.canParse(text) ? new URL(text).pathname : '';
  // In postgres://rostra:12/34@db/rostra, "rostra" would be the host.
  if (path.length > 1 && !path.includes('@')) return text;
  const hint = text.includes('@')
    ? ', with special characters of the password percent-encoded: %2F for /, %40 for @, %23 for #'
    : '';
  throw new Error(`be a URL such as postgres://rostra:password@db.example.org/rostra${hint}`);
}

/** Splits at commas and white space. */
export const splitList = (text: string) => text.split(/[\s,]+/).filter((part) => part !== '');

export function parseOrigins(text: string): string[] {
  const origins = splitList(text);
  for (const origin of origins) {
    if (origin !== '*' && (!URL.canParse(origin) || new URL(origin).origin !== origin)) {
      throw new Error('be origins such as https://data.example.org, separated by commas, or *');
    }
  }
  return origins;
}

/** @returns IP addresses and CIDR ranges */
export function parseIpRanges(text: string): string[] {
  const ranges = splitList(text);
  try {
    createAddressCheck(ranges);
    if (ranges.some((range) => /\/0+$/.test(range))) throw new Error('The range covers every address.');
  } catch {
    throw new Error('be IP addresses such as 10.0.0.1, or ranges such as 10.0.0.0/8, separated by commas');
  }
  return ranges;
}

export function parseListenAddress(text: string): string {
  if (text.trim() === '') throw new Error('be an address');
  return text;
}

/** @param host a name, or an IP address without brackets. @returns whether only programs of this machine reach it */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host);

/** Plain http is accepted for this machine only. */
export const parseHttpsUrl = createHttpsUrlParser('https://api.stadt.example');

/** Address of a page for people. */
export const parsePageUrl = createHttpsUrlParser('https://www.stadt.example/page');

/** Base of the addresses that scheduled tasks request. */
export const parsePingUrl = createHttpsUrlParser('https://hc-ping.com/0123456789abcdefghijkl');

function createHttpsUrlParser(example: string) {
  return (text: string): string => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isLocal = url !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
    if (!(url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)))
      throw new Error(
        `be a URL such as ${example}${url?.protocol === 'http:' ? '; http:// is accepted for this machine only' : ''}`,
      );
    if (url.username !== '' || url.password !== '')
      throw new Error('not contain a user name or a password, because the URL is shown');
    return text;
  };
}

const parseTileUrl = createHttpsUrlParser('https://tiles.stadt.example/{z}/{x}/{y}.png');

/** @returns a template with `{z}`, `{x}` and `{y}` after its origin */
export function parseMapTiles(text: string): string {
  const template = parseTileUrl(text);
  const [, origin = '', path = ''] = /^(https?:\/\/[\w.:[\]-]+)(\/[!-~]*)$/i.exec(template) ?? [];
  const placeholders = path.match(/\{[^}]*\}?|\}/g) ?? [];
  if (origin === '' || placeholders.toSorted().join('') !== '{x}{y}{z}')
    fail('a URL with {z}, {x} and {y} once each after its host, and no other braces');
  return template;
}

export function parseMapAttribution(text: string): string {
  return isOneLine(text, 200) ? text : fail('a text of at most 200 characters without control characters');
}

/** @returns URIs for security.txt (RFC 9116, section 2.5.3); undefined if the setting is empty */
export function parseSecurityContacts(text: string): readonly string[] | undefined {
  const contacts = splitList(text).map(
    (contact) =>
      toContactUri(contact) ?? fail('email addresses or URLs with https: or tel:, separated by commas'),
  );
  return contacts.length === 0 ? undefined : contacts;
}

/** @returns a URI */
export function parseContact(text: string): string {
  return toContactUri(text) ?? fail('an email address or a URL with https: or tel:');
}

function fail(expected: string): never {
  throw new Error(`be ${expected}`);
}

function toContactUri(contact: string): string | undefined {
  if (/^tel:\+?[\d().-]{3,30}$/.test(contact)) return contact;
  if (contact.startsWith('https:')) return new URL(parsePageUrl(contact)).href;
  const email = parseEmail(contact.replace(/^mailto:/, ''));
  return email === undefined ? undefined : `mailto:${encodeURI(email)}`;
}

/** @returns the end of the day (RFC 3339) */
export function parseSecurityExpiry(text: string): string {
  const time = `${text}T23:59:59Z`;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && isTimestamp(time.replace('Z', '.000Z'))) return time;
  throw new Error('be a date such as 2027-06-30');
}

export function parseVisibleAscii(text: string): string {
  if (/^[!-~]*$/.test(text)) return text;
  throw new Error('consist of ASCII characters without spaces');
}

export function parseEncryptionKey(text: string): Buffer {
  if (/^[0-9a-f]+$/i.test(text) && text.length === 2 * encryptionKeyBytes) return Buffer.from(text, 'hex');
  throw new Error(`be ${2 * encryptionKeyBytes} hexadecimal digits, as "openssl rand -hex 32" prints them`);
}

export function parseTimeZone(text: string): string {
  const timeZone = normalizeTimeZone(text);
  if (timeZone !== undefined) return timeZone;
  throw new Error('be a time zone such as Europe/Berlin');
}

/** @returns an empty list for `off` */
export function parseRedactionKinds(text: string): readonly RedactionKind[] {
  const words = splitList(text);
  if (words.join() === 'off') return [];
  const named = new Set<string>(
    words.flatMap((word) => (word === 'all' ? [...defaultRedactionKinds] : [word])),
  );
  const kinds = redactionKinds.filter((kind) => named.has(kind));
  if (kinds.length > 0 && kinds.length === named.size) return kinds;
  throw new Error(`be off, all, or some of ${redactionKinds.join(', ')}`);
}

export function parseCountryCode(text: string): string {
  if (/^[A-Z]{2}$/.test(text)) return text;
  throw new Error('be a country code such as DE, AT or CH');
}

/** The folder may be missing. */
export function parseFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) throw new Error('be a folder');
  return path;
}

/** Checks that the file is readable. The import parses its contents. */
export function parseReadableFile(path: string): string {
  if (path === '') return path;
  try {
    accessSync(path, constants.R_OK);
    return path;
  } catch (error) {
    throw new Error(`be a readable file (${(error as Error).message})`);
  }
}
