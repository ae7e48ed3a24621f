import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { Client } from 'pg';
import { type Account, permissions } from '../../src/domain/accounts/account.ts';
import { openStore } from '../../src/store/open.ts';
import {
  assertFails,
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  runCli,
} from '../support/cli-workspace.ts';
import { engine, storeDefaults } from '../support/database.ts';
import { createFormClient, password, signIn } from '../support/form-client.ts';
import { startServer } from '../support/server.ts';

const workspace = await createCliWorkspace({ after });
const town = await createMunicipality(workspace, 'Musterstadt');
const other = await createMunicipality(workspace, 'Beispielburg');
const store = await openStore({ ...storeDefaults, database: workspace.database });
after(() => store.close());

const add = (...args: string[]) => workspace.withDatabase('admin', 'add', ...args);
const list = async (...args: string[]) =>
  JSON.parse(await assertSucceeds(workspace.withDatabase('admin', 'list', '--json', ...args)));
const emails = async () => (await store.listAccounts()).map(({ email }) => email);
const linkText = /^http:\/\/127\.0\.0\.1:8080\/admin\/invitation\/[\w-]{43}$/;

suite('admin add', () => {
  test('prints the one-time link and nothing else on standard output', async () => {
    const { code, stdout, stderr } = await runCli(add('anna@stadt.example', '--organization', 'Musterstadt'));
    assert.equal(code, 0);
    assert.match(stdout.trimEnd(), linkText);
    assert.equal(stdout.split('\n').length, 2);
    assert.match(stderr, /anna@stadt\.example is an administrator of Musterstadt/);
    assert.ok(!stderr.includes(stdout.trim()));
  });

  test('with --json prints the account and the link', async () => {
    const added = JSON.parse(
      await assertSucceeds(add('json@stadt.example', '--organization', town.id, '--json')),
    );
    const { id, link, createdAt, ...rest } = added;
    assert.match(link, linkText);
    assert.equal(new Date(createdAt).toISOString(), createdAt);
    assert.deepEqual(rest, {
      email: 'json@stadt.example',
      name: null,
      isOperator: false,
      roles: [
        { organizationId: town.id, organizationName: 'Musterstadt', role: 'administrator', permissions },
      ],
      language: null,
      hasPassword: false,
      hasSecondFactor: false,
      recoveryCodes: 0,
      createdBy: 'command line',
    });
    assert.equal((await store.findAccount(id))?.email, 'json@stadt.example');
  });

  test('stores a domain with an umlaut in ASCII, as browsers send it', async () => {
    await assertSucceeds(add('Amt@Städte.example', '--organization', town.id));
    assert.ok((await emails()).includes('amt@xn--stdte-hra.example'));
    await assertFails(add('amt@städte.example/x'), 2, /It must be an email address/);
    await assertSucceeds(workspace.withDatabase('admin', 'remove', 'amt@städte.example'));
    assert.ok(!(await emails()).includes('amt@xn--stdte-hra.example'));
  });

  test('without a municipality adds an operator', async () => {
    const { stderr } = await runCli(add('olga@stadt.example'));
    assert.match(stderr, /olga@stadt\.example is an operator/);
    assert.equal((await store.findAccount('olga@stadt.example'))?.isOperator, true);
  });

  test('with --role adds a reader of a municipality, and with another role or without a municipality nothing', async () => {
    const reader = ['rita@stadt.example', '--role', 'reader'];
    const { stderr } = await runCli(add(...reader, '--organization', 'Musterstadt'));
    assert.match(stderr, /rita@stadt\.example is a reader of Musterstadt/);
    assert.equal((await store.findAccount('rita@stadt.example'))?.roles[0]?.role, 'reader');
    const before = await emails();
    await assertFails(add('rolf@stadt.example', '--role', 'reader'), 1, /^--role needs --organization/);
    const wrong = ['rolf@stadt.example', '--role', 'operator', '--organization', 'Musterstadt'];
    await assertFails(add(...wrong), 2, /role/);
    assert.deepEqual(await emails(), before);
  });

  test('accepts the email address in any case and stores it in lower case', async () => {
    await assertSucceeds(add(' GROSS@Stadt.Example ', '--organization', town.id.toUpperCase()));
    assert.ok((await emails()).includes('gross@stadt.example'));
    await assertFails(add('Gross@stadt.example'), 1, /^gross@stadt\.example already has an account\./);
  });

  test('rejects an operator, and an account with a role there, and does not change its link', async (t) => {
    const link = await assertSucceeds(add('doppelt@stadt.example', '--organization', 'Musterstadt'));
    const sentence = /^doppelt@stadt\.example already has an account\.$/m;
    for (const role of [[], ['--organization', 'Musterstadt']])
      await assertFails(add('doppelt@stadt.example', ...role), 1, sentence);
    const roles = (await store.findAccount('doppelt@stadt.example'))?.roles;
    assert.deepEqual(
      roles?.map(({ organizationId }) => organizationId),
      [town.id],
    );
    await assertFails(
      add('olga@stadt.example', '--organization', 'Musterstadt'),
      1,
      /^olga@stadt\.example already has an account\.$/m,
    );
    const server = await startServer(t, workspace.database);
    const path = new URL(link).pathname;
    assert.equal((await createFormClient(server.address).get(path)).status, 200);
  });

  test('rejects an unknown municipality', async () => {
    const sentence = /^Unknown municipality "Nirgendwo"/;
    await assertFails(add('fern@stadt.example', '--organization', 'Nirgendwo'), 1, sentence);
    await assertFails(add('fern@stadt.example', '--organization', ''), 1, /^Unknown municipality ""/);
    assert.ok(!(await emails()).includes('fern@stadt.example'));
  });

  for (const address of [
    '',
    'niemand',
    '@',
    'a@',
    '@b',
    'a b@c.de',
    'a@b@c',
    'a@b\u0007',
    `${'x'.repeat(250)}@b.de`,
  ]) {
    test(`rejects ${JSON.stringify(address.slice(0, 20))} as an email address`, async () => {
      const before = await emails();
      await assertFails(add(address), 2, /It must be an email address such as name@stadt\.example\./);
      assert.deepEqual(await emails(), before);
    });
  }

  test('requires an email address', async () => {
    await assertFails(workspace.withDatabase('admin', 'add'), 2, /missing required argument 'email'/);
  });

  test('derives the host of the link from the settings', async () => {
    const cases: [Record<string, string>, string][] = [
      [{ ROSTRA_PUBLIC_URL: 'https://api.stadt.example' }, 'https://api.stadt.example'],
      [{ ROSTRA_PUBLIC_URL: 'https://api.stadt.example/' }, 'https://api.stadt.example'],
      [{ ROSTRA_PORT: '9000' }, 'http://127.0.0.1:9000'],
      [{ ROSTRA_HOST: '0.0.0.0' }, 'http://localhost:8080'],
      [{ ROSTRA_HOST: '::1' }, 'http://[::1]:8080'],
    ];
    await assertSucceeds(add('wo@stadt.example'));
    for (const [environment, origin] of cases) {
      const link = await assertSucceeds(workspace.withDatabase('admin', 'invite', 'wo@stadt.example'), {
        environment,
      });
      assert.ok(link.startsWith(`${origin}/admin/invitation/`), link);
    }
    const invite = workspace.withDatabase('admin', 'invite', 'wo@stadt.example');
    await assertFails(invite, 2, /ROSTRA_PUBLIC_URL/, { environment: { ROSTRA_PUBLIC_URL: 'stadt' } });
  });
});

test('admin invite creates a link that sets the password, and invalidates the previous link', async (t) => {
  const server = await startServer(t, workspace.database);
  const first = new URL(await assertSucceeds(add('link@stadt.example', '--organization', 'Musterstadt')))
    .pathname;
  const { link, ...rest } = JSON.parse(
    await assertSucceeds(workspace.withDatabase('admin', 'invite', 'LINK@stadt.example', '--json')),
  );
  assert.deepEqual([rest.email, rest.roles[0].organizationId], ['link@stadt.example', town.id]);
  assert.equal((await createFormClient(server.address).get(first)).status, 410);
  const client = createFormClient(server.address);
  assert.equal((await client.submitForm(new URL(link).pathname, { password })).status, 303);
  assert.equal((await signIn(createFormClient(server.address), 'link@stadt.example')).status, 303);
  const sentence = /^Unknown account "nobody@stadt\.example"\. "rostra admin list" lists/;
  await assertFails(workspace.withDatabase('admin', 'invite', 'nobody@stadt.example'), 1, sentence);
});

suite('admin list', () => {
  test('lists accounts by email address, as a table and as JSON', async () => {
    await assertSucceeds(add('bert@burg.example', '--organization', 'Beispielburg'));
    const all = await list();
    assert.deepEqual(
      all.map(({ email }: { email: string }) => email),
      (await emails()).toSorted(),
    );
    const table = await assertSucceeds(workspace.withDatabase('admin', 'list'));
    const [heading, ...rows] = table.split('\n');
    assert.match(heading ?? '', /^EMAIL +ROLE +MUNICIPALITY +PASSWORD +SECOND FACTOR +ADDED$/);
    assert.equal(rows.length, all.length);
    assert.match(
      table,
      /^bert@burg\.example +administrator +Beispielburg +not set +no +\d{4}-\d\d-\d\d \d\d:\d\dZ$/m,
    );
  });

  test('with --organization lists the accounts of one municipality, without operators', async () => {
    const own = await list('--organization', 'Beispielburg');
    assert.deepEqual(
      own.map(({ email, roles }: Account) => [email, roles[0]?.organizationId]),
      [['bert@burg.example', other.id]],
    );
    await assertFails(
      workspace.withDatabase('admin', 'list', '--organization', 'Nirgendwo'),
      1,
      /Unknown municipality/,
    );
  });

  test('shows no secrets and no hashes', async () => {
    const facts = [
      'createdAt',
      'createdBy',
      'email',
      'hasPassword',
      'hasSecondFactor',
      'id',
      'isOperator',
      'language',
    ];
    for (const one of await list())
      assert.deepEqual(Object.keys(one).toSorted(), [...facts, 'name', 'recoveryCodes', 'roles']);
  });
});

test('single tasks are given with --permissions, and listed', async () => {
  const email = 'aufgaben@stadt.example';
  const place = ['--organization', 'Musterstadt'];
  await assertSucceeds(add(email, ...place, '--permissions', 'publish, import'));
  const findTasks = async () => (await store.findAccount(email))?.roles[0]?.permissions;
  assert.deepEqual(await findTasks(), ['see', 'import', 'publish']);
  const shown = await assertSucceeds(workspace.withDatabase('admin', 'list', ...place));
  assert.match(shown, /aufgaben@stadt\.example +import, publish +Musterstadt/);
  const change = (...args: string[]) => workspace.withDatabase('admin', 'role', email, ...args);
  const { stderr } = await runCli(change('--permissions', 'keys'));
  assert.equal(stderr, `${email} is now in Musterstadt with the tasks keys.\n`);
  await assertFails(change('reader', '--permissions', 'keys'), 2, /^Use either a role or --permissions/);
  for (const wrong of ['see', 'everything', '', 'keys,,import', '__proto__'])
    await assertFails(change('--permissions', wrong), 2, /--permissions/);
  await assertFails(add('ohne@stadt.example', '--permissions', 'keys'), 1, /^--permissions needs --organ/);
  assert.deepEqual(await findTasks(), ['see', 'keys']);
  await assertSucceeds(change('--permissions', 'import,publish,keys,accounts'));
  assert.equal((await store.findAccount(email))?.roles[0]?.role, 'administrator');
});

suite('admin role', () => {
  const changeRole = (...args: string[]) => workspace.withDatabase('admin', 'role', ...args);
  const findRole = async (email: string) => (await store.findAccount(email))?.roles[0]?.role;

  test('changes the role of an account, and records the old and the new role', async () => {
    await assertSucceeds(add('rolle@stadt.example', '--organization', 'Musterstadt'));
    const { code, stdout, stderr } = await runCli(changeRole('Rolle@Stadt.example', 'reader'));
    assert.deepEqual([code, stdout], [0, '']);
    assert.equal(stderr.trim(), 'rolle@stadt.example is now a reader of Musterstadt.');
    assert.equal(await findRole('rolle@stadt.example'), 'reader');
    const [event] = await store.listAuditEvents(town.id, undefined, 1);
    assert.equal(event?.action, 'account.role_changed');
    assert.equal(event.actor, 'command line');
    assert.deepEqual(event.changes, [{ field: 'role', before: 'administrator', after: 'reader' }]);

    const again = await runCli(changeRole('rolle@stadt.example', 'reader'));
    assert.equal(again.stderr.trim(), 'rolle@stadt.example is already a reader of Musterstadt.');
    assert.equal((await store.listAuditEvents(town.id, undefined, 1))[0]?.id, event.id);
    await assertSucceeds(changeRole('rolle@stadt.example', 'administrator'));
    assert.equal(await findRole('rolle@stadt.example'), 'administrator');
  });

  test('rejects operators, unknown accounts, other roles and missing arguments', async () => {
    await assertSucceeds(add('oskar@stadt.example'));
    await assertFails(
      changeRole('oskar@stadt.example', 'reader'),
      1,
      /^oskar@stadt\.example is an operator\./,
    );
    assert.equal((await store.findAccount('oskar@stadt.example'))?.isOperator, true);
    await assertFails(changeRole('nobody@stadt.example', 'reader'), 1, /^Unknown account/);
    await assertSucceeds(add('rosa@stadt.example', '--organization', 'Musterstadt'));
    for (const role of ['operator', 'Reader', ''])
      await assertFails(
        changeRole('rosa@stadt.example', role),
        2,
        /Allowed choices are reader, administrator/,
      );
    await assertFails(changeRole('rosa@stadt.example'), 2, /^Name the role, or the tasks with --permissions/);
    assert.equal(await findRole('rosa@stadt.example'), 'administrator');
  });
});

test('admin remove removes one account; keys stay valid', async (t) => {
  const server = await startServer(t, workspace.database);
  await assertSucceeds(add('weg@stadt.example', '--organization', 'Musterstadt'));
  const before = await emails();
  const { code, stdout, stderr } = await runCli(
    workspace.withDatabase('admin', 'remove', 'Weg@stadt.example'),
  );
  assert.deepEqual([code, stdout], [0, '']);
  assert.equal(stderr.trim(), 'Removed weg@stadt.example, an administrator of Musterstadt.');
  assert.deepEqual(
    await emails(),
    before.filter((email) => email !== 'weg@stadt.example'),
  );
  assert.equal((await server.get('/me', { key: town.key })).status, 200);
  await assertFails(workspace.withDatabase('admin', 'remove', 'weg@stadt.example'), 1, /Unknown account/);
});

suite('the audit log', () => {
  test('records each change on the command line with subject and actor', async () => {
    const { id } = await createMunicipality(workspace, 'Protokollstadt');
    await assertSucceeds(add('log@stadt.example', '--organization', id));
    await assertSucceeds(workspace.withDatabase('admin', 'invite', 'log@stadt.example'));
    const [key] = await store.listKeys(id);
    await assertSucceeds(workspace.withDatabase('key', 'rotate', key?.prefix as string, '--grace', '1h'));
    await assertSucceeds(workspace.withDatabase('key', 'revoke', key?.id as string));
    await assertSucceeds(workspace.withDatabase('admin', 'remove', 'log@stadt.example'));
    await assertSucceeds(workspace.withDatabase('organization', 'remove', id, '--yes'));
    const events = await store.listAuditEvents(id, undefined, 100);
    // Events of the same millisecond have no order.
    assert.deepEqual(events.map(({ action }) => action).toSorted(), [
      'account.added',
      'account.invited',
      'account.removed',
      'key.issued',
      'key.revoked',
      'key.rotated',
      'organization.added',
      'organization.removed',
    ]);
    for (const { actor, organizationId, at } of events) {
      assert.equal(actor, 'command line');
      assert.equal(organizationId, id);
      assert.ok(Math.abs(Date.parse(at) - Date.now()) < 120_000);
    }
    const subjectOf = (wanted: string) => events.find(({ action }) => action === wanted)?.subject;
    assert.equal(subjectOf('account.added'), 'log@stadt.example');
    assert.equal(subjectOf('organization.added'), 'Protokollstadt');
  });

  test('has no entries for rejected commands', async () => {
    const count = async () => (await store.listAuditEvents(undefined, undefined, 1_000)).length;
    const before = await count();
    await runCli(add('anna@stadt.example'));
    await runCli(add('x@stadt.example', '--organization', 'Nirgendwo'));
    await runCli(workspace.withDatabase('admin', 'remove', 'nobody@stadt.example'));
    await assertSucceeds(workspace.withDatabase('admin', 'list'));
    assert.equal(await count(), before);
  });

  test('cannot be changed or emptied by SQL', async () => {
    const before = await store.listAuditEvents(undefined, undefined, 1_000);
    const attempts = [
      `UPDATE audit_event SET actor = 'nobody'`,
      'DELETE FROM audit_event',
      `UPDATE audit_event SET subject = '' WHERE action = 'key.issued'`,
      // REPLACE removes the row first.
      engine === 'SQLite'
        ? "INSERT OR REPLACE INTO audit_event SELECT organization_id, id, at, 'x', address, action, subject, NULL, NULL, NULL FROM audit_event"
        : `INSERT INTO audit_event SELECT * FROM audit_event ON CONFLICT (organization_id, id) DO UPDATE SET actor = 'x'`,
      ...(engine === 'SQLite' ? [] : ['TRUNCATE audit_event']),
    ];
    for (const statement of attempts)
      await assert.rejects(workspace.sql(statement), /The audit log is append-only\./, statement);
    assert.deepEqual(await store.listAuditEvents(undefined, undefined, 1_000), before);
  });

  test('cannot be changed, emptied or dropped by the serving role', {
    skip: engine === 'SQLite',
  }, async (t) => {
    const client = new Client(workspace.database);
    await client.connect();
    t.after(() => client.end());
    const before = await store.listAuditEvents(undefined, undefined, 1_000);
    for (const statement of [
      `UPDATE audit_event SET actor = 'nobody'`,
      'DELETE FROM audit_event',
      'TRUNCATE audit_event',
      'DROP TABLE audit_event',
      'ALTER TABLE audit_event DISABLE TRIGGER ALL',
      'DROP TRIGGER audit_event_unchanged ON audit_event',
      'CREATE OR REPLACE FUNCTION reject_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
      `SET session_replication_role = 'replica'`,
    ])
      await assert.rejects(client.query(statement), /permission denied|must be owner/, statement);
    assert.deepEqual(await store.listAuditEvents(undefined, undefined, 1_000), before);
  });
});
