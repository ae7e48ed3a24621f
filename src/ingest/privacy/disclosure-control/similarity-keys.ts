/** Keys of texts of surveys. Texts that a person may take for the same have the same key. */
import { foldText } from '../redaction/fold-text.ts';

/** Without case, accents, punctuation, blanks and invisible characters. */
export const createSimilarityKey = (text: string): string =>
  foldText(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/([aou])e/g, '$1')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const numberWords = 'frage|fragen|question|pregunta|pytanie|domanda|vraag|item|nr|no|teil|part';

/** A number before a question: `Q1`, `Q01_a`, `G1Q2`, `1.`, `2.3)`, `Frage 4:`. */
const leadingNumber = new RegExp(
  String.raw`^[\s([]*(?:(?:${numberWords})[\s.:#_-]{0,3}\d{1,4}\p{L}?(?![\p{L}\d])|(?:\p{L}{1,3}\d{1,4}){1,3}(?:[_-]?\p{L}{1,2})?(?![\p{L}\d])|\d{1,3}(?:\.\d{1,3}){0,3}\p{L}?(?=[\s.:)\]–—-]*$|\s?[.:)\]]\D|\s[–—-]\s)|\p{L}(?=\s?[.:)\]]\s))[\s.:)\]–—-]*`,
  'iu',
);

/** The text behind its number; empty if it is only a number. */
export const removeLeadingNumber = (text: string): string => text.trim().replace(leadingNumber, '');

/** The parts before and behind the last separator, such as question and row, or file and question; undefined: none. */
export function splitLabel(text: string): { stem: string; label: string } | undefined {
  const separator = [...text.matchAll(/\s[–—|-]\s|:\s|[[(]/g)].at(-1);
  if (separator === undefined) return undefined;
  return { stem: text.slice(0, separator.index), label: text.slice(separator.index + separator[0].length) };
}
