/**
 * An HTTP client for JSON of external servers: one request at a time with a pause between requests, a limit on requests
 * per run, and requests only to allowed hosts.
 */

import { setTimeout } from 'node:timers/promises';
import { type Reason, ReasonError } from '../../domain/reasons/reason.ts';
import type { Validator } from '../../domain/sources/import-source.ts';
import { isCertificateCode } from '../../domain/values/explain-network-error.ts';
import { type FormatOptions, getDefault, type OptionValues, requestOptions } from '../format-options.ts';
import { InputError } from '../input-error.ts';
import { createSizeCheck, maxTextLength } from '../readers/json/json-limits.ts';
import { keepDigits, mayLoseDigits } from '../readers/json/json-numbers.ts';
import type { RunSettings } from '../run-settings.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import type { PortalCredential } from './portal-credential.ts';

interface HttpClientOptions {
  /** Requests to its host are allowed. */
  start: URL;
  /** Further allowed hosts, as in a URL: with a port unless it is the default one. */
  allowedHosts: readonly string[];
  userAgent: string;
  /** Between two requests. */
  pauseMs: number;
  /** Until the end of the response body. */
  timeoutMs: number;
  /** Per run, including retries. */
  maxRequests: number;
  credential?: PortalCredential | undefined;
  /** Default: the one of Node.js. */
  fetch?: GuardedFetch | undefined;
  signal: AbortSignal;
}

interface JsonResponse extends Validator {
  /** After redirects. */
  url: URL;
  /** undefined: not modified since the version of the validator. */
  value: unknown;
}

export interface HttpClient {
  /**
   * @param validator makes the request conditional
   * @throws InputError; `NotFoundError`, `InaccessibleError` and `UpstreamError` if other URLs may still work
   */
  getJson(url: URL, validator?: Validator): Promise<JsonResponse>;
  /** A request that changes nothing, such as a query of GraphQL. @throws as `getJson` */
  postJson(url: URL, body: unknown): Promise<JsonResponse>;
  /** Whether requests to a URL are allowed. */
  isAllowed(url: URL): boolean;
  /** So far. */
  countRequests(): number;
  /** The text of a server for messages on a terminal, without control characters and without the key of the portal. */
  cleanText(text: string): string;
}

/** The object does not exist, or no longer exists. */
export class NotFoundError extends InputError {}

/** The server denies access, redirects to a forbidden host, or sends another response. The object may still exist. */
export class InaccessibleError extends InputError {}

/** The server failed at every attempt. */
export class UpstreamError extends InputError {}

/** The next attempt may succeed. */
class RetryableError extends ReasonError {
  /** As the server requests. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: Reason, retryAfterMs?: number) {
    super(reason);
    this.retryAfterMs = retryAfterMs;
  }
}

const maxRedirects = 5;

export const redirectStatuses = [301, 302, 303, 307, 308];

/** A response is an object with a list of records. */
const listLevels = 2;

const maxAttempts = 4;

/** If the server requests a longer wait, the next run tries again. */
const maxRetryAfterMs = 120_000;

interface Conditions {
  validator: Validator;
  /** JSON; undefined: a GET request. */
  body?: string;
}

function createHttpClient(options: HttpClientOptions): HttpClient {
  let count = 0;

  const pause = (ms: number) => setTimeout(ms, undefined, { signal: options.signal });

  async function sendWithRetry(url: URL, conditions: Conditions): Promise<JsonResponse> {
    let backoffMs = 5 * options.pauseMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await followRedirects(url, (next) => request(next, url, conditions));
      } catch (error) {
        options.signal.throwIfAborted();
        if (!(error instanceof RetryableError)) throw error;
        const { retryAfterMs = backoffMs } = error;
        if (retryAfterMs > maxRetryAfterMs) {
          throw new InputError({
            code: 'pause-requested',
            problem: error.reason,
            seconds: Math.ceil(retryAfterMs / 1_000),
          });
        }
        if (attempt === maxAttempts)
          throw new UpstreamError({
            code: 'attempts-failed',
            problem: error.reason,
            attempts: maxAttempts,
          });
        await pause(Math.max(retryAfterMs, options.pauseMs));
        backoffMs *= 2;
      }
    }
  }

  async function request(url: URL, from: URL, conditions: Conditions): Promise<JsonResponse | URL> {
    assertAllowed(url, from, options);
    if (count > 0) await pause(options.pauseMs);
    if (count >= options.maxRequests) {
      throw new InputError({ code: 'endpoint-too-many-requests', max: options.maxRequests });
    }
    count += 1;
    return sendRequest(url, conditions, options);
  }

  /** The key of a portal is in no URL that others see. */
  async function send(url: URL, conditions: Conditions): Promise<JsonResponse> {
    const { credential } = options;
    try {
      return await sendWithRetry(upgradeToHttps(credential?.removeFrom(url) ?? url, options), conditions);
    } catch (error) {
      throw credential?.maskError(error) ?? error;
    }
  }

  return {
    getJson: (url, validator = {}) => send(url, { validator }),
    postJson: (url, body) => send(url, { validator: {}, body: JSON.stringify(body) }),
    isAllowed: (url) => findUrlProblem(upgradeToHttps(url, options), options) === undefined,
    countRequests: () => count,
    cleanText: (text) => cleanText(text, options),
  };
}

/** @param request returns the URL of a redirect, or the result @throws InaccessibleError for too many redirects */
export async function followRedirects<Result>(
  from: URL,
  request: (url: URL) => Promise<Result | URL>,
): Promise<Result> {
  let url = from;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const result = await request(url);
    if (!(result instanceof URL)) return result;
    url = result;
  }
  throw new InaccessibleError({
    code: 'redirects-too-often',
    from: from.href,
    url: url.href,
    max: maxRedirects,
  });
}

/** Of one request of a source. */
const maxSourceTimeoutMs = 60_000;

/**
 * As the options of a source say.
 *
 * @param allowedHosts see `HttpClientOptions`
 */
export function createSourceClient(
  start: URL,
  formatOptions: FormatOptions,
  {
    settings: { downloadTimeout },
    isOneAnswer = false,
    defaultPauseMs = getDefault(requestOptions.pause),
    ...options
  }: Pick<HttpClientOptions, 'userAgent' | 'fetch' | 'signal' | 'credential'> & {
    settings: Pick<RunSettings, 'downloadTimeout'>;
    /** One answer has all data of the source, so it may take as long as a file. */
    isOneAnswer?: boolean;
    /** Unless the source has another one. */
    defaultPauseMs?: number | undefined;
  },
  allowedHosts: readonly string[] = [],
): HttpClient {
  const { pause, maxRequests } = formatOptions as OptionValues<typeof requestOptions>;
  return createHttpClient({
    ...options,
    start,
    allowedHosts,
    pauseMs: pause ?? defaultPauseMs,
    maxRequests: maxRequests ?? getDefault(requestOptions.maxRequests),
    timeoutMs: isOneAnswer ? downloadTimeout : Math.min(maxSourceTimeoutMs, downloadTimeout),
  });
}

/** Endpoints behind a proxy may use http in their own URLs. They must not cause unencrypted requests. */
function upgradeToHttps(url: URL, { start }: HttpClientOptions): URL {
  if (url.protocol !== 'http:' || start.protocol !== 'https:' || url.hostname !== start.hostname) return url;
  const upgraded = new URL(start);
  upgraded.pathname = url.pathname;
  upgraded.search = url.search;
  return upgraded;
}

/** @throws InaccessibleError */
function assertAllowed(url: URL, from: URL, options: HttpClientOptions): void {
  const problem = findUrlProblem(url, options);
  if (problem === undefined) return;
  throw new InaccessibleError(
    url === from
      ? { code: 'address-not-requested', url: url.href, problem }
      : { code: 'redirect-not-requested', from: from.href, url: url.href, problem },
  );
}

/** The text of a server for messages on a terminal, without control characters. */
export const cleanServerText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced
  text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ').slice(0, 200);

/** Masks the key before the text is truncated, which could leave a part of it. */
const cleanText = (text: string, { credential }: HttpClientOptions): string =>
  cleanServerText(credential?.maskText(text) ?? text);

/** The data of an endpoint must not cause requests inside the operator's network. */
function findUrlProblem(url: URL, { start, allowedHosts }: HttpClientOptions): Reason | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { code: 'url-not-http' };
  if (url.protocol === 'http:' && start.protocol === 'https:') return { code: 'url-less-encrypted' };
  if (url.username !== '' || url.password !== '') return { code: 'url-has-password' };
  const isAllowed = url.host === start.host || allowedHosts.includes(url.host);
  return isAllowed ? undefined : { code: 'url-on-other-host', host: url.host };
}

const fetchWithoutRedirects: GuardedFetch = (url, { body = null, ...request }) =>
  fetch(url, { ...request, body, method: body === null ? 'GET' : 'POST', redirect: 'manual' });

/** @returns the URL of a redirect, or the response */
async function sendRequest(
  url: URL,
  { validator, body }: Conditions,
  options: HttpClientOptions,
): Promise<JsonResponse | URL> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  try {
    const send = options.fetch ?? fetchWithoutRedirects;
    const sent = options.credential?.addTo(url) ?? { url, headers: {} };
    const response = await send(sent.url, {
      headers: {
        ...sent.headers,
        accept: 'application/json',
        'user-agent': options.userAgent,
        ...(validator.etag === undefined ? {} : { 'if-none-match': validator.etag }),
        ...(validator.lastModified === undefined ? {} : { 'if-modified-since': validator.lastModified }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body,
      signal: AbortSignal.any([options.signal, timeout]),
    });
    return await readResponse(url, validator, response, options);
  } catch (error) {
    if (error instanceof InputError || error instanceof RetryableError || options.signal.aborted) throw error;
    if (timeout.aborted)
      throw new RetryableError({
        code: 'address-silent',
        url: url.href,
        seconds: options.timeoutMs / 1_000,
      });
    throw toConnectionError(url, error as Error);
  }
}

async function readResponse(
  url: URL,
  validator: Validator,
  response: Response,
  options: HttpClientOptions,
): Promise<JsonResponse | URL> {
  const { status, headers } = response;
  const etag = headers.get('etag') ?? undefined;
  const lastModified = headers.get('last-modified') ?? undefined;
  if (status === 200) return { url, value: await readJsonBody(url, response, options), etag, lastModified };
  const isRefusal = status >= 400 && status < 500 && status !== 429;
  const sentence = isRefusal ? await readErrorSentence(response, options) : undefined;
  await response.body?.cancel();
  // As the response to an unconditional request, 304 would look like an empty list.
  const isConditional = (validator.etag ?? validator.lastModified) !== undefined;
  if (status === 304 && isConditional) return { url, value: undefined, etag, lastModified };
  if (redirectStatuses.includes(status)) {
    const location = headers.get('location');
    const next = location === null ? null : URL.parse(location, url);
    if (next !== null) return options.credential?.removeFrom(next) ?? next;
    throw new InaccessibleError({
      code: 'redirect-invalid',
      url: url.href,
      text: cleanText(location ?? '', options),
    });
  }
  const code = findStatusCode(status);
  if (code === 'address-missing') throw new NotFoundError({ code, url: url.href, status });
  if (code === 'address-denied') throw new InaccessibleError({ code, url: url.href, status });
  if (sentence !== undefined)
    throw new InaccessibleError({ code: 'address-refuses', url: url.href, status, text: sentence });
  if (code === 'address-fails')
    throw new RetryableError(
      { code: 'address-answers-with', url: url.href, status },
      parseRetryAfterMs(headers.get('retry-after')),
    );
  throw new InaccessibleError({ code, url: url.href, status });
}

/** What a status means for a source: RFC 9110, section 15, and RFC 6585 for 429. */
export function findStatusCode(status: number) {
  if (status === 404 || status === 410) return 'address-missing';
  if (status === 401 || status === 403) return 'address-denied';
  return status === 429 || status >= 500 ? 'address-fails' : 'address-status-unexpected';
}

/** Bytes. */
const maxErrorLength = 10_000;

/** @returns the sentence of an error in JSON, as most APIs have it */
async function readErrorSentence(
  { body }: Response,
  options: HttpClientOptions,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxErrorLength) return undefined;
  }
  try {
    const answer = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    // Open311 returns a list of errors.
    const { message, error, description } = Array.isArray(answer) ? answer[0] : answer;
    const found = message ?? error?.message ?? description;
    return typeof found === 'string' ? cleanText(found, options) : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function parseRetryAfterMs(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const atMs = Date.parse(retryAfter);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now());
}

async function readJsonBody(
  url: URL,
  { body, headers }: Response,
  options: HttpClientOptions,
): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  const findSizeProblem = createSizeCheck(listLevels);
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxTextLength)
      throw new InaccessibleError({ code: 'endpoint-answer-too-large', url: url.href });
    const problem = findSizeProblem(chunk);
    if (problem !== undefined)
      throw new InaccessibleError({ code: 'endpoint-answer-malformed', url: url.href, problem });
    chunks.push(chunk);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    return mayLoseDigits(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    const type = cleanText(headers.get('content-type') ?? '', options);
    throw new InaccessibleError({ code: 'endpoint-answer-not-json', url: url.href, type, bytes: length });
  }
}

/** Error codes of Node.js and of its `fetch`. */
const retryableCodes =
  /^(ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|UND_ERR_(SOCKET|CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT)$)/;

function toConnectionError(url: URL, error: Error): Error {
  const { code = '', message } = (error.cause ?? error) as NodeJS.ErrnoException;
  if (code === 'EAI_AGAIN') return new RetryableError({ code: 'name-server-silent', host: url.hostname });
  if (retryableCodes.test(code))
    return new RetryableError({ code: 'connection-failed', url: url.href, detail: code });
  if (code === 'ENOTFOUND') return new InputError({ code: 'host-unknown', host: url.hostname });
  return createRequestError(url, code, message || code || error.message);
}

/** @param code of an error of OpenSSL or Node.js */
export const createRequestError = (url: URL, code: string, detail: string): InputError =>
  isCertificateCode(code)
    ? new InputError({ code: 'certificate-untrusted', host: url.host, detail: code })
    : new InputError({ code: 'request-failed', url: url.href, detail });
