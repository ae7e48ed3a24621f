/** Records an import in the import history: at its start, every second while it runs, and at its end. */

import {
  heartbeatIntervalMs,
  type ImportEnd,
  type ImportHistoryStore,
  maxStoredRejections,
  type RejectedRecord,
  standardInput,
} from '../domain/import-history.ts';
import type { ImportSummary, Rejection } from '../import/import-observer.ts';
import { createEmptySummary, describeError } from '../import/pipeline.ts';
import { CommandError } from './command-error.ts';
import { printError } from './output.ts';

const updateIntervalMs = 1_000;

interface ImportRunRecorder {
  addRejection(rejection: Rejection): void;
  /** @param counts of the batches written so far; stored within a second */
  updateCounts(counts: ImportSummary): void;
  /** @param failure the error that the command ends with, if any */
  end(end: ImportEnd, counts: ImportSummary, failure: unknown): Promise<void>;
  /** Removes the entry, instead of `end`: the run changed nothing. */
  forget(): Promise<void>;
}

/** @param paths as given on the command line */
export async function startImportRun(
  store: ImportHistoryStore,
  organizationId: string,
  format: string,
  paths: readonly string[],
): Promise<ImportRunRecorder> {
  const sources = paths.map((path) => (path === '-' ? standardInput : path)).join(', ');
  const run = await store.beginImportRun({ organizationId, format, sources });
  const rejections: RejectedRecord[] = [];
  let storedRejections = 0;
  let counts = createEmptySummary();
  let storedCounts = counts;
  let storedAtMs = performance.now();
  let update: Promise<void> | undefined;

  async function writeUpdate(latest: ImportSummary): Promise<void> {
    // Rejections of a batch that was not written are not part of this import.
    const end = Math.min(latest.rejected, rejections.length);
    await store.updateImportRun(run, latest, rejections.slice(storedRejections, end), storedRejections);
    storedRejections = end;
    storedCounts = latest;
    storedAtMs = performance.now();
  }

  const timer = setInterval(() => {
    const isHeartbeatDue = performance.now() - storedAtMs >= heartbeatIntervalMs;
    if (update !== undefined || (counts === storedCounts && !isHeartbeatDue)) return;
    // A failed update is repeated by the next one. It must not fail the import.
    update = writeUpdate(counts)
      .catch(() => undefined)
      .finally(() => {
        update = undefined;
      });
  }, updateIntervalMs).unref();

  async function finish(write: () => Promise<void>): Promise<void> {
    clearInterval(timer);
    await update;
    try {
      await write();
    } catch (error) {
      printError(`The end of this import could not be recorded: ${(error as Error).message}`);
    }
  }

  return {
    addRejection: ({ location: { source, line, entry }, id, reason }) => {
      if (rejections.length >= maxStoredRejections) return;
      rejections.push({ source, line: line ?? null, entry: entry ?? null, id: id ?? null, reason });
    },
    updateCounts: (latest) => {
      counts = latest;
    },
    end: (end, latest, failure) =>
      finish(async () => {
        await writeUpdate(latest);
        await store.endImportRun(run, end, end === 'failed' ? describeFailure(failure) : undefined);
      }),
    forget: () => finish(() => store.deleteImportRun(run)),
  };
}

function describeFailure(failure: unknown): string {
  return failure instanceof CommandError ? failure.message : describeError(failure);
}
