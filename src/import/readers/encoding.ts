/** Bytes of text as text, whatever they are encoded in. */
import { InputError } from '../parsed-record.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * What a byte order mark says; without one UTF-16 where every other byte of the first characters is 0, else UTF-8,
 * or Windows-1252 where the beginning cannot be UTF-8.
 *
 * @param head the first bytes; a character may be cut off at its end
 */
export function detectEncoding(head: Buffer): Encoding {
  const [a, b, c, d] = head;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a && b === 0 && c && d === 0) return 'utf-16le';
  if (a === 0 && b && c === 0 && d) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** @throws InputError for what has to be UTF-8, and begins as UTF-16 */
export function assertNotUtf16(name: string, head: Buffer): void {
  if (detectEncoding(head).startsWith('utf-16')) throw new InputError(`${name} is UTF-16: save it as UTF-8.`);
}

/**
 * @param otherwise what to do instead of saving it in another encoding, as the end of a sentence
 * @throws InputError for an encoding that there is not, and where the bytes are of another one
 */
export async function* decodeText(
  name: string,
  content: AsyncIterable<Buffer>,
  encoding: string = 'utf-8',
  otherwise = '',
): AsyncGenerator<string> {
  const decoder = createDecoder(encoding);
  try {
    for await (const chunk of content) yield decoder.decode(chunk, { stream: true });
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const called = encoding.toUpperCase();
    throw new InputError(
      encoding === 'utf-8'
        ? `${name} is not UTF-8: save it as UTF-8${otherwise}.`
        : `${name} is not ${called} throughout: save it as UTF-8${otherwise}.`,
    );
  }
}

function createDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new InputError(
      `There is no encoding "${encoding}": name one such as utf-8, utf-16le or windows-1252.`,
    );
  }
}
