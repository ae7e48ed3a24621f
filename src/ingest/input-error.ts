import { userInfo } from 'node:os';
import { type Reason, ReasonError } from '../domain/reasons/reason.ts';

/** The input cannot be read, or not to its end. */
export class InputError extends ReasonError {}

/** @param error of the file system */
export function toReadError(file: string, error: unknown): InputError {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EACCES'
    ? new InputError({ code: 'file-forbidden', file, user: readUserName() })
    : new InputError({ code: 'file-unreadable', file, detail: message });
}

function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, a user may have a number only.
    return String(process.geteuid?.());
  }
}

/** Runs all steps. @throws InputError with the reasons of all steps that threw one */
export function runAll<Result>(steps: readonly (() => Result)[]): Result[] {
  const reasons = new Map<string, Reason>();
  const results = steps.flatMap((step) => {
    try {
      return [step()];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      reasons.set(error.message, error.reason);
      return [];
    }
  });
  const [first, ...others] = reasons.values();
  if (first !== undefined)
    throw new InputError(others.length === 0 ? first : { code: 'several', reasons: [first, ...others] });
  return results;
}
