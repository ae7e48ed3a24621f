/**
 * Opens an OParl endpoint. The fetched objects update a mirror of the endpoint, and the import reads the whole mirror, because
 * an unchanged paper may get its status from a changed meeting. Nothing is imported before the fetch is complete.
 */
import type { EndpointMirrorStore, MirroredObject } from '../../domain/sources/endpoint-mirror.ts';
import type { SourceKey, StoredSource } from '../../domain/sources/import-source.ts';
import { createGuardedFetch } from '../connectors/guarded-fetch.ts';
import { createSourceClient } from '../connectors/http-client.ts';
import { toSince } from '../connectors/live-source/changed-since.ts';
import { fetchEndpoint } from '../connectors/oparl-endpoint/fetch-all-objects.ts';
import type { OptionValues } from '../format-options.ts';
import { convertObjects, type ObjectEntry } from '../formats/oparl/convert-objects.ts';
import type { oparlEndpointOptions as declared } from '../formats/oparl/oparl.ts';
import type { OparlObject } from '../formats/oparl/oparl-object.ts';
import type { Spool } from '../readers/spool.ts';
import type { RunSettings } from '../run-settings.ts';
import type { PreparedImport } from './prepare-import.ts';
import type { InputCaller, OpenedInput } from './run-import.ts';
import type { HeldRun } from './run-under-lease.ts';

export interface AddressOptions {
  settings: Pick<RunSettings, 'downloadNetworks' | 'maxDownload' | 'downloadTimeout' | 'encryptionKey'>;
  userAgent: string;
  /** Reads nothing if the content at the address is that of the last run. */
  skipsUnchanged: boolean;
  /** Fetches all objects of an endpoint, and removes records whose objects no longer exist. */
  full?: boolean | undefined;
  /** Records a run of an endpoint without news in the history, because a person waits for it. */
  recordsUnchanged?: boolean | undefined;
}

/** The summary has the numbers of requests, of new or changed objects, and of unresolved references, too. */
export async function openEndpoint(
  store: EndpointMirrorStore,
  source: StoredSource & { url: string },
  { settings, userAgent, full = false, recordsUnchanged = false }: AddressOptions,
  { formatOptions }: PreparedImport,
  { observer, signal, run }: InputCaller & { run: HeldRun },
): Promise<OpenedInput> {
  const { body, allowHost } = formatOptions as OptionValues<typeof declared>;
  const url = new URL(source.url);
  const fetch = createGuardedFetch(settings.downloadNetworks);
  const client = createSourceClient(url, formatOptions, { settings, userAgent, fetch, signal }, allowHost);
  const { since = null, lists = {} } = source.validators;
  const { entries, validators, unresolved, shortLists } = await fetchEndpoint(
    { url, body, since: full ? null : since, validators: lists },
    client,
    () => readStoredObjects(store, source),
    (count) => observer.onObjectsFetched?.(count),
  );
  try {
    signal.throwIfAborted();
    for (const short of shortLists) observer.onNote?.({ code: 'endpoint-list-short', ...short });
    const news = await store.updateMirror(run.lease, source, listFetchedObjects(entries));
    // The same time gives the same URL, for which the endpoint may answer "not modified".
    const isUnchanged = news === 0 && since !== null && !full;
    // The next run asks for the missing objects again.
    const keepsSince = isUnchanged || shortLists.length > 0;
    return {
      read: (options) => convertObjects(listAllEntries(store, source, entries, signal), options),
      scope: { news: recordsUnchanged ? undefined : news },
      validators: {
        ...(keepsSince ? since !== null && { since } : { since: toSince(run.lease.acquiredAt) }),
        lists: validators,
      },
      complete: (summary) => ({ ...summary, requests: client.countRequests(), news, unresolved }),
      close: () => entries.remove(),
    };
  } catch (error) {
    entries.remove();
    throw error;
  }
}
async function* readStoredObjects(
  store: EndpointMirrorStore,
  source: SourceKey,
): AsyncGenerator<OparlObject> {
  for await (const { object } of store.readMirror(source)) yield JSON.parse(object);
}

async function* listFetchedObjects(entries: Spool<ObjectEntry>): AsyncGenerator<MirroredObject> {
  for await (const { object } of entries.values())
    if (object !== undefined) yield { id: object.id, object: JSON.stringify(object) };
}

/** The rejected entries of this run, then all objects of the mirror. */
async function* listAllEntries(
  store: EndpointMirrorStore,
  source: StoredSource & { url: string },
  entries: Spool<ObjectEntry>,
  signal: AbortSignal,
): AsyncGenerator<ObjectEntry> {
  for await (const entry of entries.values()) if (entry.rejectionReason !== undefined) yield entry;
  for await (const object of readStoredObjects(store, source)) {
    signal.throwIfAborted();
    yield { location: { source: source.url }, object };
  }
}
