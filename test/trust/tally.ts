/** Counts and times that a figure measures. Plain data, so that an interrupted run continues with them. */

export interface Tally {
  counts: Record<string, number>;
  maxima: Record<string, number>;
  /** Number of measurements by rounded value. */
  histograms: Record<string, Record<string, number>>;
  /** The first failures, as sentences. */
  failures: string[];
  failureCount: number;
}

const maxKeptFailures = 20;

export function createTally(): Tally {
  return { counts: {}, maxima: {}, histograms: {}, failures: [], failureCount: 0 };
}

export function add({ counts }: Tally, name: string, amount = 1): void {
  counts[name] = (counts[name] ?? 0) + amount;
}

export function getCount({ counts }: Tally, name: string): number {
  return counts[name] ?? 0;
}

/** For the report: `12,345`. */
export const formatNumber = (value: number): string => value.toLocaleString('en');

export const formatCount = (tally: Tally, name: string): string => formatNumber(getCount(tally, name));

/** Keeps the largest value. */
export function raise({ maxima }: Tally, name: string, value: number): void {
  maxima[name] = Math.max(maxima[name] ?? Number.NEGATIVE_INFINITY, value);
}

/** Adds a measurement to a distribution, with three significant digits. */
export function observe({ histograms }: Tally, name: string, value: number): void {
  histograms[name] ??= {};
  const histogram = histograms[name];
  const bucket = String(Number(value.toPrecision(3)));
  histogram[bucket] = (histogram[bucket] ?? 0) + 1;
}

/** @param part 0 to 1 @returns undefined without measurements */
export function computeQuantile({ histograms }: Tally, name: string, part: number): number | undefined {
  const buckets = Object.entries(histograms[name] ?? {})
    .map(([value, count]) => ({ value: Number(value), count }))
    .sort((a, b) => a.value - b.value);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  let rank = Math.ceil(total * part);
  for (const { value, count } of buckets) {
    rank -= count;
    if (rank <= 0) return value;
  }
  return undefined;
}

export function fail(tally: Tally, failure: string): void {
  tally.failureCount += 1;
  if (tally.failures.length < maxKeptFailures) tally.failures.push(failure.slice(0, 500));
}
