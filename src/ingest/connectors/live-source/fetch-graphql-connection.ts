/** Requests the records of a connection of GraphQL, page by page. */

import { InputError } from '../../input-error.ts';
import type { ConnectionPaging, Groups, Selection } from '../../presets/preset.ts';
import { isObject } from '../../records/field-validation.ts';
import { cleanServerText } from '../http-client.ts';
import type { Answer, RecordPage } from './fetched-record-page.ts';
import { readValueAtPath } from './read-value-at-path.ts';

interface Connection {
  paging: ConnectionPaging;
  /** Of the source. */
  address: URL;
  groups: Groups;
  post: (query: string) => Promise<Answer>;
  /** @throws InputError */
  assertNoError: (answer: Answer) => Answer;
  getRecords: (answer: Answer) => RecordPage['records'];
}

/** @throws InputError also if the address names no list, and has several */
export async function* fetchGraphqlConnection(source: Connection): AsyncGenerator<RecordPage> {
  const { paging, groups, getRecords } = source;
  const ask = createQuery(source);
  const list = groups[paging.list] ?? (await findList(source, ask));
  let after: string | undefined;
  /** Of the last record of a page, which the next page begins with. */
  let repeatedId: unknown;
  for (;;) {
    const answer = await ask(paging.selectPage(list, after));
    const records = getRecords(answer);
    // Cursors are positions: a record that was removed meanwhile moves those after it, and one of them would be skipped.
    const hasMoved = repeatedId !== undefined && records[0]?.[paging.id] !== repeatedId;
    const isRepeated = repeatedId !== undefined && !hasMoved;
    yield { records: isRepeated ? records.slice(1) : records, id: paging.id, hasMoved };
    const { pageInfo, edges } = readValueAtPath(answer.value, paging.connection) as Page;
    if (pageInfo?.hasNextPage !== true) return;
    const last = edges.filter((edge) => isObject(edge?.node)).slice(-2);
    const next = last.length === 2 ? last[0]?.cursor : pageInfo.endCursor;
    if (typeof next !== 'string' || next === after)
      throw new InputError({ code: 'endpoint-list-circular', list: paging.connection, url: answer.url.href });
    repeatedId = last.length === 2 ? records.at(-1)?.[paging.id] : undefined;
    after = next;
  }
}

interface Page {
  pageInfo?: { hasNextPage?: unknown; endCursor?: unknown };
  edges: ({ cursor?: unknown; node?: unknown } | null)[];
}

type Ask = (selection: Selection) => Promise<Answer>;

async function findList({ paging, address, groups }: Connection, ask: Ask): Promise<string> {
  const { value } = await ask(paging.selectLists(groups));
  const data = readValueAtPath(value, 'data');
  const choices = isObject(data) ? paging.listChoices(data, groups) : [];
  const [choice, ...others] = choices;
  if (choice === undefined) throw new InputError({ code: 'live-source-without-lists', url: address.href });
  if (others.length === 0) return choice.id;
  const known = choices
    .slice(0, maxChoices)
    .map(({ path, title }) => `${new URL(path, address).href} (${cleanServerText(title)})`);
  throw new InputError({
    code: 'live-source-ambiguous',
    url: address.href,
    count: choices.length,
    known: known.join(', '),
  });
}

/** In a message. */
const maxChoices = 20;

/** Releases of the system have different fields: those that the server lacks are left out, also from later queries. */
function createQuery({ paging, post, assertNoError }: Connection): Ask {
  const missing = new Set<string>();
  return async (selection) => {
    for (;;) {
      const answer = await post(`{${composeSelection(selection, missing)}}`);
      const unknown = listUnknownFields(answer.value).filter((name) => paging.optional.includes(name));
      const isNews = unknown.some((name) => !missing.has(name));
      if (!isNews) return assertNoError(answer);
      for (const name of unknown) missing.add(name);
    }
  };
}

const composeSelection = (selection: Selection, missing: ReadonlySet<string>): string =>
  Object.entries(selection)
    .filter(([field]) => !missing.has(field.split('(', 1)[0] ?? ''))
    .map(([field, inner]) => (inner === true ? field : `${field}{${composeSelection(inner, missing)}}`))
    .join(' ');

/** Such errors have a code in graphql-ruby. */
function listUnknownFields(answer: unknown): string[] {
  const errors = readValueAtPath(answer, 'errors');
  if (!Array.isArray(errors)) return [];
  const names = errors.map((error) =>
    readValueAtPath(error, 'extensions.code') === 'undefinedField'
      ? readValueAtPath(error, 'extensions.fieldName')
      : undefined,
  );
  return names.every((name) => typeof name === 'string') ? names : [];
}
