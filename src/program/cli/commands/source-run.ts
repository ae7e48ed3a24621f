/** `rostra source run`: imports one source, or all that are due; and the process that imports for a schedule or a server. */
import { on } from 'node:events';
import { describeReason } from '../../../domain/reasons/reason.ts';
import type { DueSource, SourceSummary } from '../../../domain/sources/import-source.ts';
import { failureGraceMs } from '../../../domain/sources/source-schedule.ts';
import { StoreUnavailableError } from '../../../domain/store-errors.ts';
import { removeAbandonedDownloads } from '../../../ingest/connectors/download-file.ts';
import { findFormat } from '../../../ingest/formats/format-registry.ts';
import { findInputFiles } from '../../../ingest/readers/input-files.ts';
import {
  type DueSourcesOptions,
  failScheduledRun,
  runDueSources,
  runScheduledSource,
  type ScheduledRun,
} from '../../../ingest/runs/run-due-sources.ts';
import { type QueueOptions, runNextRun, runQueuedSteps } from '../../../ingest/runs/run-queued-steps.ts';
import { runSource } from '../../../ingest/runs/run-source.ts';
import { createUploadStorage } from '../../../ingest/runs/upload-storage.ts';
import type { OpenedStore } from '../../../store/open.ts';
import { locateUploads } from '../../config/locate-folders.ts';
import type { Config } from '../../config/settings.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { createImportLauncher } from '../../process/import-processes/import-launcher.ts';
import { stopMessage, stopTimeoutMs } from '../../process/import-processes/import-process.ts';
import { abortOnSignal } from '../../process/shutdown-signals.ts';
import { type CommandContext, type DatabaseFlags, type OwnProcess, withStore } from '../command-context.ts';
import { CommandError, failOnInputError } from '../command-error.ts';
import {
  argument,
  database,
  defineCommand,
  defineStoreCommand,
  flag,
  json,
  option,
  type Values,
} from '../define-command.ts';
import { requireOrganization } from '../find-organization.ts';
import { countSources, groupFailures, nameCause } from '../group-failures.ts';
import { sendPing } from '../maintenance/send-ping.ts';
import { print, printError } from '../output.ts';
import { listConfirmed, loosenRedaction, questionOptions, rejected } from '../runs/import-options.ts';
import { reportImport, sumSizes } from '../runs/run-import.ts';
import { requireSource } from '../sources/require-source.ts';

/** What a process answers to the key of a source. */
type WorkerAnswer = { run: ScheduledRun | null } | { unavailable: string };

type RunSource = DueSourcesOptions['run'];

/** After it, `--due` starts no source: the next run continues. */
const maxDurationMs = 3_600_000;

const runOptions = {
  organization: option('name|id', 'the municipality, by name or id'),
  due: {
    ...flag('import all sources that are due'),
    conflicts: [
      'organization',
      'dryRun',
      'full',
      'rejected',
      'loosenRedaction',
      ...(Object.keys(questionOptions) as (keyof typeof questionOptions)[]),
    ],
  },
  dryRun: flag('check and count all records, but import nothing'),
  full: flag('OParl: fetch everything again, and remove records that no longer exist at the endpoint'),
  rejected,
  loosenRedaction,
  ...questionOptions,
  json,
};

type RunFlags = Values<typeof runOptions>;

export const runSources = defineStoreCommand({
  name: 'run',
  summary: 'import a source, or all that are due',
  description:
    'Imports files as a source defines it, or fetches its address. The whole input is read before anything is written. With --due, imports all sources that are due, in all municipalities: start it every few minutes. Several processes may run at the same time: each source is imported by one of them, and each municipality has one import at a time.',
  arguments: {
    name: argument('[name]', 'name of the source'),
    paths: argument(
      '[paths...]',
      'files, folders, or - for standard input; default: the address of the source',
    ),
  },
  options: runOptions,
  readers: ['import', 'schedule'],
  isTraced: true,
  run: async ({ name, paths, ...flags }, store, config, context, command) => {
    if (flags.due) {
      if (name === undefined) return runDue(context, store, config, flags);
      throw new CommandError('--due imports all sources: omit the name.', exitCodes.usage);
    }
    if (name === undefined) return command.error("error: missing required argument 'name'");
    const { organization } = flags;
    if (organization === undefined)
      return command.error("error: required option '--organization <name|id>' not specified");
    return runOne(context, store, config, name, paths, { ...flags, organization });
  },
});

export const workOnSources = defineCommand({
  name: 'work',
  isHidden: true,
  summary: 'run the waiting steps of imports',
  description:
    'Runs the waiting steps of imports that were started in the admin area, one after the other, until none is left. The server and "rostra source run --due" start this command themselves, and name other tasks in messages. After SIGTERM or SIGINT, the current step is queued again.',
  options: { database },
  run: work,
});

async function runOne(
  context: CommandContext,
  store: OpenedStore,
  config: Config,
  name: string,
  paths: string[],
  flags: RunFlags & { organization: string },
): Promise<void> {
  await context.ownProcess?.limitImport(config.importMemory);
  const organization = await requireOrganization(store, flags.organization);
  const found = await requireSource(store, name, flags.organization);
  if (paths.length === 0 && found.url === null)
    throw new CommandError(`The source ${name} has no address. Name the files to import.`, exitCodes.usage);
  const format = findFormat(found.format);
  const input = await failOnInputError(() =>
    paths.length === 0 ? undefined : { files: findInputFiles(paths, format), paths },
  );
  await reportImport(
    async (hooks) => {
      const result = await runSource(store, found, {
        settings: config,
        userAgent: `Rostra/${context.version}`,
        input,
        lease: 'give-up',
        skipsUnchanged: false,
        full: flags.full === true,
        isDryRun: flags.dryRun === true,
        mayLoosenRedaction: flags.loosenRedaction === true,
        confirmed: listConfirmed(flags),
        ...hooks,
      });
      if (result !== undefined) return result;
      throw new CommandError(
        `Another import of ${organization.name} is running. Wait until it ends. If it was killed, a new one can start after one minute.`,
      );
    },
    { ...flags, ...(found.maxDeletedPercent !== null && { deleteMissing: true }) },
    input && sumSizes(input.files),
    format,
  );
}

async function runDue(
  context: CommandContext,
  store: OpenedStore,
  config: Config,
  { json }: RunFlags,
): Promise<void> {
  await removeAbandonedDownloads();
  const { signal, dispose } = abortOnSignal();
  const counts = { imported: 0, unchanged: 0, failed: 0, rejected: 0 };
  /** Those that are not printed at once. */
  const failures: ScheduledRun[] = [];
  const { run, close } = context.ownProcess
    ? runInProcesses(context, context.ownProcess, store, config, signal)
    : { run: createRun(context, store, config, signal), close: () => undefined };
  let isComplete: boolean;
  try {
    isComplete = await runDueSources(store, {
      concurrency: config.importConcurrency,
      maxPerHost: config.importsPerHost,
      maxDurationMs,
      signal,
      run,
      onEnd: (ended) => {
        addRun(counts, ended);
        if (json) printJsonLine(ended);
        else if (ended.error === null) printRun(ended);
        else failures.push(ended);
      },
    });
  } finally {
    await close();
    dispose();
    printFailures(failures);
  }
  const { imported, unchanged, failed, rejected } = counts;
  printError(`${imported} imported, ${unchanged} unchanged, ${failed} failed, ${rejected} records rejected.`);
  if (signal.aborted)
    throw new CommandError('Interrupted. The other sources stay due.', exitCodes.interrupted);
  if (config.pingUrl !== undefined)
    await sendPing(config.pingUrl, 'sources', !(await store.listSourceProblems()).some(needsAttention));
  if (!isComplete) printError('The time is over. The other sources stay due.');
  if (failed > 0)
    throw new CommandError(
      `${failed === 1 ? '1 source' : `${failed} sources`} failed. "rostra source list" shows the errors.`,
    );
  if (rejected > 0)
    throw new CommandError(
      'Some records were rejected. "rostra import history ID" lists them.',
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
  { database }: Config,
  signal: AbortSignal,
): { run: RunSource; close: () => Promise<void> } {
  const start = () => ownProcess.startImport(['source', 'work'], { database }, context.readVariables());
  const launcher = createImportLauncher<DueSource, WorkerAnswer>(start, printError);
  signal.addEventListener('abort', () => void launcher.stop(stopTimeoutMs));
  return {
    run: async (key) => {
      const end = await launcher.run(key);
      if ('failure' in end)
        return failScheduledRun(store, key, { code: 'process-ended', detail: end.failure });
      if ('unavailable' in end.answer) throw new StoreUnavailableError(end.answer.unavailable);
      return end.answer.run ?? undefined;
    },
    close: launcher.close,
  };
}

const workOptions = { readers: ['import'], isTraced: true } as const;

/** Carries out the tasks of a launcher; without a channel, runs the waiting steps of imports. */
async function work(flags: DatabaseFlags, context: CommandContext): Promise<void> {
  const { importMemory } = context.readConfig(flags, ['importMemory']);
  await context.ownProcess?.limitImport(importMemory);
  const { signal, dispose } = abortOnSignal();
  try {
    if (process.send !== undefined && context.ownProcess !== undefined)
      await carryOutTasks(flags, context, signal);
    else
      await withStore(
        context,
        flags,
        (store, config) => runQueuedSteps(store, composeQueueOptions(context, config, signal)),
        workOptions,
      );
  } finally {
    dispose();
  }
}

/** The database is opened for the first task: until then, the process is prepared. */
async function carryOutTasks(
  flags: DatabaseFlags,
  context: CommandContext,
  signalled: AbortSignal,
): Promise<void> {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  const signal = AbortSignal.any([signalled, stopped.signal]);
  const onMessage = (message: unknown) => {
    if (message === stopMessage) stop();
  };
  process.on('message', onMessage).once('disconnect', stop);
  const tasks = receiveTasks(signal);
  try {
    const first = await tasks.next();
    if (first.done) return;
    await withStore(
      context,
      flags,
      async (store, config) => {
        const run = createRun(context, store, config, signal);
        for (let task: IteratorResult<Task, void> = first; !task.done; task = await tasks.next()) {
          const end =
            typeof task.value === 'string'
              ? await runNextRun(store, composeQueueOptions(context, config, signal))
              : await answer(run, task.value);
          process.send?.(end, () => undefined);
          // It has read the files of a run of the queue, and reads no others.
          if (end === true) return;
        }
      },
      workOptions,
    );
  } finally {
    process.off('message', onMessage).off('disconnect', stop);
    await tasks.return();
  }
}

/** A source that is due, or a task of the queue. */
type Task = DueSource | string;

/** Ends after an abort. */
async function* receiveTasks(signal: AbortSignal): AsyncGenerator<Task, void> {
  if (!process.connected) return;
  try {
    for await (const [message] of on(process, 'message', { signal })) {
      if (signal.aborted) return;
      yield message;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const composeQueueOptions = (context: CommandContext, config: Config, signal: AbortSignal): QueueOptions => ({
  uploads: createUploadStorage(locateUploads(config), config.maxUpload),
  config,
  userAgent: `Rostra/${context.version}`,
  signal,
  onProblem: printError,
});

async function answer(run: RunSource, key: DueSource): Promise<WorkerAnswer> {
  try {
    return { run: (await run(key)) ?? null };
  } catch (error) {
    if (error instanceof StoreUnavailableError) return { unavailable: error.message };
    throw error;
  }
}

function addRun(
  counts: Record<'imported' | 'unchanged' | 'failed' | 'rejected', number>,
  { end, isUnchanged, summary }: ScheduledRun,
): void {
  if (end === 'failed') counts.failed += 1;
  else if (isUnchanged) counts.unchanged += 1;
  else if (end === 'done') counts.imported += 1;
  if (end === 'done') counts.rejected += summary?.rejected ?? 0;
}

const getState = ({ isUnchanged, end }: ScheduledRun) => (isUnchanged ? 'unchanged' : end);

const describeError = ({ error }: ScheduledRun) => (error === null ? null : describeReason(error));

function printJsonLine(ended: ScheduledRun): void {
  const { organizationId, organizationName, source, summary, runId, stack } = ended;
  if (stack !== undefined) printError(stack);
  const { redacted: _redacted, personalData, ...counts } = summary ?? {};
  print(
    JSON.stringify({
      at: new Date().toISOString(),
      organizationId,
      organizationName,
      source,
      state: getState(ended),
      runId: runId ?? null,
      error: describeError(ended),
      ...(summary && { counts, personalData }),
    }),
  );
}

/** One line for each source. */
function printRun(ended: ScheduledRun): void {
  const { organizationName, source, summary, stack } = ended;
  if (stack !== undefined) printError(stack);
  const { redacted: _redacted, personalData: _personalData, ...counts } = summary ?? {};
  const changes = Object.entries(counts).flatMap(([name, count]) =>
    count === 0 ? [] : [`${count} ${name}`],
  );
  const details = describeError(ended) ?? changes.join(', ');
  print(`${organizationName}, ${source}: ${getState(ended)}${details === '' ? '' : `: ${details}`}`);
}

/** One line for each source, or for many with the same cause. */
function printFailures(failures: readonly ScheduledRun[]): void {
  for (const group of groupFailures(failures, ({ error }) => (error === null ? '' : nameCause(error)))) {
    const [example] = group;
    if (group.length === 1) printRun(example);
    else {
      if (example.stack !== undefined) printError(example.stack);
      const { organizationName, source } = example;
      print(
        `${countSources(group)}: failed, such as ${organizationName}, ${source}: ${describeError(example)}`,
      );
    }
  }
}
