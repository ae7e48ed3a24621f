/** Runs one import: reads the input, shows progress and rejections, records the run, and prints the summary. */
import type { Config } from '../config/settings.ts';
import type { ImportHistoryStore } from '../domain/import-history.ts';
import type { Organization } from '../domain/organization.ts';
import type { ImportSourceStore } from '../domain/source-redaction-policy.ts';
import type { ImportStore, PublishedDataStore } from '../domain/store.ts';
import { parseSuppressionRule } from '../import/disclosure-control/disclosure-options.ts';
import type { Format, FormatOptions } from '../import/format-definition.ts';
import type { ImportObserver, ImportSummary } from '../import/import-observer.ts';
import { InputError } from '../import/input-error.ts';
import { TooManyMissingError } from '../import/missing-records.ts';
import { formatLocation } from '../import/parsed-record.ts';
import { createEmptySummary, isExpectedError, runImport } from '../import/pipeline.ts';
import { findInputFiles, type InputFile } from '../import/readers/input-files.ts';
import { deriveNamespace } from '../import/record-ids.ts';
import { StrictModeError } from '../import/write-batch.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { abortOnSignal } from '../process/shutdown-signals.ts';
import { CommandError, failOnInputError } from './command-error.ts';
import { chooseRedaction, chooseTimeZone, type ImportFlags } from './import-and-sync-options.ts';
import { createImportReport } from './import-report.ts';
import { startImportRun } from './import-run-recorder.ts';
import { createProgress } from './progress-bar.ts';
import { createRejectionLog } from './rejection-log.ts';

export interface FileImportFlags extends ImportFlags {
  dryRun?: true;
  strict?: true;
  source?: string;
  deleteMissing?: true;
  maxDeleted?: number;
}

type Store = ImportStore & ImportHistoryStore & ImportSourceStore & PublishedDataStore;

export async function runImportCommand(
  store: Store,
  organization: Organization,
  format: Format,
  paths: string[],
  flags: FileImportFlags,
  config: Config,
): Promise<void> {
  const { id: organizationId } = organization;
  const timeZone = chooseTimeZone(flags, organization);
  const importSource = { format: format.name, name: flags.source ?? '' };
  const { source, redactor, isKnown } = await chooseRedaction(
    store,
    organizationId,
    importSource,
    config,
    flags,
  );
  const files = await failOnInputError(() => findInputFiles(paths, format.fileExtensions));
  const formatOptions: FormatOptions = { ...flags };
  const namespace = deriveNamespace(organizationId, flags.source);
  const rejections = createRejectionLog(flags.rejected);
  const run = flags.dryRun ? undefined : await startImportRun(store, organizationId, format.name, paths);
  const progress = createProgress(sumSizes(files));
  const report = createImportReport(flags);
  const { signal, dispose } = abortOnSignal();
  const isOneTransaction = flags.strict === true || flags.dryRun === true;
  let written: ImportSummary | undefined;
  let failure: unknown;
  const observer: ImportObserver = {
    ...report.observer,
    onBytesRead: progress.addBytes,
    onRejection: (rejection) => {
      rejections.add(rejection);
      run?.addRejection(rejection);
    },
    onProgress: (summary) => {
      progress.setRecords(summary.read);
      // One transaction writes nothing before its end.
      if (isOneTransaction) return;
      written = summary;
      run?.updateCounts(summary);
    },
  };
  try {
    const options = {
      namespace,
      timeZone,
      formatOptions,
      observer,
      signal,
    };
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
    failure = toCommandError(error, written, signal);
  } finally {
    dispose();
    progress.stop();
    rejections.printSummary();
    rejections.close();
  }
  const end = failure === undefined ? 'done' : signal.aborted ? 'interrupted' : 'failed';
  await run?.end(end, written ?? createEmptySummary(), failure);
  if (written) report.print(written);
  if (failure !== undefined) throw failure;
  if ((written?.rejected ?? 0) > 0)
    throw new CommandError(rejections.describeOutcome(), exitCodes.someRejected);
}

/**
 * @param written the committed records
 * @returns the error itself if it is unexpected
 */
export function toCommandError(
  error: unknown,
  written: ImportSummary | undefined,
  signal: AbortSignal,
): unknown {
  if (signal.aborted)
    return new CommandError(`Interrupted. ${describeWrittenRecords(written)}`, exitCodes.interrupted);
  if (error instanceof StrictModeError) {
    const { location, id, reason } = error.rejection;
    return new CommandError(
      `Rejected ${formatLocation(location, id)}: ${reason}. With --strict, nothing was imported.`,
    );
  }
  if (error instanceof TooManyMissingError)
    return new CommandError(
      `${error.message} ${written ? 'Everything else was imported.' : 'Nothing was imported.'}`,
    );
  if (!isExpectedError(error)) return error;
  const needsFix = error instanceof InputError;
  return new CommandError(`${error.message} ${describeWrittenRecords(written, needsFix)}`);
}

/** @param needsFix whether the same command would fail again */
function describeWrittenRecords(written: ImportSummary | undefined, needsFix = false): string {
  const count = written ? written.inserted + written.changed + written.unchanged + written.removed : 0;
  if (count === 0) return 'Nothing was imported.';
  return `Records imported so far are kept. ${needsFix ? 'Fix this, then run' : 'Run'} the same command again to continue.`;
}

/** @returns bytes; undefined if the size of a file is unknown */
function sumSizes(files: readonly InputFile[]): number | undefined {
  return files.reduce<number | undefined>(
    (sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
}
