/**
 * The port to what is known of endpoints that a municipality is kept in step with: how their runs went, and what
 * they last said. Part of the port in store.ts; rejections are as there. Timestamps are in their published form.
 */

export interface SyncSource {
  organizationId: string;
  url: string;
  /** Which body of several; undefined where the address has one. */
  body: string | undefined;
}

export interface SyncStatus {
  id: string;
  organizationId: string;
  organizationName: string;
  url: string;
  body: string | null;
  /** Start of the run under way; null where there is none, or where it has not shown for a minute that it lives. */
  runningSince: string | null;
  completedAt: string | null;
  /** null where nothing keeps it running. */
  nextAt: string | null;
  failedAt: string | null;
  /** Of the last run; null when it was complete. */
  error: string | null;
  /** Of the last complete run. */
  counts: Record<string, number> | null;
}

/** What a later request for the same address can be made conditional with. */
export interface Validator {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** By the address of a list. */
export type Validators = Record<string, Validator>;

/**
 * A run under way. While it shows that it lives, nobody else can begin one of the same source; afterwards another may
 * have taken its place, and then it writes nothing more.
 */
export interface SyncLease {
  organizationId: string;
  id: string;
  leaseToken: string;
  startedAt: string;
  /** What the run may ask with: all before is known; null: nothing is. */
  since: string | null;
  validators: Validators;
}

export type SyncEnd =
  | { since: string | null; validators: Validators; counts: Record<string, number>; nextAt: string | null }
  /** At most 2,000 characters are kept. */
  | { error: string; nextAt: string | null };

/** An object of the endpoint as JSON. */
export interface MirroredObject {
  /** 1 to 2,048 characters. */
  id: string;
  object: string;
}

export interface SyncStore {
  /** In the order of municipalities and addresses; of one municipality where it is given. */
  listSyncs(organizationId?: string): Promise<SyncStatus[]>;
  /**
   * Forgets a source, and what is known of it; what was published from it stays.
   *
   * @returns whether it was known
   * @throws StoreRefusal while a run of it lives
   */
  removeSync(source: SyncSource): Promise<boolean>;
  /** @throws StoreRefusal while another run of the same source lives */
  acquireSyncLease(source: SyncSource): Promise<SyncLease>;
  /** Shows that the run lives: to be called more often than once a minute. @throws StoreRefusal when it lost its place */
  renewSyncLease(held: SyncLease): Promise<void>;
  /** @throws StoreRefusal when the run lost its place */
  releaseSyncLease(held: SyncLease, end: SyncEnd): Promise<void>;
  /** What the endpoint last said, in the order of ids. */
  readMirror(held: SyncLease): AsyncGenerator<MirroredObject>;
  /**
   * All of them or, when it rejects, none; the last one of an id counts.
   *
   * @returns how many are new or different
   * @throws StoreRefusal when the run lost its place
   */
  updateMirror(held: SyncLease, objects: AsyncIterable<MirroredObject>): Promise<number>;
}
