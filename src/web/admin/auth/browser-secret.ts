/** The secret in the browser's cookie, and the CSRF token and other secrets that are derived from it. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const generateSecret = () => randomBytes(32).toString('base64url');

/** The CSRF token of every form of a browser. */
export function createFormToken(token: string): string {
  return deriveSecret(token, 'form').toString('base64url');
}

export function isValidFormToken(token: string, given: string): boolean {
  const expected = Buffer.from(createFormToken(token));
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** 32 bytes that only this browser and the server can derive; the store has only a hash of the browser's secret. */
export function deriveSecret(token: string, purpose: string): Buffer {
  return createHmac('sha256', token).update(purpose).digest();
}
