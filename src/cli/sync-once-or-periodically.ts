/** Synchronises with an endpoint once or periodically: prints the results and records the runs. */
import { setTimeout } from 'node:timers/promises';
import type { ImportHistoryStore } from '../domain/import-history.ts';
import type { WritingSource } from '../domain/source-redaction-policy.ts';
import type { SyncSource } from '../domain/sync-state.ts';
import type { ImportSummary } from '../import/import-observer.ts';
import { createStatisticsCollector, formatStatistics } from '../import/import-statistics.ts';
import { createEmptySummary, describeError, isExpectedError } from '../import/pipeline.ts';
import type { Redactor } from '../import/redaction/create-redactor.ts';
import { describePersonalData } from '../import/redaction/describe-personal-data.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { abortOnSignal } from '../process/shutdown-signals.ts';
import { type SyncOptions, type SyncSummary, syncOparl } from '../sync/sync-oparl.ts';
import { CommandError } from './command-error.ts';
import type { ImportFlags } from './import-and-sync-options.ts';
import { createImportReport } from './import-report.ts';
import { startImportRun } from './import-run-recorder.ts';
import { print, printError } from './output.ts';
import { createProgress } from './progress-bar.ts';
import { createRejectionLog } from './rejection-log.ts';
import { toCommandError } from './run-import.ts';

export interface SyncFlags extends ImportFlags {
  body?: string;
  /** Milliseconds. */
  every?: number;
  full?: true;
  allowHost?: string[];
  /** Milliseconds. */
  pause: number;
  /** Seconds. */
  timeout: number;
  maxRequests: number;
}

type Flags = SyncFlags & {
  timeZone: string;
  userAgent: string;
  redactor: Redactor | undefined;
  source: WritingSource;
};
type Store = Parameters<typeof syncOparl>[0] & ImportHistoryStore;

/** The options that single and periodic runs share. */
function toSyncOptions(flags: Flags): Omit<SyncOptions, 'signal' | 'observer' | 'nextAt'> {
  return {
    full: flags.full === true,
    redactor: flags.redactor,
    source: flags.source,
    timeZone: flags.timeZone,
    formatOptions: { ...flags },
    userAgent: flags.userAgent,
    allowedHosts: flags.allowHost ?? [],
    pauseMs: flags.pause,
    timeoutMs: 1_000 * flags.timeout,
    maxRequests: flags.maxRequests,
  };
}

/**
 * Runs once and records the run in the import history, unless it changed nothing and failed as expected. A record that
 * each run rejects is recorded with the first one. `sync list` shows the state of every endpoint.
 */
async function runAndRecord(store: Store, source: SyncSource, options: SyncOptions): Promise<SyncSummary> {
  const run = await startImportRun(store, source.organizationId, 'oparl', [source.url]);
  const { observer, signal } = options;
  let written: ImportSummary = createEmptySummary();
  try {
    const summary = await syncOparl(store, source, {
      ...options,
      observer: {
        ...observer,
        onRejection: (rejection) => {
          observer.onRejection?.(rejection);
          run.addRejection(rejection);
        },
        onProgress: (counts) => {
          written = counts;
          run.updateCounts(counts);
          observer.onProgress?.(counts);
        },
      },
    });
    const hasNewRejections = summary.rejected > 0 && summary.news > 0;
    if (hasChanges(summary) || hasNewRejections) await run.end('done', summary, undefined);
    else await run.forget();
    return summary;
  } catch (error) {
    if (hasChanges(written) || (!isExpectedError(error) && !signal.aborted))
      await run.end(signal.aborted ? 'interrupted' : 'failed', written, error);
    else await run.forget();
    throw error;
  }
}

const hasChanges = ({ inserted, changed, removed }: ImportSummary): boolean =>
  inserted + changed + removed > 0;

/** @throws CommandError */
export async function syncOnce(store: Store, source: SyncSource, flags: Flags): Promise<void> {
  const rejections = createRejectionLog(flags.rejected);
  const progress = createProgress();
  const report = createImportReport(flags);
  const { signal, dispose } = abortOnSignal();
  let written: ImportSummary | undefined;
  try {
    const summary = await runAndRecord(store, source, {
      ...toSyncOptions(flags),
      signal,
      nextAt: () => null,
      observer: {
        ...report.observer,
        onObjectsFetched: progress.setRecords,
        onRejection: rejections.add,
        onProgress: (counts) => {
          written = counts;
        },
      },
    });
    report.print(summary);
  } catch (error) {
    throw toCommandError(error, written, signal);
  } finally {
    dispose();
    progress.stop();
    rejections.printSummary();
    rejections.close();
  }
  if ((written?.rejected ?? 0) > 0)
    throw new CommandError(rejections.describeOutcome(), exitCodes.someRejected);
}

/** Runs until a signal arrives. Prints the error of a failed run, and tries again at the usual interval. */
export async function syncPeriodically(store: Store, source: SyncSource, flags: Flags): Promise<void> {
  const everyMs = flags.every as number;
  const { signal, dispose } = abortOnSignal();
  const options = {
    ...toSyncOptions(flags),
    signal,
    // An aborted run is the last one.
    nextAt: () => (signal.aborted ? null : new Date(Date.now() + everyMs).toISOString()),
  };
  try {
    for (let full = options.full; !signal.aborted; ) {
      const succeeded = await runAndPrint(store, source, { ...options, full }, flags.json);
      // After one complete run, changes are enough.
      if (succeeded) full = false;
      await setTimeout(everyMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    dispose();
  }
}

/** Prints one line with the result. @returns whether the run succeeded */
async function runAndPrint(
  store: Store,
  source: SyncSource,
  options: Omit<SyncOptions, 'observer'>,
  json: true | undefined,
): Promise<boolean> {
  const printLine = (values: object, sentence: string) => {
    const at = new Date().toISOString();
    print(json ? JSON.stringify({ at, ...values }) : `${at} ${sentence}`);
  };
  const collector = createStatisticsCollector();
  try {
    const observer = { onRecord: collector.add };
    const summary = await runAndRecord(store, source, { ...options, observer });
    const { redacted, personalData, ...counts } = summary;
    const statistics = collector.result();
    const all = Object.entries({ ...counts, ...redacted }).map(([name, count]) => `${count} ${name}`);
    const found = describePersonalData(summary);
    const sentence = [all.join(', '), ...formatStatistics(statistics), ...(found ? [found] : [])].join('; ');
    printLine({ ...summary, ...statistics }, `done: ${sentence}`);
    return true;
  } catch (error) {
    if (options.signal.aborted) return false;
    if (!isExpectedError(error)) printError(error instanceof Error ? String(error.stack) : String(error));
    const sentence = describeError(error);
    printLine({ error: sentence }, `failed: ${sentence}`);
    return false;
  }
}
