/** Undoing the last import of a source: entities and store interface. Errors: see store.ts. */

import type { Actor } from '../accounts/actor.ts';
import type { Reason } from '../reasons/reason.ts';
import type { ImportRecord } from '../records/records.ts';
import type { ImportSource } from '../sources/import-source.ts';
import { StoreConflictError } from '../store-errors.ts';
import type { ImportRunReference, UndoCounts } from './run-history.ts';

/** An import can be undone for 30 days after its first change. */
export const undoLifetimeMs = 30 * 86_400_000;

/** The last import of a source that changed something. */
export interface LastImport {
  organizationId: string;
  /** Id in the import history. */
  runId: string;
  source: ImportSource;
  startedAt: string;
  /** Names of the files, as in the import history. */
  sources: string;
  /** `discarded`: a record of the import was removed, and its earlier state with it. */
  state: 'available' | 'undone' | 'discarded';
  /** End of `undoLifetimeMs`. */
  expiresAt: string;
  /** Submissions and sessions that an undo removes. */
  inserted: number;
  /** Submissions and sessions that an undo restores: those that the import changed, took over or removed. */
  replaced: number;
  /** Surveys that the import wrote. Their results stay published. */
  surveys: number;
}

/** The import cannot be undone, and nothing was changed. */
export class UndoConflictError extends StoreConflictError {}

/**
 * @param last undefined: the source has no import that changed something
 * @returns why it cannot be undone, as far as its own state shows; undefined: only a later change of one of its records can
 *   prevent it
 */
export function findUndoObstacle(last: LastImport | undefined): Reason | undefined {
  if (last === undefined) return { code: 'undo-nothing' };
  if (last.state === 'undone') return { code: 'undo-done' };
  if (last.state === 'discarded') return { code: 'undo-discarded' };
  return last.inserted + last.replaced === 0 ? { code: 'undo-surveys' } : undefined;
}

/** Surveys are not restored. */
export type RestoredRecord = Exclude<ImportRecord, { kind: 'survey' }>;

/**
 * Replaces words that the municipality may have listed since the import.
 *
 * @returns the records in their order; one without such a word is the same object
 * @throws UndoConflictError for a record that cannot be redacted
 */
export type RedactRestored = (records: readonly RestoredRecord[]) => Promise<RestoredRecord[]>;

export interface ImportUndoStore {
  /** The last import of each source that has one, ordered by source. Imports expire after `undoLifetimeMs`. */
  listLastImports(organizationId: string): Promise<LastImport[]>;
  /**
   * Removes the records that the run inserted, and restores those that it changed or removed, in one transaction.
   * Surveys stay as they are, because their disclosure control has compared later results with the published ones.
   *
   * @param redact the restored records
   * @param dryRun only checks whether it is possible
   * @throws UndoConflictError
   */
  undoImport(
    run: ImportRunReference,
    redact: RedactRestored,
    dryRun: boolean,
    by?: Actor,
  ): Promise<UndoCounts>;
  /** Deletes the state before expired imports, in short steps; a large rest is left for the next call. */
  deleteExpiredUndo(): Promise<void>;
}
