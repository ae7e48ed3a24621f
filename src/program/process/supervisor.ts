/** Several processes on one port: this one holds the port and keeps the workers running. */
import cluster from 'node:cluster';
import { isSea } from 'node:sea';
import type { Logger } from 'pino';
import { createSeries, type MetricSnapshot, mergeSnapshots } from '../../platform/metrics/metric-snapshot.ts';
import { createMetrics } from '../../platform/metrics/metrics-registry.ts';
import { watchProcess } from '../../platform/metrics/process-metrics.ts';
import { ConfigurationError } from '../config/read-config.ts';
import { type Config, toEnvironmentName } from '../config/settings.ts';
import { exitCodes } from './exit-codes.ts';
import type { QueueLauncher } from './import-processes/queue-launcher.ts';
import type { Log } from './logger.ts';
import { createBuildMetrics } from './metrics/collect-metrics.ts';
import { startMetricsServer } from './metrics/metrics-server.ts';
import { notifySystemd } from './notify-systemd.ts';
import { type ReloadOutcomes, serveReloadOutcomes } from './reload-outcome.ts';
import type { ServerAddresses } from './servers.ts';
import { onHangup, receiveSignals, type ShutdownSignals, shutDownOnSignal } from './shutdown-signals.ts';
import { createWorkerPool, WorkerExitedError, type WorkerPool } from './worker-pool.ts';

/** Only the process that starts the workers uses them. */
const supervisorSettings = ['workers', 'stopDelay', 'metricsPort', 'metricsHost'] as const;

/**
 * @param readConfig reads the settings again
 * @returns the exit code: 0 after SIGTERM or SIGINT, when all requests are done
 */
export async function superviseWorkers(
  config: Config,
  readConfig: () => Config,
  version: string,
  logger: Log,
  launcher: QueueLauncher,
  onListening: (addresses: ServerAddresses, metricsAddress: string | undefined) => void,
): Promise<number> {
  // If workers accepted from the port themselves, a worker that exits would lose the connections in its backlog.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  // An executable has no script: its first argument takes this place. Its options of Node.js are built in.
  if (isSea())
    cluster.setupPrimary({ exec: process.argv[2] as string, args: process.argv.slice(3), execArgv: [] });
  const { log } = logger;
  const signals = receiveSignals();
  const pool = createWorkerPool(log, launcher.wake);
  const metricsServer = await startMetricsServer(config, log, createCollector(pool, config, version));
  try {
    return await superviseUntilSignal(pool, config, readConfig, logger, launcher, signals, (addresses) =>
      onListening(addresses, metricsServer?.address),
    );
  } finally {
    await metricsServer?.close();
  }
}

async function superviseUntilSignal(
  pool: WorkerPool,
  config: Config,
  readConfig: () => Config,
  logger: Log,
  launcher: QueueLauncher,
  signals: ShutdownSignals,
  onListening: (addresses: ServerAddresses) => void,
): Promise<number> {
  const { log } = logger;
  const { workers, stopDelay, stopTimeout } = config;
  const started = startPool(pool, workers);
  const outcomes = serveReloadOutcomes(log);
  restartOnHangup(pool, started, log, outcomes, () => {
    launcher.renew();
    const changed = readConfig();
    for (const name of supervisorSettings)
      if (changed[name] !== config[name])
        log.warn(`${toEnvironmentName(name)} has changed: only a restart applies it`);
  });
  try {
    const addresses = await Promise.race([started, signals.first]);
    if (typeof addresses === 'object') onListening(addresses);
  } catch (error) {
    if (!(error instanceof WorkerExitedError)) throw error;
    // A worker that exited with a code has printed the reason itself.
    if (error.code === null) log.error(error.logFields, 'the first worker crashed before it was ready');
    return error.code ?? exitCodes.failure;
  }
  await shutDownOnSignal(signals, stopDelay, logger, {
    markNotReady: pool.markNotReady,
    stop: async () => {
      outcomes.close();
      await Promise.all([pool.stop(), launcher.stop(stopTimeout)]);
    },
  });
  return exitCodes.success;
}

function createCollector(pool: WorkerPool, config: Config, version: string): () => Promise<MetricSnapshot> {
  if (config.metricsPort === undefined) return async () => ({});
  const own = createMetrics();
  watchProcess(own.addReader);
  own.addReader(() => ({ rostra_workers_configured: createSeries(config.workers) }));
  return async () => {
    // After an upgrade without a restart, the workers have a later version than this process.
    const ofWorkers = { ...createBuildMetrics(config, version), ...(await pool.collectMetrics()) };
    return mergeSnapshots([own.collect(), ofWorkers]);
  };
}

/** The first worker starts alone, so that a configuration error is reported once. @throws WorkerExitedError */
async function startPool(pool: WorkerPool, workers: number): Promise<ServerAddresses> {
  const addresses = await pool.start();
  await Promise.all(Array.from({ length: workers - 1 }, () => pool.startWithBackoff()));
  return addresses;
}

/**
 * SIGHUP restarts the workers. While one restart waits to begin, further signals are ignored.
 *
 * @param reportUnapplied logs changes that no worker can apply; it may fail, because the first worker reports the reason
 */
function restartOnHangup(
  pool: WorkerPool,
  started: Promise<unknown>,
  log: Logger,
  outcomes: ReloadOutcomes,
  reportUnapplied: () => void,
): void {
  let isQueued = false;
  // `superviseWorkers` reports the error.
  let lastRestart = started.catch(() => undefined);
  onHangup(() => {
    if (isQueued) return;
    isQueued = true;
    lastRestart = lastRestart.then(async () => {
      isQueued = false;
      const answer = outcomes.take();
      await notifySystemd(log, 'RELOADING=1', 'STATUS=Rolling restart in progress');
      try {
        reportUnapplied();
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error;
      }
      const { isComplete, exited } = await pool.rollingRestart();
      const status = isComplete
        ? 'Serving'
        : 'The last reload failed: a new worker did not start, and the log has the reason';
      await notifySystemd(log, 'READY=1', `STATUS=${status}`);
      answer(isComplete);
      await exited;
    });
  });
}
