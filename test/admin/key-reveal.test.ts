/** The secret of a new key is displayed once, even with repeated forms, two windows or a stolen cookie. */
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { deriveKey, generateKey } from '../../src/domain/keys/api-key.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  copyFormClient,
  createFormClient,
  createSignedInClient,
  type FormClient,
  fetchCsrfToken,
  getShownSecret,
  parseHiddenFields,
} from '../support/form-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store } = fixture;
const pathOf = (organizationId: string) => `/admin/organizations/${organizationId}/keys`;
const keys = pathOf(fixture.a);
const status = async (secret: string) => (await server.get('/me', { key: secret })).status;

const anna = await createSignedInClient(server, store, fixture.a);

test('two keys that are issued in two windows are each displayed, in any order', async () => {
  const places = [];
  for (const name of ['First', 'Second'])
    places.push((await anna.submitForm(`${keys}/new`, { name })).location ?? '');
  for (const place of places) {
    const secret = getShownSecret((await anna.get(place)).body);
    assert.equal(await status(secret), 200);
    assert.equal((await anna.get(place)).status, 410);
  }
});

test('a form that is submitted again later redirects to its key, and creates none', async () => {
  const anna = await createSignedInClient(server, store, fixture.a);
  const form = await anna.get(`${keys}/new`);
  const fields = { ...parseHiddenFields(form.body), name: 'Once more' };
  const { location = '' } = await anna.post(form.path, fields);
  const secret = getShownSecret((await anna.get(location)).body);
  assert.equal((await anna.post(form.path, fields)).location, location, 'a double click');
  assert.equal(getShownSecret((await anna.get(location)).body), secret);
  const id = location.split('/').at(-2) ?? '';
  await fixture.sql("UPDATE api_key SET created_at = '2026-01-01T00:00:00.000Z' WHERE id = $1", [id]);
  assert.equal((await anna.post(form.path, fields)).location, `${keys}/${id}`);
  assert.equal((await anna.get(location)).status, 410);
  assert.equal((await store.listKeys(fixture.a)).filter(({ name }) => name === 'Once more').length, 1);
});

test('one form submitted for two municipalities creates two keys', async () => {
  const olga = await createSignedInClient(server, store);
  const form = randomUUID();
  const secrets = [];
  for (const organizationId of [fixture.a, fixture.b]) {
    const path = `${pathOf(organizationId)}/new`;
    const { location = '' } = await olga.submitForm(path, { form, name: 'Both' });
    secrets.push(getShownSecret((await olga.get(location)).body));
  }
  assert.equal(new Set(secrets).size, 2);
  for (const secret of secrets) assert.equal(await status(secret), 200);
});

test('the cookie of the login session alone does not reveal the secret of a key', async () => {
  const anna = await createSignedInClient(server, store, fixture.a);
  const { form = '', ...fields } = parseHiddenFields((await anna.get(`${keys}/new`)).body);
  const { location = '' } = await anna.post(`${keys}/new`, { ...fields, form, name: 'From the cookie' });
  const token = anna.cookies.get('__Host-rostra') ?? '';
  const derive = (seed: string) =>
    deriveKey(createHmac('sha256', token).update(`secret ${fixture.a} ${seed}`).digest());
  const thief = createFormClient(server.address);
  thief.cookies.set('__Host-rostra', token);
  assert.equal((await thief.get(location)).status, 410);
  const secret = getShownSecret((await anna.get(location)).body);
  assert.equal(derive(form), secret, 'the random id of the form is required, too');
  assert.notEqual(derive(location.split('/').at(-2) ?? ''), secret);
  assert.ok(![...anna.cookies.values()].includes(form), 'the browser has deleted the id of the form');
});

test('a secret that is not displayed within ten minutes cannot be displayed later', async () => {
  const anna = await createSignedInClient(server, store, fixture.a);
  const { location = '' } = await anna.submitForm(`${keys}/new`, { name: 'Too late' });
  await fixture.sql("UPDATE api_key SET created_at = '2026-01-01T00:00:00.000Z' WHERE id = $1", [
    location.split('/').at(-2) ?? '',
  ]);
  assert.equal((await anna.get(location)).status, 410);
});

test('a form without its id creates no key', async () => {
  const anna = await createSignedInClient(server, store, fixture.a);
  const before = (await store.listKeys(fixture.a)).length;
  for (const form of ['', 'x'.repeat(36), 'x'.repeat(9_000)])
    assert.equal((await anna.submitForm(`${keys}/new`, { form, name: 'Without an id' })).status, 400);
  assert.equal((await store.listKeys(fixture.a)).length, before);
});

test('a secret is displayed once if its form is sent to one process and the page comes from another', async () => {
  const other = await fixture.startServer();
  const anna = await createSignedInClient(server, store, fixture.a);
  const { location = '' } = await anna.submitForm(`${keys}/new`, { name: 'Two processes' });
  const elsewhere = copyFormClient(anna, other.address);
  assert.equal(await status(getShownSecret((await elsewhere.get(location)).body)), 200);
  assert.equal((await elsewhere.get(location)).status, 410);
});

test('the page that displays a secret has no language switch', async () => {
  const anna = await createSignedInClient(server, store, fixture.a);
  const { location = '' } = await anna.submitForm(`${keys}/new`, { name: 'One language' });
  const { body } = await anna.get(location);
  assert.ok(!body.includes('language='));
});

test('the page of a key has sample requests until the key is revoked', async () => {
  const { id } = await fixture.issueKey(fixture.a, { name: 'With samples' });
  assert.match((await anna.get(`${keys}/${id}`)).body, /YOUR_API_KEY/);
  await store.revokeKey({ organizationId: fixture.a, id });
  const { body } = await anna.get(`${keys}/${id}`);
  assert.match(body, /With samples/);
  assert.doesNotMatch(body, /YOUR_API_KEY|Example requests/);
});

suite('a key that is pasted into the filter of the key list', () => {
  const search = async (client: FormClient, words: string, path = keys) =>
    client.post(path, {
      token: await fetchCsrfToken(client),
      words,
      state: '',
      sort: 'name',
      order: 'ascending',
    });
  const beginning = (secret: string) => secret.slice(0, 16);

  test('redirects to its page, and the URL does not contain the key', async () => {
    const { secret, id } = await fixture.issueKey(fixture.a, { name: 'Found by its secret' });
    for (const words of [secret, ` ${secret}\n`, `"${secret}"`, `Authorization: Bearer ${secret}`]) {
      const { status, location } = await search(anna, words);
      assert.equal(status, 303);
      assert.equal(location, `${keys}/${id}?found`, words);
    }
  });

  test('is said to be unknown, without an empty list, also if it belongs to another municipality', async () => {
    for (const secret of [fixture.charlie, generateKey()]) {
      const { status, location = '' } = await search(anna, secret);
      assert.equal(status, 303);
      assert.equal(new URL(location, server.address).searchParams.get('words'), beginning(secret));
      const { body } = await anna.get(location);
      assert.match(body, /This municipality has no such key/);
      assert.doesNotMatch(body, /0 of \d+ keys|first characters are listed|<table/);
      assert.ok(!body.includes(secret));
    }
  });

  test('is not recognised in other words, which filter the list', async () => {
    const { status, location = '' } = await search(anna, 'Portal sk_ros');
    assert.equal(status, 303);
    const { searchParams } = new URL(location, server.address);
    assert.deepEqual([searchParams.get('words'), searchParams.has('pasted')], ['Portal sk_ros', false]);
  });

  test('is found by its prefix if its end is missing or wrong', async () => {
    const { secret, id } = await fixture.issueKey(fixture.a, { name: 'Cut off' });
    for (const words of [
      secret.slice(0, -1),
      `${secret.slice(0, -1)}_`,
      `${secret}x`,
      secret.slice(0, 17),
      secret.toUpperCase(),
    ]) {
      const { location = '' } = await search(anna, words);
      assert.ok(!location.toLowerCase().includes(secret.slice(0, 17).toLowerCase()), location);
      assert.ok((await anna.get(location)).body.includes(`${keys}/${id}"`), words);
    }
  });

  test('appears in no URL, page or log, even if the login session has ended or the form has expired', async () => {
    const { secret } = await fixture.issueKey(fixture.a);
    const leaks = (text: string) => text.includes(secret.slice(0, 17));
    const client = await createSignedInClient(server, fixture.store);
    for (const path of [keys, '/admin/organizations', '/admin/accounts']) {
      const response = await search(client, secret, path);
      assert.equal(response.status, 303, path);
      assert.ok(
        !leaks(`${response.location}${response.body}${(await client.open(response.location ?? '')).body}`),
      );
      const form = await client.get(path);
      assert.match(form.body, /<form method="post"[^>]* role="search">/, path);
      assert.match(form.body, /<input[^>]* name="words"[^>]* autocomplete="off"/, path);
    }
    const stale = await client.post(keys, { token: 'x', words: secret }, { 'sec-fetch-site': 'same-origin' });
    assert.equal(stale.status, 403);
    assert.match(stale.body, /name="words" value="sk_rostra_/);
    assert.ok(!leaks(stale.body));
    const token = await fetchCsrfToken(client);
    await fixture.store.endLoginSessions(client.account.id, undefined, { name: 'test', address: '' });
    const ended = await client.post(keys, { token, words: secret });
    assert.match(ended.body, /name="entry\.words" value="sk_rostra_/);
    assert.ok(!leaks(ended.body));
    // The page masks the keys in a handwritten URL.
    const { body } = await anna.get(`${keys}?words=${fixture.bob}+${secret}`);
    assert.ok(body.includes(`${beginning(fixture.bob)} ${beginning(secret)}`));
    assert.ok(!leaks(body));
    assert.ok(!leaks(server.lines.join('\n')));
  });
});
