import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import Database from 'better-sqlite3';
import {
  assertFails,
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  openSqlite,
  runCli,
  runCliProcess,
} from '../support/cli-workspace.ts';
import {
  formatMigrationNumber,
  lastMigrationNumber,
  migrationNames,
  secondMigrationName,
} from '../support/migration-names.ts';
import { byNight } from '../support/nightly.ts';
import { startServer } from '../support/server.ts';
import { startServerProcess } from '../support/server-process.ts';

suite('migrate', { concurrency: 2 }, () => {
  test('creates the database, and changes nothing when it runs again', async (t) => {
    const workspace = await createCliWorkspace(t);
    const first = await runCli(workspace.withDatabase('migrate'));
    assert.deepEqual([first.code, first.stdout], [0, '']);
    assert.match(first.stderr, new RegExp(`Applied ${migrationNames.join(', ')}\\.`));
    assert.match((await runCli(workspace.withDatabase('migrate'))).stderr, /The schema is up to date/);
    const recorded = openSqlite(workspace.database, (sql) =>
      sql.prepare('SELECT checksum FROM schema_migration').pluck().all(),
    );
    const checksums = migrationNames.map((name) => {
      const text = readFileSync(new URL(`../../migrations/sqlite/${name}.sql`, import.meta.url), 'utf8');
      return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
    });
    assert.deepEqual(recorded, checksums);
  });

  test('with --json lists the applied migrations', async (t) => {
    const workspace = await createCliWorkspace(t);
    assert.deepEqual(JSON.parse(await assertSucceeds(workspace.withDatabase('migrate', '--json'))), {
      applied: migrationNames,
    });
    assert.deepEqual(JSON.parse(await assertSucceeds(workspace.withDatabase('migrate', '--json'))), {
      applied: [],
    });
  });

  test('creates the folder of the database, both readable by their owner only', async (t) => {
    const workspace = await createCliWorkspace(t);
    const database = join(workspace.folder, 'deep/below/rostra.db');
    await assertSucceeds(['migrate', '--database', database]);
    assert.equal(statSync(database).mode & 0o777, 0o600);
    assert.equal(statSync(join(workspace.folder, 'deep/below')).mode & 0o777, 0o700);
  });

  test('succeeds in three concurrent processes on a new file, and applies each migration once', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    const all = await Promise.all(
      Array.from({ length: 3 }, () => runCliProcess(workspace.withDatabase('migrate', '--json'))),
    );
    for (const { code, stderr } of all) assert.equal(code, 0, stderr);
    const applied = all.flatMap(({ stdout }) => JSON.parse(stdout).applied);
    assert.deepEqual(applied, migrationNames);
    const rows = openSqlite(workspace.database, (sql) =>
      sql.prepare('SELECT name FROM schema_migration').pluck().all(),
    );
    assert.deepEqual(rows, migrationNames);
  });

  test('of an existing database by a later version writes a backup first and names it; one that fails removes it', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    const town = await createMunicipality(workspace);
    const preload = `--import ${new URL('../support/second-migration.ts', import.meta.url)}`;
    const migrate = (environment: Record<string, string> = {}) =>
      runCliProcess(workspace.withDatabase('migrate'), {
        environment: { NODE_OPTIONS: preload, ...environment },
      });
    const listBackups = () =>
      readdirSync(workspace.folder).filter((name) =>
        name.startsWith(`rostra.db.before-${secondMigrationName}-`),
      );
    const failed = await migrate({ BREAK_MIGRATION: 'INSERT INTO organization (id) VALUES (1)' });
    assert.equal(failed.code, 1);
    assert.deepEqual(listBackups(), []);
    const [, removed = ''] = /Backed up the database to (.+) before the migration/.exec(failed.stderr) ?? [];
    assert.match(
      failed.stderr,
      new RegExp(`The migration failed and changed nothing, so ${removed} was removed\\.`),
    );

    const { code, stderr } = await migrate();
    assert.equal(code, 0, stderr);
    const [, file = ''] =
      new RegExp(
        `^Backed up the database to (.+) before the migration ${secondMigrationName}\\.\nApplied ${secondMigrationName}\\.\n$`,
      ).exec(stderr) ?? [];
    assert.ok(file.startsWith(`${workspace.database}.before-${secondMigrationName}-`), stderr);
    assert.equal((await migrate()).stderr, 'The schema is up to date.\n');
    const { stdout } = await runCli(workspace.withDatabase('doctor'));
    assert.match(
      stdout,
      new RegExp(`The schema is from a later version that works with this one: ${secondMigrationName}\\.`),
    );
    assert.equal(listBackups().length, 1);
    const readSchema = (database: string) =>
      openSqlite(database, (sql) => sql.prepare('SELECT name FROM schema_migration').pluck().all());
    assert.deepEqual(readSchema(workspace.database), [...migrationNames, secondMigrationName]);

    const restored = join(workspace.folder, 'restored.db');
    await assertSucceeds(['restore', file, '--database', restored]);
    assert.deepEqual(readSchema(restored), migrationNames);
    assert.match(await assertSucceeds(['key', 'list', '--database', restored]), new RegExp(town.name));
  });

  test('that finds damage keeps the backup that it wrote before', {
    skip: byNight('it starts a process'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    const { database, folder, withDatabase } = workspace;
    await createMunicipality(workspace);
    const at = openSqlite(database, (sql) => {
      sql.pragma('wal_checkpoint(TRUNCATE)');
      const index = sql
        .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'submission_by_source'")
        .pluck();
      return (Number(index.get()) - 1) * Number(sql.pragma('page_size', { simple: true }));
    });
    // A backup does not read this index.
    const content = readFileSync(database);
    content[at] = 0xff;
    writeFileSync(database, content);
    const { code, stderr } = await runCliProcess(withDatabase('migrate'), {
      environment: {
        NODE_OPTIONS: `--import ${new URL('../support/second-migration.ts', import.meta.url)}`,
        BREAK_MIGRATION: 'SELECT count(*) FROM submission INDEXED BY submission_by_source WHERE true;',
      },
    });
    assert.match(stderr, /rostra\.db is damaged/);
    assert.equal(code, 1);
    const [backup = ''] = readdirSync(folder).filter((name) => name.startsWith('rostra.db.before-'));
    await assertSucceeds(['restore', join(folder, backup), '--yes', '--database', database]);
    await assertSucceeds(withDatabase('migrate'));
  });

  test('with the number of another one are rejected, and both files are named', {
    skip: byNight('it starts a process'),
  }, async (t) => {
    const { withDatabase } = await createCliWorkspace(t);
    const preload = `--import ${new URL('../support/second-migration.ts', import.meta.url)}`;
    const number = formatMigrationNumber(lastMigrationNumber);
    await assertFails(
      withDatabase('migrate'),
      1,
      new RegExp(`${migrationNames.at(-1)}\\.sql and ${number}_second\\.sql have the same number`),
      { environment: { NODE_OPTIONS: preload, MIGRATION_NUMBER: number } },
    );
  });

  test('without a backup before does not happen', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    // The name of the backup is too long for the file system.
    const database = join(workspace.folder, 'x'.repeat(200));
    await assertSucceeds(['migrate', '--database', database]);
    const preload = `--import ${new URL('../support/second-migration.ts', import.meta.url)}`;
    await assertFails(['key', 'list', '--database', database], 1, /The backup .+ could not be written: /, {
      environment: { NODE_OPTIONS: preload },
    });
    const names = openSqlite(database, (sql) =>
      sql.prepare('SELECT name FROM schema_migration').pluck().all(),
    );
    assert.deepEqual(names, migrationNames);
    assert.deepEqual(await assertSucceeds(['key', 'list', '--json', '--database', database]), '[]');
  });

  test('a server and commands start at the same time on one file', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    // The server rejects a missing file, so the file exists before the race.
    await assertSucceeds(workspace.withDatabase('migrate'));
    const names = ['A', 'B'];
    const [server, added] = await Promise.all([
      startServerProcess(t, workspace.database),
      Promise.all(names.map((name) => runCliProcess(workspace.withDatabase('organization', 'add', name)))),
    ]);
    for (const { code, stderr } of added) assert.equal(code, 0, stderr);
    assert.equal((await server.get('/health')).status, 200);
    assert.equal(new Set(added.map(({ stdout }) => stdout)).size, names.length);
  });
});

test('a file name may contain the name of the other engine', async (t) => {
  const { folder } = await createCliWorkspace(t);
  const database = join(folder, 'postgres.db');
  await assertSucceeds(['migrate', '--database', database]);
  const server = await startServer(t, database);
  assert.equal((await server.get('/health')).status, 200);
});

/**
 * SQLite composes the index of a write-ahead log anew whenever it reads the log of a killed process.
 *
 * @returns asserts that all files have their names and contents of now, except for such an index
 */
function watchFolder(folder: string): () => void {
  const read = () =>
    readdirSync(folder).map((name) => [
      name,
      !name.endsWith('-shm') &&
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
    ]);
  const before = read();
  return () => assert.deepEqual(read(), before);
}

suite('a database that Rostra cannot use', { concurrency: 2 }, () => {
  test('of a newer version is rejected by serve and by commands, with instructions', async (t) => {
    const workspace = await createCliWorkspace(t);
    await createMunicipality(workspace, 'A');
    openSqlite(workspace.database, (sql) =>
      sql.exec("INSERT INTO schema_migration VALUES (9999, '9999_from_the_future', 9999, '')"),
    );
    const assertUntouched = watchFolder(workspace.folder);
    const sentence =
      /written by a newer version of Rostra: it has schema 9999, .+ Install a newer version, or restore a backup/;
    for (const args of [['serve', '--port', '0'], ['migrate'], ['key', 'list'], ['backup', 'copy.db']]) {
      await assertFails(workspace.withDatabase(...args), 1, sentence, { folder: workspace.folder });
    }
    await runCli(workspace.withDatabase('doctor'));
    assertUntouched();
  });

  test('of a newer version keeps the write-ahead log of a server that was killed', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const [killed, workspace] = [await createCliWorkspace(t), await createCliWorkspace(t)];
    await createMunicipality(killed, 'A');
    openSqlite(killed.database, (sql) => {
      sql.exec("INSERT INTO schema_migration VALUES (9999, '9999_from_the_future', 9999, '')");
      for (const suffix of ['', '-wal', '-shm', '-counters'])
        copyFileSync(killed.database + suffix, workspace.database + suffix);
    });
    const assertUntouched = watchFolder(workspace.folder);
    for (const args of [
      ['serve', '--port', '0'],
      ['key', 'list'],
    ])
      await assertFails(workspace.withDatabase(...args), 1, /written by a newer version of Rostra/);
    await runCli(workspace.withDatabase('doctor'));
    assertUntouched();
  });

  test('with an edited migration is rejected by serve and by commands, with instructions', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    await assertSucceeds(workspace.withDatabase('migrate'));
    openSqlite(workspace.database, (sql) =>
      sql.exec("UPDATE schema_migration SET checksum = 'of another file'"),
    );
    const sentence =
      /created with a different version of the migration 0001_schema, .+ Install the version that created it, or create a new/;
    const commands = [
      workspace.withDatabase('serve', '--port', '0'),
      workspace.withDatabase('migrate'),
      workspace.withDatabase('key', 'list'),
      workspace.withDatabase('backup', 'copy.db'),
      ['copy', '--from', workspace.database, '--to', 'new.db'],
      ['copy', '--from', 'new.db', '--to', workspace.database],
    ];
    await assertSucceeds(['migrate', '--database', 'new.db'], { folder: workspace.folder });
    // Those of an older version lacked a table.
    openSqlite(`${workspace.database}-counters`, (sql) => sql.exec('DROP TABLE rejected_request'));
    const assertUntouched = watchFolder(workspace.folder);
    for (const args of commands) await assertFails(args, 1, sentence, { folder: workspace.folder });
    await runCli(workspace.withDatabase('doctor'));
    assertUntouched();
  });

  test('that is missing is rejected by serve and by commands that read, and not created', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    const sentence =
      /The database .+rostra\.db does not exist\. Create the database with "rostra organization add NAME"/;
    for (const args of [
      ['serve', '--port', '0'],
      ['serve', '--port', '0', '--workers', '2'],
      ['key', 'list'],
      ['organization', 'remove', 'x', '--yes'],
      ['import', 'rostra', '-', '--organization', 'x'],
      ['backup', 'copy.db'],
    ]) {
      await assertFails(workspace.withDatabase(...args), 1, sentence);
    }
    assert.deepEqual(readdirSync(workspace.folder), []);
  });

  test('that is an empty file is rejected by serve, and filled by a command that creates databases', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    writeFileSync(workspace.database, '');
    const serve = workspace.withDatabase('serve', '--port', '0');
    await assertFails(serve, 1, /The file .+rostra\.db is empty\. Create the database with/);
    assert.deepEqual(readdirSync(workspace.folder), ['rostra.db']);
    await assertSucceeds(workspace.withDatabase('migrate'));
    await startServer(t, workspace.database);
  });

  const foreign: Record<string, { sentence: RegExp; make(file: string): void }> = {
    'that is a text file': {
      sentence: /is not a database\. Choose another file with --database/,
      make: (file) => writeFileSync(file, 'These are the minutes of the meeting.\n'.repeat(100)),
    },
    'of another application': {
      sentence: /is a database of another application\. Choose another file with --database/,
      make: (file) => {
        const sql = new Database(file);
        sql.exec('CREATE TABLE bookmark (address TEXT); INSERT INTO bookmark VALUES (1)');
        sql.close();
      },
    },
    'with the application id of another application': {
      sentence: /is a database of another application/,
      make: (file) => {
        const sql = new Database(file);
        sql.exec('PRAGMA application_id = 1196444487; CREATE TABLE gpkg_contents (name TEXT)');
        sql.close();
      },
    },
  };
  for (const [what, { sentence, make }] of Object.entries(foreign)) {
    test(`${what} is rejected by serve and by commands, and not changed`, async (t) => {
      const workspace = await createCliWorkspace(t);
      make(workspace.database);
      const { size } = statSync(workspace.database);
      for (const args of [
        ['serve', '--port', '0'],
        ['key', 'list'],
      ]) {
        await assertFails(workspace.withDatabase(...args), 1, sentence);
      }
      assert.equal(statSync(workspace.database).size, size);
    });
  }

  test('that is a folder is rejected with an error that says so', async (t) => {
    const workspace = await createCliWorkspace(t);
    mkdirSync(workspace.database);
    for (const args of [
      ['serve', '--port', '0'],
      ['organization', 'add', 'x'],
      ['key', 'list'],
    ]) {
      await assertFails(workspace.withDatabase(...args), 1, /rostra\.db .*folder/);
    }
  });

  test('in a folder that cannot be created is rejected with an error that says so', async (t) => {
    const workspace = await createCliWorkspace(t);
    const file = workspace.writeFile('plain', '');
    const database = join(file, 'rostra.db');
    for (const command of [['organization', 'add', 'x'], ['migrate']]) {
      await assertFails(
        [...command, '--database', database],
        1,
        /cannot be (created|opened for writing): .+plain is not a folder/,
      );
    }
  });

  test('in memory is rejected, because acknowledged changes would be lost', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const workspace = await createCliWorkspace(t);
    for (const database of [':memory:', 'file:x.db?mode=memory']) {
      const { code, stdout } = await runCli(['organization', 'add', 'A', '--database', database], {
        folder: workspace.folder,
      });
      if (code === 0) {
        const list = await runCli(['organization', 'list', '--json', '--database', database], {
          folder: workspace.folder,
        });
        assert.ok(
          list.stdout.includes(stdout.trimEnd()),
          `${database}: added ${stdout}, then: ${list.stdout}${list.stderr}`,
        );
      }
    }
  });
});

test('a file name may contain spaces, quotes and umlauts', async (t) => {
  const workspace = await createCliWorkspace(t);
  const database = join(workspace.folder, "Bürger's %20 data?x=1.db");
  const id = await assertSucceeds(['organization', 'add', 'A', '--database', database]);
  const list = JSON.parse(await assertSucceeds(['organization', 'list', '--json', '--database', database]));
  assert.equal(list[0].id, id);
  assert.ok(existsSync(database));
});
