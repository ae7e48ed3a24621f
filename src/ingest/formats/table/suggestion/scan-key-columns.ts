/** Finds columns that together identify the rows of a table. */
import { findPersonalDataName, isCountName, rankColumnName } from '../../../records/vocabulary/vocabulary.ts';
import { createDistinctCounter } from './count-distinct.ts';
import type { ScannedColumn } from './scan-column.ts';

export interface KeyScanner {
  add(cells: Readonly<Record<string, string>>): void;
  /** @returns the fewest of the columns that identify all rows; empty if they do not */
  finish(columns: readonly ScannedColumn[]): string[];
}

/** Tries a date, a district, a number and a title, in this order and one more each time. */
export function createKeyScanner(header: readonly string[]): KeyScanner {
  const likely = (field: 'id' | 'title' | 'createdAt' | 'district', count: number) =>
    header
      .filter(
        (name) =>
          findPersonalDataName(name) === undefined && !isCountName(name) && rankColumnName(field, name),
      )
      .slice(0, count);
  const parts = [
    ...new Set([
      ...likely('createdAt', 2),
      ...likely('district', 2),
      ...likely('id', 1),
      ...likely('title', 1),
    ]),
  ];
  const counters = parts.map(() => createDistinctCounter());
  return {
    add(cells) {
      let key = '';
      for (const [index, counter] of counters.entries()) {
        key += `${JSON.stringify(cells[parts[index] as string]?.trim())},`;
        if (counter.repeated() === 0) counter.add(key);
      }
    },
    finish(columns) {
      const isFull = (name: string) => columns.find(({ summary }) => summary.name === name)?.isFull === true;
      const isEmpty = (name: string) =>
        columns.find(({ summary }) => summary.name === name)?.summary.filled === 0;
      // A column with empty cells identifies rows only by chance, so it is used only if nothing else remains.
      const length = counters.findIndex(
        (counter, index) =>
          index > 0 &&
          counter.repeated() === 0 &&
          (parts.slice(0, index + 1).every(isFull) || index === counters.length - 1),
      );
      return parts.slice(0, length + 1).filter((name) => !isEmpty(name));
    },
  };
}
