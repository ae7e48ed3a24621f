/** Ends synchronous work that takes too long, such as a regular expression. V8 enforces the limit even within a search. */
import { createContext, Script } from 'node:vm';

/** The work did not end in time, and its result is lost. */
export class TimeLimitError extends Error {}

/** Of the elapsed time. The watchdog measures that, and the system never gives all of it to one thread. */
const minShare = 0.8;

/**
 * The limit is processor time of this thread: on a busy machine or beside other threads, work that was ended too early is repeated with more time.
 *
 * @returns a function that runs idempotent work and throws TimeLimitError after `timeoutMs`
 */
export function createTimeLimit(timeoutMs: number): <Result>(work: () => Result) => Result {
  // Only a script has a time limit, so it calls the work.
  const shared = { work: () => {} };
  const context = createContext(shared);
  const script = new Script('work()');
  return <Result>(work: () => Result): Result => {
    let result: Result | undefined;
    shared.work = () => {
      result = work();
    };
    for (let elapsedMs = timeoutMs; ; elapsedMs *= 2) {
      const before = process.threadCpuUsage();
      try {
        script.runInContext(context, { timeout: elapsedMs });
        return result as Result;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        const { user, system } = process.threadCpuUsage(before);
        if (user + system >= timeoutMs * 1_000 * minShare) throw new TimeLimitError();
      }
    }
  };
}
