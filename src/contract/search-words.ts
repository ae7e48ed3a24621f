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
const onlyAscii = /^[\0-\x7f]*$/;

/** Texts that differ by case, accents or compatible forms only become equal (UAX #15, NFKD). */
export function foldText(text: string): string {
  if (onlyAscii.test(text)) return text.toLowerCase();
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      // NFKD makes a space of an accent without a letter, which people type instead of an apostrophe: `d´Arc`.
      .replace(/ (?=\p{M})/gu, "'")
      .replace(/\p{M}+/gu, '')
      .replace(foldedLetters, (letter) => plainLetters[letter] as string)
      // A Korean character is one again.
      .normalize('NFC')
  );
}

/** Scripts without spaces between words: each character is a part of its own. */
const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const unspaced = `[${unspacedScripts.map((script) => `\\p{sc=${script}}`).join('')}]`;
const wordPart = new RegExp(`[[\\p{L}\\p{N}]&&${unspaced}]|[[\\p{L}\\p{N}]--${unspaced}]+`, 'gv');
const space = /\s/;

/** The parts of each sequence without white space: `K-17` has `k` and `17`. */
export function* splitIntoParts(folded: string): Generator<string[]> {
  let parts: string[] = [];
  let end = 0;
  for (const match of folded.matchAll(wordPart)) {
    if (parts.length > 0 && space.test(folded.slice(end, match.index))) {
      yield parts;
      parts = [];
    }
    parts.push(match[0]);
    end = match.index + match[0].length;
  }
  if (parts.length > 0) yield parts;
}

function cut(word: string): string {
  if (word.length <= maxSearchWordLength) return word;
  return [...word.slice(0, 2 * maxSearchWordLength)].slice(0, maxSearchWordLength).join('');
}

/** A word of the parts from one on. */
export const joinParts = (parts: readonly string[], first: number) =>
  cut(
    first === 0 && parts.length === 1
      ? (parts[0] as string)
      : parts.slice(first, first + maxJoinedParts).join(''),
  );

export const isShort = (word: string) => word.length < minBeginning || [...word].length < minBeginning;

/**
 * Adds the words of a text, without which nothing else finds it. Parts of a word are joined from each of them on, so that
 * `K-17/2` is found as `K-17`, `k17`, and `17/2`.
 */
export function addWords(words: Set<string>, text: string | null): void {
  if (text === null) return;
  for (const parts of splitIntoParts(foldText(text)))
    for (const [index, part] of parts.entries()) {
      words.add(joinParts(parts, index));
      if (parts.length > 1 && isShort(part)) words.add(part);
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
