/**
 * Decides `--check`: rows that lost against the baseline run again, beside the code that saved the baseline. The ratio to
 * bare `node:http` alone cannot decide. Slow memory of the machine, for example, halves it for the same code, because the
 * bare server needs little memory.
 */
import { findLostRows, tolerance } from './baseline.ts';
import { installBaselineCode } from './baseline-code.ts';
import type { BenchDatabase } from './fill-database.ts';
import { compareServers, type Effort, type RowResult } from './measure-row.ts';
import type { Row } from './rows.ts';
import type { RunningServer } from './start-servers.ts';

/** More rounds than for a figure: a decision needs less noise. */
const repetitionFactor = 3;

export interface Measured {
  results: readonly RowResult[];
  rows: readonly Row[];
  server: RunningServer;
  submissions: number;
}

/**
 * @param place an empty database for the code of the baseline
 * @returns the rows that are slower than the code of the baseline, as sentences
 */
export async function confirmLosses(
  { results, rows, server, submissions }: Measured,
  place: BenchDatabase,
  { rounds, seconds }: Effort,
): Promise<string[]> {
  const lost = findLostRows(results);
  if (lost.length === 0) return [];
  const code = await installBaselineCode();
  try {
    console.error(
      `${lost.length} rows seem slower than the baseline. Filling a database with its code, ${code.commit} …`,
    );
    const organizationId = await code.fillDatabase(place, submissions);
    const earlierRows = await code.createRows(place, organizationId);
    const earlierServer = await code.startRostra(place);
    const find = (from: readonly Row[], name: string) => from.find((row) => row.name === name) as Row;
    try {
      const confirmed: string[] = [];
      for (const { engine, name } of lost) {
        const current = { row: find(rows, name), server };
        const earlier = { row: find(earlierRows, name), server: earlierServer };
        const ratio = await compareServers(current, earlier, { rounds: rounds * repetitionFactor, seconds });
        const sentence = `${engine}: ${name}: ${ratio.median.toFixed(2)} of ${code.commit}`;
        console.error(`${sentence} (${ratio.lowest.toFixed(2)} to ${ratio.highest.toFixed(2)})`);
        if (ratio.median < 1 - tolerance)
          confirmed.push(`${sentence}: slower by more than ${tolerance * 100} %.`);
      }
      return confirmed;
    } finally {
      await earlierServer.stop();
    }
  } finally {
    code.remove();
  }
}
