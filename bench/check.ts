/** Holds a run's ratios against those of an earlier one. Ratios, as absolute times are the machine's. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Run } from './bench.ts';

/** A ratio may be lower by this share: what two runs of the same code lie apart on a noisy machine. */
const tolerance = 0.15;

const file = new URL('./baseline.json', import.meta.url);

type Baseline = Record<string, number>;

const nameOf = ({ engine, name }: Run['rows'][number]) => `${engine}: ${name}`;

export function saveBaseline({ rows }: Run): void {
  const present: Baseline = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  for (const row of rows) present[nameOf(row)] = Math.round(row.ratio.median * 1000) / 1000;
  writeFileSync(file, `${JSON.stringify(present, null, 2)}\n`);
}

/** Says what fell too far. @returns whether nothing did */
export function check({ rows }: Run): boolean {
  const baseline: Baseline = JSON.parse(readFileSync(file, 'utf8'));
  const fallen = rows.filter((row) => row.ratio.median < (baseline[nameOf(row)] ?? 0) * (1 - tolerance));
  for (const row of fallen) {
    console.error(
      `${nameOf(row)}: ${row.ratio.median.toFixed(2)} of bare, was ${baseline[nameOf(row)]?.toFixed(2)}: slower by more than ${tolerance * 100} %.`,
    );
  }
  if (fallen.length === 0)
    console.error(
      `None of ${rows.length} rows is slower than the baseline by more than ${tolerance * 100} %.`,
    );
  return fallen.length === 0;
}
