/** History of imports: entities and store interface. Errors: see store.ts. */
import type { Actor } from './actor.ts';
import type { ImportSource } from './import-source.ts';

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

export type ImportEnd = 'done' | 'failed' | 'interrupted';

/** `stale`: still running, but without a heartbeat for `staleAfterMs`. */
export const importStates = ['running', 'done', 'failed', 'interrupted', 'stale'] as const;
export type ImportState = (typeof importStates)[number];

/** A run must be updated at least this often. */
export const heartbeatIntervalMs = 30_000;

export const staleAfterMs = 300_000;

/** The store keeps the first rejected records of each run. */
export const maxStoredRejections = 100;

/** Characters. Longer ids of rejected records are cut off. */
export const maxRejectedIdLength = 200;

/** Source name of standard input. */
export const standardInput = 'standard input';

interface NewImportRun {
  organizationId: string;
  /** Name of the format. */
  format: string;
  source?: ImportSource | undefined;
  /**
   * Names of files and folders as the user wrote them, or the address of a source. The store truncates the text to 1,000
   * characters.
   */
  sources: string;
}

/** Whether the data came from the address of a source. */
export const isSynchronization = ({ sources }: Pick<NewImportRun, 'sources'>): boolean =>
  /^https?:\/\//.test(sources);

export type ImportRunKey = Pick<ImportRun, 'organizationId' | 'id'>;

/** Location of a rejected record and the reason, never its content. */
export interface RejectedRecord {
  /** File name or URL. */
  source: string;
  /** Starts at 1, like `entry`, the position in a JSON array. */
  line: number | null;
  entry: number | null;
  /** The id in the source. */
  id: string | null;
  /** English clause that names the field and the rule. */
  reason: string;
}

export interface ImportRun extends ImportCounts, Omit<NewImportRun, 'source'> {
  id: string;
  startedAt: string;
  heartbeatAt: string;
  endedAt: string | null;
  actor: string;
  address: string;
  state: ImportState;
  /** null: not undone. */
  undoneAt: string | null;
  /** English error message. */
  failure: string | null;
}

export interface ImportHistoryStore {
  beginImportRun(run: NewImportRun, by?: Actor): Promise<ImportRunKey>;
  /** Continues a run whose process has ended. Its counts and rejected records begin anew. */
  resumeImportRun(run: ImportRunKey): Promise<void>;
  /**
   * Stores the counts so far and a heartbeat. Idempotent.
   *
   * @param rejections records that were rejected since the last call
   * @param offset number of records that were rejected before
   */
  updateImportRun(
    run: ImportRunKey,
    counts: ImportCounts,
    rejections: readonly RejectedRecord[],
    offset: number,
  ): Promise<void>;
  /** @param hasSupportCounts stored for the source; undefined: the import has no submissions */
  endImportRun(
    run: ImportRunKey,
    end: ImportEnd,
    failure: string | undefined,
    hasSupportCounts?: boolean,
  ): Promise<void>;
  /** Deletes the run and its rejected records from the history. */
  deleteImportRun(run: ImportRunKey): Promise<void>;
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
  listRejectedRecords(run: ImportRunKey): Promise<RejectedRecord[]>;
}
