import { InvalidParameterError, invalidCursorMessage } from '../contract/query-parameters.ts';
import { type CursorPosition, type CursorScope, decodeCursor, encodeCursor } from '../domain/cursor.ts';
import type { Admission, Page } from '../domain/store.ts';

const opening = Buffer.from('{"data":[');

/**
 * One page in its envelope (specification section 2.7).
 *
 * @param secrets those that the request was admitted with
 * @param fetch reads the page that follows the position, or the first one
 * @throws ParameterProblem for a cursor that was not given out for this scope
 */
export async function paginate(
  secrets: Admission['cursorSecrets'],
  scope: CursorScope,
  cursor: string | undefined,
  fetch: (after: CursorPosition | undefined) => Promise<Page>,
): Promise<Buffer> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, scope, secrets);
  if (cursor !== undefined && after === undefined) throw new InvalidParameterError(invalidCursorMessage);
  const { documents, next } = await fetch(after);
  const nextCursor = next === undefined ? null : encodeCursor(next, scope, secrets[0]);
  const pagination = JSON.stringify({ next_cursor: nextCursor, has_more: next !== undefined });
  return Buffer.concat([opening, documents, Buffer.from(`],"pagination":${pagination}}`)]);
}
