/**
 * One import, from wherever it is started: the command line, a schedule, the admin area or an endpoint. It holds the lease of
 * the municipality, resolves the settings, opens and reads the input, and records the end in the history and in the state of
 * the source. The request and the host have what differs.
 */
import type { Reason } from '../../domain/reasons/reason.ts';
import type { ImportEnd, ImportHistoryStore } from '../../domain/runs/run-history.ts';
import type { SourceReference, SourceStore, SourceValidators } from '../../domain/sources/import-source.ts';
import type { ImportStore, ReleasedSurveyStore } from '../../domain/store.ts';
import { deriveNamespace } from '../../domain/values/uuid.ts';
import { traceWork } from '../../platform/tracing/tracing.ts';
import type { FormatOptions } from '../format-options.ts';
import type { Format, FormatReadOptions } from '../formats/format-definition.ts';
import { allFiles } from '../formats/format-registry.ts';
import { createMappingLosses } from '../pipeline/mapping-losses.ts';
import type { TimeRange } from '../pipeline/missing-records.ts';
import { createEmptySummary, type ImportOptions, runPipeline } from '../pipeline/pipeline.ts';
import { createSuppressionRule } from '../privacy/disclosure-control/small-count-suppression.ts';
import type { InputFile } from '../readers/input-files.ts';
import { removeRepeatedFiles, unfoldArchives } from '../readers/unfold-archives.ts';
import { createCounter } from '../records/bounded-counter.ts';
import type { ImportObserver, ImportSummary } from '../records/import-observer.ts';
import type { ParsedRecord } from '../records/parsed-record.ts';
import { describeImportFailure, type ImportFailure, isInterruption } from './describe-import-failure.ts';
import type { PreparedImport } from './prepare-import.ts';
import { type HeldRun, holdRun, holdRunWhenFree, type NewRun } from './run-under-lease.ts';

export type RunStore = ImportStore &
  ImportHistoryStore &
  ReleasedSurveyStore &
  Pick<SourceStore, 'beginSourceRun' | 'endSourceRun'>;

/** What imports do differently by intention. */
interface ImportPolicy extends Pick<ImportOptions, 'readsAllFirst' | 'acceptedKinds' | 'confirmed'> {
  /** Rejected records end the import, which writes nothing before its end. */
  isStrict?: boolean | undefined;
}

export interface RunRequest extends ImportPolicy, NewRun {
  isDryRun: boolean;
  /** Resolves the settings under the lease: an import that this one waited for may have changed the redaction of the source. */
  prepare: () => Promise<PreparedImport>;
  /** Opens what is imported. */
  open: (work: PreparedImport, caller: InputCaller) => Promise<OpenedInput>;
  /** Why a complete import is rather an error of the source; default: it never is. */
  judge?: (summary: ImportSummary, firstRejection: Reason | undefined) => Reason | undefined;
  /** The stored source whose state a run changes that is no dry run. */
  stored?: { reference: SourceReference; schedule: AttemptSchedule | undefined } | undefined;
}

/** Of a run that fetches the address of its source. A failure makes such a source fail, while a person sees that of a file. */
interface AttemptSchedule {
  /** When the run was due; null without a schedule. */
  dueAt: string | null;
}

/** Where an import reports to, and what ends it. */
export interface InputCaller {
  observer: ImportObserver;
  /** Ends the import. Batches that were written before stay. */
  signal: AbortSignal;
  /** Each transaction fails if it has lost its lease. Undefined for a dry run. */
  run: HeldRun | undefined;
}

interface ImportCaller extends InputCaller {
  /** Receives a sentence if the history cannot be updated. */
  onProblem: (sentence: string) => void;
}

/** Who imports. */
export interface RunHost extends Omit<ImportCaller, 'run'> {
  /** `wait` until no other import of the municipality runs, or `give-up`; or a run that this process holds. Dry runs need none. */
  lease: 'wait' | 'give-up' | HeldRun;
  /** Is called once if it waits. */
  onWait?: () => void;
}

export type ReadRecords = (options: FormatReadOptions) => AsyncGenerator<ParsedRecord>;

/** What an input says about its import. */
interface InputScope {
  formatOptions?: FormatOptions;
  /** Whether records of the source may be missing, although they exist. Then none counts as missing, except in `completeTimes`. */
  isPartial?: boolean | undefined;
  /** Only submissions of these times count as missing; undefined: records of all times. */
  completeTimes?: readonly TimeRange[] | undefined;
  /** The number of new or changed objects of an endpoint. The history lists runs with changes or news; undefined: all. */
  news?: number | undefined;
}

export interface OpenedInput {
  /** Undefined: the content is that of the last run. */
  read: ReadRecords | undefined;
  scope?: InputScope;
  /** An excerpt says nothing about the whole source. */
  isExcerpt?: boolean;
  /** For the next run. */
  validators?: SourceValidators;
  /** Adds counts of the input. */
  complete?: (summary: ImportSummary) => ImportSummary;
  close?: () => unknown;
}

interface ImportResult {
  /** Id in the import history; undefined if it is not recorded. */
  runId: string | undefined;
  end: ImportEnd;
  /** Counts of the committed records, or those that a dry run would commit; undefined: none. */
  summary: ImportSummary | undefined;
  failure: ImportFailure | undefined;
}

export interface RunResult extends ImportResult {
  /** The content at the address is that of the last run, so nothing was read. */
  isUnchanged: boolean;
}

/** Undefined: another import of the municipality runs, and this one gave up. */
export type ResultUnder<Lease> = 'give-up' extends Lease ? RunResult | undefined : RunResult;

const nothingRead = { runId: undefined, summary: undefined, failure: undefined, isUnchanged: false };

/**
 * Errors end the import; the result describes them.
 *
 * @returns undefined if another import of the municipality runs, and this one gives up
 * @throws StoreConflictError if the municipality was removed, StoreUnavailableError if the end cannot be recorded
 */
export const runImport = <Lease extends RunHost['lease']>(
  store: RunStore,
  request: RunRequest,
  host: RunHost & { lease: Lease },
): Promise<ResultUnder<Lease>> => runUnderLease(store, request, host) as Promise<ResultUnder<Lease>>;

async function runUnderLease(
  store: RunStore,
  request: RunRequest,
  { lease, onWait, ...host }: RunHost,
): Promise<RunResult | undefined> {
  const work = (signal: AbortSignal, run?: HeldRun) =>
    runHeldImport(store, request, { ...host, signal, run });
  if (request.isDryRun) return work(host.signal);
  if (lease === 'give-up') return holdRun(store, request, host.signal, work);
  if (lease !== 'wait') return work(host.signal, lease);
  try {
    return await holdRunWhenFree(store, request, host.signal, work, onWait);
  } catch (error) {
    if (!host.signal.aborted) throw error;
    return {
      ...nothingRead,
      end: 'interrupted',
      failure: describeImportFailure(error, undefined, host.signal),
    };
  }
}

async function runHeldImport(store: RunStore, request: RunRequest, caller: ImportCaller): Promise<RunResult> {
  const stored = request.isDryRun ? undefined : request.stored;
  const { reference, schedule } = stored ?? {};
  const retryAt = reference && schedule ? await store.beginSourceRun(reference) : null;
  const { result, validators = {} } = await readInput(store, request, caller);
  const { end, runId, failure } = result;
  if (reference === undefined) return result;
  if (end === 'done') await store.endSourceRun(reference, { end, runId, validators, ...schedule });
  else if (schedule && end === 'interrupted')
    await store.endSourceRun(reference, { end, dueAt: schedule.dueAt, retryAt });
  else if (schedule && failure !== undefined)
    await store.endSourceRun(reference, { end: 'failed', runId, error: failure.reason });
  return result;
}

type Run = { result: RunResult; validators?: SourceValidators | undefined };

async function readInput(store: RunStore, request: RunRequest, caller: ImportCaller): Promise<Run> {
  const { signal, run, onProblem } = caller;
  const { observer, getFirstRejection } = reportTo(caller.observer, run);
  let input: OpenedInput | undefined;
  try {
    const work = await request.prepare();
    const { note } = work.redactedSource;
    if (note !== undefined) observer.onNote?.(note);
    input = await request.open(work, { observer, signal, run });
    const { read, scope, validators, isExcerpt, complete = (summary) => summary } = input;
    if (read === undefined) return { result: { ...nothingRead, end: 'done', isUnchanged: true }, validators };
    const { confirmed, acceptedKinds, readsAllFirst, isStrict } = request;
    const imported = await importRecords(
      store,
      {
        ...work,
        ...scope,
        ...{ confirmed, acceptedKinds, readsAllFirst, isStrict, run, observer, signal, onProblem },
      },
      read,
    );
    const summary = imported.summary && complete(imported.summary);
    const result = { ...imported, summary, isUnchanged: false };
    if (isExcerpt || summary === undefined || imported.failure !== undefined) return { result, validators };
    const reason = request.judge?.(summary, getFirstRejection());
    if (reason === undefined) return { result, validators };
    return { result: { ...result, end: 'failed', failure: { reason, unexpected: undefined } }, validators };
  } catch (error) {
    const end = isInterruption(error, signal) ? 'interrupted' : 'failed';
    return { result: { ...nothingRead, end, failure: describeImportFailure(error, undefined, signal) } };
  } finally {
    await input?.close?.();
  }
}

/** Reports to the caller and to the history. */
function reportTo(caller: ImportObserver, run: HeldRun | undefined) {
  let firstRejection: Reason | undefined;
  const observer: ImportObserver = {
    ...caller,
    onNote: (note) => {
      caller.onNote?.(note);
      run?.addNote(note);
    },
    onRejection: (rejection) => {
      firstRejection ??= rejection.reason;
      caller.onRejection?.(rejection);
      run?.addRejection(rejection);
    },
  };
  return { observer, getFirstRejection: () => firstRejection };
}

/** The input of files. */
export const openFiles =
  (files: readonly InputFile[]) =>
  async ({ format }: PreparedImport): Promise<OpenedInput> => ({ read: readFiles(files, format) });

export const readFiles = (files: readonly InputFile[], format: Format): ReadRecords =>
  async function* (options) {
    const { reader } = await format.load();
    const unfolded = await unfoldArchives(files, format, options);
    const sources = format.usesFileNames ? unfolded : removeRepeatedFiles(unfolded, options.observer);
    yield* reader.readRecords(sources, options);
  };

type RecordImport = PreparedImport & InputScope & ImportPolicy & ImportCaller;

/** Errors end the import; the result describes them. @throws StoreUnavailableError if it cannot be recorded */
const importRecords = (store: RunStore, work: RecordImport, read: ReadRecords): Promise<ImportResult> =>
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
  store: RunStore,
  work: RecordImport,
  read: ReadRecords,
): Promise<ImportResult> {
  const { organizationId, format, run, redactedSource, formatOptions, signal } = work;
  const { source } = redactedSource;
  const { name } = source;
  const namespace = deriveNamespace(organizationId, name === '' || work.isEndpoint ? undefined : name);
  const dryRun = run === undefined;
  await run?.start();
  const isOneTransaction = work.isStrict === true || dryRun;
  let summary: ImportSummary | undefined;
  let failure: ImportFailure | undefined;
  let hasSupportCounts: boolean | undefined;
  let end: ImportEnd = 'done';
  // One note for each encoding, because an archive may have thousands of files.
  const encodings = createCounter<{ encoding: string; file: string }>(({ encoding }) => encoding);
  const backslashQuotes = createCountedNotes((reason, count) => ({ ...reason, count }) as Reason);
  const leftOutValues = createCountedNotes((problem, count) => ({ code: 'values-left-out', problem, count }));
  const retractions = createCountedNotes((because, count) => ({ code: 'records-retracted', because, count }));
  const leftOutColumns = createMappingLosses();
  const observer: ImportObserver = {
    ...work.observer,
    onEncodingDetected: (file, encoding) => encodings.add({ encoding, file }),
    onBackslashQuotes: (file) => backslashQuotes.add({ code: 'backslash-quotes', file, count: 1 }),
    onLeftOutValue: leftOutValues.add,
    onRetraction: retractions.add,
    onLeftOutColumns: (names) => {
      work.observer.onLeftOutColumns?.(names);
      leftOutColumns.observer.onLeftOutColumns(names);
    },
    onRecord: (record, isUnchanged) => {
      work.observer.onRecord?.(record, isUnchanged);
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
    const { timeZone, country, language } = work;
    const { sheet, records, headerRow } = formatOptions as Pick<
      FormatReadOptions,
      'sheet' | 'records' | 'headerRow'
    >;
    const readOptions = {
      allFiles,
      namespace,
      readsLocations: work.locationRules.decimals !== null,
      sourceName: name,
      timeZone,
      country,
      language,
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
      suppressionRule: createSuppressionRule(formatOptions, language),
      dryRun,
      strict: work.isStrict === true,
      readsAllFirst: work.readsAllFirst,
      mayRetractBySettings: redactedSource.isKnown && format.mayRetractBySettings?.(formatOptions) === true,
      isNewSource: !redactedSource.isKnown,
      confirmed: work.confirmed ?? [],
      acceptedKinds: work.acceptedKinds,
      redactor: redactedSource.redactor,
      locationRules: work.locationRules,
      country: work.country,
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
  const notes: Reason[] = [
    ...encodings.list().map((found) => ({ code: 'encoding-detected', ...found }) as const),
    ...[backslashQuotes, leftOutValues, retractions].flatMap((counted) => counted.list()),
  ];
  for (const note of notes) observer.onNote?.(note);
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

/** One note for each code, field and problem, because every record can have a reason. */
function createCountedNotes(toNote: (reason: Reason, count: number) => Reason): {
  add(reason: Reason): void;
  list(): Reason[];
} {
  const found = new Map<string, { reason: Reason; count: number }>();
  return {
    add: (reason) => {
      const { field, problem } = reason as { field?: string; problem?: string };
      const key = `${reason.code} ${field} ${problem}`;
      found.set(key, { reason, count: (found.get(key)?.count ?? 0) + 1 });
    },
    list: () => [...found.values()].map(({ reason, count }) => toNote(reason, count)),
  };
}
