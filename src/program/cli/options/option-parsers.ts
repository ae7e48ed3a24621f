/** Parsers of options, and of values in provisioning files. Most throw an Error whose message follows "must". */

import { maxIntervalMs, minIntervalMs } from '../../../domain/sources/source-schedule.ts';
import { parseAccountEmail, parseLine } from '../../../domain/values/name-validation.ts';
import { parseTimestamp } from '../../../domain/values/timestamps.ts';
import { isUuid } from '../../../domain/values/uuid.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { CommandError } from '../command-error.ts';

const unitsMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds */
export function parseDuration(text: string): number {
  if (text === '0') return 0;
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const unitMs = unitsMs[unit];
  if (unitMs === undefined) throw new Error('be a duration such as 30m, 12h or 7d');
  return Number(count) * unitMs;
}

/** The parser returns milliseconds. */
const createIntervalParser = (maxMs: number) => (text: string) => {
  const intervalMs = parseDuration(text);
  if (intervalMs >= minIntervalMs && intervalMs <= maxMs) return intervalMs;
  throw new Error(`be a duration from 1m to ${maxMs / 86_400_000}d`);
};

/** Of a command that keeps running. Node.js timers overflow after 24 days. */
export const parseInterval = createIntervalParser(14 * 86_400_000);

export const parseSourceInterval = createIntervalParser(maxIntervalMs);

export const createLineParser = (maxLength: number) => (text: string) => {
  const line = parseLine(text, maxLength);
  if (line !== undefined) return line;
  throw new Error(`have 1 to ${maxLength} characters in one line`);
};

/** @returns the end of a day in UTC, or an exact time */
export function parseExpiry(text: string): string {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  try {
    return parseTimestamp('It', isDate ? `${text}T23:59:59.999Z` : text, undefined);
  } catch {
    throw new Error('be a date such as 2027-06-30, or a time such as 2027-06-30T12:00:00Z');
  }
}

export function parseUuid(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new Error('be a UUID of RFC 9562, version 1 to 8');
}

/** The address of an account. */
export function parseAddress(text: string): string {
  const address = parseAccountEmail(text);
  if (address !== undefined) return address;
  throw new Error('be an email address such as name@stadt.example');
}

/** @throws CommandError */
export function parseHttpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol))
    throw new CommandError(`"${text}" is not an http or https URL.`, exitCodes.usage);
  if (url.username === '' && url.password === '') return url;
  throw new CommandError(
    'The URL must not contain a user name or password, because it is stored and shown.',
    exitCodes.usage,
  );
}
