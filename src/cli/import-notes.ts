/** Collects what the counts of an import do not show: notes, unmapped and rejected values, statistics. */
import type { ImportObserver } from '../import/import-observer.ts';
import { createStatisticsCollector, type ImportStatistics } from '../import/value-statistics.ts';
import { createVocabularyCheck } from '../import/vocabulary-check.ts';

export interface ImportNotes {
  observer: ImportObserver;
  collect(): CollectedNotes;
}

export interface CollectedNotes {
  /** By value of the source, the most frequent first. */
  unmappedValues: ReadonlyMap<string, { count: number; publishedAs: string }>;
  /** By field and column: the rejected records of each value. */
  rejectedValues: ReadonlyMap<string, ReadonlyMap<string, number>>;
  notes: readonly string[];
  statistics: ImportStatistics;
}

/** Bounds for columns of free text, where each row has another value. */
const maxValueLength = 60;
const maxValues = 1_000;

export function createImportNotes(): ImportNotes {
  const unmappedValues = new Map<string, { count: number; publishedAs: string }>();
  const rejectedValues = new Map<string, Map<string, number>>();
  const notes: string[] = [];
  const vocabulary = createVocabularyCheck();
  const statistics = createStatisticsCollector();
  return {
    observer: {
      onUnmappedValue: (text, publishedAs) => {
        const value = text.slice(0, maxValueLength);
        const count = (unmappedValues.get(value)?.count ?? 0) + 1;
        if (count > 1 || unmappedValues.size < maxValues) unmappedValues.set(value, { count, publishedAs });
      },
      onRejectedValue: (fieldAndColumn, text) => {
        const counts = rejectedValues.get(fieldAndColumn) ?? new Map<string, number>();
        rejectedValues.set(fieldAndColumn, counts);
        const value = text.slice(0, maxValueLength);
        const count = (counts.get(value) ?? 0) + 1;
        if (count > 1 || counts.size < maxValues) counts.set(value, count);
      },
      onNote: (sentence) => void notes.push(sentence),
      onRecord: (record) => {
        vocabulary.add(record);
        statistics.add(record);
      },
    },
    collect: () => ({
      unmappedValues: new Map([...unmappedValues].sort(([, a], [, b]) => b.count - a.count)),
      rejectedValues: new Map(
        [...rejectedValues].map(([column, counts]) => [
          column,
          new Map([...counts].sort(([, a], [, b]) => b - a)),
        ]),
      ),
      notes: [...notes, ...vocabulary.notes()],
      statistics: statistics.result(),
    }),
  };
}
