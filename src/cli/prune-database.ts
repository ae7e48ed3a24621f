/** The steps of `rostra prune`, in small transactions with pauses between them. */
import { setTimeout } from 'node:timers/promises';
import type { Config } from '../config/settings.ts';
import type { PrunedKind, RetentionStore } from '../domain/retention.ts';
import { getMonthStart, type PruningSteps, pruneAuditLog } from './export-audit-log.ts';

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

/**
 * @param onProgress receives the number of removed rows
 * @throws the reason of an abort, StoreUnavailableError, StoreConflictError; rows that were removed before stay removed
 */
export async function pruneDatabase(
  store: RetentionStore,
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
  const { auditLog, importHistory, revokedKeys, tombstones } = before;
  const createSteps = (kind: PrunedKind, time: string): PruningSteps => {
    let hasBegun = false;
    return {
      onBegin: async () => {
        if (!hasBegun) await store.recordPruning(kind, time);
        hasBegun = true;
      },
      pause,
    };
  };
  if (auditLog !== undefined) {
    const steps = createSteps('auditLog', auditLog);
    const { deleted, files } = await pruneAuditLog(store, config.auditExportFolder, auditLog, steps);
    pruned.removed.auditLog = deleted;
    pruned.files = files;
  }
  if (importHistory !== undefined)
    pruned.removed.importHistory = await pruneRuns(
      store,
      importHistory,
      createSteps('importHistory', importHistory),
    );
  if (revokedKeys !== undefined)
    pruned.removed.revokedKeys = await pruneKeys(store, revokedKeys, createSteps('revokedKeys', revokedKeys));
  if (tombstones !== undefined)
    pruned.removed.tombstones = await pruneTombstones(
      store,
      tombstones,
      config.retainTombstones as number,
      createSteps('tombstones', tombstones),
    );
  return pruned;
}

async function pruneRuns(store: RetentionStore, before: string, steps: PruningSteps): Promise<number> {
  let removed = 0;
  for (let next: Awaited<ReturnType<RetentionStore['pruneImportRuns']>>['next']; ; ) {
    const step = await store.pruneImportRuns(before, next);
    if (step.deleted > 0) await steps.onBegin();
    removed += step.deleted;
    await steps.pause(step.deleted);
    if (step.next === undefined) return removed;
    next = step.next;
  }
}

async function pruneKeys(store: RetentionStore, before: string, steps: PruningSteps): Promise<number> {
  for (let removed = 0; ; ) {
    const deleted = await store.pruneKeys(before);
    if (deleted === 0) return removed;
    await steps.onBegin();
    removed += deleted;
    await steps.pause(deleted);
  }
}

/** A checkpoint is due after this part of the retention: removals are kept for up to this much longer. */
const checkpointsPerRetention = 12;

async function pruneTombstones(
  store: RetentionStore,
  before: string,
  retentionMs: number,
  steps: PruningSteps,
): Promise<number> {
  let removed = 0;
  const since = new Date(Date.parse(before) + retentionMs * (1 - 1 / checkpointsPerRetention));
  await store.addChangeCheckpoints(since.toISOString());
  for (const history of await store.listPrunableHistories(before)) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const step: Awaited<ReturnType<RetentionStore['pruneTombstones']>> = await store.pruneTombstones(
        history,
        after,
      );
      if (step.deleted > 0) await steps.onBegin();
      removed += step.deleted;
      await steps.pause(step.deleted);
      after = step.next;
    }
    await store.deleteChangeCheckpoints(history.organizationId, before);
  }
  return removed;
}
