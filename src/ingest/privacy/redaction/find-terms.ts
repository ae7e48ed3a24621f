/**
 * Finds the words and names that a municipality has listed: inflected, in another order of first and last name, with the
 * initial of the first name, and with other spellings of umlauts and accents. Each word of a text is looked up in a tree of all
 * terms, so the time does not depend on their number.
 */
import type { Language } from '../../../domain/organizations/placeholder-words.ts';
import { addRanges, findInFolded, foldText } from './fold-text.ts';
import { findMatches, type TextRange } from './replace-ranges.ts';

export type FindRanges = (text: string) => TextRange[];

/** Words that follow each other in a term, by their keys. */
interface Node {
  next: Map<string, Node>;
  isEnd: boolean;
}

/** Terms of letters, digits and the signs inside names. Others, such as `C++`, match as they are. */
const name = /^(?=[^\p{L}]*\p{L})[\p{L}\p{N}][\p{L}\p{M}\p{N}\s.,'’-]*$/u;

/** A longer term matches as it is, so that the search stays linear. */
const maxWords = 20;
/** Terms of more words have one order. */
const maxOrderedWords = 5;
const minInflectedLength = 3;

/** Of a word in each language; its own language adds others. */
const commonEndings = ['', 's'];
const endings: Partial<Record<Language, readonly string[]>> = {
  de: 'es ens n en sch sche schem schen scher sches'.split(' '),
  en: ['es'],
  pl: 'a owi em iem ie u y i ego iego emu iemu im ym e o om ami ach ow owie owa owej'.split(' '),
};

/** @param terms words and names as the municipality has listed them */
export function createTermFinder(terms: readonly string[], language: Language): FindRanges {
  const folded = terms.map(foldText);
  const [names, others] = partition(folded);
  const root = createNode();
  const keys = new Set<string>();
  for (const term of names)
    for (const words of listOrders(term)) {
      for (const word of words) keys.add(word);
      addWords(root, words);
    }
  const forms = indexForms(keys, language);
  const other = composeLiterals(others);
  return (text) =>
    findInFolded(text, (reading) => {
      const found = findNames(reading, root, forms);
      return other === undefined ? found : addRanges(reading, found, findMatches(reading, other));
    });
}

function partition(terms: readonly string[]): [names: string[], others: string[]] {
  const isName = (term: string) => name.test(term) && listWords(term).length <= maxWords;
  return [terms.filter(isName), terms.filter((term) => !isName(term))];
}

const createNode = (): Node => ({ next: new Map(), isEnd: false });

function addWords(root: Node, words: readonly string[]): void {
  let node = root;
  for (const word of words) {
    const next = node.next.get(word) ?? createNode();
    node.next.set(word, next);
    node = next;
  }
  node.isEnd = true;
}

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

const listWords = (term: string): string[] => term.match(wordPattern) ?? [];

/** The same for all spellings of a word: Müller, MUELLER; René, Rene. */
function toKey(word: string): string {
  const lower = word.toLowerCase();
  if (/^[a-z0-9]+$/.test(lower)) return lower;
  return lower
    .replaceAll(/[äöüßæœøł]/g, (letter) => spellings[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '');
}

const spellings: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' },
  ...{ æ: 'ae', œ: 'oe', ø: 'o', ł: 'l' },
};

/** The words of a name in each order in which people write them. An initial ends with a full stop. */
function listOrders(term: string): string[][] {
  const [family = '', ...given] = term.split(',');
  const own = listWords(given.length === 0 ? term : `${given.join(' ')} ${family}`).map(toKey);
  if (own.length < 2 || own.length > maxOrderedWords) return [own];
  const last = term.split(/\s/).at(-1) ?? '';
  const familyLength = listWords(given.length === 0 ? last : family).length;
  const initials = own.map((word, index) =>
    index < own.length - familyLength ? `${word.slice(0, 1)}.` : word,
  );
  const orders = [own, initials].flatMap((each) =>
    each.map((_, index) => [...each.slice(index), ...each.slice(0, index)]),
  );
  return [...orders, ...orders.slice(0, own.length).map((each) => [each.join('')])];
}

/** The keys that a word of a text may stand for. */
function indexForms(keys: Iterable<string>, language: Language): ReadonlyMap<string, readonly string[]> {
  const forms = new Map<string, string[]>();
  for (const key of keys)
    for (const form of listForms(key, language)) {
      const known = forms.get(form);
      if (known === undefined) forms.set(form, [key]);
      else known.push(key);
    }
  return forms;
}

function listForms(key: string, language: Language): Set<string> {
  if (key.length < minInflectedLength || !/^\p{L}+$/u.test(key)) return new Set([key]);
  const all = [...commonEndings, ...(endings[language] ?? [])];
  const stems = language === 'pl' ? [key, key.replace(/[aeioy]$/, ''), key.replace(/e([ck])$/, '$1')] : [key];
  const inflected = stems.flatMap((stem) =>
    stem.length < minInflectedLength ? [] : all.map((end) => stem + end),
  );
  return new Set([key, ...inflected.filter((form) => form.length >= key.length)]);
}

/** Between two words of a name. */
const gap = /^\s{0,40}[-.,;/_'’]{0,2}\s{0,40}$/;
const possessive = /['’`´]s(?![\p{L}\p{N}])/uy;

function findNames(text: string, root: Node, forms: ReadonlyMap<string, readonly string[]>): TextRange[] {
  if (root.next.size === 0) return [];
  const words = findMatches(text, wordPattern).map(({ start, end }) => {
    const key = toKey(text.slice(start, end));
    const keys = forms.get(key) ?? [];
    const isInitial = key.length === 1 && text[end] === '.';
    return isInitial ? { start, end: end + 1, keys: [...keys, `${key}.`] } : { start, end, keys };
  });
  const found: TextRange[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const last = findLastWord(text, words, index, root);
    if (last === undefined) continue;
    const { start } = words[index] as TextRange;
    const { end } = words[last] as TextRange;
    possessive.lastIndex = end;
    found.push({ start, end: possessive.test(text) ? possessive.lastIndex : end });
    index = last;
  }
  return found;
}

/** @returns the index of the last word of the longest term that begins with a word of the text; undefined: none */
function findLastWord(
  text: string,
  words: readonly (TextRange & { keys: readonly string[] })[],
  index: number,
  node: Node,
): number | undefined {
  const word = words[index];
  if (word === undefined) return undefined;
  let last: number | undefined;
  for (const key of word.keys) {
    const next = node.next.get(key);
    if (next === undefined) continue;
    const following = words[index + 1];
    const isNear = following !== undefined && gap.test(text.slice(word.end, following.start));
    const end =
      (isNear ? findLastWord(text, words, index + 1, next) : undefined) ?? (next.isEnd ? index : undefined);
    if (end !== undefined && end > (last ?? -1)) last = end;
  }
  return last;
}

/** Matches each term as a whole, whatever its case and white space; undefined: no terms. */
function composeLiterals(terms: readonly string[]): RegExp | undefined {
  if (terms.length === 0) return undefined;
  // A longer term precedes a term that it begins with.
  const literals = terms
    .map((term) => term.split(/\s+/).map(RegExp.escape).join('\\s{1,40}'))
    .sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${literals.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}
