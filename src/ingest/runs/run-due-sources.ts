/** Runs all sources that are due, some at a time, few of one host, and never two of one municipality. */

import type { Reason } from '../../domain/reasons/reason.ts';
import type { DueSource, SourceReference, SourceStore } from '../../domain/sources/import-source.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { RunResult } from './run-import.ts';
import { runSource, type SourceRunOptions, type SourceRunStore } from './run-source.ts';

/** The end of a run of a source on its schedule. It can be sent between processes. */
export interface ScheduledRun extends Pick<RunResult, 'runId' | 'end' | 'isUnchanged' | 'summary'> {
  organizationId: string;
  organizationName: string;
  source: string;
  error: Reason | null;
  /** Of an error that is a defect of the program. */
  stack: string | undefined;
}

export interface DueSourcesOptions {
  /** Sources at a time. */
  concurrency: number;
  /** Of these, sources with the same host. */
  maxPerHost: number;
  /** No source is started after this time. */
  maxDurationMs: number;
  /** No source is started after its abort. */
  signal: AbortSignal;
  /** @returns undefined if the source is not due any longer, or another import of the municipality runs */
  run(source: DueSource): Promise<ScheduledRun | undefined>;
  onEnd(run: ScheduledRun): void;
}

/** @returns whether all due sources were started @throws StoreUnavailableError */
export async function runDueSources(
  store: Pick<SourceStore, 'listDueSources'>,
  { signal, concurrency, maxPerHost, maxDurationMs, run, onEnd }: DueSourcesOptions,
): Promise<boolean> {
  const endsAtMs = performance.now() + maxDurationMs;
  /** Each source runs once, even if its state cannot be updated. */
  const started = new Set<string>();
  const active = new Set<Promise<void>>();
  const activeOrganizations = new Set<string>();
  const activePerHost = new Map<string, number>();
  const isOpen = () => !signal.aborted && performance.now() < endsAtMs && failure === undefined;
  let failure: { error: unknown } | undefined;

  const countActive = (host: string) => activePerHost.get(host) ?? 0;
  const start = ({ source, host }: WaitingSource) => {
    started.add(toText(source));
    activeOrganizations.add(source.organizationId);
    activePerHost.set(host, countActive(host) + 1);
    const ended = run(source)
      .then((result) => result && onEnd(result))
      .catch((error) => {
        failure ??= { error };
      })
      .finally(() => {
        active.delete(ended);
        activeOrganizations.delete(source.organizationId);
        activePerHost.set(host, countActive(host) - 1);
      });
    active.add(ended);
  };
  const canStart = ({ source, host }: WaitingSource) =>
    !activeOrganizations.has(source.organizationId) && countActive(host) < maxPerHost;

  let isComplete = false;
  while (isOpen()) {
    const due = await store.listDueSources();
    const waiting = due
      .filter((source) => !started.has(toText(source)))
      .map((source): WaitingSource => ({ source, host: new URL(source.url).host }));
    isComplete = waiting.length === 0 && active.size === 0;
    if (isComplete) break;
    do {
      const next = active.size < concurrency ? waiting.findIndex(canStart) : -1;
      if (next >= 0) start(waiting.splice(next, 1)[0] as WaitingSource);
      else await Promise.race(active);
    } while (isOpen() && waiting.length > 0);
  }
  await Promise.all(active);
  if (failure !== undefined) throw failure.error;
  return isComplete;
}

const toText = ({ organizationId, name }: SourceReference) => `${organizationId} ${name}`;

/** Thousands of sources can wait, and each of them is compared whenever one ends, so its host is parsed once. */
interface WaitingSource {
  source: DueSource;
  host: string;
}

interface ScheduledRunOptions
  extends Pick<SourceRunOptions, 'settings' | 'userAgent' | 'signal' | 'onProblem'> {
  timeoutMs: number;
}

/** A run that takes too long has failed. @returns as `DueSourcesOptions.run` @throws StoreUnavailableError */
export async function runScheduledSource(
  store: SourceRunStore,
  due: DueSource,
  { timeoutMs, ...options }: ScheduledRunOptions,
): Promise<ScheduledRun | undefined> {
  const organization = await store.findOrganization(due.organizationId);
  const source = await store.findSource(due);
  if (organization === undefined || source === undefined) return undefined;
  // Another process has run it meanwhile.
  if (source.nextAt !== due.dueAt) return undefined;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const result = await runSource(store, source, {
      ...options,
      signal: AbortSignal.any([options.signal, timeout]),
      lease: 'give-up',
      skipsUnchanged: true,
      observer: {},
    });
    if (result === undefined) return undefined;
    if (result.end === 'interrupted' && timeout.aborted && !options.signal.aborted)
      return await failScheduledRun(
        store,
        due,
        { code: 'run-timed-out', seconds: timeoutMs / 1_000 },
        result.runId,
      );
    const { runId, end, isUnchanged, summary, failure } = result;
    return {
      organizationId: organization.id,
      organizationName: organization.name,
      source: source.name,
      ...{ runId, end, isUnchanged, summary },
      error: failure?.reason ?? null,
      stack: failure?.unexpected === undefined ? undefined : String((failure.unexpected as Error).stack),
    };
  } catch (error) {
    // The municipality or the source was removed meanwhile.
    if (!(error instanceof StoreConflictError)) throw error;
    options.onProblem(`${organization.name}, ${source.name}: ${error.message}`);
    return undefined;
  }
}

/** Records that a run has failed, and when the next one is due. @throws StoreUnavailableError */
export async function failScheduledRun(
  store: Pick<SourceRunStore, 'findOrganization' | 'endSourceRun'>,
  reference: SourceReference,
  error: Reason,
  runId?: string,
): Promise<ScheduledRun | undefined> {
  const organization = await store.findOrganization(reference.organizationId);
  if (organization === undefined) return undefined;
  await store.endSourceRun(reference, { end: 'failed', runId, error });
  return {
    organizationId: organization.id,
    organizationName: organization.name,
    source: reference.name,
    runId,
    end: 'failed',
    isUnchanged: false,
    summary: undefined,
    error,
    stack: undefined,
  };
}
