/**
 * Pages of lists, and the cursors between them. The signature of a cursor binds it to municipality, list and filters. A cursor
 * contains the sort key of the last row, so it stays valid after the row is deleted. Cursors do not expire.
 *
 * Layout of a cursor before base64url: 1 byte with the length of the id (0 or 16), the id, the sort key in UTF-8, and 16
 * bytes of HMAC-SHA256 over the scope and the preceding bytes.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  documentLists,
  type ListOperationId,
  type OperationId,
  type operations,
  type QueryOf,
} from '../../contract/operations.ts';
import { InvalidParameterError, invalidCursorMessage } from '../../contract/parse-query.ts';
import { parseSearchWords, type SearchWord } from '../../contract/search-words.ts';
import { createDayReader } from '../../domain/records/created-on.ts';
import {
  type Admission,
  type CursorPosition,
  type DocumentPage,
  documentSeparator,
  type ListPageRequest,
  type Store,
} from '../../domain/store.ts';
import { findStartOfDay } from '../../domain/values/timestamps.ts';
import { formatUuid } from '../../domain/values/uuid.ts';
import { resyncRequired } from './responses/errors.ts';

/** What the key of a request gives access to, from its admission. */
export type PageAdmission = Pick<Admission, 'caller' | 'cursorSecrets' | 'page'>;

const opening = Buffer.from('{"data":[');

/**
 * Returns one page in its envelope (specification section 2.7).
 *
 * @param operationId binds the cursor to the list, together with the caller's municipality and the filters
 * @param readPage reads the page after a position, unless the admission has it; without a position, the first page
 * @param present changes the documents
 * @throws InvalidParameterError if the cursor was issued for another list or other filters
 */
export async function paginate(
  { caller: { organizationId }, cursorSecrets, page }: PageAdmission,
  operationId: string,
  filters: CursorScope['filters'],
  cursor: string | undefined,
  readPage: (organizationId: string, after: CursorPosition | undefined) => Promise<DocumentPage>,
  present: (documents: Buffer) => Buffer = (documents) => documents,
): Promise<Buffer> {
  const scope = { organizationId, operationId, filters };
  const after = parseCursor(cursor, scope, cursorSecrets);
  // PostgreSQL may have read the page together with the key. The cursor was verified above, before anything of it is returned.
  const { documents, next } = page ?? (await readPage(organizationId, after));
  const nextCursor = next === undefined ? null : encodeCursor(next, scope, cursorSecrets[0]);
  return wrapPage(present(documents), nextCursor, next !== undefined);
}

/**
 * Returns one page of changes. Its cursor is never null.
 *
 * @throws InvalidParameterError as `paginate`
 * @throws HttpError if the cursor is from another history of the data
 */
export async function paginateChanges(
  store: Store,
  { caller: { organizationId, timeZone }, cursorSecrets }: PageAdmission,
  { cursor, limit, kind, start }: QueryOf<(typeof operations)['listChanges']>,
): Promise<Buffer> {
  if (start !== undefined && cursor !== undefined)
    throw new InvalidParameterError(
      'start',
      'The parameter "start" must not be used together with "cursor", which says where the page begins.',
    );
  const scope = { organizationId, operationId: 'listChanges', filters: { kind } };
  const after = parseCursor(cursor, scope, cursorSecrets);
  const page = await store.listChanges({ organizationId, timeZone, after, limit, kind, start });
  if (page === undefined) throw resyncRequired;
  return wrapPage(page.changes, encodeCursor(page.next, scope, cursorSecrets[0]), page.hasMore);
}

function parseCursor(
  cursor: string | undefined,
  scope: CursorScope,
  secrets: readonly Buffer[],
): CursorPosition | undefined {
  const position = cursor === undefined ? undefined : decodeCursor(cursor, scope, secrets);
  if (cursor !== undefined && position === undefined)
    throw new InvalidParameterError('cursor', invalidCursorMessage);
  return position;
}

function wrapPage(documents: Buffer, nextCursor: string | null, hasMore: boolean): Buffer {
  const pagination = JSON.stringify({ next_cursor: nextCursor, has_more: hasMore });
  return Buffer.concat([opening, documents, Buffer.from(`],"pagination":${pagination}}`)]);
}

/** Adds the local day at the end of each document of a page. The other bytes do not change. */
export function addCreatedOn(documents: Buffer, timeZone: string): Buffer {
  if (documents.length === 0) return documents;
  const readDay = createDayReader(timeZone);
  const found = documents
    .toString('latin1')
    .split(documentSeparator)
    .map((document) => `${document.slice(0, -1)},"createdOn":"${readDay(document)}"}`);
  return Buffer.from(found.join(documentSeparator), 'latin1');
}

/** Parameters of a list. */
export type ListQuery = QueryOf<(typeof operations)[ListOperationId]>;

/** Every request needs them. */
const filters = Object.fromEntries(
  Object.entries(documentLists).map(([operationId, list]) => [operationId, Object.entries(list.filters)]),
) as unknown as Record<ListOperationId, [name: string, field: string][]>;

/**
 * The page of a list after a position.
 *
 * @param timeZone of the municipality; undefined: not known yet
 * @returns undefined if the page depends on an unknown time zone
 */
export function toPageRequest(
  operationId: ListOperationId,
  query: ListQuery,
  after: CursorPosition | undefined,
  timeZone: string | undefined,
): ListPageRequest | undefined {
  const values: Readonly<Record<string, unknown>> = query;
  const days = findDays(operationId, values);
  if (days?.areTimes && timeZone === undefined) return undefined;
  return {
    list: days?.list ?? documentLists[operationId].list,
    filters: filters[operationId].flatMap(([name, field]) => {
      const value = values[name];
      if (value === undefined) return [];
      return [[field, Array.isArray(value) ? value : [value as string]] as const];
    }),
    words: 'words' in query ? readWords(query.words) : undefined,
    isExtended: 'days' in documentLists[operationId],
    range: days && toRange(days, timeZone),
    direction: 'direction' in query ? query.direction : 'desc',
    after,
    limit: query.limit,
  };
}

/** @param text as the parser of queries has accepted it */
const readWords = (text: string | undefined) =>
  text === undefined ? undefined : (parseSearchWords(text) as SearchWord[]);

/** The days of a search. */
interface Days {
  /** In the order of these days. */
  list: ListPageRequest['list'];
  first: string | undefined;
  last: string | undefined;
  /** Whether they are days of timestamps, not of dates. */
  areTimes: boolean;
}

function findDays(operationId: ListOperationId, values: Readonly<Record<string, unknown>>): Days | undefined {
  const searched = documentLists[operationId];
  if (!('days' in searched)) return undefined;
  const orders = [searched, ...('other' in searched ? [searched.other] : [])];
  for (const { list, days } of orders) {
    const [first, last] = [values[`${days.prefix}from`], values[`${days.prefix}to`]] as (
      | string
      | undefined
    )[];
    if (first !== undefined || last !== undefined)
      return { list, first, last, areTimes: days.field !== 'date' };
  }
  return undefined;
}

function toRange({ first, last, areTimes }: Days, timeZone = 'UTC'): ListPageRequest['range'] {
  // A date with this end comes after the date, and before the next one.
  if (!areTimes) return { from: first ?? '', before: `${last ?? ''}~` };
  const findStart = (day: string, daysLater: number) =>
    findStartOfDay(Temporal.PlainDate.from(day).add({ days: daysLater }), timeZone);
  return {
    from: first === undefined ? '' : findStart(first, 0),
    before: last === undefined ? '~' : findStart(last, 1),
  };
}

/** @returns undefined if the store cannot read the response as a page, and for invalid parameters */
export function planPrefetch<Id extends OperationId>(
  operationId: Id,
  readQuery: () => QueryOf<(typeof operations)[Id]>,
): ListPageRequest | undefined {
  if (!isList(operationId)) return undefined;
  try {
    return planPage(operationId, readQuery() as unknown as ListQuery);
  } catch {
    // The request fails with this error after the key and the rate limit are checked.
    return undefined;
  }
}

const isList = (operationId: OperationId): operationId is ListOperationId =>
  Object.hasOwn(documentLists, operationId);

/** @returns undefined for the tally of one submission, for words, local days, several values of a filter, and a malformed cursor */
function planPage(operationId: ListOperationId, query: ListQuery): ListPageRequest | undefined {
  if ('submission_id' in query && query.submission_id !== undefined) return undefined;
  if ('words' in query && query.words !== undefined) return undefined;
  const after = query.cursor === undefined ? undefined : readUncheckedPosition(query.cursor);
  if (query.cursor !== undefined && after === undefined) return undefined;
  const page = toPageRequest(operationId, query, after, undefined);
  return page?.filters.every(([, values]) => values.length === 1) ? page : undefined;
}

/** A cursor is valid in its scope only. `filters` have the order of the contract: another order would invalidate cursors. */
interface CursorScope {
  organizationId: string;
  operationId: string;
  filters: Readonly<Record<string, unknown>>;
}

const idLength = 16;
const signatureLength = 16;

export function encodeCursor({ at, id }: CursorPosition, scope: CursorScope, secret: Buffer): string {
  const idBytes = id === undefined ? Buffer.of() : Buffer.from(id.replaceAll('-', ''), 'hex');
  const payload = Buffer.concat([Buffer.of(idBytes.length), idBytes, Buffer.from(at)]);
  return Buffer.concat([payload, signCursor(payload, scope, secret)]).toString('base64url');
}

/**
 * @param secrets all accepted signing secrets
 * @returns undefined unless `encodeCursor` created the cursor for this scope
 */
function decodeCursor(
  text: string,
  scope: CursorScope,
  secrets: readonly Buffer[],
): CursorPosition | undefined {
  const cursor = Buffer.from(text, 'base64url');
  const payload = cursor.subarray(0, -signatureLength);
  const signature = cursor.subarray(-signatureLength);
  // Node.js skips invalid characters and ignores spare bits, so several texts decode to the same bytes. Only the
  // canonical text is accepted.
  if (cursor.toString('base64url') !== text || payload.length === 0) return undefined;
  if (!secrets.some((secret) => timingSafeEqual(signature, signCursor(payload, scope, secret))))
    return undefined;
  return readPosition(payload);
}

const printable = /^[\x20-\x7e]+$/;

/**
 * Reads a position before the municipality and the secrets are known. `decodeCursor` must accept the cursor before the
 * result of the position is published.
 *
 * @returns undefined if no cursor has this text
 */
function readUncheckedPosition(text: string): CursorPosition | undefined {
  const payload = Buffer.from(text, 'base64url').subarray(0, -signatureLength);
  const position = payload.length > 0 ? readPosition(payload) : undefined;
  return position !== undefined && printable.test(position.at) ? position : undefined;
}

function readPosition(payload: Buffer): CursorPosition {
  const at = 1 + (payload[0] as number);
  const position = { at: payload.toString('utf8', at) };
  return at === 1 ? position : { ...position, id: formatUuid(payload.toString('hex', 1, 1 + idLength)) };
}

function signCursor(
  payload: Buffer,
  { organizationId, operationId, filters }: CursorScope,
  secret: Buffer,
): Buffer {
  // Different scopes have different JSON texts. Missing filters are left out, so that cursors stay valid when a version adds a filter.
  const bound = JSON.stringify([organizationId, operationId, filters]);
  return createHmac('sha256', secret).update(bound).update(payload).digest().subarray(0, signatureLength);
}
