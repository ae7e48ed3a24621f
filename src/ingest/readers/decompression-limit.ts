/** Limits the growth of compressed input. A short file could otherwise grow to any size (zip bomb). */
import { InputError } from '../input-error.ts';

/** Real tables are compressed at most about 50 times. */
const maxRatio = 200;

/** Bytes of a decompressed file, up to which any ratio is harmless. */
const minBombBytes = 64 * 1024 ** 2;

/**
 * @param name of the compressed file, for messages
 * @param what grows, as the subject of a sentence: `it`, or a file in an archive
 * @throws InputError
 */
export function assertPlausibleRatio(
  name: string,
  entry: string | undefined,
  bytes: number,
  compressedBytes: number,
): void {
  if (bytes > minBombBytes && bytes > compressedBytes * maxRatio)
    throw new InputError({ code: 'archive-grows', file: name, entry, max: maxRatio });
}
