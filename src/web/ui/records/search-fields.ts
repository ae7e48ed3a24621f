/** Fields of a search in published records, and their values in the query. */

import {
  maxSearchWordLength,
  maxSearchWords,
  parseSearchWords,
  type SearchWord,
} from '../../../contract/search-words.ts';
import { field } from '../components.ts';
import { html, type SafeHtml } from '../html.ts';
import type { RecordsContext, ViewContext } from '../view-context.ts';

interface DateRange {
  /** First day, `YYYY-MM-DD`. */
  from: string | undefined;
  /** The day after the last one. */
  before: string | undefined;
  /** By field. */
  errors: { from?: string; to?: string };
}

/** The days in the fields `from` and `to`. */
export function parseDateRange({ query, text }: ViewContext): DateRange {
  const range: DateRange = { from: undefined, before: undefined, errors: {} };
  for (const name of ['from', 'to'] as const) {
    const value = (query.get(name) ?? '').trim();
    if (value === '') continue;
    const day = parseDay(value);
    if (day === undefined) range.errors[name] = text.browse.invalidDate;
    else if (name === 'from') range.from = day.toString();
    else range.before = day.add({ days: 1 }).toString();
  }
  if (range.from !== undefined && range.before !== undefined && range.before <= range.from)
    range.errors.to = text.browse.reversedDates;
  return range;
}

function parseDay(text: string): Temporal.PlainDate | undefined {
  if (!/^(?!0000|9999)\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export const dateField = (
  { query }: ViewContext,
  name: 'from' | 'to',
  label: string,
  errors: DateRange['errors'],
): SafeHtml =>
  field({
    name,
    label,
    type: 'date',
    value: query.get(name) ?? '',
    error: errors[name],
    isRequired: false,
    attributes: html` max="9998-12-31"`,
  });

export interface SearchedWords {
  words: readonly SearchWord[];
  /** By field. */
  errors: { words?: string };
}

/** The words in the field `words`. Without an index of words, the result is empty. */
export function parseWords({ query, text, hasWordSearch }: RecordsContext): SearchedWords {
  const given = query.get('words') ?? '';
  if (!hasWordSearch || given.trim() === '') return { words: [], errors: {} };
  const words = parseSearchWords(given);
  if (typeof words !== 'string') return { words, errors: {} };
  const { tooManyWords, tooLongWord, noWord } = text.browse;
  const problems = {
    'too many': tooManyWords(maxSearchWords),
    'too long': tooLongWord(maxSearchWordLength),
    none: noWord,
  };
  return { words: [], errors: { words: problems[words] } };
}

/** Empty if the installation has no index of words. */
export const recordWordsField = (
  { query, text, hasWordSearch }: RecordsContext,
  label: string,
  errors: SearchedWords['errors'] = {},
): SafeHtml =>
  hasWordSearch
    ? field({
        name: 'words',
        label,
        hint: text.browse.wordsHint,
        type: 'search',
        value: query.get('words') ?? '',
        error: errors.words,
        autocomplete: 'off',
      })
    : html``;
