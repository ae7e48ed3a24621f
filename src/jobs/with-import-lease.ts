/** Holds the import lease of a municipality while an import runs, so that no two imports of it run at a time. */
import { setTimeout } from 'node:timers/promises';
import { type ImportLease, type ImportLeaseStore, LeaseLostError } from '../domain/import-lease.ts';

const heartbeatMs = 10_000;

/**
 * @param sourceName the stored source that the import reads; empty for other imports
 * @param work must stop when its signal is aborted: another process has taken over the lease
 * @returns undefined if another import of the municipality runs
 * @throws StoreConflictError if the municipality was removed
 */
export async function withImportLease<Result>(
  store: ImportLeaseStore,
  organizationId: string,
  sourceName: string,
  signal: AbortSignal,
  work: (signal: AbortSignal, lease: ImportLease) => Promise<Result>,
): Promise<Result | undefined> {
  const lease = await store.acquireImportLease(organizationId, sourceName);
  if (lease === undefined) return undefined;
  const lost = new AbortController();
  const heartbeat = setInterval(() => {
    // The next heartbeat may succeed if the database is unavailable now.
    store.renewImportLease(lease).catch((error) => {
      if (error instanceof LeaseLostError) lost.abort(error);
    });
  }, heartbeatMs).unref();
  try {
    return await work(AbortSignal.any([signal, lost.signal]), lease);
  } finally {
    clearInterval(heartbeat);
    // Without a heartbeat, the lease expires after a minute.
    await store.releaseImportLease(lease).catch(() => undefined);
  }
}

const waitMs = 2_000;

/**
 * As `withImportLease`, but waits until no other import of the municipality runs.
 *
 * @param onWait is called once if another import runs
 * @throws the reason of an abort
 */
export async function waitForImportLease<Result>(
  store: ImportLeaseStore,
  organizationId: string,
  sourceName: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
  onWait: () => void = () => undefined,
): Promise<Result> {
  for (let isFirst = true; ; isFirst = false) {
    const ended = await withImportLease(store, organizationId, sourceName, signal, async (held) => ({
      result: await work(held),
    }));
    if (ended !== undefined) return ended.result;
    if (isFirst) onWait();
    await setTimeout(waitMs, undefined, { signal });
  }
}

/**
 * As `waitForImportLease`.
 *
 * @param work is repeated if another process has taken over the lease: it must be idempotent
 */
export async function whenImportLeaseIsFree<Result>(
  store: ImportLeaseStore,
  organizationId: string,
  sourceName: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const { result, isLost } = await waitForImportLease(
      store,
      organizationId,
      sourceName,
      signal,
      async (held) => ({ result: await work(held), isLost: held.aborted && !signal.aborted }),
    );
    if (!isLost) return result;
  }
}
