import { destination, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/settings.ts';

const standardError = 2;

/** Logs go to standard error, so that standard output stays free for what a command prints. */
export function createLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const text = logFormat === 'text' || (logFormat === 'auto' && process.stderr.isTTY === true);
  const stream = text
    ? pretty({
        destination: standardError,
        colorize: process.stderr.isTTY === true,
        ignore: 'pid,hostname',
        sync: true,
      })
    : destination({ dest: standardError, sync: false });
  return pino({ level: logLevel, timestamp: pino.stdTimeFunctions.isoTime, base: null }, stream);
}
