/** Writes the records of one import, and records the run in the history. */

import type { Language } from '../../domain/organizations/published-words.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import type { ImportQuestion } from '../../domain/runs/import-question.ts';
import type { ImportEnd, ImportHistoryStore } from '../../domain/runs/run-history.ts';
import type { RedactionKind, WritingSource } from '../../domain/sources/import-source.ts';
import type { ImportStore, ReleasedSurveyStore } from '../../domain/store.ts';
import { deriveNamespace } from '../../domain/values/uuid.ts';
import { traceWork } from '../../platform/tracing/tracing.ts';
import type { FormatOptions } from '../format-options.ts';
import type { Format, FormatReadOptions } from '../formats/format-definition.ts';
import { allFiles } from '../formats/format-registry.ts';
import { createMappingLosses } from '../pipeline/mapping-losses.ts';
import type { TimeRange } from '../pipeline/missing-records.ts';
import { createEmptySummary, runPipeline } from '../pipeline/pipeline.ts';
import { createSuppressionRule } from '../privacy/disclosure-control/small-count-suppression.ts';
import type { Redactor } from '../privacy/redaction/create-redactor.ts';
import type { ImportObserver, ImportSummary } from '../records/import-observer.ts';
import type { ParsedRecord } from '../records/parsed-record.ts';
import { describeImportFailure, type ImportFailure, isInterruption } from './describe-failure.ts';
import type { HeldRun } from './run-under-lease.ts';

export type FileImportStore = ImportStore & ImportHistoryStore & ReleasedSurveyStore;

export interface RedactedSource {
  source: WritingSource;
  redactor: Redactor;
  /** Whether an earlier import wrote records of this source. */
  isKnown: boolean;
  /** On redaction that only earlier imports asked for. */
  note: Reason | undefined;
}

export interface RecordImport {
  organizationId: string;
  format: Format;
  /** Whether the source is an OParl endpoint. The ids of its objects are unique in the world. */
  isEndpoint?: boolean | undefined;
  /** Whether records of the source may be missing, although they exist. Then none counts as missing, except in `completeTimes`. */
  isPartial?: boolean | undefined;
  /** Only submissions of these times count as missing; undefined: records of all times. */
  completeTimes?: readonly TimeRange[] | undefined;
  /** The number of new or changed objects of an endpoint. The history lists runs with changes or news; undefined: all. */
  news?: number | undefined;
  redactedSource: RedactedSource;
  formatOptions: FormatOptions;
  /** IANA name. */
  timeZone: string;
  /** ISO 3166-1 code of the municipality, which decides on the order of 03/04. */
  country: string;
  /** Of words that the import writes. */
  language: Language;
  strict: boolean;
  /** See `ImportOptions`. */
  readsAllFirst?: boolean | undefined;
  /** See `ImportOptions`. */
  acceptedKinds?: readonly RedactionKind[] | undefined;
  /** Questions that a person has confirmed; default: none. */
  confirmed?: readonly ImportQuestion[] | undefined;
  /** Delete missing records, unless they are more than this percentage of a kind; undefined: only count them. */
  maxDeletedPercent: number | undefined;
  /** Each transaction fails if it has lost its lease. Undefined for a dry run. */
  run: HeldRun | undefined;
  /** Receives what the history lists, too. */
  observer: ImportObserver;
  /** Ends the import. Batches that were written before stay. */
  signal: AbortSignal;
  /** Receives a sentence if the history cannot be updated. */
  onProblem: (sentence: string) => void;
}

export type ReadRecords = (options: FormatReadOptions) => AsyncGenerator<ParsedRecord>;

export interface ImportResult {
  /** Id in the import history; undefined if it is not recorded. */
  runId: string | undefined;
  end: ImportEnd;
  /** Counts of the committed records, or those that a dry run would commit; undefined: none. */
  summary: ImportSummary | undefined;
  failure: ImportFailure | undefined;
}

/** Errors end the import; the result describes them. @throws StoreUnavailableError if it cannot be recorded */
export const importRecords = (
  store: FileImportStore,
  work: RecordImport,
  read: ReadRecords,
): Promise<ImportResult> =>
  traceWork(
    'import',
    {
      'rostra.organization.id': work.organizationId,
      'rostra.import.format': work.format.name,
      'rostra.import.dry_run': work.run === undefined,
    },
    () => runRecordImport(store, work, read),
    ({ end, summary, runId }) => ({
      'rostra.import.outcome': end,
      'rostra.import.run_id': runId,
      'rostra.import.records': summary?.read,
    }),
  );

async function runRecordImport(
  store: FileImportStore,
  work: RecordImport,
  read: ReadRecords,
): Promise<ImportResult> {
  const { organizationId, format, run, redactedSource, formatOptions, signal } = work;
  const { source } = redactedSource;
  const { name } = source;
  const namespace = deriveNamespace(organizationId, name === '' || work.isEndpoint ? undefined : name);
  const dryRun = run === undefined;
  await run?.start();
  const isOneTransaction = work.strict || dryRun;
  let summary: ImportSummary | undefined;
  let failure: ImportFailure | undefined;
  let hasSupportCounts: boolean | undefined;
  let end: ImportEnd = 'done';
  const encodingNotes = createEncodingNotes();
  const backslashQuotes = createCountedNotes((reason, count) => ({ ...reason, count }) as Reason);
  const leftOutValues = createCountedNotes((problem, count) => ({ code: 'values-left-out', problem, count }));
  const retractions = createCountedNotes((because, count) => ({ code: 'records-retracted', because, count }));
  const leftOutColumns = createMappingLosses();
  const observer: ImportObserver = {
    ...work.observer,
    onEncodingDetected: encodingNotes.add,
    onBackslashQuotes: (file) => backslashQuotes.add({ code: 'backslash-quotes', file, count: 1 }),
    onLeftOutValue: leftOutValues.add,
    onRetraction: retractions.add,
    onLeftOutColumns: (names) => {
      work.observer.onLeftOutColumns?.(names);
      leftOutColumns.observer.onLeftOutColumns(names);
    },
    onRecord: (record) => {
      work.observer.onRecord?.(record);
      if (record.kind === 'submission') hasSupportCounts ||= record.isSupportCountMissing === undefined;
    },
    onProgress: (counts) => {
      work.observer.onProgress?.(counts);
      // One transaction writes nothing before its end.
      if (isOneTransaction) return;
      summary = counts;
      run?.updateCounts(counts);
    },
  };
  try {
    const { timeZone, country } = work;
    const { sheet, records, headerRow } = formatOptions as Pick<
      FormatReadOptions,
      'sheet' | 'records' | 'headerRow'
    >;
    const readOptions = {
      allFiles,
      namespace,
      sourceName: name,
      timeZone,
      country,
      formatOptions,
      observer,
      signal,
      sheet,
      records,
      headerRow,
    };
    summary = await runPipeline(read(readOptions), store, {
      organizationId,
      namespace,
      suppressionRule: createSuppressionRule(formatOptions, work.language),
      dryRun,
      strict: work.strict,
      readsAllFirst: work.readsAllFirst,
      mayRetractBySettings: redactedSource.isKnown && format.mayRetractBySettings?.(formatOptions) === true,
      isNewSource: !redactedSource.isKnown,
      confirmed: work.confirmed ?? [],
      acceptedKinds: work.acceptedKinds,
      redactor: redactedSource.redactor,
      timeZone,
      source,
      runId: run?.lease.id,
      lease: run?.lease,
      missing:
        format.isPartialInput || work.isEndpoint || (work.isPartial && work.completeTimes === undefined)
          ? undefined
          : {
              isKnownSource: redactedSource.isKnown,
              maxDeletedPercent: work.maxDeletedPercent,
              createdWithin: work.completeTimes,
            },
      observer,
      signal,
    });
  } catch (error) {
    failure = describeImportFailure(error, summary, signal);
    end = isInterruption(error, signal) ? 'interrupted' : 'failed';
  }
  for (const note of [encodingNotes, backslashQuotes, leftOutValues, retractions].flatMap((notes) =>
    notes.list(),
  ))
    observer.onNote?.(note);
  // Dry runs show them by themselves.
  for (const note of leftOutColumns.notes()) run?.addNote(note);
  if (end === 'done' && work.news !== undefined && !isWorthRecording(summary, work.news)) {
    await run?.forget();
    return { runId: undefined, end, summary, failure };
  }
  const counts = summary ?? createEmptySummary();
  await run?.end(end, counts, failure?.reason, hasSupportCounts, work.onProblem, work.isPartial);
  return { runId: run?.lease.id, end, summary, failure };
}

/** A record that each run rejects is recorded with the first one. */
const isWorthRecording = (summary: ImportSummary | undefined, news: number): boolean =>
  summary !== undefined &&
  (summary.inserted + summary.changed + summary.removed > 0 || (summary.rejected > 0 && news > 0));

interface EncodingNotes {
  add(file: string, encoding: string): void;
  list(): Reason[];
}

/** Notes on files in another encoding than UTF-8: one for each encoding, because an archive may have thousands of files. */
function createEncodingNotes(): EncodingNotes {
  const found = new Map<string, { file: string; count: number }>();
  return {
    add: (file, encoding) => {
      const files = found.get(encoding);
      if (files === undefined) found.set(encoding, { file, count: 1 });
      else files.count += 1;
    },
    list: () => [...found].map(([encoding, files]) => ({ code: 'encoding-detected', encoding, ...files })),
  };
}

/** One note for each code and field, because every record can have a reason. */
function createCountedNotes(toNote: (reason: Reason, count: number) => Reason): {
  add(reason: Reason): void;
  list(): Reason[];
} {
  const found = new Map<string, { reason: Reason; count: number }>();
  return {
    add: (reason) => {
      const key = `${reason.code} ${(reason as { field?: string }).field}`;
      found.set(key, { reason, count: (found.get(key)?.count ?? 0) + 1 });
    },
    list: () => [...found.values()].map(({ reason, count }) => toNote(reason, count)),
  };
}
