/**
 * One import of an OParl endpoint. The fetched objects update a mirror of the endpoint, and the import reads the whole
 * mirror, because an unchanged paper may get its status from a changed meeting. Nothing is imported before the fetch is
 * complete.
 */
import type { EndpointMirrorStore, MirroredObject } from '../../domain/sources/endpoint-mirror.ts';
import type { SourceKey, StoredSource } from '../../domain/sources/import-source.ts';
import type { GuardedFetch } from '../connectors/guarded-fetch.ts';
import { createSourceClient } from '../connectors/http-client.ts';
import { toSince } from '../connectors/live-source/changed-since.ts';
import { fetchEndpoint } from '../connectors/oparl-endpoint/fetch-all-objects.ts';
import type { OptionValues } from '../format-options.ts';
import { convertObjects, type ObjectEntry } from '../formats/oparl/convert-objects.ts';
import type { oparlEndpointOptions as declared } from '../formats/oparl/oparl.ts';
import type { OparlObject } from '../formats/oparl/oparl-object.ts';
import type { Spool } from '../readers/spool.ts';
import type { RunSettings } from '../run-settings.ts';
import { type FileImportStore, type ImportResult, importRecords, type RecordImport } from './import-records.ts';
import type { PreparedImport } from './prepare-import.ts';
import type { HeldRun } from './run-under-lease.ts';

export type EndpointImportStore = FileImportStore & EndpointMirrorStore;

interface EndpointImportOptions
  extends Pick<RecordImport, 'observer' | 'signal' | 'onProblem' | 'confirmed'> {
  settings: Pick<RunSettings, 'downloadTimeout'>;
  userAgent: string;
  /** Fetches all objects, and removes records whose objects no longer exist. */
  full?: boolean | undefined;
  /** See `SourceRunOptions`. */
  recordsUnchanged?: boolean | undefined;
  run: HeldRun;
  fetch: GuardedFetch;
}

/** The summary has the numbers of requests, of new or changed objects, and of unresolved references, too. */
export async function importEndpoint(
  store: EndpointImportStore,
  work: PreparedImport,
  source: StoredSource & { url: string },
  {
    settings,
    userAgent,
    full = false,
    recordsUnchanged = false,
    run,
    fetch,
    ...options
  }: EndpointImportOptions,
): Promise<{ result: ImportResult; validators: StoredSource['validators'] }> {
  const { observer, signal } = options;
  const { body, allowHost } = work.formatOptions as OptionValues<typeof declared>;
  const url = new URL(source.url);
  const request = { settings, userAgent, fetch, signal };
  const client = createSourceClient(url, work.formatOptions, request, allowHost);
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
    const result = await importRecords(
      store,
      {
        ...work,
        ...options,
        news: recordsUnchanged ? undefined : news,
        run,
        acceptedKinds: source.redaction.accepted ?? [],
        readsAllFirst: true,
        strict: false,
      },
      (readOptions) => convertObjects(listAllEntries(store, source, entries, signal), readOptions),
    );
    const { summary } = result;
    const counts = { requests: client.countRequests(), news, unresolved };
    // The same time gives the same URL, for which the endpoint may answer "not modified".
    const isUnchanged = news === 0 && since !== null && !full;
    // The next run asks for the missing objects again.
    const keepsSince = isUnchanged || shortLists.length > 0;
    return {
      result: summary === undefined ? result : { ...result, summary: { ...summary, ...counts } },
      validators: {
        ...(keepsSince ? since !== null && { since } : { since: toSince(run.lease.acquiredAt) }),
        lists: validators,
      },
    };
  } finally {
    entries.remove();
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
