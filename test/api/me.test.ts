import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';

const { server, a, b, alice, bob, charlie, runCli } = await createFixtureWithServer({ after });

test('me returns municipality, prefix and name of the key, in this order and without an envelope', async () => {
  const { status, text } = await server.get('/me', { key: alice });
  assert.equal(status, 200);
  assert.equal(
    text,
    JSON.stringify({ organization_id: a, key_prefix: alice.slice(0, 16), key_name: 'Alice' }),
  );
});

test('me distinguishes keys of the same and of another municipality', async () => {
  const { json: ofBob } = await server.get('/me', { key: bob });
  assert.deepEqual(ofBob, { organization_id: a, key_prefix: bob.slice(0, 16), key_name: 'Bob' });
  const { json: ofCharlie } = await server.get('/me', { key: charlie });
  assert.deepEqual(ofCharlie, { organization_id: b, key_prefix: charlie.slice(0, 16), key_name: 'Charlie' });
});

test('a key issued on the command line works immediately, with umlauts, quotes and an emoji in its name', async () => {
  const name = 'Büro „Süd“ "1" \\ 🚲';
  const key = (await runCli('key', 'issue', '--organization', a, '--name', name)).trim();
  const { json } = await server.get('/me', { key });
  assert.deepEqual(json, { organization_id: a, key_prefix: key.slice(0, 16), key_name: name });
});
