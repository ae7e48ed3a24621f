/** Runs the queued steps of imports, one after the other. */
import { setTimeout } from 'node:timers/promises';
import { LeaseLostError } from '../domain/import-history.ts';
import type { ClaimedImportJob, ImportStepEnd } from '../domain/import-job.ts';
import { StoreUnavailableError } from '../domain/store-errors.ts';
import { findReason, isExpectedError } from '../import/pipeline.ts';
import { keepRun } from './hold-run.ts';
import { runImportStep, type StepOptions, type StepStore } from './run-import-step.ts';

export interface JobRunOptions extends Pick<StepOptions, 'uploads' | 'config' | 'userAgent' | 'onProblem'> {
  /** Stops the current step, which is queued again. */
  signal: AbortSignal;
}

/** The database may be locked by another import. The lease expires later. */
const endRetryMs = 1_000;
const maxEndRetries = 30;

/** Resolves when no step is waiting, or after an abort. @throws StoreUnavailableError */
export async function runQueuedJobs(store: StepStore, options: JobRunOptions): Promise<void> {
  while (!options.signal.aborted) {
    const job = await store.claimImportJob();
    if (job === undefined) return;
    await runJob(store, job, options);
  }
}

async function runJob(store: StepStore, job: ClaimedImportJob, options: JobRunOptions): Promise<void> {
  const { importTimeout: timeoutMs } = options.config;
  const timeout = AbortSignal.timeout(timeoutMs);
  const lost = new AbortController();
  const run = keepRun(store, job.lease, lost);
  const signal = AbortSignal.any([options.signal, timeout, lost.signal]);
  let end: ImportStepEnd | undefined;
  try {
    const result = await runImportStep(store, job, {
      ...options,
      signal,
      onProgress: run.setProgress,
      run,
    });
    end = { state: 'done', ...result };
  } catch (error) {
    // The job was cancelled, or another process has claimed it.
    if (error instanceof LeaseLostError) lost.abort();
    if (!signal.aborted) {
      end = { state: 'failed', failure: findReason(error) };
      if (!isExpectedError(error)) options.onProblem((error as Error).stack ?? String(error));
    }
  } finally {
    await run.stop();
  }
  if (lost.signal.aborted) end = undefined;
  else if (end === undefined && timeout.aborted && !options.signal.aborted)
    end = {
      state: 'failed',
      failure: {
        code: 'step-timed-out',
        seconds: timeoutMs / 1_000,
        mayHaveWritten: job.step === 'import',
      },
    };
  const finalEnd = end;
  await retryWhileUnavailable(() =>
    finalEnd === undefined ? store.releaseImportJob(job) : store.endImportStep(job, finalEnd),
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
