/**
 * API keys: `sk_rostra_`, 30 characters of base62 randomness, and a base62 CRC32 of all that, 6 characters.
 * The checksum lets secret scanners recognise a key offline and lets us refuse junk without a look-up.
 */
import { hash, randomBytes } from 'node:crypto';
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
  return deriveKey(randomBytes(32));
}

/** @param seed 32 bytes that nobody can guess: the same seed gives the same key */
export function deriveKey(seed: Buffer): string {
  let rest = BigInt(`0x${seed.toString('hex')}`);
  let body = scheme;
  // 62 to the power of 30 is so much less than 2 to the power of 256 that no character is likelier than another.
  for (let drawn = 0; drawn < randomLength; drawn += 1) {
    body += alphabet[Number(rest % 62n)];
    rest /= 62n;
  }
  return body + checksum(body);
}

/** Whether text has the form of a key of ours and its checksum holds. Says nothing about whether it was issued. */
export function isWellFormedKey(text: string): boolean {
  return keyPattern.test(text) && text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength));
}

export function keyPrefix(key: string): string {
  return key.slice(0, keyPrefixLength);
}

/** In either case, as somebody may have typed it in capitals. */
const keyLike = new RegExp(`${scheme}\\w+`, 'gi');

/** The first part of a text that looks like a key, whole or not. */
export function extractKey(text: string): string | undefined {
  return text.match(keyLike)?.[0];
}

/** The text with every key in it cut to its prefix: keys must not get into addresses, where histories and logs keep them. */
export function maskKeys(text: string): string {
  return text.replace(keyLike, keyPrefix);
}

/** What is stored of a key. */
export function hashForStorage(key: string): { secretHash: Buffer; prefix: string } {
  return { secretHash: hashKey(key), prefix: keyPrefix(key) };
}

export const maxNameLength = 200;

/** Whether text can name a key, or a municipality: 1 to 200 characters, none of them a control character. */
export function isValidName(text: string): boolean {
  const length = [...text].length;
  return text.trim() !== '' && length <= maxNameLength && !/\p{Cc}/u.test(text) && text.isWellFormed();
}

/** SHA-256, the only form in which a key is stored. A fast hash suffices for a secret of this entropy. */
export function hashKey(key: string): Buffer {
  return Buffer.from(hash('sha256', key, 'hex'), 'hex');
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
