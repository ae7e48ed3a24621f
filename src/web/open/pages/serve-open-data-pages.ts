/**
 * The pages of open data for people. They need neither cookies nor scripts. As with files, each request asks the database whether the
 * municipality publishes for everyone, and for the version of its data, from which the tag follows.
 */
import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';
import { LRUCache } from 'lru-cache';
import type { Session } from '../../../contract/resources/session.ts';
import type { OpenDataset } from '../../../domain/organizations/open-data.ts';
import type { Organization } from '../../../domain/organizations/organization.ts';
import type { LargeDocument, Store } from '../../../domain/store.ts';
import { isTimeZone } from '../../../domain/values/timestamps.ts';
import { readTextAsset } from '../../../platform/assets.ts';
import type { FooterUrls } from '../../../platform/http/footer-urls.ts';
import { isLanguage, messages, negotiateLanguage } from '../../messages/languages.ts';
import { getFormatter, toLocalDay } from '../../ui/formatter.ts';
import { countBytes, type EncodedPage, encodeInSlices, sendInSlices } from '../../ui/html.ts';
import type { OpenClient } from '../client-limits.ts';
import type { MapBackground, OpenContext, PageStore } from '../open-context.ts';
import { createPageHeaders, digestTag, pageHeaders } from '../responses.ts';
import { downloadsPage } from './downloads-page.ts';
import { mapPages } from './map-page.ts';
import { listNextSessions, overviewPage } from './overview-page.ts';
import { downloadsPath, layout, listPageFiles, type PageRoute } from './page-layout.ts';
import { listPages, recordPages } from './record-lists-and-details.ts';

export interface OpenPageRequest extends Pick<OpenClient, 'searchInTurn'> {
  dataset: OpenDataset;
  /** Of the request, without the query. */
  path: string;
  /** Percent-encoded. */
  queryString: string;
  headers: IncomingHttpHeaders;
  /** Of the files of this version that have been built, by name. */
  fileSizes: ReadonlyMap<string, number>;
}

interface OpenPageResponse {
  status: 200 | 304 | 400;
  contentType: string;
  headers: string[];
  body: Buffer | LargeDocument;
  isCompressible: true;
  vary: string;
}

export type OpenPageSource = PageStore & Pick<Store, 'findOrganization' | 'listImportRuns'>;

export interface OpenPageOptions {
  /** Origin at which clients reach this installation; undefined: unknown. */
  publicUrl: string | undefined;
  footerUrls: FooterUrls;
  /** Whether the installation has an index of words. */
  hasWordSearch: boolean;
  /** undefined: maps have a plain background. */
  mapBackground?: MapBackground | undefined;
}

/** Of these imports, one that was not undone dates the data. */
const maxLatestRuns = 10;

/** `content` follows from the version of the data, so tags do not need it. */
type RequestContext = Omit<OpenContext, 'content'>;

/** Pages of the present versions stay in memory up to this size. */
const maxCachedBytes = 8_000_000;

/** @param name the path after the slug: empty, a list such as `/submissions`, or a record such as `/submissions/{id}` */
export function findPage(name: string): PageRoute | undefined {
  if (name === '') return overviewPage;
  if (name === downloadsPath) return downloadsPage;
  const map = mapPages.get(name);
  if (map !== undefined) return map;
  const [, list = '', id] = /^\/(\w+)(?:\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))?$/i.exec(name) ?? [];
  const record = recordPages.get(list);
  if (id === undefined) return listPages.get(list);
  return record && { render: (context) => record(context, id.toLowerCase()), parameters: [] };
}

/** Addresses that `findPage` finds. */
export const pageAddresses: readonly string[] = [
  '',
  downloadsPath,
  ...mapPages.keys(),
  ...[...listPages.keys()].map((list) => `/${list}`),
  ...[...recordPages.keys()].map((list) => `/${list}/{id}`),
];

export function createOpenPages(store: OpenPageSource, options: OpenPageOptions) {
  /** Part of each tag, because pages of other releases and settings differ. */
  const origin = JSON.stringify([
    JSON.parse(readTextAsset('package.json')).version,
    listPageFiles().map(({ path }) => path),
    options.publicUrl,
    options.footerUrls,
    options.hasWordSearch,
    options.mapBackground,
  ]);
  const mapHeaders = createPageHeaders(options.mapBackground && new URL(options.mapBackground.tiles).origin);
  const cache = new LRUCache<string, EncodedPage>({ maxSize: maxCachedBytes, sizeCalculation: countBytes });

  /** @returns undefined if the record does not exist */
  async function respond(page: PageRoute, request: OpenPageRequest): Promise<OpenPageResponse | undefined> {
    const { dataset, headers } = request;
    const [organization, runs] = await Promise.all([
      store.findOrganization(dataset.organizationId),
      store.listImportRuns(dataset.organizationId, undefined, maxLatestRuns, 'done'),
    ]);
    if (organization === undefined) return undefined;
    const lastRun = runs.find(({ undoneAt }) => undoneAt === null);
    const context = createContext(organization, page, request, lastRun?.endedAt ?? undefined);
    const nextSessions = page === overviewPage ? await listNextSessions(context) : [];
    const etag = composeTag(origin, context, request, nextSessions);
    const shared = [...(page.hasMap ? mapHeaders : pageHeaders), 'content-language', context.language];
    const respondWith = (status: 200 | 304 | 400, body: EncodedPage, more: string[]) => ({
      status,
      contentType: page.contentType ?? 'text/html; charset=utf-8',
      headers: [...shared, ...more],
      body: toBody(body),
      isCompressible: true as const,
      vary: 'Accept-Language, Accept-Encoding',
    });
    const isFresh = fresh(headers, { etag });
    // The tag of a page shows that the page exists. The tag * does not.
    if (isFresh && headers['if-none-match'] !== '*') return respondWith(304, noBody, ['etag', etag]);
    const cached = cache.get(etag);
    if (cached !== undefined)
      return isFresh ? respondWith(304, noBody, ['etag', etag]) : respondWith(200, cached, ['etag', etag]);
    const whole = { ...context, content: await store.openDataPages.readContent(organization.id) };
    const rendered = await page.render(whole);
    if (rendered === undefined) return undefined;
    const body =
      'data' in rendered ? Buffer.from(rendered.data) : await encodeInSlices(layout(whole, rendered));
    const { status = 200, isPreliminary = false } = rendered;
    if (status !== 200 || isPreliminary) return respondWith(status, body, []);
    cache.set(etag, body);
    return isFresh ? respondWith(304, noBody, ['etag', etag]) : respondWith(200, body, ['etag', etag]);
  }

  function createContext(
    organization: Organization,
    { parameters }: PageRoute,
    { dataset, path, queryString, headers, fileSizes, searchInTurn }: OpenPageRequest,
    asOf: string | undefined,
  ): RequestContext {
    const query = pickParameters(queryString, parameters);
    const wanted = query.get('language') ?? undefined;
    if (!isLanguage(wanted)) query.delete('language');
    const own = organization.language ?? undefined;
    const language = negotiateLanguage(wanted, headers['accept-language'], isLanguage(own) ? own : undefined);
    // Another version of Node.js may have stored a zone that this one does not know.
    const timeZone = isTimeZone(organization.timeZone) ? organization.timeZone : 'UTC';
    const home = `/open/${dataset.slug}`;
    const kept = isLanguage(wanted) ? `?${new URLSearchParams({ language: wanted })}` : '';
    return {
      language,
      dataLanguage: own,
      text: messages[language],
      format: getFormatter(language, timeZone),
      timeZone,
      path,
      query,
      nowMs: Date.now(),
      organization,
      dataVersion: dataset.version,
      mapBackground: options.mapBackground,
      hasWordSearch: options.hasWordSearch,
      recordsAddress: (record) => `${home}/${record}${kept}`,
      store,
      home: { path: home, name: messages[language].openDataPages.title(organization.name) },
      homeAddress: `${home}${kept}`,
      asOf,
      fileSizes,
      searchInTurn,
      publicUrl: options.publicUrl ?? '',
      footerUrls: options.footerUrls,
    };
  }

  return { respond };
}

const noBody = Buffer.alloc(0);

const toBody = (page: EncodedPage): Buffer | LargeDocument =>
  Buffer.isBuffer(page)
    ? page
    : { bytes: countBytes(page), chunks: sendInSlices(page), closing: '', close: async () => undefined };

/** The first value of each parameter that a page has, in the same order for every request. */
function pickParameters(queryString: string, names: readonly string[]): URLSearchParams {
  // PostgreSQL has no NUL in texts.
  const given = new URLSearchParams(new URLSearchParams(queryString).toString().replaceAll('%00', ''));
  const values = ['language', ...names].map((name) => [name, given.get(name)] as const);
  return new URLSearchParams(values.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** A weak tag (RFC 9110, 8.8.1), the same for each coding: a digest of what the page depends on. */
function composeTag(
  origin: string,
  { organization, language, timeZone, nowMs, asOf, fileSizes, path, query }: RequestContext,
  { dataset }: OpenPageRequest,
  nextSessions: readonly Session[],
): string {
  const today = toLocalDay(new Date(nowMs).toISOString(), timeZone);
  const parts = [
    origin,
    organization.id,
    organization.openDataIndex,
    organization.accentColor,
    organization.locationDecimals,
    dataset.version,
    path,
    query.toString(),
    language,
    today,
    asOf,
    ...fileSizes,
    ...nextSessions.map(({ id }) => id),
  ];
  return `W/"${digestTag(JSON.stringify(parts))}"`;
}
