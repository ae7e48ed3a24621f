/**
 * Synchronised endpoints: state of their runs, and a mirror of their objects. Entities and store interface. Errors: see
 * store.ts.
 */

export interface SyncSource {
  organizationId: string;
  url: string;
  /** One of several bodies of the endpoint; undefined if it has only one. */
  body: string | undefined;
}

/** A periodic run that starts later than this is overdue: the process that should start it has ended. */
export const overdueAfterMs = 60_000;

export interface SyncStatus {
  id: string;
  organizationId: string;
  organizationName: string;
  url: string;
  body: string | null;
  /** Start of the current run; null without a heartbeat in the last minute. */
  runningSince: string | null;
  completedAt: string | null;
  /** null without a periodic synchronisation. */
  nextAt: string | null;
  failedAt: string | null;
  /** Error of the last run; null if it was complete. */
  error: string | null;
  /** Counts of the last complete run. */
  counts: Record<string, number> | null;
}

/** Without the counts, which take long to read for all municipalities. */
export type SyncSummary = Omit<SyncStatus, 'counts'>;

export type SyncCondition = 'failed' | 'overdue' | 'running' | 'done';

/** `overdue`: the periodic run did not start in time. */
export function getSyncCondition(
  { error, nextAt, runningSince }: Pick<SyncStatus, 'error' | 'nextAt' | 'runningSince'>,
  nowMs: number,
): SyncCondition {
  if (runningSince !== null) return 'running';
  if (error !== null) return 'failed';
  return nextAt !== null && Date.parse(nextAt) < nowMs - overdueAfterMs ? 'overdue' : 'done';
}

/** Validators for conditional requests (RFC 9110, section 8.8). */
export interface Validator {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** Keyed by the URL of a list. */
export type Validators = Record<string, Validator>;

/**
 * Lease of a run on its source. The run renews it with heartbeats. Without heartbeats another run may acquire the lease,
 * and the first run can no longer write.
 */
export interface SyncLease {
  organizationId: string;
  id: string;
  leaseToken: string;
  startedAt: string;
  /** The mirror is complete up to this time; null: a full synchronisation is necessary. */
  since: string | null;
  validators: Validators;
}

type SyncEnd =
  | { since: string | null; validators: Validators; counts: Record<string, number>; nextAt: string | null }
  /** Truncated to 2,000 characters. */
  | { error: string; nextAt: string | null };

export interface MirroredObject {
  /** 1 to 2,048 characters. */
  id: string;
  /** JSON. */
  object: string;
}

export interface SyncStore {
  /** Ordered by municipality and URL; endpoints of all municipalities by default. */
  listSyncs(organizationId?: string): Promise<SyncStatus[]>;
  /** Endpoints of all municipalities in any order. Reads in short steps, so that it does not delay requests. */
  listSyncsInSteps(): Promise<SyncSummary[]>;
  /**
   * Deletes the state and the mirror of an endpoint. Its published records stay.
   *
   * @returns false for an unknown endpoint
   * @throws StoreConflictError while a run holds the lease
   */
  removeSync(source: SyncSource): Promise<boolean>;
  /** @throws StoreConflictError while another run holds the lease */
  acquireSyncLease(source: SyncSource): Promise<SyncLease>;
  /** Heartbeat, necessary at least once a minute. @throws StoreConflictError if the lease was lost */
  renewSyncLease(lease: SyncLease): Promise<void>;
  /** @throws StoreConflictError if the lease was lost */
  releaseSyncLease(lease: SyncLease, end: SyncEnd): Promise<void>;
  /** Ordered by id. */
  readMirror(lease: SyncLease): AsyncGenerator<MirroredObject>;
  /**
   * Writes all objects in one transaction. The last object with an id wins.
   *
   * @returns the number of new or changed objects
   * @throws StoreConflictError if the lease was lost
   */
  updateMirror(lease: SyncLease, objects: AsyncIterable<MirroredObject>): Promise<number>;
}
