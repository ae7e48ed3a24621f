/** Runs all sources that are due, some at a time, and never two of one municipality. */
import type { SourceKey, SourceStore } from '../domain/import-source.ts';
import { StoreConflictError } from '../domain/store-errors.ts';
import { runSource, type SourceRunOptions, type SourceRunResult, type SourceRunStore } from './run-source.ts';

/** The end of a run of a source on its schedule. It can be sent between processes. */
export interface ScheduledRun extends Pick<SourceRunResult, 'runId' | 'end' | 'isUnchanged' | 'summary'> {
  organizationId: string;
  organizationName: string;
  source: string;
  error: string | null;
  /** Of an error that is a defect of the program. */
  stack: string | undefined;
}

export interface DueSourcesOptions {
  /** Sources at a time. */
  concurrency: number;
  /** No source is started after this time. */
  maxDurationMs: number;
  /** No source is started after its abort. */
  signal: AbortSignal;
  /** @returns undefined if another import of the municipality runs, or the source was removed meanwhile */
  run(key: SourceKey): Promise<ScheduledRun | undefined>;
  onEnd(run: ScheduledRun): void;
}

/** Due sources that are read at a time. */
const pageSize = 100;

/** @returns whether all due sources were started @throws StoreUnavailableError */
export async function runDueSources(
  store: Pick<SourceStore, 'listDueSources'>,
  { signal, concurrency, maxDurationMs, run, onEnd }: DueSourcesOptions,
): Promise<boolean> {
  const endsAtMs = performance.now() + maxDurationMs;
  /** Each source runs once, even if its state cannot be updated. */
  const started = new Set<string>();
  const active = new Set<Promise<void>>();
  const isOpen = () => !signal.aborted && performance.now() < endsAtMs;
  let failure: { error: unknown } | undefined;

  const start = (key: SourceKey) => {
    started.add(toText(key));
    const ended = run(key)
      .then((result) => result && onEnd(result))
      .catch((error) => {
        failure ??= { error };
      })
      .finally(() => active.delete(ended));
    active.add(ended);
  };

  let isComplete = false;
  while (isOpen() && failure === undefined && !isComplete) {
    const due = await store.listDueSources(pageSize + started.size);
    const waiting = due.filter((key) => !started.has(toText(key)));
    for (const key of pickOnePerMunicipality(waiting)) {
      if (active.size >= concurrency) await Promise.race(active);
      if (!isOpen() || failure !== undefined) break;
      start(key);
    }
    // A source of a municipality may wait for another one to end.
    isComplete = waiting.length === 0 && active.size === 0;
    if (active.size > 0 && !isComplete) await Promise.race(active);
  }
  await Promise.all(active);
  if (failure !== undefined) throw failure.error;
  return isComplete;
}

const toText = ({ organizationId, name }: SourceKey) => `${organizationId} ${name}`;

const pickOnePerMunicipality = (keys: readonly SourceKey[]): SourceKey[] => [
  ...new Map(keys.toReversed().map((key) => [key.organizationId, key])).values(),
];

export interface ScheduledRunOptions
  extends Pick<SourceRunOptions, 'settings' | 'userAgent' | 'signal' | 'onProblem'> {
  timeoutMs: number;
}

/** A run that takes too long has failed. @returns as `DueSourcesOptions.run` @throws StoreUnavailableError */
export async function runScheduledSource(
  store: SourceRunStore,
  key: SourceKey,
  { timeoutMs, ...options }: ScheduledRunOptions,
): Promise<ScheduledRun | undefined> {
  const organization = await store.findOrganization(key.organizationId);
  const source = await store.findSource(key);
  if (organization === undefined || source === undefined) return undefined;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const result = await runSource(store, source, {
      ...options,
      signal: AbortSignal.any([options.signal, timeout]),
      skipsUnchanged: true,
      dryRun: false,
      mayLoosenRedaction: false,
      observer: {},
    });
    if (result === undefined) return undefined;
    if (result.end === 'interrupted' && timeout.aborted && !options.signal.aborted)
      return await failScheduledRun(
        store,
        key,
        `The import took longer than ${timeoutMs / 1_000} seconds and was stopped. ROSTRA_IMPORT_TIMEOUT sets the limit.`,
        result.runId,
      );
    const { runId, end, isUnchanged, summary, failure } = result;
    return {
      organizationId: organization.id,
      organizationName: organization.name,
      source: source.name,
      ...{ runId, end, isUnchanged, summary },
      error: failure?.message ?? null,
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
  key: SourceKey,
  error: string,
  runId?: string,
): Promise<ScheduledRun | undefined> {
  const organization = await store.findOrganization(key.organizationId);
  if (organization === undefined) return undefined;
  await store.endSourceRun(key, { end: 'failed', runId, error });
  return {
    organizationId: organization.id,
    organizationName: organization.name,
    source: key.name,
    runId,
    end: 'failed',
    isUnchanged: false,
    summary: undefined,
    error,
    stack: undefined,
  };
}
