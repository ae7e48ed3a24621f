/** Looks for waiting steps of imports, and removes files and earlier states that are no longer needed. */
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ApprovalStore } from '../../../domain/approvals/approval-request.ts';
import type { RunQueueStore } from '../../../domain/runs/run-queue.ts';
import type { ImportUndoStore } from '../../../domain/runs/undo.ts';
import type { UploadStorage } from '../../../domain/runs/upload-storage.ts';
import { StoreUnavailableError } from '../../../domain/store-errors.ts';
import { maxQueueProcesses } from './queue-launcher.ts';

export interface QueuePoller {
  /** Looks now: a step was queued. */
  poll(): void;
  stop(): void;
}

interface QueuePollerOptions {
  store: RunQueueStore & Pick<ImportUndoStore, 'deleteExpiredUndo'> & Pick<ApprovalStore, 'expireApprovals'>;
  uploads: UploadStorage;
  log: Logger;
  /** Receives the number of waiting steps if a step waits. */
  onWaiting: (count: number) => void;
}

/** Another server may have queued a step, or may have been killed while it ran one. */
const pollIntervalMs = 1_000;

const cleanIntervalMs = 60_000;

export function startQueuePoller({ store, uploads, log, onWaiting }: QueuePollerOptions): QueuePoller {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function poll(): Promise<void> {
    const waiting = await store.countClaimableRuns(maxQueueProcesses);
    if (waiting > 0 && !signal.aborted) onWaiting(waiting);
  }

  /** An error ends one round only. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StoreUnavailableError)
        log.debug({ error: error.message }, 'imports wait for the database');
      else log.error({ err: error }, 'imports could not be processed');
    }
  }

  async function repeat(intervalMs: number, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await attempt(work);
      await setTimeout(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  void repeat(pollIntervalMs, poll);
  void repeat(cleanIntervalMs, () => removeFiles(store, uploads));
  void repeat(cleanIntervalMs, () => store.deleteExpiredUndo());
  void repeat(cleanIntervalMs, () => store.expireApprovals());
  return { poll: () => void attempt(poll), stop: () => stopping.abort() };
}

async function removeFiles(store: RunQueueStore, uploads: UploadStorage): Promise<void> {
  for (const run of await store.listExpiredFiles()) {
    await uploads.remove(run);
    await store.forgetFile(run);
  }
  await uploads.removeAbandoned(async ({ organizationId, id }) => {
    const run = await store.findQueuedRun(organizationId, id);
    return run !== undefined && run.fileExpiresAt !== null;
  });
}
