/** Files of imports on disk, from their upload to the end of the import. */
import type { DryRunListStorage } from './dry-run-lists.ts';
import type { ImportRunReference } from './run-history.ts';
import type { ArrivingUpload } from './run-queue.ts';

/** The reason why a file was not stored. `incomplete`: the client closed the connection. */
export type UploadProblem = 'missing' | 'empty' | 'too_large' | 'disk_full' | 'incomplete' | 'unwritable';

export class UploadError extends Error {
  readonly problem: UploadProblem;

  constructor(problem: UploadProblem, options?: ErrorOptions) {
    super(`The file was not stored: ${problem.replace('_', ' ')}.`, options);
    this.problem = problem;
  }
}

interface StoredUpload {
  /** Absolute. */
  path: string;
  fileName: string;
  bytes: number;
}

export interface UploadStorage extends DryRunListStorage {
  maxFileBytes: number;
  /**
   * Stores the file of a run. A file that is not stored completely is removed.
   *
   * @param fileName as the client named it
   * @param expectedBytes undefined: unknown
   * @param others files that arrive, too: the space that they still need stays free
   * @throws UploadError
   */
  save(
    run: ImportRunReference,
    fileName: string,
    content: AsyncIterable<Buffer>,
    expectedBytes: number | undefined,
    others: readonly ArrivingUpload[],
  ): Promise<StoredUpload>;
  /** @returns undefined if this machine has no such file */
  find(run: ImportRunReference): Promise<StoredUpload | undefined>;
  /** Also removes the lists of its dry run. */
  remove(run: ImportRunReference): Promise<void>;
  /**
   * Removes partial files of processes that ended, and files without a run.
   *
   * @param hasFile whether a run still needs its file
   */
  removeAbandoned(hasFile: (run: ImportRunReference) => Promise<boolean>): Promise<void>;
}
