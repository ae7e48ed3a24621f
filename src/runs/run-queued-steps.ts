/** Runs the queued steps of imports, one after the other. */
import { setTimeout } from 'node:timers/promises';
import { LeaseLostError } from '../domain/import-history.ts';
import type { ClaimedRun, ImportStepEnd } from '../domain/run-queue.ts';
import { StoreUnavailableError } from '../domain/store-errors.ts';
import { findReason, isExpectedError } from '../import/pipeline.ts';
import { keepRun } from './hold-run.ts';
import { runImportStep, type StepOptions, type StepStore } from './run-import-step.ts';

export interface QueueOptions extends Pick<StepOptions, 'uploads' | 'config' | 'userAgent' | 'onProblem'> {
  /** Stops the current step, which is queued again. */
  signal: AbortSignal;
}

/** The database may be locked by another import. The lease expires later. */
const endRetryMs = 1_000;
const maxEndRetries = 30;

/** Resolves when no step is waiting, or after an abort. @throws StoreUnavailableError */
export async function runQueuedSteps(store: StepStore, options: QueueOptions): Promise<void> {
  while (!options.signal.aborted) {
    const run = await store.claimRun();
    if (run === undefined) return;
    await runStep(store, run, options);
  }
}

async function runStep(store: StepStore, run: ClaimedRun, options: QueueOptions): Promise<void> {
  const { importTimeout: timeoutMs } = options.config;
  const timeout = AbortSignal.timeout(timeoutMs);
  const lost = new AbortController();
  const held = keepRun(store, run.lease, lost);
  const signal = AbortSignal.any([options.signal, timeout, lost.signal]);
  let end: ImportStepEnd | undefined;
  try {
    const result = await runImportStep(store, run, {
      ...options,
      signal,
      onProgress: held.setProgress,
      run: held,
    });
    end = { state: 'done', ...result };
  } catch (error) {
    // The run was cancelled, or another process has claimed it.
    if (error instanceof LeaseLostError) lost.abort();
    if (!signal.aborted) {
      end = { state: 'failed', failure: findReason(error) };
      if (!isExpectedError(error)) options.onProblem((error as Error).stack ?? String(error));
    }
  } finally {
    await held.stop();
  }
  if (lost.signal.aborted) end = undefined;
  else if (end === undefined && timeout.aborted && !options.signal.aborted)
    end = {
      state: 'failed',
      failure: {
        code: 'step-timed-out',
        seconds: timeoutMs / 1_000,
        mayHaveWritten: run.step === 'import',
      },
    };
  const finalEnd = end;
  await retryWhileUnavailable(() =>
    finalEnd === undefined ? store.releaseStep(run) : store.endImportStep(run, finalEnd),
  );
}

async function retryWhileUnavailable(work: () => Promise<unknown>): Promise<void> {
  for (let retries = 0; ; retries++) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || retries === maxEndRetries) throw error;
      await setTimeout(endRetryMs);
    }
  }
}
