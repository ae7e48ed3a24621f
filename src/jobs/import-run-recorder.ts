/** Records an import in the import history: at its start, every second while it runs, and at its end. */
import type { Actor } from '../domain/actor.ts';
import {
  heartbeatIntervalMs,
  type ImportEnd,
  type ImportHistoryStore,
  maxStoredRejections,
  type RejectedRecord,
  standardInput,
} from '../domain/import-history.ts';
import type { ImportSource } from '../domain/import-source.ts';
import type { ImportSummary, Rejection } from '../import/import-observer.ts';
import { formatSource } from '../import/parsed-record.ts';
import { createEmptySummary } from '../import/pipeline.ts';

const updateIntervalMs = 1_000;

export interface ImportRunRecorder {
  /** Id of the run. */
  id: string;
  addRejection(rejection: Rejection): void;
  /** @param counts of the batches written so far; stored within a second */
  updateCounts(counts: ImportSummary): void;
  /** @param failure the sentence that the import ends with, if it failed */
  end(
    end: ImportEnd,
    counts: ImportSummary,
    failure: string | undefined,
    hasSupportCounts?: boolean,
  ): Promise<void>;
  /** Removes the entry, instead of `end`: the run changed nothing. */
  forget(): Promise<void>;
}

interface NewRun {
  organizationId: string;
  /** Name of the format. */
  format: string;
  source: ImportSource;
  /** Files and folders as the user named them, `-` for standard input; or a URL. */
  paths: readonly string[];
  /** The user who started it; undefined: the default actor of the store. */
  by?: Actor | undefined;
  /** A run that a process has left unfinished, to be continued. */
  resumedRunId?: string | undefined;
}

/** @param onProblem receives a sentence if the end cannot be recorded */
export async function startImportRun(
  store: ImportHistoryStore,
  { organizationId, format, source, paths, by, resumedRunId }: NewRun,
  onProblem: (sentence: string) => void,
): Promise<ImportRunRecorder> {
  const sources = paths.map((path) => (path === '-' ? standardInput : path)).join(', ');
  const resumed = resumedRunId === undefined ? undefined : { organizationId, id: resumedRunId };
  const run = resumed ?? (await store.beginImportRun({ organizationId, format, source, sources }, by));
  if (resumed !== undefined) await store.resumeImportRun(resumed);
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
      onProblem(`The end of this import could not be recorded: ${(error as Error).message}`);
    }
  }

  return {
    id: run.id,
    addRejection: ({ location: { line, entry, ...place }, id, reason }) => {
      if (rejections.length >= maxStoredRejections) return;
      rejections.push({
        source: formatSource(place),
        line: line ?? null,
        entry: entry ?? null,
        id: id ?? null,
        reason,
      });
    },
    updateCounts: (latest) => {
      counts = latest;
    },
    end: (end, latest, failure, hasSupportCounts) =>
      finish(async () => {
        await writeUpdate(latest);
        await store.endImportRun(run, end, end === 'failed' ? failure : undefined, hasSupportCounts);
      }),
    forget: () => finish(() => store.deleteImportRun(run)),
  };
}
