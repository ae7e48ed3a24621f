import { setTimeout } from 'node:timers/promises';
import { createClient } from '../../../../packages/client/src/create-client.ts';
import { RostraError } from '../../../../packages/client/src/rostra-error.ts';
import type { RequestAttempt } from '../../../../packages/client/src/send-request.ts';
import { explainConnectionError } from '../../../domain/installation/explain-connection-error.ts';
import { MirrorError } from '../../mirror/mirror-error.ts';
import { findMirrorFormat, findMirrorTarget, mirrorFormats } from '../../mirror/mirror-paths.ts';
import { type MirrorSummary, updateMirror } from '../../mirror/update-mirror.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { abortOnSignal } from '../../process/shutdown-signals.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand, json, oneOf, option, required, type Values } from '../define-command.ts';
import { runInterruptible } from '../interruptible.ts';
import { readKeyFile } from '../key-file.ts';
import { parseHttpUrl, parseInterval } from '../options/option-parsers.ts';
import { print, printJson } from '../output.ts';
import { createLiveCount } from '../progress-bar.ts';

const mirrorOptions = {
  url: required(option('url', 'URL of the installation, such as https://api.stadt.example')),
  keyFile: required(option('file', 'file that contains the API key; - reads it from standard input')),
  to: required(option('file|directory', 'a mirror, or the file or directory to create')),
  format: oneOf(
    mirrorFormats,
    option(
      'format',
      'format of the mirror (default: sqlite if --to ends in .db, .sqlite or .sqlite3; the format of an existing mirror)',
    ),
  ),
  every: option('time', 'keep running, and update at this interval: 15m, 1h, 1d', parseInterval),
  json,
};

type MirrorFlags = Values<typeof mirrorOptions>;

export const addMirrorCommand = defineCommand({
  name: 'mirror',
  summary: 'keep a local copy of the published data of an installation',
  description:
    'Copies the published data of a municipality into an SQLite database or a directory of CSV or NDJSON files. The first run fetches everything, later runs fetch the changes. Readers see all changes of a run or none. After an interruption, run the same command again: it continues.',
  options: mirrorOptions,
  run: (flags) => (flags.every === undefined ? mirrorOnce(flags) : mirrorPeriodically(flags, flags.every)),
});

type Result = MirrorSummary & { requests: number };

async function mirrorOnce(flags: MirrorFlags): Promise<void> {
  const result = await runInterruptible('Run the same command again to continue.', (signal) =>
    mirror(flags, createKeyReader(flags.keyFile), signal),
  );
  if (flags.json) printJson(result);
  else print(`${flags.to} is up to date: ${describeResult(result)}.`);
}

/** Runs until a signal arrives. Prints the error of a failed run, and tries again at the usual interval. */
async function mirrorPeriodically(flags: MirrorFlags, everyMs: number): Promise<void> {
  const { signal, dispose } = abortOnSignal();
  const readKey = createKeyReader(flags.keyFile);
  const printLine = (values: object, sentence: string) => {
    const at = new Date().toISOString();
    print(flags.json ? JSON.stringify({ at, ...values }) : `${at} ${sentence}`);
  };
  try {
    for (let run = 1; !signal.aborted; run += 1) {
      try {
        const result = await mirror(flags, readKey, signal);
        printLine(result, `done: ${describeResult(result)}`);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof CommandError)) throw error;
        // Later, a key file can be empty for a moment while the key is replaced.
        if (run === 1 && error.exitCode === exitCodes.usage) throw error;
        printLine({ error: error.message }, `failed: ${error.message}`);
      }
      await setTimeout(everyMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    dispose();
  }
}

/** @throws CommandError for expected errors */
async function mirror(
  flags: MirrorFlags,
  readKey: () => Promise<string>,
  signal: AbortSignal,
): Promise<Result> {
  const url = parseHttpUrl(flags.url).href;
  const format = flags.format ?? findMirrorFormat(flags.to);
  if (format === undefined) {
    throw new CommandError(
      `The format of ${flags.to} is unclear. For a directory, add --format csv or --format ndjson; for SQLite, choose a file that ends in .db.`,
      exitCodes.usage,
    );
  }
  const apiKey = await readKey();
  const progress = createLiveCount('objects');
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
    throw toCommandError(error, flags);
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

/** A file is read for each run, so a rotated key needs no restart. */
function createKeyReader(file: string): () => Promise<string> {
  let input: Promise<string> | undefined;
  return async () => {
    if (file === '-') input ??= readKeyFile(file);
    const key = await (input ?? readKeyFile(file));
    if (/^[!-~]+$/.test(key)) return key;
    throw new CommandError(
      `${file === '-' ? 'Standard input' : file} must contain an API key and nothing else.`,
      exitCodes.usage,
    );
  };
}

/** @returns the error itself if it is a defect */
function toCommandError(error: unknown, flags: MirrorFlags): unknown {
  if (error instanceof MirrorError) return new CommandError(error.message);
  if (error instanceof RostraError) return new CommandError(describeRequestError(error, flags));
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(code)) {
    return new CommandError(
      `The disk is full. The mirror is unchanged. Free space beside ${flags.to}, then run the same command again to continue.`,
    );
  }
  const isFileError = /^(E[A-Z]+|SQLITE_[A-Z_]+)$/.test(code);
  return isFileError ? new CommandError(`${flags.to} cannot be written: ${message}.`) : error;
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
