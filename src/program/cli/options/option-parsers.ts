/** Parsers of options, and of values in provisioning files. Most throw an Error whose message follows "must". */

import { maxIntervalMs } from '../../../domain/sources/source-schedule.ts';
import { createIntervalParser } from '../../../domain/values/durations.ts';
import { parseAccountEmail, parseLine } from '../../../domain/values/name-and-email-validation.ts';
import { parseTimestamp } from '../../../domain/values/timestamps.ts';
import { isUuid } from '../../../domain/values/uuid.ts';

export const parseSourceInterval = createIntervalParser(maxIntervalMs);

export function parseSwitch(text: string): 'on' | 'off' {
  if (text === 'on' || text === 'off') return text;
  throw new Error('be on or off');
}

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
