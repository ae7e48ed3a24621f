import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { sendApiRequest } from '../../support/api-client.ts';
import {
  assertFails,
  type CliWorkspace,
  createCliWorkspace,
  createMunicipality,
  openSqlite,
  type RunningCommand,
  type RunOptions,
  startCli,
} from '../../support/cli-workspace.ts';
import { findFreePort } from '../../support/free-port.ts';
import { sendRequest } from '../../support/http-client.ts';
import { byNight, runsEveryTest } from '../../support/nightly.ts';

interface Demo {
  running: RunningCommand;
  port: number;
  text: string;
  keys: string[];
  stop(): Promise<number | null>;
}

async function startDemo(
  t: { after(work: () => void): void },
  args: string[],
  options: RunOptions = {},
): Promise<Demo> {
  const running = startCli(['demo', ...args], options);
  t.after(() => void running.child.kill('SIGKILL'));
  const [text] = await running.waitForOutput(/Rostra serves two[\s\S]+Press Ctrl-C to stop/);
  const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
  return {
    running,
    port,
    text,
    keys: [...text.matchAll(/^ {2}\S.* {2}(sk_rostra_\w{36})$/gm)].map(([, key]) => key as string),
    stop: async () => {
      running.child.kill('SIGINT');
      return (await running.result).code;
    },
  };
}

const workspace: CliWorkspace = await createCliWorkspace({ after });
const demoDatabase = join(workspace.folder, 'data/demo.db');
const demo = await startDemo({ after }, ['--port', String(await findFreePort())], {
  environment: { ROSTRA_DATABASE: workspace.database },
  folder: workspace.folder,
});

const get = (path: string, key: string | undefined) =>
  sendApiRequest(demo.port, path, key === undefined ? {} : { key });

suite('demo', () => {
  test('prints an address and a working key for each of two municipalities', async () => {
    assert.equal(demo.keys.length, 2);
    const organizations = new Set<string>();
    for (const key of demo.keys) {
      const { status, json } = await get('/me', key);
      assert.equal(status, 200);
      organizations.add(json.organization_id);
      assert.ok((await get('/submissions', key)).json.data.length === 20);
      assert.ok((await get('/sessions', key)).json.data.length === 20);
    }
    assert.equal(organizations.size, 2);
  });

  test('prints a curl command that works in a shell', async (t) => {
    const line = /^ {2}(curl .+)$/m.exec(demo.text)?.[1] as string;
    assert.match(line, /limit=3/);
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      `command -v curl > /dev/null || exit 99; ${line}`,
    ]).catch((error) => {
      if (error.code !== 99) throw error;
      return { stdout: undefined };
    });
    if (stdout === undefined) return t.skip('this machine has no curl');
    assert.equal(JSON.parse(stdout).data.length, 3);
  });

  test('serves open data with its feeds and catalogues at the printed addresses', async () => {
    const addresses = demo.text.match(/http:\S+\/open\/\S+/g) ?? [];
    assert.equal(addresses.length, 2);
    for (const address of addresses)
      for (const path of ['', '/decisions.atom', '/catalog.jsonld'])
        assert.equal((await sendRequest(demo.port, new URL(address + path).pathname)).status, 200, path);
  });

  test('has sources with their imports, and keys with their use', () => {
    openSqlite(demoDatabase, (sql) => {
      const count = (query: string) => sql.prepare(query).pluck().get();
      assert.equal(count("SELECT count(*) FROM import_run WHERE outcome = 'done' AND inserted > 0"), 8);
      assert.equal(count('SELECT count(*) FROM import_source WHERE last_success_at IS NOT NULL'), 6);
      // Of each municipality, two keys with use, and one that the demo prints.
      assert.equal(count('SELECT count(*) FROM api_key'), 6);
    });
  });

  test('prints the URL of the documentation', async () => {
    const address = new URL(/http:\S+\/docs/.exec(demo.text)?.[0] as string);
    assert.equal(Number(address.port), demo.port);
    const { status, headers } = await sendRequest(demo.port, address.pathname);
    assert.equal(status, 200);
    assert.match(headers['content-type'] ?? '', /^text\/html/);
  });

  test('isolates the two municipalities: a key reads the data of its own only', {
    skip: byNight('other files show the isolation of municipalities'),
  }, async () => {
    const [one, other] = demo.keys;
    for (const list of ['/submissions', '/sessions'] as const) {
      const { json } = await get(`${list}?limit=100`, one);
      const ids = new Set(json.data.map(({ id }: { id: string }) => id));
      const { json: foreign } = await get(`${list}?limit=100`, other);
      for (const { id } of foreign.data) {
        assert.ok(!ids.has(id));
        assert.equal((await get(`${list}/${id}`, one)).status, 404);
        assert.equal((await get(`${list}/${id}`, other)).status, 200);
      }
    }
  });

  test('reports a port in use and exits with 1', {
    skip: byNight('it starts several processes'),
  }, async () => {
    await assertFails(
      ['demo', '--port', String(demo.port), '--database', demoDatabase],
      1,
      /Port \d+ of 127\.0\.0\.1 is in use/,
    );
  });

  test('rejects a database with another municipality and does not change it', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    await createMunicipality(workspace, 'Echtstadt');
    await assertFails(
      ['demo', ...workspace.withDatabase('--port', '0')],
      1,
      /contains Echtstadt, which is not part of the demo.+--database/,
    );
    assert.equal(
      openSqlite(workspace.database, (sql) => sql.prepare('SELECT count(*) FROM organization').pluck().get()),
      1,
    );
  });

  test('never uses ROSTRA_DATABASE; without a flag it creates a file of its own', () => {
    assert.ok(!existsSync(workspace.database));
    assert.ok(existsSync(demoDatabase));
  });

  if (runsEveryTest)
    test('two simultaneous starts on one port and one new database: one serves, the other reports the port in use', async (t) => {
      const workspace = await createCliWorkspace(t);
      const port = await findFreePort();
      const both = [1, 2].map(() => startCli(['demo', ...workspace.withDatabase('--port', String(port))]));
      for (const { child } of both) t.after(() => void child.kill('SIGKILL'));
      const loser = await Promise.race(
        both.map(async (running) => ({ running, ended: await running.result })),
      );
      assert.equal(loser.ended.code, 1);
      assert.match(loser.ended.stderr, new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is in use`));
      const winner = both.find((running) => running !== loser.running) as RunningCommand;
      await winner.waitForOutput(/Press Ctrl-C to stop/);
      winner.child.kill('SIGTERM');
      assert.equal((await winner.result).code, 0);
    });

  test('stops with 0; a second start uses the same data and prints new keys; the first keys stay valid', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const page = (await sendApiRequest(demo.port, '/submissions?limit=100', { key: demo.keys[0] as string }))
      .text;
    assert.equal(await demo.stop(), 0);
    const second = await startDemo(t, ['--port', '0', '--database', demoDatabase]);
    for (const key of [demo.keys[0], second.keys[0]] as string[]) {
      const again = (await sendApiRequest(second.port, '/submissions?limit=100', { key })).text;
      assert.equal(again.replace(/"next_cursor":"[^"]*"/, ''), page.replace(/"next_cursor":"[^"]*"/, ''));
    }
    assert.ok(!second.keys.includes(demo.keys[0] as string));
    assert.equal(await second.stop(), 0);
    const readErrors = ({ running }: Demo) => running.result.then(({ stderr }) => stderr);
    assert.match(await readErrors(demo), /Generating sample data/);
    assert.doesNotMatch(await readErrors(second), /Generating sample data/);
  });
});
