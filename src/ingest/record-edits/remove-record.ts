/** Removes one record by law: from the database, and with the uploaded files that may contain it. */
import type { Actor } from '../../domain/accounts/actor.ts';
import type { RecordDecisionStore, RecordReference } from '../../domain/records/record-decision.ts';
import { keepsFile, type RunQueueStore } from '../../domain/runs/run-queue.ts';
import type { UploadStorage } from '../../domain/runs/upload-storage.ts';

interface RemovedRecord {
  /** Backups that were made earlier have the record. */
  removedAt: string;
  /** Number of unfinished imports that were cancelled, because their files may contain the record. */
  cancelledImports: number;
}

/** @returns undefined if the record was neither published nor decided on */
export async function removeRecord(
  store: Pick<RecordDecisionStore, 'removeRecord'> &
    Pick<RunQueueStore, 'listRunsWithFile' | 'cancelRun' | 'forgetFile'>,
  uploads: UploadStorage,
  record: RecordReference,
  { reason, by }: { reason: string; by?: Actor },
): Promise<RemovedRecord | undefined> {
  const { organizationId } = record;
  const removedAt = await store.removeRecord(record, reason, by);
  if (removedAt === undefined) return undefined;
  let cancelledImports = 0;
  for (const run of await store.listRunsWithFile(organizationId)) {
    if (keepsFile(run)) continue;
    if (await store.cancelRun(run, by)) cancelledImports += 1;
    await uploads.remove(run);
    await store.forgetFile(run);
  }
  return { removedAt, cancelledImports };
}

/**
 * Finds the files that a removal leaves to a running import, which may have failed meanwhile.
 *
 * @param removedAt undefined: the record has not been removed yet
 * @returns the time at which the last of them is deleted unless its import still runs; undefined: no file is left
 */
export async function findFileExpiry(
  store: Pick<RunQueueStore, 'listRunsWithFile'>,
  organizationId: string,
  removedAt?: string,
): Promise<string | undefined> {
  const runs = await store.listRunsWithFile(organizationId);
  return runs
    .filter((run) => (removedAt === undefined ? keepsFile(run) : run.createdAt <= removedAt))
    .flatMap(({ fileExpiresAt }) => fileExpiresAt ?? [])
    .toSorted()
    .at(-1);
}
