/** `rostra prune` removes old records, and nothing that somebody still needs. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { generateKey, hashForStorage } from '../../src/domain/keys/api-key.ts';
import { openStore } from '../../src/store/open.ts';
import { createChangeMirror } from '../support/change-mirror.ts';
import { assertFails, assertSucceeds, runCli } from '../support/cli-workspace.ts';
import { engine, storeDefaults } from '../support/database.ts';
import { createTemporaryFolder, type Scope } from '../support/files.ts';
import { createFixture, createFixtureWithServer, type Fixture } from '../support/fixture.ts';
import { createSubmission, formatSubmissionId } from '../support/records.ts';
import type { Server } from '../support/server.ts';

const isPostgres = engine === 'PostgreSQL';

function toOwner(database: string): string {
  if (!isPostgres) return '';
  const url = new URL(database);
  url.username = 'rostra_owner';
  return url.href;
}

/** Runs the command as the owner of the tables. */
async function prune({ database }: Fixture, settings: Record<string, string>, ...flags: string[]) {
  const environment = { ROSTRA_DATABASE: database, ROSTRA_DATABASE_OWNER: toOwner(database), ...settings };
  return JSON.parse(await assertSucceeds(['prune', '--json', ...flags], { environment }));
}

const monthsAgo = (months: number) => new Date(Date.now() - months * 30.5 * 86_400_000).toISOString();

suite('the audit log', () => {
  async function createOldEvents(scope: Scope, events: number, at = '2020-01-15T12:00:00.000Z') {
    const fixture = await createFixture(scope);
    const addEvents = (added: readonly string[], time: string) =>
      fixture.sql(
        `INSERT INTO audit_event (organization_id, id, at, actor, address, action, subject)
        VALUES ${added.map((id) => `($1, '${id}', $2, 'lisa@stadt.example', '192.0.2.7', 'key.issued', 'Portal')`)}`,
        [fixture.a, time],
      );
    const add = async (time: string) => {
      const id = randomUUID();
      await addEvents([id], time);
      return id;
    };
    const ids = Array.from({ length: events }, () => randomUUID());
    await addEvents(ids, at);
    const folder = join(createTemporaryFolder(scope), 'audit');
    const settings = { ROSTRA_RETAIN_AUDIT_LOG: '1y', ROSTRA_AUDIT_EXPORT_FOLDER: folder };
    const countOld = async () =>
      Number(
        (
          await fixture.sql<{ count: number }>("SELECT count(*) AS count FROM audit_event WHERE at < '2021'")
        )[0]?.count,
      );
    return { ...fixture, add, ids, folder, settings, countOld };
  }

  const readExport = (folder: string, file: string) =>
    gunzipSync(readFileSync(join(folder, file)))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('is written to one file for each month, which only its owner can read, and then removed', async (t) => {
    const fixture = await createOldEvents(t, 1_100);
    const { folder, settings, ids, add, countOld, store, sql } = fixture;
    const february = await add('2020-02-29T23:59:59.999Z');
    const present = (await store.listAuditEvents(undefined, undefined, 100)).filter(({ at }) => at > '2021');
    const planned = await prune(fixture, settings, '--dry-run');
    assert.deepEqual([planned.dryRun, planned.auditLog.removed, await countOld()], [true, 1_101, 1_101]);
    const { auditLog, auditLogFiles, tombstones } = await prune(fixture, settings);
    assert.equal(auditLog.removed, 1_101);
    assert.deepEqual(tombstones, { before: null, removed: 0 });
    const files = ['audit-log-2020-01.ndjson.gz', 'audit-log-2020-02.ndjson.gz'];
    assert.deepEqual(readdirSync(folder).sort(), files);
    assert.deepEqual(
      auditLogFiles,
      files.map((file) => join(folder, file)),
    );
    assert.equal(statSync(join(folder, files[0] as string)).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    const exported = readExport(folder, files[0] as string);
    assert.deepEqual(exported.map(({ id }) => id).sort(), ids.sort());
    assert.deepEqual(readExport(folder, files[1] as string), [
      {
        organizationId: fixture.a,
        id: february,
        at: '2020-02-29T23:59:59.999Z',
        actor: 'lisa@stadt.example',
        address: '192.0.2.7',
        action: 'key.issued',
        subject: 'Portal',
        subjectKind: null,
        subjectId: null,
        changes: [],
      },
    ]);
    assert.equal(await countOld(), 0);
    const [pruned, ...others] = await store.listAuditEvents(undefined, undefined, 100);
    assert.deepEqual(
      [pruned?.action, pruned?.subject],
      ['database.pruned', `audit log before ${auditLog.before}`],
    );
    assert.deepEqual(others, present);
    const runs = await store.listMaintenanceRuns();
    assert.deepEqual(
      runs.map(({ kind, outcome, detail }) => [kind, outcome, detail.removed]),
      [['prune', 'succeeded', { auditLog: 1_101 }]],
    );
    assert.equal((await sql('SELECT 1 FROM audit_export')).length, 2);
  });

  test('continues with the file of an interrupted run', async (t) => {
    const fixture = await createOldEvents(t, 3);
    const { folder, settings, countOld, sql } = fixture;
    await prune(fixture, settings);
    // As if the run had ended before it removed two of them.
    const [file] = readdirSync(folder) as [string];
    for (const event of readExport(folder, file).slice(1))
      await sql(
        `INSERT INTO audit_event (organization_id, id, at, actor, address, action, subject)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [event.organizationId, event.id, event.at, event.actor, event.address, event.action, event.subject],
      );
    const { auditLog } = await prune(fixture, settings);
    assert.equal(auditLog.removed, 2);
    assert.equal(await countOld(), 0);
    assert.deepEqual(readdirSync(folder), [file]);
  });

  test('is exported again if the earlier file is damaged, and entries that came later get a file of their own', async (t) => {
    const fixture = await createOldEvents(t, 2);
    const { folder, settings, countOld, add } = fixture;
    await prune(fixture, settings);
    const late = await add('2020-01-20T00:00:00.000Z');
    const [file] = readdirSync(folder) as [string];
    writeFileSync(join(folder, file), 'damaged');
    assert.equal((await prune(fixture, settings)).auditLog.removed, 1);
    assert.equal(await countOld(), 0);
    assert.equal(readFileSync(join(folder, file), 'utf8'), 'damaged');
    assert.deepEqual(
      readExport(folder, 'audit-log-2020-01-2.ndjson.gz').map(({ id }) => id),
      [late],
    );
  });

  test('is exported without the unfinished file of a killed run', async (t) => {
    const fixture = await createOldEvents(t, 1);
    const { folder, settings } = fixture;
    mkdirSync(folder);
    writeFileSync(join(folder, `audit-log-2020-01.rostra-export.${hostname()}.4194305.partial`), '');
    await prune(fixture, settings);
    assert.deepEqual(readdirSync(folder), ['audit-log-2020-01.ndjson.gz']);
  });

  test('stays in the database if the folder cannot be written, and the failure is recorded', async (t) => {
    const { database, settings, countOld, store, folder } = await createOldEvents(t, 2);
    const blocked = join(createTemporaryFolder(t), 'file');
    writeFileSync(blocked, '');
    const environment = {
      ROSTRA_DATABASE: database,
      ROSTRA_DATABASE_OWNER: toOwner(database),
      ...settings,
      ROSTRA_AUDIT_EXPORT_FOLDER: join(blocked, 'audit'),
    };
    const message = /The audit log cannot be exported to .+ Its entries stay in the database\./;
    await assertFails(['prune'], 1, message, { environment });
    assert.equal(await countOld(), 2);
    const [run] = await store.listMaintenanceRuns();
    assert.deepEqual([run?.kind, run?.outcome, run?.lastSuccessAt], ['prune', 'failed', null]);
    assert.ok(!folder.includes(blocked));
  });

  test('accepts no deletion of an entry that is in no file, and no change', async (t) => {
    const { sql, add } = await createOldEvents(t, 1);
    await sql(
      `INSERT INTO audit_export (file, first_at, last_at, entries, sha256, exported_at)
      VALUES ('x', '2020-01-15T12:00:00.000Z', '2020-01-15T12:00:00.000Z', 1, '${'0'.repeat(64)}', '2026-01-01T00:00:00.000Z')`,
    );
    const outside = await add('2020-01-15T12:00:00.001Z');
    await assert.rejects(sql('DELETE FROM audit_event WHERE id = $1', [outside]), /append-only/);
    await assert.rejects(sql("UPDATE audit_event SET actor = 'x'"), /append-only/);
    await sql("DELETE FROM audit_event WHERE at = '2020-01-15T12:00:00.000Z'");
  });

  test('requires a folder, and on PostgreSQL the owner of the tables', async (t) => {
    const { database, settings, countOld } = await createOldEvents(t, 1);
    await assertFails(['prune'], 2, /ROSTRA_RETAIN_AUDIT_LOG requires ROSTRA_AUDIT_EXPORT_FOLDER/, {
      environment: { ROSTRA_DATABASE: database, ROSTRA_RETAIN_AUDIT_LOG: '1y' },
    });
    if (!isPostgres) return;
    const message = /may not delete from the audit log\. Set ROSTRA_DATABASE_OWNER/;
    await assertFails(['prune'], 1, message, { environment: { ROSTRA_DATABASE: database, ...settings } });
    assert.equal(await countOld(), 1);
  });
});

test('without a setting, everything stays', async (t) => {
  const { database } = await createFixture(t);
  const { code, stdout, stderr } = await runCli(['prune'], { environment: { ROSTRA_DATABASE: database } });
  assert.equal(code, 0);
  assert.match(stderr, /Everything is kept: none of ROSTRA_RETAIN_AUDIT_LOG, .+ is set/);
  assert.match(stdout, /^tombstones +kept +–$/m);
});

test('old imports are removed, except the last one of each source and the last one that succeeded', async (t) => {
  const fixture = await createFixture(t);
  const { a, sql, store } = fixture;
  const add = async (months: number, outcome: string, sources: string, sourceId: number | null = null) => {
    const id = randomUUID();
    const at = monthsAgo(months);
    await sql(
      `INSERT INTO import_run (organization_id, id, started_at, heartbeat_at, ended_at, actor, address, format, source_id, sources, outcome)
      VALUES ($1, $2, $3, $3, $4, 'x', '', 'rostra', $5, $6, $7)`,
      [a, id, at, outcome === 'running' ? null : at, sourceId, sources, outcome],
    );
    await sql(
      `INSERT INTO import_rejection (organization_id, run_id, position, source, reason) VALUES ($1, $2, 0, 'x', 'x')`,
      [a, id],
    );
    return id;
  };
  await add(20, 'done', 'a.csv', 1);
  const lastSuccess = await add(18, 'done', 'a.csv', 1);
  await add(17, 'failed', 'a.csv', 1);
  await add(16, 'running', 'a.csv', 1);
  const lastRun = await add(15, 'failed', 'a.csv', 1);
  const onlyRun = await add(30, 'failed', 'b.csv', 2);
  await add(30, 'done', 'https://ris.example/a');
  const lastOfAddress = await add(29, 'done', 'https://ris.example/a');
  const otherAddress = await add(28, 'done', 'https://ris.example/b');
  await add(14, 'done', 'c.csv', 3);
  const recent = [await add(1, 'done', 'c.csv', 3), await add(0, 'done', 'c.csv', 3)];
  const settings = { ROSTRA_RETAIN_IMPORT_HISTORY: '1y' };
  assert.equal((await prune(fixture, settings, '--dry-run')).importHistory.removed, 5);
  assert.equal((await prune(fixture, settings)).importHistory.removed, 5);
  assert.equal((await prune(fixture, settings)).importHistory.removed, 0);
  const left = (await store.listImportRuns(a, undefined, 100)).map(({ id }) => id);
  assert.deepEqual(
    left.sort(),
    [lastSuccess, lastRun, onlyRun, lastOfAddress, otherAddress, ...recent].sort(),
  );
  assert.equal((await sql('SELECT 1 FROM import_rejection')).length, left.length);
});

test('keys are removed long after they were revoked or expired, and their entries in the audit log stay', async (t) => {
  const fixture = await createFixtureWithServer(t);
  const { a, sql, store, server, revoked, alice, issueKey } = fixture;
  const old = await issueKey(a, { name: 'Old' });
  const newKey = {
    organizationId: a,
    ...hashForStorage(generateKey()),
    name: 'New',
    requestLimit: undefined,
    expiresAt: undefined,
  };
  const successor = await store.rotateKey(
    { organizationId: a, id: old.id },
    newKey,
    new Date().toISOString(),
  );
  await server.get('/me', { key: alice });
  const events = (await store.listAuditEvents(a, undefined, 100)).length;
  await sql('UPDATE api_key SET expires_at = $1 WHERE id = $2', [monthsAgo(13), old.id]);
  await sql('UPDATE api_key SET revoked_at = $1 WHERE revoked_at IS NOT NULL', [monthsAgo(11)]);
  const settings = { ROSTRA_RETAIN_REVOKED_KEYS: '1y' };
  // The rotated key, and the expired one of the fixture.
  assert.equal((await prune(fixture, settings)).revokedKeys.removed, 2);
  assert.equal((await store.findKey(a, successor.id))?.predecessorId, null);
  assert.equal((await store.listAuditEvents(a, undefined, 100)).length, events);
  await sql('UPDATE api_key SET revoked_at = $1 WHERE revoked_at IS NOT NULL', [monthsAgo(13)]);
  assert.equal((await prune(fixture, settings)).revokedKeys.removed, 1);
  assert.equal((await server.get('/me', { key: revoked })).status, 401);
  assert.equal((await server.get('/me', { key: alice })).status, 200);
});

suite('removals', () => {
  const settings = { ROSTRA_RETAIN_TOMBSTONES: '1y' };

  /** Removes submissions 1 to 3 between other changes, and returns mirrors of the times between. */
  async function createRemovals(scope: Scope) {
    const fixture = await createFixtureWithServer(scope);
    const { a, alice, server, putRecords, sql } = fixture;
    const put = (n: number) => putRecords(a, [{ kind: 'submission', ...createSubmission(n) }]);
    const remove = (n: number) =>
      putRecords(a, [{ kind: 'retraction', of: 'submission', id: formatSubmissionId(n) }]);
    for (const n of [901, 902, 903]) await put(n);
    const early = createChangeMirror(server, alice);
    await early.poll();
    for (const n of [901, 902]) await remove(n);
    const middle = createChangeMirror(server, alice);
    await middle.poll();
    /** As if the checkpoints had been stored long ago. */
    const age = () => sql('UPDATE change_checkpoint SET at = $1', [monthsAgo(13)]);
    return { ...fixture, put, remove, early, middle, age };
  }

  const getStatus = async ({ server, alice }: Fixture & { server: Server }, cursor: string | undefined) =>
    (await server.get(`/changes?cursor=${cursor}`, { key: alice })).status;

  test('are listed for the whole time, and a mirror from before then starts anew', async (t) => {
    const fixture = await createRemovals(t);
    const { early, middle, put, age, server, alice } = fixture;
    assert.equal((await prune(fixture, settings)).tombstones.removed, 0);
    await put(904);
    assert.equal((await prune(fixture, settings)).tombstones.removed, 0, 'the checkpoint is young');
    await age();
    assert.equal((await prune(fixture, settings, '--dry-run')).tombstones.removed, 2);
    assert.equal((await prune(fixture, settings)).tombstones.removed, 2);
    const stale = await server.get(`/changes?cursor=${early.cursor}`, { key: alice });
    assert.equal(stale.status, 410);
    assert.equal(stale.json.code, 'RESYNC_REQUIRED');
    assert.deepEqual(
      (await middle.poll()).map(({ id }) => id),
      [formatSubmissionId(904)],
    );
    const anew = createChangeMirror(server, alice);
    await anew.poll(1);
    assert.deepEqual([...anew.objects].sort(), [...middle.objects].sort());
  });

  test('that are pruned during a walk make it start anew only if the walk could miss them', async (t) => {
    const fixture = await createRemovals(t);
    const { early, put, remove, age, server, alice } = fixture;
    await put(905);
    await prune(fixture, settings);
    await age();
    await prune(fixture, settings);
    assert.equal(await getStatus(fixture, early.cursor), 410);
    // Begins after the removals were pruned, and is behind them.
    const walk = createChangeMirror(server, alice);
    await walk.readPage(2);
    assert.equal(await getStatus(fixture, walk.cursor), 200);
    await remove(903);
    await put(906);
    await prune(fixture, settings);
    await age();
    const ahead = createChangeMirror(server, alice);
    await ahead.poll();
    assert.equal((await prune(fixture, settings)).tombstones.removed, 1);
    assert.equal(await getStatus(fixture, walk.cursor), 410);
    assert.equal(await getStatus(fixture, ahead.cursor), 200);
  });

  test('stay if they are the latest change, so that a walk has no empty page', async (t) => {
    const fixture = await createRemovals(t);
    const { early, age, server, alice } = fixture;
    await prune(fixture, settings);
    await age();
    assert.equal((await prune(fixture, settings)).tombstones.removed, 1);
    assert.equal(await getStatus(fixture, early.cursor), 410);
    const { json } = await server.get('/changes?limit=1000', { key: alice });
    assert.equal(json.pagination.has_more, false);
    assert.deepEqual(json.data.at(-1).deleted, true);
  });

  test('of objects that were published again stay', async (t) => {
    const fixture = await createRemovals(t);
    const { put, age, sql } = fixture;
    await prune(fixture, settings);
    await age();
    await put(901);
    assert.equal((await prune(fixture, settings)).tombstones.removed, 1);
    assert.equal((await sql('SELECT 1 FROM change WHERE id = $1', [formatSubmissionId(901)])).length, 1);
  });
});

test('a serving role can neither delete from the audit log nor record an export', {
  skip: !isPostgres && 'SQLite has no roles',
}, async (t) => {
  const { database } = await createFixture(t);
  const store = await openStore({ ...storeDefaults, database });
  t.after(() => store.close());
  await assert.rejects(store.deleteAuditEvents([]), /ROSTRA_DATABASE_OWNER/);
  const client = new Client(database);
  await client.connect();
  await assert.rejects(client.query('DELETE FROM audit_event'), /permission denied/);
  await assert.rejects(
    client.query("INSERT INTO audit_export VALUES ('x', '', '', 1, '', '')"),
    /permission denied/,
  );
  await client.end();
});
