import { destination, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/settings.ts';

const standardError = 2;

export interface Log {
  log: Logger;
  /** Where `log` writes its lines to. */
  stream: { write(line: string): void };
}

/** Logs go to standard error, so that standard output stays free for what a command prints. */
export function createLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Log {
  const text = logFormat === 'text' || (logFormat === 'auto' && process.stderr.isTTY === true);
  const stream = text
    ? pretty({
        destination: standardError,
        colorize: process.stderr.isTTY === true,
        ignore: 'pid,hostname',
        sync: true,
      })
    : destination({ dest: standardError, sync: false });
  const log = pino({ level: logLevel, timestamp: pino.stdTimeFunctions.isoTime, base: null }, stream);
  return { log, stream };
}
