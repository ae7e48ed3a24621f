import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { permissionsByRole } from '../../src/domain/accounts/account.ts';
import { hashToken } from '../../src/domain/accounts/one-time-link.ts';
import { type NewLogo, parseLogo } from '../../src/domain/organizations/logo.ts';
import type { RejectedRecord } from '../../src/domain/runs/run-history.ts';
import type { WritingSource } from '../../src/domain/sources/import-source.ts';
import type { Store } from '../../src/domain/store.ts';
import { copyStore, openStore } from '../../src/store/open.ts';
import {
  assertMirrorsPublishedObjects,
  type ChangeMirror,
  createChangeMirror,
} from '../support/change-mirror.ts';
import {
  assertFails,
  assertSucceeds,
  type CommandResult,
  createCliWorkspace,
  runCli,
  startCli,
} from '../support/cli-workspace.ts';
import { storeDefaults } from '../support/database.ts';
import { createTemporaryFolder, type Scope, toNdjson } from '../support/files.ts';
import { createFixture, type Fixture } from '../support/fixture.ts';
import { createAccount } from '../support/form-client.ts';
import { webpImage } from '../support/images.ts';
import { detection, insertQueuedRun } from '../support/import-page-states.ts';
import { isCitus } from '../support/postgres-database.ts';
import { beginRun } from '../support/recorded-runs.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
} from '../support/records.ts';
import { type Server, startServer } from '../support/server.ts';
import { createSqliteDatabase } from '../support/sqlite-database.ts';

/** A town in an SQLite file, with all characters that JSON escapes. */
async function createTownInFile(scope: Scope): Promise<Fixture> {
  const fixture = await createFixture(scope, createSqliteDatabase);
  const characters = Array.from({ length: 0x2100 }, (_, code) => String.fromCodePoint(code + 1));
  const texts = [
    characters.join(''),
    '\u2028\u2029\ufeff\uffff\u{10ffff}😀 "\\/\b\f\n\r\t\u007f\u0080',
    '',
    ' ',
    '{"id":null}',
    '$1 \\N \\. \\x00',
  ];
  await fixture.putRecords(fixture.a, [
    ...texts.map((description, n) => ({
      kind: 'submission' as const,
      ...createSubmission(800 + n, { description }),
    })),
    {
      kind: 'submission',
      ...createSubmission(810, {
        status: '"\\\\"',
        topicCategoryName: 'Straße \\ "Wege"',
        referenceNumber: '\u00a0',
      }),
    },
    { kind: 'session', ...createSession(800, { submissions: [801, 800, 810].map(formatSubmissionId) }) },
    {
      kind: 'survey',
      surveyId: formatSurveyId(800),
      title: 'a\u0001"\n',
      status: 'closed',
      totalResponses: 2_147_483_647,
      questions: [
        { questionText: '\t"?"', questionType: 'scale', options: [{ optionText: '\\', responseCount: 0 }] },
      ],
    },
  ]);
  await fixture.store.editOrganization(fixture.a, {
    timeZone: 'America/Argentina/Buenos_Aires',
    licenseName: 'CC0-1.0',
    licenseUrl: 'https://creativecommons.org/publicdomain/zero/1.0/',
    contactName: 'Büro "Süd" \\ 🚲',
    contactEmail: 'daten@stadt.example',
    contactUrl: 'https://www.stadt.example/daten?a=1&b=%C3%A4',
    attribution: 'Daten: <Musterstadt>',
    logo: parseLogo(webpImage) as NewLogo,
  });
  return fixture;
}

const paths = [
  '/me',
  '/submissions?limit=100',
  '/submissions?limit=100&status=in_review',
  '/sessions?limit=100',
  '/support?limit=100',
  '/surveys?limit=100',
  '/organization',
  ...[1, 2, 5, 500, 800, 801, 802, 803, 804, 805, 810].map((n) => `/submissions/${formatSubmissionId(n)}`),
  ...[1, 2, 500, 800].map((n) => `/sessions/${formatSessionId(n)}`),
  ...[1, 2, 3, 500, 800].map((n) => `/surveys/${formatSurveyId(n)}/results`),
];

async function assertSame(one: Server, other: Server, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    for (const path of paths) {
      const [here, there] = [await one.get(path, { key }), await other.get(path, { key })];
      assert.equal(there.status, here.status, path);
      assert.equal(there.text, here.text, path);
    }
  }
}

const parseCopyResult = ({ stdout, stderr, code }: CommandResult) => {
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as {
    areCursorsValid: boolean;
    newHistories: string[];
    tables: { table: string; rows: number; written: number; checksum: string }[];
  };
};

const sumWrittenRows = (result: CommandResult) =>
  parseCopyResult(result).tables.reduce((sum, { written }) => sum + written, 0);

test('responses are byte-identical from a file, from its copy in PostgreSQL, and from a file copied back', async (t) => {
  const fixture = await createTownInFile(t);
  const { database } = await createCliWorkspace(t);
  const environment = { ROSTRA_DATABASE: database };
  const there = parseCopyResult(
    await runCli(['copy', '--from', fixture.database, '--json'], { environment }),
  );
  const file = join(createTemporaryFolder(t), 'back.db');
  // Without --to, the target is ROSTRA_DATABASE (docs/scaling.md).
  const backEnvironment = { ROSTRA_DATABASE: file };
  const back = parseCopyResult(
    await runCli(['copy', '--from', database, '--json'], { environment: backEnvironment }),
  );
  assert.deepEqual(
    back.tables.map(({ table, rows, checksum }) => [table, rows, checksum]),
    there.tables.map(({ table, rows, checksum }) => [table, rows, checksum]),
  );
  // The target's triggers write the same changes, partly with the same numbers.
  for (const { table, rows, written } of there.tables)
    if (table !== 'change') assert.equal(written, rows, table);
  const [original, inPostgres, inFile] = await Promise.all([
    fixture.startServer(),
    startServer(t, database),
    startServer(t, file),
  ]);
  await assertSame(original, inPostgres, [fixture.alice, fixture.charlie, fixture.revoked]);
  await assertSame(original, inFile, [fixture.alice]);
});

test('keys, rate limit windows, cursors and revocations are valid in the copy', async (t) => {
  const fixture = await createTownInFile(t);
  const { secret: key } = await fixture.issueKey(fixture.a, { requestLimit: 10 });
  const before = await fixture.startServer();
  const { json } = await before.get('/submissions?limit=3', { key });
  const remaining = Number((await before.get('/me', { key })).headers['x-ratelimit-remaining']);
  await before.stop();
  const { database } = await createCliWorkspace(t);
  assert.equal(
    parseCopyResult(await runCli(['copy', '--from', fixture.database, '--to', database, '--json']))
      .areCursorsValid,
    true,
  );
  const after = await startServer(t, database);
  const next = await after.get(`/submissions?limit=3&cursor=${json.pagination.next_cursor}`, { key });
  assert.equal(next.status, 200);
  assert.equal(next.json.data.length, 3);
  assert.equal(Number(next.headers['x-ratelimit-remaining']), remaining - 1);
  assert.equal((await after.get('/me', { key: fixture.revoked })).status, 401);
});

test('mirrors go on with the copy, which has the same changes, and start anew while a copy is incomplete', async (t) => {
  const fixture = await createTownInFile(t);
  const surveyIds = [1, 2, 3, 800].map(formatSurveyId);
  const { database } = await createCliWorkspace(t);
  const copy = () => runCli(['copy', '--from', fixture.database, '--to', database, '--json']);
  const { tables } = parseCopyResult(await copy());
  const comparedRows = tables.reduce((sum, { rows }) => sum + rows, 0);
  const [source, target] = await Promise.all([fixture.startServer(), startServer(t, database)]);
  const mirror = createChangeMirror(source, fixture.alice);
  await mirror.readPage(5);
  const ofTarget = createChangeMirror(target, fixture.alice, mirror);
  assert.deepEqual(await ofTarget.poll(), await createChangeMirror(source, fixture.alice, mirror).poll());

  await fixture.putRecords(fixture.a, [
    { kind: 'retraction', of: 'submission', id: formatSubmissionId(3) },
    { kind: 'submission', ...createSubmission(4, { description: 'changed' }) },
    { kind: 'session', ...createSession(800, { submissions: [810, 801].map(formatSubmissionId) }) },
  ]);
  // Municipalities are copied in the order of their ids.
  const key = fixture.a < fixture.b ? fixture.alice : fixture.charlie;
  const ofFirst = createChangeMirror(target, key);
  await ofFirst.poll();
  const abort = new AbortController();
  const interrupted = copyStore(
    { ...storeDefaults, database: fixture.database },
    { ...storeDefaults, database },
    { onProgress: (rows) => rows > comparedRows && abort.abort(), signal: abort.signal },
  );
  await assert.rejects(interrupted, { name: 'AbortError' });
  const { status } = await target.get(`/changes?cursor=${ofFirst.cursor}`, { key });
  assert.equal(status, 410);
  // A running server counts the use of keys, so the target would change during the copy.
  await target.stop();
  parseCopyResult(await copy());
  const restarted = await startServer(t, database);
  const copied = createChangeMirror(restarted, fixture.alice, ofTarget);
  assert.deepEqual(
    (await copied.poll()).map(({ id, deleted }) => [id, deleted]),
    [
      [formatSessionId(1), false],
      [formatSubmissionId(3), true],
      [formatSubmissionId(4), false],
      [formatSessionId(800), false],
    ],
  );
  await assertMirrorsPublishedObjects(copied, restarted, fixture.alice, surveyIds);
  await assertMirrorsPublishedObjects(copied, source, fixture.alice, surveyIds);
});

for (const n of [4, 5]) {
  const what = n === 4 ? 'the same object' : 'different objects';
  test(`a copy back keeps cursors valid, but not after both databases changed ${what}`, async (t) => {
    const fixture = await createTownInFile(t);
    const { database } = await createCliWorkspace(t);
    const copy = async (from: string, to: string) =>
      parseCopyResult(await runCli(['copy', '--from', from, '--to', to, '--json'])).newHistories;
    assert.deepEqual(await copy(fixture.database, database), []);
    const target = await openStore({ ...storeDefaults, database });
    t.after(() => target.close());
    const put = (store: Store, id: number, description: string) =>
      store.write(fixture.a, async (writer) => {
        await writer.put([{ kind: 'submission', ...createSubmission(id, { description }) }]);
      });
    let mirror: ChangeMirror | undefined;
    const poll = async () => {
      const source = await fixture.startServer();
      mirror = createChangeMirror(source, fixture.alice, mirror);
      await mirror.poll();
      await assertMirrorsPublishedObjects(mirror, source, fixture.alice, [1, 2, 3, 800].map(formatSurveyId));
      // The server would write counters during a copy.
      await source.stop();
    };
    await poll();
    await put(target, 4, 'changed in the target');
    assert.deepEqual(await copy(database, fixture.database), []);
    await poll();
    await put(fixture.store, 4, 'changed in the source');
    assert.deepEqual(await copy(fixture.database, database), []);

    // With the same number.
    await put(fixture.store, 4, 'one');
    await put(target, n, 'other');
    await poll();
    assert.deepEqual(await copy(database, fixture.database), ['Musterstadt']);
    await assert.rejects(poll(), /RESYNC_REQUIRED/);
    mirror = undefined;
    await poll();
  });
}

test('a repeated copy writes only new, changed, moved and removed rows', async (t) => {
  const fixture = await createTownInFile(t);
  const { database } = await createCliWorkspace(t);
  const again = () => runCli(['copy', '--from', fixture.database, '--to', database, '--json']);
  parseCopyResult(await again());
  assert.equal(sumWrittenRows(await again()), 0);
  await fixture.putRecords(fixture.a, [
    { kind: 'retraction', of: 'submission', id: formatSubmissionId(7) },
    { kind: 'submission', ...createSubmission(3, { description: 'changed' }) },
    { kind: 'submission', ...createSubmission(900) },
    { kind: 'session', ...createSession(800, { submissions: [810, 801].map(formatSubmissionId) }) },
  ]);
  assert.ok(sumWrittenRows(await again()) > 0);
  assert.equal(sumWrittenRows(await again()), 0);
  const [one, other] = await Promise.all([fixture.startServer(), startServer(t, database)]);
  await assertSame(one, other, [fixture.alice]);
});

test('a repeated copy finds and corrects every difference of the target, also those that no trigger logged', {
  skip: isCitus && 'Citus does not disable triggers of shards',
}, async (t) => {
  const fixture = await createTownInFile(t);
  const workspace = await createCliWorkspace(t);
  const copy = () => runCli(['copy', '--from', fixture.database, '--to', workspace.database, '--json']);
  parseCopyResult(await copy());
  const id = formatSubmissionId(3);
  const statements = [
    `UPDATE submission SET description = description || ' ' WHERE id = '${id}'`,
    `DELETE FROM submission WHERE id = '${formatSubmissionId(803)}'`,
    `UPDATE change SET sequence = sequence + 1000 WHERE id = '${id}'`,
    `UPDATE api_key SET revoked_at = NULL WHERE revoked_at IS NOT NULL`,
    `UPDATE organization SET attribution = 'other' WHERE id = '${fixture.a}'`,
    `UPDATE submission SET source_id = 7 WHERE id = '${id}'`,
    `UPDATE survey_option SET response_count = response_count + 1 WHERE position = 0`,
    `UPDATE api_key SET secret_hash = decode(repeat('00', 32), 'hex') WHERE id = (SELECT min(id::text) FROM api_key)`,
    `DELETE FROM organization_logo`,
  ];
  for (const statement of statements) {
    const tables = ['submission', 'survey_option', 'change', 'api_key', 'organization'];
    const setTriggers = async (verb: string) => {
      for (const table of tables) await workspace.sql(`ALTER TABLE ${table} ${verb} TRIGGER USER`);
    };
    await setTriggers('DISABLE');
    await workspace.sql(statement);
    await setTriggers('ENABLE');
    assert.ok(sumWrittenRows(await copy()) > 0 || statement.includes('organization SET'), statement);
  }
  assert.equal(sumWrittenRows(await copy()), 0);
  const [one, other] = await Promise.all([fixture.startServer(), startServer(t, workspace.database)]);
  await assertSame(one, other, [fixture.alice]);
  assert.equal((await other.get('/me', { key: fixture.revoked })).status, 401);
});

test('a copy deletes what imports into the target kept of a record that the source has removed', async (t) => {
  const there = await createFixture(t);
  const folder = createTemporaryFolder(t);
  const [file, input] = [join(folder, 'here.db'), join(folder, 'input.ndjson')];
  const of = ['--organization', there.a];
  for (const description of ['first', 'second']) {
    writeFileSync(input, toNdjson([{ kind: 'submission', ...createSubmission(7, { description }) }]));
    await assertSucceeds(['import', 'rostra', input, ...of, '--database', there.database]);
  }
  const waiting = await insertQueuedRun(there, there.a, {
    ...{ input: { kind: 'upload', fileName: 'input.ndjson', bytes: 1 } },
    ...{ step: 'detection', state: 'done', detection },
  });
  await assertSucceeds(['copy', '--from', there.database, '--to', file]);
  const remove = ['record', 'remove', 'submission', formatSubmissionId(7), ...of, '--reason', 'Law', '--yes'];
  await assertSucceeds([...remove, '--database', file]);
  const copied = await runCli(['copy', '--from', file, '--to', there.database], {
    environment: { ROSTRA_AUDIT_LOG: 'stderr' },
  });
  assert.equal(copied.code, 0, copied.stderr);
  assert.match(copied.stderr, /"action":"import\.cancelled"/, 'the event of the target goes to the log');
  assert.deepEqual(await there.sql('SELECT 1 FROM import_undo_batch'), []);
  const run = await there.store.findQueuedRun(there.a, waiting);
  assert.deepEqual([run?.state, run?.detection], ['cancelled', null]);
  assert.deepEqual(
    (await there.store.listExpiredFiles()).map(({ id }) => id),
    [waiting],
  );
});

test('a copy does not give back accounts, roles, passwords and keys that the target has taken away', async (t) => {
  const here = await createFixture(t, createSqliteDatabase);
  const there = await createFixture(t);
  for (const id of [there.a, there.b]) await there.store.removeOrganization(id);
  const [removed, demoted, restricted, reset] = [
    await createAccount(here.store, here.a),
    await createAccount(here.store, here.a),
    await createAccount(here.store, here.a),
    await createAccount(here.store, here.a),
  ];
  const [key] = await here.store.findKeys((await here.issueKey(here.a)).id);
  assert.ok(key);
  const copy = ['copy', '--from', here.database, '--to', there.database];
  await assertSucceeds(copy);
  const by = { name: 'test', address: '' };
  const takeAway = async (store: Store, passwordHash: string) => {
    await store.removeAccount(removed.account.id);
    await store.changeRole(demoted.account.id, here.a, permissionsByRole.reader);
    await store.changeRole(restricted.account.id, here.a, ['see', 'publish']);
    await store.setPassword(reset.account.id, passwordHash, { id: '' }, by);
    await store.revokeKey(key);
  };
  await takeAway(there.store, '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA');
  for (const what of [
    `${removed.email} (removed)`,
    `${demoted.email} (role)`,
    `${restricted.email} (role)`,
    `${reset.email} (password)`,
    `${key.prefix} ${key.name} (revoked)`,
  ])
    await assertFails(copy, 1, new RegExp(`so the copy would give it back: .*${RegExp.escape(what)}`));
  await takeAway(here.store, '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$b3RoZXI');
  await assertSucceeds(copy);
});

test('moved entries of agendas are copied, also across batches', async (t) => {
  const fixture = await createFixture(t, createSqliteDatabase);
  const ids = Array.from({ length: 998 }, (_, n) => formatSubmissionId(10_000 + n));
  const six = ids.slice(0, 6);
  const agendas = (second: string[]) => [
    { kind: 'session' as const, ...createSession(700, { submissions: ids }) },
    { kind: 'session' as const, ...createSession(701, { submissions: second }) },
  ];
  await fixture.putRecords(fixture.a, [
    ...ids.map((_, n) => ({ kind: 'submission' as const, ...createSubmission(10_000 + n) })),
    ...agendas(six),
  ]);
  const { database } = await createCliWorkspace(t);
  const again = () => runCli(['copy', '--from', fixture.database, '--to', database, '--json']);
  parseCopyResult(await again());
  for (const moved of [six.toReversed(), six.slice(3), [...six.slice(1), ...six.slice(0, 1)]]) {
    await fixture.putRecords(fixture.a, agendas(moved));
    parseCopyResult(await again());
  }
  const [one, other] = await Promise.all([fixture.startServer(), startServer(t, database)]);
  const path = `/sessions/${formatSessionId(701)}`;
  assert.equal(
    (await other.get(path, { key: fixture.alice })).text,
    (await one.get(path, { key: fixture.alice })).text,
  );
});

test('an interrupted copy continues where it stopped', async (t) => {
  const fixture = await createTownInFile(t);
  const many = 10_000;
  await fixture.putRecords(
    fixture.a,
    Array.from({ length: many }, (_, n) => ({
      kind: 'submission' as const,
      ...createSubmission(10_000 + n),
    })),
  );
  const workspace = await createCliWorkspace(t);
  const args = ['copy', '--from', fixture.database, '--to', workspace.database, '--json'];
  const running = startCli(args);
  for (let copiedRows = 0; copiedRows < 3_000; ) {
    const [row] = await workspace.sql<{ count: string }>('SELECT count(*) AS count FROM submission');
    copiedRows = Number(row?.count);
    await setTimeout(10);
  }
  running.child.kill('SIGINT');
  const result = await running.result;
  assert.equal(result.code, 130);
  assert.match(result.stderr, /Interrupted\. Run the same command again to continue\./);
  const { tables } = parseCopyResult(await runCli(args));
  const submissions = tables.find(({ table }) => table === 'submission');
  assert.ok(submissions && submissions.rows > many && submissions.written < submissions.rows - 2_000);
});

test('accounts, operators, audit log, daily usage and import history are copied; login sessions are not', async (t) => {
  const fixture = await createFixture(t, createSqliteDatabase);
  const there = await createFixture(t);
  const anna = await createAccount(fixture.store, fixture.a);
  const olga = await createAccount(fixture.store);
  const own = await createAccount(there.store);
  const secret = decodeURIComponent(anna.link.replace(/^.*\//, ''));
  await fixture.store.acceptInvitation(
    hashToken(secret),
    '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA',
    '192.0.2.1',
  );
  await fixture.sql('UPDATE account SET totp_secret = $2, totp_step = 7 WHERE id = $1', [
    anna.account.id,
    Buffer.alloc(20, 0xfe),
  ]);
  const key = await fixture.issueKey(fixture.a, { name: 'Counted' });
  await fixture.sql(`INSERT INTO key_usage_daily VALUES ($1, $2, '2026-03-01', 'getMe', 429, 7)`, [
    fixture.a,
    key.id,
  ]);
  const rejected = {
    at: '2026-03-01T09:15:00.000Z',
    operation: 'getMe',
    status: 429,
    message: 'The limit is exhausted.',
    parameter: null,
  };
  await fixture.sql('INSERT INTO rejected_request VALUES ($1, $2, $3, $4, $5, $6, $7, $8)', [
    fixture.a,
    key.id,
    rejected.at,
    formatSubmissionId(1),
    rejected.operation,
    rejected.status,
    rejected.message,
    rejected.parameter,
  ]);
  const run = await beginRun(fixture.store, {
    organizationId: fixture.a,
    format: 'rostra',
    sources: 'a.csv',
  });
  const counts = { read: 2, inserted: 1, changed: 0, unchanged: 0, removed: 0, ignored: 0, rejected: 1 };
  const rejection: RejectedRecord = {
    source: 'a.csv',
    line: 3,
    entry: null,
    id: '4711',
    reason: { code: 'type-wrong', field: 'status', type: 'string' },
  };
  await fixture.store.updateRun(run, counts, [rejection], 0);
  const source: WritingSource = {
    format: 'table',
    name: '',
    redaction: { kinds: ['email'], country: 'DE', patterns: {} },
    follows: undefined,
  };
  const imported = { kind: 'submission' as const, ...createSubmission(900) };
  await fixture.store.write(fixture.a, (writer) => writer.put([imported]), { source });
  await there.store.removeOrganization(there.a);
  await there.store.removeOrganization(there.b);
  await assertSucceeds(['copy', '--from', fixture.database, '--to', there.database]);
  await assertSucceeds(['copy', '--from', fixture.database, '--to', there.database]);
  assert.deepEqual(
    await there.store.findCredentials(anna.email),
    await fixture.store.findCredentials(anna.email),
  );
  const operators = (await there.store.listAccounts()).filter((one) => one.isOperator);
  assert.deepEqual(operators.map(({ email }) => email).sort(), [olga.email, own.email].sort());
  assert.deepEqual(
    await there.store.listAuditEvents(fixture.a, undefined, 100),
    await fixture.store.listAuditEvents(fixture.a, undefined, 100),
  );
  assert.deepEqual(await there.store.listKeyUsage(fixture.a, key.id, '2026-01-01'), [
    { day: '2026-03-01', operation: 'getMe', status: 429, requests: 7 },
  ]);
  assert.deepEqual(await there.store.listRejectedRequests(fixture.a, key.id), [rejected]);
  assert.deepEqual(
    await there.store.findImportRun(fixture.a, run.id),
    await fixture.store.findImportRun(fixture.a, run.id),
  );
  assert.deepEqual(await there.store.listRejectedRecords(run), [rejection]);
  assert.deepEqual(await there.store.findRedaction(fixture.a, source), source.redaction);
  const ids = [imported.id, formatSubmissionId(1)];
  const count = await there.store.write(fixture.a, (writer) => writer.countOwn('submission', ids), {
    source,
  });
  assert.equal(count, 1);
  assert.equal((await there.sql('SELECT 1 FROM invitation')).length, 1);
});

test('accounts that both databases know keep their passwords and roles in the target, and operators are not copied', async (t) => {
  const source = await createFixture(t, createSqliteDatabase);
  const target = await createFixture(t);
  await target.store.removeOrganization(target.a);
  await target.store.removeOrganization(target.b);
  const { id: neighbour } = await target.store.addOrganization('Nachbarort', randomUUID());
  const operator = await createAccount(source.store);
  const administrators = [
    await createAccount(source.store, source.a),
    await createAccount(source.store, source.b),
  ];
  const emails = administrators.map(({ email }) => email);
  const copied = await createAccount(source.store, source.a, 'reader');
  const [anna, olga] = [await createAccount(target.store, neighbour), await createAccount(target.store)];
  for (const [index, { account }] of [anna, olga].entries())
    await target.sql('UPDATE account SET email = $2, password_hash = $3 WHERE id = $1', [
      account.id,
      emails[index] as string,
      '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA',
    ]);
  const readTarget = () =>
    target.sql('SELECT id, email, is_operator, password_hash FROM account ORDER BY id');
  const before = await readTarget();
  const args = ['copy', '--from', source.database, '--to', target.database];
  const { code, stderr } = await runCli(args);
  assert.equal(code, 0, stderr);
  assert.ok(stderr.includes(`its own accounts of ${emails.toSorted().join(', ')}.`), stderr);
  assert.match(stderr, new RegExp(`not operators of the target: ${operator.email}\\.`));
  assert.deepEqual(
    (await readTarget()).filter(({ id }) => id !== copied.account.id),
    before,
  );
  assert.deepEqual(
    await target.sql(
      `SELECT organization_id, account_id, role FROM account_role WHERE role = 'administrator' ORDER BY 1`,
    ),
    [neighbour, source.a].sort().map((id) => ({
      organization_id: id,
      account_id: anna.account.id,
      role: 'administrator',
    })),
  );
  const again = await runCli([...args, '--json']);
  assert.equal(sumWrittenRows(again), 0);
  const { account: unknown } = await createAccount(target.store, source.a);
  const third = await runCli(args);
  assert.ok(
    third.stderr.includes(`only the target had were removed or replaced: ${unknown.email} (administrator, `),
    third.stderr,
  );
  assert.deepEqual(await target.sql('SELECT role FROM account_role WHERE account_id = $1', [unknown.id]), []);
  const setPassword = (salt: string) =>
    source.sql('UPDATE account SET password_hash = $2 WHERE id = $1', [
      copied.account.id,
      `$argon2id$v=19$m=8,t=1,p=1$${salt}$aGFzaA`,
    ]);
  const readPassword = async () => {
    const rows = await target.sql<{ password_hash: string }>(
      'SELECT password_hash FROM account WHERE id = $1',
      [copied.account.id],
    );
    return rows[0]?.password_hash.split('$').at(-2);
  };
  await setPassword('bmV1');
  await assertSucceeds(args);
  assert.equal(await readPassword(), 'bmV1', 'only the copied municipality uses the account');
  await target.sql("INSERT INTO account_role VALUES ($1, $2, 'reader')", [neighbour, copied.account.id]);
  await setPassword('YWx0');
  await assertSucceeds(args);
  assert.equal(await readPassword(), 'bmV1', 'another municipality uses the account');
  assert.deepEqual(parseCopyResult(again).newHistories, []);
});

test('municipalities of the target stay; the same name for different municipalities is rejected', async (t) => {
  const fixture = await createFixture(t, createSqliteDatabase);
  const workspace = await createCliWorkspace(t);
  const own = await assertSucceeds(workspace.withDatabase('organization', 'add', 'Nachbarort'));
  const readVersion = () => workspace.sql('SELECT data_version FROM organization WHERE id = $1', [own]);
  const version = await readVersion();
  const args = ['copy', '--from', fixture.database, '--to', workspace.database];
  const result = await runCli([...args, '--json']);
  assert.equal(parseCopyResult(result).areCursorsValid, false);
  assert.match(result.stderr, /Pagination cursors issued by the source/);
  assert.match(result.stderr, /Only in the target, not changed: Nachbarort/);
  assert.deepEqual(await readVersion(), version, 'its cached responses stay valid');
  assert.ok((await assertSucceeds(workspace.withDatabase('organization', 'list'))).includes(own));
  const other = await createCliWorkspace(t);
  await assertSucceeds(other.withDatabase('organization', 'add', 'Musterstadt'));
  await assertFails(
    ['copy', '--from', fixture.database, '--to', other.database],
    1,
    /The target has another municipality with the name Musterstadt/,
  );
});

test('open data, earlier slugs and those of removed municipalities are copied; a slug of another municipality is rejected', async (t) => {
  const fixture = await createFixture(t, createSqliteDatabase);
  const { store, a, b } = fixture;
  await store.editOrganization(a, { slug: 'alt', openData: 'on', licenseName: 'CC0-1.0' });
  await store.editOrganization(a, { slug: 'neu' });
  await store.editOrganization(b, { slug: 'entfernt' });
  await store.removeOrganization(b);
  const workspace = await createCliWorkspace(t);
  const args = ['copy', '--from', fixture.database, '--to', workspace.database];
  await assertSucceeds(args);
  assert.deepEqual(
    await workspace.sql('SELECT slug, organization_id AS id FROM organization_slug ORDER BY slug'),
    [
      { slug: 'alt', id: a },
      { slug: 'entfernt', id: b },
      { slug: 'neu', id: a },
    ],
  );
  assert.equal(sumWrittenRows(await runCli([...args, '--json'])), 0);
  await store.editOrganization(a, { slug: 'strittig' });
  await assertSucceeds(workspace.withDatabase('organization', 'add', 'Nachbarort'));
  await assertSucceeds(workspace.withDatabase('organization', 'edit', 'Nachbarort', '--slug', 'strittig'));
  await assertFails(args, 1, /In the target, the slug strittig is or was that of another municipality/);
});

test('invalid databases are rejected with an error that names the flag', async (t) => {
  const { database } = await createCliWorkspace(t);
  const cases: [args: string[], code: number, sentence: RegExp][] = [
    [
      ['--from', 'mysql://x:geheim@y/z', '--to', database],
      2,
      /--from must be an SQLite file, or start with postgres:\/\//,
    ],
    [['--from', database, '--to', 'mysql://x/z'], 2, /--to must be an SQLite file/],
    [['--from', database, '--to', database], 2, /name the same database/],
    [
      ['--from', '/nowhere/rostra.db', '--to', database],
      1,
      /The database \/nowhere\/rostra\.db does not exist/,
    ],
    [['--to', database], 2, /required option '--from <database>' not specified/],
  ];
  for (const [args, code, sentence] of cases) {
    const { stderr } = await assertFails(['copy', ...args], code, sentence);
    assert.ok(!stderr.includes('geheim'));
  }
});
