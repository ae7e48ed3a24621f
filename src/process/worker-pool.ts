/** The workers of `serve`: started, replaced when they die, replaced one after the other when asked to, ended. */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ServerAddresses } from './servers.ts';
import type { Stoppable } from './shutdown-signals.ts';
import type { WorkerCommand } from './worker.ts';

export interface WorkerPool extends Stoppable {
  /** Resolves when the worker serves. @throws WorkerEnded */
  start(): Promise<ServerAddresses>;
  /** Resolves when a worker serves, however often it takes to start one, or when the crew is told to leave. */
  startPatiently(): Promise<void>;
  /** Replaces each worker by a new one, and resolves when the old ones are gone. */
  replaceAll(): Promise<void>;
}

/** A worker that ended before it served. */
export class WorkerExitedError extends Error {
  readonly code: number | null;
  readonly signal: string | null;
  /** For the log. */
  readonly facts: object;

  constructor(worker: number | undefined, code: number | null, signal: string | null) {
    super(`Worker ${worker} ended before it served.`);
    this.code = code;
    this.signal = signal;
    this.facts = { worker, code, signal };
  }
}

interface PoolWorker {
  worker: Worker;
  state: 'starting' | 'serving' | 'leaving';
  startedMs: number;
  /** How long whoever takes its place has to wait, should it die soon after its start. */
  pauseMs: number;
  gone: Promise<unknown>;
}

/** A worker that has lived for so long did not die of its start. */
const settledMs = 10_000;

const shortestPauseMs = 100;
const longestPauseMs = 5_000;
const longerPause = (pauseMs: number) => Math.min(2 * pauseMs, longestPauseMs);

export function createWorkerPool(log: Logger): WorkerPool {
  const members = new Set<PoolWorker>();
  let ending = false;
  const ended = new AbortController();
  const pause = (ms: number) => setTimeout(ms, undefined, { signal: ended.signal }).catch(() => undefined);

  function start(pauseMs = shortestPauseMs): Promise<ServerAddresses> {
    return new Promise((resolve, reject) => {
      const worker = cluster.fork();
      const gone = new Promise<void>((over) => {
        const end = (code: number | null, signal: string | null) => {
          members.delete(member);
          over();
          if (member.state === 'starting') reject(new WorkerExitedError(worker.process.pid, code, signal));
          else whenEnded(member, code, signal);
        };
        worker.once('exit', end);
        // One that was never there does not exit. What goes wrong on the way to any other shows in its end.
        worker.on('error', () => {
          if (worker.process.pid === undefined) end(null, null);
        });
      });
      const member: PoolWorker = { worker, state: 'starting', startedMs: performance.now(), pauseMs, gone };
      members.add(member);
      worker.once('message', (addresses: ServerAddresses) => {
        member.state = 'serving';
        resolve(addresses);
      });
    });
  }

  function whenEnded(
    { worker, state, startedMs, pauseMs }: PoolWorker,
    code: number | null,
    signal: string | null,
  ) {
    const facts = { worker: worker.process.pid, code, signal };
    if (state === 'leaving' || ending) {
      if (code !== 0) log.error(facts, 'a worker died while it was to end');
      return;
    }
    const soon = performance.now() - startedMs < settledMs;
    log.error(facts, 'a worker died, another takes its place');
    if (soon) startPatiently(longerPause(pauseMs), pauseMs);
    else startPatiently();
  }

  /** @param pauseMs to wait after the first attempt that fails @param firstMs to wait before the first attempt */
  async function startPatiently(pauseMs = shortestPauseMs, firstMs = 0): Promise<void> {
    await pause(firstMs);
    while (!ending) {
      try {
        await start(pauseMs);
        return;
      } catch (error) {
        if (ending) return;
        log.error(factsOf(error), `a worker could not start, next attempt in ${pauseMs} ms`);
      }
      await pause(pauseMs);
      pauseMs = longerPause(pauseMs);
    }
  }

  /** @returns whether the member is on its way out, another in its place */
  async function replace(member: PoolWorker): Promise<boolean> {
    // Should it die from here on, the new one has its place already.
    member.state = 'leaving';
    try {
      await start();
    } catch (error) {
      if (ending) return false;
      log.error(
        factsOf(error),
        'rolling restart broken off: a new worker could not start, the old ones stay',
      );
      if (members.has(member)) member.state = 'serving';
      else startPatiently(longerPause(shortestPauseMs), shortestPauseMs);
      return false;
    }
    tell(member, 'retire');
    return true;
  }

  async function replaceAll(): Promise<void> {
    if (ending) return;
    const old = [...members].filter(({ state }) => state === 'serving');
    log.info({ workers: old.length }, 'rolling restart begins');
    for (const member of old) {
      // Who died meanwhile has been replaced by a new one already.
      if (members.has(member) && !(await replace(member))) return;
    }
    await Promise.all(old.map(({ gone }) => gone));
    if (!ending) log.info('rolling restart done');
  }

  function tell({ worker }: PoolWorker, order: WorkerCommand): void {
    if (worker.isConnected()) worker.send(order);
  }

  return {
    start: () => start(),
    startPatiently: () => startPatiently(),
    replaceAll,
    leave: () => {
      ending = true;
      ended.abort();
      for (const member of members) {
        if (member.state === 'starting') member.worker.process.kill('SIGKILL');
        else tell(member, 'leave');
      }
    },
    stop: async () => {
      for (const member of members) tell(member, 'stop');
      await Promise.all([...members].map(({ gone }) => gone));
    },
  };
}

const factsOf = (error: unknown) => (error instanceof WorkerExitedError ? error.facts : { err: error });
