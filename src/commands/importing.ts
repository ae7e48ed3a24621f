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
import { createSpelling } from '../import/spelling.ts';
import { type ImportRuns, type Intake, type PublishedData, StoreUnavailable } from '../store/store.ts';
import {
  CommandFailure,
  type DatabaseFlags,
  databaseSettings,
  exitCodes,
  print,
  printJson,
} from './context.ts';
import { beginImportRecord } from './import-record.ts';
import { createProgress } from './progress.ts';
import { createRefusals } from './refusals.ts';

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

/** Characters of a word that is told, and how many different ones. */
const longestWord = 60;
const mostWords = 1_000;

/** Of the source, such as a status that no table knows. */
export type UnknownWords = Map<string, { count: number; takenFor: string }>;

/** @param own options of the format */
export async function importInto(
  store: Intake & ImportRuns & PublishedData,
  organizationId: string,
  format: Format,
  paths: string[],
  flags: ImportFlags,
  own: OwnOptions,
  redaction: Redaction | undefined,
): Promise<void> {
  giveWay();
  const sources = sourcesOf(paths, format.endings);
  const oneTransaction = flags.strict === true || flags.dryRun === true;
  const startedAt = performance.now();
  const refusals = createRefusals(flags.refused);
  const record = flags.dryRun
    ? undefined
    : await beginImportRecord(store, organizationId, format.name, paths);
  const progress = createProgress(totalSize(sources));
  const unknownWords: UnknownWords = new Map();
  const notes: string[] = [];
  const spelling = createSpelling();
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onInterrupt);
  let summary: Summary | undefined;
  let failure: unknown;
  const readings = format.read(sources, {
    namespace: namespaceOf(organizationId, flags.source),
    timeZone: flags.timeZone,
    own,
    onBytes: progress.bytes,
    signal: interrupt.signal,
    onUnknownWord: (text, takenFor) => {
      const word = text.slice(0, longestWord);
      const count = (unknownWords.get(word)?.count ?? 0) + 1;
      // A column of free text has as many words as rows.
      if (count > 1 || unknownWords.size < mostWords) unknownWords.set(word, { count, takenFor });
    },
    onNote: (sentence) => notes.push(sentence),
    publishedSurvey: (id) => store.surveyResults(organizationId, id),
  });
  try {
    summary = await runImport(readings, store, {
      organizationId,
      dryRun: flags.dryRun === true,
      strict: flags.strict === true,
      redaction,
      onRefusal: (refusal) => {
        refusals.add(refusal);
        record?.refuse(refusal);
      },
      onRecord: spelling.look,
      onProgress: (counts) => {
        summary = { ...counts };
        progress.records(counts.read);
        if (!oneTransaction) record?.keep(summary);
      },
      signal: interrupt.signal,
    });
  } catch (error) {
    failure = error;
  } finally {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
    progress.stop();
    refusals.close();
  }
  // One transaction that failed has kept nothing, whatever was counted on the way.
  const kept = failure !== undefined && oneTransaction ? undefined : summary;
  const interrupted = failure !== undefined && interrupt.signal.aborted;
  const end = failure === undefined ? undefined : interrupted ? interruption(kept) : ending(failure, kept);
  const how = interrupted ? 'interrupted' : end === undefined ? 'done' : 'failed';
  await record?.end(how, kept ?? noCounts(), end);
  if (kept)
    report(
      kept,
      performance.now() - startedAt,
      { unknownWords, notes: [...notes, ...spelling.notes()] },
      flags,
    );
  if (end !== undefined) throw end;
  if ((kept?.refused ?? 0) > 0) {
    throw new CommandFailure(refusals.hint(), exitCodes.someRefused);
  }
}

function interruption(kept: Summary | undefined): CommandFailure {
  return new CommandFailure(`Interrupted. ${whatIsKept(kept)}`, exitCodes.interrupted);
}

export function whatIsKept(kept: Summary | undefined, condition = ''): string {
  const written = kept ? kept.inserted + kept.changed + kept.unchanged + kept.removed : 0;
  return written === 0
    ? 'Nothing was kept.'
    : `What was read before is kept, and consistent: ${condition}run the same command again to go on.`;
}

export interface Told {
  unknownWords: UnknownWords;
  notes: readonly string[];
}

export function report(
  summary: Summary,
  durationMs: number,
  { unknownWords, notes }: Told,
  flags: Pick<ImportFlags, 'json' | 'dryRun'>,
): void {
  const seconds = Math.round(durationMs / 10) / 100;
  const { redacted, ...counts } = summary;
  if (flags.json) {
    printJson({
      ...counts,
      ...(Object.keys(redacted).length > 0 && { redacted }),
      dryRun: flags.dryRun === true,
      seconds,
      unknownWords: Object.fromEntries(unknownWords),
      notes,
    });
    return;
  }
  if (flags.dryRun) print('Dry run: nothing was kept. It would have been:');
  for (const [name, count] of Object.entries(counts))
    print(`${name.padEnd(10)} ${String(count).padStart(10)}`);
  print(`${'seconds'.padEnd(10)} ${seconds.toFixed(2).padStart(10)}`);
  const kinds = Object.entries(redacted).map(([name, count]) => `${name} ${count}`);
  if (kinds.length > 0) print(`Redacted in descriptions: ${kinds.join(', ')}.`);
  for (const sentence of notes) print(sentence);
  if (unknownWords.size === 0) return;
  print('Words without a rule, and what they were taken for:');
  const byCount = [...unknownWords].sort(([, a], [, b]) => b.count - a.count);
  for (const [word, { count, takenFor }] of byCount)
    print(`${String(count).padStart(8)}  ${word} → ${takenFor}`);
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
