/**
 * Measures rows that seem slower than the baseline again, side by side with the code of the baseline. The ratio to bare
 * `node:http` cannot decide alone: slow memory can halve it for the same code, because the bare server needs little memory.
 */
import { tolerance } from './baseline.ts';
import { installBaselineCode } from './baseline-code.ts';
import type { BenchDatabase } from './fill-database.ts';
import { compareServers, type Effort, type RowResult, type ServedRow } from './measure-row.ts';
import type { Row } from './rows.ts';
import { type RunningServer, startRostra } from './start-servers.ts';

/** More rounds than for a figure: a decision needs less noise. */
const repetitions = 3;

export interface FilledDatabase {
  place: BenchDatabase;
  rows: readonly Row[];
}

/** Work of `confirmLosses` that does not depend on the engine. */
export interface Comparison {
  /** The commit of the baseline. */
  commit: string;
  submissions: number;
  effort: Effort;
}

/**
 * @param suspects rows that seem slower than the baseline
 * @param current database of the current code
 * @param place empty database for the code of the baseline
 * @returns the rows that are slower than the code of the baseline, as sentences
 */
export async function confirmLosses(
  suspects: readonly RowResult[],
  current: FilledDatabase,
  place: BenchDatabase,
  { commit, submissions, effort }: Comparison,
): Promise<string[]> {
  console.error(
    `Rows that seem slower than the baseline: ${suspects.length}. Filling a database with the code of ${commit} …`,
  );
  const code = await installBaselineCode(commit);
  const servers: RunningServer[] = [];
  try {
    const rows = await code.fillRows(place, submissions);
    // Both servers are new: a server that has run for minutes has more compiled code.
    const earlierServer = await code.startRostra(place);
    servers.push(earlierServer);
    const currentServer = await startRostra(current.place);
    servers.push(currentServer);
    const losses: string[] = [];
    for (const { engine, name } of suspects) {
      const ratio = await compareServers(
        serveRow(current.rows, name, currentServer),
        serveRow(rows, name, earlierServer),
        effort,
        repetitions,
      );
      const sentence = `${engine}: ${name}: ${ratio.median.toFixed(2)} of ${commit}`;
      console.error(`${sentence} (${ratio.lowest.toFixed(2)} to ${ratio.highest.toFixed(2)})`);
      if (ratio.median < 1 - tolerance) losses.push(`${sentence}: slower by more than ${tolerance * 100} %.`);
    }
    return losses;
  } finally {
    for (const server of servers) await server.stop();
    code.remove();
  }
}

function serveRow(rows: readonly Row[], name: string, server: RunningServer): ServedRow {
  const row = rows.find((other) => other.name === name);
  if (row === undefined) throw new Error(`The code of the baseline has no row "${name}".`);
  return { row, server };
}
