/** Reads the lists of an OParl endpoint page by page. The URL is that of a system, a body, or a list. */
import type { Validator } from '../../../domain/sources/import-source.ts';
import { addListType, getTypeName, isDeleted, toText } from '../../formats/oparl/oparl-object.ts';
import { InputError } from '../../input-error.ts';
import { isObject } from '../../records/field-validation.ts';
import { cleanServerText, type HttpClient } from '../http-client.ts';

/** The lists of a body that are fetched. OParl 1.0 has the first three. */
const listNames = ['organization', 'meeting', 'paper', 'agendaItem', 'consultation'] as const;

/** By the URL of a list. */
export type Validators = Record<string, Validator>;

export interface EndpointOptions {
  url: URL;
  /** Name, short name or id of one body of several. */
  body: string | undefined;
  /** Fetches the objects that changed since then; null: all objects. */
  since: string | null;
  /** Of earlier runs, for conditional requests. */
  validators: Readonly<Validators>;
}

export interface ListEntry {
  value: unknown;
  /** URL of the page. */
  source: string;
  /** Position on the page, counted from 1. */
  entry: number;
}

/** A list that returned fewer objects than it counts. */
export interface ShortList {
  list: string;
  count: number;
  total: number;
}

/** @throws InputError */
export async function openEndpoint(options: EndpointOptions, client: HttpClient) {
  const lists = await findLists(options, client);
  const validators: Validators = {};
  const shortLists: ShortList[] = [];
  return {
    /** Whether agenda items have a list of their own, which reports their changes. */
    listsAgendaItems: 'agendaItem' in lists,
    /** For the next run. Complete after the last entry. */
    validators,
    /** Complete after the last entry. */
    shortLists,
    /** Fetches the entries of all lists. */
    fetchEntries: async function* (): AsyncGenerator<ListEntry> {
      for (const [name, list] of Object.entries(lists)) {
        const url = addModifiedSince(list, options.since);
        const entries = fetchEntries(url, options, client, { validators, shortLists });
        for await (const entry of entries)
          yield { ...entry, value: addListType(entry.value, name, list.pathname) };
      }
    },
  };
}

/** @returns URLs by name of the list */
async function findLists({ url, body }: EndpointOptions, client: HttpClient): Promise<Record<string, URL>> {
  const { value, url: baseUrl } = await client.getJson(url);
  const start = (value ?? {}) as Record<string, unknown>;
  if (isOfType(start, 'Body')) return getListUrls(start, baseUrl);
  if (isOfType(start, 'System')) {
    const list = start.body;
    if (typeof list !== 'string' || !URL.canParse(list, baseUrl))
      throw new InputError({ code: 'endpoint-without-bodies', url: url.href });
    return getListUrls(await findBody(new URL(list, baseUrl), body, client), baseUrl);
  }
  if (!Array.isArray(start.data)) {
    throw new InputError({
      code: 'endpoint-unknown-type',
      url: url.href,
      type: start.type === undefined ? undefined : cleanServerText(toText(start.type)),
    });
  }
  const hasBodies = start.data.some((entry) => isOfType(entry, 'Body'));
  return hasBodies ? getListUrls(await findBody(url, body, client), baseUrl) : { list: url };
}

async function findBody(
  list: URL,
  wanted: string | undefined,
  client: HttpClient,
): Promise<Record<string, unknown>> {
  const bodies: Record<string, unknown>[] = [];
  for await (const { entries } of fetchPages(list, {}, client))
    bodies.push(...entries.filter(isObject).filter((entry) => isOfType(entry, 'Body')));
  const matches = bodies.filter(
    (entry) =>
      !isDeleted(entry) && (wanted === undefined || [entry.id, entry.name, entry.shortName].includes(wanted)),
  );
  const [body, ...others] = matches;
  if (body !== undefined && others.length === 0) return body;
  const known = bodies
    .map(({ name, id }) => `"${cleanServerText(toText(name))}", "${cleanServerText(toText(id))}"`)
    .join('; ');
  throw new InputError(
    body === undefined
      ? { code: 'endpoint-body-missing', url: list.href, wanted, known }
      : { code: 'endpoint-body-ambiguous', url: list.href, count: matches.length, known },
  );
}

/** @throws InputError for a body without papers and meetings */
function getListUrls(body: Record<string, unknown>, baseUrl: URL): Record<string, URL> {
  const lists: Record<string, URL> = {};
  for (const name of listNames) {
    const url = body[name];
    if (typeof url === 'string' && URL.canParse(url, baseUrl)) lists[name] = new URL(url, baseUrl);
  }
  if (lists.paper !== undefined || lists.meeting !== undefined) return lists;
  throw new InputError({ code: 'endpoint-body-empty', text: cleanServerText(toText(body.id)) });
}

const isOfType = (value: unknown, name: string): boolean => isObject(value) && getTypeName(value) === name;

/** RFC 3339 with an offset, as OParl requires. Some servers reject fractions of seconds. */
function addModifiedSince(list: URL, since: string | null): URL {
  if (since === null) return list;
  const url = new URL(list);
  url.searchParams.set('modified_since', `${since.slice(0, 19)}+00:00`);
  return url;
}

async function* fetchEntries(
  list: URL,
  { since, validators: storedValidators }: EndpointOptions,
  client: HttpClient,
  { validators, shortLists }: { validators: Validators; shortLists: ShortList[] },
): AsyncGenerator<ListEntry> {
  // A full fetch needs all entries, which a response "not modified" lacks.
  const condition = since === null ? undefined : storedValidators[list.href];
  let count = 0;
  let total = 0;
  for await (const page of fetchPages(list, condition ?? {}, client)) {
    const { entries, source, validator } = page;
    if (validator !== undefined) validators[list.href] = validator;
    count += entries.length;
    // The last page counts objects that were added during the fetch, too.
    // An object that disappears meanwhile moves others to pages that were read already.
    total = Math.max(total, page.total ?? 0);
    yield* entries.map((value, index) => ({ value, source, entry: index + 1 }));
  }
  if (count >= total) return;
  shortLists.push({ list: list.href, count, total });
  // Otherwise the next run would learn that the list has not changed since.
  delete validators[list.href];
}

interface ListPage {
  entries: unknown[];
  source: string;
  /** Only if the page is the whole list, because a validator of one page says nothing about the others. */
  validator: Validator | undefined;
  /** Number of objects on all pages, as the server counts them; undefined if it does not. */
  total: number | undefined;
}

/** Follows `links.next`. A list that is not modified gives one page without entries. */
async function* fetchPages(list: URL, condition: Validator, client: HttpClient): AsyncGenerator<ListPage> {
  const seen = new Set<string>();
  for (let url: URL | undefined = list; url !== undefined; ) {
    if (seen.has(url.href))
      throw new InputError({ code: 'endpoint-list-circular', list: list.href, url: url.href });
    seen.add(url.href);
    const isFirst: boolean = url === list;
    const response = await client.getJson(url, isFirst ? condition : {});
    const source: string = url.href;
    if (response.value === undefined) {
      yield { entries: [], source, validator: condition, total: undefined };
      return;
    }
    const { data, links, pagination } = (response.value ?? {}) as {
      data?: unknown;
      links?: { next?: unknown };
      pagination?: { totalElements?: unknown };
    };
    if (!Array.isArray(data)) throw new InputError({ code: 'endpoint-list-expected', url: url.href });
    const next = links?.next || undefined;
    if (next !== undefined && !(typeof next === 'string' && URL.canParse(next, response.url)))
      throw new InputError({ code: 'endpoint-next-invalid', url: url.href });
    url = next === undefined ? undefined : new URL(next as string, response.url);
    const { etag, lastModified } = response;
    const isWhole = isFirst && url === undefined && (etag ?? lastModified) !== undefined;
    const { totalElements } = pagination ?? {};
    const total = Number.isSafeInteger(totalElements) ? (totalElements as number) : undefined;
    yield { entries: data, source, validator: isWhole ? { etag, lastModified } : undefined, total };
  }
}
