/**
 * One synchronisation of a municipality with an OParl endpoint. The fetched objects update a mirror of the endpoint,
 * and the import reads the whole mirror, because an unchanged paper may get its status from a changed meeting. Nothing
 * is imported before the fetch is complete.
 */
import type { ImportSource } from '../domain/import-source.ts';
import type { ImportStore } from '../domain/store.ts';
import { StoreConflictError } from '../domain/store-errors.ts';
import type { MirroredObject, SyncLease, SyncSource, SyncStore, Validators } from '../domain/sync-state.ts';
import type { SurveyStore } from '../import/disclosure-control/similar-survey.ts';
import type { FormatReadOptions } from '../import/format-definition.ts';
import { convertObjects, type ObjectEntry } from '../import/formats/oparl/convert-objects.ts';
import type { OparlObject } from '../import/formats/oparl/oparl-object.ts';
import type { ImportSummary } from '../import/import-observer.ts';
import { describeError, type ImportOptions, runImport } from '../import/pipeline.ts';
import type { Spool } from '../import/spool.ts';
import { fetchEndpoint } from './fetch-all-objects.ts';
import { createHttpClient, type HttpClientOptions } from './http-client.ts';

export interface SyncOptions
  extends Pick<FormatReadOptions, 'timeZone' | 'formatOptions' | 'observer'>,
    Pick<ImportOptions, 'redactor' | 'source' | 'readsAllFirst' | 'acceptedKinds'>,
    Omit<HttpClientOptions, 'start'> {
  /** Fetches all objects, and removes records whose objects no longer exist. */
  full: boolean;
  /** Start of the next run in published form; null if no run is scheduled. */
  nextAt: () => string | null;
}

export interface SyncSummary extends ImportSummary {
  requests: number;
  /** Number of new or changed objects. */
  news: number;
  /** Number of references without an object, or without permission to request it; includes earlier runs. */
  unresolved: number;
}

/** The source of an endpoint's records. It differs from the sources of all file imports. */
export const getImportSource = ({ url, body }: Pick<SyncSource, 'url' | 'body'>): ImportSource => ({
  format: 'sync oparl',
  name: body === undefined ? url : `${url} ${body}`,
});

/**
 * Subtracted from the start of a run: clocks differ, and endpoints may show a change only the next morning. Fetching an
 * object twice costs little.
 */
const marginMs = 24 * 3_600_000;

const leaseHeartbeatMs = 10_000;

export type SyncTarget = SyncStore & ImportStore & SurveyStore;

/**
 * Records errors in the state of the sync, except errors of the store.
 *
 * @throws StoreConflictError while another run of the same source holds the lease, or if another run took it over
 * @throws InputError, StoreUnavailableError, or the reason of an abort
 */
export async function syncOparl(
  store: SyncTarget,
  source: SyncSource,
  options: SyncOptions,
): Promise<SyncSummary> {
  const lease = await store.acquireSyncLease(source);
  const leaseLost = new AbortController();
  const heartbeat = setInterval(() => {
    // The next heartbeat may succeed if the database is unavailable now.
    store.renewSyncLease(lease).catch((error) => {
      if (error instanceof StoreConflictError) leaseLost.abort(error);
    });
  }, leaseHeartbeatMs);
  try {
    const signal = AbortSignal.any([options.signal, leaseLost.signal]);
    const { summary, validators } = await fetchAndImport(store, source, lease, { ...options, signal });
    const { redacted, personalData, ...counts } = summary;
    const isUnchanged = summary.news === 0 && lease.since !== null && !options.full;
    // The same time gives the same URL, for which the endpoint may answer "not modified".
    const since = isUnchanged ? lease.since : new Date(Date.parse(lease.startedAt) - marginMs).toISOString();
    await store.releaseSyncLease(lease, { since, validators, counts, nextAt: options.nextAt() });
    return summary;
  } catch (error) {
    const message = options.signal.aborted ? 'It was interrupted.' : describeError(error);
    // Fails if the store is unavailable or the lease is lost.
    await store.releaseSyncLease(lease, { error: message, nextAt: options.nextAt() }).catch(() => undefined);
    throw leaseLost.signal.aborted ? leaseLost.signal.reason : error;
  } finally {
    clearInterval(heartbeat);
  }
}

async function fetchAndImport(
  store: SyncTarget,
  { organizationId, url, body }: SyncSource,
  lease: SyncLease,
  options: SyncOptions,
): Promise<{ summary: SyncSummary; validators: Validators }> {
  const start = new URL(url);
  const client = createHttpClient({ ...options, start });
  const { entries, validators, unresolved } = await fetchEndpoint(
    { url: start, body, since: options.full ? null : lease.since, validators: lease.validators },
    client,
    () => readStoredObjects(store, lease),
    (count) => options.observer.onObjectsFetched?.(count),
  );
  try {
    options.signal.throwIfAborted();
    const news = await store.updateMirror(lease, listFetchedObjects(entries));
    const allEntries = listAllEntries(store, lease, entries, url, options.signal);
    const records = convertObjects(allEntries, {
      ...options,
      namespace: organizationId,
      sourceName: '',
    });
    const target: Parameters<typeof runImport>[1] = {
      findSurveyResults: store.findSurveyResults,
      listSurveyQuestions: store.listSurveyQuestions,
      write: (id, work, context) => store.write(id, work, { ...context, lease }),
    };
    const counts = await runImport(records, target, {
      ...options,
      organizationId,
      namespace: organizationId,
      // OParl has no surveys.
      suppressionRule: undefined,
      dryRun: false,
      strict: false,
      // Tombstones become removals.
      missing: undefined,
    });
    return { summary: { ...counts, requests: client.countRequests(), news, unresolved }, validators };
  } finally {
    entries.remove();
  }
}

async function* readStoredObjects(store: SyncStore, lease: SyncLease): AsyncGenerator<OparlObject> {
  for await (const { object } of store.readMirror(lease)) yield JSON.parse(object);
}

async function* listFetchedObjects(entries: Spool<ObjectEntry>): AsyncGenerator<MirroredObject> {
  for await (const { object } of entries.values())
    if (object !== undefined) yield { id: object.id, object: JSON.stringify(object) };
}

/** The rejected entries of this run, then all objects of the mirror. */
async function* listAllEntries(
  store: SyncStore,
  lease: SyncLease,
  entries: Spool<ObjectEntry>,
  source: string,
  signal: AbortSignal,
): AsyncGenerator<ObjectEntry> {
  for await (const entry of entries.values()) if (entry.rejectionReason !== undefined) yield entry;
  for await (const object of readStoredObjects(store, lease)) {
    signal.throwIfAborted();
    yield { location: { source }, object };
  }
}
