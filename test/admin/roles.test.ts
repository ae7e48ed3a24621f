/** Readers see the pages of their municipality and change nothing. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { assertKeysUnchanged, createFixtureWithServer } from '../support/fixture.ts';
import { createAccount, createSignedInClient, fetchCsrfToken } from '../support/form-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store } = fixture;
const reader = await createSignedInClient(server, store, fixture.a, 'reader');
const administrator = await createSignedInClient(server, store, fixture.a);
const key = await fixture.issueKey(fixture.a, { name: 'Portal' });

const base = `/admin/organizations/${fixture.a}`;
const readable = ['keys', `keys/${key.id}`, 'published', 'imports', 'audit', 'audit.csv'];
const editing = ['keys/new', `keys/${key.id}/rotate`, `keys/${key.id}/revoke`];

suite('a reader', () => {
  for (const page of readable) {
    test(`can view ${page.replace(key.id, '…')}`, async () => {
      assert.equal((await reader.get(`${base}/${page}`)).status, 200);
    });
  }

  for (const page of editing) {
    test(`receives 403 with an explanation for ${page.replace(key.id, '…')}, and changes nothing`, async () => {
      const fields = { token: await fetchCsrfToken(reader), form: randomUUID(), name: 'Own key', grace: '0' };
      await assertKeysUnchanged(fixture, async () => {
        for (const response of [
          await reader.get(`${base}/${page}`),
          await reader.post(`${base}/${page}`, fields),
        ]) {
          assert.equal(response.status, 403);
          assert.match(response.body, /Your role does not allow this/);
        }
      });
      assert.equal((await administrator.get(`${base}/${page}`)).status, 200);
    });
  }

  test('receives 404 for another municipality and for the pages of operators', async () => {
    for (const path of [`/admin/organizations/${fixture.b}/keys`, '/admin/organizations', '/admin/accounts'])
      assert.equal((await reader.get(path)).status, 404, path);
  });

  test('sees no link to a page that it may not use', async () => {
    for (const page of ['keys', `keys/${key.id}`]) {
      const { body } = await reader.get(`${base}/${page}`);
      assert.doesNotMatch(body, /\/(new|rotate|revoke|details)"/, page);
      assert.match((await administrator.get(`${base}/${page}`)).body, /\/(new|rotate|revoke)"/, page);
    }
  });
});

test('the database accepts a municipality exactly for readers and administrators', async () => {
  const { account } = await createAccount(store, fixture.a, 'reader');
  assert.equal((await store.findAccount(account.id))?.role, 'reader');
  for (const wrong of ["role = 'operator'", "organization_id = ''", "role = 'owner'"])
    await assert.rejects(fixture.sql(`UPDATE account SET ${wrong} WHERE id = $1`, [account.id]), wrong);
});
