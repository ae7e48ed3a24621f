/** One import from start to end: what is read and kept, what is told meanwhile, and how to go on. */
import { redactionSettings } from '../config/settings.ts';
import type { ImportHistoryStore } from '../domain/import-history.ts';
import type { ImportSourceStore } from '../domain/import-source.ts';
import type { ImportStore, PublishedDataStore } from '../domain/store.ts';
import { StoreConflictError, StoreUnavailableError } from '../domain/store-errors.ts';
import { parseSuppressionRule } from '../import/disclosure-control/disclosure-options.ts';
import type { Format, FormatOptions } from '../import/format-definition.ts';
import { type MissingRecords, TooManyMissingError } from '../import/missing-records.ts';
import { formatLocation, InputError } from '../import/parsed-record.ts';
import { createEmptySummary, type ImportSummary, runImport, StrictModeError } from '../import/pipeline.ts';
import { findInputFiles, type InputFile } from '../import/readers/input-files.ts';
import { deriveNamespace } from '../import/record-ids.ts';
import type { RequestedRedaction } from '../import/redaction/redaction-policy.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { abortOnSignal } from '../process/shutdown-signals.ts';
import { type DatabaseFlags, databaseSettings } from './command-context.ts';
import { CommandError } from './command-error.ts';
import { startImportRun } from './import-run-recorder.ts';
import { createImportNotes, describeKeptRecords, report } from './import-summary.ts';
import { createProgress } from './progress-bar.ts';
import { chooseRedactionOf, type RedactionFlags } from './redaction-options.ts';
import { createRejectionLog } from './rejection-log.ts';

/** Settings that a command which imports goes by. */
export const importSettings = [...databaseSettings, ...redactionSettings];

export interface ImportFlags extends DatabaseFlags, RedactionFlags {
  dryRun?: true;
  strict?: true;
  timeZone?: string;
  source?: string;
  deleteMissing?: true;
  /** Per cent. */
  maxDeleted?: number;
  rejected?: string;
  json?: true;
}

type Store = ImportStore & ImportHistoryStore & ImportSourceStore & PublishedDataStore;

/** @param own options of the format */
export async function runImportCommand(
  store: Store,
  organizationId: string,
  format: Format,
  paths: string[],
  flags: ImportFlags,
  own: FormatOptions,
  given: RequestedRedaction,
): Promise<void> {
  const from = { format: format.name, name: flags.source ?? '' };
  const { source, redaction, isKnown } = await chooseRedactionOf(store, organizationId, from, given, flags);
  const sources = listInputFiles(paths, format.fileExtensions);
  const namespace = deriveNamespace(organizationId, flags.source);
  const startedAt = performance.now();
  const rejections = createRejectionLog(flags.rejected);
  const record = flags.dryRun ? undefined : await startImportRun(store, organizationId, format.name, paths);
  const progress = createProgress(totalSize(sources));
  const findings = createImportNotes();
  const { signal, dispose } = abortOnSignal();
  const isOneTransaction = flags.strict === true || flags.dryRun === true;
  let kept: ImportSummary | undefined;
  let missing: MissingRecords | undefined;
  let end: unknown;
  try {
    const readings = format.read(sources, {
      namespace,
      timeZone: flags.timeZone,
      formatOptions: own,
      onBytes: progress.bytes,
      signal,
      onUnknownWord: findings.unknownWord,
      onRefusedWord: findings.refusedWord,
      onNote: findings.note,
    });
    kept = await runImport(readings, store, {
      organizationId,
      namespace,
      suppressionRule: parseSuppressionRule(own),
      onNote: findings.note,
      dryRun: flags.dryRun === true,
      strict: flags.strict === true,
      redaction,
      source,
      missing: format.isPartialInput
        ? undefined
        : {
            namespace,
            isKnownSource: isKnown,
            maxDeletedPercent: flags.deleteMissing ? flags.maxDeleted : undefined,
            onSettled: (settled) => {
              missing = settled;
            },
          },
      onRefusal: (refusal) => {
        rejections.add(refusal);
        record?.addRejection(refusal);
      },
      onRecord: findings.record,
      onProgress: (counts) => {
        progress.records(counts.read);
        // Of one transaction nothing is kept before its end, whatever was counted on the way.
        if (isOneTransaction) return;
        kept = { ...counts };
        record?.keep(kept);
      },
      signal,
    });
  } catch (error) {
    end = signal.aborted ? interruption(kept) : ending(error, kept);
  } finally {
    dispose();
    progress.stop();
    rejections.printSummary();
    rejections.close();
  }
  const how = end === undefined ? 'done' : signal.aborted ? 'interrupted' : 'failed';
  await record?.end(how, kept ?? createEmptySummary(), end);
  if (kept) report(kept, performance.now() - startedAt, findings.told(), flags, missing);
  if (end !== undefined) throw end;
  if ((kept?.rejected ?? 0) > 0) throw new CommandError(rejections.describeOutcome(), exitCodes.someRejected);
}

function interruption(kept: ImportSummary | undefined): CommandError {
  return new CommandError(`Interrupted. ${describeKeptRecords(kept)}`, exitCodes.interrupted);
}

/** The sentence of an import that failed. */
function ending(error: unknown, kept: ImportSummary | undefined): unknown {
  if (error instanceof StrictModeError) {
    const { location, id, reason } = error.rejection;
    const record = id === undefined ? formatLocation(location) : `${formatLocation(location)} (${id})`;
    return new CommandError(`Rejected ${record}: ${reason}. With --strict, nothing was imported.`);
  }
  if (error instanceof TooManyMissingError)
    return new CommandError(
      `${error.message} ${kept ? 'Everything else was imported.' : 'Nothing was kept.'}`,
    );
  if (error instanceof InputError)
    return new CommandError(`${error.message} ${describeKeptRecords(kept, 'once that is mended, ')}`);
  if (error instanceof StoreUnavailableError || error instanceof StoreConflictError)
    return new CommandError(`${error.message} ${describeKeptRecords(kept)}`);
  return error;
}

function totalSize(sources: readonly InputFile[]): number | undefined {
  const sizes = sources.map(({ size }) => size);
  return sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

/** @throws CommandError for a path that does not exist */
export function listInputFiles(paths: readonly string[], endings?: readonly string[]): InputFile[] {
  try {
    return findInputFiles(paths, endings);
  } catch (error) {
    if (error instanceof InputError) throw new CommandError(error.message);
    throw error;
  }
}
