/** Decodes text in any encoding. */
import { isAscii, isUtf8 } from 'node:buffer';
import { InputError } from '../input-error.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh';

/** They accept every byte, so only a person sees whether they are right. */
const guessed: readonly string[] = ['windows-1252', 'macintosh'];

export const isGuessedEncoding = (encoding: string): boolean => guessed.includes(encoding);

/**
 * Detects the encoding by its byte order mark. Otherwise UTF-16 has a zero in every other byte, and Windows-1252 has bytes
 * that are not UTF-8, and Mac Roman other ones inside of words. A few such bytes in UTF-8 are errors: as Windows-1252, all its other characters would be damaged.
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
    if (isMostlyUtf8(inspectUtf8(head))) return 'utf-8';
    return isLikelyMacRoman(head) ? 'macintosh' : 'windows-1252';
  }
}

/**
 * Letters with accents between letters. In Windows-1252, the bytes of those of Mac Roman are a few Slavic letters and signs that occur
 * between words.
 */
const macRomanLetters = /[A-Za-z](?:[\x85\x86\x88-\x8f\x90\x9a\x9d\x9f]+(?=[A-Za-z])|\xa7)/g;
const windowsLetters = /[A-Za-z][\xc0-\xff]/g;

function isLikelyMacRoman(head: Buffer): boolean {
  const text = head.toString('latin1');
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  return count(macRomanLetters) > count(windowsLetters);
}

/** The first character after white space and byte order mark, in any encoding. */
export function firstCharacter(head: Buffer): string {
  return new TextDecoder(detectEncoding(head)).decode(head).trimStart().charAt(0);
}

/** @throws InputError */
export function assertNotUtf16(name: string, head: Buffer): void {
  if (detectEncoding(head).startsWith('utf-16')) throw new InputError({ code: 'encoding-utf16', file: name });
}

interface DecodingOptions {
  /** Whether the encoding was detected by the first bytes. */
  isDetected?: boolean;
  /** Whether the user can name the encoding in a mapping. */
  mayName?: boolean;
}

/** @throws InputError for an unknown encoding, bytes that are invalid in it, and UTF-8 that was detected as another encoding */
export async function* decodeText(
  name: string,
  content: AsyncIterable<Buffer>,
  encoding: string = 'utf-8',
  { isDetected = false, mayName = false }: DecodingOptions = {},
): AsyncGenerator<string> {
  const decoder = createDecoder(encoding);
  const isDoubtful = isDetected && isGuessedEncoding(decoder.encoding);
  const isChecked = isDoubtful || decoder.encoding === 'utf-8';
  const bytes = isChecked ? checkUtf8(name, content, isDoubtful, mayName) : content;
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InputError({ code: 'encoding-wrong', file: name, encoding, mayName });
  }
}

/**
 * @param mayDiffer whether the content may be in another encoding if most of its characters are not UTF-8
 * @throws InputError with the place of the first byte that is not UTF-8
 */
async function* checkUtf8(
  name: string,
  content: AsyncIterable<Buffer>,
  mayDiffer: boolean,
  mayName: boolean,
): AsyncGenerator<Buffer> {
  /** Of characters, a lower bound. */
  const counts = { characters: 0, strays: 0 };
  let first: { line: number; byte: number; value: string } | undefined;
  let bytes = 0;
  let line = 1;
  for await (const chunk of alignToCharacters(content)) {
    if (mayDiffer || !isUtf8(chunk)) {
      const { characters, strays, firstStray } = inspectUtf8(chunk);
      counts.characters += characters;
      counts.strays += strays;
      if (firstStray !== undefined)
        first ??= {
          line: line + countLineFeeds(chunk.subarray(0, firstStray)),
          byte: bytes + firstStray + 1,
          value: chunk.toString('hex', firstStray, firstStray + 1).toUpperCase(),
        };
      if (first !== undefined && (!mayDiffer || isMostlyUtf8(counts)))
        throw new InputError({
          code: isMostlyUtf8(counts) ? 'utf8-damaged' : 'not-utf8',
          file: name,
          ...first,
          mayName,
        });
    } else if (!isAscii(chunk)) counts.characters += 1;
    bytes += chunk.length;
    line += countLineFeeds(chunk);
    yield chunk;
  }
}

/** So that no character is divided between two chunks. */
async function* alignToCharacters(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer = Buffer.alloc(0);
  for await (const chunk of content) {
    const bytes = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    const last = bytes.toString('latin1', Math.max(0, bytes.length - 3));
    const end = bytes.length - (/[\xc2-\xf4][\x80-\xbf]{0,2}$/.exec(last)?.[0].length ?? 0);
    yield bytes.subarray(0, end);
    start = bytes.subarray(end);
  }
  yield start;
}

/** A character of several bytes (Unicode, table 3-7), or a byte that belongs to none. */
const notAscii =
  /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}|[\x80-\xff]/g;

interface Utf8Counts {
  /** Characters of several bytes. */
  characters: number;
  /** Bytes that belong to no character. */
  strays: number;
}

function inspectUtf8(bytes: Buffer): Utf8Counts & { firstStray: number | undefined } {
  let characters = 0;
  let strays = 0;
  let firstStray: number | undefined;
  for (const { 0: found, index } of bytes.toString('latin1').matchAll(notAscii)) {
    if (found.length > 1) characters += 1;
    else {
      strays += 1;
      firstStray ??= index;
    }
  }
  return { characters, strays, firstStray };
}

/** In Windows-1252, few letters with an accent precede a character that makes both look like UTF-8, such as `ß“`. */
const isMostlyUtf8 = ({ characters, strays }: Utf8Counts) => characters > 0 && characters >= strays;

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

function createDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new InputError({ code: 'encoding-unknown', encoding });
  }
}
