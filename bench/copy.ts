/**
 * Measures `rostra copy` with many municipalities, from SQLite to PostgreSQL and back: the first run, and the last one, for
 * which the service is stopped and nothing has changed. Takes about six minutes.
 *
 *   npm run bench:copy -- [--municipalities 5000]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchDatabase, dialects, executeStatements, fillDatabase } from './fill-database.ts';
import { fillInstallation } from './fill-installation.ts';
import { startPostgres } from './start-postgres.ts';
import { runRostra } from './start-servers.ts';

const { values } = parseArgs({ options: { municipalities: { type: 'string', default: '5000' } } });
const municipalities = Number(values.municipalities);

const submissionsOfLargest = 20_000;
/** Every 250th municipality has this many submissions. */
const submissionsOfLarge = 5_000;
const submissionsOfOthers = 20;
const repeats = 3;

const folder = mkdtempSync(join(tmpdir(), 'rostra-bench-'));
const postgres = await startPostgres();
try {
  const file: BenchDatabase = { database: join(folder, 'rostra.db'), owner: undefined };
  const back: BenchDatabase = { database: join(folder, 'back.db'), owner: undefined };
  await fillFile(file);
  const server = await postgres.newDatabase('copy');
  for (const [title, from, to] of [
    ['SQLite to PostgreSQL', file, server],
    ['PostgreSQL to SQLite', server, back],
  ] as const) {
    for (let run = 0; run <= repeats; run += 1) {
      const { seconds, rows } = measureCopy(from, to);
      console.log(`${title}, ${run === 0 ? 'first' : 'repeated'}: ${rows} rows in ${seconds.toFixed(1)} s`);
    }
  }
} finally {
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
}

async function fillFile(file: BenchDatabase): Promise<void> {
  const largest = await fillDatabase(file, submissionsOfLargest);
  await fillInstallation(file, largest, {
    municipalities,
    keys: 2 * municipalities,
    auditEvents: 20 * municipalities,
  });
  const { id } = dialects.sqlite;
  const columns = 'created_at, status, status_changed_at, topic_category_name, support_count, description';
  await executeStatements(file, () => [
    `CREATE TEMP TABLE template AS SELECT row_number() OVER (ORDER BY id) - 1 AS place, ${columns}
      FROM submission WHERE organization_id = '${largest}' LIMIT ${submissionsOfLarge}`,
    `INSERT INTO submission (organization_id, id, ${columns})
      SELECT other.id, ${id}, ${columns}
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM organization WHERE id <> '${largest}') AS other
      JOIN template ON place < CASE n % 250 WHEN 0 THEN ${submissionsOfLarge} ELSE ${submissionsOfOthers} END`,
  ]);
}

function measureCopy(from: BenchDatabase, to: BenchDatabase): { seconds: number; rows: number } {
  const startedAt = performance.now();
  const output = runRostra(to, 'copy', '--from', from.database, '--json');
  const { tables } = JSON.parse(output) as { tables: { rows: number }[] };
  return {
    seconds: (performance.now() - startedAt) / 1_000,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  };
}
