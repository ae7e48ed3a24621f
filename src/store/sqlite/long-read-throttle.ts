/**
 * Fair turns between municipalities. A read holds up the process for as long as it takes, which for a page of very long
 * texts is some tens of milliseconds. So a municipality pauses after such a read, and requests of others come in between.
 */
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import { nextEventLoopTurn } from '../event-loop-turn.ts';

/** A read that takes longer makes its municipality pause. */
const longReadMs = 5;

/** Turns of the event loop for which it pauses then. Node.js accepts one connection in a turn, so one would be too few. */
const pauseTurns = 16;

/** Processor time of this thread: on a busy machine an ordinary page may take long without costing much. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export interface LongReadThrottle {
  /**
   * @param read has read when it returns its promise, as calls into SQLite are synchronous
   * @throws StoreUnavailable when the municipality has no turn in time: its client has its answer 503 by then
   */
  run<Result>(organizationId: string, read: () => Promise<Result>): Promise<Result>;
}

/** @param timeoutMs how long a read waits for its turn */
export function createLongReadThrottle(timeoutMs: number): LongReadThrottle {
  const paused = new Set<string>();

  async function pause(organizationId: string): Promise<void> {
    paused.add(organizationId);
    for (let turn = 0; turn < pauseTurns; turn += 1) await nextEventLoopTurn();
    paused.delete(organizationId);
  }

  return {
    run: async (organizationId, read) => {
      const latestMs = performance.now() + timeoutMs;
      while (paused.has(organizationId)) {
        await nextEventLoopTurn();
        if (performance.now() > latestMs)
          throw new StoreUnavailableError(
            'A municipality asks for more long pages than the process can read.',
          );
      }
      const cpuBeforeMs = cpuMs();
      const result = read();
      if (cpuMs() - cpuBeforeMs > longReadMs) void pause(organizationId);
      return result;
    },
  };
}
