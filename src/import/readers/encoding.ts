/** Decodes text in any encoding. */
import { InputError } from '../input-error.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Detects the encoding by its byte order mark. Otherwise UTF-16 has a zero in every other byte, and bytes that are not
 * UTF-8 are Windows-1252.
 *
 * @param head the first bytes; may end within a character
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

/** The first character after white space and byte order mark, in any encoding. */
export function firstCharacter(head: Buffer): string {
  return new TextDecoder(detectEncoding(head)).decode(head).trimStart().charAt(0);
}

/** @throws InputError */
export function assertNotUtf16(name: string, head: Buffer): void {
  if (detectEncoding(head).startsWith('utf-16')) throw new InputError({ code: 'encoding-utf16', file: name });
}

/**
 * @param mayNameEncoding whether the user can name the encoding in a mapping
 * @throws InputError for an unknown encoding, and for bytes that are invalid in the encoding
 */
export async function* decodeText(
  name: string,
  content: AsyncIterable<Buffer>,
  encoding: string = 'utf-8',
  mayNameEncoding = false,
): AsyncGenerator<string> {
  const decoder = createDecoder(encoding);
  try {
    for await (const chunk of content) yield decoder.decode(chunk, { stream: true });
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InputError({ code: 'encoding-wrong', file: name, encoding, mayName: mayNameEncoding });
  }
}

function createDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new InputError({ code: 'encoding-unknown', encoding });
  }
}
