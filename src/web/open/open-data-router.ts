/**
 * Responds to requests below `/open/{slug}` for the pages and files of municipalities that publish for everyone. Each request asks
 * the database whether the municipality does so, and for the version of its data.
 */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';
import { parse as parseRanges, type Range } from 'range-parser';
import { InvalidParameterError, isFilterName } from '../../contract/parse-query.ts';
import { type OpenDataset, parseSlug } from '../../domain/organizations/open-data.ts';
import type { LargeDocument, Store } from '../../domain/store.ts';
import { createBuildQueue } from './build-queue.ts';
import { type CatalogOptions, createCatalogs } from './catalogs/catalogs.ts';
import type { OpenClient } from './client-limits.ts';
import { createDownloads } from './fair-downloads.ts';
import { committeeAddress, createFeeds, findCommitteeFile } from './feeds-and-calendars.ts';
import type { CachedFile, FileCache, FileVersion } from './file-cache.ts';
import { type AddressedFile, type OpenFile, openFiles } from './open-files.ts';
import { createNotFoundPages, type NotFoundPage } from './pages/not-found-page.ts';
import { downloadsPath } from './pages/page-layout.ts';
import {
  createOpenPages,
  findPage,
  type OpenPageOptions,
  type OpenPageSource,
  pageAddresses,
} from './pages/serve-open-data-pages.ts';
import {
  acceptsGzip,
  composeTag,
  digestTag,
  OpenDataBusyError,
  type OpenDataResponse,
  PublicUrlMissingError,
} from './responses.ts';

export const openPath = '/open/';

export interface OpenDataRouter {
  /** All addresses of the installation and of a municipality, with parameters in braces, such as `{slug}/submissions/{id}`. */
  addresses: readonly string[];
  /**
   * @param path after `openPath`, percent-encoded
   * @param queryString percent-encoded
   * @param client sends the request
   * @returns undefined for everything that is not published
   * @throws ClientLimitError, InvalidParameterError, OpenDataBusyError, PublicUrlMissingError, StoreUnavailableError
   */
  respond(
    path: string,
    queryString: string,
    headers: IncomingHttpHeaders,
    client: OpenClient,
  ): Promise<OpenDataResponse | undefined>;
  /** @returns what a browser shows if `respond` returns undefined; undefined for programs */
  respondNotFound(headers: IncomingHttpHeaders): NotFoundPage | undefined;
  /** At `apiCatalogPath`. @throws PublicUrlMissingError */
  respondWithApiCatalog(headers: IncomingHttpHeaders): Promise<OpenDataResponse>;
  /** Removes files that are no longer published. @param store it does not wait for requests without a key */
  sweep(store: VersionStore): Promise<void>;
  /**
   * After the removal of a record for good, or of all: removes the files that may have the record, and ends the downloads of large
   * ones. A small one is sent at once.
   *
   * @param store as of `sweep`
   */
  takeDown(store: VersionStore & Pick<Store, 'listRemovingOrganizations'>): Promise<void>;
}

type VersionStore = Pick<Store, 'findOrganization' | 'findDatasetVersion'>;

/** Removals that are older were found before, unless the database was unreachable for this time. */
const removalAgeMs = 900_000;

/** `sweep` removes all files that are no longer published after this time at the latest. */
export const sweepIntervalMs = 60_000;

/** For one request: the data may change while a file is being built. */
const maxBuilds = 3;

/** Part of each tag: change it with the content of the files. */
const contentVersion = 5;

export function createOpenDataRouter(
  store: Pick<Store, 'findOpenData' | 'hasCommittee' | 'listOpenData' | 'openDataset'> & OpenPageSource,
  cache: FileCache,
  options: OpenPageOptions & Pick<CatalogOptions, 'publicUrl' | 'language'>,
): OpenDataRouter {
  const { publicUrl, language } = options;
  const formatVersion = hash('sha256', [contentVersion, publicUrl, language].join('/')).slice(0, 8);
  const pages = createOpenPages(store, options);
  const catalogs = createCatalogs(store, { publicUrl, language, openPath, formatVersion });
  const feedOptions = { publicUrl, language, openPath };
  const files = new Map([...openFiles, ...catalogs.files, ...createFeeds(feedOptions)]);
  const toFileVersion = (datasetVersion: string) => `${datasetVersion}-${formatVersion}`;
  const builds = createBuildQueue();
  const downloads = createDownloads();

  /** @throws OpenDataBusyError */
  function open(
    { address }: OpenClient,
    version: FileVersion,
    { path, bytes, content }: CachedFile,
    range?: Range,
  ): Buffer | LargeDocument {
    if (content !== undefined)
      return range === undefined ? content : content.subarray(range.start, range.end + 1);
    const stream = downloads.start(address, version, path, range ?? { start: 0, end: bytes - 1 });
    return {
      bytes: range === undefined ? bytes : range.end - range.start + 1,
      chunks: stream,
      closing: '',
      isFile: true,
      close: async () => void stream.destroy(),
    };
  }

  async function sendFile(
    client: OpenClient,
    version: FileVersion,
    { contentType }: OpenFile,
    headers: IncomingHttpHeaders,
    links: readonly string[],
  ): Promise<OpenDataResponse | 'missing'> {
    const isCompressed = headers.range === undefined && acceptsGzip(headers['accept-encoding']);
    const etag = composeTag(Object.values(version).join('/'), isCompressed);
    const shared = ['etag', etag, 'accept-ranges', 'bytes', ...links];
    if (fresh(headers, { etag })) return { status: 304, contentType, headers: shared, body: '' };
    const file = await cache.find(version, isCompressed);
    if (file === undefined) return 'missing';
    if (isCompressed)
      return {
        status: 200,
        contentType,
        headers: [...shared, 'content-encoding', 'gzip'],
        body: open(client, version, file),
      };
    const range = readRange(headers, file.bytes, etag);
    if (range === 'unsatisfiable')
      return { status: 416, headers: [...shared, 'content-range', `bytes */${file.bytes}`], body: '' };
    if (range === undefined)
      return { status: 200, contentType, headers: shared, body: open(client, version, file) };
    const contentRange = `bytes ${range.start}-${range.end}/${file.bytes}`;
    return {
      status: 206,
      contentType,
      headers: [...shared, 'content-range', contentRange],
      body: open(client, version, file, range),
    };
  }

  async function build({ organizationId, name }: FileVersion, { read }: OpenFile): Promise<void> {
    const dataset = await store.openDataset(organizationId);
    if (dataset === undefined) return;
    try {
      // Newer than the wanted version, if the data has changed meanwhile.
      const file = { organizationId, version: toFileVersion(dataset.version), name };
      await cache.build(file, read(dataset));
    } finally {
      await dataset.close();
    }
  }

  /** @returns undefined if the municipality publishes nothing */
  async function findFileVersion(store: VersionStore, organizationId: string): Promise<string | undefined> {
    const organization = await store.findOrganization(organizationId);
    if (organization?.openData !== 'on') return undefined;
    const version = await store.findDatasetVersion(organizationId);
    return version && toFileVersion(version);
  }

  const digestExtent = async (organizationId: string): Promise<string> =>
    digestTag(JSON.stringify(await store.openDataPages.readExtent(organizationId)));

  function findFile(path: string): AddressedFile | undefined {
    const file = files.get(path);
    return file === undefined ? findCommitteeFile(path, feedOptions) : { path, name: path, file };
  }

  /** @param target path and query after the slug @param send for the right address */
  async function respond(
    { slug, isRight }: OpenAddress,
    target: string,
    send: (dataset: OpenDataset) => Promise<OpenDataResponse | undefined>,
  ): Promise<OpenDataResponse | undefined> {
    const dataset = await store.findOpenData(slug);
    if (dataset === undefined) return undefined;
    if (!isRight || dataset.slug !== slug)
      return { status: 308, headers: ['location', `${openPath}${dataset.slug}${target}`], body: '' };
    return send(dataset);
  }

  /** Asks again after each build: meanwhile, the data may have changed, or may not be open any more. */
  const respondWithFile = (
    client: OpenClient,
    address: OpenAddress,
    found: AddressedFile,
    headers: IncomingHttpHeaders,
    remainingBuilds: number,
  ): Promise<OpenDataResponse | undefined> =>
    respond(address, `/${found.path}`, async ({ organizationId, version: datasetVersion }) => {
      const { name, file } = found;
      if (file.needsPublicUrl && publicUrl === undefined) throw new PublicUrlMissingError();
      if (file.committee !== undefined && !(await store.hasCommittee(organizationId, file.committee)))
        return undefined;
      const version = {
        organizationId,
        version: toFileVersion(datasetVersion),
        name: file.describesExtent ? `${await digestExtent(organizationId)}-${name}` : name,
      };
      const links = catalogs.names.includes(name) ? [] : catalogs.composeLinkHeader(address.slug);
      const response = await sendFile(client, version, file, headers, links);
      if (response !== 'missing') return response;
      if (remainingBuilds === 0) throw new OpenDataBusyError('The data is changing at the moment.', 10);
      await builds.run(client.address, version, () => build(version, file));
      return respondWithFile(client, address, found, headers, remainingBuilds - 1);
    });

  return {
    addresses: [
      ...catalogs.names,
      ...[...pageAddresses, ...[...files.keys(), committeeAddress].map((name) => `/${name}`)].map(
        (end) => `{slug}${end}`,
      ),
    ],
    respond: async (path, queryString, headers, client) => {
      const address = parseAddress(path);
      if (address === undefined) return catalogs.respond(path, queryString, headers);
      const { slug, rest } = address;
      const file = findFile(decodeURIComponent(rest.slice(1)));
      if (file !== undefined) {
        refuseFilters(queryString);
        return respondWithFile(client, address, file, headers, maxBuilds);
      }
      const page = findPage(rest);
      if (page === undefined) return undefined;
      const target = queryString === '' ? rest : `${rest}?${queryString}`;
      return respond(address, target, async (dataset) => {
        const files = {
          organizationId: dataset.organizationId,
          version: toFileVersion(dataset.version),
        };
        const fileSizes = rest === downloadsPath ? await cache.listSizes(files) : new Map<string, number>();
        const response = await pages.respond(page, {
          dataset,
          path: `${openPath}${path}`,
          queryString,
          headers,
          fileSizes,
          searchInTurn: client.searchInTurn,
        });
        response?.headers.push(...catalogs.composeLinkHeader(slug));
        return response;
      });
    },
    respondNotFound: createNotFoundPages(options, language),
    respondWithApiCatalog: catalogs.respondWithApiCatalog,
    sweep: (store) => cache.sweep((organizationId) => findFileVersion(store, organizationId)),
    takeDown: async (store) => {
      const removing = new Set(await store.listRemovingOrganizations(removalAgeMs));
      const takeDown = async (organizationId: string) => {
        const version = await findFileVersion(store, organizationId);
        if (version !== undefined && !removing.has(organizationId)) return;
        // A download of a large file that begins meanwhile no longer finds it.
        await cache.keepVersion(organizationId, version);
        downloads.endOthers(organizationId, version);
      };
      const failures: unknown[] = [];
      // A failure must not keep the files of other municipalities.
      for (const organizationId of removing.union(downloads.listOrganizations()))
        await takeDown(organizationId).catch((error) => void failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}

/**
 * A complete file would look like a filtered one. Other parameters, which feed readers and social networks add, are ignored.
 *
 * @throws InvalidParameterError
 */
function refuseFilters(queryString: string): void {
  for (const name of new URLSearchParams(queryString).keys())
    if (isFilterName(name))
      throw new InvalidParameterError(
        name,
        `The parameter "${name}" has no effect on a file, which is always complete: leave it out, and filter what you have downloaded. The pages below /open and the API have filters.`,
      );
}

interface OpenAddress {
  slug: string;
  /** The path after the slug, percent-encoded, without a slash at its end. */
  rest: string;
  /** Has the slug in lower case and no slash at its end. Other addresses lead to the right one. */
  isRight: boolean;
}

/** @param path percent-encoded, so that an encoded slash is part of a name @returns undefined if it does not begin with a slug */
function parseAddress(path: string): OpenAddress | undefined {
  const [name = ''] = path.split('/', 1);
  const slug = parseSlug(decodeURIComponent(name));
  const rest = path.slice(name.length).replace(/\/$/, '');
  return slug === undefined ? undefined : { slug, rest, isRight: path === slug + rest };
}

/** @returns undefined: the whole file, also for several ranges, which a server may ignore (RFC 9110, 14.2) */
function readRange(
  { range, 'if-range': condition }: IncomingHttpHeaders,
  bytes: number,
  etag: string,
): Range | 'unsatisfiable' | undefined {
  if (range === undefined || (condition !== undefined && condition !== etag)) return undefined;
  const { code, type, ranges } = parseRanges(bytes, range);
  if (type !== 'bytes' || ranges.length > 1) return undefined;
  return code === unsatisfiable && ranges.length === 0 ? 'unsatisfiable' : ranges[0];
}

/** A code of `range-parser`. */
const unsatisfiable = 2;
