/** The sentence that a failed or interrupted import ends with. */
import { LeaseLostError } from '../domain/import-history.ts';
import type { ImportSummary } from '../import/import-observer.ts';
import { InputError } from '../import/input-error.ts';
import { TooManyMissingError } from '../import/missing-records.ts';
import { formatLocation } from '../import/parsed-record.ts';
import { describeError, isExpectedError } from '../import/pipeline.ts';
import { StrictModeError } from '../import/write-batch.ts';

export interface ImportFailure {
  message: string;
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
  const expect = (message: string) => ({ message, unexpected: undefined });
  if (signal.aborted) {
    const { reason } = signal;
    const sentence = reason instanceof LeaseLostError ? reason.message : 'Interrupted.';
    return expect(`${sentence} ${describeWrittenRecords(written)}`);
  }
  if (error instanceof StrictModeError) {
    const { location, id, reason } = error.rejection;
    return expect(
      `Rejected ${formatLocation(location, id)}: ${reason}. With --strict, nothing was imported.`,
    );
  }
  if (error instanceof TooManyMissingError)
    return expect(`${error.message} ${written ? 'Everything else was imported.' : 'Nothing was imported.'}`);
  if (!isExpectedError(error)) return { message: describeError(error), unexpected: error };
  const needsFix = error instanceof InputError;
  return expect(`${error.message} ${describeWrittenRecords(written, needsFix)}`);
}

/** @param needsFix whether the same import would fail again */
function describeWrittenRecords(written: ImportSummary | undefined, needsFix = false): string {
  const count = written ? written.inserted + written.changed + written.unchanged + written.removed : 0;
  if (count === 0) return 'Nothing was imported.';
  return `Records imported so far are kept. ${needsFix ? 'Fix this, then import' : 'Import'} again to continue.`;
}
