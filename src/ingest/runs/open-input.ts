/** Opens what an import reads: files, or the address of a stored source. */
import type { EndpointMirrorStore } from '../../domain/sources/endpoint-mirror.ts';
import type { SourceStore, StoredSource } from '../../domain/sources/import-source.ts';
import { downloadSource, locateDownloadedRecords } from '../connectors/download-source.ts';
import { createGuardedFetch } from '../connectors/guarded-fetch.ts';
import { readKeyOfSource } from '../connectors/portal-key.ts';
import type { Format } from '../formats/format-definition.ts';
import { InputError } from '../input-error.ts';
import type { InputFile } from '../readers/input-files.ts';
import { removeRepeatedFiles, unfoldArchives } from '../readers/unfold-archives.ts';
import type { ReadRecords } from './import-records.ts';
import { type AddressOptions, openEndpoint } from './open-endpoint.ts';
import type { PreparedImport } from './prepare-import.ts';
import type { InputCaller, OpenedInput } from './run-import.ts';

export type AddressStore = EndpointMirrorStore & Pick<SourceStore, 'findPortalKey'>;

export const openFiles =
  (files: readonly InputFile[]) =>
  async ({ format }: PreparedImport): Promise<OpenedInput> => ({ read: readFiles(files, format) });

const readFiles = (files: readonly InputFile[], format: Format): ReadRecords =>
  async function* (options) {
    const { reader } = await format.load();
    const unfolded = await unfoldArchives(files, format, options);
    const sources = format.usesFileNames ? unfolded : removeRepeatedFiles(unfolded, options.observer);
    yield* reader.readRecords(sources, options);
  };

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
  { format, formatOptions }: PreparedImport,
  { observer, signal, run }: InputCaller,
): Promise<OpenedInput> {
  const download = await downloadSource(new URL(source.url), formatOptions, {
    validators: skipsUnchanged ? source.validators : {},
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
    ...{ isExcerpt, validators, close: remove },
  };
}
