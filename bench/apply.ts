/**
 * Measures `rostra apply` on both engines: a file that adds everything, the same file again, and a dry run.
 *
 *   npm run bench:apply -- [--municipalities 5000]
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchDatabase } from './fill-database.ts';
import { startPostgres } from './start-postgres.ts';
import { runRostra } from './start-servers.ts';

const { values } = parseArgs({ options: { municipalities: { type: 'string', default: '5000' } } });
const municipalities = Number(values.municipalities);

const keysPerMunicipality = 2;
/** One of this number of municipalities has an account. */
const municipalitiesPerAccount = 5;

const folder = mkdtempSync(join(tmpdir(), 'rostra-bench-'));
const postgres = await startPostgres();
try {
  const path = join(folder, 'installation.yaml');
  writeFileSync(path, composeFile());
  const file: BenchDatabase = { database: join(folder, 'rostra.db'), owner: undefined };
  runRostra(file, 'organization', 'add', 'Empty');
  for (const [engine, database] of [
    ['SQLite', file],
    ['PostgreSQL', await postgres.newDatabase('apply')],
  ] as const) {
    const seconds = [[], [], ['--dry-run']].map((flags) => measureApply(database, path, flags).toFixed(1));
    process.stdout.write(
      `${engine}: first ${seconds[0]} s, unchanged ${seconds[1]} s, dry run ${seconds[2]} s\n`,
    );
  }
} finally {
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
}

function measureApply(database: BenchDatabase, path: string, flags: readonly string[]): number {
  const startedAt = performance.now();
  runRostra(database, 'apply', path, ...flags);
  return (performance.now() - startedAt) / 1_000;
}

function composeFile(): string {
  const numbers = Array.from({ length: municipalities }, (_, index) => index);
  const withAccount = numbers.filter((index) => index % municipalitiesPerAccount === 0);
  return [
    'organizations:',
    ...numbers.map(
      (index) => `  - name: Municipality ${index}
    timeZone: Europe/Berlin
    contact:
      name: Office
      email: office@town-${index}.example
    sources:
      - name: Requests
        format: rostra
        url: https://town-${index}.example/requests.json
        every: 1d
    keys:
${Array.from({ length: keysPerMunicipality }, (_, key) => composeKey(`${index} ${key}`)).join('\n')}`,
    ),
    'accounts:',
    ...withAccount.map(
      (index) => `  - email: admin@town-${index}.example
    roles:
      - organization: Municipality ${index}
        role: administrator`,
    ),
    '',
  ].join('\n');
}

function composeKey(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex');
  return `      - name: Portal
        hash: ${hash}
        prefix: sk_rostra_${hash.slice(0, 6)}
        expires: 2099-06-30`;
}
