/** Where the words of a query are in a text, so that pages can mark them. */
import {
  addWords,
  foldText,
  hasWords,
  isShort,
  joinParts,
  type SearchWord,
  splitIntoParts,
} from './search-words.ts';

/** A part of a text, in UTF-16 code units. */
export interface Mark {
  start: number;
  /** Exclusive. */
  end: number;
}

/** Code points. A longer sequence is cut, so that each step is short. A word across the cut is not marked. */
const sequence = /\S{1,1000}/gu;

/**
 * Walks through a text. Marks are whole words, or the parts of a word that the query has, such as `K-17` of `K-17/2`. They are in
 * order, and do not overlap.
 *
 * @returns the marks of each sequence without white space. Most have none, but the caller can pause after each
 */
export function* walkMarks(text: string, words: readonly SearchWord[]): Generator<readonly Mark[]> {
  for (const { 0: written, index } of text.matchAll(sequence)) {
    const present = new Set<string>();
    addWords(present, written);
    const wanted = words.filter((word) => hasWords(present, [word]));
    yield wanted.length === 0
      ? []
      : findInSequence(written, wanted).map(({ start, end }) => ({ start: index + start, end: index + end }));
  }
}

/** All marks of a short text. */
export const findMarks = (text: string, words: readonly SearchWord[]): Mark[] =>
  words.length === 0 ? [] : [...walkMarks(text, words)].flat();

function findInSequence(written: string, words: readonly SearchWord[]): Mark[] {
  const { folded, marks: characters } = foldCharacters(written);
  const found: Mark[] = [];
  let from = 0;
  for (const parts of splitIntoParts(folded)) {
    const places = parts.map((part) => {
      const start = folded.indexOf(part, from);
      from = start + part.length;
      return { start: characters[start]?.start ?? 0, end: characters[from - 1]?.end ?? 0 };
    });
    for (const first of parts.keys()) {
      const lengths = words.filter((word) => beginsWith(parts, first, word)).map(({ text }) => text.length);
      if (lengths.length === 0) continue;
      let rest = Math.max(...lengths);
      let last = first;
      while (rest > (parts[last]?.length ?? rest)) {
        rest -= parts[last]?.length ?? 0;
        last += 1;
      }
      addMark(found, { start: places[first]?.start ?? 0, end: places[last]?.end ?? written.length });
    }
  }
  return found;
}

/** Whether a record with the parts is found by the word because of those from the first one on. */
function beginsWith(parts: readonly string[], first: number, { text, isWhole }: SearchWord): boolean {
  const part = parts[first] as string;
  const joined = joinParts(parts, first);
  if (!isWhole) return joined.startsWith(text);
  return joined === text || (part === text && isShort(part));
}

function addMark(marks: Mark[], mark: Mark): void {
  const last = marks.at(-1);
  if (last === undefined || mark.start >= last.end) marks.push(mark);
  else last.end = Math.max(last.end, mark.end);
}

/** Folds each character alone. @returns the folded text, and for each of its code units the character of which it is */
function foldCharacters(text: string): { folded: string; marks: Mark[] } {
  const marks: Mark[] = [];
  let folded = '';
  let start = 0;
  for (const character of text) {
    const part = foldText(character);
    const mark = { start, end: start + character.length };
    for (let unit = 0; unit < part.length; unit += 1) marks.push(mark);
    const last = marks.at(-1);
    // A combining mark belongs to the letter before it.
    if (part === '' && last !== undefined) last.end = mark.end;
    folded += part;
    start = mark.end;
  }
  return { folded, marks };
}
