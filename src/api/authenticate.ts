import type { IncomingMessage } from 'node:http';
import { hashKey, isWellFormedKey } from '../domain/api-key.ts';
import type { AccessStore, Admission } from '../domain/store.ts';
import { HttpError } from './errors.ts';
import { readHeaderValues } from './headers.ts';

/** RFC 9110, 11.4: one or more spaces, but no tab, separate scheme and token. */
const credentials = /^Bearer +([0-9A-Za-z_]+)$/i;

/**
 * Finds the caller (specification section 5). The store looks up the key and counts the request in one step, so that
 * neither can happen without the other.
 *
 * @throws HttpError 401, the same for missing, malformed, unknown, revoked and expired keys
 */
export async function authenticate(request: IncomingMessage, access: AccessStore): Promise<Admission> {
  const key = readBearerToken(request);
  if (key === undefined || !isWellFormedKey(key)) throw unauthorized;
  const admission = await access.admit(hashKey(key));
  if (admission === undefined) throw unauthorized;
  return admission;
}

const unauthorized = new HttpError(
  401,
  'A valid API key is required: send it as "Authorization: Bearer <API_KEY>".',
  ['www-authenticate', 'Bearer'],
);

/** Whether the request has a key, valid or not. */
export const presentsKey = ({ headers }: IncomingMessage) => headers.authorization !== undefined;

/** Rejects a request with two Authorization headers: a proxy may have checked either of them. */
function readBearerToken(request: IncomingMessage): string | undefined {
  const [authorization, ...others] = readHeaderValues(request, 'authorization');
  if (authorization === undefined || others.length > 0) return undefined;
  return credentials.exec(authorization)?.[1];
}
