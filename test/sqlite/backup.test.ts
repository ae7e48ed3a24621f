import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import Database from 'better-sqlite3';
import { createChangeMirror } from '../support/change-mirror.ts';
import {
  assertFails,
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  openSqlite,
  runCli,
  runCliProcess,
  startCli,
} from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { byNight, runsEveryTest } from '../support/nightly.ts';
import { createSubmission } from '../support/records.ts';
import { startServer } from '../support/server.ts';
import { startServerProcess } from '../support/server-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const environment = { ROSTRA_RATE_LIMIT_WINDOW: '86400' };

suite('backup', { concurrency: 2 }, () => {
  if (runsEveryTest)
    test('during requests and an import contains everything that was acknowledged before', async (t) => {
      const workspace = await createCliWorkspace(t);
      const town = await createMunicipality(workspace);
      const server = await startServerProcess(t, workspace.database);
      const many = Array.from({ length: 12_000 }, (_, n) => ({ kind: 'submission', ...createSubmission(n) }));
      const running = startCli(workspace.withDatabase('import', 'rostra', '-', '--organization', town.id), {
        input: '',
      });
      const input = running.child.stdin as NodeJS.WritableStream;
      input.write(toNdjson(many.slice(0, 6_000)));
      const used = async () => (await server.get('/submissions?limit=1', { key: town.key })).json.data.length;
      await waitUntil('a batch that was imported', async () => (await used()) > 0);
      const issued = await assertSucceeds(
        workspace.withDatabase('key', 'issue', '--organization', town.id, '--name', 'Before'),
      );
      const before = openSqlite(
        workspace.database,
        (sql) => sql.prepare('SELECT count(*) FROM submission').pluck().get() as number,
      );

      let answered = true;
      let busy = true;
      const load = (async () => {
        while (busy) answered &&= (await server.get('/me', { key: town.key })).status === 200;
      })();
      input.write(toNdjson(many.slice(6_000)));
      const copy = join(workspace.folder, 'copy.db');
      const { code, stdout, stderr } = await runCliProcess(workspace.withDatabase('backup', copy));
      busy = false;
      await load;
      assert.deepEqual([code, stdout], [0, '']);
      assert.match(stderr, /Wrote .+copy\.db\./);
      assert.ok(answered, 'a request failed during the backup');
      input.end();
      assert.equal((await running.result).code, 0);

      const sql = new Database(copy, { readonly: true });
      t.after(() => sql.close());
      assert.equal(sql.pragma('integrity_check', { simple: true }), 'ok');
      assert.deepEqual(sql.pragma('foreign_key_check'), []);
      const held = sql.prepare('SELECT count(*) FROM submission').pluck().get() as number;
      assert.ok(held >= before, `${before} before, ${held} in the copy`);
      const changes = sql.prepare("SELECT count(*) FROM change WHERE kind = 'submission'").pluck().get();
      assert.equal(changes, held, 'the copy has the changes of whole transactions');
      const prefix = sql.prepare("SELECT prefix FROM api_key WHERE name = 'Before'").pluck().get();
      assert.equal(prefix, issued.slice(0, 16));
      assert.deepEqual(
        readdirSync(workspace.folder).filter((name) => name.includes('partial')),
        [],
      );
    });

  const places = [
    ['to another path', false],
    ['to the original path', true],
  ] as const;
  for (const [where, remains] of places) {
    test(`restored ${where} has the same usage of every key, and continues to count`, {
      skip: byNight('it starts several processes'),
    }, async (t) => {
      const workspace = await createCliWorkspace(t);
      const town = await createMunicipality(workspace);
      const server = await startServer(t, workspace.database);
      for (let request = 0; request < 3; request += 1) await server.get('/me', { key: town.key });
      await server.stop();
      const copy = join(workspace.folder, 'copy.db');
      await assertSucceeds(workspace.withDatabase('backup', copy));
      const list = (database: string) =>
        assertSucceeds(['key', 'list', '--json', '--database', database], { environment });
      const before = await list(workspace.database);
      assert.match(before, /"usedInWindow": 3,?/);
      assert.equal(statSync(copy).mode & 0o777, 0o600);

      const restored = remains ? workspace.database : join(workspace.folder, 'elsewhere.db');
      for (const name of readdirSync(workspace.folder)) {
        if (remains && name.startsWith('rostra.db')) rmSync(join(workspace.folder, name));
      }
      copyFileSync(copy, restored);
      assert.equal(await list(restored), before);
      assert.equal(await list(restored), before);
      const again = await startServer(t, restored);
      const { headers } = await again.get('/me', { key: town.key });
      assert.equal(Number(headers['x-ratelimit-limit']) - Number(headers['x-ratelimit-remaining']), 4);
    });
  }

  test('is verified with the digest that it carries, and stays unchanged', async (t) => {
    const workspace = await createCliWorkspace(t);
    await createMunicipality(workspace);
    const copy = join(workspace.folder, 'copy.db');
    await assertSucceeds(workspace.withDatabase('backup', copy));
    const before = readFileSync(copy);
    const { code, stderr } = await runCli(['restore', copy, '--check']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^.+copy\.db is intact: \d+ rows\.\n$/);
    assert.deepEqual(readFileSync(copy), before);
    // An administrator may put a backup in place without the command.
    await assertSucceeds(['key', 'list', '--database', copy]);
    await assertSucceeds(['backup', join(workspace.folder, 'again.db'), '--database', copy]);
    await assertSucceeds(['restore', join(workspace.folder, 'again.db'), '--check']);
  });

  const commands = [
    ['backup', 'VACUUM'],
    ['restore', 'PRAGMA integrity_check'],
    ['drill', 'VACUUM'],
  ] as const;
  for (const [command, held] of runsEveryTest ? commands : commands.slice(0, 1))
    test(`Ctrl-C during "rostra ${command}" leaves no partial files`, {
      skip: byNight('it starts several processes'),
    }, async (t) => {
      const workspace = await createCliWorkspace(t);
      await assertSucceeds(workspace.withDatabase('migrate'));
      // A small database is read at once.
      const town = await createMunicipality(workspace, 'Musterstadt');
      const bulky = Array.from({ length: 30 }, (_, n) => ({
        kind: 'submission',
        ...createSubmission(n, { description: 'x'.repeat(99_000) }),
      }));
      const file = workspace.writeFile('bulky.ndjson', toNdjson(bulky));
      await assertSucceeds(workspace.withDatabase('import', 'rostra', file, '--organization', town.id));
      const copy = join(workspace.folder, 'copy.db');
      if (command === 'restore') await assertSucceeds(workspace.withDatabase('backup', copy));
      const before = readdirSync(workspace.folder);
      const preload = new URL('../support/hold-statement.ts', import.meta.url);
      const args = { backup: [copy], restore: [copy, '--yes'], drill: [] }[command];
      const running = startCli(workspace.withDatabase(command, ...args), {
        environment: { NODE_OPTIONS: `--import ${preload}`, HOLD_STATEMENT: held },
      });
      const listPartials = () => readdirSync(workspace.folder).filter((name) => name.includes('partial'));
      await waitUntil('a partial file', () => listPartials().length > 0);
      running.child.kill('SIGINT');
      assert.equal((await running.result).signal, 'SIGINT');
      assert.deepEqual(
        readdirSync(workspace.folder).filter((name) => !/-(wal|shm)$/.test(name)),
        before.filter((name) => !/-(wal|shm)$/.test(name)),
      );
    });

  test('is recorded for monitoring with its outcome, but not if its arguments are invalid', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    await assertSucceeds(workspace.withDatabase('migrate'));
    const readRuns = () => workspace.sql<Record<string, string>>('SELECT * FROM maintenance_run');
    const copy = join(workspace.folder, 'copy.db');
    await assertSucceeds(workspace.withDatabase('backup', copy));
    const [succeeded] = await readRuns();
    assert.deepEqual(
      [succeeded?.kind, succeeded?.outcome, JSON.parse(succeeded?.detail ?? '')],
      ['backup', 'succeeded', { file: copy, bytes: statSync(copy).size }],
    );
    await assertFails(workspace.withDatabase('backup', copy), 1, /exists already/);
    assert.deepEqual(await readRuns(), [succeeded]);
    await assertFails(workspace.withDatabase('backup', join(copy, 'x.db')), 1, /could not be written/);
    const [failed] = await readRuns();
    assert.equal(failed?.outcome, 'failed');
    assert.equal(failed?.last_success_at, succeeded?.finished_at);
    assert.match(failed?.detail ?? '', /copy\.db is not a folder/);
  });

  test('into a folder is named after the time, and keeps the newest backups and other files', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    await assertSucceeds(workspace.withDatabase('migrate'));
    const folder = join(workspace.folder, 'backups');
    mkdirSync(folder);
    const others = ['rostra-2020-01-01.db', 'rostra.db', 'rostra-2020-01-01T00-00-00.000Z.db.gz'];
    for (const name of others) writeFileSync(join(folder, name), '');
    const past = ['rostra-2020-01-01T00-00-00.000Z.db', 'rostra-2021-01-01T00-00-00.000Z.db'];
    // The clock was set back.
    const future = 'rostra-9999-01-01T00-00-00.000Z.db';
    for (const name of [...past, future]) writeFileSync(join(folder, name), '');
    const { code, stderr } = await runCli(workspace.withDatabase('backup', folder, '--keep', '3'));
    assert.equal(code, 0);
    const [, written = ''] = /Wrote .+backups\/(rostra-2\S+Z\.db)\.\n/.exec(stderr) ?? [];
    assert.match(stderr, new RegExp(`Removed .+${past[0]}\\.`));
    assert.deepEqual(readdirSync(folder).toSorted(), [...others, past[1], written, future].toSorted());
    await assertSucceeds(workspace.withDatabase('backup', folder, '--keep', '1'));
    const left = readdirSync(folder).filter((name) => !others.includes(name));
    assert.ok(left.length === 1 && left[0] !== future && left[0] !== written, left.join());
    await assertSucceeds(workspace.withDatabase('backup', folder));
    assert.equal(readdirSync(folder).length, others.length + 2);
  });

  test('removes no older backups if it fails, and --keep needs a folder and a number', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    const folder = join(workspace.folder, 'backups');
    mkdirSync(folder);
    const older = join(folder, 'rostra-2020-01-01T00-00-00.000Z.db');
    writeFileSync(older, '');
    await assertFails(workspace.withDatabase('backup', folder, '--keep', '1'), 1, /does not exist/);
    assert.ok(existsSync(older));
    await assertSucceeds(workspace.withDatabase('migrate'));
    await assertFails(
      workspace.withDatabase('backup', 'new.db', '--keep', '1'),
      2,
      /new\.db is not a folder, which --keep needs\. Create the folder/,
    );
    await assertFails(
      workspace.withDatabase('backup', 'new/'),
      2,
      /new\/ is not a folder\. Create the folder/,
    );
    const file = workspace.writeFile('backup.db', '');
    await assertFails(workspace.withDatabase('backup', file, '--keep', '1'), 2, /backup\.db is not a folder/);
    await assertFails(workspace.withDatabase('backup', folder, '--keep', '0'), 2, /number from 1 to 99999/);
  });

  test('does not overwrite an existing file', async (t) => {
    const workspace = await createCliWorkspace(t);
    await assertSucceeds(workspace.withDatabase('migrate'));
    const existing = workspace.writeFile('copy.db', 'precious');
    await assertFails(
      workspace.withDatabase('backup', existing),
      1,
      /copy\.db exists already\. Name a new file for the backup/,
    );
    assert.equal(statSync(existing).size, 'precious'.length);
    await assertFails(workspace.withDatabase('backup', workspace.database), 1, /exists already/);
  });

  test('into a folder that cannot be created is rejected with an error message', async (t) => {
    const workspace = await createCliWorkspace(t);
    await assertSucceeds(workspace.withDatabase('migrate'));
    const file = workspace.writeFile('plain', '');
    const { stderr } = await assertFails(
      workspace.withDatabase('backup', join(file, 'copy.db')),
      1,
      /copy\.db.*plain is not a folder/,
    );
    assert.equal(stderr.trim().split('\n').length, 1);
  });

  test('that is killed leaves files that only their owner can read, and the next backup removes them', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    await assertSucceeds(workspace.withDatabase('migrate'));
    const folder = join(workspace.folder, 'backups');
    mkdirSync(folder);
    const killer = new URL('../support/kill-in-backup.ts', import.meta.url);
    const killed = await runCliProcess(workspace.withDatabase('backup', join(folder, 'monday.db')), {
      environment: { NODE_OPTIONS: `--import ${killer}` },
    });
    assert.equal(killed.signal, 'SIGKILL');
    const left = readdirSync(folder).toSorted();
    assert.equal(left.length, 2);
    assert.match(left.join(), /^(monday\.db\..+\.partial),\1-journal$/);
    for (const name of left) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
    // A running process still writes this file.
    const [partial] = left as [string];
    const running = partial.replace(/\d+\.partial.*$/, `${process.ppid}.partial`);
    writeFileSync(join(folder, running), '');
    // A removed container had another host name.
    const abandoned = partial.replace(/rostra-backup\..+$/, 'rostra-backup.pod-x7f2.1.partial');
    const recent = abandoned.replace('x7f2', 'x7f3');
    for (const name of [abandoned, recent]) writeFileSync(join(folder, name), '');
    utimesSync(join(folder, abandoned), 0, 0);
    const { code, stderr } = await runCliProcess(
      workspace.withDatabase('backup', join(folder, 'tuesday.db')),
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(readdirSync(folder).toSorted(), [running, recent, 'tuesday.db'].toSorted());
  });

  test('leaves no other files, and ignores a partial file of another program', async (t) => {
    const workspace = await createCliWorkspace(t);
    await assertSucceeds(workspace.withDatabase('migrate'));
    const copy = join(workspace.folder, 'copy.db');
    writeFileSync(`${copy}.partial`, 'half a copy');
    await assertSucceeds(workspace.withDatabase('backup', copy));
    const left = readdirSync(workspace.folder).filter(
      (name) => name.startsWith('copy.db.') && name !== 'copy.db.partial',
    );
    assert.deepEqual(left, []);
    assert.ok(existsSync(copy));
  });
});

suite('change-history', () => {
  test('a restored backup and "change-history restart" require mirrors to start anew', async (t) => {
    const workspace = await createCliWorkspace(t);
    const town = await createMunicipality(workspace);
    const put = async (...numbers: number[]) => {
      const records = numbers.map((n) => ({ kind: 'submission', ...createSubmission(n) }));
      const file = workspace.writeFile('x.ndjson', toNdjson(records));
      await assertSucceeds(workspace.withDatabase('import', 'rostra', file, '--organization', town.id));
    };
    await put(1, 2);
    const copy = join(workspace.folder, 'copy.db');
    await assertSucceeds(workspace.withDatabase('backup', copy));
    const server = await startServer(t, workspace.database);
    const mirror = createChangeMirror(server, town.key);
    assert.equal((await mirror.poll()).length, 2);
    await put(3);
    assert.equal((await mirror.poll()).length, 1);
    await server.stop();

    for (const suffix of ['', '-wal', '-shm', '-counters', '-counters-wal', '-counters-shm'])
      rmSync(workspace.database + suffix, { force: true });
    renameSync(copy, workspace.database);
    // The data overtakes the mirror.
    await put(4, 5, 6, 7);
    const restored = await startServer(t, workspace.database);
    const assertRefused = async (cursor: string | undefined) => {
      const { status, json } = await restored.get(`/changes?cursor=${cursor}`, { key: town.key });
      assert.deepEqual([status, json.code], [410, 'RESYNC_REQUIRED']);
    };
    await assertRefused(mirror.cursor);
    const fresh = createChangeMirror(restored, town.key);
    assert.equal((await fresh.poll()).length, 6);
    const { stderr } = await runCli(workspace.withDatabase('change-history', 'restart'));
    assert.match(stderr, /start anew/);
    await assertRefused(fresh.cursor);
  });
});

suite('cursor-secret rotate', () => {
  test('keeps issued cursors valid once and invalidates them the second time, also for a running server', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    const town = await createMunicipality(workspace);
    const records = workspace.writeFile(
      'x.ndjson',
      toNdjson([1, 2, 3].map((n) => ({ kind: 'submission', ...createSubmission(n) }))),
    );
    await assertSucceeds(workspace.withDatabase('import', 'rostra', records, '--organization', town.id));
    const server = await startServer(t, workspace.database);
    const get = (query: string) => server.get(`/submissions?limit=1${query}`, { key: town.key });
    const first = await get('');
    const old = `&cursor=${first.json.pagination.next_cursor}`;
    const { code, stdout, stderr } = await runCli(workspace.withDatabase('cursor-secret', 'rotate'));
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, /previous one stays valid/);
    const second = await get(old);
    assert.equal(second.status, 200);
    await assertSucceeds(workspace.withDatabase('cursor-secret', 'rotate'));
    assert.equal((await get(old)).status, 400);
    assert.equal((await get(`&cursor=${second.json.pagination.next_cursor}`)).status, 200);
  });
});
