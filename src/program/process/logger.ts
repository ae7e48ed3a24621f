import cluster from 'node:cluster';
import { type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { LogStream } from '../../web/api/responses/send-response.ts';
import type { Config } from '../config/settings.ts';
import { createBufferedStandardError } from './buffered-standard-error.ts';
import { exitCodes } from './exit-codes.ts';

/** The log of a process, in lines of JSON or in text for people. */
export interface Log {
  log: Logger;
  /** The stream that `log` writes its lines to. */
  stream: LogStream;
  /** Writes the buffered lines; waits for a slow reader for eight seconds at most. Later lines are lost. */
  close(): Promise<void>;
}

/**
 * Logs to standard error, because standard output is for the results of commands. If several processes share it, each
 * line has the process ID and is written as a whole.
 */
export function createLogger({
  logLevel,
  logFormat,
  workers,
}: Pick<Config, 'logLevel' | 'logFormat' | 'workers'>): Log {
  const isShared = workers > 1;
  const destination = createBufferedStandardError(isShared);
  const stream = isText(logFormat) ? createTextStream(destination.stream, isTerminal()) : destination.stream;
  const log = createPino(logLevel, isShared, stream);
  destination.onDroppedLines((lines) => log.error({ lines }, 'log lines were dropped: the log was not read'));
  return { log, stream, close: destination.close };
}

/**
 * A log for errors that prevent the start, which occur before `createLogger` or after `close`.
 *
 * @param write writes to standard error
 * @returns undefined if the log is text: such errors need no time and no level
 */
export function createStartLog(
  logFormat: Config['logFormat'],
  write: (line: string) => void,
): Logger | undefined {
  return isText(logFormat) ? undefined : createPino('warn', cluster.isWorker, { write });
}

const isTerminal = () => process.stderr.isTTY === true;

const isText = (logFormat: Config['logFormat']) =>
  logFormat === 'text' || (logFormat === 'auto' && isTerminal());

const createPino = (level: Config['logLevel'], isShared: boolean, stream: LogStream): Logger =>
  pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Not `pid`: the access log copies its fields from `bindings()`, which omits that name.
      base: isShared ? { processId: process.pid } : null,
    },
    stream,
  );

/**
 * Logs errors that no code handles, which Node.js would print as text, and then exits: the state of the process is
 * unknown.
 *
 * @returns restores the behaviour of Node.js
 */
export function exitOnUncaughtError({ log, close }: Log): () => void {
  let isExiting = false;
  const onError = async (error: unknown) => {
    if (isExiting) return;
    isExiting = true;
    log.fatal({ err: error }, 'uncaught error, exiting');
    await close();
    process.exit(exitCodes.failure);
  };
  process.on('uncaughtException', onError);
  return () => void process.off('uncaughtException', onError);
}

/** Logs warnings of Node.js and of libraries, such as deprecations, which Node.js would print as text. */
export function logProcessWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { code?: string }) =>
    log.warn({ err: warning, code: warning.code }, `${warning.name}: ${warning.message}`),
  );
}

function createTextStream(stream: LogStream, colorize: boolean): LogStream {
  const format = prettyFactory({ colorize });
  return { write: (line) => void stream.write(format(line)) };
}
