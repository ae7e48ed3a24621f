/** Durations as people enter them. The parsers throw an Error whose message follows "must". */

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

/** The parser returns milliseconds. */
export const createIntervalParser = (maxMs: number) => (text: string) => {
  const intervalMs = parseDuration(text);
  if (intervalMs >= minIntervalMs && intervalMs <= maxMs) return intervalMs;
  throw new Error(`be a duration from 1m to ${maxMs / 86_400_000}d`);
};
