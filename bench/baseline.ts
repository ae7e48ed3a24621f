/** Compares the ratios of a run with the baseline. Absolute times depend on the machine. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Run } from './bench.ts';

/** Tolerated relative loss: the difference between two runs of the same code on a noisy machine. */
const tolerance = 0.15;

const file = new URL('./baseline.json', import.meta.url);

type Baseline = Record<string, number>;

const getRowKey = ({ engine, name }: Run['rows'][number]) => `${engine}: ${name}`;

export function saveBaseline({ rows }: Run): void {
  const present: Baseline = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  for (const row of rows) present[getRowKey(row)] = Math.round(row.ratio.median * 1000) / 1000;
  writeFileSync(file, `${JSON.stringify(present, null, 2)}\n`);
}

/** Prints the rows that became too slow. @returns whether all rows are fast enough */
export function compareWithBaseline({ rows }: Run): boolean {
  const baseline: Baseline = JSON.parse(readFileSync(file, 'utf8'));
  const fallen = rows.filter((row) => row.ratio.median < (baseline[getRowKey(row)] ?? 0) * (1 - tolerance));
  for (const row of fallen) {
    console.error(
      `${getRowKey(row)}: ${row.ratio.median.toFixed(2)} of bare, was ${baseline[getRowKey(row)]?.toFixed(2)}: slower by more than ${tolerance * 100} %.`,
    );
  }
  if (fallen.length === 0)
    console.error(
      `None of ${rows.length} rows is slower than the baseline by more than ${tolerance * 100} %.`,
    );
  return fallen.length === 0;
}
