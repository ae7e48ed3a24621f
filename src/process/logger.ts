import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import sonicBoom from 'sonic-boom';
import type { LogStream } from '../api/access-log.ts';
import type { Config } from '../config/settings.ts';

const standardError = 2;

/** A pipe takes so many bytes whole or not at all (POSIX, PIPE_BUF), whoever else writes to it. */
const wholeBytes = 4_096;

/** Lines wait in memory up to this size while nobody reads them, about 15,000 requests; further lines are dropped. */
const maxBufferedBytes = 4 * 1024 * 1024;

/** At the end of the process, a reader who takes nothing for this long is not waited for. */
const lastFlushMs = 1_000;

/** A slow reader is waited for this many times as long at most. */
const maxFlushes = 8;

/** A write into a full pipe is tried again after this time. */
const retryMs = 100;

export interface Log {
  log: Logger;
  /** Where `log` writes its lines to. */
  stream: LogStream;
  /** Writes the lines that wait, while somebody reads them, for eight seconds at most. Lines logged after it are lost. */
  close(): Promise<void>;
}

/**
 * Logs go to standard error, so that standard output stays free for what a command prints. Where several processes
 * share it, each line says whose it is, and none is cut in two.
 */
export function createLogger({
  logLevel,
  logFormat,
  workers,
}: Pick<Config, 'logLevel' | 'logFormat' | 'workers'>): Log {
  const shared = workers > 1;
  const isTerminal = process.stderr.isTTY === true;
  const destination = createDestination(shared);
  const stream =
    logFormat === 'text' || (logFormat === 'auto' && isTerminal)
      ? { write: writeAsText(destination.stream, isTerminal) }
      : destination.stream;
  const log = pino(
    {
      level: logLevel,
      timestamp: pino.stdTimeFunctions.isoTime,
      base: shared ? { process: process.pid } : null,
    },
    stream,
  );
  destination.onLoss((lines) => log.error({ lines }, 'log lines were dropped: nobody read the log'));
  return { log, stream, close: destination.close };
}

function writeAsText(stream: LogStream, colorize: boolean): LogStream['write'] {
  const format = prettyFactory({ colorize });
  return (line) => void stream.write(format(line));
}

interface Destination {
  stream: LogStream;
  /** @param report is given the number of lines that were dropped since its last call, once nothing waits any more */
  onLoss(report: (lines: number) => void): void;
  close(): Promise<void>;
}

function createDestination(shared: boolean): Destination {
  let state: 'open' | 'blocked' | 'failed' | 'closed' = 'open';
  let dropped = 0;
  let written = 0;
  let report: (lines: number) => void = () => undefined;
  const stream = new sonicBoom.SonicBoom({
    fd: standardError,
    sync: false,
    maxLength: maxBufferedBytes,
    // It would retry without `refuseToWait`.
    retryEAGAIN: () => false,
    ...(shared && { maxWrite: wholeBytes }),
  });
  // Its type does not name the property.
  const hasEnded = () => (stream as { destroyed?: boolean }).destroyed === true;
  const write = (text: string) => {
    if (state === 'closed' || hasEnded()) return;
    // The supervisor of workers logs when they start and end.
    if (state === 'blocked' || (shared && cluster.isPrimary)) refuseToWait();
    stream.write(text);
  };
  const reportLoss = () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    report(lines);
  };
  stream.on('write', (bytes: number) => {
    written += bytes;
  });
  stream.on('drop', () => {
    dropped += 1;
  });
  stream.on('drain', () => {
    state = 'open';
    reportLoss();
  });
  // A full or closed pipe or a full disk must not end the service. Where it is not full, the next line is the next attempt.
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (state === 'closed') return;
    state = code === 'EAGAIN' ? 'blocked' : 'failed';
    if (state === 'blocked') delay(() => write(''), retryMs).unref();
  });
  return {
    stream: { write },
    onLoss: (listener) => {
      report = listener;
    },
    close: async () => {
      reportLoss();
      if (state === 'failed') return;
      refuseToWait();
      const closed = new Promise<void>((resolve) => stream.once('close', resolve));
      stream.end();
      for (let before = -1, rounds = 0; written > before && rounds < maxFlushes; rounds += 1) {
        before = written;
        if (await isWithin(lastFlushMs, closed)) return;
      }
      const failed = new Promise<void>((resolve) => stream.once('error', () => resolve()));
      // Node.js waits for a write under way before it exits, however long the reader takes.
      if (!(await isWithin(lastFlushMs, Promise.race([closed, failed]))))
        process.kill(process.pid, 'SIGKILL');
      state = 'closed';
      stream.destroy();
    },
  };
}

/**
 * Has a write into a full pipe fail at once. Node.js undoes this for all processes that share the pipe when one of
 * them starts or ends.
 */
function refuseToWait(): void {
  const { _handle: handle } = process.stderr as { _handle?: { setBlocking?(blocking: boolean): void } };
  handle?.setBlocking?.(false);
}

async function isWithin(ms: number, work: Promise<void>): Promise<boolean> {
  const over = new AbortController();
  const late = setTimeout(ms, false, { signal: over.signal });
  return Promise.race([work.then(() => true), late]).finally(() => over.abort());
}
