/** Writes the fixtures of a release, and the digests of its migrations. */
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../../packaging/package-folder.ts';
import { createScope } from '../support/files.ts';
import { createCluster, findBinaries } from '../support/postgres-cluster.ts';
import { ownerRole, servingRole } from '../support/postgres-database.ts';
import { createPostgresFixtures, type FixtureEngine, locateFixture, sqliteFixtures } from './fixture.ts';
import { createInstalledRelease } from './installed-release.ts';
import { releaseMigrations } from './released-migrations.ts';
import { writeFixture } from './write-fixture.ts';

const usage = `Usage: npm run release-schema -- --program FILE

Fills a database of each engine by an executable of this version, and writes it to test/upgrades/fixtures, with the answers of
its server. Then writes the digests of all migrations to migrations/SHA256SUMS. Commit both. Never write a fixture anew: it
shows that later versions can read what this one has written.

  --program FILE  executable of this version, such as dist/packages/amd64/rostra
  --help          show this text
`;

const { values } = parseArgs({
  options: { program: { type: 'string' }, help: { type: 'boolean', default: false } },
});
if (values.help || values.program === undefined) {
  (values.help ? process.stdout : process.stderr).write(usage);
  process.exit(values.help ? 0 : 2);
}
const program = resolve(values.program);
const scope = createScope();
const folders: string[] = [];

async function write(engine: FixtureEngine): Promise<void> {
  const folder = locateFixture(version, engine);
  if (existsSync(folder)) throw new Error(`${folder} exists already, and a fixture is written once.`);
  folders.push(folder);
  const createRelease = (...[owner, settings]: Parameters<Parameters<typeof writeFixture>[2]>) =>
    createInstalledRelease(owner, settings, program);
  await writeFixture(scope, engine, createRelease, folder);
  process.stderr.write(`${folder}\n`);
}

try {
  const { folder, remove } = await findBinaries();
  scope.after(remove);
  const cluster = await createCluster(folder);
  scope.after(() => cluster.remove());
  for (const role of [ownerRole, servingRole]) await cluster.sql('postgres', `CREATE ROLE ${role} LOGIN`);
  await write(sqliteFixtures);
  await write(createPostgresFixtures(`postgres://postgres@127.0.0.1:${cluster.port}`));
  releaseMigrations();
} catch (error) {
  // The next attempt begins anew.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  throw error;
} finally {
  await scope.close();
}
