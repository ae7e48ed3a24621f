/** Options with the properties of a key, for "key issue" and "key edit". */
import { InvalidArgumentError, Option } from 'commander';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { limits } from '../../contract/field-schemas.ts';
import { maxContactLength, maxPurposeLength } from '../../domain/key-record.ts';
import { isOneLine, maxNameLength } from '../../domain/name-validation.ts';
import { parseTimestamp } from '../../domain/timestamps.ts';
import { toOptionParser } from '../shared-options.ts';

export function createKeyOptions() {
  return {
    name: new Option('--name <text>', 'the client or person that uses the key').argParser(
      createLineParser(maxNameLength),
    ),
    expires: new Option(
      '--expires <date>',
      'last day of validity (YYYY-MM-DD, UTC), or an exact time (ISO 8601)',
    ).argParser(parseExpiry),
    limit: new Option(
      '--limit <requests>',
      'requests per rate limit window, instead of the default limit',
    ).argParser(toOptionParser(createIntegerParser('a whole number', 1, limits.count))),
    contact: new Option('--contact <text>', 'person or office to ask about the key').argParser(
      createLineParser(maxContactLength),
    ),
    purpose: new Option('--purpose <text>', 'what the client uses the data for').argParser(
      createLineParser(maxPurposeLength),
    ),
  };
}

const createLineParser = (maxLength: number) => (text: string) => {
  if (isOneLine(text, maxLength)) return text;
  throw new InvalidArgumentError(
    `It must have 1 to ${maxLength} characters, none of them a control character.`,
  );
};

export function parseExpiry(text: string): string {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  let at: string;
  try {
    at = parseTimestamp('It', isDate ? `${text}T23:59:59.999Z` : text, undefined);
  } catch {
    throw new InvalidArgumentError(
      'It must be a date such as 2027-06-30, or a time such as 2027-06-30T12:00:00Z.',
    );
  }
  if (Date.parse(at) <= Date.now()) throw new InvalidArgumentError('It is in the past.');
  return at;
}
