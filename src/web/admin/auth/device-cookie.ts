/**
 * Device cookies (OWASP): a browser that has signed in with an account gets a signed cookie, and with it a separate limit of
 * attempts, which strangers cannot use up.
 *
 * A cookie consists of a nonce and its HMAC-SHA256. The key is the account's password hash, which is secret and contains a
 * random salt. So a new password invalidates all earlier cookies, and nothing has to be stored.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CredentialStore } from '../../../domain/accounts/account.ts';
import { isEmail } from '../../../domain/values/name-and-email-validation.ts';
import type { PageContext } from '../requests/page-context.ts';
import { unusableHash } from './password-hash.ts';

/** The maximum that browsers accept (RFC 6265bis). */
const maxAgeSeconds = 400 * 86_400;

const cookiePattern = /^([\w-]{22})\.([\w-]{43})$/;

/** One cookie per account, since several people may share a browser. */
function cookieName(email: string): string {
  const digest = hash('sha256', email);
  return `__Host-rostra-device-${digest.slice(0, 16)}`;
}

const sign = (nonce: string, accountId: string, passwordHash: string) =>
  createHmac('sha256', passwordHash).update(`device cookie ${accountId} ${nonce}`).digest();

/** Sets a device cookie after a login with all factors. Accounts without a password need none. */
export async function issueDeviceCookie(
  store: CredentialStore,
  context: PageContext,
  email: string,
): Promise<void> {
  const { account, passwordHash } = (await store.findCredentials(email)) ?? {};
  if (account === undefined || !passwordHash) return;
  const nonce = randomBytes(16).toString('base64url');
  const signature = sign(nonce, account.id, passwordHash).toString('base64url');
  context.setCookie(cookieName(email), `${nonce}.${signature}`, maxAgeSeconds);
}

/** @returns the nonce of a valid cookie; undefined for a browser that has not signed in with this account */
export async function findDevice(
  store: CredentialStore,
  context: PageContext,
  email: string,
): Promise<string | undefined> {
  const [, nonce, signature] = cookiePattern.exec(context.cookie(cookieName(email)) ?? '') ?? [];
  if (nonce === undefined || signature === undefined || !isEmail(email)) return undefined;
  const { account, passwordHash } = (await store.findCredentials(email)) ?? {};
  const expected = sign(nonce, account?.id ?? '', passwordHash ?? unusableHash);
  const isValid = timingSafeEqual(expected, Buffer.from(signature, 'base64url'));
  return isValid && passwordHash ? nonce : undefined;
}
