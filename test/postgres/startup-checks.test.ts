import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { Client } from 'pg';
import { assertFails, assertSucceeds, runCliProcess } from '../support/cli-workspace.ts';
import { createScope, type Scope } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { lastMigrationNumber, migrationNames, secondMigrationName } from '../support/migration-names.ts';
import { ownerRole, servingRole } from '../support/postgres-database.ts';
import { startServerProcess } from '../support/server-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const cluster = process.env.ROSTRA_TEST_CLUSTER as string;
const getUrl = (role: string, database: string) =>
  cluster.replace('postgres@', `${role}@`).concat(`/${database}`);

const operator = new Client(`${cluster}/postgres`);
await operator.connect();
after(() => operator.end());

const { rows: version } = await operator.query("SELECT current_setting('server_version_num')::int AS number");

/** An empty database of the owner role. */
async function createEmptyDatabase(scope: Scope, how = ''): Promise<string> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await operator.query(`CREATE DATABASE ${name} OWNER ${ownerRole} ${how}`);
  scope.after(async () => {
    await operator.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  return name;
}

/** A role with LOGIN and further rights. */
async function createRole(scope: Scope, rights: string): Promise<string> {
  const name = `role_${randomBytes(6).toString('hex')}`;
  await operator.query(`CREATE ROLE ${name} LOGIN ${rights}`);
  scope.after(async () => {
    await operator.query(`DROP ROLE ${name}`);
  });
  return name;
}

/** The environment of a process that can apply migrations. */
const createOwnerEnvironment = (database: string) => ({
  ROSTRA_DATABASE: getUrl(servingRole, database),
  ROSTRA_DATABASE_OWNER: getUrl(ownerRole, database),
});

const { database } = await createFixture({ after });

suite('a role that could bypass row-level security is rejected by serve and by commands', () => {
  const cases: [what: string, rights: string, sentence: RegExp][] = [
    ['a superuser', 'SUPERUSER', /is a superuser and could bypass row-level security/],
    ['a role that may bypass it', 'BYPASSRLS', /may bypass row-level security/],
    [
      'a member of the owner',
      `IN ROLE ${ownerRole}`,
      /owns the tables .*submission.* or can become their owner/,
    ],
  ];
  // Since PostgreSQL 16 such a role can join only granted roles.
  if (version[0].number < 160_000) {
    cases.push([
      'a role that may create roles',
      'CREATEROLE',
      /may create roles, so it could join the owner/,
    ]);
  }
  for (const [what, rights, sentence] of cases) {
    test(what, async (t) => {
      const role = await createRole(t, rights);
      const url = getUrl(role, new URL(database).pathname.slice(1));
      for (const command of [
        ['serve', '--port', '0'],
        ['key', 'list'],
      ])
        await assertFails([...command, '--database', url], 1, sentence);
    });
  }

  test('the owner itself', async () => {
    const url = getUrl(ownerRole, new URL(database).pathname.slice(1));
    await assertFails(
      ['serve', '--port', '0', '--database', url],
      1,
      /The role rostra_owner owns the tables/,
    );
  });
});

suite('an unsafe database is rejected', () => {
  test('with row-level security disabled or not forced on a table', async (t) => {
    const { database, sql } = await createFixture(t);
    for (const [table, off, on] of [
      ['survey_option', 'DISABLE', 'ENABLE'],
      ['session', 'NO FORCE', 'FORCE'],
    ]) {
      await sql(`ALTER TABLE ${table} ${off} ROW LEVEL SECURITY`);
      const sentence = new RegExp(`Row-level security is not forced on ${table}\\.`);
      await assertFails(['serve', '--port', '0', '--database', database], 1, sentence);
      await sql(`ALTER TABLE ${table} ${on} ROW LEVEL SECURITY`);
    }
    await assertSucceeds(['key', 'list', '--database', database]);
  });

  test('without a necessary right', async (t) => {
    const { database, sql } = await createFixture(t);
    await sql(`REVOKE SELECT ON session FROM ${servingRole}`);
    await assertFails(
      ['key', 'list', '--database', database],
      1,
      /has no right to read session\. Run "rostra migrate"/,
    );
  });

  test('without tables, with an error that names the command', async (t) => {
    const url = getUrl(servingRole, await createEmptyDatabase(t));
    const sentence = /lacks 0001_schema, [^.]+\. Run "rostra migrate" with ROSTRA_DATABASE_OWNER/;
    await assertFails(['serve', '--port', '0', '--database', url], 1, sentence);
  });

  test('with an encoding other than UTF-8', async (t) => {
    const name = await createEmptyDatabase(t, "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    await assertFails(['migrate'], 1, /encoding of the database is LATIN1, but must be UTF8/, {
      environment: createOwnerEnvironment(name),
    });
  });

  test('that does not exist or refuses connections, without the password in the error', async () => {
    for (const url of [
      cluster.replace('postgres@', 'rostra:geheim@').concat('/nowhere'),
      'postgres://rostra:geheim@127.0.0.1:1/rostra',
    ]) {
      const { stderr } = await assertFails(
        ['key', 'list', '--database', url],
        1,
        /^The database failed: .+\.$/m,
      );
      assert.ok(!stderr.includes('geheim'));
    }
  });
});

suite('migrations', () => {
  test('that were edited after they were applied are rejected by serve and by migrate, with instructions', async (t) => {
    const { database, sql } = await createFixture(t);
    const environment = createOwnerEnvironment(new URL(database).pathname.slice(1));
    const sentence = /created with a different version of the migration 0001_schema, .+ Install the version/;
    await sql("UPDATE schema_migration SET checksum = 'of another file'");
    await assertFails(['serve', '--port', '0', '--database', database], 1, sentence);
    await assertFails(['migrate'], 1, sentence, { environment });
  });

  test('run once when two processes start concurrently on an empty database', async (t) => {
    const name = await createEmptyDatabase(t);
    const environment = createOwnerEnvironment(name);
    const servers = await Promise.all(
      [1, 2].map(() => startServerProcess(t, environment.ROSTRA_DATABASE, environment)),
    );
    for (const server of servers) assert.equal((await server.get('/health')).status, 200);
    const updated = servers.filter(({ lines }) =>
      lines.some((line) => line.includes('database schema updated')),
    );
    assert.equal(updated.length, 1);
  });

  test('run once in concurrent "rostra migrate" commands, and serving needs no owner afterwards', async (t) => {
    const name = await createEmptyDatabase(t);
    const environment = createOwnerEnvironment(name);
    const result = await Promise.all([1, 2].map(() => runCliProcess(['migrate', '--json'], { environment })));
    const applied = result.map(({ code, stdout, stderr }) => {
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout).applied;
    });
    assert.deepEqual(
      applied.toSorted((a, b) => b.length - a.length),
      [migrationNames, []],
    );
    const { ROSTRA_DATABASE } = environment;
    const id = await assertSucceeds(['organization', 'add', 'Musterstadt'], {
      environment: { ROSTRA_DATABASE },
    });
    assert.match(id, /^[0-9a-f-]{36}$/);
  });

  test('wait for a transaction that uses their tables, and do not end it', async (t) => {
    const fixture = createScope();
    const { database } = await createFixture(fixture);
    const name = new URL(database).pathname.slice(1);
    const reader = new Client(`${cluster}/${name}`);
    await reader.connect();
    // In this order.
    t.after(() => reader.end());
    t.after(fixture.close);
    await reader.query('BEGIN; SELECT FROM api_key');
    const nextRelease = new URL('../support/second-migration.ts', import.meta.url);
    const migrated = runCliProcess(['migrate'], {
      environment: { ...createOwnerEnvironment(name), NODE_OPTIONS: `--import ${nextRelease}` },
    });
    await waitUntil('a migration that waits for the table', async () => {
      // Citus waits for other locks meanwhile.
      const { rows } = await reader.query(
        "SELECT FROM pg_locks WHERE relation = 'api_key'::regclass AND NOT granted",
      );
      return rows.length > 0;
    });
    // The migration has changed this table already.
    await reader.query('SELECT FROM organization; COMMIT');
    const { code, stderr } = await migrated;
    assert.equal(code, 0, stderr);
    assert.equal(
      stderr,
      `The migration waits for transactions that use its tables.\nApplied ${secondMigrationName}.\n`,
    );
  });

  test('of the next version are accepted if they are compatible with this one, otherwise rejected', async (t) => {
    const fixture = await createFixture(t);
    const server = await fixture.startServer();
    const last = lastMigrationNumber;
    await fixture.sql(`INSERT INTO schema_migration VALUES (${last + 1}, 'expand', ${last}, '')`);
    assert.equal((await server.get('/submissions', { key: fixture.alice })).status, 200);
    const started = await fixture.startServer();
    assert.equal((await started.get('/submissions', { key: fixture.alice })).status, 200);
    await fixture.sql(`INSERT INTO schema_migration VALUES (${last + 2}, 'contract', ${last + 1}, '')`);
    const sentence = new RegExp(
      `has schema ${last + 2}, which works with versions that know schema ${last + 1}; this one knows schemas up to ${last}\\.`,
      'm',
    );
    await assertFails(['serve', '--port', '0', '--database', fixture.database], 1, sentence);
  });
});
