/**
 * Fair scheduling between municipalities. Reads are synchronous, and a page of very long texts blocks the process for tens
 * of milliseconds. After two such reads the municipality pauses, so that requests of others can run.
 */
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import { nextEventLoopTurn } from '../event-loop-turn.ts';

/** Longer reads cause a pause. */
const longReadMs = 5;

/** Length of the pause in turns of the event loop. Node.js accepts only one connection in each turn. */
const pauseTurns = 16;

const readClockMs = () => performance.now();

/** CPU time of this thread: on a busy machine the elapsed time says little about the cost of a read. */
function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** @param timeoutMs maximum wait of a read */
export function createFairReadScheduler(timeoutMs: number) {
  const paused = new Set<string>();
  /** Their last read took long. It may have been the machine. */
  const suspected = new Set<string>();

  async function pause(organizationId: string): Promise<void> {
    paused.add(organizationId);
    for (let turn = 0; turn < pauseTurns; turn += 1) await nextEventLoopTurn();
    paused.delete(organizationId);
  }

  /**
   * @param read reads synchronously, before it returns its promise
   * @throws StoreUnavailableError if the pause lasts longer than the timeout
   */
  return async <Result>(organizationId: string, read: () => Promise<Result>): Promise<Result> => {
    const latestMs = performance.now() + timeoutMs;
    while (paused.has(organizationId)) {
      await nextEventLoopTurn();
      if (performance.now() > latestMs)
        throw new StoreUnavailableError('A municipality requests more long pages than the process can read.');
    }
    // To read the CPU time takes longer than to read the clock, so it is read only after a long read.
    const readTime = suspected.has(organizationId) ? readCpuMs : readClockMs;
    const startedMs = readTime();
    const result = read();
    const isLong = readTime() - startedMs > longReadMs;
    if (!isLong) suspected.delete(organizationId);
    else if (readTime === readCpuMs) void pause(organizationId);
    else suspected.add(organizationId);
    return result;
  };
}
