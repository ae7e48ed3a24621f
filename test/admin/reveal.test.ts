/** The secret of a key: seen once, whatever is sent twice, opened in two windows, or known of the browser. */
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { keyFrom } from '../../src/access/key.ts';
import { servedTown } from '../support/town.ts';
import { hiddenFields, secretOn, signedIn } from '../support/visitor.ts';

const town = await servedTown({ after });
const { server, store } = town;
const pathOf = (organizationId: string) => `/admin/organizations/${organizationId}/keys`;
const keys = pathOf(town.a);
const status = async (secret: string) => (await server.get('/me', { key: secret })).status;

test('two keys that were issued in two windows are each shown, in any order', async () => {
  const anna = await signedIn(server, store, town.a);
  const places = [];
  for (const name of ['First', 'Second'])
    places.push((await anna.fill(`${keys}/new`, { name })).location ?? '');
  for (const place of places) {
    const secret = secretOn((await anna.get(place)).body);
    assert.equal(await status(secret), 200);
    assert.equal((await anna.get(place)).status, 410);
  }
});

test('a form that was sent once more after a while leads to its key, and makes none', async () => {
  const anna = await signedIn(server, store, town.a);
  const form = await anna.get(`${keys}/new`);
  const fields = { ...hiddenFields(form.body), name: 'Once more' };
  const { location = '' } = await anna.post(form.path, fields);
  const secret = secretOn((await anna.get(location)).body);
  assert.equal((await anna.post(form.path, fields)).location, location, 'a double click');
  assert.equal(secretOn((await anna.get(location)).body), secret);
  const id = location.split('/').at(-2) ?? '';
  await town.sql("UPDATE api_key SET created_at = '2026-01-01T00:00:00.000Z' WHERE id = $1", [id]);
  assert.equal((await anna.post(form.path, fields)).location, `${keys}/${id}`);
  assert.equal((await anna.get(location)).status, 410);
  assert.equal((await store.listKeys(town.a)).filter(({ name }) => name === 'Once more').length, 1);
});

test('one form for two municipalities makes two keys', async () => {
  const olga = await signedIn(server, store);
  const form = randomUUID();
  const secrets = [];
  for (const organizationId of [town.a, town.b]) {
    const path = `${pathOf(organizationId)}/new`;
    const { location = '' } = await olga.fill(path, { form, name: 'Both' });
    secrets.push(secretOn((await olga.get(location)).body));
  }
  assert.equal(new Set(secrets).size, 2);
  for (const secret of secrets) assert.equal(await status(secret), 200);
});

test('what the cookie holds does not give the secret of a key', async () => {
  const anna = await signedIn(server, store, town.a);
  const { location = '' } = await anna.fill(`${keys}/new`, { name: 'From the cookie' });
  const secret = secretOn((await anna.get(location)).body);
  const id = location.split('/').at(-2) ?? '';
  const [row] = await town.sql<{ salt: Buffer }>('SELECT salt FROM reveal WHERE key_id = $1', [id]);
  const made = (token: string, salt: string) =>
    keyFrom(createHmac('sha256', token).update(`secret ${town.a} ${id}${salt}`).digest());
  const token = anna.cookies.get('__Host-rostra') ?? '';
  assert.equal(made(token, ` ${row?.salt.toString('hex')}`), secret, 'both together do');
  assert.notEqual(made(token, ''), secret);
  await store.endSignIns(anna.administrator.id, undefined, { name: anna.email, address: '' });
  assert.deepEqual(await town.sql('SELECT 1 FROM reveal WHERE key_id = $1', [id]), []);
});

test('the page that shows a secret has no way to itself in another language', async () => {
  const anna = await signedIn(server, store, town.a);
  const { location = '' } = await anna.fill(`${keys}/new`, { name: 'One language' });
  const { body } = await anna.get(location);
  assert.ok(!body.includes('language='));
});
