import { createWriteStream, readFileSync, type WriteStream } from 'node:fs';
import { Argument, type Command, InvalidArgumentError } from 'commander';
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
  const progress = createProgress(totalSize(sources));
  const refusals = createRefusals(flags.refused);
  const unknownResults = new Map<string, number>();
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  let summary: Summary | undefined;
  let failure: unknown;
  const readings = formats[format]?.read(sources, {
    organizationId,
    timeZone: flags.timeZone,
    paperTypes: flags.paperTypes,
    results: flags.results,
    onBytes: progress.bytes,
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
    progress.stop();
    await refusals.close();
  }
  const kept = flags.strict && failure ? undefined : summary;
  if (kept) report(kept, performance.now() - startedAt, unknownResults, flags);
  if (failure) throw ending(failure, flags);
  if (interrupt.signal.aborted) {
    throw new CommandFailure(
      'Interrupted. What is kept is consistent: run the same command again to go on.',
      130,
    );
  }
  if ((kept?.refused ?? 0) > 0) {
    throw new CommandFailure(refusals.hint(), exitCodes.someRefused);
  }
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

/** The sentence, and the exit code, of an import that ended early. */
function ending(error: unknown, { strict, dryRun }: ImportFlags): unknown {
  if (error instanceof StrictRefusal) {
    const { place, id, reason } = error.refusal;
    const record = id === undefined ? placeText(place) : `${placeText(place)} (${id})`;
    return new CommandFailure(`Refused ${record}: ${reason}. Nothing was kept, as --strict asks.`);
  }
  const rest =
    strict || dryRun
      ? 'Nothing was kept.'
      : 'What was read before is kept; run the import again when this is mended.';
  if (error instanceof InputProblem || error instanceof StoreUnavailable) {
    return new CommandFailure(`${error.message} ${rest}`);
  }
  return error;
}

/** Shows the first refusals, and writes all of them to a file where they are many or one was named. */
function createRefusals(named: string | undefined) {
  const held: Refusal[] = [];
  let count = 0;
  let file: WriteStream | undefined;
  const path = named ?? `rostra-import-refused-${new Date().toISOString().replace(/[:.]/g, '-')}.ndjson`;
  const write = ({ place, id, reason }: Refusal) => {
    file ??= createWriteStream(path);
    file.write(`${JSON.stringify({ ...place, id, reason })}\n`);
  };
  return {
    add: (refusal: Refusal) => {
      count += 1;
      if (count <= shownRefusals) {
        const record = refusal.id === undefined ? '' : ` (${refusal.id})`;
        note(`Refused ${placeText(refusal.place)}${record}: ${refusal.reason}`);
      }
      if (named !== undefined || count > shownRefusals) {
        for (const earlier of held.splice(0)) write(earlier);
        write(refusal);
      } else held.push(refusal);
    },
    hint: () => {
      const all = count === 1 ? 'One record was refused' : `${count} records were refused`;
      return file === undefined ? `${all}.` : `${all}; ${path} has each with its reason.`;
    },
    close: () => new Promise<void>((resolve) => (file === undefined ? resolve() : file.end(resolve))),
  };
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
  const entries = Object.entries(typeof table === 'object' && table !== null ? table : {});
  if (entries.length > 0 && entries.every(([, status]) => typeof status === 'string' && status !== ''))
    return entries;
  throw new InvalidArgumentError('It must hold a JSON object such as {"abgelehnt": "rejected"}.');
}
