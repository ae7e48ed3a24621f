/** Runs one import for the command line: shows progress and rejections, and prints the summary. */

import type { Organization } from '../../../domain/organizations/organization.ts';
import { describeReason } from '../../../domain/reasons/reason.ts';
import {
  defaultMaxDeletedPercent,
  emptySourceDefinition,
  type ImportSourceStore,
} from '../../../domain/sources/import-source.ts';
import type { FormatOptions } from '../../../ingest/format-options.ts';
import type { Format } from '../../../ingest/formats/format-definition.ts';
import { findInputFiles, type InputFile } from '../../../ingest/readers/input-files.ts';
import type { ImportFailure } from '../../../ingest/runs/describe-import-failure.ts';
import { prepareImport } from '../../../ingest/runs/prepare-import.ts';
import {
  openFiles,
  type RunHost,
  type RunResult,
  type RunStore,
  runImport,
} from '../../../ingest/runs/run-import.ts';
import type { Config } from '../../config/settings.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { abortOnSignal } from '../../process/shutdown-signals.ts';
import { CommandError, failOnInputError } from '../command-error.ts';
import type { Values } from '../define-command.ts';
import { printError } from '../output.ts';
import { createProgress } from '../progress-bar.ts';
import { listConfirmed, type questionOptions } from './import-options.ts';
import { createImportReport, type ReportFlags } from './import-report.ts';
import { createRejectionLog } from './rejection-log.ts';

interface FileImportFlags extends ReportFlags, Values<typeof questionOptions> {
  timeZone?: string | undefined;
  loosenRedaction?: true | undefined;
  strict?: true | undefined;
  source?: string | undefined;
  maxDeleted?: number | undefined;
  locations?: 'on' | 'off' | undefined;
}

export async function runImportCommand(
  store: RunStore & ImportSourceStore,
  organization: Organization,
  format: Format,
  paths: string[],
  flags: FileImportFlags,
  formatOptions: FormatOptions,
  config: Config,
): Promise<void> {
  const source = { format: format.name, name: flags.source ?? '' };
  const files = await failOnInputError(() => findInputFiles(paths, format));
  const choices = {
    format,
    source,
    formatOptions,
    timeZone: flags.timeZone ?? null,
    redaction: emptySourceDefinition.redaction,
    locations: flags.locations,
    maxDeletedPercent: flags.deleteMissing ? (flags.maxDeleted ?? defaultMaxDeletedPercent) : null,
    mayLoosenRedaction: flags.loosenRedaction === true,
  };
  const request = {
    ...{ organizationId: organization.id, source, paths },
    isDryRun: flags.dryRun === true,
    isStrict: flags.strict === true,
    confirmed: listConfirmed(flags),
    prepare: () =>
      failOnInputError(() => prepareImport(store, organization, choices, config), exitCodes.usage),
    open: openFiles(files),
  };
  const onWait = () => printError(describeRunningImport(organization));
  await reportImport(
    // Two concurrent imports of a source would mix the states that their undo restores.
    (hooks) => runImport(store, request, { ...hooks, lease: 'wait', onWait }),
    flags,
    sumSizes(files),
    format,
  );
}

/** A killed import holds its lease for a minute. */
const describeRunningImport = ({ name }: Pick<Organization, 'name'>) =>
  `Another import of ${name} is running. This one begins when it has ended, or a minute after it was killed.`;

/** What an import reports to. */
type ImportHooks = Pick<RunHost, 'observer' | 'signal' | 'onProblem'>;

/**
 * Runs an import with progress, and prints its report.
 *
 * @param totalBytes of the input; undefined if unknown
 * @param format for the report of a dry run
 * @throws CommandError if the import fails or rejects records
 */
export async function reportImport<Result extends RunResult>(
  run: (hooks: ImportHooks) => Promise<Result>,
  flags: ReportFlags,
  totalBytes: number | undefined,
  format?: Pick<Format, 'name'>,
): Promise<Result> {
  const { signal, dispose } = abortOnSignal();
  try {
    const rejections = createRejectionLog(flags.rejected);
    const progress = createProgress(totalBytes);
    const report = createImportReport(flags, format);
    const result = await run({
      observer: {
        ...report.observer,
        onBytesRead: progress.addBytes,
        onObjectsFetched: progress.setRecords,
        onRejection: rejections.add,
        onProgress: ({ read }) => progress.setRecords(read),
      },
      signal,
      onProblem: printError,
    }).finally(() => {
      progress.stop();
      rejections.printSummary();
      rejections.close();
    });
    const { summary, failure } = result;
    if (summary) report.print(summary);
    if (failure !== undefined) throw toCommandError(failure, signal);
    if ((summary?.rejected ?? 0) > 0)
      throw new CommandError(rejections.describeOutcome(), exitCodes.someRejected);
    return result;
  } finally {
    dispose();
  }
}

/** @returns the error itself if it is unexpected */
function toCommandError({ reason, unexpected }: ImportFailure, signal: AbortSignal): unknown {
  if (unexpected !== undefined) return unexpected;
  return new CommandError(describeReason(reason), signal.aborted ? exitCodes.interrupted : exitCodes.failure);
}

/** @returns bytes; undefined if the size of a file is unknown */
export function sumSizes(files: readonly InputFile[]): number | undefined {
  return files.reduce<number | undefined>(
    (sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
}
