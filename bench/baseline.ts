/** Compares the ratios of a run with the baseline. Absolute times depend on the machine. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { RowResult } from './measure-row.ts';

/** Tolerated relative loss: the difference between two runs of the same code on a noisy machine. */
export const tolerance = 0.15;

const file = new URL('./baseline.json', import.meta.url);

type Baseline = Record<string, number>;

const getRowKey = ({ engine, name }: RowResult) => `${engine}: ${name}`;

const readBaseline = (): Baseline => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

export function saveBaseline(rows: readonly RowResult[]): void {
  const baseline: Baseline = {};
  for (const row of rows) baseline[getRowKey(row)] = Math.round(row.ratio.median * 1000) / 1000;
  writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`);
}

/** @returns the rows whose ratio is below that of the baseline by more than the tolerance */
export function findSlowerRows(results: readonly RowResult[]): RowResult[] {
  const baseline = readBaseline();
  return results.filter(
    (result) => result.ratio.median < (baseline[getRowKey(result)] ?? 0) * (1 - tolerance),
  );
}
