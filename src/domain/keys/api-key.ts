/**
 * Format of API keys: `sk_rostra_`, 30 random base62 characters, and 6 base62 characters with the CRC-32 of the rest. The
 * checksum lets secret scanners recognise a key offline, and lets the server reject junk without a database query.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const scheme = 'sk_rostra_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const keyPattern = /^sk_rostra_[0-9A-Za-z]{36}$/;

/** The first characters identify a key in lists and logs. */
const keyPrefixLength = 16;

/** About 178 bits of entropy, so a guess needs no rate limit. */
export function generateKey(): string {
  return deriveKey(randomBytes(32));
}

/** @param seed 32 secret bytes. The same seed gives the same key. */
export function deriveKey(seed: Buffer): string {
  let rest = BigInt(`0x${seed.toString('hex')}`);
  let body = scheme;
  // 62^30 is so much smaller than 2^256 that the characters are evenly distributed.
  for (let drawn = 0; drawn < randomLength; drawn += 1) {
    body += alphabet[Number(rest % 62n)];
    rest /= 62n;
  }
  return body + computeChecksum(body);
}

/** Checks form and checksum. The key may not exist. */
export function isWellFormedKey(text: string): boolean {
  return (
    keyPattern.test(text) && text.slice(-checksumLength) === computeChecksum(text.slice(0, -checksumLength))
  );
}

export function getKeyPrefix(key: string): string {
  return key.slice(0, keyPrefixLength);
}

/** Any case, since users may type a key in capitals. */
const keyLike = new RegExp(`${scheme}\\w+`, 'gi');

/** The first part of the text that looks like a key, complete or truncated. */
export function extractKey(text: string): string | undefined {
  return text.match(keyLike)?.[0];
}

/** Truncates every key in the text to its prefix: URLs are stored in histories and logs. */
export function maskKeys(text: string): string {
  return text.replace(keyLike, getKeyPrefix);
}

export function hashForStorage(key: string): { secretHash: Buffer; prefix: string } {
  return { secretHash: hashKey(key), prefix: getKeyPrefix(key) };
}

/** SHA-256, the only stored form of a key. A fast hash is sufficient for a secret with this entropy. */
export function hashKey(key: string): Buffer {
  return Buffer.from(hash('sha256', key, 'hex'), 'hex');
}

function computeChecksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
