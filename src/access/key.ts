/**
 * API keys: `sk_rostra_`, 30 characters of base62 randomness, and a base62 CRC32 of all that, 6 characters.
 * The checksum lets secret scanners recognise a key offline and lets us refuse junk without a look-up.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const scheme = 'sk_rostra_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const keyPattern = /^sk_rostra_[0-9A-Za-z]{36}$/;

/** How many leading characters name a key in lists and logs. */
const keyPrefixLength = 16;

/** A new secret. About 178 bits of randomness: nothing has to slow guessing down. */
export function generateKey(): string {
  let body = scheme;
  for (let drawn = 0; drawn < randomLength; drawn += 1) body += alphabet[randomInt(alphabet.length)];
  return body + checksum(body);
}

/** Whether text has the form of a key of ours and its checksum holds. Says nothing about whether it was issued. */
export function isWellFormedKey(text: string): boolean {
  return keyPattern.test(text) && text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength));
}

export function keyPrefix(key: string): string {
  return key.slice(0, keyPrefixLength);
}

/** SHA-256, the only form in which a key is stored. A fast hash suffices for a secret of this entropy. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
