import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { isPostgresUrl } from '../../../domain/installation/is-postgres-url.ts';
import { createSeries, mergeSnapshots } from '../../../platform/metrics/metric-snapshot.ts';
import type { Metrics } from '../../../platform/metrics/metrics-registry.ts';
import type { OpenedStore } from '../../../store/open.ts';
import { judgeSecurityTxtExpiry } from '../../config/judge-security-txt-expiry.ts';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { type Config, listSettings, type SettingName } from '../../config/settings.ts';
import { createAuditLogger } from '../../process/copy-audit-events.ts';
import { describeBuild } from '../../process/describe-build.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { createQueueLauncher, type QueueLauncher } from '../../process/import-processes/queue-launcher.ts';
import { createLogger, exitOnUncaughtError, type Log, logProcessWarnings } from '../../process/logger.ts';
import { createMetricsCollector, createServingMetrics } from '../../process/metrics/collect-metrics.ts';
import { type MetricsServer, startMetricsServer } from '../../process/metrics/metrics-server.ts';
import { notifySystemd } from '../../process/notify-systemd.ts';
import { requestReload } from '../../process/reload-outcome.ts';
import { reportDamage, type ServerAddresses, startServers, stopWhenReplaced } from '../../process/servers.ts';
import { serveAsWorker } from '../../process/serving-worker.ts';
import { onHangup, receiveSignals, shutDownOnSignal } from '../../process/shutdown-signals.ts';
import { superviseWorkers } from '../../process/supervisor.ts';
import { openWhenAvailable } from '../../process/wait-for-database.ts';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand, flag, option, settingOption } from '../define-command.ts';
import { printError } from '../output.ts';

/** Clients get a response within a second. */
export const statementTimeoutMs = 800;

/** Time that a change in the admin area waits for an import, before the page asks to try again. */
export const lockTimeoutMs = 10_000;

const settingOptions = Object.fromEntries(
  listSettings('serve').map((name) => [name, settingOption(name)]),
) as Record<SettingName, ReturnType<typeof settingOption>>;

/** One process serves; with several workers, `src/program/process/supervisor.ts` keeps them running. */
export const addServeCommand = defineCommand({
  name: 'serve',
  summary: 'serve the API',
  description:
    'Serves the API until SIGTERM or SIGINT. Each option can also be set as an environment variable: --rate-limit is ROSTRA_RATE_LIMIT.',
  options: {
    ...settingOptions,
    check: flag('check all settings, print all that are invalid, and serve nothing'),
    reload: option(
      'pid',
      'check all settings, then apply them to the server that runs with this process id and these options',
      createIntegerParser('a process id', 1, 4_194_304),
    ),
  },
  run: async ({ check, reload, ...flags }, context) => {
    const readConfig = () => context.readConfig(flags, listSettings('serve', 'import'));
    const config = readConfig();
    const warning = cluster.isPrimary ? judgeSecurityTxtExpiry(config, Date.now()) : undefined;
    if (check || reload !== undefined) {
      context.readTracingSettings();
      if (warning !== undefined) printError(`Warning: ${warning}`);
      if (reload === undefined) return printError('All settings are valid.');
      return printError(await restartWorkers(reload, config));
    }
    const log = createLogger(config);
    logProcessWarnings(log.log);
    const ignoreUncaughtErrors = exitOnUncaughtError(log);
    for (const sentence of [...context.takeWarnings(), ...(warning ? [warning] : [])]) log.log.warn(sentence);
    const launcher = createQueueLauncher(flags, context.readVariables, log.log);
    try {
      if (cluster.isPrimary && config.workers > 1)
        await serveWithWorkers(context, config, readConfig, log, launcher);
      else await serveInThisProcess(context, config, log, launcher);
    } finally {
      ignoreUncaughtErrors();
    }
  },
});

/** @returns what happened @throws CommandError if nothing was changed, or not everything */
async function restartWorkers(pid: number, { workers }: Config): Promise<string> {
  if (workers < 2 || !mayHaveWorkers(pid))
    throw new CommandError(
      'A reload requires ROSTRA_WORKERS=2 or more. Nothing was changed: restart the server to apply the settings.',
    );
  let isApplied: boolean | undefined;
  try {
    isApplied = await requestReload(pid, () => process.kill(pid, 'SIGHUP'));
  } catch (error) {
    throw new CommandError(`The process ${pid} cannot be reloaded: ${(error as Error).message}.`);
  }
  if (isApplied === false)
    throw new CommandError(
      'A new worker does not start: workers that serve keep the old settings. The log of the server has the reason.',
    );
  return isApplied
    ? 'All settings are valid, and the new workers accept requests.'
    : 'All settings are valid. The log of the server says whether its new workers accept requests.';
}

/** Only Linux says which processes another one has started. */
function mayHaveWorkers(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8') !== '';
  } catch {
    return true;
  }
}

async function serveWithWorkers(
  { version }: CommandContext,
  config: Config,
  readConfig: () => Config,
  ownLog: Log,
  launcher: QueueLauncher,
): Promise<void> {
  const { log, close } = ownLog;
  const exitCode = await superviseWorkers(
    config,
    readConfig,
    version,
    ownLog,
    launcher,
    (addresses, metricsAddress) => reportListening(log, version, config, addresses, metricsAddress),
  );
  if (exitCode === exitCodes.success) log.info('stopped');
  else process.exitCode = exitCode;
  await close();
}

async function serveInThisProcess(
  context: CommandContext,
  config: Config,
  ownLog: Log,
  launcher: QueueLauncher,
): Promise<void> {
  const { log, close } = ownLog;
  try {
    const stopTracing = await context.startTracing((sentence) => log.warn(sentence));
    try {
      await serveFromStore(context, config, ownLog, launcher);
    } finally {
      await stopTracing();
    }
  } finally {
    await close();
  }
}

async function serveFromStore(
  context: CommandContext,
  config: Config,
  ownLog: Log,
  launcher: QueueLauncher,
): Promise<void> {
  const { log } = ownLog;
  const metrics = createServingMetrics(config, context.version);
  const open = async () => {
    const readers: Parameters<Metrics['addReader']>[0][] = [];
    const opened = await context.openStore(config, {
      statementTimeoutMs,
      lockTimeoutMs,
      onNotice: (sentence, fields = {}) => log.warn(fields, sentence),
      copyAuditEvents: config.auditLog === 'off' ? () => undefined : createAuditLogger(log),
      metrics: metrics && { ...metrics, addReader: (read) => void readers.push(read) },
    });
    // Not those of attempts that failed.
    for (const read of readers) metrics?.addReader(read);
    return opened;
  };
  // The supervisor starts a worker again, and the others serve meanwhile.
  const store = cluster.isWorker ? await open() : await openWhenAvailable(open, config, ownLog);
  if (store === undefined) {
    log.info('stopped');
    return;
  }
  let metricsServer: MetricsServer | undefined;
  try {
    if (store.migrations.length > 0) log.info({ migrations: store.migrations }, 'database schema updated');
    if (store.migrations[0]?.startsWith('0001')) {
      log.warn(
        { database: describeDatabase(config.database) },
        'the database is new and empty: add a municipality with "rostra organization add"',
      );
    }
    if (cluster.isWorker) {
      await serveAsWorker(store, config, ownLog, metrics, launcher);
    } else {
      onHangup(() => log.warn('SIGHUP ignored: a rolling restart requires ROSTRA_WORKERS=2 or more'));
      if (metrics !== undefined) {
        const configured = { rostra_workers_configured: createSeries(config.workers) };
        const collect = createMetricsCollector(metrics, store, config);
        metricsServer = await startMetricsServer(config, log, async () =>
          mergeSnapshots([configured, await collect(true)]),
        );
      }
      await serve(
        store,
        config,
        ownLog,
        launcher,
        (addresses) => reportListening(log, context.version, config, addresses, metricsServer?.address),
        metrics,
      );
      log.info('stopped');
    }
  } finally {
    await metricsServer?.close();
    await store.close();
  }
}

/** Host and database name of a URL, without its password. */
function describeDatabase(database: string): string {
  if (!isPostgresUrl(database)) return database;
  const { host, pathname } = new URL(database);
  return host + pathname;
}

/** Serves until SIGTERM or SIGINT. Resolves when all open requests have a response. */
export async function serve(
  store: OpenedStore,
  config: Config,
  log: Log,
  launcher: QueueLauncher,
  onListening: (addresses: ServerAddresses) => void | Promise<void>,
  metrics?: Metrics,
): Promise<void> {
  const signals = receiveSignals();
  const { markNotReady, ...servers } = await startServers(store, config, log, launcher.wake, metrics);
  const stoppable = {
    markNotReady,
    stop: async () => {
      await Promise.all([servers.stop(), launcher.stop(config.stopTimeout)]);
    },
  };
  reportDamage(store, log.log, markNotReady);
  await onListening(servers);
  await Promise.race([
    shutDownOnSignal(signals, config.stopDelay, log, stoppable),
    stopWhenReplaced(store, log.log, stoppable),
  ]);
}

function reportListening(
  log: Logger,
  version: string,
  config: Config,
  { address, adminAddress }: ServerAddresses,
  metricsAddress: string | undefined,
): void {
  log.info({ address, docs: `${address}/docs`, ...describeBuild(config, version) }, 'listening');
  if (adminAddress !== undefined) log.info({ address: `${adminAddress}/admin` }, 'admin area listening');
  if (metricsAddress !== undefined) log.info({ address: metricsAddress }, 'metrics listening');
  void notifySystemd(log, 'READY=1', 'STATUS=Serving');
}
