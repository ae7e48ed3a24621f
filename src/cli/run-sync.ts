/** One run against an endpoint, or run after run: what is told, and how it ends. */
import { setTimeout } from 'node:timers/promises';
import type { WritingSource } from '../domain/import-source.ts';
import { type ImportRuns, StoreRefusal, StoreUnavailable } from '../domain/store.ts';
import type { SyncSource } from '../domain/sync-state.ts';
import type { OwnOptions } from '../import/format-definition.ts';
import { createStatistics, type Statistics, statisticsLines } from '../import/import-statistics.ts';
import { InputProblem } from '../import/parsed-record.ts';
import { faultSentence, noCounts, type Summary } from '../import/pipeline.ts';
import type { Redaction } from '../import/redaction/redactor.ts';
import { untilSignalled } from '../process/shutdown-signals.ts';
import { type SyncOptions, type SyncSummary, syncOparl } from '../sync/sync-oparl.ts';
import { CommandFailure, type DatabaseFlags, exitCodes, note, print } from './command-context.ts';
import { beginImportRecord } from './import-run-recorder.ts';
import { createFindings, report, whatIsKept } from './import-summary.ts';
import { createProgress } from './progress-bar.ts';
import type { RedactionFlags } from './redaction-options.ts';
import { createRefusals } from './rejection-log.ts';

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
  refused?: string;
  json?: true;
}

type Flags = SyncFlags & { userAgent: string; redaction: Redaction | undefined; source: WritingSource };
type Store = Parameters<typeof syncOparl>[0] & ImportRuns;

/** What both kinds of run are asked with; the rest is told as each sees fit. */
function optionsOf(
  flags: Flags,
  own: OwnOptions,
): Pick<
  SyncOptions,
  | 'full'
  | 'redaction'
  | 'source'
  | 'timeZone'
  | 'own'
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
    own,
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
  const record = await beginImportRecord(store, source.organizationId, 'oparl', [source.url]);
  let kept: Summary = noCounts();
  try {
    const summary = await syncOparl(store, source, {
      ...options,
      onRefusal: (refusal) => {
        options.onRefusal(refusal);
        record.refuse(refusal);
      },
      onProgress: (counts) => {
        kept = { ...counts };
        record.keep(kept);
        options.onProgress(counts);
      },
    });
    const refusesNews = summary.refused > 0 && summary.news > 0;
    if (hasWritten(summary) || refusesNews) await record.end('done', summary, undefined);
    else await record.forget();
    return summary;
  } catch (error) {
    const told = isTold(error) ? new CommandFailure(error.message) : error;
    const { aborted } = options.signal;
    if (hasWritten(kept) || (!isTold(error) && !aborted))
      await record.end(aborted ? 'interrupted' : 'failed', kept, told);
    else await record.forget();
    throw error;
  }
}

const hasWritten = ({ inserted, changed, removed }: Summary): boolean => inserted + changed + removed > 0;

const isTold = (error: unknown): error is Error =>
  error instanceof InputProblem || error instanceof StoreUnavailable || error instanceof StoreRefusal;

/** @throws CommandFailure */
export async function syncOnce(
  store: Store,
  source: SyncSource,
  flags: Flags,
  own: OwnOptions,
): Promise<void> {
  const startedAt = performance.now();
  const refusals = createRefusals(flags.refused);
  const progress = createProgress(undefined);
  const findings = createFindings();
  const { signal, dispose } = untilSignalled();
  let kept: Summary | undefined;
  try {
    const summary = await recorded(store, source, {
      ...optionsOf(flags, own),
      signal,
      nextAt: () => null,
      onFetched: progress.records,
      onRefusal: refusals.add,
      onRecord: findings.record,
      onProgress: (counts) => {
        kept = { ...counts };
      },
      onNote: findings.note,
      onUnknownWord: findings.unknownWord,
    });
    report(summary, performance.now() - startedAt, findings.told(), flags);
  } catch (error) {
    if (signal.aborted) throw new CommandFailure(`Interrupted. ${whatIsKept(kept)}`, exitCodes.interrupted);
    if (isTold(error)) throw new CommandFailure(`${error.message} ${whatIsKept(kept)}`);
    throw error;
  } finally {
    dispose();
    progress.stop();
    refusals.show();
    refusals.close();
  }
  if ((kept?.refused ?? 0) > 0) throw new CommandFailure(refusals.hint(), exitCodes.someRefused);
}

/** Run after run until a signal comes. A run that fails is told, and tried again like any other. */
export async function keepInStep(
  store: Store,
  source: SyncSource,
  flags: Flags,
  own: OwnOptions,
): Promise<void> {
  const everyMs = flags.every as number;
  const { signal, dispose } = untilSignalled();
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
        const statistics = createStatistics();
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
  run: () => Promise<{ summary: SyncSummary; statistics: Statistics }>,
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
    const sentence = [all.join(', '), ...statisticsLines(statistics)].join('; ');
    tell({ ...summary, ...statistics }, `done: ${sentence}`);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    if (!isTold(error)) note(error instanceof Error ? String(error.stack) : String(error));
    const sentence = isTold(error) ? error.message : faultSentence;
    tell({ error: sentence }, `failed: ${sentence}`);
    return false;
  }
}
