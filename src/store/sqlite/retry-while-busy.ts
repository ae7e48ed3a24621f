/** Repeats calls into SQLite while another process has the lock, and turns failures of the file into errors of the store. */
import { setTimeout } from 'node:timers/promises';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { MeteredPool } from '../statement-meter.ts';

/** SQLite's own busy handler would block the process, so calls are retried after this time. */
const busyRetryMs = 2;

/** @throws StoreUnavailableError after the timeout, or if the database cannot do its work */
export async function retryWhileBusy<Result>(
  call: () => Result,
  timeoutMs: number,
  { name, metrics }: MeteredPool,
): Promise<Result> {
  let firstFailureMs: number | undefined;
  for (;;) {
    const startMs = metrics === undefined ? 0 : performance.now();
    try {
      const result = call();
      if (metrics !== undefined) {
        metrics.recordStatement(name, performance.now() - startMs);
        if (firstFailureMs !== undefined) metrics.recordWait(name, startMs - firstFailureMs);
      }
      return result;
    } catch (error) {
      firstFailureMs ??= performance.now();
      const { code = '' } = error as Error & { code?: string };
      if (!code.startsWith('SQLITE_BUSY') || performance.now() > firstFailureMs + timeoutMs) {
        const storeError = toStoreError(error);
        if (storeError instanceof StoreUnavailableError) metrics?.recordFailure(name);
        throw storeError;
      }
    }
    await setTimeout(busyRetryMs);
  }
}

const unavailableCodes = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|CORRUPT|NOTADB)/;

export function toStoreError(error: unknown): unknown {
  const { code = '', message } = error as Error & { code?: string };
  return unavailableCodes.test(code)
    ? new StoreUnavailableError(`The database failed: ${message}.`, { cause: error })
    : error;
}
