/** Downloads a source to a temporary file, with conditional requests and bounds on size and time. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SourceValidators } from '../../domain/sources/import-source.ts';
import { InputError } from '../input-error.ts';
import type { TimeRange } from '../pipeline/missing-records.ts';
import { isWebPage } from '../readers/unsupported-formats.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import {
  cleanServerText,
  createRequestError,
  findStatusCode,
  followRedirects,
  redirectStatuses,
} from './http-client.ts';

export interface DownloadOptions {
  fetch: GuardedFetch;
  userAgent: string;
  /** Of the decoded content. */
  maxBytes: number;
  /** Until the end of the content. */
  timeoutMs: number;
  /** Of the content that was read last; empty: the request is unconditional. */
  validators: SourceValidators;
  signal: AbortSignal;
}

export interface Download {
  /** undefined: the content is that of the validators. */
  file: { path: string; size: number } | undefined;
  /** Number of records that the server of a live source counts. */
  total?: number | undefined;
  /** Whether the file lacks records that the source has. */
  isPartial?: boolean;
  /** Of the records that the file has all, also if it is partial; undefined: all times, unless it is partial. */
  completeTimes?: readonly TimeRange[];
  /** Whether only changed records were requested. */
  isExcerpt?: boolean;
  /** Whether a live source returned no records. */
  isEmpty?: boolean;
  /** Whether a column of the mapping is missing from all changed records. */
  lacksColumn?: boolean;
  validators: SourceValidators;
  /** Deletes the file. */
  remove(): Promise<void>;
}

const folderPrefix = 'rostra-source-';

/** The caller removes it. */
export const createDownloadFolder = (): Promise<string> => mkdtemp(join(tmpdir(), folderPrefix));

/** @throws InputError with an English sentence that names the URL, or the reason of an abort */
export async function downloadFile(url: URL, options: DownloadOptions): Promise<Download> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  try {
    return await followRedirects(url, (next) => request(next, url, { ...options, signal }));
  } catch (error) {
    options.signal.throwIfAborted();
    if (timeout.aborted)
      throw new InputError({
        code: 'address-slow',
        url: url.href,
        seconds: options.timeoutMs / 1_000,
      });
    throw error instanceof InputError ? error : toDownloadError(url, error as Error);
  }
}

/** @returns the URL of a redirect, or the content */
async function request(url: URL, from: URL, options: DownloadOptions): Promise<Download | URL> {
  const { etag, lastModified } = options.validators;
  const response = await options.fetch(url, {
    headers: {
      accept: '*/*',
      'user-agent': options.userAgent,
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
    },
    signal: options.signal,
  });
  const location = response.headers.get('location');
  if (!redirectStatuses.includes(response.status) || location === null)
    return receive(from, response, options);
  await response.body?.cancel();
  if (!URL.canParse(location, url))
    throw new InputError({
      code: 'redirect-invalid',
      url: url.href,
      text: cleanServerText(location),
    });
  const next = new URL(location, url);
  if (url.protocol === 'https:' && next.protocol !== 'https:')
    throw new InputError({
      code: 'redirect-not-requested',
      from: url.href,
      url: next.href,
      problem: { code: 'url-not-encrypted' },
    });
  return next;
}

async function receive(url: URL, response: Response, options: DownloadOptions): Promise<Download> {
  const { status, headers } = response;
  const { validators } = options;
  const isConditional = (validators.etag ?? validators.lastModified) !== undefined;
  const unchanged = { file: undefined, remove: async () => undefined };
  if (status === 304 && isConditional) return { ...unchanged, validators };
  if (status !== 200) {
    await response.body?.cancel();
    throw new InputError({ code: findStatusCode(status), url: url.href, status });
  }
  const folder = await createDownloadFolder();
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'content');
    const { size, digest } = await writeContent(url, response, path, options);
    const current = {
      etag: headers.get('etag') ?? undefined,
      lastModified: headers.get('last-modified') ?? undefined,
      digest,
    };
    if (digest !== validators.digest) return { file: { path, size }, validators: current, remove };
    await remove();
    return { ...unchanged, validators: current };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function writeContent(
  url: URL,
  { body }: Response,
  path: string,
  { maxBytes, signal }: DownloadOptions,
): Promise<{ size: number; digest: string }> {
  const hash = createHash('sha256');
  let size = 0;
  async function* check(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      if (size === 0) assertNoWebPage(url, chunk);
      size += chunk.length;
      assertDownloadSize(url, size, maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(body ?? [], check, createWriteStream(path, { mode: 0o600 }), { signal });
  if (size === 0) throw new InputError({ code: 'address-without-content', url: url.href });
  return { size, digest: hash.digest('hex') };
}

/** Portals answer with a page for people if a file was moved, or needs a login. Declared types are often wrong. */
function assertNoWebPage(url: URL, chunk: Uint8Array): void {
  if (isWebPage(new TextDecoder().decode(chunk.subarray(0, 2_000))))
    throw new InputError({ code: 'address-is-web-page', url: url.href });
}

/** @throws InputError */
export function assertDownloadSize(url: URL, size: number, maxBytes: number): void {
  if (size > maxBytes)
    throw new InputError({
      code: 'address-too-large',
      url: url.href,
      mebibytes: Math.floor(maxBytes / 1_048_576),
    });
}

export function toDownloadError(url: URL, error: Error): Error {
  const { code = '', message } = (error.cause ?? error) as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new InputError({ code: 'address-not-stored', url: url.href });
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new InputError({ code: 'connection-closed', url: url.href });
  return createRequestError(url, code, message || code);
}

const maxFolderAgeMs = 86_400_000;

/** Deletes downloads and other files of imports that a killed process left behind. */
export async function removeAbandonedDownloads(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (!/^rostra-(?:source|import)-/.test(name)) continue;
    const folder = join(tmpdir(), name);
    const modifiedMs = (await stat(folder).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (Date.now() - modifiedMs > maxFolderAgeMs)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
