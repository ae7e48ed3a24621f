/** Runs of maintenance on the whole database, which monitoring watches. */

export const maintenanceKinds = ['backup', 'restore', 'drill', 'prune'] as const;
export type MaintenanceKind = (typeof maintenanceKinds)[number];

export interface FinishedMaintenanceRun {
  kind: MaintenanceKind;
  startedAt: string;
  finishedAt: string;
  outcome: 'succeeded' | 'failed';
  /** Figures of the run. A failed run has its reason as `error`. At most 10,000 characters as JSON. */
  detail: Readonly<Record<string, unknown>>;
}

export interface MaintenanceRun extends FinishedMaintenanceRun {
  /** End of the last run of this kind that succeeded. */
  lastSuccessAt: string | null;
}

/** A run that needs attention: the last one failed, or none has succeeded for too long. */
export interface MaintenanceFault {
  kind: MaintenanceKind;
  state: 'failed' | 'overdue';
  /** End of the failed run, or time at which the next success was due. */
  at: string;
  /** English message; null for overdue runs. */
  error: string | null;
}

const dayMs = 86_400_000;

/** Time since the last success: a backup every night, a drill every week and prune every month, with some tolerance. */
export const maxMaintenanceAgeMs: Record<MaintenanceKind, number> = {
  backup: 2 * dayMs,
  drill: 9 * dayMs,
  prune: 35 * dayMs,
  restore: Number.POSITIVE_INFINITY,
};

/** Latest first. Kinds that never ran are not overdue: nobody may have scheduled them. */
export function findMaintenanceFaults(runs: readonly MaintenanceRun[], nowMs: number): MaintenanceFault[] {
  const faults = runs.flatMap(({ kind, outcome, finishedAt, lastSuccessAt, detail }): MaintenanceFault[] => {
    if (outcome === 'failed') return [{ kind, state: 'failed', at: finishedAt, error: String(detail.error) }];
    const dueMs = Date.parse(lastSuccessAt ?? finishedAt) + maxMaintenanceAgeMs[kind];
    return dueMs > nowMs ? [] : [{ kind, state: 'overdue', at: new Date(dueMs).toISOString(), error: null }];
  });
  return faults.sort((one, other) => (one.at > other.at ? -1 : 1));
}

export interface MaintenanceRunStore {
  /** Replaces the previous run of this kind. */
  recordMaintenanceRun(run: FinishedMaintenanceRun): Promise<void>;
  /** The last run of each kind, ordered by kind. Kinds that never ran are missing. */
  listMaintenanceRuns(): Promise<MaintenanceRun[]>;
}
