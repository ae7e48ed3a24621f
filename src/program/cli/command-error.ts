import { InputError } from '../../ingest/input-error.ts';
import { exitCodes } from '../process/exit-codes.ts';

/** Ends the command with an exit code. The message is printed on standard error. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** An InputError of `work` ends the command. @throws CommandError */
export async function failOnInputError<Result>(
  work: () => Result | Promise<Result>,
  exitCode?: number,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof InputError ? new CommandError(error.message, exitCode) : error;
  }
}
