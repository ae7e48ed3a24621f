/**
 * The port to the database. Everything behind it is one SQL engine; everything before it sees only this page.
 *
 * Every function may reject with `StoreUnavailable` when the database cannot be reached, is locked for too
 * long or is out of space. It is not known whether the work was done, and it may be tried again. Other rejections
 * are faults.
 *
 * Documents are JSON texts as they are published, byte for byte. Identifiers are UUIDs in lower case.
 */

import type { Actor, Administration } from './administration.ts';
import type { CursorPosition } from './cursor.ts';
import type { ImportHistoryStore } from './import-history.ts';
import type { ImportSourceStore, WritingSource } from './import-source.ts';
import type { RateLimitWindow } from './rate-limit-window.ts';
import type { SyncLease, SyncStore } from './sync-state.ts';

export type { CursorPosition } from './cursor.ts';
export {
  heartbeatIntervalMs,
  type ImportCounts,
  type ImportEnd,
  type ImportHistoryStore,
  type ImportRun,
  type ImportState,
  isSynchronization,
  maxStoredRejections,
  type RejectedRecord,
  standardInput,
} from './import-history.ts';

/** The database cannot do its work at the moment. `cause` has the engine's own error. */
export class StoreUnavailableError extends Error {}

/** A request cannot be carried out as asked; the message is a sentence for the person who asked. */
export class StoreConflictError extends Error {}

/** A valid key: issued, not revoked, not expired at the time it was looked up. */
export interface Caller {
  organizationId: string;
  keyId: string;
  keyPrefix: string;
  keyName: string;
}

/** A request that presented a valid key, counted unless `refused`. */
export interface Admission {
  caller: Caller;
  window: RateLimitWindow;
  /** The window was exhausted; nothing was consumed. */
  isRateLimited: boolean;
  /** The secrets that cursors may be signed with, 32 bytes each: the newest signs, the one before it is accepted. */
  cursorSecrets: readonly [Buffer, ...Buffer[]];
  /** Another one after every commit that may have changed an answer; undefined where that is not known. */
  dataVersion: number | string | undefined;
  /** The store's clock, Unix milliseconds: what the window was measured with. */
  nowMs: number;
}

export interface Page {
  /** At most the number asked for, in the list's order: JSON texts with commas between them, in UTF-8. */
  documents: Buffer;
  /** Where the next page begins; undefined when this is the last one. */
  next: CursorPosition | undefined;
}

/** A document that is too large to be read, or kept in memory, as a whole. */
export interface LargeDocument {
  /** Length of the whole. */
  bytes: number;
  /** UTF-8, in order, all of one state of the database. */
  chunks: AsyncIterable<Buffer>;
  /** Ends the reading; has to be called in any case. */
  close(): Promise<void>;
}

/** Which rows of which list, and from where. `after` is exclusive and need not exist any more. */
export interface PageRequest {
  organizationId: string;
  after: CursorPosition | undefined;
  /** 1 to 100. */
  limit: number;
}

/** What the API publishes. Every function is bounded to one municipality and to `limit` rows. */
export interface PublishedDataStore {
  /** `createdAt` descending, then id ascending; filters match exactly. */
  listSubmissions(
    page: PageRequest & { status?: string | undefined; topic?: string | undefined },
  ): Promise<Page>;
  /** undefined: not there, or another municipality's. */
  findSubmission(organizationId: string, id: string): Promise<string | undefined>;
  /** `date` descending, then id ascending. */
  listSessions(page: PageRequest): Promise<Page>;
  /** The session's document with `submissions` in the agenda's order. undefined as above. */
  findSession(organizationId: string, id: string): Promise<string | LargeDocument | undefined>;
  /** Tallies in the order of `submissions`. */
  listSupport(page: PageRequest & { submissionId?: string | undefined }): Promise<Page>;
  /** undefined: not there, another municipality's, or in draft. */
  findSurveyResults(organizationId: string, id: string): Promise<string | undefined>;
}

/** Who may ask, how often, and what signs cursors. */
export interface AccessStore {
  /**
   * Looks a key up and takes one request from its window, exactly: never more than the limit in one window,
   * whatever runs beside it. A revocation that committed before the call is seen, and so is a rotation of the
   * cursor secrets.
   *
   * @param secretHash SHA-256 of the key
   * @returns undefined for a key that is unknown, revoked or expired
   */
  admit(secretHash: Buffer): Promise<Admission | undefined>;
  /** From now on a new secret signs. Cursors of the previous one stay valid until the next rotation. */
  rotateCursorSecret(): Promise<void>;
}

export interface Organization {
  id: string;
  name: string;
  createdAt: string;
}

export interface OrganizationSummary extends Organization {
  submissions: number;
  sessions: number;
  surveys: number;
  activeKeys: number;
}

export interface OrganizationStore {
  /** @throws StoreRefusal when the name or id is taken */
  addOrganization(name: string, id: string, by?: Actor): Promise<Organization>;
  /** By id, else by exact name. */
  findOrganization(nameOrId: string): Promise<Organization | undefined>;
  /** In the order of their names. */
  listOrganizationNames(): Promise<Organization[]>;
  /** Counts what a municipality has. */
  summarize(organization: Organization): Promise<OrganizationSummary>;
  /** All with what they have. Takes its time where there is much. */
  listOrganizations(): Promise<OrganizationSummary[]>;
  /** With everything that belongs to it, but for its audit log. Returns false when there was none. */
  removeOrganization(id: string, by?: Actor): Promise<boolean>;
}

export interface NewKey {
  /** Drawn when it is left out. */
  id?: string | undefined;
  organizationId: string;
  secretHash: Buffer;
  prefix: string;
  /** 1 to 200 characters, none of them a control character. */
  name: string;
  /** Requests per window; undefined: the installation's limit. */
  requestLimit: number | undefined;
  /** Published form of a timestamp; undefined: never. */
  expiresAt: string | undefined;
}

export type KeyState = 'active' | 'expired' | 'revoked';

export interface KeyRecord {
  id: string;
  organizationId: string;
  organizationName: string;
  prefix: string;
  name: string;
  state: KeyState;
  requestLimit: number | null;
  createdAt: string;
  createdBy: string;
  expiresAt: string | null;
  revokedAt: string | null;
  /** To the minute; null when it was never used. */
  lastUsedAt: string | null;
  /** Requests consumed in the current window. */
  usedInWindow: number;
}

export interface ApiKeyStore {
  /** @throws StoreRefusal when the municipality is gone, or has a key of this id */
  addKey(findKey: NewKey, by?: Actor): Promise<KeyRecord>;
  /** Newest first; of one municipality where it is given. */
  listKeys(organizationId?: string): Promise<KeyRecord[]>;
  /** undefined: not there, or another municipality's. */
  findKey(organizationId: string, id: string): Promise<KeyRecord | undefined>;
  /** By SHA-256 of the key. undefined: unknown, or another municipality's. */
  findKeyByHash(organizationId: string, secretHash: Buffer): Promise<KeyRecord | undefined>;
  /** Every key with this id or this prefix: more than one only where two prefixes collide. */
  findKeys(idOrPrefix: string): Promise<KeyRecord[]>;
  /** Returns false when it was revoked before: the first time is kept. */
  revokeKey(key: Pick<KeyRecord, 'organizationId' | 'id'>, by?: Actor): Promise<boolean>;
  /** A successor, and an end for the key itself, in one step. @throws StoreRefusal unless the key is active */
  rotateKey(
    key: Pick<KeyRecord, 'organizationId' | 'id'>,
    successor: NewKey,
    validUntil: string,
    by?: Actor,
  ): Promise<KeyRecord>;
}

/** A submission as an import brings it, in the published names. */
export interface SubmissionRecord {
  id: string;
  referenceNumber: string | null;
  description: string;
  status: string;
  topicCategoryName: string | null;
  priorityLevel: string;
  supportCount: number;
  hasAttachments: boolean;
  protocolUrl: string | null;
  createdAt: string;
  statusChangedAt: string;
}

export interface SessionRecord {
  id: string;
  committeeName: string;
  date: string;
  timeSlot: string | null;
  createdAt: string;
  /** The source does not say when the session was entered: an earlier `createdAt` in the store is kept. */
  isCreatedAtEstimated?: true;
  /** Ids of submissions in the agenda's order; undefined: leave the agenda as it is. */
  submissions: string[] | undefined;
}

export interface SurveyRecord {
  surveyId: string;
  title: string;
  status: string;
  totalResponses: number;
  questions: {
    questionText: string;
    questionType: string;
    options: { optionText: string; responseCount: number }[];
  }[];
}

/**
 * The published results that a survey's figures were made to follow on, as `surveyResults` gives them; null: there were
 * none. Where something else is published by now, the survey is refused.
 */
export type SurveyState = string | null;

export type ImportRecord =
  | ({ kind: 'submission' } & SubmissionRecord)
  | ({ kind: 'session' } & SessionRecord)
  | ({ kind: 'survey'; follows?: SurveyState } & SurveyRecord)
  | { kind: 'removal'; of: 'submission' | 'session' | 'survey'; id: string };

export type RecordKind = Exclude<ImportRecord['kind'], 'removal'>;

export type ImportOutcome = 'inserted' | 'changed' | 'unchanged' | 'removed' | 'absent';

export interface SurveySummary {
  id: string;
  title: string;
  status: string;
  totalResponses: number;
}

/** The write side. Records are written by `organizationId` and id: the same record twice changes nothing. */
export interface ImportStore {
  /** In the order of their titles. Drafts are included, with the status `draft` whatever their spelling. */
  listSurveys(organizationId: string): Promise<SurveySummary[]>;
  /**
   * Runs `work` in one transaction: all that it writes is kept, or nothing when it rejects.
   * `work` writes through the writer it is given, one call at a time.
   *
   * @throws StoreRefusal when the run of a sync lost its place, and nothing is kept
   */
  write<Result>(
    organizationId: string,
    work: (writer: RecordWriter) => Promise<Result>,
    context?: WriteContext,
  ): Promise<Result>;
  /** @returns whether there was such a record */
  removeRecord(organizationId: string, kind: RecordKind, id: string, by?: Actor): Promise<boolean>;
}

export interface WriteContext {
  /** Of the records that are written; undefined: they are made up. */
  source?: WritingSource | undefined;
  /** The run of a sync that writes, where it is one. */
  lease?: SyncLease | undefined;
}

export interface RecordWriter {
  /**
   * Writes the records in their order.
   *
   * @returns for each what became of it: a StoreRefusal where a session names a submission that is not there, or a
   *   survey follows on what is not published any more, and nothing of it was written
   */
  put(records: readonly ImportRecord[]): Promise<(ImportOutcome | StoreConflictError)[]>;
  /** The next ids of the municipality behind `after`, in their order, whatever wrote them; none: there are no more. */
  listIds(kind: RecordKind, after: string): Promise<string[]>;
  /** How many of these records the source wrote last. */
  countOwn(kind: RecordKind, ids: readonly string[]): Promise<number>;
  /** Deletes those of these records that the source wrote last. @returns how many */
  deleteOwn(kind: RecordKind, ids: readonly string[]): Promise<number>;
}

/** What is done without naming an actor, `by`, stands in the audit log under the one the store was opened for. */
export interface Store
  extends PublishedDataStore,
    AccessStore,
    OrganizationStore,
    ApiKeyStore,
    ImportStore,
    ImportSourceStore,
    ImportHistoryStore,
    SyncStore,
    Administration {
  /** Resolves when the database answers, and could count a request. */
  assertReady(): Promise<void>;
  /** Writes a consistent copy to a new file while the store is in use. @throws StoreRefusal if the file exists, or the engine has better means */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
