/** Notes of a dry run on what a mapping loses: values that it merges, and data that it leaves out. */
import type { Reason } from '../../domain/reasons/reason.ts';
import { createCounter } from '../records/bounded-counter.ts';
import type { ImportObserver } from '../records/import-observer.ts';
import { isOpenStatus, looksFinal } from '../records/vocabulary/vocabulary.ts';

/** Limits, because a column of free text can have a different value in each row, and names and values can be long. */
const maxShown = 100;
const maxColumns = 4_096;
const maxLength = 60;

export function createMappingLosses() {
  const mapped = createCounter<{ field: string; publishedAs: string; value: string }>();
  const leftOut = createCounter<{ text: string; summary: string }>();
  const columns = new Set<string>();

  const observer = {
    onMappedValue: ({ field, value, publishedAs }) =>
      mapped.add({ field, publishedAs: shorten(publishedAs), value: shorten(value) }),
    onLeftOut: (text, summary) => leftOut.add({ text, summary }),
    onLeftOutColumns: (names) => {
      for (const name of names) if (columns.size < maxColumns) columns.add(shorten(name));
    },
  } satisfies ImportObserver;

  return {
    observer,
    /** One for each published value of several, and on the data that is left out. */
    notes: (): Reason[] => [
      ...Map.groupBy(mapped.list(), ({ field, publishedAs }) => JSON.stringify([field, publishedAs]))
        .values()
        .filter(({ length }) => length > 1)
        .map(noteMergedValues),
      ...noteFinalWords(mapped.list()),
      ...leftOut.list().map((values): Reason => ({ code: 'text-left-out', ...values })),
      ...(columns.size > 0 ? [noteColumns([...columns])] : []),
    ],
  };
}

const shorten = (text: string) => text.slice(0, maxLength);

interface Mapped {
  field: string;
  publishedAs: string;
  value: string;
  count: number;
}

/** A person who reads "in review" would wait for a decision that the council has made. */
function noteFinalWords(mapped: readonly Mapped[]): Reason[] {
  const found = mapped
    .filter(
      ({ field, publishedAs, value }) => field === 'status' && isOpenStatus(publishedAs) && looksFinal(value),
    )
    .toSorted((a, b) => b.count - a.count);
  if (found.length === 0) return [];
  const values = found
    .slice(0, maxShown)
    .map(({ value, publishedAs, count }) => ({ value, publishedAs, count }));
  return [{ code: 'final-words-open', values, others: found.length - values.length }];
}

function noteMergedValues(merged: readonly Mapped[]): Reason {
  const [{ field, publishedAs } = { field: '', publishedAs: '' }] = merged;
  const sorted = merged.toSorted((a, b) => b.count - a.count);
  const values = sorted.slice(0, maxShown).map(({ value, count }) => ({ value, count }));
  return { code: 'values-merged', field, publishedAs, values, others: sorted.length - values.length };
}

const noteColumns = (columns: readonly string[]): Reason => ({
  code: 'columns-left-out',
  columns: columns.slice(0, maxShown),
  others: Math.max(0, columns.length - maxShown),
});
