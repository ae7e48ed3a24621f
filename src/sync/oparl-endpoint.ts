/** Walks an OParl endpoint: from a system to a body, from there to its lists, page after page. */
import type { Validator, Validators } from '../domain/sync-state.ts';
import { toText } from '../import/formats/oparl/oparl-fields.ts';
import { InputError } from '../import/parsed-record.ts';
import { type HttpClient, quoted } from './http-client.ts';

/** Those of a body's lists that lead to what we publish. OParl 1.0 has the first three. */
const listNames = ['organization', 'meeting', 'paper', 'agendaItem', 'consultation'] as const;

export interface EndpointOptions {
  url: URL;
  /** Name, short name or id of one body of several. */
  body: string | undefined;
  /** Asked for what changed since then; null: for everything. */
  since: string | null;
  /** Of earlier runs, for requests that are conditional. */
  validators: Validators;
}

/** An entry of a list, and where it stands. */
export interface Entry {
  value: unknown;
  source: string;
  /** Counted from 1. */
  entry: number;
}

export interface Endpoint {
  /** Whether agenda items have a list of their own, so that a change of one is told. */
  listsAgendaItems: boolean;
  /** All lists one after the other. */
  entries(): AsyncGenerator<Entry>;
  /** For the same requests at another time: complete when all entries were read. */
  validators: Validators;
}

/** @throws InputError */
export async function openEndpoint(options: EndpointOptions, requests: HttpClient): Promise<Endpoint> {
  const lists = await listsAt(options, requests);
  const validators: Validators = {};
  return {
    listsAgendaItems: 'agendaItem' in lists,
    validators,
    entries: async function* () {
      for (const list of Object.values(lists))
        yield* entriesOf(changedSince(list, options.since), options, requests, validators);
    },
  };
}

/** The lists to read, by name. */
async function listsAt({ url, body }: EndpointOptions, requests: HttpClient): Promise<Record<string, URL>> {
  const { value, url: from } = await requests.json(url);
  const start = (value ?? {}) as Record<string, unknown>;
  if (isOfType(start, 'Body')) return listsOf(start, from);
  if (isOfType(start, 'System')) {
    const list = start.body;
    if (typeof list !== 'string' || !URL.canParse(list, from))
      throw new InputError(`The system at ${url} names no list of bodies.`);
    return listsOf(await chooseBody(new URL(list, from), body, requests), from);
  }
  if (!Array.isArray(start.data)) {
    throw new InputError(
      `${url} is no OParl system, body or list: it has ${start.type === undefined ? 'no type' : `the type ${quoted(start.type)}`}.`,
    );
  }
  const hasBodies = start.data.some((entry) => isOfType(entry, 'Body'));
  return hasBodies ? listsOf(await chooseBody(url, body, requests), from) : { list: url };
}

async function chooseBody(
  list: URL,
  wanted: string | undefined,
  requests: HttpClient,
): Promise<Record<string, unknown>> {
  const bodies: Record<string, unknown>[] = [];
  for await (const { entries } of pages(list, {}, requests)) {
    bodies.push(...(entries as Record<string, unknown>[]).filter((entry) => isOfType(entry, 'Body')));
  }
  const found = bodies.filter(
    ({ id, name, shortName, deleted }) =>
      deleted !== true && (wanted === undefined || [id, name, shortName].includes(wanted)),
  );
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const known = bodies.map(({ name, id }) => `${quoted(name)}, ${quoted(id)}`).join('; ');
  throw new InputError(
    found.length === 0
      ? `${list} has no body${wanted === undefined ? '.' : ` "${wanted}". It has ${known || 'none'}.`}`
      : `There are ${found.length} bodies at ${list}: name one by its id with --body. They are ${known}.`,
  );
}

/** @throws InputError for a body without papers and meetings */
function listsOf(body: Record<string, unknown>, from: URL): Record<string, URL> {
  const lists: Record<string, URL> = {};
  for (const name of listNames) {
    const address = body[name];
    if (typeof address === 'string' && URL.canParse(address, from)) lists[name] = new URL(address, from);
  }
  if (lists.paper !== undefined || lists.meeting !== undefined) return lists;
  throw new InputError(`The body ${quoted(body.id)} names no list of papers and none of meetings.`);
}

const isOfType = (value: unknown, name: string): boolean =>
  toText((value as { type?: unknown } | null)?.type)
    .split('/')
    .at(-1) === name;

/** OParl asks for RFC 3339 with an offset; some servers take no fractions of seconds. */
function changedSince(list: URL, since: string | null): URL {
  if (since === null) return list;
  const url = new URL(list);
  url.searchParams.set('modified_since', `${since.slice(0, 19)}+00:00`);
  return url;
}

async function* entriesOf(
  list: URL,
  { since, validators: before }: EndpointOptions,
  requests: HttpClient,
  validators: Validators,
): AsyncGenerator<Entry> {
  // When everything is asked for, what an answer "not modified" leaves out would be missing.
  const condition = since === null ? undefined : before[list.href];
  for await (const { entries, source, validator } of pages(list, condition ?? {}, requests)) {
    if (validator !== undefined) validators[list.href] = validator;
    yield* entries.map((value, index) => ({ value, source, entry: index + 1 }));
  }
}

interface Page {
  entries: unknown[];
  source: string;
  /** Where the page is the whole list, so that what is known of the page is known of the list. */
  validator: Validator | undefined;
}

/** A list's pages by `links.next`; a list that is not modified has one without entries. */
async function* pages(list: URL, condition: Validator, requests: HttpClient): AsyncGenerator<Page> {
  const seen = new Set<string>();
  for (let at: URL | undefined = list; at !== undefined; ) {
    if (seen.has(at.href))
      throw new InputError(`The list ${list} goes in a circle: it leads to ${at} a second time.`);
    seen.add(at.href);
    const isFirst: boolean = at === list;
    const answer = await requests.json(at, isFirst ? condition : {});
    const source: string = at.href;
    if (answer.value === undefined) {
      yield { entries: [], source, validator: condition };
      return;
    }
    const { data, links } = (answer.value ?? {}) as { data?: unknown; links?: { next?: unknown } };
    if (!Array.isArray(data)) throw new InputError(`${at} is no OParl list: it has no "data".`);
    const next = links?.next || undefined;
    if (next !== undefined && !(typeof next === 'string' && URL.canParse(next, answer.url)))
      throw new InputError(`${at} names a next page that is no address.`);
    at = next === undefined ? undefined : new URL(next as string, answer.url);
    const { etag, lastModified } = answer;
    const isWhole = isFirst && at === undefined && (etag ?? lastModified) !== undefined;
    yield { entries: data, source, validator: isWhole ? { etag, lastModified } : undefined };
  }
}
