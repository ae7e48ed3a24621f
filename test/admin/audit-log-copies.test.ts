/** Copies of audit events in the log: each event once, as the audit log has it, and only if its change was committed. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stringify } from 'yaml';
import { permissionsByRole } from '../../src/domain/accounts/account.ts';
import { runCli } from '../support/cli-workspace.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { createFormClient, createSignedInClient, password, signIn } from '../support/form-client.ts';

const fixture = await createFixtureWithServer({ after }, { ROSTRA_LOG_LEVEL: 'error' });
const { server, store, a, b, database } = fixture;

const listEvents = async () => {
  const events = await store.listAuditEvents(undefined, undefined, 10_000);
  return events.map(({ subjectExists: _, ...event }) => event);
};

/** The events in lines of JSON; other lines are left out. */
const readCopies = (lines: readonly string[]) =>
  lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'audit')
    .map(({ event }) => event);

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

test('every event of the admin area is one line of the log, at any level, with the fields of the audit log', async () => {
  const olga = await createSignedInClient(server, store);
  await olga.submitForm(`/admin/organizations/${a}/keys/new`, { name: 'Portal' });
  await olga.submitForm(`/admin/organizations/${a}/keys/new`, { name: '' });
  await olga.submitForm('/admin/organizations/new', { name: 'Neustadt „Süd“', timeZone: 'Europe/Berlin' });
  await olga.submitForm('/admin/accounts/new', { email: 'neu@stadt.example', kind: 'operator' });
  await signIn(createFormClient(server.address), olga.email, 'wrong');
  await signIn(createFormClient(server.address), olga.email);
  const events = (await listEvents()).filter(({ actor }) => actor !== 'test');
  assert.deepEqual(readCopies(server.lines).toSorted(byId), events.toSorted(byId));
  const actions = new Set(events.map(({ action }) => action));
  for (const action of ['signed_in', 'key.issued', 'organization.added', 'account.added'] as const)
    assert.ok(actions.has(action), action);
});

test('a change that is rolled back leaves no line', async () => {
  const client = await createSignedInClient(server, store, a);
  const { account, email } = client;
  await store.addRole(account.id, b, permissionsByRole.reader);
  // The second event of the change fails.
  await fixture.sql(
    `CREATE UNIQUE INDEX one_event ON audit_event (subject) WHERE subject = '${email}' AND action = 'password.set' AND at > '${new Date().toISOString()}'`,
  );
  const before = readCopies(server.lines).length;
  const { status } = await client.submitForm('/admin/account/password', { password: `${password} 2` });
  await fixture.sql('DROP INDEX one_event');
  assert.ok(status >= 400, String(status));
  assert.equal(readCopies(server.lines).length, before);
});

test('commands write their events to standard error only if the setting says so', async (t) => {
  const file = join(createTemporaryFolder(t), 'towns.yaml');
  const run = (args: readonly string[], environment: Record<string, string> = {}) =>
    runCli([...args, '--database', database], { environment });
  const known = new Set((await listEvents()).map(({ id }) => id));
  const quiet = await run(['organization', 'add', 'Still']);
  assert.equal(quiet.code, 0);
  assert.deepEqual(readCopies(quiet.stderr.split('\n')), []);
  const silent = new Set((await listEvents()).map(({ id }) => id)).difference(known);
  assert.equal(silent.size, 1);
  const roles = [{ organization: 'Laut', role: 'reader' }];
  writeFileSync(
    file,
    stringify({ organizations: [{ name: 'Laut' }], accounts: [{ email: 'laut@stadt.example', roles }] }),
  );
  const copies = [];
  for (const args of [
    ['organization', 'add', 'Lauter'],
    ['apply', file],
    ['admin', 'remove', 'laut@stadt.example'],
  ]) {
    const { code, stdout, stderr } = await run(args, { ROSTRA_AUDIT_LOG: 'stderr' });
    assert.equal(code, 0, stderr);
    assert.ok(!stdout.includes('"audit"'));
    copies.push(...readCopies(stderr.split('\n')));
  }
  const events = (await listEvents()).filter(({ id }) => !known.has(id) && !silent.has(id));
  assert.deepEqual(copies.toSorted(byId), events.toSorted(byId));
  assert.ok(events.some(({ action }) => action === 'account.removed'));
});
