/** One run against an endpoint, or run after run: what is told, and how it ends. */
import { setTimeout } from 'node:timers/promises';
import type { ImportHistoryStore } from '../domain/import-history.ts';
import type { WritingSource } from '../domain/import-source.ts';
import { StoreConflictError, StoreUnavailableError } from '../domain/store-errors.ts';
import type { SyncSource } from '../domain/sync-state.ts';
import type { FormatOptions } from '../import/format-definition.ts';
import {
  createStatisticsCollector,
  formatStatistics,
  type ImportStatistics,
} from '../import/import-statistics.ts';
import { InputError } from '../import/parsed-record.ts';
import { createEmptySummary, type ImportSummary, unexpectedErrorMessage } from '../import/pipeline.ts';
import type { Redactor } from '../import/redaction/redactor.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { abortOnSignal } from '../process/shutdown-signals.ts';
import { type SyncOptions, type SyncSummary, syncOparl } from '../sync/sync-oparl.ts';
import type { DatabaseFlags } from './command-context.ts';
import { CommandError } from './command-error.ts';
import { startImportRun } from './import-run-recorder.ts';
import { createImportNotes, describeKeptRecords, report } from './import-summary.ts';
import { print, printError } from './output.ts';
import { createProgress } from './progress-bar.ts';
import type { RedactionFlags } from './redaction-options.ts';
import { createRejectionLog } from './rejection-log.ts';

export interface SyncFlags extends DatabaseFlags, RedactionFlags {
  body?: string;
  /** Milliseconds. */
  every?: number;
  full?: true;
  timeZone?: string;
  allowHost?: string[];
  /** Milliseconds. */
  pause: number;
  /** Seconds. */
  timeout: number;
  maxRequests: number;
  rejected?: string;
  json?: true;
}

type Flags = SyncFlags & { userAgent: string; redaction: Redactor | undefined; source: WritingSource };
type Store = Parameters<typeof syncOparl>[0] & ImportHistoryStore;

/** What both kinds of run are asked with; the rest is told as each sees fit. */
function optionsOf(
  flags: Flags,
  own: FormatOptions,
): Pick<
  SyncOptions,
  | 'full'
  | 'redaction'
  | 'source'
  | 'timeZone'
  | 'formatOptions'
  | 'userAgent'
  | 'allowedHosts'
  | 'pauseMs'
  | 'timeoutMs'
  | 'maximumRequests'
> {
  return {
    full: flags.full === true,
    redaction: flags.redaction,
    source: flags.source,
    timeZone: flags.timeZone,
    formatOptions: own,
    userAgent: flags.userAgent,
    allowedHosts: flags.allowHost ?? [],
    pauseMs: flags.pause,
    timeoutMs: 1_000 * flags.timeout,
    maximumRequests: flags.maxRequests,
  };
}

/**
 * One run. The history of imports keeps it where something came of it; `sync list` has the state of all. A record that
 * is refused at each run is news once.
 */
async function recorded(store: Store, source: SyncSource, options: SyncOptions): Promise<SyncSummary> {
  const record = await startImportRun(store, source.organizationId, 'oparl', [source.url]);
  let kept: ImportSummary = createEmptySummary();
  try {
    const summary = await syncOparl(store, source, {
      ...options,
      onRefusal: (refusal) => {
        options.onRefusal(refusal);
        record.addRejection(refusal);
      },
      onProgress: (counts) => {
        kept = { ...counts };
        record.keep(kept);
        options.onProgress(counts);
      },
    });
    const refusesNews = summary.rejected > 0 && summary.news > 0;
    if (hasWritten(summary) || refusesNews) await record.end('done', summary, undefined);
    else await record.forget();
    return summary;
  } catch (error) {
    const told = isTold(error) ? new CommandError(error.message) : error;
    const { aborted } = options.signal;
    if (hasWritten(kept) || (!isTold(error) && !aborted))
      await record.end(aborted ? 'interrupted' : 'failed', kept, told);
    else await record.forget();
    throw error;
  }
}

const hasWritten = ({ inserted, changed, removed }: ImportSummary): boolean =>
  inserted + changed + removed > 0;

const isTold = (error: unknown): error is Error =>
  error instanceof InputError ||
  error instanceof StoreUnavailableError ||
  error instanceof StoreConflictError;

/** @throws CommandError */
export async function syncOnce(
  store: Store,
  source: SyncSource,
  flags: Flags,
  own: FormatOptions,
): Promise<void> {
  const startedAt = performance.now();
  const rejections = createRejectionLog(flags.rejected);
  const progress = createProgress(undefined);
  const findings = createImportNotes();
  const { signal, dispose } = abortOnSignal();
  let kept: ImportSummary | undefined;
  try {
    const summary = await recorded(store, source, {
      ...optionsOf(flags, own),
      signal,
      nextAt: () => null,
      onFetched: progress.records,
      onRefusal: rejections.add,
      onRecord: findings.record,
      onProgress: (counts) => {
        kept = { ...counts };
      },
      onNote: findings.note,
      onUnknownWord: findings.unknownWord,
    });
    report(summary, performance.now() - startedAt, findings.told(), flags);
  } catch (error) {
    if (signal.aborted)
      throw new CommandError(`Interrupted. ${describeKeptRecords(kept)}`, exitCodes.interrupted);
    if (isTold(error)) throw new CommandError(`${error.message} ${describeKeptRecords(kept)}`);
    throw error;
  } finally {
    dispose();
    progress.stop();
    rejections.printSummary();
    rejections.close();
  }
  if ((kept?.rejected ?? 0) > 0) throw new CommandError(rejections.describeOutcome(), exitCodes.someRejected);
}

/** Run after run until a signal comes. A run that fails is told, and tried again like any other. */
export async function syncPeriodically(
  store: Store,
  source: SyncSource,
  flags: Flags,
  own: FormatOptions,
): Promise<void> {
  const everyMs = flags.every as number;
  const { signal, dispose } = abortOnSignal();
  const options: SyncOptions = {
    ...optionsOf(flags, own),
    signal,
    // A run that is stopped is the last one.
    nextAt: () => (signal.aborted ? null : new Date(Date.now() + everyMs).toISOString()),
    onFetched: () => undefined,
    onRefusal: () => undefined,
    onRecord: () => undefined,
    onProgress: () => undefined,
    onUnknownWord: () => undefined,
    onNote: () => undefined,
  };
  try {
    for (let full = options.full; !signal.aborted; ) {
      const run = async () => {
        const statistics = createStatisticsCollector();
        const summary = await recorded(store, source, { ...options, full, onRecord: statistics.add });
        return { summary, statistics: statistics.result() };
      };
      const done = await tellRun(run, signal, flags);
      // Everything is asked for once; from then on changes are enough.
      if (done) full = false;
      await setTimeout(everyMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    dispose();
  }
}

/** @returns whether it is done */
async function tellRun(
  run: () => Promise<{ summary: SyncSummary; statistics: ImportStatistics }>,
  signal: AbortSignal,
  { json }: Flags,
): Promise<boolean> {
  const tell = (facts: object, sentence: string) => {
    const at = new Date().toISOString();
    print(json ? JSON.stringify({ at, ...facts }) : `${at} ${sentence}`);
  };
  try {
    const { summary, statistics } = await run();
    const { redacted, ...counts } = summary;
    const all = Object.entries({ ...counts, ...redacted }).map(([name, count]) => `${count} ${name}`);
    const sentence = [all.join(', '), ...formatStatistics(statistics)].join('; ');
    tell({ ...summary, ...statistics }, `done: ${sentence}`);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    if (!isTold(error)) printError(error instanceof Error ? String(error.stack) : String(error));
    const sentence = isTold(error) ? error.message : unexpectedErrorMessage;
    tell({ error: sentence }, `failed: ${sentence}`);
    return false;
  }
}
