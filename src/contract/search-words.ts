/** The words that the parameter `words` finds. Texts and queries are folded and split by the same rules. */

/** Raise it when the rules below or the searched fields change: every installation then builds its index again. */
export const wordRulesVersion = 1;

/** Code points of a word of a query. The rest of a longer word of a text is not searched. */
export const maxSearchWordLength = 100;

/** Parts of a word that are joined, such as `2026/0142/3`. */
const maxJoinedParts = 8;

/** A shorter word of a query is a whole word, because it begins too many others. */
const minBeginning = 3;

/** Letters that Unicode does not decompose into a letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

const foldedLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    // NFKD makes a space of an accent without a letter, which people type instead of an apostrophe: `d´Arc`.
    .replace(/ (?=\p{M})/gu, "'")
    .replace(/\p{M}+/gu, '')
    .replace(foldedLetters, (letter) => plainLetters[letter] as string)
    // A Korean character is one again.
    .normalize('NFC');

/** Of characters outside ASCII. Texts have few different ones. */
const foldedCharacters = new Map<string, string>();

/** Alphabets and punctuation come before. */
const endOfFoldedCharacters = '\u2100';

const foldCharacter = (character: string): string =>
  character >= endOfFoldedCharacters
    ? fold(character)
    : foldedCharacters.getOrInsertComputed(character, fold);

const onlyAscii = /^[\0-\x7f]*$/;
const outsideAscii = /[^\0-\x7f]/gu;

/** Letters of Europe, punctuation and symbols, which do not depend on the characters before and after them. */
const independent = /^[\0-\u02ff\u0370-\u0482\u048a-\u052f\u2000-\u20cf\u2100-\u2bff\u{1f000}-\u{1faff}]*$/u;

/** Texts that differ by case, accents or compatible forms only become equal (UAX #15, NFKD). */
export function foldText(text: string): string {
  if (onlyAscii.test(text)) return text.toLowerCase();
  if (!independent.test(text)) return fold(text);
  // Folding each character alone takes half the time.
  return text.replace(outsideAscii, foldCharacter).toLowerCase();
}

/** Scripts without spaces between words: each character is a part of its own. */
const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const unspaced = new RegExp(unspacedScripts.map((script) => `\\p{sc=${script}}`).join('|'), 'u');
const letterOrDigit = /[\p{L}\p{N}]/u;
const space = /\s/;

const character = { other: 1, space: 2, inWord: 3, alone: 4 } as const;

function classify(text: string): number {
  if (letterOrDigit.test(text)) return unspaced.test(text) ? character.alone : character.inWord;
  return space.test(text) ? character.space : character.other;
}

/** Class by code unit; 0: not known yet. A regular expression for words would take several times as long. */
const classes = new Uint8Array(65_536);

const [firstHalf, lastHalf] = [0xd800, 0xdfff];

function findClass(text: string, index: number): number {
  const code = text.charCodeAt(index);
  const known = classes[code] as number;
  if (known !== 0) return known;
  const found = classify(String.fromCodePoint(text.codePointAt(index) as number));
  if (code < firstHalf || code > lastHalf) classes[code] = found;
  return found;
}

/** The parts of each sequence without white space: `K-17` has `k` and `17`. */
export function* splitIntoParts(folded: string): Generator<string[]> {
  let parts: string[] = [];
  let isAfterSpace = false;
  for (let index = 0; index < folded.length; ) {
    const found = findClass(folded, index);
    if (found <= character.space) {
      isAfterSpace ||= found === character.space;
      index += 1;
      continue;
    }
    const start = index;
    do index = skipCharacters(folded, index, found);
    while (found === character.inWord && index < folded.length && findClass(folded, index) === found);
    if (isAfterSpace && parts.length > 0) {
      yield parts;
      parts = [];
    }
    isAfterSpace = false;
    parts.push(folded.slice(start, index));
  }
  if (parts.length > 0) yield parts;
}

const lastUnit = 0xffff;

/** @returns the index after the character and, in a word, after further ones of its class, as far as they are known */
function skipCharacters(text: string, index: number, found: number): number {
  let next = index + ((text.codePointAt(index) as number) > lastUnit ? 2 : 1);
  if (found === character.inWord)
    while (next < text.length && classes[text.charCodeAt(next)] === found) next += 1;
  return next;
}

function cut(word: string): string {
  if (word.length <= maxSearchWordLength) return word;
  return [...word.slice(0, 2 * maxSearchWordLength)].slice(0, maxSearchWordLength).join('');
}

/** A word of the parts from one on. */
export const joinParts = (parts: readonly string[], first: number) =>
  cut(parts.slice(first, first + maxJoinedParts).join(''));

export const isShort = (word: string) => word.length < minBeginning || [...word].length < minBeginning;

/** Receives words, some of them repeatedly. A set is one. */
export interface WordSink {
  add(word: string): unknown;
}

/**
 * Adds the words of a text, without which nothing else finds it. Parts of a word are joined from each of them on, so that
 * `K-17/2` is found as `K-17`, `k17`, and `17/2`.
 */
export function addWords(words: WordSink, text: string | null): void {
  if (text === null) return;
  for (const parts of splitIntoParts(foldText(text)))
    if (parts.length === 1) words.add(cut(parts[0] as string));
    else
      for (const [index, part] of parts.entries()) {
        words.add(joinParts(parts, index));
        if (isShort(part)) words.add(part);
      }
}

/** A word of a query. */
export interface SearchWord {
  /** Folded. */
  text: string;
  /** Whether it is the whole word, not only its beginning. */
  isWhole: boolean;
}

/** @returns nothing if the text has no letter and no digit */
function parseSearchWord(text: string): SearchWord[] {
  const words: SearchWord[] = [];
  // Some characters stand for several words.
  for (const parts of splitIntoParts(foldText(text)))
    for (let first = 0; first < parts.length; first += maxJoinedParts)
      words.push({
        text: joinParts(parts, first),
        isWhole: parts.length === 1 && isShort(parts[0] as string),
      });
  return words;
}

/** Of a query. */
export const maxSearchWords = 10;

/** Why a query cannot be answered: it has too many words, a word is too long, or no word has a letter or digit. */
export type SearchWordsProblem = 'too many' | 'too long' | 'none';

/** @param query words with white space between them; a sequence without letters and digits among them is left out */
export function parseSearchWords(query: string): SearchWord[] | SearchWordsProblem {
  const given = query.split(space).filter((word) => word !== '');
  if (given.length > maxSearchWords) return 'too many';
  if (given.some((word) => [...word].length > maxSearchWordLength)) return 'too long';
  const words = given.flatMap(parseSearchWord);
  return words.length === 0 ? 'none' : words;
}

/** @param words of a record, see `addWords` */
export function hasWords(words: ReadonlySet<string>, wanted: readonly SearchWord[]): boolean {
  return wanted.every(({ text, isWhole }) => {
    if (isWhole) return words.has(text);
    for (const word of words) if (word.startsWith(text)) return true;
    return false;
  });
}
