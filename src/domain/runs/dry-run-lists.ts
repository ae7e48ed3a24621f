/** Lists of what a dry run found, record by record. They are too long for its report, and are stored beside the file of the run. */

import type { RecordKind } from '../records/records.ts';
import type { ImportRunReference, RejectedRecord } from './run-history.ts';

/** A published record. */
export interface DescribedRecord {
  kind: RecordKind;
  id: string;
  /** Or the beginning of its text. */
  title: string;
  /** Time of creation, or date of a session; null for surveys. */
  at: string | null;
}

/** Records of an import that other sources have published. */
export interface RepeatedRecords {
  count: number;
  /** Of the compared records: submissions and sessions. */
  total: number;
  /** Name or format of a source that has published some of them; empty for records without a source, and if it was removed. */
  source: string;
  /** The first three, as published. */
  examples: DescribedRecord[];
}

export const maxRepeatedExamples = 3;

export type FieldState = string | number | null;

/** Values that are not shown are missing, such as those of agendas and numbers of surveys. */
export interface FieldDifference {
  field: string;
  before?: FieldState;
  after?: FieldState;
}

export interface ChangedRecord extends DescribedRecord {
  fields: readonly FieldDifference[];
}

/** The entries of each list, after redaction. */
export interface DryRunEntries {
  changed: ChangedRecord;
  removed: DescribedRecord;
  /** Of the source, and absent from the file. */
  missing: DescribedRecord;
  rejected: RejectedRecord;
}

export const dryRunLists = [
  'changed',
  'removed',
  'missing',
  'rejected',
] as const satisfies (keyof DryRunEntries)[];
export type DryRunList = (typeof dryRunLists)[number];

/** A list ends at the first of these limits. */
export const maxListedEntries = 100_000;
export const maxListBytes = 33_554_432;

/** Number of stored entries. */
export type ListedCounts = Record<DryRunList, number>;

export interface ListWriter {
  add<List extends DryRunList>(list: List, entry: DryRunEntries[List]): void;
  close(): ListedCounts;
}

export interface DryRunListStorage {
  /**
   * Begins the lists of the run anew. They are removed together with its file.
   *
   * @param onProblem receives a sentence if the lists cannot be written; the dry run goes on without them
   */
  openLists(run: ImportRunReference, onProblem: (sentence: string) => void): Promise<ListWriter>;
  /** @returns the entries after the first `skipped` ones; none if this machine does not have the list */
  readList<List extends DryRunList>(
    run: ImportRunReference,
    list: List,
    skipped: number,
  ): AsyncIterable<DryRunEntries[List]>;
}
