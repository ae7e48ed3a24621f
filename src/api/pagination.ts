/**
 * Pages of lists, and the cursors between them. The signature of a cursor binds it to municipality, list and filters. A cursor
 * contains the sort key of the last row, so it stays valid after the row is deleted. Cursors do not expire.
 *
 * Layout of a cursor before base64url: 1 byte with the length of the id (0 or 16), the id, the sort key as text, and 16 bytes
 * of HMAC-SHA256 over the scope and the preceding bytes.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  documentLists,
  type ListOperationId,
  type OperationId,
  type operations,
  type QueryOf,
} from '../contract/operations.ts';
import { InvalidParameterError, invalidCursorMessage } from '../contract/parse-query.ts';
import type { Admission, CursorPosition, DocumentPage, ListPageRequest, Store } from '../domain/store.ts';
import { formatUuid } from '../domain/uuid.ts';
import { resyncRequired } from './errors.ts';

/** What the key of a request gives access to, from its admission. */
export type PageAdmission = Pick<Admission, 'caller' | 'cursorSecrets' | 'page'>;

const opening = Buffer.from('{"data":[');

/**
 * Returns one page in its envelope (specification section 2.7).
 *
 * @param operationId binds the cursor to the list, together with the caller's municipality and the filters
 * @param readPage reads the page after a position, unless the admission has it; without a position, the first page
 * @throws InvalidParameterError if the cursor was issued for another list or other filters
 */
export async function paginate(
  { caller: { organizationId }, cursorSecrets, page }: PageAdmission,
  operationId: string,
  filters: CursorScope['filters'],
  cursor: string | undefined,
  readPage: (organizationId: string, after: CursorPosition | undefined) => Promise<DocumentPage>,
): Promise<Buffer> {
  const scope = { organizationId, operationId, filters };
  const after = parseCursor(cursor, scope, cursorSecrets);
  // PostgreSQL may have read the page together with the key. The cursor was verified above, before anything of it is returned.
  const { documents, next } = page ?? (await readPage(organizationId, after));
  const nextCursor = next === undefined ? null : encodeCursor(next, scope, cursorSecrets[0]);
  return wrapPage(documents, nextCursor, next !== undefined);
}

/**
 * Returns one page of changes. Its cursor is never null.
 *
 * @throws InvalidParameterError as `paginate`
 * @throws HttpError if the cursor is from another history of the data
 */
export async function paginateChanges(
  store: Store,
  { caller: { organizationId }, cursorSecrets }: PageAdmission,
  cursor: string | undefined,
  limit: number,
): Promise<Buffer> {
  const scope = { organizationId, operationId: 'listChanges', filters: [] };
  const after = parseCursor(cursor, scope, cursorSecrets);
  const page = await store.listChanges({ organizationId, after, limit });
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

/** Parameters of a list. */
export type ListQuery = QueryOf<(typeof operations)[ListOperationId]>;

/** Every request needs them. */
const filters = Object.fromEntries(
  Object.entries(documentLists).map(([operationId, list]) => [operationId, Object.entries(list.filters)]),
) as unknown as Record<ListOperationId, [name: string, field: string][]>;

/** The page of a list after a position. */
export function toPageRequest(
  operationId: ListOperationId,
  query: ListQuery,
  after: CursorPosition | undefined,
): ListPageRequest {
  const values: Readonly<Record<string, unknown>> = query;
  return {
    list: documentLists[operationId].list,
    filters: filters[operationId].flatMap(([name, field]) => {
      const value = values[name];
      return typeof value === 'string' ? [[field, value] as const] : [];
    }),
    after,
    limit: query.limit,
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

/** @returns undefined for the tally of one submission, and for a malformed cursor */
function planPage(operationId: ListOperationId, query: ListQuery): ListPageRequest | undefined {
  if ('submission_id' in query && query.submission_id !== undefined) return undefined;
  if (query.cursor === undefined) return toPageRequest(operationId, query, undefined);
  const after = readUncheckedPosition(query.cursor);
  return after && toPageRequest(operationId, query, after);
}

/** A cursor is valid in its scope only. `filters` have the order of the contract; missing filters are undefined. */
interface CursorScope {
  organizationId: string;
  operationId: string;
  filters: readonly (string | undefined)[];
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
  const position = { at: payload.toString('latin1', at) };
  return at === 1 ? position : { ...position, id: formatUuid(payload.toString('hex', 1, 1 + idLength)) };
}

function signCursor(
  payload: Buffer,
  { organizationId, operationId, filters }: CursorScope,
  secret: Buffer,
): Buffer {
  // Different scopes have different JSON texts. A missing filter is null there.
  const bound = JSON.stringify([organizationId, operationId, ...filters]);
  return createHmac('sha256', secret).update(bound).update(payload).digest().subarray(0, signatureLength);
}
