import { exitCodes } from '../process/exit-codes.ts';
import { abortOnSignal } from '../process/shutdown-signals.ts';
import { CommandError } from './command-error.ts';

/**
 * Does work that Ctrl-C or SIGTERM stops.
 *
 * @param remedy follows "Interrupted."
 * @throws CommandError after a signal
 */
export async function runInterruptible<Result>(
  remedy: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal, dispose } = abortOnSignal();
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CommandError(`Interrupted. ${remedy}`, exitCodes.interrupted);
  } finally {
    dispose();
  }
}
