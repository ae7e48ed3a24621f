/**
 * HTTP requests of sources. They reach public addresses only, so that a URL that somebody enters cannot make the server
 * request services of the operator's own network. The check applies to the address of the connection, after DNS.
 */

import { type LookupAddress, lookup as resolve } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { HostRefusal } from '../../domain/reasons/en/sources.ts';
import { type Reason, ReasonError } from '../../domain/reasons/reason.ts';
import { createAddressCheck, isPublicAddress } from '../../domain/values/ip-ranges.ts';
import { InputError } from '../input-error.ts';

interface GuardedRequest {
  headers: Readonly<Record<string, string>>;
  /** Of a POST request; undefined: a GET request. */
  body?: string | undefined;
  signal: AbortSignal;
}

/** Does not follow redirects. Decodes gzip. @throws InputError for a forbidden address; otherwise errors of Node.js */
export type GuardedFetch = (url: URL, request: GuardedRequest) => Promise<Response>;

class ForbiddenAddressError extends ReasonError {}

const isUnknownName = ({ code }: NodeJS.ErrnoException) => code === 'ENOTFOUND' || code === 'ENODATA';

/** @param allowedNetworks addresses and ranges of the own network that sources may be requested from, also with http */
export function createGuardedFetch(allowedNetworks: readonly string[]): GuardedFetch {
  const isAllowedNetwork = createAddressCheck(allowedNetworks);

  const createForbidden = (needsTls: boolean, refusal: HostRefusal) =>
    new ForbiddenAddressError({ code: needsTls ? 'url-in-private-network' : 'url-unencrypted', refusal });

  const assertAddress = (address: string, needsTls: boolean) => {
    if (!isAllowedNetwork(address) && !(needsTls && isPublicAddress(address)))
      throw createForbidden(needsTls, 'private');
  };

  const createLookup =
    (needsTls: boolean): LookupFunction =>
    (hostname, options, callback) => {
      resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
        // Some resolvers answer with another failure than ENOTFOUND for names of the own network.
        if (error !== null)
          return callback(createForbidden(needsTls, isUnknownName(error) ? 'unknown' : 'unanswered'), []);
        try {
          for (const { address } of addresses) assertAddress(address, needsTls);
        } catch (problem) {
          return callback(problem as Error, []);
        }
        const [first] = addresses;
        return options.all ? callback(null, addresses) : callback(null, first?.address ?? '', first?.family);
      });
    };

  const httpAgent = new HttpAgent({ keepAlive: true, lookup: createLookup(false) });
  const httpsAgent = new HttpsAgent({ keepAlive: true, lookup: createLookup(true) });

  return async (url, { headers, body, signal }) => {
    const isEncrypted = url.protocol === 'https:';
    if (!isEncrypted && url.protocol !== 'http:') throw createRefusal(url, { code: 'url-not-http' });
    if (url.username !== '' || url.password !== '') throw createRefusal(url, { code: 'url-has-password' });
    try {
      // Connections to an IP address look nothing up.
      const host = url.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0) assertAddress(host, isEncrypted);
      const method = body === undefined ? 'GET' : 'POST';
      const options = { method, headers: { ...headers, 'accept-encoding': 'gzip' }, signal };
      const response = await new Promise<IncomingMessage>((resolved, rejected) => {
        const request = isEncrypted
          ? httpsRequest(url, { ...options, agent: httpsAgent }, resolved)
          : httpRequest(url, { ...options, agent: httpAgent }, resolved);
        request.on('error', rejected).end(body);
      });
      return toResponse(response, signal);
    } catch (error) {
      throw error instanceof ForbiddenAddressError ? createRefusal(url, error.reason) : error;
    }
  };
}

/** The message is stored and shown, so it does not contain a password. */
function createRefusal(url: URL, problem: Reason): InputError {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return new InputError({ code: 'address-not-requested', url: shown.href, problem });
}

const statusesWithoutBody = [204, 205, 304];

function toResponse(message: IncomingMessage, signal: AbortSignal): Response {
  const { statusCode: status = 0 } = message;
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  if (statusesWithoutBody.includes(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  const isGzip = headers.get('content-encoding') === 'gzip';
  const body = isGzip ? decodeGzip(message) : message;
  return new Response(Readable.toWeb(body, { signal } as object) as ReadableStream, { status, headers });
}

function decodeGzip(message: IncomingMessage): Readable {
  const gunzip = createGunzip();
  message.on('error', (error) => gunzip.destroy(error));
  gunzip.on('close', () => message.destroy());
  return message.pipe(gunzip);
}
