/** Carries out a recipe of the documentation on a copy of the project, and serves a database with it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { startCli } from './cli-workspace.ts';
import { applyDocumentedChanges } from './documented-changes.ts';
import type { Scope } from './files.ts';
import { ownerRole, servingRole } from './postgres-database.ts';

/** Options of `rostra migrate` for an empty database. The first two select it. */
export type CreateDatabase = (folder: string) => string[] | Promise<string[]>;

/** At most this many files of src/ and migrations/ change, with the generated types of the client. */
const maxFiles = 8;

export async function carryOutRecipe(scope: Scope, page: string, createDatabase: CreateDatabase) {
  const { copy, files } = applyDocumentedChanges(scope, page);
  const counted = files.filter((file) => /^(?:src|migrations)\//.test(file));
  assert.ok(counted.length + 1 <= maxFiles, counted.join(', '));

  const migration = await createDatabase(copy);
  const database = migration.slice(0, 2);
  const start = (...args: string[]) => startCli(['src/main.ts', ...args], { folder: copy }, process.execPath);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await start(...args).result;
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout.trimEnd();
  };
  await run('migrate', ...migration);
  const organization = ['--organization', await run('organization', 'add', 'Ort', ...database)];
  const key = await run('key', 'issue', ...organization, '--name', 'Test', ...database);

  return {
    copy,
    files,
    key,
    run,
    /** Runs a command with the database. */
    runOnDatabase: (...args: string[]) => run(...args, ...database),
    organization,
    write: (name: string, text: string) => {
      writeFileSync(join(copy, name), text);
      return join(copy, name);
    },
    serve: async () => {
      const server = start('serve', '--port', '0', ...database);
      scope.after(() => void server.child.kill('SIGKILL'));
      const [origin] = await server.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/);
      const get = async (path: string) => {
        const headers = { authorization: `Bearer ${key}` };
        const response = await fetch(`${origin}/api/v1${path}`, { headers });
        // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
        return { status: response.status, body: (await response.json()) as any };
      };
      return { origin, get };
    },
  };
}

/** @returns the URL of an empty database for a role */
export async function createEmptyPostgresDatabase(scope: Scope): Promise<(role: string) => string> {
  const cluster = process.env.ROSTRA_TEST_CLUSTER as string;
  const name = `recipe_${randomBytes(6).toString('hex')}`;
  const client = new Client(`${cluster}/postgres`);
  await client.connect();
  await client.query(`CREATE DATABASE ${name} OWNER ${ownerRole}`);
  scope.after(async () => {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.end();
  });
  return (role) => Object.assign(new URL(`${cluster}/${name}`), { username: role }).href;
}

export const toMigration = (toUrl: (role: string) => string): string[] => [
  ...['--database', toUrl(servingRole)],
  ...['--database-owner', toUrl(ownerRole)],
];
