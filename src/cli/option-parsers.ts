/** Parsers of option values. */
import {
  maxIntervalMs as maxSourceIntervalMs,
  minIntervalMs as minSourceIntervalMs,
} from '../domain/import-source.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { CommandError } from './command-error.ts';

const unitsMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds */
export function parseDuration(text: string): number {
  if (text === '0') return 0;
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const unitMs = unitsMs[unit];
  if (unitMs === undefined) throw new Error('be a duration such as 30m, 12h or 7d');
  return Number(count) * unitMs;
}

const minIntervalMs = 60_000;
/** Node.js timers overflow after 24 days. */
const maxIntervalMs = 14 * 86_400_000;

/** For `--every`. @returns milliseconds */
export function parseInterval(text: string): number {
  const intervalMs = parseDuration(text);
  if (intervalMs >= minIntervalMs && intervalMs <= maxIntervalMs) return intervalMs;
  throw new Error('be a duration from 1m to 14d');
}

/** As `parseInterval`, without the limit of timers. @returns milliseconds */
export function parseSourceInterval(text: string): number {
  const intervalMs = parseDuration(text);
  if (intervalMs >= minSourceIntervalMs && intervalMs <= maxSourceIntervalMs) return intervalMs;
  throw new Error('be a duration from 1m to 31d');
}

/** @throws CommandError */
export function parseHttpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol))
    throw new CommandError(`"${text}" is not an http or https URL.`, exitCodes.usage);
  if (url.username === '' && url.password === '') return url;
  throw new CommandError(
    'The URL must not contain a user name or password, because it is stored and shown.',
    exitCodes.usage,
  );
}
