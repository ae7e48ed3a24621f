/** The steps of `rostra prune`, in small transactions with pauses between them. */
import { setTimeout } from 'node:timers/promises';
import { type PrunedKind, type PruningStore, prunedKinds } from '../../../domain/installation/pruning.ts';
import type { Config } from '../../config/settings.ts';
import { archiveAuditLog, getMonthStart, type PruningSteps } from './archive-audit-log.ts';

/** Time by kind; older rows are removed. A kind without one is kept. */
export type PruningTimes = Partial<Record<PrunedKind, string>>;

export interface PrunedRows {
  /** Removed rows by kind. */
  removed: Partial<Record<PrunedKind, number>>;
  /** Paths of the files with the removed entries of the audit log. */
  files: string[];
}

export function choosePruningTimes(config: Config, nowMs: number): PruningTimes {
  const { retainAuditLog, retainImportHistory, retainRevokedKeys, retainTombstones } = config;
  const subtract = (retentionMs: number) => new Date(nowMs - retentionMs).toISOString();
  return {
    ...(retainAuditLog !== undefined && { auditLog: getMonthStart(nowMs - retainAuditLog) }),
    ...(retainImportHistory !== undefined && { importHistory: subtract(retainImportHistory) }),
    ...(retainRevokedKeys !== undefined && { revokedKeys: subtract(retainRevokedKeys) }),
    ...(retainTombstones !== undefined && { tombstones: subtract(retainTombstones) }),
  };
}

type ImportRunPosition = NonNullable<Parameters<PruningStore['pruneImportRuns']>[1]>;

/**
 * @param onProgress receives the number of removed rows
 * @throws the reason of an abort, StoreUnavailableError, StoreConflictError; rows that were removed before stay removed
 */
export async function pruneDatabase(
  store: PruningStore,
  config: Config,
  before: PruningTimes,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<PrunedRows> {
  const pruned: PrunedRows = { removed: {}, files: [] };
  let rows = 0;
  let startedMs = performance.now();
  const pause = async (deleted: number) => {
    rows += deleted;
    onProgress(rows);
    // Half of the time belongs to others, and no transaction waits for long.
    await setTimeout(Math.max(1, performance.now() - startedMs), undefined, { signal });
    startedMs = performance.now();
  };
  const prune: Record<PrunedKind, (time: string, steps: PruningSteps) => Promise<number>> = {
    auditLog: async (time, steps) => {
      const { deleted, files } = await archiveAuditLog(store, config.auditExportFolder, time, steps);
      pruned.files = files;
      return deleted;
    },
    importHistory: (time, steps) =>
      removeInSteps<ImportRunPosition>(steps, (next) => store.pruneImportRuns(time, next)),
    revokedKeys: (time, steps) =>
      removeInSteps<true>(steps, async () => {
        const deleted = await store.pruneKeys(time);
        return { deleted, next: deleted > 0 || undefined };
      }),
    tombstones: (time, steps) => pruneTombstones(store, time, config.retainTombstones as number, steps),
  };
  for (const kind of prunedKinds) {
    const time = before[kind];
    if (time === undefined) continue;
    let hasBegun = false;
    const onBegin = async () => {
      if (!hasBegun) await store.recordPruning(kind, time);
      hasBegun = true;
    };
    pruned.removed[kind] = await prune[kind](time, { onBegin, pause });
  }
  return pruned;
}

/** @param step removes some rows. Its `next` is where the next step begins; undefined: it was the last one */
async function removeInSteps<Position>(
  { onBegin, pause }: PruningSteps,
  step: (next: Position | undefined) => Promise<{ deleted: number; next: Position | undefined }>,
): Promise<number> {
  let removed = 0;
  for (let next: Position | undefined; ; ) {
    const done = await step(next);
    if (done.deleted > 0) await onBegin();
    removed += done.deleted;
    await pause(done.deleted);
    if (done.next === undefined) return removed;
    next = done.next;
  }
}

/** A checkpoint is due after this part of the retention: removals are kept for up to this much longer. */
const checkpointsPerRetention = 12;

async function pruneTombstones(
  store: PruningStore,
  before: string,
  retentionMs: number,
  steps: PruningSteps,
): Promise<number> {
  let removed = 0;
  const since = new Date(Date.parse(before) + retentionMs * (1 - 1 / checkpointsPerRetention));
  await store.addChangeCheckpoints(since.toISOString());
  for (const history of await store.listPrunableHistories(before)) {
    removed += await removeInSteps<number>(steps, (after = 0) => store.pruneTombstones(history, after));
    await store.deleteChangeCheckpoints(history.organizationId, before);
  }
  return removed;
}
