/**
 * A run of a source that this process carries out. It holds the lease of its municipality, so that no two runs of it write at a
 * time, and is recorded in the import history: at its start, every second while it changes, and at its end.
 */

import { setTimeout } from 'node:timers/promises';
import type { Actor } from '../../domain/accounts/actor.ts';
import { formatSource } from '../../domain/reasons/en/input-positions.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import {
  type ImportEnd,
  type ImportHistoryStore,
  type ImportRunReference,
  LeaseLostError,
  maxStoredNotes,
  maxStoredRejections,
  type RejectedRecord,
  type RunLease,
  standardInput,
} from '../../domain/runs/run-history.ts';
import type { RunProgress } from '../../domain/runs/run-queue.ts';
import type { ImportSource } from '../../domain/sources/import-source.ts';
import { createEmptySummary } from '../pipeline/pipeline.ts';
import { listFindings } from '../privacy/redaction/undecided-personal-data.ts';
import type { ImportSummary, Rejection } from '../records/import-observer.ts';

export interface HeldRun {
  lease: RunLease;
  /** Lists the run in the history. */
  start(): Promise<void>;
  addRejection(rejection: Rejection): void;
  addNote(note: Reason): void;
  /** @param counts of the batches written so far; stored within a second */
  updateCounts(counts: ImportSummary): void;
  /**
   * @param onProblem receives a sentence if the end cannot be recorded
   * @param isPartial keeps what the last complete import has found in the records of the source
   */
  end(
    end: ImportEnd,
    counts: ImportSummary,
    failure: Reason | undefined,
    hasSupportCounts: boolean | undefined,
    onProblem: (sentence: string) => void,
    isPartial?: boolean,
  ): Promise<void>;
  /** Removes the entry of the history, instead of `end`: the run changed nothing. */
  forget(): Promise<void>;
}

export interface NewRun {
  organizationId: string;
  source: ImportSource;
  /** Files and folders as the user named them, `-` for standard input; or a URL. */
  paths: readonly string[];
  /** The user who started it; undefined: the default actor of the store. */
  by?: Actor | undefined;
}

const updateIntervalMs = 1_000;
const heartbeatMs = 10_000;

/**
 * @param run a new one, or one that a process has left unfinished or that is undone
 * @param work must stop when its signal is aborted: another process has taken over the lease
 * @returns undefined if another run of the municipality holds the lease
 * @throws StoreConflictError if the municipality was removed
 */
export async function holdRun<Result>(
  store: ImportHistoryStore,
  run: NewRun | ImportRunReference,
  signal: AbortSignal,
  work: (signal: AbortSignal, run: HeldRun) => Promise<Result>,
): Promise<Result | undefined> {
  const lease = await store.acquireRun(
    'id' in run ? run : toStoredRun(run),
    'id' in run ? undefined : run.by,
  );
  if (lease === undefined) return undefined;
  const lost = new AbortController();
  const { stop, ...held } = keepRun(store, lease, lost);
  try {
    return await work(AbortSignal.any([signal, lost.signal]), held);
  } finally {
    await stop();
    // Without a heartbeat, the lease expires after a minute.
    await store.releaseRun(lease).catch(() => undefined);
  }
}

const toStoredRun = ({ organizationId, source, paths }: NewRun) => ({
  organizationId,
  source,
  sources: paths.map((path) => (path === '-' ? standardInput : path)).join(', '),
});

/** Renews the lease until `stop`, and stores counts, rejected records and progress. Aborts `lost` when it was lost. */
export function keepRun(store: ImportHistoryStore, lease: RunLease, lost: AbortController) {
  const rejections: RejectedRecord[] = [];
  let storedRejections = 0;
  const notes: Reason[] = [];
  let counts: ImportSummary | undefined;
  let storedCounts = counts;
  let progress: RunProgress | undefined;
  let storedProgress = progress;
  let update: Promise<void> | undefined;

  async function write(): Promise<void> {
    const [latest, reached] = [counts, progress];
    if (reached !== storedProgress || latest === storedCounts || latest === undefined)
      await store.renewRun(lease, reached);
    storedProgress = reached;
    if (latest === storedCounts || latest === undefined) return;
    // Rejections of a batch that was not written are not part of this import.
    const end = Math.min(latest.rejected, rejections.length);
    await store.updateRun(lease, latest, rejections.slice(storedRejections, end), storedRejections);
    storedRejections = end;
    storedCounts = latest;
  }

  const writeUnlessBusy = () => {
    update ??= write()
      .catch((error) => {
        // A failed update is repeated by the next one. It must not fail the import.
        if (error instanceof LeaseLostError) lost.abort(error);
      })
      .finally(() => {
        update = undefined;
      });
  };
  const timers = [
    setInterval(() => {
      if (counts !== storedCounts || progress !== storedProgress) writeUnlessBusy();
    }, updateIntervalMs),
    setInterval(writeUnlessBusy, heartbeatMs),
  ];
  for (const timer of timers) timer.unref();
  const stop = async () => {
    for (const timer of timers) clearInterval(timer);
    await update;
  };

  return {
    lease,
    stop,
    start: async () => {
      await store.startRun(lease);
      counts = createEmptySummary();
    },
    addRejection: ({ location: { line, entry, ...place }, id, reason }: Rejection) => {
      if (rejections.length >= maxStoredRejections) return;
      rejections.push({
        source: formatSource(place),
        line: line ?? null,
        entry: entry ?? null,
        id: id ?? null,
        reason,
      });
    },
    addNote: (note: Reason) => {
      // A record that is removed for good must not stay in a note.
      if (!('title' in note) && notes.length < maxStoredNotes) notes.push(note);
    },
    setProgress: (latest: RunProgress) => {
      progress = latest;
    },
    updateCounts: (latest: ImportSummary) => {
      counts = latest;
    },
    end: async (
      ...[end, latest, failure, hasSupportCounts, onProblem, isPartial]: Parameters<HeldRun['end']>
    ) => {
      await stop();
      counts = latest;
      try {
        await write().catch((error) => {
          if (!(error instanceof LeaseLostError)) throw error;
        });
        const stored = end === 'failed' ? failure : undefined;
        const supports = isPartial ? undefined : hasSupportCounts;
        const findings = isPartial ? undefined : listFindings(latest);
        await store.endRun(lease, end, stored, supports, latest, findings, notes);
      } catch (error) {
        onProblem(`The end of this import could not be recorded: ${(error as Error).message}`);
      }
    },
    forget: async () => {
      await stop();
      await store.deleteRun(lease);
    },
  };
}

const waitMs = 2_000;

/**
 * As `holdRun`, but waits until no other run of the municipality holds the lease.
 *
 * @param onWait is called once if another run holds it
 * @throws the reason of an abort
 */
export async function holdRunWhenFree<Result>(
  store: ImportHistoryStore,
  run: NewRun | ImportRunReference,
  signal: AbortSignal,
  work: (signal: AbortSignal, run: HeldRun) => Promise<Result>,
  onWait: () => void = () => undefined,
): Promise<Result> {
  for (let isFirst = true; ; isFirst = false) {
    const ended = await holdRun(store, run, signal, async (...held) => ({ result: await work(...held) }));
    if (ended !== undefined) return ended.result;
    if (isFirst) onWait();
    await setTimeout(waitMs, undefined, { signal });
  }
}
