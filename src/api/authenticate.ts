import type { IncomingMessage } from 'node:http';
import { hashKey, isWellFormedKey } from '../domain/api-key.ts';
import type { AccessStore, Admission } from '../domain/store.ts';
import { HttpError } from './errors.ts';
import { headerValues } from './headers.ts';

/** RFC 9110, 11.4: one or more spaces, and no tabs, between scheme and token. */
const credentials = /^Bearer +([0-9A-Za-z_]+)$/i;

/**
 * Who asks (specification section 5). Looking the key up and taking the request from its window is one step of
 * the store's, so that neither can happen without the other.
 *
 * @throws Failure 401, the same for a key that is missing, malformed, unknown, revoked or expired
 */
export async function authenticate(request: IncomingMessage, access: AccessStore): Promise<Admission> {
  const key = bearerToken(request);
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

/** Whether a key is presented, whatever it is worth. */
export const presentsKey = ({ headers }: IncomingMessage) => headers.authorization !== undefined;

/** Of two Authorization headers we cannot know which one a proxy in front has checked. */
function bearerToken(request: IncomingMessage): string | undefined {
  const [authorization, ...others] = headerValues(request, 'authorization');
  if (authorization === undefined || others.length > 0) return undefined;
  return credentials.exec(authorization)?.[1];
}
