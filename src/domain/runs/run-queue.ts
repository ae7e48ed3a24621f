/** Imports that are started in the admin area: entities and store interface. Errors: see store.ts. */

import type { Actor } from '../accounts/actor.ts';
import type { Reason } from '../reasons/reason.ts';
import type { RecordKind } from '../records/records.ts';
import type { PersonalDataFinding, SourceDefinition } from '../sources/import-source.ts';
import type { SuggestedMapping } from '../sources/suggested-mapping.ts';
import type { TableMappingDraft } from '../sources/table-mapping.ts';
import { StoreConflictError } from '../store-errors.ts';
import type { ListedCounts, RepeatedRecords } from './dry-run-lists.ts';
import { type ImportQuestion, importQuestions } from './import-question.ts';
import type { ImportCounts, ImportRunReference, RejectedRecord, RunLease } from './run-history.ts';

/** Each step runs in a process of its own. Between the steps, the run waits for the user. */
export type RunStep = 'detection' | 'dry_run' | 'import' | 'undo';

/** State of the current step. */
type RunStepState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** A step fails when this many processes ended without a result. */
export const maxStepCrashes = 3;

/** A file is deleted if the user does not continue the import in this time. */
export const fileLifetimeMs = 86_400_000;

/** Runs with a file in one municipality, so that a municipality cannot fill the disk. */
export const maxOpenRuns = 10;

export class TooManyRunsError extends StoreConflictError {
  constructor() {
    super(`This municipality has ${maxOpenRuns} unfinished imports. Finish or cancel one of them first.`);
  }
}

/** A file, or the endpoint of a stored source. */
export type RunInput =
  | { kind: 'upload'; fileName: string; bytes: number }
  | { kind: 'address' | 'endpoint'; url: string };

/** The name of the file, or the address. */
export const nameInput = (input: RunInput): string => (input.kind === 'upload' ? input.fileName : input.url);

export interface DetectionReport {
  /** Formats that can read the file, best first. */
  formats: { format: string; reason: Reason }[];
  /** Names of the files in the input, such as those in an archive; at most 100. */
  files: string[];
  /** Sheets of a workbook that has several with data, lists of JSON, or tables of a portal; null for other files. */
  sheets: SheetChoice | null;
  /** Mapping drafted from a table; null for other files. */
  suggestion: SuggestedMapping | null;
  /** Of the header, if the user has chosen it. */
  headerRow?: number | null;
  /** The form in which the user has chosen the header. */
  entered?: EnteredSettings | undefined;
  /** Where the records of a copied address are; null for a file. */
  address?: FoundAddress | null;
}

/** Of an input that was not read yet. */
export const emptyDetection: DetectionReport = { formats: [], files: [], sheets: null, suggestion: null };

/** Settings that the user has entered before the file is examined again. */
export interface EnteredSettings {
  /** Its name and its texts may be invalid. */
  definition: SourceDefinition;
  /** The mapping that the form was opened with: the other entries are those of the user. */
  draft: TableMappingDraft;
}

export interface FoundAddress {
  /** Name of a preset, or the format of an endpoint, as the user has chosen or the address has shown; null for a file. */
  system: string | null;
  url: string;
  /** Name of the table, if the user has chosen one of several. */
  table?: string | undefined;
  /** Whether the user has confirmed the permission of a restricted host. */
  isPermitted?: boolean | undefined;
  /** Number of records that the server counts; null if unknown. */
  total: number | null;
  /** Of the download. */
  notes?: readonly Reason[];
  /** The key of the portal, until the run has ended. The import stores it with the source. */
  key?: RunPortalKey | undefined;
}

/** An `EncryptedPortalKey` with its ciphertext in Base64. */
export interface RunPortalKey {
  origin: string;
  encrypted: string;
}

export interface SheetChoice {
  /** A sheet of a workbook, a list of JSON, or a table of a data portal. */
  kind: 'sheet' | 'list' | 'table';
  /** A list has the path of its records. */
  names: string[];
  /** The sheet that the source names, if the workbook lacks it. */
  missing: string | null;
  /** null: the user has to choose, and the report has no formats yet. A list is chosen at first. */
  chosen: string | null;
}

/** A published survey that a file may continue. */
export interface SimilarSurvey {
  id: string;
  title: string;
}

/** Texts of the surveys in one table. */
export interface SurveyTableTexts {
  /** Name of its file. */
  file: string;
  title: string;
  /** Whether the title is the name of the file. */
  isUntitled: boolean;
  question: string;
  /** Number of surveys: one for each year. */
  surveys: number;
}

export interface StatusWord {
  word: string;
  publishedAs: string;
  count: number;
}

/** A text after redaction that a person reads before it is published, or a part of it. */
export interface TextToCheck {
  text: string;
  /** What may be personal data: indices as for `slice`, in order, without overlap. */
  marks: { start: number; end: number }[];
  isCutAtStart: boolean;
  isCutAtEnd: boolean;
}

/** Everything that the import would do. Nothing is written. */
export interface DryRunReport {
  counts: ImportCounts;
  /** See `findDatasetVersion`: of the published data, when the dry run began. Undefined in the report of an earlier version. */
  publishedVersion?: string | undefined;
  statistics: {
    /** Most frequent first. */
    statuses: { name: string; count: number }[];
    /** Submissions with a status that is not listed. */
    otherStatuses: number;
    /** null: the source has no support counts. */
    support: { sum: number; max: number } | null;
    /** Earliest and latest time of creation, or of sessions, by kind of record. */
    dateRanges: { kind: string; from: string; until: string }[];
  };
  /** At most ten records as the API would publish them, those that the import adds or changes first. */
  samples: {
    kind: RecordKind;
    /** Without a location, which the report would keep when it is no longer published, or less exactly. */
    document: Readonly<Record<string, unknown>>;
    hasLocation?: boolean;
  }[];
  /** The first ten rejected records. */
  rejections: RejectedRecord[];
  /** Reasons of all rejections, most frequent first, each with the values of one record. Undefined in the report of an earlier version. */
  rejectionReasons?: { reason: Reason; count: number }[];
  listed: ListedCounts;
  /** Words of the source that the user can map to statuses, most frequent first; at most 100. */
  statusWords: StatusWord[];
  /** Reasons why entries are ignored, most frequent first. */
  ignored: { reason: Reason; count: number }[];
  /** Findings in texts by kind of personal data, whether they are redacted or not. */
  personalData: PersonalDataFinding[];
  /** The texts most likely to have the name of a person come first. Undefined in the report of an earlier version. */
  textsToCheck?: TextToCheck[];
  /** At most 1,000, those without a title first. */
  surveyTables: SurveyTableTexts[];
  /** A published survey with the questions of the file; null: none, or the user has decided. */
  similarSurvey: SimilarSurvey | null;
  /** Questions that the user has to confirm, see `ImportQuestion`; undefined in the report of an earlier version: none. */
  questions?: Reason[];
  /** New records that equal those of other sources. Undefined in the report of an earlier version. */
  repeated?: RepeatedRecords;
  /** Published records of the source that the input lacks. */
  missing: { count: number; isDeleted: boolean };
  notes: Reason[];
}

export const listQuestions = (report: DryRunReport | null): ImportQuestion[] =>
  importQuestions.filter((question) => report?.questions?.some(({ code }) => code === question));

export interface RunProgress {
  /** Records. */
  read: number;
  /** Records of `read`; null: the step writes nothing, or still reads. */
  written: number | null;
  bytesRead: number;
  /** null: unknown. */
  totalBytes: number | null;
}

export interface QueuedRun {
  organizationId: string;
  id: string;
  step: RunStep;
  state: RunStepState;
  /** The stored source that the run imports or undoes; null for a new source. */
  sourceName: string | null;
  /** null for the undo of a run that was not started in the admin area. */
  input: RunInput | null;
  /** Choices of the user. They are stored as the source when its first import begins. */
  definition: SourceDefinition | null;
  detection: DetectionReport | null;
  dryRun: DryRunReport | null;
  progress: RunProgress | null;
  failure: Reason | null;
  createdAt: string;
  createdBy: string;
  /** Who queued the current step, and from where. */
  actor: string;
  address: string;
  /** The file is deleted at this time unless the run continues; null: the run has no file, or no longer. */
  fileExpiresAt: string | null;
  /** Another person has been asked to approve the import. Until then, nobody changes or starts it. */
  isAwaitingApproval: boolean;
}

/** Without the reports, which may have megabytes. */
export type QueuedRunSummary = Omit<QueuedRun, 'detection' | 'dryRun'>;

/** A running import deletes its file when it ends, and does not publish a record that is removed meanwhile. */
export const keepsFile = ({ step, state }: QueuedRunSummary): boolean =>
  step === 'import' && state === 'running';

/** Whether the run fetches the changes of the OParl endpoint of a stored source. It has the step `import` only. */
export const isEndpointRun = ({ input }: Pick<QueuedRun, 'input'>): boolean => input?.kind === 'endpoint';

export interface NewQueuedRun extends ImportRunReference {
  sourceName: string | null;
  input: RunInput;
  /** The system that the user has chosen for an address. */
  detection?: DetectionReport | undefined;
  /** Of the stored source. */
  definition: SourceDefinition | null;
}

/** A run whose step this process runs. */
export interface ClaimedRun extends QueuedRun {
  lease: RunLease;
}

/** Results of a step. Undefined properties keep their value. */
export interface ImportStepResult {
  definition?: SourceDefinition | undefined;
  detection?: DetectionReport | undefined;
  dryRun?: DryRunReport | undefined;
}

/** Undefined properties keep their value. */
export type RunChoices = Pick<ImportStepResult, 'definition' | 'detection'>;

export type ImportStepEnd =
  | ({ state: 'done' /** Runs immediately after this step. */; nextStep?: 'dry_run' } & ImportStepResult)
  | { state: 'failed'; failure: Reason };

/** A file that a process of any machine receives. Its run is not queued yet. */
export interface ArrivingUpload {
  id: string;
  /** At most. */
  bytes: number;
}

/** A reservation ends at this time after its process has extended it for the last time. */
export const uploadReservationMs = 120_000;

export interface RunQueueStore {
  /**
   * Takes a place among the open runs, and space on the disk, before the file arrives. `queueRun` turns it into the run.
   *
   * @param bytes of the file, at most
   * @returns the uploads that have reserved space before
   * @throws StoreConflictError as `queueRun`
   */
  reserveUpload(run: ImportRunReference, bytes: number, by?: Actor): Promise<ArrivingUpload[]>;
  extendUpload(run: ImportRunReference): Promise<void>;
  /** Does nothing if the run was queued. */
  releaseUpload(run: ImportRunReference): Promise<void>;
  /** Of all municipalities. */
  listArrivingUploads(): Promise<ArrivingUpload[]>;
  /**
   * Queues the first step: the detection, or the import of an endpoint.
   *
   * @throws StoreConflictError if the municipality was removed
   * @throws TooManyRunsError if it has `maxOpenRuns`, arriving files included
   */
  queueRun(run: NewQueuedRun, by?: Actor): Promise<QueuedRun>;
  findQueuedRun(organizationId: string, id: string): Promise<QueuedRun | undefined>;
  /** Cheap: a request that waits for the end of a step asks often. @returns false while the step waits or runs */
  hasStepEnded(run: ImportRunReference): Promise<boolean>;
  /** Runs that run or wait for the user, and failed ones that can be repeated with their file. Newest first. */
  listOpenRuns(organizationId: string): Promise<QueuedRunSummary[]>;
  /** Runs whose file is on disk: finished ones have it for some minutes. Newest first. */
  listRunsWithFile(organizationId: string): Promise<QueuedRunSummary[]>;
  /**
   * Queues the next step, or repeats the current one: `dry_run` after the detection, `import` after a dry run. The
   * detection is repeated with another sheet or list.
   *
   * @param choices of the user. Not for `import`, which imports what was checked.
   * @returns false if another request has continued or cancelled the run, its file was deleted, or it waits for an approval
   */
  queueImportStep(
    run: ImportRunReference,
    step: Exclude<RunStep, 'undo'>,
    choices?: RunChoices,
    by?: Actor,
  ): Promise<boolean>;
  /** @returns false if the run is busy, or was removed */
  queueUndo(run: ImportRunReference, sourceName: string, by?: Actor): Promise<boolean>;
  /** Also stops a running step. Committed records stay published. @returns false if the run has ended */
  cancelRun(run: ImportRunReference, by?: Actor): Promise<boolean>;
  /** Number of runs, up to `limit`, that a process could claim now. Cheap: it is called every second. */
  countClaimableRuns(limit: number): Promise<number>;
  /**
   * The run that waits longest in a municipality without a running step, or one whose lease expired.
   *
   * @param only claims this run or none
   */
  claimRun(only?: ImportRunReference): Promise<ClaimedRun | undefined>;
  /** @returns false if the run was cancelled or removed, or another process has claimed it; then nothing is stored */
  endImportStep(run: ClaimedRun, end: ImportStepEnd): Promise<boolean>;
  /** Queues the step again, because its process stops. */
  releaseStep(run: ClaimedRun): Promise<void>;
  /**
   * Cancels runs that wait for the user for too long, deletes old ones, and returns the files that are no longer needed.
   * Call `forgetFile` after a file was deleted.
   */
  listExpiredFiles(): Promise<ImportRunReference[]>;
  forgetFile(run: ImportRunReference): Promise<void>;
}
