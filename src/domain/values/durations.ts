/** Durations and intervals as people enter them, such as `90m` or `1d`. */

/** The longest first. */
const unitsMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

/** As `parseDuration` reads it. */
export function formatInterval(intervalMs: number): string {
  const units = Object.entries(unitsMs);
  const [unit, unitMs] = units.find(([, ms]) => intervalMs % ms === 0) ?? ['m', 60_000];
  return `${Math.round(intervalMs / unitMs)}${unit}`;
}

/** @returns milliseconds; undefined for other texts */
export function parseFormattedInterval(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+)([a-z])$/.exec(text) ?? [];
  const unitMs = unitsMs[unit];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** @returns milliseconds @throws Error whose message follows "must" */
export function parseDuration(text: string): number {
  if (text === '0') return 0;
  const durationMs = text.length > maxDurationLength ? undefined : parseFormattedInterval(text);
  if (durationMs === undefined) throw new Error('be a duration such as 30m, 12h or 7d');
  return durationMs;
}

/** Characters: a number of six digits and its unit. */
const maxDurationLength = 7;

export const minIntervalMs = 60_000;

/** The parser returns milliseconds, and throws as `parseDuration`. */
export const createIntervalParser = (maxMs: number) => (text: string) => {
  const intervalMs = parseDuration(text);
  if (intervalMs >= minIntervalMs && intervalMs <= maxMs) return intervalMs;
  throw new Error(`be a duration from 1m to ${maxMs / 86_400_000}d`);
};
