/** Keeps a mirror up to date, once or at an interval, and says how it went. */
import { setTimeout } from 'node:timers/promises';
import { explainConnectionError } from '../../../src/domain/values/explain-network-error.ts';
import { readKeyFile } from '../../../src/platform/key-file.ts';
import { createLiveCount } from '../../../src/platform/terminal-output.ts';
import { createClient } from '../../client/src/create-client.ts';
import { RostraError } from '../../client/src/rostra-error.ts';
import type { RequestAttempt } from '../../client/src/send-request.ts';
import { MirrorError, MirrorUsageError } from './mirror-error.ts';
import type { MirrorFlags } from './mirror-options.ts';
import { findMirrorFormat, findMirrorTarget } from './mirror-paths.ts';
import { type MirrorSummary, updateMirror } from './update-mirror.ts';

export interface MirrorHost {
  /** Ends the work. */
  signal: AbortSignal;
  stdin: NodeJS.ReadableStream;
  /** Whether people watch the messages. */
  isTerminal: boolean;
  /** Prints a line of the result. */
  print(line: string): void;
  /** Prints a line for people. */
  printError(line: string): void;
}

type Result = MirrorSummary & { requests: number };

/**
 * With `every`, it runs until the signal is aborted, prints the error of a failed run, and tries again at the usual interval.
 *
 * @throws MirrorError for expected errors; the reason of the signal, without `every`
 */
export async function runMirror(flags: MirrorFlags, host: MirrorHost): Promise<void> {
  const readKey = createKeyReader(flags.keyFile, host);
  if (flags.every !== undefined) return mirrorPeriodically(flags, flags.every, readKey, host);
  const result = await mirror(flags, readKey, host);
  host.print(
    flags.json ? JSON.stringify(result, null, 2) : `${flags.to} is up to date: ${describeResult(result)}.`,
  );
}

async function mirrorPeriodically(
  flags: MirrorFlags,
  everyMs: number,
  readKey: () => Promise<string>,
  host: MirrorHost,
): Promise<void> {
  const { signal } = host;
  const printLine = (values: object, sentence: string) => {
    const at = new Date().toISOString();
    host.print(flags.json ? JSON.stringify({ at, ...values }) : `${at} ${sentence}`);
  };
  for (let run = 1; !signal.aborted; run += 1) {
    try {
      const result = await mirror(flags, readKey, host);
      printLine(result, `done: ${describeResult(result)}`);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof MirrorError)) throw error;
      // Later, a key file can be empty for a moment while the key is replaced.
      if (run === 1 && error instanceof MirrorUsageError) throw error;
      printLine({ error: error.message }, `failed: ${error.message}`);
    }
    await setTimeout(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

async function mirror(
  flags: MirrorFlags,
  readKey: () => Promise<string>,
  { signal, isTerminal, printError }: MirrorHost,
): Promise<Result> {
  const url = parseHttpUrl(flags.url).href;
  const format = flags.format ?? findMirrorFormat(flags.to);
  if (format === undefined)
    throw new MirrorUsageError(
      `The format of ${flags.to} is unclear. For a directory, add --format csv or --format ndjson; for SQLite, choose a file that ends in .db.`,
    );
  const apiKey = await readKey();
  const progress = createLiveCount('objects', isTerminal, printError);
  let requests = 0;
  const onRequest = (attempt: RequestAttempt) => {
    requests += 1;
    const notice = describeWait(attempt);
    if (notice !== undefined) progress.print(notice);
  };
  try {
    const target = findMirrorTarget(flags.to, format);
    const client = createClient({ baseUrl: url, apiKey, onRequest, maxRetryDelayMs });
    const summary = await updateMirror(client, target, {
      url,
      signal,
      onProgress: progress.set,
      onNotice: progress.print,
    });
    return { ...summary, requests };
  } catch (error) {
    signal.throwIfAborted();
    throw toMirrorError(error, flags);
  } finally {
    progress.stop();
  }
}

/** The longest rate limit window of an installation. */
const maxRetryDelayMs = 86_400_000;

/** Shorter waits are not worth a line. */
const minNoticeDelayMs = 2_000;

function describeWait({ error, retryDelayMs = 0 }: RequestAttempt): string | undefined {
  if (error === undefined || retryDelayMs < minNoticeDelayMs) return undefined;
  return `${error.message} The next attempt is in ${Math.ceil(retryDelayMs / 1_000)} seconds.`;
}

function describeResult({ changed, deleted, requests, submissions, sessions, surveys }: Result): string {
  return `${changed} new or changed, ${deleted} deleted, ${requests} requests; ${submissions} submissions, ${sessions} sessions, ${surveys} surveys`;
}

function parseHttpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol))
    throw new MirrorUsageError(`"${text}" is not an http or https URL.`);
  if (url.username === '' && url.password === '') return url;
  throw new MirrorUsageError(
    'The URL must not contain a user name or password, because it is stored and shown.',
  );
}

/** A file is read for each run, so a rotated key needs no restart. */
function createKeyReader(file: string, { stdin, printError }: MirrorHost): () => Promise<string> {
  const read = () =>
    readKeyFile(file, stdin, printError).catch((error: Error) => {
      throw new MirrorUsageError(error.message);
    });
  let input: Promise<string> | undefined;
  return async () => {
    if (file === '-') input ??= read();
    const key = await (input ?? read());
    if (/^[!-~]+$/.test(key)) return key;
    throw new MirrorUsageError(
      `${file === '-' ? 'Standard input' : file} must contain an API key and nothing else.`,
    );
  };
}

/** @returns the error itself if it is a defect */
function toMirrorError(error: unknown, flags: MirrorFlags): unknown {
  if (error instanceof MirrorError) return error;
  if (error instanceof RostraError) return new MirrorError(describeRequestError(error, flags));
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(code))
    return new MirrorError(
      `The disk is full. The mirror is unchanged. Free space beside ${flags.to}, then run the same command again to continue.`,
    );
  const isFileError = /^(E[A-Z]+|SQLITE_[A-Z_]+)$/.test(code);
  return isFileError ? new MirrorError(`${flags.to} cannot be written: ${message}.`) : error;
}

function describeRequestError(error: RostraError, { url, keyFile }: MirrorFlags): string {
  const { code, status, message, requestId } = error;
  if (code === 'UNAUTHORIZED')
    return `The installation rejects the API key in ${keyFile}: it is unknown, expired or revoked. Ask the municipality for another key.`;
  if (code === 'NOT_FOUND' || code === 'INVALID_RESPONSE')
    return `${url} is not the URL of this API: it returns HTTP ${status}, but not a response of the API. Check --url.`;
  const remedy = 'Run the same command again to continue.';
  if (code === 'NETWORK_ERROR')
    return `${url} cannot be reached. ${explainConnectionError(message.replace(/\.$/, ''), error)}. ${remedy}`;
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  return `The installation cannot answer${request}: ${message} ${remedy}`;
}
