import { on } from 'node:events';
import { type Command, Option } from 'commander';
import { type Config, downloadSettings, scheduleSettings } from '../../config/settings.ts';
import { type DueSource, failureGraceMs, type SourceSummary } from '../../domain/import-source.ts';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import {
  type DueSourcesOptions,
  failScheduledRun,
  runDueSources,
  runScheduledSource,
  type ScheduledRun,
} from '../../jobs/run-due-sources.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { createImportProcessPool, stopMessage } from '../../process/import-process-pool.ts';
import { abortOnSignal } from '../../process/shutdown-signals.ts';
import type { OpenedStore } from '../../store/open.ts';
import { removeAbandonedDownloads } from '../../sync/download-file.ts';
import { type CommandContext, type DatabaseFlags, type OwnProcess, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { print, printError } from '../output.ts';
import { sendPing } from '../send-ping.ts';
import { createJsonOption, createSettingOption, parseSourceInterval } from '../shared-options.ts';
import { sourceRunSettings } from './source.ts';

interface SourcesRunFlags extends DatabaseFlags {
  /** Milliseconds. */
  maxTime: number;
  json?: true;
}

/** What a process answers to the key of a source. */
type WorkerAnswer = { run: ScheduledRun | null } | { unavailable: string };

type RunSource = DueSourcesOptions['run'];

export function addSourcesCommands(program: Command, context: CommandContext): void {
  const sources = program.command('sources').description('Runs stored sources on their schedule');
  const run = sources
    .command('run')
    .summary('import all sources that are due')
    .description(
      'Imports all sources that are due, in all municipalities. Start it every few minutes. Several processes may run at the same time: each source is imported by one of them, and each municipality has one import at a time.',
    )
    .addOption(
      new Option('--max-time <time>', 'start no source after this time: 30m, 1h')
        .argParser(parseSourceInterval)
        .default(3_600_000, '1h'),
    );
  for (const setting of [...scheduleSettings, ...importLimits, ...downloadSettings])
    run.addOption(createSettingOption(setting));
  run
    .addOption(createSettingOption('database'))
    .addOption(createSettingOption('pingUrl'))
    .addOption(createJsonOption())
    .action((flags: SourcesRunFlags) =>
      withStore(context, flags, (store, config) => runDue(context, store, config, flags), scheduleOptions),
    );
  sources
    .command('work', { hidden: true })
    .description('Imports the sources that "rostra sources run" names in messages, one after the other.')
    .action(() => {
      if (process.send === undefined)
        throw new CommandError('"rostra sources run" starts this command itself.', exitCodes.usage);
      return withStore(context, {}, (store, config) => answerRuns(context, store, config), scheduleOptions);
    });
}

const importLimits = ['importTimeout', 'importMemory'] as const;

const scheduleOptions = {
  used: [...sourceRunSettings, ...scheduleSettings, 'importTimeout' as const, 'pingUrl' as const],
  isTraced: true,
};

async function runDue(
  context: CommandContext,
  store: OpenedStore,
  config: Config,
  flags: SourcesRunFlags,
): Promise<void> {
  await removeAbandonedDownloads();
  const { signal, dispose } = abortOnSignal();
  const summary = createSummary();
  const { run, close } = context.ownProcess
    ? runInProcesses(context, context.ownProcess, store, flags, signal)
    : { run: createRun(context, store, config, signal), close: () => undefined };
  let isComplete: boolean;
  try {
    isComplete = await runDueSources(store, {
      concurrency: config.importConcurrency,
      maxPerHost: config.importsPerHost,
      maxDurationMs: flags.maxTime,
      signal,
      run,
      onEnd: (ended) => {
        summary.add(ended);
        printRun(ended, flags.json);
      },
    });
  } finally {
    await close();
    dispose();
  }
  printError(summary.describe());
  if (signal.aborted)
    throw new CommandError('Interrupted. The other sources stay due.', exitCodes.interrupted);
  if (config.pingUrl !== undefined)
    await sendPing(config.pingUrl, 'sources', !(await store.listSourceProblems()).some(needsAttention));
  if (!isComplete) printError('The time is over. The other sources stay due.');
  if (summary.failed > 0)
    throw new CommandError(
      `${summary.failed === 1 ? '1 source' : `${summary.failed} sources`} failed. "rostra source list" shows the errors.`,
    );
  if (summary.rejected > 0)
    throw new CommandError(
      'Some records were rejected. "rostra import --history --run ID" lists them.',
      exitCodes.someRejected,
    );
}

/** As in the message to operators. */
const needsAttention = ({ failingSince }: SourceSummary) =>
  failingSince === null || Date.parse(failingSince) + failureGraceMs < Date.now();

const createRun =
  (context: CommandContext, store: OpenedStore, config: Config, signal: AbortSignal): RunSource =>
  (key) =>
    runScheduledSource(store, key, {
      settings: config,
      userAgent: `Rostra/${context.version}`,
      timeoutMs: config.importTimeout,
      signal,
      onProblem: printError,
    });

/** A file that crashes its process fails its own source only. */
function runInProcesses(
  context: CommandContext,
  ownProcess: OwnProcess,
  store: OpenedStore,
  { maxTime: _, json: __, ...settings }: SourcesRunFlags,
  signal: AbortSignal,
): { run: RunSource; close: () => Promise<void> } {
  const start = () => ownProcess.startImport(['sources', 'work'], settings, context.readVariables());
  const pool = createImportProcessPool<DueSource, WorkerAnswer>(start, printError);
  signal.addEventListener('abort', pool.stop);
  return {
    run: async (key) => {
      const end = await pool.run(key);
      if ('failure' in end) return failScheduledRun(store, key, `The import failed. ${end.failure}`);
      if ('unavailable' in end.answer) throw new StoreUnavailableError(end.answer.unavailable);
      return end.answer.run ?? undefined;
    },
    close: pool.close,
  };
}

/** Runs the sources that the process of `sources run` sends, until it ends or closes the channel. */
async function answerRuns(context: CommandContext, store: OpenedStore, config: Config): Promise<void> {
  await context.ownProcess?.limitImport(config.importMemory);
  const { signal, dispose } = abortOnSignal();
  const stopped = new AbortController();
  const onMessage = (message: unknown) => {
    if (message === stopMessage) stopped.abort();
  };
  process.on('message', onMessage).once('disconnect', () => stopped.abort());
  const run = createRun(context, store, config, AbortSignal.any([signal, stopped.signal]));
  try {
    for await (const [message] of on(process, 'message', { close: ['disconnect'] }))
      if (message !== stopMessage) process.send?.(await answer(run, message), () => undefined);
  } finally {
    process.off('message', onMessage);
    dispose();
  }
}

async function answer(run: RunSource, key: DueSource): Promise<WorkerAnswer> {
  try {
    return { run: (await run(key)) ?? null };
  } catch (error) {
    if (error instanceof StoreUnavailableError) return { unavailable: error.message };
    throw error;
  }
}

function createSummary() {
  const counts = { imported: 0, unchanged: 0, failed: 0, rejected: 0 };
  return {
    add: ({ end, isUnchanged, summary }: ScheduledRun) => {
      if (end === 'failed') counts.failed += 1;
      else if (isUnchanged) counts.unchanged += 1;
      else if (end === 'done') counts.imported += 1;
      if (end === 'done') counts.rejected += summary?.rejected ?? 0;
    },
    describe: () =>
      `${counts.imported} imported, ${counts.unchanged} unchanged, ${counts.failed} failed, ${counts.rejected} records rejected.`,
    get failed() {
      return counts.failed;
    },
    get rejected() {
      return counts.rejected;
    },
  };
}

/** One line for each source. */
function printRun(ended: ScheduledRun, json: true | undefined): void {
  const { organizationId, organizationName, source, end, isUnchanged, summary, runId, error, stack } = ended;
  const state = isUnchanged ? 'unchanged' : end;
  if (stack !== undefined) printError(stack);
  const { redacted: _redacted, personalData, ...counts } = summary ?? {};
  if (json) {
    print(
      JSON.stringify({
        at: new Date().toISOString(),
        organizationId,
        organizationName,
        source,
        state,
        runId: runId ?? null,
        error,
        ...(summary && { counts, personalData }),
      }),
    );
    return;
  }
  const changes = Object.entries(counts).flatMap(([name, count]) =>
    count === 0 ? [] : [`${count} ${name}`],
  );
  const details = error ?? changes.join(', ');
  print(`${organizationName}, ${source}: ${state}${details === '' ? '' : `: ${details}`}`);
}
