/** Options with the properties of a key, for "key issue" and "key edit". */

import { createIntegerParser } from '../../config/setting-parsers.ts';
import { limits } from '../../contract/field-schemas.ts';
import { maxContactLength, maxPurposeLength } from '../../domain/key-record.ts';
import { isOneLine, maxNameLength } from '../../domain/name-validation.ts';
import { parseTimestamp } from '../../domain/timestamps.ts';
import { argument, option } from '../define-command.ts';

const createLineParser = (maxLength: number) => (text: string) => {
  if (isOneLine(text, maxLength)) return text;
  throw new Error(`have 1 to ${maxLength} characters, none of them a control character`);
};

export function parseExpiry(text: string): string {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  let at: string;
  try {
    at = parseTimestamp('It', isDate ? `${text}T23:59:59.999Z` : text, undefined);
  } catch {
    throw new Error('be a date such as 2027-06-30, or a time such as 2027-06-30T12:00:00Z');
  }
  if (Date.parse(at) <= Date.now()) throw new Error('not be in the past');
  return at;
}

export const keyArgument = argument('<id|prefix>', 'the key, by its id or its first 16 characters');

export const keyOptions = {
  name: option('text', 'the client or person that uses the key', createLineParser(maxNameLength)),
  expires: option('date', 'last day of validity (YYYY-MM-DD, UTC), or an exact time (ISO 8601)', parseExpiry),
  limit: option(
    'requests',
    'requests per rate limit window, instead of the default limit',
    createIntegerParser('a whole number', 1, limits.count),
  ),
  contact: option('text', 'person or office to ask about the key', createLineParser(maxContactLength)),
  purpose: option('text', 'what the client uses the data for', createLineParser(maxPurposeLength)),
};
