import { exitCodes } from '../process/exit-codes.ts';

/** Ends the command with an exit code. The message is printed on standard error. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}
