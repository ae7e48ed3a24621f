import { InvalidParameterError, invalidCursorMessage } from '../contract/parse-query.ts';
import { type CursorPosition, type CursorScope, decodeCursor, encodeCursor } from '../domain/cursor.ts';
import type { Admission, DocumentPage } from '../domain/store.ts';

const opening = Buffer.from('{"data":[');

/**
 * Returns one page in its envelope (specification section 2.7).
 *
 * @param operationId binds the cursor to the list, together with the caller's municipality and the filters
 * @param readPage reads the page after a position; without a position, the first page
 * @throws InvalidParameterError if the cursor was issued for another list or other filters
 */
export async function paginate(
  { caller: { organizationId }, cursorSecrets }: Admission,
  operationId: string,
  filters: CursorScope['filters'],
  cursor: string | undefined,
  readPage: (organizationId: string, after: CursorPosition | undefined) => Promise<DocumentPage>,
): Promise<Buffer> {
  const scope = { organizationId, operationId, filters };
  const after = cursor === undefined ? undefined : decodeCursor(cursor, scope, cursorSecrets);
  if (cursor !== undefined && after === undefined) throw new InvalidParameterError(invalidCursorMessage);
  const { documents, next } = await readPage(organizationId, after);
  const nextCursor = next === undefined ? null : encodeCursor(next, scope, cursorSecrets[0]);
  const pagination = JSON.stringify({ next_cursor: nextCursor, has_more: next !== undefined });
  return Buffer.concat([opening, documents, Buffer.from(`],"pagination":${pagination}}`)]);
}
