import { InvalidParameterError, invalidCursorMessage } from '../contract/parse-query.ts';
import { type CursorPosition, type CursorScope, decodeCursor, encodeCursor } from '../domain/cursor.ts';
import type { Admission, DocumentPage, Store } from '../domain/store.ts';
import { resyncRequired } from './errors.ts';

/** What the key of a request gives access to, from its admission. */
export type AccessGrant = Pick<Admission, 'caller' | 'cursorSecrets' | 'page'>;

const opening = Buffer.from('{"data":[');

/**
 * Returns one page in its envelope (specification section 2.7).
 *
 * @param operationId binds the cursor to the list, together with the caller's municipality and the filters
 * @param readPage reads the page after a position, unless the admission has it; without a position, the first page
 * @throws InvalidParameterError if the cursor was issued for another list or other filters
 */
export async function paginate(
  { caller: { organizationId }, cursorSecrets, page }: AccessGrant,
  operationId: string,
  filters: CursorScope['filters'],
  cursor: string | undefined,
  readPage: (organizationId: string, after: CursorPosition | undefined) => Promise<DocumentPage>,
): Promise<Buffer> {
  const scope = { organizationId, operationId, filters };
  const after = parseCursor(cursor, scope, cursorSecrets);
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
  { caller: { organizationId }, cursorSecrets }: AccessGrant,
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
  if (cursor !== undefined && position === undefined) throw new InvalidParameterError(invalidCursorMessage);
  return position;
}

function wrapPage(documents: Buffer, nextCursor: string | null, hasMore: boolean): Buffer {
  const pagination = JSON.stringify({ next_cursor: nextCursor, has_more: hasMore });
  return Buffer.concat([opening, documents, Buffer.from(`],"pagination":${pagination}}`)]);
}
