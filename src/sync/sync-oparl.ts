/**
 * One run of keeping a municipality in step with an OParl endpoint. What was fetched is laid over what earlier runs
 * know of the endpoint, and all of it is imported: a paper that did not change has its status from a meeting that
 * did. Nothing is applied before everything was fetched.
 */

import type { ImportSource } from '../domain/import-source.ts';
import type { ImportStore, PublishedDataStore } from '../domain/store.ts';
import { StoreConflictError, StoreUnavailableError } from '../domain/store-errors.ts';
import type { MirroredObject, SyncLease, SyncSource, SyncStore, Validators } from '../domain/sync-state.ts';
import { parseSuppressionRule } from '../import/disclosure-control/disclosure-options.ts';
import type { FormatReadOptions } from '../import/format-definition.ts';
import type { OparlObject } from '../import/formats/oparl/pending-objects.ts';
import { type Found, readObjects } from '../import/formats/oparl/read-oparl.ts';
import { InputError } from '../import/parsed-record.ts';
import {
  type ImportOptions,
  type ImportSummary,
  runImport,
  unexpectedErrorMessage,
} from '../import/pipeline.ts';
import type { Spool } from '../import/spool.ts';
import { fetchObjects } from './fetch-objects.ts';
import { createHttpClient, type HttpClientOptions } from './http-client.ts';

export interface SyncOptions
  extends Pick<FormatReadOptions, 'timeZone' | 'formatOptions' | 'onUnknownWord' | 'onNote'>,
    Pick<ImportOptions, 'redaction' | 'source' | 'onRefusal' | 'onRecord' | 'onProgress'>,
    Omit<HttpClientOptions, 'start'> {
  /** Asks for everything, and removes what is not there any more. */
  full: boolean;
  /** Told how many objects were fetched so far. */
  onFetched: (count: number) => void;
  /** When the next run begins, in published form; null where nothing begins one. */
  nextAt: () => string | null;
}

export interface SyncSummary extends ImportSummary {
  requests: number;
  /** Objects that the endpoint has and had not before, or that are different. */
  news: number;
  /** References that lead nowhere, or where nobody may ask; of earlier runs, too. */
  unresolved: number;
}

/** The source of an endpoint's records: an import of files never takes them for its own. */
export const getImportSource = ({ url, body }: Pick<SyncSource, 'url' | 'body'>): ImportSource => ({
  format: 'sync oparl',
  name: body === undefined ? url : `${url} ${body}`,
});

/**
 * Clocks differ, and what a council's system changes in the evening may be at its endpoint only the next morning.
 * What is asked for twice costs little.
 */
const marginMs = 24 * 3_600_000;

const heartbeatMs = 10_000;

/**
 * @throws StoreConflictError while another run of the same source lives, or when one took the place of this one
 * @throws InputError, StoreUnavailableError, or the reason of an abort; but for the store's own, the state has it
 */
export async function syncOparl(
  store: SyncStore & ImportStore & Pick<PublishedDataStore, 'findSurveyResults'>,
  source: SyncSource,
  options: SyncOptions,
): Promise<SyncSummary> {
  const held = await store.acquireSyncLease(source);
  const lost = new AbortController();
  const heart = setInterval(() => {
    // What the database cannot do now, it may do at the next beat.
    store.renewSyncLease(held).catch((error) => {
      if (error instanceof StoreConflictError) lost.abort(error);
    });
  }, heartbeatMs);
  try {
    const signal = AbortSignal.any([options.signal, lost.signal]);
    const { summary, validators } = await runOnce(store, source, held, { ...options, signal });
    const { redacted, ...counts } = summary;
    const quiet = summary.news === 0 && held.since !== null && !options.full;
    // What has not changed since then is asked for with the same words, so that the answer may be "not modified".
    const since = quiet ? held.since : new Date(Date.parse(held.startedAt) - marginMs).toISOString();
    await store.releaseSyncLease(held, { since, validators, counts, nextAt: options.nextAt() });
    return summary;
  } catch (error) {
    const sentence = options.signal.aborted ? 'It was interrupted.' : sentenceOf(error);
    // Where the store itself is the reason, or the place is lost, there is nowhere to write it.
    await store.releaseSyncLease(held, { error: sentence, nextAt: options.nextAt() }).catch(() => undefined);
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    clearInterval(heart);
  }
}

/** A fault's own words may quote what the endpoint says. */
function sentenceOf(error: unknown): string {
  const isExpected = [InputError, StoreConflictError, StoreUnavailableError].some(
    (kind) => error instanceof kind,
  );
  return isExpected ? (error as Error).message : unexpectedErrorMessage;
}

async function runOnce(
  store: SyncStore & ImportStore & Pick<PublishedDataStore, 'findSurveyResults'>,
  { organizationId, url, body }: SyncSource,
  held: SyncLease,
  options: SyncOptions,
): Promise<{ summary: SyncSummary; validators: Validators }> {
  const start = new URL(url);
  const requests = createHttpClient({ ...options, start });
  const { found, validators, unresolved } = await fetchObjects(
    { url: start, body, since: options.full ? null : held.since, validators: held.validators },
    requests,
    () => objectsBefore(store, held),
    options.onFetched,
  );
  try {
    options.signal.throwIfAborted();
    const news = await store.updateMirror(held, fetchedObjects(found));
    const all = everything(store, held, found, url, options.signal);
    const readings = readObjects(all, {
      ...options,
      namespace: organizationId,
      onBytes: () => undefined,
      // OParl refuses no record for a word.
      onRefusedWord: () => undefined,
    });
    const target: Parameters<typeof runImport>[1] = {
      findSurveyResults: store.findSurveyResults,
      write: (id, work, context) => store.write(id, work, { ...context, lease: held }),
    };
    const counts = await runImport(readings, target, {
      ...options,
      organizationId,
      namespace: organizationId,
      suppressionRule: parseSuppressionRule(options.formatOptions),
      dryRun: false,
      strict: false,
      // Records that the endpoint no longer has come as removals.
      missing: undefined,
    });
    return { summary: { ...counts, requests: requests.count(), news, unresolved }, validators };
  } finally {
    found.remove();
  }
}

async function* objectsBefore(store: SyncStore, held: SyncLease): AsyncGenerator<OparlObject> {
  for await (const { object } of store.readMirror(held)) yield JSON.parse(object);
}

async function* fetchedObjects(found: Spool<Found>): AsyncGenerator<MirroredObject> {
  for await (const { object } of found.values())
    if (object !== undefined) yield { id: object.id, object: JSON.stringify(object) };
}

/** All that is known of the endpoint, after what it sent that is no object. */
async function* everything(
  store: SyncStore,
  held: SyncLease,
  found: Spool<Found>,
  source: string,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  for await (const one of found.values()) if (one.rejectionReason !== undefined) yield one;
  for await (const object of objectsBefore(store, held)) {
    signal.throwIfAborted();
    yield { location: { source }, object };
  }
}
