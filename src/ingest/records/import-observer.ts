/** Callbacks for the progress and the results of an import. */

import type { Cell } from '../../domain/reasons/en/rejections.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import type { ImportRecord } from '../../domain/records/records.ts';
import type { ChangedRecord, DescribedRecord, RepeatedRecords } from '../../domain/runs/dry-run-lists.ts';
import type { ImportCounts } from '../../domain/runs/run-history.ts';
import type { SimilarSurvey, SurveyTableTexts } from '../../domain/runs/run-queue.ts';
import type { RedactionKind } from '../../domain/sources/import-source.ts';
import type { SourceLocation } from './parsed-record.ts';

export type PersonalDataCounts = Readonly<Partial<Record<RedactionKind, number>>>;

export interface ImportSummary extends ImportCounts {
  /** Replacements in the imported records by kind; empty without redaction. */
  redacted: Record<string, number>;
  /** Possible personal data that stays in the texts of the imported records, by kind; kinds without any are missing. */
  personalData: PersonalDataCounts;
}

export interface Rejection {
  location: SourceLocation;
  id: string | undefined;
  reason: Reason;
}

/** Published records of the source that the input lacks. */
export interface MissingRecords {
  count: number;
  deleted: number;
  /** A rejected record without a readable id may be one of the missing ones, so none was deleted. */
  isUncertain: boolean;
}

/** A word of the source that is published as another one, such as a status. */
interface MappedValue {
  field: string;
  value: string;
  publishedAs: string;
  /** Whether no rule covers the value, so that a default is published. */
  isUnmapped: boolean;
  /** The word that a row of the user's own statuses can map. */
  statusWord?: string | undefined;
}

/**
 * Reports a value that a rule covers: without its blanks, markup or a part of it, it can be published as others are.
 *
 * @returns the published value
 */
export function reportMapped(
  observer: ImportObserver,
  field: string,
  value: string,
  publishedAs: string,
): string {
  observer.onMappedValue?.({ field, value, publishedAs, isUnmapped: false });
  return publishedAs;
}

/** @param status undefined: no rule covers the value, so the fallback is published @returns the published status */
export function reportStatus(
  observer: ImportObserver,
  status: string | undefined,
  { fallback, value, statusWord }: { fallback: string; value: string; statusWord: MappedValue['statusWord'] },
): string {
  const publishedAs = status ?? fallback;
  observer.onMappedValue?.({
    field: 'status',
    value,
    publishedAs,
    isUnmapped: status === undefined,
    statusWord,
  });
  return publishedAs;
}

export interface ImportObserver {
  /** Bytes just read from disk. */
  onBytesRead?(count: number): void;
  /** Objects fetched from an endpoint so far. */
  onObjectsFetched?(count: number): void;
  /** Records read before the first write. @param isAll whether these are all; then they are written */
  onReadAhead?(count: number, isAll: boolean): void;
  onMappedValue?(mapped: MappedValue): void;
  /** Data of a record that has no place beside other data of it: the names of both in the source. */
  onLeftOut?(text: string, summary: string): void;
  /** Columns of a table, or properties of objects, that no field is read from. */
  onLeftOutColumns?(names: readonly string[]): void;
  /** Why a record is published without one of its values. */
  onLeftOutValue?(reason: Reason): void;
  /** A value that causes the rejection of its record, and where it is read from. */
  onRejectedValue?(cell: Cell, value: string): void;
  /** A file that is not UTF-8. */
  onEncodingDetected?(file: string, encoding: string): void;
  /** A table whose cells have quotation marks that are escaped with a backslash. */
  onBackslashQuotes?(file: string): void;
  /** A change to the data that the counts do not show. */
  onNote?(note: Reason): void;
  onRejection?(rejection: Rejection): void;
  /** A table of surveys as it is described. */
  onSurveyTable?(table: SurveyTableTexts): void;
  /** A survey is rejected until the user decides whether it continues this published survey. */
  onSimilarSurvey?(published: SimilarSurvey): void;
  /** An entry that is left out. @param reason undefined: the format leaves such entries out */
  onIgnored?(reason: Reason | undefined): void;
  /** A published record that the import has deleted, or of a dry run would delete, because the source retracts it. */
  onRetraction?(because: Reason): void;
  /** Of a dry run: the import would end with this reason, unless a person confirms. Its code is an `ImportQuestion`. */
  onQuestion?(question: Reason): void;
  /** A record that was written, or is published already as it is; called after its batch. */
  onRecord?(record: ImportRecord, isUnchanged: boolean): void;
  /** Of a dry run: a published record that the import would change, or remove. */
  onChange?(record: ChangedRecord): void;
  onRemoval?(record: DescribedRecord): void;
  /** Of a dry run: a published record of the source that the input lacks. */
  onAbsence?(record: DescribedRecord): void;
  /** Of a dry run: new records of a batch, compared with those of other sources. */
  onRepeated?(repeated: RepeatedRecords): void;
  /** The counts so far; called after each batch. */
  onProgress?(summary: ImportSummary): void;
  /** The records that the input lacks; called before the last transaction ends. */
  onMissingRecords?(missing: MissingRecords): void;
}
