import { type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { LogStream } from '../api/access-log.ts';
import type { Config } from '../config/settings.ts';
import { createLogDestination } from './log-destination.ts';

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
  const isTerminal = process.stderr.isTTY === true;
  const destination = createLogDestination(isShared);
  const stream =
    logFormat === 'text' || (logFormat === 'auto' && isTerminal)
      ? createTextStream(destination.stream, isTerminal)
      : destination.stream;
  const log = pino(
    {
      level: logLevel,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Not `pid`: the access log copies its fields from `bindings()`, which omits that name.
      base: isShared ? { processId: process.pid } : null,
    },
    stream,
  );
  destination.onDroppedLines((lines) => log.error({ lines }, 'log lines were dropped: the log was not read'));
  return { log, stream, close: destination.close };
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
