/**
 * Keys of records in the index of words: 7 bytes of the time, and 16 of the id. Keys in ascending order are records in the order of
 * their list: the latest first, then by id.
 */
import { formatUuid } from '../../domain/values/uuid.ts';

export const keyLength = 23;
const timeLength = 7;

/** The end of the year 9999. Less than this are all times of records, so that the difference is positive. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** @param at timestamp or date @returns text with a character for each byte: such texts are compared and stored quickly */
export function encodeKey(at: string, id: string): string {
  const bytes = Buffer.allocUnsafe(keyLength);
  const remaining = lastMs - Date.parse(at);
  bytes[0] = Math.floor(remaining / 2 ** 48);
  bytes.writeUIntBE(remaining % 2 ** 48, 1, 6);
  bytes.write(id.replaceAll('-', ''), timeLength, 'hex');
  return bytes.toString('latin1');
}

/** @returns a timestamp, whose beginning is the date */
export function decodeTime(key: string): string {
  const bytes = Buffer.from(key.slice(0, timeLength), 'latin1');
  return new Date(lastMs - (bytes.readUInt8(0) * 2 ** 48 + bytes.readUIntBE(1, 6))).toISOString();
}

export const decodeId = (key: string): string =>
  formatUuid(Buffer.from(key.slice(timeLength), 'latin1').toString('hex'));

/** Before every key of the time. */
export const encodeTime = (at: string): string => encodeKey(at, '0'.repeat(32)).slice(0, timeLength);

/** After every key of a time, appended to it. */
export const afterKeysOfTime = '\u0100';

/** The part of a key that is the id. */
export const toIdBytes = (key: string): string => key.slice(timeLength);

/** Keys in a row of `word_segment_keys`. */
export const keysPerPart = 256;

export const joinKeys = (keys: readonly string[]): Buffer => Buffer.from(keys.join(''), 'latin1');

export function splitKeys(keys: Buffer): string[] {
  const text = keys.toString('latin1');
  const found: string[] = [];
  for (let from = 0; from < text.length; from += keyLength) found.push(text.slice(from, from + keyLength));
  return found;
}
