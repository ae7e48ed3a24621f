/** Drafts `skip` for columns and statuses that seem to say which rows are public. */
import type { WordCount } from '../../../../domain/sources/suggested-mapping.ts';
import type { SkippedValue } from '../../../../domain/sources/table-mapping.ts';
import { findStatusMark, isDenied, isMarked } from '../../../records/retraction-marks.ts';
import { findPublicityName } from '../../../records/vocabulary/vocabulary.ts';
import type { ScannedColumn } from './scan-column.ts';

interface SkippedColumn {
  column: string;
  value: SkippedValue;
  /** Rows of this file that it leaves out. */
  count: number;
}

/** Also without such a row in this file: a later one may have some. @param columns those without a field */
export function draftSkipRule(columns: readonly ScannedColumn[]): SkippedColumn[] {
  return columns.flatMap(({ summary: { name, filled, words, date } }) => {
    const publicity = findPublicityName(name);
    if (publicity === undefined) return [];
    const [value, isSkipped] =
      publicity === 'withheld' ? (['filled', isMarked] as const) : (['no', isDenied] as const);
    // A date says when a row was published or hidden.
    if (value === 'no' && (date !== null || words === null)) return [];
    return [{ column: name, value, count: words === null ? filled : countRows(words, isSkipped) }];
  });
}

const countRows = (
  words: readonly { word: string; count: number }[],
  isSkipped: (word: string) => boolean,
): number => words.reduce((sum, { word, count }) => sum + (isSkipped(word) ? count : 0), 0);

/** @param column the one with the status @returns its words for rows that are not public */
export const listSkippedStatuses = ({ summary: { words } }: ScannedColumn): WordCount[] =>
  words?.filter(({ word }) => findStatusMark(word) !== undefined) ?? [];
