/**
 * Cursors: where a list goes on, signed so that a client can neither make one nor move it to another
 * municipality, list or filter. A cursor names the sort key of the last row given, not the row itself, so it
 * outlives that row.
 *
 * Layout before base64url: one byte with the length of the id, 0 or 16; the id; the sort key as text; 16 bytes of
 * HMAC-SHA256 over the scope and all that stands before it. No expiry.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Behind a row of a list: `at` is the list's timestamp or date as published, `id` the row's UUID in lower case.
 * Without an id behind all rows of that time, as there were no more of them.
 */
export interface CursorPosition {
  at: string;
  id?: string;
}

/** What a cursor is bound to. `filters` are in the order of the contract, absent ones undefined. */
export interface CursorScope {
  organizationId: string;
  operationId: string;
  filters: readonly (string | undefined)[];
}

const idLength = 16;
const signatureLength = 16;

export function encodeCursor({ at, id }: CursorPosition, scope: CursorScope, secret: Buffer): string {
  const idBytes = Buffer.from((id ?? '').replaceAll('-', ''), 'hex');
  const payload = Buffer.concat([Buffer.of(idBytes.length), idBytes, Buffer.from(at)]);
  return Buffer.concat([payload, sign(payload, scope, secret)]).toString('base64url');
}

/**
 * @param secrets every signing secret that is still accepted
 * @returns the position, or undefined for anything that `encodeCursor` did not make for this scope
 */
export function decodeCursor(
  text: string,
  scope: CursorScope,
  secrets: readonly Buffer[],
): CursorPosition | undefined {
  const cursor = Buffer.from(text, 'base64url');
  // Node skips characters that are not base64url and ignores spare bits, so several texts decode to the same
  // bytes. Only the one we would write ourselves is accepted.
  if (cursor.toString('base64url') !== text || cursor.length <= signatureLength) return undefined;
  const payload = cursor.subarray(0, -signatureLength);
  const signature = cursor.subarray(-signatureLength);
  if (!secrets.some((secret) => timingSafeEqual(signature, sign(payload, scope, secret)))) return undefined;
  const at = 1 + (payload[0] as number);
  const position = { at: payload.toString('latin1', at) };
  return at === 1 ? position : { ...position, id: uuidText(payload.toString('hex', 1, 1 + idLength)) };
}

function sign(
  payload: Buffer,
  { organizationId, operationId, filters }: CursorScope,
  secret: Buffer,
): Buffer {
  // JSON keeps the parts apart: no two different scopes have the same text.
  const bound = JSON.stringify([organizationId, operationId, ...filters.map((value) => value ?? null)]);
  return createHmac('sha256', secret).update(bound).update(payload).digest().subarray(0, signatureLength);
}

function uuidText(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
