/** One import of files into a municipality: reads them, writes the records, and records the run in the history. */
import type { Actor } from '../domain/actor.ts';
import type { ImportEnd, ImportHistoryStore } from '../domain/import-history.ts';
import type { RedactionKind } from '../domain/import-source.ts';
import type { Language } from '../domain/published-words.ts';
import type { ImportStore } from '../domain/store.ts';
import { parseSuppressionRule } from '../import/disclosure-control/disclosure-options.ts';
import type { SurveyStore } from '../import/disclosure-control/similar-survey.ts';
import type { Format, FormatOptions } from '../import/format-definition.ts';
import type { ImportObserver, ImportSummary } from '../import/import-observer.ts';
import { createEmptySummary, runImport } from '../import/pipeline.ts';
import type { InputFile } from '../import/readers/input-files.ts';
import { unfoldArchives } from '../import/readers/zipped-files.ts';
import { deriveNamespace } from '../import/record-ids.ts';
import { traceWork } from '../tracing/tracing.ts';
import type { RedactedSource } from './choose-redaction.ts';
import { describeImportFailure, type ImportFailure } from './describe-failure.ts';
import { startImportRun } from './import-run-recorder.ts';

export type FileImportStore = ImportStore & ImportHistoryStore & SurveyStore;

export interface FileImport {
  organizationId: string;
  format: Format;
  files: readonly InputFile[];
  /** For the history: files as the user named them, or a URL. */
  paths: readonly string[];
  redactedSource: RedactedSource;
  formatOptions: FormatOptions;
  /** IANA name. */
  timeZone: string;
  /** Of words that the import writes. */
  language: Language;
  dryRun: boolean;
  strict: boolean;
  /** See `ImportOptions`. */
  readsAllFirst?: boolean | undefined;
  /** See `ImportOptions`. */
  acceptedKinds?: readonly RedactionKind[] | undefined;
  /** Delete missing records, unless they are more than this percentage of a kind; undefined: only count them. */
  maxDeletedPercent: number | undefined;
  /** The user who started it; undefined: the default actor of the store. */
  by?: Actor | undefined;
  /** See `startImportRun`. */
  resumedRunId?: string | undefined;
  observer: ImportObserver;
  /** Ends the import. Batches that were written before stay. */
  signal: AbortSignal;
  /** Receives the id in the import history, before anything is read; never called for a dry run. */
  onRunStarted?: ((runId: string) => Promise<void>) | undefined;
  /** Receives a sentence if the history cannot be updated. */
  onProblem: (sentence: string) => void;
}

export interface ImportResult {
  /** Id in the import history; undefined for a dry run. */
  runId: string | undefined;
  end: ImportEnd;
  /** Counts of the committed records, or those that a dry run would commit; undefined: none. */
  summary: ImportSummary | undefined;
  failure: ImportFailure | undefined;
}

/** Errors end the import; the result describes them. @throws StoreUnavailableError if it cannot be recorded */
export const importFiles = (store: FileImportStore, work: FileImport): Promise<ImportResult> =>
  traceWork(
    'import',
    {
      'rostra.organization.id': work.organizationId,
      'rostra.import.format': work.format.name,
      'rostra.import.dry_run': work.dryRun,
    },
    () => runFileImport(store, work),
    ({ end, summary, runId }) => ({
      'rostra.import.outcome': end,
      'rostra.import.run_id': runId,
      'rostra.import.records': summary?.read,
    }),
  );

async function runFileImport(store: FileImportStore, work: FileImport): Promise<ImportResult> {
  const { organizationId, format, paths, by, redactedSource, formatOptions, signal } = work;
  const { source } = redactedSource;
  const { name } = source;
  const namespace = deriveNamespace(organizationId, name === '' ? undefined : name);
  const run = work.dryRun
    ? undefined
    : await startImportRun(
        store,
        { organizationId, format: format.name, source, paths, by, resumedRunId: work.resumedRunId },
        work.onProblem,
      );
  if (run !== undefined) await work.onRunStarted?.(run.id);
  const isOneTransaction = work.strict || work.dryRun;
  let summary: ImportSummary | undefined;
  let failure: ImportFailure | undefined;
  let hasSupportCounts: boolean | undefined;
  const observer: ImportObserver = {
    ...work.observer,
    onRejection: (rejection) => {
      work.observer.onRejection?.(rejection);
      run?.addRejection(rejection);
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
    const { timeZone } = work;
    const sheet = formatOptions.sheet as string | undefined;
    const readOptions = { namespace, sourceName: name, timeZone, formatOptions, observer, signal, sheet };
    const files = await unfoldArchives(work.files, format.fileExtensions, { signal });
    const records = format.readRecords(files, readOptions);
    summary = await runImport(records, store, {
      organizationId,
      namespace,
      suppressionRule: parseSuppressionRule(formatOptions, work.language),
      dryRun: work.dryRun,
      strict: work.strict,
      readsAllFirst: work.readsAllFirst,
      acceptedKinds: work.acceptedKinds,
      redactor: redactedSource.redactor,
      source,
      runId: run?.id,
      missing: format.isPartialInput
        ? undefined
        : { isKnownSource: redactedSource.isKnown, maxDeletedPercent: work.maxDeletedPercent },
      observer,
      signal,
    });
  } catch (error) {
    failure = describeImportFailure(error, summary, signal);
  }
  const end = failure === undefined ? 'done' : signal.aborted ? 'interrupted' : 'failed';
  await run?.end(end, summary ?? createEmptySummary(), failure?.message, hasSupportCounts);
  return { runId: run?.id, end, summary, failure };
}
