/** One import from start to end: what is read and kept, what is told meanwhile, and how to go on. */
import { constants, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { type Config, redactionSettings } from '../config/settings.ts';
import type { Format, OwnOptions } from '../import/format.ts';
import { namespaceOf } from '../import/identifier.ts';
import { findSources, type Source } from '../import/input/source.ts';
import { InputProblem, placeText } from '../import/reading.ts';
import { createRedaction, type Redaction } from '../import/redaction/redaction.ts';
import { noCounts, runImport, StrictRefusal, type Summary } from '../import/run.ts';
import { type ImportRuns, type Intake, type PublishedData, StoreUnavailable } from '../store/store.ts';
import { CommandFailure, type DatabaseFlags, databaseSettings, exitCodes } from './context.ts';
import { beginImportRecord } from './import-record.ts';
import { createFindings, report, whatIsKept } from './import-report.ts';
import { createProgress } from './progress.ts';
import { createRefusals } from './refusals.ts';
import { untilSignalled } from './signals.ts';

/** By itself the heap would grow to four times what is in use. */
const smallHeap = ['--heap-growing-percent=20', '--semi-space-growth-factor=1'];

/** An import may run beside the server on a small box: it takes little memory, and the processor when others leave it. */
function giveWay(): void {
  for (const flag of smallHeap) setFlagsFromString(flag);
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

/** Settings that a command which imports goes by. */
export const importSettings = [...databaseSettings, ...redactionSettings];

/** @throws CommandFailure for a country or patterns that cannot be used */
export function redactionOf(config: Config): Redaction | undefined {
  const { redact: kinds, redactCountry: country, redactPatterns: patternFile } = config;
  try {
    return createRedaction({ kinds, country, patternFile });
  } catch (error) {
    if (error instanceof InputProblem) throw new CommandFailure(error.message, exitCodes.usage);
    throw error;
  }
}

export interface ImportFlags extends DatabaseFlags {
  dryRun?: true;
  strict?: true;
  timeZone?: string;
  source?: string;
  refused?: string;
  json?: true;
}

type Store = Intake & ImportRuns & PublishedData;

/** @param own options of the format */
export async function importInto(
  store: Store,
  organizationId: string,
  format: Format,
  paths: string[],
  flags: ImportFlags,
  own: OwnOptions,
  redaction: Redaction | undefined,
): Promise<void> {
  giveWay();
  const sources = sourcesOf(paths, format.endings);
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
  let end: unknown;
  try {
    const readings = format.read(sources, {
      namespace: namespaceOf(organizationId, flags.source),
      timeZone: flags.timeZone,
      own,
      onBytes: progress.bytes,
      signal,
      onUnknownWord: findings.unknownWord,
      onNote: findings.note,
      publishedSurvey: (id) => store.surveyResults(organizationId, id),
    });
    kept = await runImport(readings, store, {
      organizationId,
      dryRun: flags.dryRun === true,
      strict: flags.strict === true,
      redaction,
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
    refusals.close();
  }
  const how = end === undefined ? 'done' : signal.aborted ? 'interrupted' : 'failed';
  await record?.end(how, kept ?? noCounts(), end);
  if (kept) report(kept, performance.now() - startedAt, findings.told(), flags);
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
  if (error instanceof InputProblem)
    return new CommandFailure(`${error.message} ${whatIsKept(kept, 'once that is mended, ')}`);
  if (error instanceof StoreUnavailable) return new CommandFailure(`${error.message} ${whatIsKept(kept)}`);
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
