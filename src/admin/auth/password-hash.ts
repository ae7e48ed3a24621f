/** Passwords, hashed with Argon2id (RFC 9106) as OWASP's Password Storage Cheat Sheet advises; kept in PHC form. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Memory in KiB. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const hashLength = 32;
const saltLength = 16;

export const minPasswordLength = 12;
/** Far more than anybody types, and little enough to hash. */
export const maxPasswordLength = 1_000;

/** Each hash takes a core for some hundredths of a second; the others are for those who read. */
const maxConcurrentHashes = 2;
const maxQueuedHashes = 50;

/**
 * Whose password it is: of a browser that has signed in before or holds a valid link, or of anybody. Known browsers are served
 * first, so that strangers who keep all hashing busy do not keep them out.
 */
export type BrowserTrust = 'known' | 'unknown';

/** Too many passwords are being checked at the moment. */
export class HashQueueFullError extends Error {}

const derive = promisify(argon2);

let running = 0;
const queues: Record<BrowserTrust, (() => void)[]> = { known: [], unknown: [] };

async function hash(
  password: string,
  salt: Buffer,
  { memory, passes, parallelism }: typeof cost,
  origin: BrowserTrust,
) {
  if (running >= maxConcurrentHashes) {
    const queue = queues[origin];
    if (queue.length >= maxQueuedHashes) throw new HashQueueFullError();
    await new Promise<void>((resolve) => queue.push(resolve));
  } else {
    running += 1;
  }
  try {
    // The same letters can be typed as different characters (NIST SP 800-63B, 3.1.1.2).
    const message = Buffer.from(password.normalize('NFKC'));
    return await derive('argon2id', {
      message,
      nonce: salt,
      parallelism,
      memory,
      passes,
      tagLength: hashLength,
    });
  } finally {
    const next = queues.known.shift() ?? queues.unknown.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

const encodeBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** Of a new password, which only known browsers set. @throws HashQueueFullError */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength);
  const bytes = await hash(password, salt, cost, 'known');
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encodeBase64(salt)}$${encodeBase64(bytes)}`;
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** No password has this hash. It is checked for unknown accounts, so that their checks take as long. */
export const unusableHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encodeBase64(Buffer.alloc(saltLength))}$${encodeBase64(Buffer.alloc(hashLength))}`;

/**
 * @param stored null for an account that there is not, or that has no password: nothing matches, as slowly
 * @throws HashQueueFullError
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  origin: BrowserTrust,
): Promise<boolean> {
  const match = phcPattern.exec(stored ?? unusableHash);
  if (match === null) throw new Error('A password hash is not in PHC form.');
  const [, memory, passes, parallelism, salt = '', expected = ''] = match;
  const stated = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const bytes = await hash(password, Buffer.from(salt, 'base64'), stated, origin);
  const wanted = Buffer.from(expected, 'base64');
  return stored !== null && bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}
