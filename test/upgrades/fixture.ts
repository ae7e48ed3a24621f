/**
 * The database of a release as files: the two files of SQLite, compressed, or the statements of a dump of PostgreSQL. Beside it are
 * the keys and the account, and the answers of that release.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { Client } from 'pg';
import { checkout } from '../support/checkout.ts';
import { openSqlite } from '../support/cli-workspace.ts';
import { createTemporaryFolder, type Scope } from '../support/files.ts';
import { ownerRole, servingRole } from '../support/postgres-database.ts';
import type { recordAnswers } from './answers.ts';
import type { Access } from './fill-database.ts';

export interface Recording {
  access: Access;
  answers: Awaited<ReturnType<typeof recordAnswers>>;
}

/** Settings of a restored database, which a server and commands need. */
export type DatabaseSettings = { ROSTRA_DATABASE: string } & Record<string, string>;

/** An engine on which fixtures are written and restored. */
export interface FixtureEngine {
  name: 'sqlite' | 'postgres';
  /** Creates an empty database. */
  create(scope: Scope): Promise<DatabaseSettings>;
  /** Writes the files of a database that nobody has open. */
  write(settings: DatabaseSettings, folder: string): Promise<void>;
  restore(scope: Scope, folder: string): Promise<DatabaseSettings>;
  /** Numbers of rows by table. */
  countRows(settings: DatabaseSettings): Promise<Map<string, number>>;
}

const fixturesFolder = join(import.meta.dirname, 'fixtures');

/** @returns folders of the releases that have a fixture of the engine, by version, oldest first */
export const listFixtures = ({ name }: FixtureEngine): [version: string, folder: string][] =>
  globSync(join(fixturesFolder, '*', name))
    .map((folder): [string, string] => [basename(dirname(folder)), folder])
    .toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }));

export const locateFixture = (version: string, { name }: FixtureEngine): string =>
  join(fixturesFolder, version, name);

export const readRecording = (folder: string): Recording =>
  JSON.parse(readFileSync(join(folder, 'recording.json'), 'utf8'));

export function writeRecording(folder: string, recording: Recording): void {
  writeFileSync(join(folder, 'recording.json'), `${JSON.stringify(recording, null, 1)}\n`);
}

const databaseFile = 'rostra.db';

export const sqliteFixtures: FixtureEngine = {
  name: 'sqlite',
  create: async (scope) => ({ ROSTRA_DATABASE: join(createTemporaryFolder(scope), databaseFile) }),
  write: async ({ ROSTRA_DATABASE: database }, folder) => {
    mkdirSync(folder, { recursive: true });
    assert.ok(!existsSync(`${database}-wal`), 'a process has the database open');
    for (const suffix of ['', '-counters'])
      writeFileSync(
        join(folder, `${databaseFile}${suffix}.gz`),
        gzipSync(readFileSync(database + suffix), { level: 9 }),
      );
  },
  restore: async (scope, folder) => {
    const target = createTemporaryFolder(scope);
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.gz')))
      writeFileSync(
        join(target, name.slice(0, -'.gz'.length)),
        gunzipSync(readFileSync(join(folder, name))),
        {
          mode: 0o600,
        },
      );
    return { ROSTRA_DATABASE: join(target, databaseFile) };
  },
  countRows: async ({ ROSTRA_DATABASE: database }) =>
    new Map(['', '-counters'].flatMap((suffix) => openSqlite(database + suffix, countSqliteRows))),
};

function countSqliteRows(sql: Database.Database): [string, number][] {
  const tables = sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
  return tables
    .filter((name) => !name.startsWith('sqlite_'))
    .map((name) => [name, sql.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number]);
}

const dumpFile = 'dump.sql.gz';

/** @param cluster `postgres://superuser@host:port`, with the roles of tests */
export function createPostgresFixtures(cluster: string): FixtureEngine {
  const create = async (scope: Scope) => {
    const name = `fixture_${randomBytes(6).toString('hex')}`;
    await withClient(`${cluster}/postgres`, (client) =>
      client.query(`CREATE DATABASE ${name} OWNER ${ownerRole} TEMPLATE template0 ENCODING 'UTF8'`),
    );
    scope.after(() =>
      withClient(`${cluster}/postgres`, async (client) => {
        await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      }),
    );
    const compose = (role: string) => Object.assign(new URL(`${cluster}/${name}`), { username: role }).href;
    return { ROSTRA_DATABASE: compose(servingRole), ROSTRA_DATABASE_OWNER: compose(ownerRole) };
  };
  const withSuperuser = <Result>(settings: DatabaseSettings, work: (client: Client) => Promise<Result>) =>
    withClient(cluster + new URL(settings.ROSTRA_DATABASE).pathname, work);
  return {
    name: 'postgres',
    create,
    write: async (settings, folder) => {
      mkdirSync(folder, { recursive: true });
      const dump = await withSuperuser(settings, dumpPostgres);
      writeFileSync(join(folder, dumpFile), gzipSync(dump, { level: 9 }));
    },
    restore: async (scope, folder) => {
      const settings = await create(scope);
      const dump = gunzipSync(readFileSync(join(folder, dumpFile))).toString();
      await withSuperuser(settings, (client) => client.query(dump));
      return settings;
    },
    countRows: (settings) =>
      withSuperuser(settings, async (client) => {
        const counts = new Map<string, number>();
        for (const { name } of await listPostgresTables(client)) {
          const { rows } = await client.query(`SELECT count(*)::int AS count FROM "${name}"`);
          counts.set(name, rows[0].count);
        }
        return counts;
      }),
  };
}

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function listPostgresTables(client: Client): Promise<{ name: string; columns: string }[]> {
  const { rows } = await client.query(`
    SELECT table_name AS name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS columns
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
    GROUP BY table_name ORDER BY table_name`);
  return rows;
}

/** The migrations, and the rows of each table without its triggers. `pg_dump` is not part of the npm package of PostgreSQL. */
async function dumpPostgres(client: Client): Promise<string> {
  const applied = await client.query('SELECT name FROM schema_migration ORDER BY version');
  const migrations = applied.rows.map(({ name }) =>
    readFileSync(join(checkout, 'migrations/postgres', `${name}.sql`), 'utf8'),
  );
  const rows: string[] = [];
  for (const { name, columns } of await listPostgresTables(client)) {
    const found = await client.query(
      `SELECT quote_literal(json_agg(each)) AS rows FROM (SELECT ${columns} FROM "${name}") AS each`,
    );
    if (found.rows[0].rows !== null)
      rows.push(
        `INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::"${name}", ${found.rows[0].rows});`,
      );
  }
  return [
    `SET ROLE ${ownerRole};`,
    'CREATE TABLE schema_migration (version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, compatible_with INTEGER NOT NULL, checksum TEXT NOT NULL);',
    ...migrations,
    'RESET ROLE; SET session_replication_role = replica;',
    ...rows,
  ].join('\n');
}
