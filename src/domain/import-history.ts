/**
 * The port to the record of imports: who brought in what, when, and what became of it. Part of the port in store.ts;
 * rejections are as there.
 */
import type { Actor } from './administration.ts';

/** Objects of the input; all but `read` add up to it. */
export interface ImportCounts {
  read: number;
  inserted: number;
  changed: number;
  unchanged: number;
  removed: number;
  /** Of no interest, or to be removed and not there. */
  ignored: number;
  rejected: number;
}

export type ImportEnd = 'done' | 'failed' | 'interrupted';

/** `stale`: it never ended, and has shown no sign of life for `silenceMs`. */
export type ImportState = ImportEnd | 'running' | 'stale';

/** How often a run that is under way has to be noted, at the least. */
export const heartbeatIntervalMs = 30_000;

/** Without a sign of life for so long, a run counts as broken off. */
export const staleAfterMs = 300_000;

/** Of a run, the first so many refused records are kept. */
export const maxStoredRejections = 100;

/** What stands for standard input among the names of files. */
export const standardInput = 'standard input';

export interface NewImportRun {
  organizationId: string;
  /** Name of the format. */
  format: string;
  /**
   * Names of files and folders as they were given, or of a synchronisation the address of the endpoint; the text is cut
   * after 1,000 characters.
   */
  sources: string;
}

/** Nobody gives files such a name: what was read from an address was fetched by a synchronisation. */
export const isSynchronization = ({ sources }: NewImportRun): boolean => /^https?:\/\//.test(sources);

export type ImportRunKey = Pick<ImportRun, 'organizationId' | 'id'>;

/** A record that was refused: where it stands and why, never what it says. */
export interface RejectedRecord {
  /** File name, or the address it was fetched from. */
  source: string;
  /** Counted from 1, as is `entry`, its position in a JSON array. */
  line: number | null;
  entry: number | null;
  /** As the source has it. */
  id: string | null;
  /** A part of a sentence in English that names the field and what it must be. */
  reason: string;
}

export interface ImportRun extends ImportCounts, NewImportRun {
  id: string;
  startedAt: string;
  /** Its last sign of life. */
  heartbeatAt: string;
  endedAt: string | null;
  actor: string;
  address: string;
  state: ImportState;
  /** The sentence with which it failed, in English. */
  failure: string | null;
}

export interface ImportHistoryStore {
  beginImportRun(run: NewImportRun, by?: Actor): Promise<ImportRunKey>;
  /**
   * What is kept so far, and that the run goes on: a process that is killed leaves this behind. Twice the same is as
   * good as once.
   *
   * @param refusals those that came since the last call
   * @param before how many refusals came before them; of all, the first `keptRefusals` are kept
   */
  updateImportRun(
    run: ImportRunKey,
    counts: ImportCounts,
    refusals: readonly RejectedRecord[],
    before: number,
  ): Promise<void>;
  endImportRun(run: ImportRunKey, end: ImportEnd, failure: string | undefined): Promise<void>;
  /** Takes a run out of the record, with what it refused. */
  deleteImportRun(run: ImportRunKey): Promise<void>;
  /**
   * The newest first, at most `limit`; of one municipality where it is given.
   *
   * @param after exclusive: the run that the page before ended with
   */
  listImportRuns(
    organizationId: string | undefined,
    after: { at: string; id: string } | undefined,
    limit: number,
  ): Promise<ImportRun[]>;
  /** undefined: not there, or not of the municipality where one is given. */
  findImportRun(organizationId: string | undefined, id: string): Promise<ImportRun | undefined>;
  /** In the order of the input. */
  listRejectedRecords(run: ImportRunKey): Promise<RejectedRecord[]>;
}
