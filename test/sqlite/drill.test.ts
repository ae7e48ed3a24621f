import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import {
  assertFails,
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  openSqlite,
  runCli,
  runCliProcess,
} from '../support/cli-workspace.ts';
import { type Scope, toNdjson } from '../support/files.ts';
import { createSubmission } from '../support/records.ts';
import { startServer } from '../support/server.ts';

async function createTown(t: Scope) {
  const workspace = await createCliWorkspace(t);
  const town = await createMunicipality(workspace);
  const records = [1, 2, 3].map((n) => ({ kind: 'submission', ...createSubmission(n) }));
  const input = workspace.writeFile('x.ndjson', toNdjson(records));
  await assertSucceeds(workspace.withDatabase('import', 'rostra', input, '--organization', town.id));
  const readRun = () =>
    openSqlite(workspace.database, (sql) =>
      sql.prepare("SELECT outcome, detail FROM maintenance_run WHERE kind = 'drill'").get(),
    ) as { outcome: string; detail: string } | undefined;
  const listFolder = () => readdirSync(workspace.folder).filter((name) => !/-(wal|shm)$/.test(name));
  return { ...workspace, town, readRun, listFolder };
}

suite('drill', { concurrency: 2 }, () => {
  test('restores a backup beside the running service, compares every row, and leaves nothing behind', async (t) => {
    const { town, withDatabase, database, readRun, listFolder } = await createTown(t);
    const server = await startServer(t, database);
    await server.get('/me', { key: town.key });
    const before = listFolder();
    const { code, stdout } = await runCli(withDatabase('drill'));
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^backup +\d\.\d MB in \d+\.\d s\nrestore +\d+\.\d s\ncompared +\d+ rows in .+\n(written.+\n)?The restored database has every row/,
    );
    assert.deepEqual(listFolder(), before);
    assert.equal((await server.get('/submissions', { key: town.key })).json.data.length, 3);
    const result = JSON.parse(await assertSucceeds(withDatabase('drill', '--json')));
    assert.ok(result.rows > 10, JSON.stringify(result));
    assert.deepEqual([readRun()?.outcome, JSON.parse(readRun()?.detail ?? '')], ['succeeded', result]);
  });

  for (const [what, statement, message] of [
    [
      'a record',
      "DROP TRIGGER submission_removed; DELETE FROM submission WHERE id LIKE '%2'",
      /the row \[.+\] of submission is missing in the/,
    ],
    [
      'a byte',
      "DROP TRIGGER submission_changed; UPDATE submission SET description = description || ' '",
      /of submission differs in the/,
    ],
    ['a revocation', 'UPDATE api_key SET expires_at = NULL', /of api_key differs in the/],
    ['a counter', 'DELETE FROM rate_window', /of rate_window is missing in the/],
  ] as const) {
    test(`fails if the restored database lacks ${what}, and records that`, async (t) => {
      const { town, database, withDatabase, readRun } = await createTown(t);
      const server = await startServer(t, database);
      await server.get('/me', { key: town.key });
      await server.stop();
      openSqlite(database, (sql) => sql.exec("UPDATE api_key SET expires_at = '2099-01-01T00:00:00.000Z'"));
      const preload = new URL('../support/lose-row-in-backup.ts', import.meta.url);
      const { code, stderr } = await runCliProcess(withDatabase('drill'), {
        environment: { NODE_OPTIONS: `--import ${preload}`, LOSE_ROW: statement },
      });
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.equal(readRun()?.outcome, 'failed');
      assert.match(readRun()?.detail ?? '', /The drill failed/);
    });
  }

  test('removes the folder of a killed drill, and rejects a missing folder', async (t) => {
    const { folder, withDatabase, listFolder } = await createTown(t);
    const before = listFolder();
    const left = join(folder, `rostra.rostra-drill.${hostname()}.4194305.partial`);
    mkdirSync(left);
    writeFileSync(join(left, 'backup.db'), '');
    await assertSucceeds(withDatabase('drill'));
    assert.deepEqual(listFolder(), before);
    await assertFails(
      withDatabase('drill', '--folder', join(folder, 'missing')),
      1,
      /The drill failed: the folder .+missing does not exist/,
    );
  });
});
