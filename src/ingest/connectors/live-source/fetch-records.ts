/** Requests the records of a live source, page by page, as its preset declares. */

import { InputError } from '../../input-error.ts';
import type { ConnectionPaging, Preset } from '../../presets/preset.ts';
import { fillTemplate, readGroups } from '../../presets/resolve-address.ts';
import { getMember, parseRecordsPath, type RecordsPath } from '../../readers/json/json-lists.ts';
import { isObject } from '../../records/field-validation.ts';
import { type HttpClient, InaccessibleError, NotFoundError } from '../http-client.ts';
import type { ChangedSince } from './changed-since.ts';
import { fetchGraphqlConnection } from './fetch-graphql-connection.ts';
import { fetchWindows } from './fetch-windows.ts';
import type { Answer, RecordPage } from './fetched-record-page.ts';
import { readValueAtPath } from './read-value-at-path.ts';

type Parameters = Readonly<Record<string, string>>;

type OrderedPaging = Preset['paging'] & { by: 'offset' | 'page' };

/**
 * @param address of the requests
 * @param condition on the records; undefined: all
 * @throws InputError, also for an answer that reports an error
 */
export function createRecordSource(
  preset: Preset,
  address: URL,
  client: HttpClient,
  condition?: ChangedSince['condition'],
) {
  const path = parseRecordsPath(preset.records) as RecordsPath;

  async function request(parameters: Parameters, at = ''): Promise<Answer> {
    const url = new URL(address);
    url.pathname = new URL(at, address).pathname;
    for (const [name, text] of Object.entries(preset.defaults ?? {}))
      if (!url.searchParams.get(name)) url.searchParams.set(name, text);
    for (const [name, text] of Object.entries({ ...preset.parameters, ...parameters }))
      url.searchParams.set(name, text);
    if (condition !== undefined) {
      const { parameter, text } = condition;
      const own = url.searchParams.get(parameter);
      url.searchParams.set(parameter, own ? `(${own}) AND ${text}` : text);
    }
    const { value } = await client.getJson(url);
    return assertNoError({ url, value });
  }

  function assertNoError(answer: Answer): Answer {
    const { denials, error = '', errorMark = error } = preset;
    const { url, value } = answer;
    const status = denials === undefined ? undefined : readValueAtPath(value, denials.path);
    if (denials?.codes.includes(status))
      throw new InaccessibleError({ code: 'address-denied', url: url.href, status: Number(status) });
    if (errorMark === '' || readValueAtPath(value, errorMark) === undefined) return answer;
    const sentence = readValueAtPath(value, error) ?? readValueAtPath(value, errorMark);
    const text = typeof sentence === 'string' ? sentence : JSON.stringify(sentence);
    throw new InputError({ code: 'live-source-refuses', url: url.href, text: client.cleanText(text) });
  }

  const requestRecords = async (parameters: Parameters) =>
    getRecords(await request({ ...preset.ofRecords, ...parameters }));

  function getRecords({ url, value }: Answer): RecordPage['records'] {
    const entries = readValueAtPath(value, path.list);
    if (!Array.isArray(entries))
      throw new InputError({ code: 'live-source-without-records', url: url.href, path: preset.records });
    return entries.map((entry) => getMember(entry, path.record)).filter(isObject);
  }

  /** @throws the error of a request for records, unless it is the status 404 of a system that has its other list */
  async function assertFound(error: unknown): Promise<void> {
    if (!(error instanceof NotFoundError) || preset.otherList === undefined) throw error;
    try {
      const { value } = await request({}, preset.otherList);
      if (Array.isArray(value)) return;
    } catch (other) {
      if (!(other instanceof NotFoundError)) throw other;
    }
    throw error;
  }

  async function* fetchInOrder(paging: OrderedPaging, total: number | undefined) {
    for (let from = 0, page = 1; total === undefined || from < total; page += 1) {
      const start =
        paging.by === 'page' ? { [paging.page]: String(page) } : { [paging.offset]: String(from) };
      const records = await requestRecords({ ...start, [paging.limit]: String(paging.size) });
      if (records.length === 0) return;
      from += records.length;
      yield { records, id: paging.id };
    }
  }

  async function* fetchById(paging: Preset['paging'] & { by: 'ids' }) {
    const { url, value } = await request(paging.list);
    const listed = readValueAtPath(value, paging.listed) ?? [];
    const id = readValueAtPath(value, paging.named);
    if (!Array.isArray(listed) || typeof id !== 'string')
      throw new InputError({ code: 'live-source-without-records', url: url.href, path: paging.listed });
    for (let from = 0; from < listed.length; from += paging.size) {
      const ids = listed.slice(from, from + paging.size);
      const records = await requestRecords({ [paging.ids]: ids.join(',') });
      yield { records, id, requested: ids.length };
    }
  }

  function fetchByCursor(paging: ConnectionPaging) {
    const groups = readGroups(preset, address);
    const url = new URL(fillTemplate(paging.api, groups), address);
    const post = async (query: string) => ({ url, value: (await client.postJson(url, { query })).value });
    return fetchGraphqlConnection({ paging, address, groups, post, assertNoError, getRecords });
  }

  async function countRecords(): Promise<number | undefined> {
    if (preset.total === undefined) return undefined;
    const { parameters, at, path } = preset.total;
    const { value } = await request(parameters, at);
    const found = readValueAtPath(value, path);
    const total = ['number', 'string'].includes(typeof found) ? Number(found) : Number.NaN;
    return Number.isSafeInteger(total) && total >= 0 ? total : undefined;
  }

  return {
    /** The tables of a collection, whose request the address is. @param lists their paths */
    listTables: async (lists: readonly string[]): Promise<Record<string, unknown>[]> => {
      const { value } = await request({});
      return lists.flatMap((list) => readValueAtPath(value, list) ?? []).filter(isObject);
    },
    /** @returns undefined if the system does not say it */
    countRecords,
    /** Asks what only this system answers. @throws InputError for another answer */
    assertSystem: async (): Promise<void> => {
      const { paging, total } = preset;
      if (total === undefined && paging.by === 'cursor') await fetchByCursor(paging).next();
      else if (total === undefined) await requestRecords({}).catch(assertFound);
      else if ((await countRecords()) === undefined)
        throw new InputError({ code: 'live-source-without-records', url: address.href, path: total.path });
    },
    /** @param total see `countRecords` */
    fetchPages: async function* (total: number | undefined): AsyncGenerator<RecordPage> {
      const { paging } = preset;
      if (paging.by === 'offset' || paging.by === 'page') yield* fetchInOrder(paging, total);
      else if (paging.by === 'ids') yield* fetchById(paging);
      else if (paging.by === 'cursor') yield* fetchByCursor(paging);
      else if (paging.by === 'windows') yield* fetchWindows(paging, address, requestRecords, assertFound);
      else yield { records: await requestRecords({}) };
    },
  };
}
