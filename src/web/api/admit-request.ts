import type { IncomingMessage } from 'node:http';
import { bearerChallenge } from '../../contract/openapi-headers-and-errors.ts';
import { hashKey, isWellFormedKey } from '../../domain/keys/api-key.ts';
import { unknownOperation } from '../../domain/keys/key-usage.ts';
import type { AccessStore, Admission, PagePrefetch } from '../../domain/store.ts';
import type { RequestContext } from './request-context.ts';
import {
  createRetryError,
  HttpError,
  headerTooLarge,
  maxUriBytes,
  notAPath,
  uriTooLong,
} from './responses/errors.ts';

/** RFC 9110, 11.4: one or more spaces, but no tab, separate scheme and token. */
const credentials = /^Bearer +([0-9A-Za-z_]+)$/i;

const unauthorized = new HttpError(
  401,
  'A valid API key is required: send it as "Authorization: Bearer <API_KEY>".',
  ['www-authenticate', bearerChallenge],
);

/** @returns the SHA-256 of the key. @throws HttpError 401 for a missing or malformed key */
export function readKeyHash(request: IncomingMessage): Buffer {
  const key = readBearerToken(request);
  if (key === undefined || !isWellFormedKey(key)) throw unauthorized;
  return hashKey(key);
}

/**
 * Authenticates a request and counts it against the rate limit of its key (specification sections 5 and 8). The store
 * does both in one step, so that neither can happen without the other.
 *
 * @param prefetch the page that the store may read together with the key
 * @throws HttpError 401, the same for missing, malformed, unknown, revoked and expired keys; 429
 */
export async function admitRequest(
  context: Pick<RequestContext, 'request' | 'operation' | 'admission'>,
  access: AccessStore,
  secretHash = readKeyHash(context.request),
  prefetch?: PagePrefetch,
): Promise<Admission> {
  const admission = await access.admit(secretHash, prefetch);
  if (admission === undefined) {
    access.recordInactiveKey(secretHash, context.operation ?? unknownOperation);
    throw unauthorized;
  }
  context.admission = admission;
  if (admission.isRateLimited) throw createRateLimitError(admission);
  return admission;
}

/** Rejects a request with two Authorization headers: a proxy may have checked either of them. */
function readBearerToken(request: IncomingMessage): string | undefined {
  const values = readHeaderValues(request, 'authorization');
  return values.length === 1 ? credentials.exec(values[0] as string)?.[1] : undefined;
}

function createRateLimitError({ window, nowMs }: Admission): HttpError {
  const seconds = Math.max(1, Math.ceil((window.resetAtMs - nowMs) / 1000));
  return createRetryError(429, 'The rate limit of this key is exhausted', seconds);
}

/** URL and header fields together. */
export const maxHeaderBytes = 16_384;

/**
 * Limit of the parser. It counts the URL and the header fields together and does not report which one is too long, so
 * it accepts more, and `findRequestHeadError` decides. Above this limit the status is 431.
 */
export const maxParsedHeaderBytes = 8 * maxHeaderBytes;

const oneHostRequired = new HttpError(400, 'The request must have exactly one Host header.');
const invalidHost = new HttpError(400, 'The Host header must be a host name with an optional port.');
const fragmentInUrl = new HttpError(
  400,
  'The URL of the request must not have a fragment: "#" in a value is "%23".',
);
const unsupportedCoding = new HttpError(400, 'The only supported transfer coding is "chunked".');

/** An origin-form or an absolute-form (RFC 9112, 3.2). */
export const isRequestTarget = (url: string) => url.startsWith('/') || /^https?:\/\//i.test(url);

/** `uri-host [ ":" port ]` (RFC 9110, 7.2), which is not empty for the scheme http. */
const isHost = (host: string) => /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/i.test(host);

/** Finds the reason to reject a request whatever its URL (RFC 9112). */
export function findRequestHeadError(request: IncomingMessage): HttpError | undefined {
  const { url = '', rawHeaders, headers, httpVersion } = request;
  if (url.length > maxUriBytes) return uriTooLong;
  let bytes = url.length;
  for (const part of rawHeaders) bytes += part.length;
  if (bytes >= maxHeaderBytes) return headerTooLarge;
  if (!isRequestTarget(url)) return notAPath;
  if (url.includes('#')) return fragmentInUrl;
  const hosts = readHeaderValues(request, 'host');
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) return oneHostRequired;
  if (hosts.length === 1 && !isHost(hosts[0] as string)) return invalidHost;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return unsupportedCoding;
  return undefined;
}

/** Whether the request has a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export const isContinueExpected = ({ headers }: IncomingMessage): boolean =>
  headers.expect?.toLowerCase() === '100-continue';

/** All values of a header. For some headers, `request.headers` silently drops repeated values. */
function readHeaderValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const rawName = rawHeaders[index] as string;
    if (rawName.length === name.length && rawName.toLowerCase() === name)
      values.push(rawHeaders[index + 1] as string);
  }
  return values;
}
