/** Notes of a dry run on what a mapping loses: values that it merges, and data that it leaves out. */
import type { ImportObserver } from './import-observer.ts';

/** Limits, because a column of free text can have a different value in each row, and names and values can be long. */
const maxValues = 1_000;
const maxShown = 20;
const maxColumns = 4_096;
const maxLength = 60;

export function createMappingLosses() {
  /** By field and published value: the number of records for each value of the source. */
  const merged = new Map<string, Map<string, number>>();
  const leftOut = new Map<string, number>();
  const columns = new Set<string>();
  let values = 0;

  const observer = {
    onMappedValue: ({ field, value, publishedAs }) => {
      const published = `${field} "${shorten(publishedAs)}"`;
      const text = shorten(value);
      const counts = merged.get(published);
      const count = counts?.get(text) ?? 0;
      if (count === 0 && values === maxValues) return;
      if (count === 0) values += 1;
      if (counts === undefined) merged.set(published, new Map([[text, 1]]));
      else counts.set(text, count + 1);
    },
    onLeftOut: (what) => void leftOut.set(what, (leftOut.get(what) ?? 0) + 1),
    onLeftOutColumns: (names) => {
      for (const name of names) if (columns.size < maxColumns) columns.add(shorten(name));
    },
  } satisfies ImportObserver;

  return {
    observer,
    /** One sentence for each published value, and on the data that is left out. */
    notes: (): string[] => [
      ...[...merged]
        .filter(([, counts]) => counts.size > 1)
        .map(([published, counts]) => `${published} is published for ${describeCounts(counts)}.`),
      ...[...leftOut].map(([what, count]) => `Not published: ${what} (${count}).`),
      ...(columns.size > 0 ? [`Data that is not published: ${describeColumns([...columns])}.`] : []),
    ],
  };
}

const shorten = (text: string) => text.slice(0, maxLength);

function describeColumns(columns: readonly string[]): string {
  const others = columns.length - maxShown;
  return [...columns.slice(0, maxShown), ...(others > 0 ? [`and ${others} more`] : [])].join(', ');
}

function describeCounts(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, maxShown).map(([value, count]) => `"${value}" (${count})`);
  const others = sorted.length - shown.length;
  return [...shown, ...(others > 0 ? [`${others} other values`] : [])].join(', ');
}
