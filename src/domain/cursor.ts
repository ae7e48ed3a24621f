/**
 * Cursors of paginated lists. The signature binds a cursor to municipality, list and filters. A cursor contains the sort
 * key of the last row, so it stays valid after the row is deleted. Cursors do not expire.
 *
 * Layout before base64url: 1 byte with the length of the id (0 or 16), the id, the sort key as text, and 16 bytes of
 * HMAC-SHA256 over the scope and the preceding bytes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { formatUuid } from './uuid.ts';

/**
 * Position after a row of a list. `at` is the published timestamp or date, `id` the UUID of the row. Without `id`, the
 * position is after all rows with this time. In the list of changes, `at` is the sequence number of the change, and `id`
 * the UUID of the history that numbered it.
 */
export interface CursorPosition {
  at: string;
  id?: string;
}

/** A cursor is valid in its scope only. `filters` have the order of the contract; missing filters are undefined. */
export interface CursorScope {
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
export function decodeCursor(
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
export function readUncheckedPosition(text: string): CursorPosition | undefined {
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
