/** Synchronises with an endpoint once or periodically: prints the results and records the runs. */
import { setTimeout } from 'node:timers/promises';
import type { ImportLeaseStore } from '../domain/import-lease.ts';
import type { WritingSource } from '../domain/import-source.ts';
import type { Organization } from '../domain/organization.ts';
import type { SyncSource } from '../domain/sync-state.ts';
import type { ImportSummary } from '../import/import-observer.ts';
import { createStatisticsCollector, formatStatistics } from '../import/import-statistics.ts';
import { describeError, isExpectedError } from '../import/pipeline.ts';
import type { Redactor } from '../import/redaction/create-redactor.ts';
import { describePersonalData } from '../import/redaction/describe-personal-data.ts';
import { describeImportFailure } from '../jobs/describe-failure.ts';
import { recordSync } from '../jobs/record-sync.ts';
import { waitForImportLease } from '../jobs/with-import-lease.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { abortOnSignal } from '../process/shutdown-signals.ts';
import type { SyncOptions } from '../sync/sync-oparl.ts';
import { CommandError } from './command-error.ts';
import type { ImportFlags } from './import-and-sync-options.ts';
import { createImportReport } from './import-report.ts';
import { print, printError } from './output.ts';
import { createProgress } from './progress-bar.ts';
import { createRejectionLog } from './rejection-log.ts';
import { describeRunningImport, toCommandError } from './run-import.ts';

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
  redactor: Redactor;
  source: WritingSource;
  organization: Pick<Organization, 'name'>;
};
type Store = Parameters<typeof recordSync>[0] & ImportLeaseStore;

/** Runs once while no other import of the municipality runs. */
const runAlone = (
  store: Store,
  source: SyncSource,
  options: SyncOptions,
  organization: Flags['organization'],
) =>
  waitForImportLease(
    store,
    source.organizationId,
    '',
    options.signal,
    (signal) => recordSync(store, source, { ...options, signal }, printError),
    () => printError(describeRunningImport(organization)),
  );

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

/** @throws CommandError */
export async function syncOnce(store: Store, source: SyncSource, flags: Flags): Promise<void> {
  const rejections = createRejectionLog(flags.rejected);
  const progress = createProgress();
  const report = createImportReport(flags);
  const { signal, dispose } = abortOnSignal();
  let written: ImportSummary | undefined;
  try {
    const { summary } = await runAlone(
      store,
      source,
      {
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
      },
      flags.organization,
    );
    report.print(summary);
  } catch (error) {
    throw toCommandError(describeImportFailure(error, written, signal), signal);
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
      const succeeded = await runAndPrint(store, source, { ...options, full }, flags);
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
  { json, organization }: Pick<Flags, 'json' | 'organization'>,
): Promise<boolean> {
  const printLine = (values: object, sentence: string) => {
    const at = new Date().toISOString();
    print(json ? JSON.stringify({ at, ...values }) : `${at} ${sentence}`);
  };
  const collector = createStatisticsCollector();
  try {
    const observer = { onRecord: collector.add };
    const { summary } = await runAlone(store, source, { ...options, observer }, organization);
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
