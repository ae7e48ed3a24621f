/** One GET request with retries. It uses only what Node.js 20, browsers, Deno and Bun share. */
import type { ErrorCode } from './contract-types.ts';
import { RostraError } from './rostra-error.ts';

export interface ClientOptions {
  /** URL of the installation, with or without `/api/v1`. */
  baseUrl: string;
  apiKey: string;
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Is called after every attempt, for logs and metrics. */
  onRequest?: ((attempt: RequestAttempt) => void) | undefined;
  /** Retries of one request after 429, 502, 503, 504 and network errors. Default: 6, which outlasts a restart of 30 seconds. */
  maxRetries?: number | undefined;
  /** The longest wait before a retry. If the server asks for more, the request fails. Default: one hour. */
  maxRetryDelayMs?: number | undefined;
  /** Timeout of one attempt, up to the end of the response. Default: one minute. */
  timeoutMs?: number | undefined;
  /** Aborts all requests and waits of the client. */
  signal?: AbortSignal | undefined;
}

/** One attempt of a request, successful or not. */
export interface RequestAttempt {
  url: string;
  /** From 1. */
  attempt: number;
  durationMs: number;
  /** HTTP status; undefined without a response. */
  status: number | undefined;
  /** Identifies the request in the log of the installation. */
  requestId: string | undefined;
  /** The error of a failed attempt. */
  error: RostraError | undefined;
  /** The wait before the next attempt; undefined if this was the last one. */
  retryDelayMs: number | undefined;
}

const temporaryStatuses = [429, 502, 503, 504];

/**
 * @param field every body of this operation has it; other bodies are errors
 * @returns the body of a response with the status 200
 * @throws RostraError; the reason of the signal if it aborts
 */
export async function sendRequest(
  url: string,
  field: string,
  options: ClientOptions,
  signal: AbortSignal,
): Promise<unknown> {
  const { onRequest, maxRetries = 6, maxRetryDelayMs = 3_600_000 } = options;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    const startedAtMs = performance.now();
    const { response, body, error } = await sendOnce(url, field, options, signal);
    const retryDelayMs =
      error && attempt <= maxRetries ? chooseDelay(error, attempt, maxRetryDelayMs) : undefined;
    onRequest?.({
      url,
      attempt,
      durationMs: performance.now() - startedAtMs,
      status: response?.status,
      requestId: response?.headers.get('x-request-id') ?? undefined,
      error,
      retryDelayMs,
    });
    if (error === undefined) return body;
    if (retryDelayMs === undefined) throw error;
    await wait(retryDelayMs, signal);
  }
}

interface Attempt {
  response?: Response;
  body?: unknown;
  error?: RostraError;
}

async function sendOnce(
  url: string,
  field: string,
  { apiKey, fetch = globalThis.fetch, timeoutMs = 60_000 }: ClientOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${apiKey}` },
      // A redirect would send the key elsewhere.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const body = parseJson(await response.text());
    if (response.status === 200 && body?.[field] !== undefined) return { response, body };
    return { response, error: createResponseError(url, response, body) };
  } catch (cause) {
    signal.throwIfAborted();
    return { error: createNetworkError(url, cause) };
  }
}

/** @returns undefined unless the text is a JSON object: proxies send other errors */
function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' ? (value ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

function createResponseError(
  url: string,
  { status, headers }: Response,
  body: Record<string, unknown> = {},
): RostraError {
  const requestId = headers.get('x-request-id') ?? undefined;
  const details = { url, status, requestId, retryAfterSeconds: parseRetryAfter(headers.get('retry-after')) };
  if (typeof body.error === 'string' && typeof body.code === 'string')
    return new RostraError(body.error, { ...details, code: body.code as ErrorCode });
  const message = `HTTP ${status}, but not a response of this API.`;
  // Proxies send other bodies while the service does not run.
  return status >= 500 || status === 429
    ? new RostraError(message, { ...details, code: 'UNAVAILABLE' })
    : new RostraError(`${message} Check the URL.`, { ...details, code: 'INVALID_RESPONSE' });
}

/** Node.js puts the reason into the cause of "fetch failed". */
function createNetworkError(url: string, cause: unknown): RostraError {
  const error = cause as Error & { cause?: { message?: string; code?: string } };
  const reason = error.cause?.message || error.cause?.code || error.message;
  return new RostraError(`The request failed: ${reason}.`, { code: 'NETWORK_ERROR', url, cause });
}

/** @returns seconds, from a number or a date (RFC 9110, section 10.2.3) */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

const firstDelayMs = 500;

/** @returns undefined if the error is permanent, or if the server asks for more than the maximum */
function chooseDelay(
  { status, retryAfterSeconds }: RostraError,
  attempt: number,
  maxDelayMs: number,
): number | undefined {
  if (status !== undefined && !temporaryStatuses.includes(status)) return undefined;
  const retryAfterMs = 1_000 * (retryAfterSeconds ?? 0);
  if (retryAfterMs > maxDelayMs) return undefined;
  // A window of the rate limit ends at a known time.
  if (status === 429 && retryAfterSeconds !== undefined) return retryAfterMs;
  // The random part keeps clients that failed together from returning together. A server that restarts asks for short waits only.
  const delayMs = firstDelayMs * 2 ** (attempt - 1) * (1 + Math.random());
  return Math.min(Math.max(delayMs, retryAfterMs), maxDelayMs);
}

function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
