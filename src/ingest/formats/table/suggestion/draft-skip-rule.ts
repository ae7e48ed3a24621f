/** Drafts `skip` for columns and statuses that seem to say which rows are public. */
import type { WordCount } from '../../../../domain/sources/suggested-mapping.ts';
import type { SkippedValue } from '../../../../domain/sources/table-mapping.ts';
import { findStatusMark } from '../../../records/retraction-marks.ts';
import { findPublicityName, rankColumnName } from '../../../records/vocabulary/vocabulary.ts';
import { skipTests } from '../collect-skipped-rows.ts';
import type { ScannedColumn } from './scan-column.ts';

interface SkippedColumn {
  column: string;
  value: SkippedValue | string[];
  /** Rows of this file that it leaves out. */
  count: number;
  /** Of these rows. An empty one stands for empty cells. Empty if the column has too many. */
  words: string[];
}

/** Also without such a row in this file: a later one may have some. @param columns those without a field */
export function draftSkipRule(columns: readonly ScannedColumn[], rows: number): SkippedColumn[] {
  return columns.flatMap((column): SkippedColumn[] => {
    const { name, filled, words } = column.summary;
    const value = chooseSkippedValue(column);
    if (value === undefined) return [];
    if (words === null)
      return [{ column: name, value, count: value === 'filled' ? filled : rows - filled, words: [] }];
    const isSkipped = typeof value === 'string' ? skipTests[value] : (word: string) => value.includes(word);
    const cells = [...words, ...(filled < rows ? [{ word: '', count: rows - filled }] : [])];
    const skipped = cells.filter(({ word }) => isSkipped(word));
    return [{ column: name, value, count: sumRows(skipped), words: skipped.map(({ word }) => word) }];
  });
}

/** @returns undefined for a column that says nothing about publicity */
function chooseSkippedValue(column: ScannedColumn): SkippedValue | string[] | undefined {
  const { name, filled, words, date } = column.summary;
  const publicity = findPublicityName(name);
  if (publicity === 'withheld') return 'filled';
  // Rows without a word for a release, or without its date, are not released. An empty column and one of texts say nothing.
  if (publicity === 'released')
    return filled === 0 ? 'no' : date === null && words === null ? undefined : 'not yes';
  const statuses = rankColumnName('status', name) === undefined ? [] : listSkippedStatuses(column);
  return statuses.length > 0 ? statuses.map(({ word }) => word) : undefined;
}

/** @param column the one with the status @returns its words for rows that are not public */
export const listSkippedStatuses = ({ summary: { words } }: ScannedColumn): WordCount[] =>
  words?.filter(({ word }) => findStatusMark(word) !== undefined) ?? [];

export const sumRows = (words: readonly WordCount[]): number =>
  words.reduce((sum, { count }) => sum + count, 0);
