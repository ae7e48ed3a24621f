/** History of imports: entities and store interface. Errors: see store.ts. */

import type { Actor } from '../accounts/actor.ts';
import type { Reason } from '../reasons/reason.ts';
import type { ImportSource, PersonalDataFinding } from '../sources/import-source.ts';
import { StoreConflictError } from '../store-errors.ts';

/** `ignored` objects need no import, or ask to remove a missing record. The others add up to `read`. */
export const importCounts = [
  'read',
  'inserted',
  'changed',
  'unchanged',
  'removed',
  'ignored',
  'rejected',
] as const;

/** Numbers of objects of the input. */
export type ImportCounts = Record<(typeof importCounts)[number], number>;

/** Submissions and sessions that an undo removes; those that have their earlier state again; surveys, which it leaves as they are. */
export const undoCounts = ['removed', 'restored', 'surveys'] as const;

export type UndoCounts = Record<(typeof undoCounts)[number], number>;

export type ImportEnd = 'done' | 'failed' | 'interrupted';

/** `stale`: still running, but without a heartbeat for `leaseTimeoutMs`. */
export const importStates = ['running', 'done', 'failed', 'interrupted', 'stale'] as const;
export type ImportState = (typeof importStates)[number];

/** A run without a heartbeat in this time has lost the lease of its municipality. */
export const leaseTimeoutMs = 60_000;

/** The store keeps the first rejected records of each run. */
export const maxStoredRejections = 100;

/** Notes of a run that may not have read all records of its source. */
export const notesOfIncompleteRuns: readonly string[] = [
  'live-records-moved',
  'live-records-skipped',
  'live-windows-cut',
  'endpoint-list-short',
] satisfies Reason['code'][];

/** The store keeps the first notes of each run. */
export const maxStoredNotes = 20;

/** Characters. Longer ids of rejected records are cut off. */
export const maxRejectedIdLength = 200;

/** Source name of standard input. */
export const standardInput = 'standard input';

interface NewImportRun {
  organizationId: string;
  source: ImportSource;
  /**
   * Names of files and folders as the user wrote them, or the address of a source. The store truncates the text to 1,000
   * characters.
   */
  sources: string;
}

/** Whether the data came from the address of a source. */
export const isFromAddress = ({ sources }: Pick<NewImportRun, 'sources'>): boolean =>
  /^https?:\/\//.test(sources);

export type ImportRunReference = Pick<ImportRun, 'organizationId' | 'id'>;

/** A run that holds the lease of its municipality, so that at most one run writes at a time. */
export interface RunLease extends ImportRunReference {
  leaseToken: string;
  acquiredAt: string;
}

/** The run must stop. */
export class LeaseLostError extends StoreConflictError {
  constructor() {
    super({ code: 'lease-lost', seconds: leaseTimeoutMs / 1_000 });
  }
}

/** Location of a rejected record and the reason, never its content. */
export interface RejectedRecord {
  /** File name or URL. */
  source: string;
  /** Starts at 1, like `entry`, the position in a JSON array. */
  line: number | null;
  entry: number | null;
  /** The id in the source. */
  id: string | null;
  reason: Reason;
}

export interface ImportRun extends ImportCounts, Omit<NewImportRun, 'source'> {
  id: string;
  /** Name of the format. */
  format: string;
  /** Empty or null: the run has no named source. */
  sourceName: string | null;
  startedAt: string;
  heartbeatAt: string;
  endedAt: string | null;
  actor: string;
  address: string;
  state: ImportState;
  /** null: not undone, like `undoCounts`. */
  undoneAt: string | null;
  undoCounts: UndoCounts | null;
  failure: Reason | null;
  /** What the import noticed. */
  notes: Reason[];
}

export interface ImportHistoryStore {
  /**
   * Takes the lease for a new run, which the history does not list yet, or for one that exists.
   *
   * @returns undefined while another run of the municipality holds it
   * @throws StoreConflictError if the municipality was removed
   */
  acquireRun(run: NewImportRun | ImportRunReference, by?: Actor): Promise<RunLease | undefined>;
  /** Lists the run in the history. Counts and rejected records of one that exists begin anew. @throws LeaseLostError */
  startRun(lease: RunLease): Promise<void>;
  /** Heartbeat. @param progress as in `RunProgress` @throws LeaseLostError */
  renewRun(lease: RunLease, progress?: object): Promise<void>;
  /**
   * Stores the counts so far and a heartbeat. Idempotent.
   *
   * @param rejections records that were rejected since the last call
   * @param offset number of records that were rejected before
   * @throws LeaseLostError
   */
  updateRun(
    lease: RunLease,
    counts: ImportCounts,
    rejections: readonly RejectedRecord[],
    offset: number,
  ): Promise<void>;
  /**
   * Also stores the end of a run that has lost its lease, unless another process goes on with it.
   *
   * @param hasSupportCounts stored for the source; undefined: the import has no submissions
   * @param counts default: those of the last update
   * @param personalData stored for the source
   */
  endRun(
    lease: RunLease,
    end: ImportEnd,
    failure: Reason | undefined,
    hasSupportCounts?: boolean,
    counts?: ImportCounts,
    personalData?: readonly PersonalDataFinding[],
    notes?: readonly Reason[],
  ): Promise<void>;
  /** Deletes the run and its rejected records. */
  deleteRun(run: ImportRunReference): Promise<void>;
  /** Ends the lease. A run that was not started is deleted. */
  releaseRun(lease: RunLease): Promise<void>;
  /**
   * Newest first.
   *
   * @param organizationId undefined: runs of all municipalities
   * @param after exclusive: the last run of the previous page
   * @param state default: all runs
   */
  listImportRuns(
    organizationId: string | undefined,
    after: { at: string; id: string } | undefined,
    limit: number,
    state?: ImportState,
  ): Promise<ImportRun[]>;
  /** Newest first. */
  listImportRunsOfSource(organizationId: string, source: ImportSource, limit: number): Promise<ImportRun[]>;
  findImportRun(organizationId: string | undefined, id: string): Promise<ImportRun | undefined>;
  /** Ordered as in the input. */
  listRejectedRecords(run: ImportRunReference): Promise<RejectedRecord[]>;
}
