/** Runs the queued steps of imports, one after the other. */
import { setTimeout } from 'node:timers/promises';
import type {
  ClaimedImportJob,
  ImportJobProgress,
  ImportJobStore,
  ImportStepEnd,
} from '../domain/import-job.ts';
import { StoreUnavailableError } from '../domain/store-errors.ts';
import { describeError, isExpectedError } from '../import/pipeline.ts';
import { runImportStep, type StepOptions, type StepStore } from './run-import-step.ts';

export interface JobRunOptions extends Pick<StepOptions, 'uploads' | 'config' | 'userAgent' | 'onProblem'> {
  /** Stops the current step, which is queued again. */
  signal: AbortSignal;
}

/** Progress is stored this often while it changes. */
const progressIntervalMs = 1_000;

const heartbeatIntervalMs = 5_000;

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
  const lease = keepLease(store, job);
  const signal = AbortSignal.any([options.signal, timeout, lease.lost]);
  let end: ImportStepEnd | undefined;
  try {
    const result = await runImportStep(store, job, {
      ...options,
      signal,
      onProgress: lease.setProgress,
      onRunStarted: lease.setRunId,
    });
    end = { state: 'done', ...result };
  } catch (error) {
    if (!signal.aborted) {
      end = { state: 'failed', failure: describeError(error) };
      if (!isExpectedError(error)) options.onProblem((error as Error).stack ?? String(error));
    }
  } finally {
    await lease.stop();
  }
  if (lease.lost.aborted) return;
  if (end === undefined && timeout.aborted && !options.signal.aborted)
    end = {
      state: 'failed',
      failure: describeTimeout(job, timeoutMs),
    };
  const finalEnd = end;
  await retryWhileUnavailable(() =>
    finalEnd === undefined ? store.releaseImportJob(job) : store.endImportStep(job, finalEnd),
  );
}

function describeTimeout({ step }: ClaimedImportJob, timeoutMs: number): string {
  const kept = step === 'import' ? ' Records imported so far are kept.' : '';
  return `The step took longer than ${timeoutMs / 1_000} seconds and was stopped.${kept} Your operator can raise ROSTRA_IMPORT_TIMEOUT.`;
}

/** Renews the lease until `stop`. Aborts `lost` if the job was cancelled, or another process has claimed it. */
function keepLease(store: ImportJobStore, job: ClaimedImportJob) {
  const lost = new AbortController();
  const stopped = new AbortController();
  let progress: ImportJobProgress | null = null;
  let stored: ImportJobProgress | null = null;
  let runId: string | undefined;
  let storedAtMs = performance.now();

  async function renew(): Promise<void> {
    const latest = progress;
    try {
      if (!(await store.renewJobLease(job, latest, runId))) lost.abort();
      stored = latest;
      storedAtMs = performance.now();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  async function keepRenewing(): Promise<void> {
    while (!stopped.signal.aborted && !lost.signal.aborted) {
      await setTimeout(progressIntervalMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      const isDue = progress !== stored || performance.now() - storedAtMs >= heartbeatIntervalMs;
      if (!stopped.signal.aborted && isDue) await renew();
    }
  }

  const renewing = keepRenewing();
  return {
    lost: lost.signal,
    setProgress: (latest: ImportJobProgress) => {
      progress = latest;
    },
    setRunId: (id: string) => {
      runId = id;
      return renew();
    },
    stop: async () => {
      stopped.abort();
      await renewing;
    },
  };
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
