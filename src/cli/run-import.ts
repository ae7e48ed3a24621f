/** One import from start to end: what is read and kept, what is told meanwhile, and how to go on. */
import { redactionSettings } from '../config/settings.ts';
import type { ImportSources } from '../domain/import-source.ts';
import {
  type ImportRuns,
  type Intake,
  type PublishedData,
  StoreRefusal,
  StoreUnavailable,
} from '../domain/store.ts';
import { foldingRuleOf } from '../import/disclosure-control/disclosure-options.ts';
import type { Format, OwnOptions } from '../import/format-definition.ts';
import { type Missing, TooManyMissing } from '../import/missing-records.ts';
import { InputProblem, placeText } from '../import/parsed-record.ts';
import { noCounts, runImport, StrictRefusal, type Summary } from '../import/pipeline.ts';
import { findSources, type Source } from '../import/readers/input-files.ts';
import { namespaceOf } from '../import/record-ids.ts';
import type { GivenRedaction } from '../import/redaction/redaction-policy.ts';
import { giveWay } from '../process/lower-priority.ts';
import { untilSignalled } from '../process/shutdown-signals.ts';
import { CommandFailure, type DatabaseFlags, databaseSettings, exitCodes } from './command-context.ts';
import { beginImportRecord } from './import-run-recorder.ts';
import { createFindings, report, whatIsKept } from './import-summary.ts';
import { createProgress } from './progress-bar.ts';
import { chooseRedactionOf, type RedactionFlags } from './redaction-options.ts';
import { createRefusals } from './rejection-log.ts';

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
  refused?: string;
  json?: true;
}

type Store = Intake & ImportRuns & ImportSources & PublishedData;

/** @param own options of the format */
export async function importInto(
  store: Store,
  organizationId: string,
  format: Format,
  paths: string[],
  flags: ImportFlags,
  own: OwnOptions,
  given: GivenRedaction,
): Promise<void> {
  const from = { format: format.name, name: flags.source ?? '' };
  const { source, redaction, isKnown } = await chooseRedactionOf(store, organizationId, from, given, flags);
  giveWay();
  const sources = sourcesOf(paths, format.endings);
  const namespace = namespaceOf(organizationId, flags.source);
  const startedAt = performance.now();
  const refusals = createRefusals(flags.refused);
  const record = flags.dryRun
    ? undefined
    : await beginImportRecord(store, organizationId, format.name, paths);
  const progress = createProgress(totalSize(sources));
  const findings = createFindings();
  const { signal, dispose } = untilSignalled();
  const isOneTransaction = flags.strict === true || flags.dryRun === true;
  let kept: Summary | undefined;
  let missing: Missing | undefined;
  let end: unknown;
  try {
    const readings = format.read(sources, {
      namespace,
      timeZone: flags.timeZone,
      own,
      onBytes: progress.bytes,
      signal,
      onUnknownWord: findings.unknownWord,
      onRefusedWord: findings.refusedWord,
      onNote: findings.note,
    });
    kept = await runImport(readings, store, {
      organizationId,
      namespace,
      foldingRule: foldingRuleOf(own),
      onNote: findings.note,
      dryRun: flags.dryRun === true,
      strict: flags.strict === true,
      redaction,
      source,
      missing: format.keepsOthers
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
        refusals.add(refusal);
        record?.refuse(refusal);
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
    refusals.show();
    refusals.close();
  }
  const how = end === undefined ? 'done' : signal.aborted ? 'interrupted' : 'failed';
  await record?.end(how, kept ?? noCounts(), end);
  if (kept) report(kept, performance.now() - startedAt, findings.told(), flags, missing);
  if (end !== undefined) throw end;
  if ((kept?.refused ?? 0) > 0) throw new CommandFailure(refusals.hint(), exitCodes.someRefused);
}

function interruption(kept: Summary | undefined): CommandFailure {
  return new CommandFailure(`Interrupted. ${whatIsKept(kept)}`, exitCodes.interrupted);
}

/** The sentence of an import that failed. */
function ending(error: unknown, kept: Summary | undefined): unknown {
  if (error instanceof StrictRefusal) {
    const { place, id, reason } = error.refusal;
    const record = id === undefined ? placeText(place) : `${placeText(place)} (${id})`;
    return new CommandFailure(`Refused ${record}: ${reason}. Nothing was kept, as --strict asks.`);
  }
  if (error instanceof TooManyMissing)
    return new CommandFailure(
      `${error.message} ${kept ? 'Everything else was imported.' : 'Nothing was kept.'}`,
    );
  if (error instanceof InputProblem)
    return new CommandFailure(`${error.message} ${whatIsKept(kept, 'once that is mended, ')}`);
  if (error instanceof StoreUnavailable || error instanceof StoreRefusal)
    return new CommandFailure(`${error.message} ${whatIsKept(kept)}`);
  return error;
}

function totalSize(sources: readonly Source[]): number | undefined {
  const sizes = sources.map(({ size }) => size);
  return sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

/** @throws CommandFailure for a path that does not exist */
export function sourcesOf(paths: readonly string[], endings?: readonly string[]): Source[] {
  try {
    return findSources(paths, endings);
  } catch (error) {
    if (error instanceof InputProblem) throw new CommandFailure(error.message);
    throw error;
  }
}
