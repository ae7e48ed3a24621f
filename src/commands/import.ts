import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { fieldsOf } from '../import/fields.ts';
import { formats } from '../import/formats.ts';
import type { ResultTable } from '../import/oparl-mapping.ts';
import { InputProblem, placeText } from '../import/reading.ts';
import { type Refusal, runImport, StrictRefusal, type Summary } from '../import/run.ts';
import { findSources, type Source } from '../import/source.ts';
import { isTimeZone } from '../import/time.ts';
import { StoreUnavailable } from '../store/store.ts';
import {
  CommandFailure,
  type Context,
  type DatabaseFlags,
  exitCodes,
  jsonOption,
  note,
  organizationNamed,
  organizationOption,
  print,
  printJson,
  settingOption,
  withStore,
} from './context.ts';
import { createProgress } from './progress.ts';

/** More refusals than this go to a file. */
const shownRefusals = 20;

interface ImportFlags extends DatabaseFlags {
  organization: string;
  dryRun?: true;
  strict?: true;
  timeZone?: string;
  paperTypes?: string[];
  results?: ResultTable;
  refused?: string;
  json?: true;
}

export function addImportCommand(program: Command, context: Context): void {
  const known = Object.entries(formats).map(
    ([name, { description }]) => `  ${name.padEnd(8)} ${description}`,
  );
  program
    .command('import')
    .summary('bring data in')
    .description(
      'Imports files, folders, or standard input (-), packed with gzip or not. Running it again changes nothing that is the same; what broke off can be run again.',
    )
    .addArgument(new Argument('<format>', 'what the input is').choices(Object.keys(formats)))
    .argument('<paths...>', 'files, folders, or - for standard input')
    .addOption(organizationOption())
    .option('--dry-run', 'check everything and count, keep nothing; other writers wait meanwhile')
    .option('--strict', 'keep nothing if a single record is refused; other writers wait meanwhile')
    .option(
      '--time-zone <zone>',
      'of times without an offset, such as Europe/Berlin (oparl: that is the default)',
      timeZone,
    )
    .option(
      '--paper-types <words>',
      'oparl: papers whose type contains one of these (default: antrag,anfrage)',
      words,
    )
    .option('--results <file>', 'oparl: JSON object from a part of a result’s text to a status', resultTable)
    .option('--refused <file>', 'write refused records to this file, one JSON object a line')
    .addOption(settingOption('database'))
    .addOption(jsonOption())
    .addHelpText('after', `\nFormats:\n${known.join('\n')}`)
    .action((format: string, paths: string[], flags: ImportFlags) =>
      withStore(context, flags, async (store) => {
        const foreign = flags.paperTypes ? '--paper-types' : flags.results && '--results';
        if (foreign && format !== 'oparl') {
          throw new CommandFailure(`${foreign} is for the format oparl.`, exitCodes.usage);
        }
        const organization = await organizationNamed(store, flags.organization);
        await importInto(store, organization.id, format, paths, flags);
      }),
    );
}

async function importInto(
  store: Parameters<typeof runImport>[1],
  organizationId: string,
  format: string,
  paths: string[],
  flags: ImportFlags,
): Promise<void> {
  const sources = asInputProblem(() => findSources(paths));
  const startedAt = performance.now();
  const refusals = createRefusals(flags.refused);
  const progress = createProgress(totalSize(sources));
  const unknownResults = new Map<string, number>();
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onInterrupt);
  let summary: Summary | undefined;
  let failure: unknown;
  const readings = formats[format]?.read(sources, {
    organizationId,
    timeZone: flags.timeZone,
    paperTypes: flags.paperTypes,
    results: flags.results,
    onBytes: progress.bytes,
    signal: interrupt.signal,
    onUnknownResult: (text) => unknownResults.set(text, (unknownResults.get(text) ?? 0) + 1),
  });
  try {
    summary = await runImport(readings as NonNullable<typeof readings>, store, {
      organizationId,
      dryRun: flags.dryRun === true,
      strict: flags.strict === true,
      onRefusal: refusals.add,
      onProgress: (counts) => {
        summary = { ...counts };
        progress.records(counts.read);
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
  const oneTransaction = flags.strict === true || flags.dryRun === true;
  const kept = failure !== undefined && oneTransaction ? undefined : summary;
  if (kept) report(kept, performance.now() - startedAt, unknownResults, flags);
  if (failure !== undefined) throw interrupt.signal.aborted ? interruption(kept) : ending(failure, kept);
  if ((kept?.refused ?? 0) > 0) {
    throw new CommandFailure(refusals.hint(), exitCodes.someRefused);
  }
}

function interruption(kept: Summary | undefined): CommandFailure {
  return new CommandFailure(`Interrupted. ${whatIsKept(kept)}`, exitCodes.interrupted);
}

function whatIsKept(kept: Summary | undefined): string {
  const written = kept ? kept.inserted + kept.changed + kept.unchanged + kept.removed : 0;
  return written === 0
    ? 'Nothing was kept.'
    : 'What was read before is kept, and consistent: run the same command again to go on.';
}

function report(
  summary: Summary,
  durationMs: number,
  unknownResults: Map<string, number>,
  flags: ImportFlags,
): void {
  const seconds = Math.round(durationMs / 10) / 100;
  if (flags.json) {
    printJson({
      ...summary,
      dryRun: flags.dryRun === true,
      seconds,
      unknownResults: Object.fromEntries(unknownResults),
    });
    return;
  }
  if (flags.dryRun) print('Dry run: nothing was kept. It would have been:');
  for (const [name, count] of Object.entries(summary))
    print(`${name.padEnd(10)} ${String(count).padStart(10)}`);
  print(`${'seconds'.padEnd(10)} ${seconds.toFixed(2).padStart(10)}`);
  if (unknownResults.size === 0) return;
  print('Results without a rule, taken as in_review (--results names a table of your own):');
  const byCount = [...unknownResults].sort(([, a], [, b]) => b - a);
  for (const [text, count] of byCount) print(`${String(count).padStart(8)}  ${text}`);
}

/** The sentence of an import that failed. */
function ending(error: unknown, kept: Summary | undefined): unknown {
  if (error instanceof StrictRefusal) {
    const { place, id, reason } = error.refusal;
    const record = id === undefined ? placeText(place) : `${placeText(place)} (${id})`;
    return new CommandFailure(`Refused ${record}: ${reason}. Nothing was kept, as --strict asks.`);
  }
  if (error instanceof InputProblem || error instanceof StoreUnavailable) {
    return new CommandFailure(`${error.message} ${whatIsKept(kept)}`);
  }
  return error;
}

/** Shows the first refusals, and writes all of them to a file where they are many or one was named. */
function createRefusals(named: string | undefined) {
  const held: Refusal[] = [];
  let count = 0;
  const fallback = `rostra-import-refused-${new Date().toISOString().replace(/[:.]/g, '-')}.ndjson`;
  const path = named ?? fallback;
  let file = named === undefined ? undefined : openRefused(named);
  let unwritable: string | undefined;

  const openFallback = () => {
    try {
      file = openSync(fallback, 'w');
    } catch (error) {
      unwritable = (error as Error).message;
    }
  };
  const flush = () => {
    if (file === undefined) return;
    for (const { place, id, reason } of held.splice(0))
      writeSync(file, `${JSON.stringify({ ...place, id, reason })}\n`);
  };
  return {
    add: (refusal: Refusal) => {
      count += 1;
      if (count <= shownRefusals) {
        const record = refusal.id === undefined ? '' : ` (${refusal.id})`;
        note(`Refused ${placeText(refusal.place)}${record}: ${refusal.reason}`);
      }
      if (unwritable === undefined) held.push(refusal);
      if (count > shownRefusals && file === undefined && unwritable === undefined) openFallback();
      flush();
    },
    hint: () => {
      const all = count === 1 ? 'One record was refused' : `${count} records were refused`;
      if (file !== undefined) return `${all}; ${path} has each with its reason.`;
      if (unwritable === undefined) return `${all}.`;
      return `${all}, and the list of them could not be written (${unwritable}): name a file with --refused.`;
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}

function openRefused(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw new CommandFailure(
      `The file for refused records cannot be written: ${(error as Error).message}.`,
      exitCodes.usage,
    );
  }
}

function totalSize(sources: readonly Source[]): number | undefined {
  const sizes = sources.map(({ size }) => size);
  return sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

function asInputProblem<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    if (error instanceof InputProblem) throw new CommandFailure(error.message);
    throw error;
  }
}

function timeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw new InvalidArgumentError('It must be a time zone such as Europe/Berlin.');
}

function words(text: string): string[] {
  const list = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (list.length > 0) return list;
  throw new InvalidArgumentError('It must be words, separated by commas.');
}

function resultTable(file: string): ResultTable {
  let table: unknown;
  try {
    table = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read: ${(error as Error).message}.`);
  }
  const isObject = typeof table === 'object' && table !== null && !Array.isArray(table);
  const entries: [string, string][] = Object.entries(isObject ? (table as Record<string, string>) : {});
  const ofStatuses = entries.every(([, status]) => fieldsOf.submission.status?.Check(status));
  if (entries.length > 0 && ofStatuses) return entries;
  throw new InvalidArgumentError('It must hold a JSON object such as {"abgelehnt": "rejected"}.');
}
