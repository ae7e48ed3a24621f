/** Removal of old records: store interface. Each call that deletes is one short transaction. Errors: see store.ts. */
import type { Actor } from '../accounts/actor.ts';
import type { RecordedAuditEvent } from '../accounts/audit-log.ts';

/** In the order of the documentation. */
export const prunedKinds = ['auditLog', 'importHistory', 'revokedKeys', 'tombstones'] as const;
export type PrunedKind = (typeof prunedKinds)[number];

/** For people: in the output of `rostra prune` and in the audit log. */
export const prunedKindNames: Record<PrunedKind, string> = {
  auditLog: 'audit log',
  importHistory: 'import history',
  revokedKeys: 'revoked keys',
  tombstones: 'tombstones',
};

/** Undo data of imports is kept for 30 days, and clients that mirror monthly must see every removal. */
export const minRetentionMs = 90 * 86_400_000;

export interface AuditExport {
  /** Name without the folder. */
  file: string;
  firstAt: string;
  lastAt: string;
  entries: number;
  /** Of the file, hexadecimal. */
  sha256: string;
}

/** The latest change of a municipality that a checkpoint of the required age has. */
export interface PrunableHistory {
  organizationId: string;
  sequence: number;
}

type Position = Pick<RecordedAuditEvent, 'at' | 'id'>;

export interface PruningStore {
  /** Numbers of rows that the methods below would delete. @param before for the kinds to count */
  countPrunable(
    before: Readonly<Partial<Record<PrunedKind, string>>>,
  ): Promise<Partial<Record<PrunedKind, number>>>;
  /** Records in the audit log that a kind is about to be pruned. */
  recordPruning(kind: PrunedKind, before: string, by?: Actor): Promise<void>;

  /** At most 1,000 events before a time, oldest first. @param after exclusive: the last event of the previous page */
  listAuditEventsBefore(before: string, after: Position | undefined): Promise<RecordedAuditEvent[]>;
  /** Exports with an event in this range. */
  listAuditExports(from: string, until: string): Promise<AuditExport[]>;
  /**
   * Allows the removal of the events in the time range of a file.
   *
   * @throws StoreConflictError on PostgreSQL without the URL of the owner
   */
  recordAuditExport(exported: AuditExport): Promise<void>;
  /** @throws StoreConflictError as `recordAuditExport`. @returns the number of deleted events */
  deleteAuditEvents(events: readonly Pick<RecordedAuditEvent, 'organizationId' | 'id'>[]): Promise<number>;
  /** @throws StoreConflictError as `recordAuditExport` */
  assertAuditLogPrunable(): Promise<void>;

  /**
   * Deletes those of the next import runs before a time that are neither the last one of their source nor the last one
   * that succeeded.
   *
   * @param after the last run that was examined
   * @returns `next` undefined: no run is left
   */
  pruneImportRuns(
    before: string,
    after: Position | undefined,
  ): Promise<{ deleted: number; next: Position | undefined }>;
  /** Deletes some keys that were revoked or expired before a time. @returns the number of deleted keys; 0 at the end */
  pruneKeys(before: string): Promise<number>;

  /**
   * Stores the number of the latest change of each municipality, unless it has a checkpoint that is as new.
   *
   * @param since time; a checkpoint after it is new enough
   */
  addChangeCheckpoints(since: string): Promise<void>;
  /** Municipalities with a checkpoint before a time. */
  listPrunableHistories(before: string): Promise<PrunableHistory[]>;
  /**
   * Deletes the removals among the next 1,000 changes of a municipality, up to a number. Cursors before a deleted removal
   * become invalid.
   *
   * @param after number of the last change that was examined
   * @returns `next` undefined: no change is left
   */
  pruneTombstones(
    history: PrunableHistory,
    after: number,
  ): Promise<{ deleted: number; next: number | undefined }>;
  /** Forgets the checkpoints that were used. */
  deleteChangeCheckpoints(organizationId: string, before: string): Promise<void>;
}
