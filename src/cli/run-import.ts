/** Runs one import: reads the input, shows progress and rejections, records the run, and prints the summary. */
import { redactionSettings } from '../config/settings.ts';
import type { ImportHistoryStore } from '../domain/import-history.ts';
import type { ImportSourceStore } from '../domain/import-source.ts';
import type { ImportStore, PublishedDataStore } from '../domain/store.ts';
import { StoreConflictError, StoreUnavailableError } from '../domain/store-errors.ts';
import { parseSuppressionRule } from '../import/disclosure-control/disclosure-options.ts';
import type { Format, FormatOptions } from '../import/format-definition.ts';
import type { ImportObserver, ImportSummary, MissingRecords } from '../import/import-observer.ts';
import { TooManyMissingError } from '../import/missing-records.ts';
import { formatLocation, InputError } from '../import/parsed-record.ts';
import { createEmptySummary, runImport } from '../import/pipeline.ts';
import { findInputFiles, type InputFile } from '../import/readers/input-files.ts';
import { deriveNamespace } from '../import/record-ids.ts';
import type { RequestedRedaction } from '../import/redaction/resolve-redaction.ts';
import { StrictModeError } from '../import/write-batch.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { abortOnSignal } from '../process/shutdown-signals.ts';
import { type DatabaseFlags, databaseSettings } from './command-context.ts';
import { CommandError } from './command-error.ts';
import { createImportNotes } from './import-notes.ts';
import { startImportRun } from './import-run-recorder.ts';
import { describeWrittenRecords, printImportSummary } from './print-import-summary.ts';
import { createProgress } from './progress-bar.ts';
import { chooseRedaction, type RedactionFlags } from './redaction-options.ts';
import { createRejectionLog } from './rejection-log.ts';

/** The settings of commands that import. */
export const importSettings = [...databaseSettings, ...redactionSettings];

export interface ImportFlags extends DatabaseFlags, RedactionFlags {
  dryRun?: true;
  strict?: true;
  timeZone?: string;
  source?: string;
  deleteMissing?: true;
  maxDeleted?: number;
  rejected?: string;
  json?: true;
}

type Store = ImportStore & ImportHistoryStore & ImportSourceStore & PublishedDataStore;

export async function runImportCommand(
  store: Store,
  organizationId: string,
  format: Format,
  paths: string[],
  flags: ImportFlags,
  formatOptions: FormatOptions,
  requested: RequestedRedaction,
): Promise<void> {
  const importSource = { format: format.name, name: flags.source ?? '' };
  const { source, redactor, isKnown } = await chooseRedaction(
    store,
    organizationId,
    importSource,
    requested,
    flags,
  );
  const files = listInputFiles(paths, format.fileExtensions);
  const namespace = deriveNamespace(organizationId, flags.source);
  const startedAt = performance.now();
  const rejections = createRejectionLog(flags.rejected);
  const run = flags.dryRun ? undefined : await startImportRun(store, organizationId, format.name, paths);
  const progress = createProgress(totalSize(files));
  const notes = createImportNotes();
  const { signal, dispose } = abortOnSignal();
  const isOneTransaction = flags.strict === true || flags.dryRun === true;
  let written: ImportSummary | undefined;
  let missing: MissingRecords | undefined;
  let failure: unknown;
  const observer: ImportObserver = {
    ...notes.observer,
    onBytesRead: progress.bytes,
    onRejection: (rejection) => {
      rejections.add(rejection);
      run?.addRejection(rejection);
    },
    onProgress: (summary) => {
      progress.records(summary.read);
      // One transaction writes nothing before its end.
      if (isOneTransaction) return;
      written = summary;
      run?.updateCounts(summary);
    },
    onMissingRecords: (found) => {
      missing = found;
    },
  };
  try {
    const options = { namespace, timeZone: flags.timeZone, formatOptions, observer, signal };
    written = await runImport(format.readRecords(files, options), store, {
      organizationId,
      namespace,
      suppressionRule: parseSuppressionRule(formatOptions),
      dryRun: flags.dryRun === true,
      strict: flags.strict === true,
      redactor,
      source,
      missing: format.isPartialInput
        ? undefined
        : {
            isKnownSource: isKnown,
            maxDeletedPercent: flags.deleteMissing ? flags.maxDeleted : undefined,
          },
      observer,
      signal,
    });
  } catch (error) {
    failure = signal.aborted ? interruptedError(written) : toCommandError(error, written);
  } finally {
    dispose();
    progress.stop();
    rejections.printSummary();
    rejections.close();
  }
  const end = failure === undefined ? 'done' : signal.aborted ? 'interrupted' : 'failed';
  await run?.end(end, written ?? createEmptySummary(), failure);
  if (written) printImportSummary(written, performance.now() - startedAt, notes.collect(), flags, missing);
  if (failure !== undefined) throw failure;
  if ((written?.rejected ?? 0) > 0)
    throw new CommandError(rejections.describeOutcome(), exitCodes.someRejected);
}

export function interruptedError(written: ImportSummary | undefined): CommandError {
  return new CommandError(`Interrupted. ${describeWrittenRecords(written)}`, exitCodes.interrupted);
}

/** @returns the error itself if it is unexpected */
function toCommandError(error: unknown, written: ImportSummary | undefined): unknown {
  if (error instanceof StrictModeError) {
    const { location, id, reason } = error.rejection;
    const record = id === undefined ? formatLocation(location) : `${formatLocation(location)} (${id})`;
    return new CommandError(`Rejected ${record}: ${reason}. With --strict, nothing was imported.`);
  }
  if (error instanceof TooManyMissingError)
    return new CommandError(
      `${error.message} ${written ? 'Everything else was imported.' : 'Nothing was imported.'}`,
    );
  if (error instanceof InputError)
    return new CommandError(`${error.message} ${describeWrittenRecords(written, true)}`);
  if (error instanceof StoreUnavailableError || error instanceof StoreConflictError)
    return new CommandError(`${error.message} ${describeWrittenRecords(written)}`);
  return error;
}

/** Bytes. */
function totalSize(files: readonly InputFile[]): number | undefined {
  const sizes = files.map(({ size }) => size);
  return sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

/** @throws CommandError for a missing path, and for a folder without input */
export function listInputFiles(paths: readonly string[], endings?: readonly string[]): InputFile[] {
  try {
    return findInputFiles(paths, endings);
  } catch (error) {
    if (error instanceof InputError) throw new CommandError(error.message);
    throw error;
  }
}
