/** Runs of maintenance on the whole database, which monitoring watches. */

export type MaintenanceKind = 'backup' | 'restore' | 'drill' | 'prune';

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

export interface MaintenanceRunStore {
  /** Replaces the previous run of this kind. */
  recordMaintenanceRun(run: FinishedMaintenanceRun): Promise<void>;
  /** The last run of each kind, ordered by kind. Kinds that never ran are missing. */
  listMaintenanceRuns(): Promise<MaintenanceRun[]>;
}
