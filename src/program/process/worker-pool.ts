/** The worker processes of `serve`: starts them, replaces those that crash, restarts them one by one, stops them. */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createSeries, type MetricSnapshot } from '../../platform/metrics/metric-snapshot.ts';
import type { WaitingWork } from './import-processes/queue-launcher.ts';
import { createWorkerMetrics } from './metrics/worker-metrics.ts';
import type { ServerAddresses } from './servers.ts';
import { supervisorVariable, type WorkerCommand, type WorkerMessage } from './serving-worker.ts';
import type { Stoppable } from './shutdown-signals.ts';

export interface WorkerPool extends Stoppable {
  /** Resolves when the worker accepts connections. @throws WorkerExitedError */
  start(): Promise<ServerAddresses>;
  /** Retries until a worker accepts connections or the pool shuts down. Never rejects. */
  startWithBackoff(): Promise<void>;
  /**
   * Replaces each worker by a new one, or starts one if none is ready. Resolves when the new ones accept requests, or one
   * of them fails to start.
   */
  rollingRestart(): Promise<RollingRestart>;
  /** The sum of all workers, including those that have ended. */
  collectMetrics(): Promise<MetricSnapshot>;
}

interface RollingRestart {
  isComplete: boolean;
  /** Resolves when the replaced workers have exited. */
  exited: Promise<unknown>;
}

/** A worker exited before it accepted connections. */
export class WorkerExitedError extends Error {
  readonly code: number | null;
  readonly logFields: object;

  constructor(worker: number | undefined, code: number | null, signal: string | null) {
    super(`Worker ${worker} exited before it was ready.`);
    this.code = code;
    this.logFields = { worker, code, signal };
  }
}

interface PoolWorker {
  worker: Worker;
  state: 'starting' | 'ready' | 'stopping';
  startedAtMs: number;
  /** Delay before its replacement starts, if it crashes soon after its start. */
  retryDelayMs: number;
  /** Rejects if it exits before it accepts connections. */
  ready: Promise<ServerAddresses>;
  exited: Promise<void>;
}

/** A crash after this time was not caused by the start, so the replacement starts without a delay. */
const stableAfterMs = 10_000;

const minRetryDelayMs = 100;
const maxRetryDelayMs = 5_000;
const doubleRetryDelay = (delayMs: number) => Math.min(2 * delayMs, maxRetryDelayMs);

/** @param onWorkWaiting receives work from a worker that needs a process of its own */
export function createWorkerPool(log: Logger, onWorkWaiting: (work: WaitingWork) => void): WorkerPool {
  const pool = new Set<PoolWorker>();
  const workerMetrics = createWorkerMetrics();
  let starts = 0;
  let crashes = 0;
  /** Retries that end instead of starting a worker, because a restart has started one in their place. */
  let replacedRetries = 0;
  /** A worker has found damage in the database, which another one may not read for long. */
  let hasDamage = false;
  let lastReload: { isSuccessful: boolean; endedMs: number } | undefined;
  const shutdown = new AbortController();
  const wait = (ms: number) => setTimeout(ms, undefined, { signal: shutdown.signal }).catch(() => undefined);

  function start(retryDelayMs = minRetryDelayMs): Promise<ServerAddresses> {
    const worker = cluster.fork({ [supervisorVariable]: '1' });
    const ready = Promise.withResolvers<ServerAddresses>();
    const exited = new Promise<void>((resolveExited) => {
      const onExit = (code: number | null, signal: string | null) => {
        pool.delete(member);
        workerMetrics.retire(worker.id);
        if (member.state !== 'stopping' && !shutdown.signal.aborted) crashes += 1;
        resolveExited();
        if (member.state === 'starting')
          ready.reject(new WorkerExitedError(worker.process.pid, code, signal));
        else handleExit(member, code, signal);
      };
      worker.once('exit', onExit);
      // A process that could not be spawned emits no 'exit'. All other errors end in one.
      worker.on('error', () => {
        if (worker.process.pid === undefined) onExit(null, null);
      });
    });
    const member: PoolWorker = {
      worker,
      state: 'starting',
      startedAtMs: performance.now(),
      retryDelayMs,
      ready: ready.promise,
      exited,
    };
    pool.add(member);
    worker.on('message', (message: WorkerMessage) => {
      if ('waiting' in message) {
        onWorkWaiting(message.waiting);
        return;
      }
      if ('isDamaged' in message) {
        hasDamage = true;
        for (const each of pool) if (each.state !== 'starting') send(each, 'markNotReady');
        return;
      }
      if ('metrics' in message) {
        workerMetrics.receive(worker.id, message.metrics);
        return;
      }
      // After an upgrade without a restart, a worker of a later version may send others.
      if (!('address' in message)) return;
      member.state = 'ready';
      if (hasDamage) send(member, 'markNotReady');
      starts += 1;
      ready.resolve(message);
    });
    return ready.promise;
  }

  function handleExit(
    { worker, state, startedAtMs, retryDelayMs }: PoolWorker,
    code: number | null,
    signal: string | null,
  ): void {
    const logFields = { worker: worker.process.pid, code, signal };
    if (state === 'stopping' || shutdown.signal.aborted) {
      if (code !== 0) log.error(logFields, 'worker crashed while stopping');
      return;
    }
    log.error(logFields, 'worker crashed, starting a replacement');
    if (performance.now() - startedAtMs < stableAfterMs)
      void startWithBackoff(doubleRetryDelay(retryDelayMs), retryDelayMs);
    else void startWithBackoff();
  }

  /** @param retryDelayMs delay after the first failed attempt, doubled after each further one */
  async function startWithBackoff(retryDelayMs = minRetryDelayMs, firstDelayMs = 0): Promise<void> {
    await wait(firstDelayMs);
    for (let delayMs = retryDelayMs; !shutdown.signal.aborted; delayMs = doubleRetryDelay(delayMs)) {
      if (replacedRetries > 0) {
        replacedRetries -= 1;
        return;
      }
      try {
        await start(delayMs);
        return;
      } catch (error) {
        if (shutdown.signal.aborted) return;
        log.error({ ...getLogFields(error), retryDelayMs: delayMs }, 'worker failed to start, retrying');
      }
      await wait(delayMs);
    }
  }

  /** @returns whether a new worker has replaced this one */
  async function replace(member: PoolWorker): Promise<boolean> {
    // If it crashes from now on, it needs no second replacement.
    member.state = 'stopping';
    try {
      await start();
    } catch (error) {
      if (shutdown.signal.aborted) return false;
      log.error(
        getLogFields(error),
        'rolling restart aborted: a new worker failed to start, the remaining old workers keep running',
      );
      if (pool.has(member)) member.state = 'ready';
      else void startWithBackoff(doubleRetryDelay(minRetryDelayMs), minRetryDelayMs);
      return false;
    }
    send(member, 'drain');
    return true;
  }

  /** Without a ready worker, every retry waits for its next attempt. @returns whether the new worker is ready */
  async function startInPlaceOfRetry(): Promise<boolean> {
    replacedRetries += 1;
    try {
      await start();
      return true;
    } catch (error) {
      if (shutdown.signal.aborted) return false;
      log.error(
        getLogFields(error),
        'rolling restart aborted: a new worker failed to start, and no worker serves',
      );
      void startWithBackoff(doubleRetryDelay(minRetryDelayMs), minRetryDelayMs);
      return false;
    }
  }

  async function rollingRestart(): Promise<RollingRestart> {
    const replaced: Promise<void>[] = [];
    // They may have read the old settings.
    await Promise.allSettled([...pool].map(({ ready }) => ready));
    const oldWorkers = [...pool].filter(({ state }) => state === 'ready');
    log.info({ workers: oldWorkers.length }, 'rolling restart started');
    let isComplete = !shutdown.signal.aborted && (oldWorkers.length > 0 || (await startInPlaceOfRetry()));
    for (const member of oldWorkers) {
      if (!isComplete) break;
      // A worker that crashed meanwhile already has a replacement.
      if (!pool.has(member)) continue;
      isComplete = await replace(member);
      if (isComplete) replaced.push(member.exited);
    }
    isComplete &&= !shutdown.signal.aborted;
    lastReload = { isSuccessful: isComplete, endedMs: Date.now() };
    const exited = Promise.all(replaced).then(() => {
      if (isComplete && !shutdown.signal.aborted) log.info('rolling restart finished');
    });
    return { isComplete, exited };
  }

  function send({ worker }: PoolWorker, command: WorkerCommand): void {
    if (worker.isConnected()) worker.send(command);
  }

  async function collectMetrics(): Promise<MetricSnapshot> {
    const asked = [...pool].filter(({ state }) => state !== 'starting');
    // A worker that serves reads the database rather than one that ends.
    asked.sort((one, other) => Number(other.state === 'ready') - Number(one.state === 'ready'));
    const byId = new Map(asked.map((member) => [member.worker.id, member]));
    const collected = await workerMetrics.collect([...byId.keys()], (id, includesInstallation) =>
      send(byId.get(id) as PoolWorker, includesInstallation ? 'sendAllMetrics' : 'sendMetrics'),
    );
    return {
      ...collected,
      rostra_workers: createSeries(asked.filter(({ state }) => state === 'ready').length),
      rostra_worker_starts_total: createSeries(starts),
      rostra_worker_crashes_total: createSeries(crashes),
      rostra_last_reload_successful: createSeries(lastReload?.isSuccessful === false ? 0 : 1),
      ...(lastReload && { rostra_last_reload_timestamp_seconds: createSeries(lastReload.endedMs / 1_000) }),
    };
  }

  return {
    start: () => start(),
    startWithBackoff: () => startWithBackoff(),
    rollingRestart,
    collectMetrics,
    markNotReady: () => {
      shutdown.abort();
      for (const member of pool) {
        if (member.state === 'starting') member.worker.process.kill('SIGKILL');
        else send(member, 'markNotReady');
      }
    },
    stop: async () => {
      for (const member of pool) send(member, 'stop');
      await Promise.all([...pool].map(({ exited }) => exited));
    },
  };
}

const getLogFields = (error: unknown) =>
  error instanceof WorkerExitedError ? error.logFields : { err: error };
