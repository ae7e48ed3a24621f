/** Ends synchronous work that takes too long, such as a regular expression. V8 enforces the limit even within a search. */
import { createContext, Script } from 'node:vm';

/** The work did not end in time, and its result is lost. */
export class TimeLimitError extends Error {}

/** @returns a function that runs work and throws TimeLimitError after `timeoutMs` */
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
    try {
      script.runInContext(context, { timeout: timeoutMs });
      return result as Result;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
        throw new TimeLimitError();
      throw error;
    }
  };
}
