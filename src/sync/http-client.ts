/**
 * Asks somebody else's server for JSON: one request at a time with a pause between them, never more than was
 * bargained for, and only where it may.
 */
import { setTimeout } from 'node:timers/promises';
import type { Validator } from '../domain/sync-state.ts';
import { toText } from '../import/formats/oparl/oparl-fields.ts';
import { InputError } from '../import/parsed-record.ts';
import { createSizeCheck, maxTextLength } from '../import/readers/json-limits.ts';

export interface HttpClientOptions {
  /** The address that was given; its origin may be asked. */
  start: URL;
  /** Other hosts that may be asked, as in an address: with their port where it is not the usual one. */
  allowedHosts: readonly string[];
  userAgent: string;
  /** Between two requests, milliseconds. */
  pauseMs: number;
  /** Until an answer is read whole, milliseconds. */
  timeoutMs: number;
  /** In one run, those that were tried again included. */
  maximumRequests: number;
  signal: AbortSignal;
}

export interface Answer extends Validator {
  /** Where it came from after redirects. */
  url: URL;
  /** undefined: not modified since what the condition names. */
  value: unknown;
}

export interface HttpClient {
  /** @throws InputError; `Missing`, `Withheld` and `Failing` where it may be about what lies at this address alone */
  json(url: URL, condition?: Validator): Promise<Answer>;
  /** Whether the server that an address names may be asked. */
  mayAsk(url: URL): boolean;
  /** So far. */
  count(): number;
}

/** The server says that there is nothing at an address, or nothing any more. */
export class NotFoundError extends InputError {}

/**
 * The server does not give what lies at an address: it refuses access, leads elsewhere, or answers with something
 * else. That says nothing about whether it is there.
 */
export class InaccessibleError extends InputError {}

/** The server failed at every attempt. */
export class UpstreamError extends InputError {}

/** Something that may go better at the next attempt. */
class Passing extends Error {
  /** What the server asks for, milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

const maximumRedirects = 5;

/** An answer is an object with a list of records. */
const levelsOfList = 2;

const attempts = 4;

/** Whoever asks us to come back later than that is asked at the next run. */
const longestWaitMs = 120_000;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  let count = 0;

  const paused = async (ms: number) => {
    await setTimeout(ms, undefined, { signal: options.signal });
  };

  async function patiently(url: URL, condition: Validator): Promise<Answer> {
    let waitMs = 5 * options.pauseMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await follow(url, condition);
      } catch (error) {
        options.signal.throwIfAborted();
        if (!(error instanceof Passing)) throw error;
        const { retryAfterMs = waitMs } = error;
        if (retryAfterMs > longestWaitMs) {
          throw new InputError(
            `${error.message}, and asks to wait ${Math.ceil(retryAfterMs / 1_000)} seconds. Try again after that.`,
          );
        }
        if (attempt === attempts)
          throw new UpstreamError(`${error.message}, ${attempts} times. Try again later.`);
        await paused(Math.max(retryAfterMs, options.pauseMs));
        waitMs *= 2;
      }
    }
  }

  async function follow(url: URL, condition: Validator): Promise<Answer> {
    let at = url;
    for (let redirects = 0; redirects <= maximumRedirects; redirects += 1) {
      refuseElsewhere(at, url, options);
      if (count > 0) await paused(options.pauseMs);
      if (count >= options.maximumRequests) {
        throw new InputError(
          `The endpoint takes more than ${options.maximumRequests} requests. If it is that large, allow more with --max-requests.`,
        );
      }
      count += 1;
      const answer = await ask(at, condition, options);
      if (!(answer instanceof URL)) return answer;
      at = answer;
    }
    throw new InaccessibleError(
      `${url} redirects more than ${maximumRedirects} times, the last time to ${at}.`,
    );
  }

  return {
    json: (url, condition = {}) => patiently(secured(url, options), condition),
    mayAsk: (url) => whyNot(secured(url, options), options) === undefined,
    count: () => count,
  };
}

/** Behind a proxy, an endpoint may take itself for one of http in what it names: nothing is asked in the open for that. */
function secured(url: URL, { start }: HttpClientOptions): URL {
  if (url.protocol !== 'http:' || start.protocol !== 'https:' || url.hostname !== start.hostname) return url;
  const own = new URL(start);
  own.pathname = url.pathname;
  own.search = url.search;
  return own;
}

/** @throws Withheld */
function refuseElsewhere(at: URL, from: URL, options: HttpClientOptions): void {
  const problem = whyNot(at, options);
  if (problem === undefined) return;
  throw new InaccessibleError(
    at === from
      ? `${at} is not asked: ${problem}`
      : `${from} redirects to ${at}, which is not asked: ${problem}`,
  );
}

/** Words of a server, fit for a sentence on a terminal. */
export const quoted = (words: unknown): string =>
  `"${toText(words)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
    .slice(0, 200)}"`;

/** Why an address must not be asked: whoever publishes data must not send us around in the operator's own network. */
function whyNot(url: URL, { start, allowedHosts }: HttpClientOptions): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it is neither http nor https.';
  if (url.protocol === 'http:' && start.protocol === 'https:')
    return 'it is http, where the endpoint is https.';
  if (url.username !== '' || url.password !== '') return 'it has a name or password.';
  const isOwn = url.host === start.host || allowedHosts.includes(url.host);
  return isOwn
    ? undefined
    : `it is on another host than the endpoint. If that is meant, add --allow-host ${url.host}`;
}

/** @returns where else to ask, for a redirect */
async function ask(url: URL, condition: Validator, options: HttpClientOptions): Promise<Answer | URL> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: headersOf(condition, options),
      signal: AbortSignal.any([options.signal, timeout]),
    });
    return await answerOf(url, condition, response);
  } catch (error) {
    if (error instanceof InputError || error instanceof Passing || options.signal.aborted) throw error;
    if (timeout.aborted)
      throw new Passing(`${url} did not answer within ${options.timeoutMs / 1_000} seconds`);
    throw connectionProblem(url, error as Error);
  }
}

function headersOf(
  { etag, lastModified }: Validator,
  { userAgent }: HttpClientOptions,
): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': userAgent,
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  };
}

async function answerOf(url: URL, condition: Validator, response: Response): Promise<Answer | URL> {
  const { status, headers } = response;
  const etag = headers.get('etag') ?? undefined;
  const lastModified = headers.get('last-modified') ?? undefined;
  if (status === 200) return { url, value: await jsonOf(url, response), etag, lastModified };
  await response.body?.cancel();
  // Whoever did not ask whether it is modified would take this for an empty list.
  const isConditional = (condition.etag ?? condition.lastModified) !== undefined;
  if (status === 304 && isConditional) return { url, value: undefined, etag, lastModified };
  if ([301, 302, 303, 307, 308].includes(status)) {
    const location = headers.get('location') ?? '';
    if (URL.canParse(location, url)) return new URL(location, url);
    throw new InaccessibleError(`${url} redirects to ${quoted(location)}, which is no address.`);
  }
  if (status === 404 || status === 410) throw new NotFoundError(`There is nothing at ${url} (${status}).`);
  if (status === 401 || status === 403)
    throw new InaccessibleError(`Access to ${url} is refused (${status}).`);
  if (status === 429 || status >= 500)
    throw new Passing(`${url} answered with ${status}`, waitOf(headers.get('retry-after')));
  throw new InaccessibleError(`${url} answered with ${status}, which is no answer to go on with.`);
}

/** Seconds, or a date (RFC 9110, 10.2.3), as milliseconds from now. */
function waitOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const atMs = Date.parse(retryAfter);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now());
}

async function jsonOf(url: URL, { body, headers }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  const sizeProblem = createSizeCheck(levelsOfList);
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxTextLength) throw new InaccessibleError(`${url} answered with more than 64 MiB.`);
    const problem = sizeProblem(chunk);
    if (problem !== undefined) throw new InaccessibleError(`${url} answered with JSON that ${problem}.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    const type = quoted(headers.get('content-type') ?? '');
    throw new InaccessibleError(
      `${url} did not answer with JSON that is whole and in UTF-8 (content type ${type}, ${length} bytes). Is it the address of an OParl endpoint?`,
    );
  }
}

/** Codes of what ends by itself, of Node.js and of its `fetch`. */
const passing =
  /^(ECONN|EPIPE$|ETIMEDOUT$|EAI_AGAIN$|EHOSTUNREACH$|ENETUNREACH$|UND_ERR_(SOCKET|CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT)$)/;

function connectionProblem(url: URL, error: Error): Error {
  const { code = '', message } = (error.cause ?? error) as NodeJS.ErrnoException;
  if (passing.test(code)) return new Passing(`The connection to ${url} failed (${code})`);
  if (code === 'ENOTFOUND')
    return new InputError(`There is no host ${url.hostname}: its name does not resolve.`);
  return new InputError(`${url} cannot be asked: ${message || code || error.message}.`);
}
