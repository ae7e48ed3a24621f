/**
 * The interface to the database.
 *
 * Every function rejects with `StoreUnavailableError` if the database is unreachable, locked for too long or out of
 * space. The work may then be done or not, and the caller may retry. Other rejections are bugs.
 *
 * `find…` functions return undefined for a missing object and for an object of another municipality; `remove…` functions
 * return false for a missing object.
 *
 * Documents are JSON texts exactly as the API publishes them. Identifiers are UUIDs in lower case, timestamps have the
 * form `2026-03-01T09:15:00.000Z`. An omitted actor (`by`) stands for the actor that the store was opened for.
 */
import type { documentLists, FacetKind, ListOperationId, SubmissionFilter } from '../contract/operations.ts';
import type { Statistics } from '../contract/resources/statistics.ts';
import type { SurveySummary } from '../contract/resources/survey.ts';
import type { SearchWord } from '../contract/search-words.ts';
import type { AccountStore, CredentialStore } from './accounts/account.ts';
import type { Actor } from './accounts/actor.ts';
import type { AuditLogStore } from './accounts/audit-log.ts';
import type { AttemptLimitStore, LoginSessionStore } from './accounts/login-session.ts';
import type {
  MailOutboxStore,
  NotificationEventStore,
  NotificationSettingStore,
} from './accounts/mail-outbox.ts';
import type { ApprovalStore } from './approvals/approval-request.ts';
import type { MaintenanceRunStore } from './installation/maintenance-run.ts';
import type { ProvisioningStore } from './installation/provisioning-store.ts';
import type { PruningStore } from './installation/pruning.ts';
import type { QueueStore } from './installation/queue-lengths.ts';
import type { KeyUsageStore, RejectionCause } from './keys/key-usage.ts';
import type { KeyChanges, KeySearch, KeySummary, NewKey, StoredKey } from './keys/stored-key.ts';
import type { LogoMediaType } from './organizations/logo.ts';
import type {
  OpenDataOrganization,
  Organization,
  OrganizationName,
  OrganizationSummary,
  PublicContact,
} from './organizations/organization.ts';
import type { OrganizationChanges } from './organizations/organization-fields.ts';
import type { OrganizationOverviewStore } from './organizations/organization-overview.ts';
import type { PublishedDatasetStore } from './records/published-dataset.ts';
import type { PublishedContent, PublishedExtent } from './records/published-extent.ts';
import type { StatisticsStore } from './records/published-statistics.ts';
import type { RecordDecisionStore, SurveyTexts } from './records/record-decision.ts';
import type { RecordNoteStore } from './records/record-note.ts';
import type { ImportRecord, RecordKind, RecordWrite, ShownSurvey, SurveyRecord } from './records/records.ts';
import type { LicensedSource, LicensesByKind } from './records/source-licenses.ts';
import type { ChangedRecord, DescribedRecord, RepeatedRecords } from './runs/dry-run-lists.ts';
import type { ImportHistoryStore, RunLease } from './runs/run-history.ts';
import type { RunQueueStore } from './runs/run-queue.ts';
import type { ImportUndoStore } from './runs/undo.ts';
import type { EndpointMirrorStore } from './sources/endpoint-mirror.ts';
import type {
  ImportSourceStore,
  SourceFreshnessStore,
  SourceStore,
  WritingSource,
} from './sources/import-source.ts';
import type { StoreConflictError } from './store-errors.ts';

/** A valid key: neither revoked nor expired when the store looked it up. */
export interface Caller {
  organizationId: string;
  keyId: string;
  keyPrefix: string;
  keyName: string;
  /** IANA name, of the municipality. */
  timeZone: string;
}

export interface RateLimitWindow {
  /** Maximum requests per window. */
  limit: number;
  /** Remaining requests, 0 to `limit`. */
  remaining: number;
  /** Unix milliseconds. */
  resetAtMs: number;
}

/** The result of a request with a valid key. The store has counted the request unless it is rate limited. */
export interface Admission {
  caller: Caller;
  window: RateLimitWindow;
  /** The window is exhausted. */
  isRateLimited: boolean;
  /** Secrets of 32 bytes each. The first signs cursors, the second is still accepted. */
  cursorSecrets: readonly [Buffer, ...Buffer[]];
  /** Differs after every commit that may have changed a response; undefined if the store cannot know. */
  dataVersion: number | string | undefined;
  /** The store's clock in Unix milliseconds. The window was measured with it. */
  nowMs: number;
  /** The page that the request asks for, if the store has read it in the same step. */
  page: DocumentPage | undefined;
}

/** The part of an admission that is counted. */
export interface UsedKey extends Pick<Admission, 'nowMs'> {
  caller: Pick<Caller, 'organizationId' | 'keyId'>;
}

/**
 * Position after a row of a list. `at` is the published timestamp or date, `id` the UUID of the row. Without `id`, the
 * position is after all rows with this time. In the list of changes, `at` is the sequence number of the change, and `id`
 * the UUID of the history that numbered it. In the list of facets, `at` is kind and value, such as `status:in_review`.
 */
export interface CursorPosition {
  at: string;
  id?: string;
}

/** Separates the documents of a page. The database's JSON texts contain no line breaks, so the separator is unique. */
export const documentSeparator = ',\n';

export interface DocumentPage {
  /** At most the requested number of documents in the order of the list: JSON texts in UTF-8, with `documentSeparator`. */
  documents: Buffer;
  /** Start of the next page; undefined for the last page. */
  next: CursorPosition | undefined;
}

/** A document that is too large for memory. */
export interface LargeDocument {
  bytes: number;
  /** UTF-8, in order, from one state of the database. Each ends after an entry of the document's last list. */
  chunks: AsyncIterable<Buffer>;
  /** Completes the JSON after any chunk. */
  closing: string;
  /** Reading it holds nothing in the database, so slow clients have any time. */
  isFile?: true;
  /** Ends the read. The caller must call it in every case. */
  close(): Promise<void>;
}

/** One page of a list of stored documents. */
export interface ListPageRequest {
  list:
    | (typeof documentLists)[ListOperationId]['list']
    | (typeof documentLists)['searchSubmissions']['other']['list'];
  /** Fields that equal one of their values, in the order of the contract. The values of a field differ. */
  filters: readonly (readonly [field: string, values: readonly string[]])[];
  /** All occur in the record; undefined: any record. */
  words?: readonly SearchWord[] | undefined;
  /** The documents end with the extension fields. */
  isExtended: boolean;
  /** Values of the field of the order; undefined: all. */
  range?: { from: string; before: string } | undefined;
  direction: 'asc' | 'desc';
  /** Exclusive. The row at this position may have been deleted. */
  after: CursorPosition | undefined;
  /** 1 to 100. */
  limit: number;
}

/** A page that the store may read together with the key. */
export interface PagePrefetch {
  /** The page is not needed if the data has this version. The request gets the page anyway if that turns out wrong. */
  guessVersion(): Admission['dataVersion'];
  /**
   * The signature of the cursor is not verified yet, and each filter has one value. Returns undefined if the request needs no such
   * page.
   */
  plan(): ListPageRequest | undefined;
}

export interface PageRequest {
  organizationId: string;
  /** Exclusive. The row at this position may have been deleted. */
  after: CursorPosition | undefined;
  /** 1 to 100; 1 to 1,000 changes. */
  limit: number;
}

export interface ChangesRequest extends PageRequest {
  /** IANA name. */
  timeZone: string;
  /** undefined: all kinds. The caller binds positions to it. */
  kind: RecordKind | undefined;
  /** `end`: an empty page, whose position is after all changes. Without `after`. */
  start: 'end' | undefined;
}

export interface FacetsRequest extends PageRequest {
  /** undefined: all kinds. */
  kind: FacetKind | undefined;
}

export interface StatisticsRequest {
  organizationId: string;
  /** IANA name. Days and months begin at midnight in this time zone. */
  timeZone: string;
  /** First and last local day; undefined: from the first, to the last. */
  from: string | undefined;
  to: string | undefined;
}

export interface ChangePage {
  /** At most the requested number of changes, fewer if their documents are large: JSON texts separated by commas, in UTF-8. */
  changes: Buffer;
  /** Position after the page, also after the last one. */
  next: CursorPosition;
  hasMore: boolean;
}

export interface AskedSurvey {
  id: string;
  title: string;
  questions: readonly Pick<SurveyRecord['questions'][number], 'questionText' | 'options'>[];
}

/** The latest public results of a survey, also if it is unpublished, a draft, or removed by its source since. */
export interface ReleasedSurvey {
  /** With the texts of the source. */
  survey: SurveyRecord;
  /** What `follows` of the next results names. */
  state: string;
}

/** What disclosure control compares surveys with. */
export interface ReleasedSurveyStore {
  /** undefined: it was never public, or was removed for good. */
  findReleasedSurvey(organizationId: string, id: string): Promise<ReleasedSurvey | undefined>;
  /** Titles and questions of the same surveys, from the primary database: twice if a question was corrected. */
  listSurveyQuestions(organizationId: string): Promise<AskedSurvey[]>;
}

/** The data that the API publishes. Every function reads one municipality and at most `limit` rows. */
export interface PublishedDataStore {
  /**
   * Submissions and support tallies are ordered by `createdAt` descending, changes of statuses by `statusChangedAt`, sessions by `date`,
   * then by id ascending.
   */
  readListPage(organizationId: string, page: ListPageRequest): Promise<DocumentPage>;
  findSubmission(organizationId: string, id: string): Promise<string | undefined>;
  /** The session with its `submissions` in the order of the agenda. */
  findSession(organizationId: string, id: string): Promise<string | LargeDocument | undefined>;
  /** The fields beyond the specification: a JSON object. Of a draft, too. */
  findExtension(organizationId: string, kind: RecordKind, id: string): Promise<string | undefined>;
  /** The support tally of a submission. */
  findTally(organizationId: string, submissionId: string): Promise<string | undefined>;
  /** undefined for drafts too. */
  findSurveyResults(organizationId: string, id: string): Promise<string | LargeDocument | undefined>;
  /** Of a published survey. */
  findSurveyTexts(organizationId: string, id: string): Promise<SurveyTexts | undefined>;
  /** The latest end first, then by id, without drafts. The `at` of positions is the end, such as `2026-03-31` or `2026`; empty: unknown. */
  listPublishedSurveys(page: PageRequest): Promise<DocumentPage>;
  /** The values of filters that occur, each once, ordered by kind, then by code points. */
  listFacets(request: FacetsRequest): Promise<DocumentPage>;
  findOrganizationDocument(organizationId: string): Promise<string | undefined>;
  /**
   * Everything that changed after a position, each object once at its latest change, oldest change first. Drafts and
   * removed objects are deleted.
   *
   * @returns undefined if the position is from another history of the data, newer than the data, or older than a pruned
   *   removal
   */
  listChanges(page: ChangesRequest): Promise<ChangePage | undefined>;
  /**
   * Counts of one state of the data.
   *
   * @returns undefined if counting would take long, or there are more than `maxCounts`
   */
  countByMonth(request: StatisticsRequest): Promise<Statistics | undefined>;
}

/** How far the index of words of a municipality is. */
export interface WordIndexProgress {
  isComplete: boolean;
  /** Records that the step has indexed. */
  filled: number;
}

/** Transactions write the index of words together with the records. It lacks records that other programs or earlier versions wrote. */
export interface WordIndexStore {
  /** The ids of municipalities whose index lacks records; without search by words, those that still have an index. */
  listUnindexed(): AsyncIterable<string>;
  /** Indexes some thousand records; without search by words, removes a part of the index. An interruption loses nothing. */
  fillWordIndex(organizationId: string): Promise<WordIndexProgress>;
}

export interface PublishedSearch {
  organizationId: string;
  /** All occur in the record. Empty: any record. */
  words: readonly SearchWord[];
  /** Only the records that this source was the last to write; undefined: all. */
  sourceId?: number | undefined;
  /** First `createdAt` or `date`, inclusive. */
  from: string | undefined;
  /** Last `createdAt` or `date`, exclusive. */
  before: string | undefined;
  /** Exclusive. */
  after: Required<CursorPosition> | undefined;
  /** Maximum number of documents. */
  limit: number;
}

export interface PublishedSubmissionSearch extends PublishedSearch {
  filters: Partial<Record<SubmissionFilter, string>>;
}

export interface SearchPage {
  /** JSON texts as the API publishes them, with the extension fields, in the order of the API's list. */
  documents: string[];
  /** The last record of the page, if there are further ones. */
  next: Required<CursorPosition> | undefined;
  /** Number of matches on all pages; undefined if counting would take long, or there are more than `maxCountedMatches`. */
  total: number | undefined;
}

/** The submissions with a location among those that were examined. */
export interface LocatedPage {
  /** In the order of the API's list. */
  located: (Required<CursorPosition> & { longitude: number; latitude: number })[];
  /** Number of those that were examined. */
  examined: number;
  /** The last submission that was examined, if there are further ones. */
  next: Required<CursorPosition> | undefined;
}

/** Counting as many takes a few milliseconds. */
export const maxCountedMatches = 10_000;

/**
 * Search in published data, for pages. Words and filters match as in the API. Searches with words throw a WordsNotReadyError or
 * WordSearchOffError, as `readListPage` does.
 */
export interface PublishedDataSearch {
  searchSubmissions(search: PublishedSubmissionSearch): Promise<SearchPage>;
  /** Examines the next `limit` submissions that the search finds, those without a location, too. */
  locateSubmissions(search: PublishedSubmissionSearch): Promise<LocatedPage>;
  /** Documents as of `searchSubmissions`, in the order of the ids, without those that do not exist. */
  readSubmissions(organizationId: string, ids: readonly string[]): Promise<string[]>;
  searchSessions(search: PublishedSearch): Promise<SearchPage>;
  /**
   * The document of the submission with this reference number, regardless of case and accents, with the extension fields.
   *
   * @returns undefined also if several submissions have it, or very many mention it
   */
  findByReferenceNumber(organizationId: string, referenceNumber: string): Promise<string | undefined>;
  /** Values of the field of a filter, ordered by code point, at most 500. */
  listFilterValues(organizationId: string, filter: SubmissionFilter): Promise<string[]>;
}

export interface AccessStore {
  /**
   * Looks up a key and takes one request from its rate limit window. The limit is exact across all processes. The call
   * sees every revocation and every rotation of cursor secrets that was committed before it.
   *
   * @param secretHash SHA-256 of the key
   * @returns undefined for an unknown, revoked or expired key
   */
  admit(secretHash: Buffer, prefetch?: PagePrefetch): Promise<Admission | undefined>;
  /**
   * Counts the response to an admitted request, in memory.
   *
   * @param operation operation ID, or `unknownOperation`
   * @param rejection undefined for a status below 400
   */
  recordUse(use: UsedKey, operation: string, status: number, rejection?: RejectionCause): void;
  /**
   * Counts a request with a well-formed key that was not admitted, in memory. Does not look up the key, so that revoked
   * and expired keys take as long as unknown keys.
   */
  recordInactiveKey(secretHash: Buffer, operation: string): void;
  /** As in an admission. */
  readCursorSecrets(): Promise<Admission['cursorSecrets']>;
  /** Creates a new cursor secret. Cursors of the previous secret stay valid until the next rotation. */
  rotateCursorSecret(): Promise<void>;
  /** Starts a new history of changes in every municipality: positions in the previous one become invalid. */
  restartChangeHistory(): Promise<void>;
}

export interface OrganizationStore {
  /** @throws StoreConflictError if the name or id is in use */
  addOrganization(
    name: string,
    id: string,
    fields?: { [Field in 'timeZone' | 'language' | 'country' | 'locationDecimals']?: string | undefined },
    by?: Actor,
  ): Promise<Organization>;
  /**
   * Writes only values that differ from the stored ones.
   *
   * Without a licence, open data is switched off.
   *
   * @throws StoreConflictError if another municipality has the name, or has or had the slug; if open data lacks a licence or
   *   a slug; or if the municipality was removed
   */
  editOrganization(id: string, changes: OrganizationChanges, by?: Actor): Promise<Organization>;
  /** Searches by id, then by exact name. */
  findOrganization(nameOrId: string): Promise<Organization | undefined>;
  /**
   * The municipalities whose open data is on, in the order of their slugs. From the primary database.
   *
   * @param afterSlug empty: from the first one
   */
  listOpenData(afterSlug: string, limit: number): Promise<OpenDataOrganization[]>;
  /**
   * The municipalities that people without a key may know, in the order of their names: those whose open data is on, at most 25 of
   * them, and the only one of an installation.
   */
  listPublicContacts(): Promise<PublicContact[]>;
  /** The content of a municipality's present logo. @param digest see `NewLogo` */
  findLogo(digest: string, mediaType: LogoMediaType): Promise<Buffer | undefined>;
  /** Ordered by name. */
  listOrganizationNames(): Promise<OrganizationName[]>;
  /** Counts all rows, so it is slow for large databases. */
  listOrganizations(): Promise<OrganizationSummary[]>;
  /** Removes all data of the municipality except its audit log. */
  removeOrganization(id: string, by?: Actor): Promise<boolean>;
}

export interface ApiKeyStore {
  /** @throws StoreConflictError if the municipality was removed or has a key with this id */
  addKey(key: NewKey, by?: Actor): Promise<StoredKey>;
  /** Newest first; keys of all municipalities by default. */
  listKeys(organizationId?: string): Promise<StoredKey[]>;
  /** In short steps, for municipalities with thousands of keys. Ordered by id. */
  listKeySummaries(organizationId: string): Promise<KeySummary[]>;
  /** Those of these keys that exist, in the order of the ids. */
  findKeysById(organizationId: string, ids: readonly string[]): Promise<StoredKey[]>;
  findKey(organizationId: string, id: string): Promise<StoredKey | undefined>;
  /** Searches by SHA-256 of the key. */
  findKeyByHash(organizationId: string, secretHash: Buffer): Promise<StoredKey | undefined>;
  /** Keys with this id or prefix. Several keys may have the same prefix. */
  findKeys(idOrPrefix: string): Promise<StoredKey[]>;
  /** Newest first. */
  searchKeys(search: KeySearch): Promise<StoredKey[]>;
  /**
   * Writes only values that differ from the stored ones.
   *
   * @throws StoreConflictError if the key is missing or revoked
   */
  editKey(key: Pick<StoredKey, 'organizationId' | 'id'>, changes: KeyChanges, by?: Actor): Promise<StoredKey>;
  /** Returns false if the key was already revoked. */
  revokeKey(key: Pick<StoredKey, 'organizationId' | 'id'>, by?: Actor): Promise<boolean>;
  /**
   * Adds a successor and sets the expiry of the key, in one transaction.
   *
   * @throws StoreConflictError if the key already has a successor, which the message names, or if the key is not active
   */
  rotateKey(
    key: Pick<StoredKey, 'organizationId' | 'id'>,
    successor: NewKey,
    validUntil: string,
    by?: Actor,
  ): Promise<StoredKey>;
}

/** `withheld`: a decision keeps the record unpublished; `matched`: the decision on a record that it equals does. */
export type ImportOutcome =
  | 'inserted'
  | 'changed'
  | 'unchanged'
  | 'removed'
  | 'absent'
  | 'withheld'
  | 'matched';

export interface WriteContext {
  /** Source of the records; undefined for generated records. */
  source?: WritingSource | undefined;
  /** The transaction fails if this lease was lost. */
  lease?: RunLease | undefined;
  /** Id of the import run, so that it can be undone; undefined: it cannot. */
  runId?: string | undefined;
  /** Compares records with the stored ones, and writes nothing. */
  dryRun?: DryRun | undefined;
}

export interface DryRun {
  /** Whether the input so far has added this record. */
  hasRecord(kind: RecordKind, id: string): boolean;
  /** Kinds and ids of the records that the input has removed so far. The store adds to it. */
  removed: Set<string>;
  /**
   * Published records that would change, by kind and id, those that would disappear, and those of the source that are absent from
   * the input. The store adds to them.
   */
  changed: Map<string, ChangedRecord>;
  disappearing: DescribedRecord[];
  missing: DescribedRecord[];
}

/** Records are identified by municipality and id. To write the same record twice changes nothing. */
export interface ImportStore {
  /**
   * Ordered by title. Includes drafts, whose status is always `draft`.
   *
   * @param sourceId only the surveys that this source was the last to write
   */
  listSurveys(organizationId: string, sourceId?: number): Promise<SurveySummary[]>;
  /**
   * Submissions of the same day and text, and sessions of the same committee, day and time, under other ids.
   *
   * @param source of the records
   */
  findPublishedElsewhere(
    organizationId: string,
    source: WritingSource,
    records: readonly ImportRecord[],
  ): Promise<RepeatedRecords>;
  /**
   * Runs `work` in one transaction and rolls back if it rejects. `work` must not call the writer concurrently.
   *
   * @throws LeaseLostError; nothing is written then
   */
  write<Result>(
    organizationId: string,
    work: (writer: RecordWriter) => Promise<Result>,
    context?: WriteContext,
  ): Promise<Result>;
}

/**
 * What the pages of open data show. Reads the primary database only: the tag of a page names the version of the data, and a replica
 * may be behind it. Documents are those of the API, at most `limit`.
 */
export interface OpenPageStore
  extends PublishedDataSearch,
    Pick<PublishedDataStore, 'findSubmission' | 'findSession' | 'findExtension'>,
    Pick<ImportStore, 'listSurveys'> {
  /** Reads and parses the published survey in slices. @returns undefined for a missing one and a draft */
  findSurvey(organizationId: string, id: string): Promise<ShownSurvey | undefined>;
  /** Without those of this day that have ended, the next one first. @param now local: `YYYY-MM-DD` and `HH:MM` */
  listUpcomingSessions(
    organizationId: string,
    now: { date: string; time: string },
    limit: number,
  ): Promise<string[]>;
  /** With the submission on their agenda, oldest first. */
  listSessionsOfSubmission(organizationId: string, submissionId: string, limit: number): Promise<string[]>;
  /**
   * Submissions with a decided status since a known time, of the latest days: the latest day first, those of one day by status, in
   * the order of `decidedStatuses`.
   *
   * @param timeZone of the days
   */
  listDecidedSubmissionsByDay(organizationId: string, timeZone: string, limit: number): Promise<string[]>;
  readLicenses(organizationId: string): Promise<LicensesByKind>;
  readContent(organizationId: string): Promise<PublishedContent>;
  readExtent(organizationId: string): Promise<PublishedExtent>;
  /**
   * The source that was the last to write the record, if it has a licence of its own.
   *
   * @returns undefined for a record with the licence of the municipality
   */
  findSourceLicense(
    organizationId: string,
    kind: RecordKind,
    id: string,
  ): Promise<LicensedSource | undefined>;
}

export interface RecordWriter {
  /**
   * Writes the records, and deletes retracted ones, in their order.
   *
   * @returns one outcome for each record. The outcome is a StoreConflictError, and the record is not written, if a
   *   session refers to a missing submission or a survey follows results that are no longer published.
   */
  put(records: readonly RecordWrite[]): Promise<(ImportOutcome | StoreConflictError)[]>;
  /** The next ids of the municipality after `after`, ordered, from any source. Empty at the end. */
  listIds(kind: RecordKind, after: string): Promise<string[]>;
  /** When these submissions were created, by id, as the sources say. */
  readCreationTimes(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Counts the published records that the source wrote last. @param ids only those of these */
  countPublished(kind: RecordKind, ids?: readonly string[]): Promise<number>;
  /** Counts those of these records that the source wrote last, with those that a decision keeps unpublished. */
  countOwn(kind: RecordKind, ids: readonly string[]): Promise<number>;
  /** Deletes those of these records that the source wrote last. @returns the number of deleted records */
  deleteOwn(kind: RecordKind, ids: readonly string[]): Promise<number>;
}

export interface Store
  extends PublishedDataStore,
    PublishedDatasetStore,
    ReleasedSurveyStore,
    AccessStore,
    OrganizationStore,
    ApiKeyStore,
    ImportStore,
    ImportSourceStore,
    SourceStore,
    SourceFreshnessStore,
    ImportHistoryStore,
    RunQueueStore,
    ImportUndoStore,
    RecordDecisionStore,
    ApprovalStore,
    RecordNoteStore,
    EndpointMirrorStore,
    MailOutboxStore,
    NotificationEventStore,
    NotificationSettingStore,
    ProvisioningStore,
    QueueStore,
    MaintenanceRunStore,
    PruningStore,
    OrganizationOverviewStore,
    PublishedDataSearch,
    WordIndexStore,
    AccountStore,
    CredentialStore,
    LoginSessionStore,
    AttemptLimitStore,
    AuditLogStore,
    KeyUsageStore,
    StatisticsStore {
  openDataPages: OpenPageStore;
  /** Resolves if the database is readable and writable. */
  assertReady(): Promise<void>;
  /**
   * Writes a consistent copy to a new file while the store is in use.
   *
   * @throws StoreConflictError if the file exists, or the engine has backup tools of its own
   */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
