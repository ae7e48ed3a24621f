import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createChangeMirror } from '../support/change-mirror.ts';
import {
  assertFails,
  assertSucceeds,
  type CliWorkspace,
  createCliWorkspace,
  createMunicipality,
  type Municipality,
  openSqlite,
  runCli,
  startCli,
} from '../support/cli-workspace.ts';
import { type Scope, toNdjson } from '../support/files.ts';
import { byNight, runsEveryTest } from '../support/nightly.ts';
import { createSubmission, formatSurveyId } from '../support/records.ts';
import { startServer } from '../support/server.ts';
import { startServerProcess } from '../support/server-process.ts';

interface Backup extends CliWorkspace {
  town: Municipality;
  /** A backup with the submissions 1 and 2. */
  file: string;
  put(...numbers: number[]): Promise<void>;
  restore(...options: string[]): string[];
  readNumbers(database?: string): number[];
  listFiles(): string[];
}

const toRecords = (numbers: readonly number[]) =>
  toNdjson(numbers.map((n) => ({ kind: 'submission', ...createSubmission(n) })));

async function createOriginal(scope: Scope) {
  const workspace = await createCliWorkspace(scope);
  const { folder, withDatabase, writeFile } = workspace;
  const town = await createMunicipality(workspace);
  const input = writeFile('x.ndjson', toRecords([1, 2]));
  await assertSucceeds(withDatabase('import', 'rostra', input, '--organization', town.id));
  await assertSucceeds(withDatabase('backup', join(folder, 'copy.db')));
  return { folder, town };
}

const original = await createOriginal({ after });

/** Copies files that commands wrote once for all tests. */
async function createBackup(t: Scope): Promise<Backup> {
  const workspace = await createCliWorkspace(t);
  const { database, folder, withDatabase, writeFile } = workspace;
  cpSync(original.folder, folder, { recursive: true });
  const { town } = original;
  const put = async (...numbers: number[]) => {
    const input = writeFile('x.ndjson', toRecords(numbers));
    await assertSucceeds(withDatabase('import', 'rostra', input, '--organization', town.id));
  };
  const file = join(folder, 'copy.db');
  return {
    ...workspace,
    town,
    file,
    put,
    restore: (...options) => withDatabase('restore', file, ...options),
    readNumbers: (path = database) =>
      openSqlite(path, (sql) =>
        (sql.prepare('SELECT id FROM submission ORDER BY id').pluck().all() as string[]).map((id) =>
          Number.parseInt(id.slice(-6), 16),
        ),
      ),
    listFiles: () =>
      readdirSync(folder)
        .filter((name) => name.startsWith('rostra.db'))
        .toSorted(),
  };
}

suite('restore', { concurrency: 2 }, () => {
  test('puts the backup in place, keeps the previous files, and lets mirrors start anew', async (t) => {
    const { town, put, readNumbers, restore, ...backup } = await createBackup(t);
    const server = await startServer(t, backup.database);
    const mirror = createChangeMirror(server, town.key);
    await mirror.poll();
    await put(3);
    await mirror.poll();
    await server.stop();
    chmodSync(backup.database, 0o640);

    const { code, stdout, stderr } = await runCli(restore('--yes'));
    assert.deepEqual([code, stdout], [0, ''], stderr);
    assert.match(
      stderr,
      /^Restored .+rostra\.db from .+copy\.db: one municipality\.\nThe previous database is /,
    );
    assert.equal(readNumbers().length, 2);
    assert.equal(statSync(backup.database).mode & 0o777, 0o640);
    const previous = backup.listFiles().find((name) => name.includes('before-restore')) ?? '';
    assert.equal(readNumbers(join(backup.folder, previous)).length, 3);
    assert.deepEqual(
      backup.listFiles().filter((name) => !/-(wal|shm)$/.test(name)),
      ['rostra.db', previous, `${previous}-counters`, 'rostra.db-counters'].toSorted(),
    );
    assert.ok(stderr.includes(previous));

    // The data overtakes the mirror.
    await put(4, 5, 6);
    const restored = await startServer(t, backup.database);
    const { status } = await restored.get(`/changes?cursor=${mirror.cursor}`, { key: town.key });
    assert.equal(status, 410);
  });

  test('of the same file twice starts another history of changes each time', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const { database, restore } = await createBackup(t);
    const readHistory = () =>
      openSqlite(database, (sql) => sql.prepare('SELECT history_id FROM change_history').pluck().get());
    const histories = new Set([readHistory()]);
    for (const _ of [1, 2]) {
      await assertSucceeds(restore('--yes'));
      histories.add(readHistory());
    }
    assert.equal(histories.size, 3);
  });

  test('restores the use of keys, keeps keys revoked, and prints JSON', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const backup = await createBackup(t);
    const { town, database, restore, withDatabase } = backup;
    const keys = JSON.parse(await assertSucceeds(withDatabase('key', 'list', '--json')));
    const server = await startServer(t, database);
    await server.get('/me', { key: town.key });
    await server.stop();
    await assertSucceeds(withDatabase('key', 'revoke', keys[0].id));
    const result = JSON.parse(await assertSucceeds(restore('--yes', '--json')));
    assert.deepEqual(result, {
      database,
      organizations: 1,
      previous: result.previous,
      keptDecisions: 0,
      keptAccess: { accounts: [], keys: [{ id: keys[0].id, prefix: keys[0].prefix, name: 'Test' }] },
      revivedAccess: { accounts: [], keys: [], organizations: [] },
    });
    assert.ok(existsSync(result.previous));
    const [{ state, revokedAt, ...key }] = JSON.parse(
      await assertSucceeds(withDatabase('key', 'list', '--json')),
    );
    assert.equal(state, 'revoked');
    assert.deepEqual({ ...key, state: 'active', revokedAt: null }, keys[0]);
    const { stderr } = await runCli(withDatabase('restore', backup.file, '--yes'));
    assert.doesNotMatch(stderr, /active again/);
    const [run] = openSqlite(database, (sql) =>
      sql.prepare("SELECT outcome, detail FROM maintenance_run WHERE kind = 'restore'").all(),
    ) as { outcome: string; detail: string }[];
    assert.equal(run?.outcome, 'succeeded');
  });

  test('ends login sessions and one-time links', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const { town, database, restore, withDatabase, file } = await createBackup(t);
    await assertSucceeds(withDatabase('admin', 'add', 'anna@stadt.example', '--organization', town.id));
    renameSync(file, `${file}.old`);
    await assertSucceeds(withDatabase('backup', file));
    const countLinks = () =>
      openSqlite(database, (sql) => sql.prepare('SELECT count(*) FROM invitation').pluck().get());
    assert.equal(countLinks(), 1);
    await assertSucceeds(restore('--yes'));
    assert.equal(countLinks(), 0);
  });

  test('refuses a database that a server or a command uses, and changes nothing', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const backup = await createBackup(t);
    const { town, restore, put, readNumbers, withDatabase } = backup;
    await put(3);
    const inUse =
      /is in use by a server or a command\. Stop it first, for example with "systemctl stop rostra"/;
    const server = await startServerProcess(t, backup.database);
    await assertFails(restore('--yes'), 1, inUse);
    assert.equal((await server.get('/submissions', { key: town.key })).json.data.length, 3);
    await server.stop();
    const command = startCli(withDatabase('import', 'rostra', '-', '--organization', town.id), { input: '' });
    command.child.stdin?.write(toNdjson([{ kind: 'submission', ...createSubmission(4) }]));
    // The command has opened the database when its log exists.
    while (!existsSync(`${backup.database}-wal`)) await new Promise((resolve) => setTimeout(resolve, 10));
    await assertFails(restore('--yes'), 1, inUse);
    command.child.stdin?.end();
    assert.equal((await command.result).code, 0);
    assert.equal(readNumbers().length, 4);
    assert.ok(!backup.listFiles().some((name) => name.includes('restore')));
  });

  test('refuses a damaged database that a server uses', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const backup = await createBackup(t);
    const server = await startServerProcess(t, backup.database);
    const descriptor = openSync(backup.database, 'r+');
    writeSync(descriptor, Buffer.alloc(4_096, 'x'));
    closeSync(descriptor);
    await assertFails(backup.restore('--yes'), 1, /is in use by a server or a command/);
    await server.stop();
    await assertSucceeds(backup.restore('--yes'));
    assert.equal(backup.readNumbers().length, 2);
  });

  test('asks for confirmation, and not if there is no database', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const { restore, readNumbers, put, ...backup } = await createBackup(t);
    await put(3);
    await assertFails(
      restore(),
      2,
      /Nothing was replaced\. Use --yes to replace the database .+rostra\.db without/,
    );
    assert.equal(readNumbers().length, 3);
    const database = join(backup.folder, 'new', 'other.db');
    const result = JSON.parse(
      await assertSucceeds(['restore', backup.file, '--database', database, '--json']),
    );
    assert.equal(result.previous, null);
    assert.equal(readNumbers(database).length, 2);
    assert.equal(statSync(database).mode & 0o777, 0o600);
  });

  test('asks for no confirmation of a file that is no backup', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const backup = await createBackup(t);
    const file = join(backup.folder, 'bad');
    const restore = backup.withDatabase('restore', file);
    await assertFails(restore, 1, /^The backup .+bad does not exist/);
    openSqlite(file, (sql) => sql.exec('CREATE TABLE t (a)'));
    await assertFails(restore, 1, /^.+bad is a database of another application/);
  });

  test('changes no file behind a symbolic link that another process puts in place of its copy', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const backup = await createBackup(t);
    const victim = backup.writeFile('victim', 'text');
    chmodSync(victim, 0o644);
    await backup.put(3);
    const preload = new URL('../support/replace-copied-file.ts', import.meta.url).pathname;
    await assertFails(backup.restore('--yes'), 1, /^The backup .+copy\.db could not be restored: ELOOP/, {
      environment: { NODE_OPTIONS: `--import ${preload}`, LINK_TO: victim },
    });
    assert.equal(statSync(victim).mode & 0o777, 0o644);
    assert.equal(backup.readNumbers().length, 3);
  });

  const unusable: Record<string, { message: RegExp; make(backup: Backup, file: string): void }> = {
    'a missing file': { message: /The backup .+bad does not exist/, make: () => undefined },
    'a folder': { message: /bad is a folder\. Name one backup/, make: (_, file) => mkdirSync(file) },
    'an empty file': { message: /bad is empty/, make: (_, file) => writeFileSync(file, '') },
    'a text file': {
      message: /bad is not an SQLite database\. If it is encrypted, decrypt it first/,
      make: (_, file) => writeFileSync(file, 'text'),
    },
    'an encrypted file': {
      message: /is not an SQLite database\. If it is encrypted/,
      make: ({ file: from }, file) =>
        writeFileSync(
          file,
          readFileSync(from).map((byte) => byte ^ 0x5a),
        ),
    },
    'a compressed file': {
      message: /bad is compressed\. Decompress it first, with gunzip/,
      make: ({ file: from }, file) => writeFileSync(file, gzipSync(readFileSync(from))),
    },
    'a dump of PostgreSQL': {
      message: /bad is a dump of PostgreSQL\. Restore it with pg_restore/,
      make: (_, file) => writeFileSync(file, 'PGDMP\u0001\u000e'),
    },
    'a truncated file': {
      message: /bad is damaged: .+\. Restore another backup/,
      make: ({ file: from }, file) => {
        copyFileSync(from, file);
        truncateSync(file, statSync(file).size - 3 * 8_192);
      },
    },
    'a damaged file': {
      message: /bad is damaged: .+\. Restore another backup/,
      make: ({ file: from }, file) => {
        const bytes = readFileSync(from);
        // Turns the pages after the schema into zeros.
        bytes.fill(0, bytes.length >> 1);
        writeFileSync(file, bytes);
      },
    },
    // SQLite notices neither of the two.
    'a changed byte of a text': {
      message: /bad is damaged: rows were changed after the backup was written\. Restore another backup/,
      make: ({ file: from }, file) => {
        const bytes = readFileSync(from);
        bytes.write('s', bytes.indexOf(createSubmission(2).description));
        writeFileSync(file, bytes);
      },
    },
    'a removed row': {
      message: /bad is damaged: rows were changed after/,
      make: ({ file: from }, file) => {
        copyFileSync(from, file);
        openSqlite(file, (sql) => sql.exec('DELETE FROM cursor_secret'));
      },
    },
    'a copied database': {
      message: /bad carries no digest of its content: .+ rostra backup NEW-FILE --database .+bad/,
      make: ({ database }, file) => copyFileSync(database, file),
    },
    'rows without their municipality': {
      message: /bad is damaged: rows of \w+ refer to missing rows/,
      make: ({ file: from }, file) => {
        copyFileSync(from, file);
        openSqlite(file, (sql) => {
          sql.pragma('foreign_keys = OFF');
          sql.exec('DELETE FROM organization');
        });
      },
    },
    'a database of another application': {
      message: /bad is a database of another application/,
      make: (_, file) => openSqlite(file, (sql) => sql.exec('CREATE TABLE t (a)')),
    },
    'a backup of a newer version': {
      message: /written by a newer version of Rostra: it has schema 9999/,
      make: ({ file: from }, file) => {
        copyFileSync(from, file);
        openSqlite(file, (sql) =>
          sql.exec("INSERT INTO schema_migration VALUES (9999, '9999_from_the_future', 9999, '')"),
        );
      },
    },
    'copied files of a database': {
      message: /bad is incomplete without .+bad-wal: .+ rostra backup NEW-FILE --database .+bad/,
      make: ({ file: from }, file) => {
        copyFileSync(from, file);
        writeFileSync(`${file}-wal`, '');
      },
    },
    'the database itself by another name': {
      message: /bad is the database itself/,
      make: ({ database }, file) => linkSync(database, file),
    },
  };
  for (const [what, { message, make }] of Object.entries(unusable)) {
    test(`rejects ${what} and changes nothing`, async (t) => {
      const backup = await createBackup(t);
      await backup.put(3);
      const file = join(backup.folder, 'bad');
      make(backup, file);
      const before = backup.listFiles();
      await assertFails(backup.withDatabase('restore', file, '--yes'), 1, message);
      if (what !== 'the database itself by another name')
        await assertFails(['restore', file, '--check'], 1, message);
      assert.equal(backup.readNumbers().length, 3);
      assert.deepEqual(backup.listFiles(), before);
    });
  }

  const damages: Record<string, (database: string) => void> = {
    'another beginning': (file) => writeFileSync(file, Buffer.alloc(40_000, 'x')),
    'half of its content': (file) => truncateSync(file, statSync(file).size / 2),
    'no content': (file) => truncateSync(file, 0),
  };
  for (const [what, damage] of Object.entries(damages).slice(0, runsEveryTest ? undefined : 1)) {
    test(`replaces a damaged database with ${what}, and keeps its files`, async (t) => {
      const backup = await createBackup(t);
      damage(backup.database);
      appendFileSync(`${backup.database}-wal`, 'a log that belongs to the damaged file');
      const damaged = readFileSync(backup.database);
      const { previous } = JSON.parse(await assertSucceeds(backup.restore('--yes', '--json')));
      assert.equal(backup.readNumbers().length, 2);
      if (what === 'another beginning') {
        assert.deepEqual(readFileSync(previous), damaged);
        assert.match(readFileSync(`${previous}-wal`, 'utf8'), /^a log/);
      }
      const server = await startServer(t, backup.database);
      assert.equal((await server.get('/me', { key: backup.town.key })).status, 200);
    });
  }

  test('does not replace a database of another application', async (t) => {
    const { file, folder } = await createBackup(t);
    const other = join(folder, 'other.db');
    openSqlite(other, (sql) => sql.exec('CREATE TABLE t (a)'));
    const before = readFileSync(other);
    await assertFails(
      ['restore', file, '--yes', '--database', other],
      1,
      /other\.db is a database of another application\. Choose another file with --database/,
    );
    assert.deepEqual(readFileSync(other), before);
  });

  test('keeps a symbolic link, and replaces the file behind it', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const { file, folder, database, readNumbers, put } = await createBackup(t);
    await put(3);
    mkdirSync(join(folder, 'links'));
    const link = join(folder, 'links', 'linked.db');
    symlinkSync(database, link);
    await assertSucceeds(['key', 'list', '--database', link]);
    const { previous } = JSON.parse(
      await assertSucceeds(['restore', file, '--yes', '--json', '--database', link]),
    );
    assert.equal(readNumbers(link).length, 2);
    assert.equal(readNumbers(database).length, 2);
    assert.equal(readNumbers(previous).length, 3);
    assert.match(previous, /\/rostra\.db\.before-restore-/);
    assert.ok(readdirSync(join(folder, 'links')).some((name) => /before-restore-.+-counters$/.test(name)));
  });

  test('does not apply to PostgreSQL', async (t) => {
    const { file } = await createBackup(t);
    await assertFails(
      ['restore', file, '--yes', '--database', 'postgres://rostra@127.0.0.1:1/rostra'],
      1,
      /Restore PostgreSQL with its own tools, then run "rostra change-history restart"/,
    );
  });
});

test('a restore keeps records unpublished that were unpublished after the backup', async (t) => {
  const { town, restore, readNumbers, withDatabase, database } = await createBackup(t);
  const decide = (name: string, n: number, ...flags: string[]) =>
    withDatabase('record', name, 'submission', createSubmission(n).id, '--organization', town.id, ...flags);
  await assertSucceeds(decide('unpublish', 1, '--reason', 'Wrong address'));
  await assertSucceeds(decide('correct', 2, 'description=Corrected', '--reason', 'Wrong address'));
  const { code, stderr } = await runCli(restore('--yes'));
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^Decisions on records that were made after the backup still apply: 2\./m);
  assert.deepEqual(readNumbers(), [2]);
  const readText = () =>
    openSqlite(database, (sql) =>
      sql.prepare('SELECT description FROM submission WHERE id = ?').pluck().get(createSubmission(2).id),
    );
  assert.equal(readText(), 'Corrected');
  for (const n of [1, 2]) await assertSucceeds(decide('revert', n));
  assert.deepEqual([readNumbers(database), readText()], [[1, 2], 'Submission 2']);
});

test('a restore keeps open data off that was switched off after the backup, and later slugs with their municipality', async (t) => {
  const { town, restore, withDatabase, database, file } = await createBackup(t);
  const edit = (...flags: string[]) => withDatabase('organization', 'edit', town.id, ...flags);
  await assertSucceeds(edit('--slug', 'alt', '--open-data', 'on', '--license-name', 'CC0-1.0'));
  renameSync(file, `${file}.old`);
  await assertSucceeds(withDatabase('backup', file));
  await assertSucceeds(edit('--slug', 'neu', '--open-data', 'off'));
  await assertSucceeds(restore('--yes'));
  const rows = (sql: string) => openSqlite(database, (connection) => connection.prepare(sql).all());
  assert.deepEqual(rows('SELECT slug, open_data FROM organization'), [{ slug: 'alt', open_data: 'off' }]);
  assert.deepEqual(rows('SELECT slug FROM organization_slug'), [{ slug: 'alt' }, { slug: 'neu' }]);
});

test('a restore removes records that were removed after the backup, with rejections, notes and objects of endpoints', async (t) => {
  const { town, file, restore, readNumbers, withDatabase, writeFile, database } = await createBackup(t);
  const id = createSubmission(1).id;
  const invalid = { kind: 'submission', ...createSubmission(1), createdAt: 'x' };
  const input = writeFile('rejected.ndjson', toNdjson([invalid]));
  await runCli(withDatabase('import', 'rostra', input, '--organization', town.id));
  const countRejections = () =>
    openSqlite(database, (sql) => sql.prepare('SELECT count(*) FROM import_rejection').pluck().get());
  assert.equal(countRejections(), 1);
  const objects = ['https://ris.example/papers/1', 'https://ris.example/papers/2'];
  openSqlite(database, (sql) => {
    sql
      .prepare(`INSERT INTO import_source (organization_id, id, format, name) VALUES (?, 1, 'oparl', '')`)
      .run(town.id);
    for (const object of objects)
      sql.prepare(`INSERT INTO endpoint_object VALUES (?, 1, ?, '{}')`).run(town.id, object);
    for (const noted of [id, createSubmission(2).id])
      sql
        .prepare(
          `INSERT INTO record_note VALUES (?, 'submission', ?, ?, 'Note', 'a', '2026-01-01T00:00:00.000Z')`,
        )
        .run(town.id, noted, noted);
  });
  rmSync(file);
  await assertSucceeds(withDatabase('backup', file));
  const flags = ['--organization', town.id, '--reason', 'Request for erasure', '--yes'];
  for (const removed of [id, ...objects.slice(0, 1)])
    await assertSucceeds(withDatabase('record', 'remove', 'submission', removed, ...flags));
  await assertSucceeds(restore('--yes'));
  assert.deepEqual([readNumbers(), countRejections()], [[2], 0]);
  const left = openSqlite(database, (sql) => sql.prepare('SELECT id FROM endpoint_object').pluck().all());
  assert.deepEqual(left, objects.slice(1));
  const notes = openSqlite(database, (sql) => sql.prepare('SELECT record_id FROM record_note').pluck().all());
  assert.deepEqual(notes, [createSubmission(2).id]);
});

test('a removal and a restore leave nothing of a removed record in the files', async (t) => {
  const { town, file, restore, withDatabase, writeFile, database } = await createBackup(t);
  // Long enough for pages of its own.
  const description = 'Secret '.repeat(3_000);
  const id = createSubmission(3).id;
  const documents = [{ title: 'Plan of Erika', url: 'https://council.example.org/Erika', mediaType: null }];
  const input = writeFile(
    'secret.ndjson',
    toNdjson([
      {
        kind: 'submission',
        ...createSubmission(3, {
          description,
          documents,
          answer: 'Reply to Paula',
          location: { type: 'Point', coordinates: [8.123, 49.457] },
        }),
      },
    ]),
  );
  await assertSucceeds(withDatabase('organization', 'edit', town.id, '--location-decimals', '3'));
  await assertSucceeds(
    withDatabase('import', 'rostra', input, '--organization', town.id, '--locations', 'on'),
  );
  rmSync(file);
  await assertSucceeds(withDatabase('backup', file));
  const secrets = ['Secret', 'Erika', 'Paula', '8.123,49.457'];
  const findSecrets = () => secrets.filter((word) => readFileSync(database).includes(word));
  assert.deepEqual(findSecrets(), secrets);
  const flags = ['--organization', town.id, '--reason', 'Request for erasure', '--yes'];
  await assertSucceeds(withDatabase('record', 'remove', 'submission', id, ...flags));
  assert.deepEqual(findSecrets(), []);
  await assertSucceeds(restore('--yes'));
  assert.deepEqual(findSecrets(), []);
});

test('a restore removes the former results of a survey that was removed for good after the backup', async (t) => {
  const { town, file, withDatabase, restore, writeFile, database } = await createBackup(t);
  const surveyId = formatSurveyId(1);
  const survey = {
    kind: 'survey',
    surveyId,
    title: 'Secret',
    status: 'closed',
    totalResponses: 30,
    questions: [],
  };
  const input = writeFile('surveys.ndjson', toNdjson([survey]));
  const draft = writeFile('draft.ndjson', toNdjson([{ ...survey, status: 'draft' }]));
  const into = ['--organization', town.id];
  for (const records of [input, draft])
    await assertSucceeds(withDatabase('import', 'rostra', records, ...into));
  rmSync(file);
  await assertSucceeds(withDatabase('backup', file));
  const countFormer = () =>
    openSqlite(database, (sql) => sql.prepare('SELECT count(*) FROM former_survey').pluck().get());
  const flags = [...into, '--reason', 'Request for erasure', '--yes'];
  await assertSucceeds(withDatabase('record', 'remove', 'survey', surveyId, ...flags));
  await assertSucceeds(restore('--yes'));
  assert.equal(countFormer(), 0);
});

test('a restore keeps surveys unpublished or corrected that were so after the backup', {
  skip: byNight('by day records stay unpublished'),
}, async (t) => {
  const { town, file, withDatabase, restore, writeFile, database } = await createBackup(t);
  const ids = [1, 2].map(formatSurveyId);
  const surveys = ids.map((surveyId) => ({
    kind: 'survey',
    surveyId,
    title: 'Title',
    status: 'closed',
    totalResponses: 30,
    questions: [{ questionText: 'Wy?', questionType: 'text', options: [] }],
  }));
  const input = writeFile('surveys.ndjson', toNdjson(surveys));
  await assertSucceeds(withDatabase('import', 'rostra', input, '--organization', town.id, '--new-survey'));
  rmSync(file);
  await assertSucceeds(withDatabase('backup', file));
  const decide = (name: string, id: string | undefined, ...args: string[]) =>
    assertSucceeds(withDatabase('record', name, 'survey', id ?? '', ...args, '--organization', town.id));
  await decide('correct', ids[0], 'title=First', 'question1=Why?', '--reason', 'Typing error');
  await decide('correct', ids[1], 'title=Second', '--reason', 'Typing error');
  await decide('unpublish', ids[1], '--reason', 'Wrong file');
  const read = () =>
    openSqlite(database, (sql) =>
      sql
        .prepare(
          'SELECT status, title, question_text FROM survey JOIN survey_question ON survey_id = id ORDER BY id',
        )
        .raw()
        .all(),
    );
  const decided = [
    ['closed', 'First', 'Why?'],
    ['draft', 'Second', 'Wy?'],
  ];
  assert.deepEqual(read(), decided);
  await assertSucceeds(restore('--yes'));
  assert.deepEqual(read(), decided);
  for (const id of [ids[0], ids[1], ids[1]]) await decide('revert', id);
  assert.deepEqual(
    read(),
    ids.map(() => ['closed', 'Title', 'Wy?']),
  );
});
