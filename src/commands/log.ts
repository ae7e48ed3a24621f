import { destination, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/settings.ts';
import type { LogStream } from '../http/request-log.ts';

const standardError = 2;

/** A pipe takes so many bytes whole or not at all (POSIX, PIPE_BUF), whoever else writes to it. */
const wholeBytes = 4_096;

export interface Log {
  log: Logger;
  /** Where `log` writes its lines to. */
  stream: LogStream;
}

/**
 * Logs go to standard error, so that standard output stays free for what a command prints. Where several processes
 * share it, each line says whose it is, and none is cut in two.
 */
export function createLog({
  logLevel,
  logFormat,
  workers,
}: Pick<Config, 'logLevel' | 'logFormat' | 'workers'>): Log {
  const shared = workers > 1;
  const text = logFormat === 'text' || (logFormat === 'auto' && process.stderr.isTTY === true);
  const stream = text
    ? pretty({
        destination: standardError,
        colorize: process.stderr.isTTY === true,
        sync: true,
      })
    : destination({ dest: standardError, sync: false, ...(shared && { maxWrite: wholeBytes }) });
  const log = pino(
    {
      level: logLevel,
      timestamp: pino.stdTimeFunctions.isoTime,
      base: shared ? { process: process.pid } : null,
    },
    stream,
  );
  return { log, stream };
}
