/** Notes words that the lists of `skip` lack, although they do not say that their rows are public, and rows that repeat others. */
import type { WordCount } from '../../../domain/sources/suggested-mapping.ts';
import type { TableMapping } from '../../../domain/sources/table-mapping.ts';
import {
  findStatusMark,
  gradesPublic,
  isMarked,
  isReleased,
  mayWithhold,
  rememberResults,
} from '../../records/retraction-marks.ts';
import { findStatus, isDuplicateName, isNo } from '../../records/vocabulary/vocabulary.ts';
import type { FormatReadOptions } from '../format-definition.ts';
import { type Cells, listColumns, normalizeWord } from './mapping-rules.ts';

export interface RowNotes {
  /** Counts the words of a row that `skip` does not leave out, and whether it repeats another record. */
  add(cells: Cells): void;
  /** After the last row. */
  note(): void;
}

/** Characters. Longer cells are texts. */
const maxWordLength = 40;

/** A column with more different words is not one of states. */
const maxWords = 30;

export function createRowNotes(
  mapping: TableMapping,
  { observer, timeZone, country }: FormatReadOptions,
): RowNotes {
  const place = { timeZone: mapping.timeZone ?? timeZone, country };
  const status = typeof mapping.submission?.status === 'object' ? mapping.submission.status : {};
  const mapped = new Set(Object.keys(status.values ?? {}).map(normalizeWord));
  const withholds = (word: string, column: string) =>
    isNo(word) || findStatusMark(word) !== undefined || mayWithhold(word, column, place);
  // A list of other words, such as languages, only selects rows. An unknown status is rejected without a default.
  const columns = Object.entries(mapping.skip ?? {}).flatMap(([column, given]) =>
    typeof given !== 'string' &&
    given.some((word) => withholds(word, column)) &&
    !(column === status.column && status.values !== undefined && status.default === undefined)
      ? [{ column, counts: new Map<string, WordCount>() }]
      : [],
  );
  const isDecided = (word: string, column: string) =>
    isReleased(word, place) ||
    gradesPublic(word) ||
    ![undefined, 'submitted'].includes(findStatus(word, column)) ||
    // Such a status retracts its record.
    (column === status.column && (mapped.has(normalizeWord(word)) || findStatusMark(word) !== undefined));
  const named = new Set([
    ...Object.keys(mapping.skip ?? {}),
    ...(mapping.submission ? listColumns(mapping.submission) : []),
  ]);
  const repeats = rememberResults((column: string) => !named.has(column) && isDuplicateName(column));
  const repetitions = new Map<string, number>();
  return {
    add(cells) {
      for (const [column, cell] of Object.entries(cells))
        if (repeats(column) && isMarked(cell)) repetitions.set(column, (repetitions.get(column) ?? 0) + 1);
      for (const { column, counts } of columns) {
        const word = cells[column]?.trim() ?? '';
        if (word === '' || word.length > maxWordLength || counts.size > maxWords) continue;
        counts.getOrInsertComputed(normalizeWord(word), () => ({ word, count: 0 })).count += 1;
      }
    },
    note() {
      for (const [column, count] of repetitions)
        observer.onNote?.({ code: 'rows-repeat-others', column, count });
      for (const { column, counts } of columns) {
        const words = [...counts.values()]
          .filter(({ word }) => !isDecided(word, column))
          .toSorted((a, b) => b.count - a.count);
        if (words.length > 0 && counts.size <= maxWords)
          observer.onNote?.({ code: 'words-pass-skip', column, words });
      }
    },
  };
}
