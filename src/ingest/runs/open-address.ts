/**
 * Opens the address of a stored source: a download, a portal, or an OParl endpoint.
 *
 * The objects of an endpoint update a mirror of it, and the import reads the whole mirror, because an unchanged paper may get
 * its status from a changed meeting. Nothing is imported before the fetch is complete.
 */
import type { EndpointMirrorStore, MirroredObject } from '../../domain/sources/endpoint-mirror.ts';
import type { SourceReference, SourceStore, StoredSource } from '../../domain/sources/import-source.ts';
import { downloadSource, locateDownloadedRecords } from '../connectors/download-source.ts';
import { createGuardedFetch } from '../connectors/guarded-fetch.ts';
import { createSourceClient } from '../connectors/http-client.ts';
import { toSince } from '../connectors/live-source/changed-since.ts';
import { fetchEndpoint } from '../connectors/oparl-endpoint/fetch-all-objects.ts';
import { readKeyOfSource } from '../connectors/portal-keys-of-sources.ts';
import type { OptionValues } from '../format-options.ts';
import { convertObjects, type ObjectEntry } from '../formats/oparl/convert-objects.ts';
import type { oparlEndpointOptions as declared } from '../formats/oparl/oparl-format.ts';
import type { OparlObject } from '../formats/oparl/oparl-object.ts';
import { InputError } from '../input-error.ts';
import type { Spool } from '../readers/json-lines-spool.ts';
import type { RunSettings } from '../run-settings.ts';
import type { PreparedImport } from './prepare-import.ts';
import { type InputCaller, type OpenedInput, readFiles } from './run-import.ts';
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

export type AddressStore = EndpointMirrorStore & Pick<SourceStore, 'findPortalKey'>;

/** @throws InputError for a source without an address, and for a dry run of an endpoint */
export const openAddress =
  (store: AddressStore, source: StoredSource, options: AddressOptions) =>
  async (work: PreparedImport, caller: InputCaller): Promise<OpenedInput> => {
    const { name, url } = source;
    if (url === null) throw new InputError({ code: 'source-has-no-url', name });
    const addressed = { ...source, url };
    if (!work.isEndpoint) return openDownload(store, addressed, options, work, caller);
    const { run } = caller;
    if (run === undefined) throw new InputError({ code: 'endpoint-without-dry-run' });
    return openEndpoint(store, addressed, options, work, { ...caller, run });
  };

async function openDownload(
  store: AddressStore,
  source: StoredSource & { url: string },
  { settings, userAgent, skipsUnchanged }: AddressOptions,
  { format, formatOptions, redactedSource }: PreparedImport,
  { observer, signal, run }: InputCaller,
): Promise<OpenedInput> {
  const { checksum: redaction } = redactedSource.redactor;
  const mayBeUnchanged =
    skipsUnchanged && source.validators.redaction === redaction && !format.dependsOnDate?.(formatOptions);
  const download = await downloadSource(new URL(source.url), formatOptions, {
    validators: mayBeUnchanged ? source.validators : {},
    fetch: createGuardedFetch(settings.downloadNetworks),
    ...{ settings, userAgent, observer, signal },
    key: await readKeyOfSource(store, source, settings),
    startedAt: run?.lease.acquiredAt ?? new Date().toISOString(),
  });
  const { file, validators, isPartial, isExcerpt = false, completeTimes, remove } = download;
  const files = file && [{ name: source.url, size: file.size, file: file.path }];
  return {
    read: files && readFiles(files, format),
    scope: {
      formatOptions: locateDownloadedRecords(formatOptions),
      isPartial: isPartial || isExcerpt,
      completeTimes,
    },
    ...{ isExcerpt, validators: { ...validators, redaction }, close: remove },
  };
}

/** The summary has the numbers of requests, of new or changed objects, and of unresolved references, too. */
async function openEndpoint(
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
  source: SourceReference,
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
