/** Several processes on one port: this one holds the port and sees to it that the others, which serve, are there. */
import cluster from 'node:cluster';
import { exitCodes } from '../cli/command-context.ts';
import type { Config } from '../config/settings.ts';
import type { Log } from './logger.ts';
import type { ServerAddresses } from './servers.ts';
import { nextSignal, onHangUp, shutdownOn } from './shutdown-signals.ts';
import { createWorkerPool, WorkerExitedError, type WorkerPool } from './worker-pool.ts';

/** @returns the exit code: 0 after SIGTERM or SIGINT, when every request under way is answered */
export async function superviseWorkers(
  { workers, stopDelay }: Config,
  ownLog: Log,
  listening: (addresses: ServerAddresses) => void,
): Promise<number> {
  // Where workers took connections from the port themselves, one that ends would lose those it has not looked at.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const { log } = ownLog;
  const signalled = nextSignal();
  const crew = createWorkerPool(log);
  const complete = begin(crew, workers);
  replaceOnHangUp(crew, complete);
  try {
    const addresses = await Promise.race([complete, signalled]);
    if (typeof addresses === 'object') listening(addresses);
  } catch (error) {
    if (!(error instanceof WorkerExitedError)) throw error;
    // With an exit code of its own it has said why.
    if (error.code === null) log.error(error.facts, 'the first worker died before it could serve');
    return error.code ?? exitCodes.failed;
  }
  await shutdownOn(signalled, stopDelay, ownLog, crew);
  return exitCodes.done;
}

/** The first worker starts alone, so that what keeps it from serving is said once. @throws WorkerEnded */
async function begin(crew: WorkerPool, workers: number): Promise<ServerAddresses> {
  const addresses = await crew.start();
  await Promise.all(Array.from({ length: workers - 1 }, () => crew.startPatiently()));
  return addresses;
}

/** One round for each SIGHUP, and not more than one waiting. */
function replaceOnHangUp(crew: WorkerPool, complete: Promise<unknown>): void {
  let waiting = false;
  // What keeps the first worker from starting is told elsewhere.
  let latest = complete.catch(() => undefined);
  onHangUp(() => {
    if (waiting) return;
    waiting = true;
    latest = latest.then(() => {
      waiting = false;
      return crew.replaceAll();
    });
  });
}
