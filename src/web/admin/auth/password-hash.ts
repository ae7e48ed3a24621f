/** Hashes passwords with Argon2id (RFC 9106) and the parameters of OWASP's Password Storage Cheat Sheet. Format: PHC string. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Memory in KiB. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const hashLength = 32;
const saltLength = 16;

export const minPasswordLength = 12;
/** Long enough for every passphrase, short enough to hash. */
export const maxPasswordLength = 1_000;

/** A hash occupies a core for some hundredths of a second. The other cores serve the API. */
const maxConcurrentHashes = 2;
const maxQueuedHashes = 50;

/**
 * Known browsers have signed in before or hold a valid one-time link. Their passwords are hashed first, so that a flood of
 * attempts from unknown browsers cannot lock them out.
 */
export type BrowserTrust = 'known' | 'unknown';

/** Too many passwords are waiting to be hashed. */
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
    // Equal letters can have different code points (NIST SP 800-63B, 3.1.1.2).
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

const encodeBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/(?<!=)=+$/, '');

/** Hashes a new password; only known browsers can set one. @throws HashQueueFullError */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength);
  const bytes = await hash(password, salt, cost, 'known');
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encodeBase64(salt)}$${encodeBase64(bytes)}`;
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Matches no password. Verifying it for unknown accounts takes as long as for known ones. */
export const unusableHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encodeBase64(Buffer.alloc(saltLength))}$${encodeBase64(Buffer.alloc(hashLength))}`;

/**
 * @param stored null for an unknown account or one without a password: nothing matches, in the same time
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
