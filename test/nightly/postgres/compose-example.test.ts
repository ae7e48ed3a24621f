/** The compose example: its scripts, and the command of each service with its environment, as processes of this machine. */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { sendApiRequest } from '../../support/api-client.ts';
import { startCli } from '../../support/cli-workspace.ts';
import {
  compose,
  containerFolder,
  isOfRostra,
  listInstructions,
  type Service,
} from '../../support/compose-example.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { findFreePort } from '../../support/free-port.ts';
import { type Cluster, createCluster } from '../../support/postgres-cluster.ts';
import { postgresPrograms, skipWithout } from '../../support/system-programs.ts';

const folder = createTemporaryFolder({ after });
const secrets = join(folder, 'secrets');
const [data, dumps] = ['data', 'dumps'].map((name) => join(folder, name)) as [string, string];

/** Only the superuser may connect without a password, as the scripts of the image of PostgreSQL do. */
const authentication = `host all postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;

/** Replaces the paths of a container, and what an operator replaces. */
const toThisMachine = (text: string) =>
  text
    .replaceAll('/run/secrets', secrets)
    .replaceAll(/^\/data\b/g, data)
    .replace('/dump.sh', join(folder, 'dump.sh'))
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of compose files
    .replace('${PROXY_DOMAIN:-localhost}', 'api.stadt.example');

const toEnvironment = (pairs: Iterable<readonly [string, string]>) =>
  Object.fromEntries([...pairs].map(([name, value]) => [name, toThisMachine(value)]));

const imageEnvironment = toEnvironment(
  listInstructions('ENV')
    .flatMap((line) => line.split(' '))
    .map((pair) => pair.split('=') as [string, string])
    .filter(([name]) => name !== 'PATH'),
);

suite('the compose example', { skip: skipWithout('pg_basebackup') }, () => {
  let cluster: Cluster;
  let key = '';

  before(async () => {
    for (const name of ['create-secrets.sh', 'create-roles.sh', 'dump.sh'])
      cpSync(join(containerFolder, name), join(folder, name));
    for (const path of [data, dumps]) mkdirSync(path);
    cluster = await createCluster(postgresPrograms);
    writeFileSync(join(cluster.data, 'pg_hba.conf'), authentication);
    await cluster.sql('postgres', 'SELECT pg_reload_conf()');
  });
  after(() => cluster?.remove());

  /** Runs a script of the folder with the programs of PostgreSQL. */
  const runScript = (name: string, environment: Record<string, string> = {}): SpawnSyncReturns<string> =>
    spawnSync('sh', [join(folder, name)], {
      cwd: dumps,
      encoding: 'utf8',
      env: {
        PATH: `${postgresPrograms}:${process.env.PATH}`,
        ...environment,
        PGHOST: '127.0.0.1',
        PGPORT: String(cluster.port),
      },
    });

  /** @param args default: those of the service */
  const start = (service: Service | undefined, args?: readonly string[], extra = {}) => {
    assert.ok(service);
    const command = args ?? service.command ?? JSON.parse(listInstructions('CMD')[0] ?? '');
    const environment = { ...imageEnvironment, ...toEnvironment(Object.entries(service.environment)) };
    return startCli(command, { environment: { ...environment, ...extra }, folder: data });
  };
  const run = async (service: Service | undefined, args?: readonly string[]) => {
    const { code, stdout, stderr } = await start(service, args).result;
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };

  test('creates secrets that only this user can open, and never replaces them', () => {
    assert.equal(runScript('create-secrets.sh').status, 0);
    assert.equal(statSync(secrets).mode & 0o777, 0o700);
    const read = () => readdirSync(secrets).map((name) => readFileSync(join(secrets, name), 'utf8'));
    for (const [name, { file }] of Object.entries(compose.secrets)) {
      assert.equal(statSync(join(folder, file)).mode & 0o777, 0o644, name);
      const content = readFileSync(join(folder, file), 'utf8');
      const [role, kind] = name.split('-') as [string, string];
      const password = readFileSync(join(secrets, `${role}-password`), 'utf8');
      assert.match(password, /^[\da-f]{48}$/);
      assert.equal(content, kind === 'url' ? `postgres://${role}:${password}@database/rostra` : password);
    }
    const created = read();
    assert.notEqual(runScript('create-secrets.sh').status, 0);
    assert.deepEqual(read(), created);
  });

  test('creates the owner of the tables, the serving role and the database', async () => {
    const script = join(folder, 'create-roles.sh');
    writeFileSync(script, readFileSync(script, 'utf8').replaceAll('/run/secrets', secrets));
    const { status, stderr } = runScript('create-roles.sh');
    assert.equal(status, 0, stderr);
    for (const name of readdirSync(secrets).filter((file) => file.endsWith('-url'))) {
      const url = readFileSync(join(secrets, name), 'utf8');
      writeFileSync(join(secrets, name), url.replace('@database/', `@127.0.0.1:${cluster.port}/`));
    }
    const roles = await cluster.sql(
      'postgres',
      `SELECT rolname, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb AS "hasMoreRights" FROM pg_roles
      WHERE rolname LIKE 'rostra%' ORDER BY rolname`,
    );
    assert.deepEqual(roles, [
      { rolname: 'rostra', hasMoreRights: false },
      { rolname: 'rostra_owner', hasMoreRights: false },
    ]);
  });

  test('creates the tables, whose owner does not serve', async () => {
    const { migrate, server } = compose.services;
    const early = await start(server, ['organization', 'list']).result;
    assert.equal(early.code, 1);
    await run(migrate);
    const owners = await cluster.sql(
      'rostra',
      "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'",
    );
    assert.deepEqual(owners, [{ tableowner: 'rostra_owner' }]);
  });

  test('serves with the serving role', async (t) => {
    const { server } = compose.services;
    await run(server, ['organization', 'add', 'Stadt Beispiel']);
    key = await run(server, ['key', 'issue', '--organization', 'Stadt Beispiel', '--name', 'Portal']);
    const port = await findFreePort();
    const serving = start(server, undefined, { ROSTRA_PORT: String(port) });
    t.after(() => void serving.child.kill('SIGKILL'));
    await serving.waitForOutput(/listening/);
    assert.equal((await sendApiRequest(port, '/submissions', { key })).status, 200);
    serving.child.kill('SIGTERM');
    assert.equal((await serving.result).code, 0);
    // The image has a setting for a database of SQLite.
    assert.deepEqual(readdirSync(data), []);
  });

  for (const [name, service] of Object.entries(compose.services))
    if (isOfRostra(service) && service.profiles?.includes('tasks'))
      test(`runs the task ${name}`, async () => {
        await run(service);
      });

  test('dumps all municipalities', () => {
    const { dump } = compose.services;
    assert.ok(dump);
    const [shell, script] = (dump.command ?? []).map(toThisMachine);
    assert.deepEqual([shell, script], ['sh', join(folder, 'dump.sh')]);
    const { status, stderr } = runScript('dump.sh', toEnvironment(Object.entries(dump.environment)));
    assert.equal(status, 0, stderr);
    const [file = '', ...others] = readdirSync(dumps);
    assert.deepEqual(others, []);
    const options = ['--data-only', '--table=organization', '--file=-', join(dumps, file)];
    const restored = spawnSync(join(postgresPrograms, 'pg_restore'), options, { encoding: 'utf8' });
    assert.match(restored.stdout, /Stadt Beispiel/);
  });
});
