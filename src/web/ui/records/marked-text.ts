/** The words of a search in the texts of what it found. */
import { findMarks, type Mark, walkMarks } from '../../../contract/mark-words.ts';
import type { SearchWord } from '../../../contract/search-words.ts';
import { isSliceUsedUp, waitForSlice } from '../../../platform/time-slices.ts';
import { html, type SafeHtml } from '../html.ts';
import { excerpt } from './imported-text.ts';

/** A short text with its words marked. */
export function markedText(text: string, words: readonly SearchWord[]): SafeHtml | string {
  const marks = findMarks(text, words);
  return marks.length === 0 ? text : withMarks(text, marks);
}

/** @param marks in order, without overlap */
export function withMarks(text: string, marks: readonly Mark[]): SafeHtml {
  let end = 0;
  const parts = marks.map((mark) => {
    const between = text.slice(end, mark.start);
    end = mark.end;
    return html`${between}<mark>${text.slice(mark.start, mark.end)}</mark>`;
  });
  return html`${parts}${text.slice(end)}`;
}

/** Of the text before the first word of an extract. */
const maxContextLength = 60;

/** The rest of a longer text is not searched for an extract. */
const maxSearchedLength = 20_000;

/**
 * The part of a text around the first word of the query, on one line.
 *
 * @returns undefined if the text has none of them
 */
export async function findExtract(text: string, words: readonly SearchWord[]): Promise<string | undefined> {
  if (words.length === 0) return undefined;
  for (const [mark] of walkMarks(text.slice(0, maxSearchedLength), words)) {
    if (mark !== undefined) return cutExtract(text, mark.start);
    if (isSliceUsedUp()) await waitForSlice();
  }
  return undefined;
}

/** Begins with a whole word, if the script has spaces. */
function cutExtract(text: string, matchIndex: number): string {
  const before = text.slice(Math.max(0, matchIndex - maxContextLength), matchIndex);
  if (before.length === matchIndex) return excerpt(text);
  const start = matchIndex - before.length + (/^\S*\s+/.exec(before)?.[0].length ?? 0);
  const isSurrogatePairCut = /[\udc00-\udfff]/.test(text.charAt(start));
  return `…${excerpt(text.slice(isSurrogatePairCut ? start + 1 : start))}`;
}
