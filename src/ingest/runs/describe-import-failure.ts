/** The reason that a failed or interrupted import ends with. */

import type { Reason } from '../../domain/reasons/reason.ts';
import { LeaseLostError } from '../../domain/runs/run-history.ts';
import { InputError } from '../input-error.ts';
import { TooManyMissingError } from '../pipeline/missing-records.ts';
import { findReason, isExpectedError } from '../pipeline/pipeline.ts';
import { StrictModeError } from '../pipeline/write-batch.ts';
import type { ImportSummary } from '../records/import-observer.ts';

export interface ImportFailure {
  reason: Reason;
  /** The error, if it is a defect of the program. */
  unexpected: unknown;
}

/** Another run goes on, so the source has not failed. */
export const isInterruption = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || error instanceof LeaseLostError;

/** @param written the committed records */
export function describeImportFailure(
  error: unknown,
  written: ImportSummary | undefined,
  signal: AbortSignal,
): ImportFailure {
  const expect = (reason: Reason) => ({ reason, unexpected: undefined });
  const count = written ? written.inserted + written.changed + written.unchanged + written.removed : 0;
  if (signal.aborted) {
    const remainder = count === 0 ? 'nothing' : 'kept';
    return expect(
      signal.reason instanceof LeaseLostError
        ? { code: 'import-failed', problem: signal.reason.reason, remainder }
        : { code: 'import-interrupted', remainder },
    );
  }
  if (error instanceof StrictModeError) {
    const { location, id, reason: problem } = error.rejection;
    return expect({ code: 'strict-rejection', location, id, problem });
  }
  const problem = findReason(error);
  if (error instanceof TooManyMissingError)
    return expect({ code: 'import-failed', problem, remainder: written ? 'everything-else' : 'nothing' });
  if (!isExpectedError(error)) return { reason: problem, unexpected: error };
  const kept = error instanceof InputError ? 'kept-fix' : 'kept';
  return expect({ code: 'import-failed', problem, remainder: count === 0 ? 'nothing' : kept });
}
