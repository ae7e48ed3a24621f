/** Permissions in the database. Version 1.0 beside this one never grants more than before. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { permissions, toPermissions } from '../../src/domain/accounts/account.ts';
import { createFixture } from '../support/fixture.ts';
import { createAccount } from '../support/form-client.ts';

const fixture = await createFixture({ after });
const { store } = fixture;

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
