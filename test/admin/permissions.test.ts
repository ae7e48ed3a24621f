/** Permissions and names of accounts in the database. Version 1.0 beside this one never grants more than before. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { permissions, toPermissions } from '../../src/domain/accounts/account.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { createAccount, createSignedInClient, getFieldValue } from '../support/form-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store } = fixture;

test('permissions that version 1.0 does not know end when it changes the role', async () => {
  const { account } = await createAccount(store, fixture.a, ['import', 'keys']);
  const read = async () =>
    await fixture.sql('SELECT role, permissions FROM account_role WHERE account_id = $1', [account.id]);
  assert.deepEqual(await read(), [{ role: 'reader', permissions: 'import keys' }]);
  // As in version 1.0.
  const change = (role: string) =>
    fixture.sql('UPDATE account_role SET role = $3 WHERE organization_id = $1 AND account_id = $2', [
      fixture.a,
      account.id,
      role,
    ]);
  await change('administrator');
  assert.deepEqual((await store.findAccount(account.id))?.roles[0]?.permissions, permissions);
  await change('reader');
  assert.deepEqual((await store.findAccount(account.id))?.roles[0]?.permissions, ['see']);
  assert.deepEqual(await read(), [{ role: 'reader', permissions: null }]);
  await store.changeRole(account.id, fixture.a, ['see', 'publish']);
  await change('reader');
  assert.deepEqual(await read(), [{ role: 'reader', permissions: null }]);
});

test('the store keeps each set of permissions, whatever was stored before', async () => {
  const { account } = await createAccount(store, fixture.a);
  for (const granted of [
    ['import'],
    ['import', 'publish'],
    [],
    permissions,
    ['keys', 'accounts'],
    ['keys'],
  ]) {
    await store.changeRole(account.id, fixture.a, toPermissions(granted));
    const { role, permissions: stored } = (await store.findAccount(account.id))?.roles[0] ?? {};
    assert.deepEqual(stored, toPermissions(granted));
    assert.equal(role, granted === permissions ? 'administrator' : 'reader');
  }
  const found = await store.searchAccounts(fixture.a, account.email, 0, 10, 'keys');
  assert.deepEqual(
    found.accounts.map(({ id }) => id),
    [account.id],
  );
  assert.equal((await store.searchAccounts(fixture.a, account.email, 0, 10, 'publish')).total, 0);
});

test('people enter their names, which colleagues see beside the address, and nobody elsewhere', async () => {
  const anna = await createSignedInClient(server, store, fixture.a);
  const bert = await createSignedInClient(server, store, fixture.a, ['accounts']);
  const form = '/admin/account/name';
  for (const name of ['x'.repeat(101), 'Anna\u0007Amt', 'Anna\0Amt', 'A\nB'])
    assert.equal((await anna.submitForm(form, { name })).status, 422, JSON.stringify(name));
  const entered = ` Anna <b>${'ß'.repeat(90)} `;
  assert.match((await anna.submitForm(form, { name: entered })).location ?? '', /done=name/);
  assert.equal((await store.findAccount(anna.email))?.name, entered.trim());
  assert.equal(getFieldValue((await anna.get(form)).body, 'name'), entered.trim());
  await anna.submitForm(`/admin/organizations/${fixture.a}/keys/new`, { name: 'Named' });
  const id = (await store.listKeys(fixture.a)).find((key) => key.name === 'Named')?.id;
  const shown = `<bdi>Anna &lt;b&gt;${'ß'.repeat(90)}</bdi>`;
  for (const page of [`keys/${id}`, 'accounts'])
    assert.ok((await bert.get(`/admin/organizations/${fixture.a}/${page}`)).body.includes(shown), page);
  assert.deepEqual([...(await store.listPersonNames(fixture.b))], []);
  const other = await createAccount(store, fixture.a, ['accounts']);
  const role = `/admin/organizations/${fixture.a}/accounts/${other.account.id}/role`;
  await bert.submitForm(role, { name: 'Cem', 'permission.accounts': '1' });
  assert.deepEqual((await store.findAccount(other.email))?.roles[0]?.permissions, ['see', 'accounts']);
  assert.equal((await store.findAccount(other.email))?.name, 'Cem');
  assert.equal((await bert.submitForm(role, { name: 'x'.repeat(101) })).status, 422);
  await anna.submitForm(form, { name: '  ' });
  assert.equal((await store.findAccount(anna.email))?.name, null);
});
