/** Runs all sources that are due, some at a time, and never two of one municipality. */
import type { SourceKey, StoredSource } from '../domain/import-source.ts';
import type { Organization } from '../domain/organization.ts';
import { StoreConflictError } from '../domain/store-errors.ts';
import { runSource, type SourceRunOptions, type SourceRunResult, type SourceRunStore } from './run-source.ts';

export interface DueSourcesOptions
  extends Pick<SourceRunOptions, 'settings' | 'userAgent' | 'signal' | 'onProblem'> {
  /** Sources at a time. */
  concurrency: number;
  /** No source is started after this time. */
  maxDurationMs: number;
  onEnd(organization: Organization, source: StoredSource, result: SourceRunResult): void;
}

/** Due sources that are read at a time. */
const pageSize = 100;

/** @returns whether all due sources were started @throws StoreUnavailableError */
export async function runDueSources(store: SourceRunStore, options: DueSourcesOptions): Promise<boolean> {
  const { signal, concurrency } = options;
  const endsAtMs = performance.now() + options.maxDurationMs;
  /** Each source runs once, even if its state cannot be updated. */
  const started = new Set<string>();
  const active = new Set<Promise<void>>();
  const isOpen = () => !signal.aborted && performance.now() < endsAtMs;
  let failure: { error: unknown } | undefined;

  const start = (key: SourceKey) => {
    started.add(toText(key));
    const run = runOne(store, key, options)
      .catch((error) => {
        failure ??= { error };
      })
      .finally(() => active.delete(run));
    active.add(run);
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

async function runOne(store: SourceRunStore, key: SourceKey, options: DueSourcesOptions): Promise<void> {
  const organization = await store.findOrganization(key.organizationId);
  const source = await store.findSource(key);
  if (organization === undefined || source === undefined) return;
  try {
    const result = await runSource(store, source, {
      ...options,
      skipsUnchanged: true,
      dryRun: false,
      mayLoosenRedaction: false,
      observer: {},
    });
    if (result !== undefined) options.onEnd(organization, source, result);
  } catch (error) {
    // The municipality or the source was removed meanwhile.
    if (!(error instanceof StoreConflictError)) throw error;
    options.onProblem(`${organization.name}, ${source.name}: ${error.message}`);
  }
}
