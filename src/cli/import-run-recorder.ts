/** What the database keeps of an import: begun before anything is written, noted while it goes on, ended with it. */

import {
  heartbeatIntervalMs,
  type ImportEnd,
  type ImportHistoryStore,
  maxStoredRejections,
  type RejectedRecord,
  standardInput,
} from '../domain/import-history.ts';
import {
  createEmptySummary,
  type ImportSummary,
  type Rejection,
  unexpectedErrorMessage,
} from '../import/pipeline.ts';
import { CommandError } from './command-error.ts';
import { printError } from './output.ts';

/** Often enough for whoever looks on, seldom enough to cost an import nothing. */
const noteEveryMs = 1_000;

export interface ImportRunRecorder {
  addRejection(rejection: Rejection): void;
  /** @param counts what is kept so far: noted within a second, while the import goes on */
  keep(counts: ImportSummary): void;
  /** @param failure what the command ends with; undefined when it ends well */
  end(how: ImportEnd, counts: ImportSummary, failure: unknown): Promise<void>;
  /** In place of `end`: nothing happened that anybody would look for. */
  forget(): Promise<void>;
}

/** @param paths as they were given */
export async function startImportRun(
  store: ImportHistoryStore,
  organizationId: string,
  format: string,
  paths: readonly string[],
): Promise<ImportRunRecorder> {
  const sources = paths.map((path) => (path === '-' ? standardInput : path)).join(', ');
  const run = await store.beginImportRun({ organizationId, format, sources });
  const held: RejectedRecord[] = [];
  let written = 0;
  let kept = createEmptySummary();
  let noted = kept;
  let notedMs = performance.now();
  let noting: Promise<void> | undefined;

  async function write(counts: ImportSummary): Promise<void> {
    // What a batch refused that was not kept itself is no news of this import.
    const upTo = Math.min(counts.rejected, held.length);
    await store.updateImportRun(run, counts, held.slice(written, upTo), written);
    written = upTo;
    noted = counts;
    notedMs = performance.now();
  }

  const timer = setInterval(() => {
    if (noting !== undefined || (kept === noted && performance.now() - notedMs < heartbeatIntervalMs)) return;
    // What cannot be noted now is noted later, or at the end; whether batches can be kept is what matters.
    noting = write(kept)
      .catch(() => undefined)
      .finally(() => {
        noting = undefined;
      });
  }, noteEveryMs).unref();

  async function close(write: () => Promise<void>): Promise<void> {
    clearInterval(timer);
    await noting;
    try {
      await write();
    } catch (error) {
      // The import has ended as it has, whether or not that can be written down.
      printError(`How this import ended could not be recorded: ${(error as Error).message}`);
    }
  }

  return {
    addRejection: ({ location: { source, line, entry }, id, reason }) => {
      if (held.length >= maxStoredRejections) return;
      held.push({ source, line: line ?? null, entry: entry ?? null, id: id ?? null, reason });
    },
    keep: (counts) => {
      kept = counts;
    },
    end: (how, counts, failure) =>
      close(async () => {
        await write(counts);
        await store.endImportRun(run, how, how === 'failed' ? sentenceOf(failure) : undefined);
      }),
    forget: () => close(() => store.deleteImportRun(run)),
  };
}

function sentenceOf(failure: unknown): string {
  return failure instanceof CommandError ? failure.message : unexpectedErrorMessage;
}
