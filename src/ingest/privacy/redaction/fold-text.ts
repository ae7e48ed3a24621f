/**
 * Reads a text as people see it: without invisible characters, and with one form of each blank, hyphen, digit, full-width
 * character and character reference. Ranges that are found in this form are returned as ranges of the text itself.
 */
import { decodeReference } from '../../records/html-to-text.ts';
import type { TextRange } from './replace-ranges.ts';

/** Without width, such as the zero-width space, the soft hyphen, marks of direction and control characters. */
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]`;
/** Over or around a character, such as the frame of a keycap. Letters with accents are one character in NFC. */
const mark = String.raw`[\p{Mn}\p{Me}]`;
/** Other than U+0020. */
const blank = String.raw`[\t\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]`;
/** Other than U+002D: what Unicode calls a dash, and characters that look like one. */
const hyphen = String.raw`(?!-)[\p{Dash}\u02d7\u1400\u2043]`;
/** Other than ASCII. */
const digit = String.raw`(?![0-9])\p{Nd}`;
/** Forms of ASCII characters and ligatures that Unicode calls compatible, and full stops and slashes of other scripts. */
const variant = String.raw`[\u017f\u2024\u2044\u2215\u2460-\u2468\u24b6-\u24ea\u3002\ufb00-\ufb06\ufe52-\ufe6f\uff01-\uff61\u{1d400}-\u{1d7ff}]`;
/** Encoded once or several times. Also the element that allows a line break inside a word. */
const reference = String.raw`&(?:amp;){0,3}(?:#(?:\d{1,7}|[xX][\da-fA-F]{1,6});?|[a-zA-Z][a-zA-Z\d]{1,31};)|<[wW][bB][rR] ?/?>`;

/** Characters that occur often and stay as they are: letters, punctuation, emoji. Most texts have no other ones. */
const usual = [
  String.raw`\n\r\x20-\x25\x27-\x3b\x3d-\x7e\xa1-\xac\xae-\u017e\u0180-\u02d6\u0370-\u0482\u048a-\u0560`,
  String.raw`\u05d0-\u05ea\u0620-\u064a\u1e00-\u1fff\u2018-\u2023\u2025\u2026\u2030-\u2042\u2045-\u2052\u2054-\u205e\u2070-\u207a\u207c-\u208a\u208c-\u20cf`,
  String.raw`\u2100-\u2211\u2216-\u245f\u2469-\u24b5\u24eb-\u27ff\u3001\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3`,
].join('');
/** Without the surrogates of emoji, which it reads one by one. */
const unusual = new RegExp(`[^${usual}\\ud83c-\\ud83e\\udc00-\\udfef\\udffa-\\udfff]`);

const folded = new RegExp(
  `(?=[^${usual}\\u{1f000}-\\u{1fbef}])(?:(${invisible})|(${mark})|(${blank})|(${hyphen})|(${digit})|(${variant})|(${reference}))`,
  'gu',
);
/** Most texts have only these, whose replacement moves no character. */
const foldInPlace = (text: string): string =>
  text.replaceAll(/[\u2010-\u2015]/g, '-').replaceAll(/[\t\xa0]/g, ' ');

const slashes = ['\u2044', '\u2215'];

/** A part of a folded text and its range in the text. */
interface Piece extends TextRange {
  /** Where it begins in the folded text. */
  at: number;
  /** Whether it has the characters of the text. */
  isCopy: boolean;
}

interface FoldedText {
  text: string;
  /** Whether it lacks an invisible character between two words. */
  joinsWords: boolean;
  toOriginal<Range extends TextRange>(range: Range): Range;
}

/** @param separator in place of each invisible character */
function fold(text: string, separator: string): FoldedText {
  const pieces: Piece[] = [];
  let result = '';
  let from = 0;
  let joinsWords = false;
  const add = (part: string, start: number, end: number, isCopy: boolean) => {
    if (part === '') return;
    pieces.push({ at: result.length, start, end, isCopy });
    result += part;
  };
  folded.lastIndex = 0;
  for (let match = folded.exec(text); match !== null; match = folded.exec(text)) {
    const end = match.index + match[0].length;
    const part = foldMatch(match);
    add(text.slice(from, match.index), from, match.index, true);
    joinsWords ||= part === undefined && /[\p{L}\p{N}]$/u.test(result) && !/\s/.test(text.charAt(end));
    add(part ?? separator, match.index, end, part === match[0]);
    from = end;
  }
  add(text.slice(from), from, text.length, true);
  const toOriginal = <Range extends TextRange>(range: Range): Range => {
    const first = findPiece(pieces, range.start);
    const last = findPiece(pieces, range.end - 1);
    const start = first.isCopy ? first.start + range.start - first.at : first.start;
    const end = last.isCopy ? last.start + range.end - last.at : last.end;
    return { ...range, start, end };
  };
  return { text: result, joinsWords, toOriginal };
}

function findPiece(pieces: readonly Piece[], index: number): Piece {
  let low = 0;
  for (let high = pieces.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle] as Piece).at <= index) low = middle;
    else high = middle - 1;
  }
  return pieces[low] as Piece;
}

/** @returns undefined for an invisible character */
function foldMatch(match: RegExpExecArray): string | undefined {
  const [whole, isInvisible, isMark, isBlank, isHyphen, isDigit, isVariant] = match;
  if (isInvisible !== undefined) return undefined;
  if (isMark !== undefined) return '';
  if (isBlank !== undefined) return ' ';
  if (isHyphen !== undefined) return '-';
  if (isDigit !== undefined) return foldDigit(whole);
  if (isVariant !== undefined) return foldVariant(whole);
  if (whole.startsWith('<')) return undefined;
  const decoded = decodeReference(whole.replace(/^&(?:amp;)+/, '&'));
  // Texts have no NUL: detectors mark what they have found with it.
  if (decoded === undefined || decoded.includes('\0')) return whole;
  folded.lastIndex = 0;
  const inner = folded.exec(decoded);
  folded.lastIndex = match.index + whole.length;
  return inner?.[0] === decoded && inner[7] === undefined ? foldMatch(inner) : decoded;
}

/** Unicode has the digits of each script in order. */
function foldDigit(character: string): string {
  const compatible = character.normalize('NFKC');
  if (compatible < '\x80') return compatible;
  const codePoint = character.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(codePoint - value - 1))) value += 1;
  return String(value);
}

function foldVariant(character: string): string {
  if (slashes.includes(character)) return '/';
  const compatible = character.normalize('NFKC');
  return compatible === '\u3002' ? '.' : compatible;
}

/** Whether people may see the text in another form than it has. */
export const isFoldable = (text: string): boolean => unusual.test(text);

/** The text as people see it. */
export const foldText = (text: string): string => (isFoldable(text) ? fold(text, '').text : text);

/**
 * Searches the text as people see it. An invisible character may be inside a word or between two words, so both are tried.
 *
 * @param find returns ranges in order, without overlap
 * @returns ranges of the text, in order, without overlap
 */
export function findInFolded<Range extends TextRange>(
  text: string,
  find: (folded: string) => Range[],
): Range[] {
  if (!isFoldable(text)) return find(text);
  const inPlace = foldInPlace(text);
  if (!isFoldable(inPlace)) return find(inPlace);
  const joined = fold(text, '');
  const found = find(joined.text).map(joined.toOriginal);
  if (!joined.joinsWords) return found;
  const separated = fold(text, ' ');
  return addRanges(text, found, find(separated.text).map(separated.toOriginal));
}

/** Adds the parts of other ranges that no range covers. Both lists are in order, without overlap. */
export function addRanges<Range extends TextRange>(
  text: string,
  ranges: readonly Range[],
  others: readonly Range[],
): Range[] {
  const added: Range[] = [];
  let index = 0;
  for (const other of others) {
    let { start } = other;
    const addUntil = (end: number) => {
      if (start < end && /[\p{L}\p{N}]/u.test(text.slice(start, end))) added.push({ ...other, start, end });
    };
    while (index < ranges.length && (ranges[index] as Range).end <= start) index += 1;
    for (let at = index; at < ranges.length && (ranges[at] as Range).start < other.end; at += 1) {
      const range = ranges[at] as Range;
      addUntil(range.start);
      start = Math.max(start, range.end);
    }
    addUntil(other.end);
  }
  return added.length === 0 ? [...ranges] : [...ranges, ...added].sort((a, b) => a.start - b.start);
}
