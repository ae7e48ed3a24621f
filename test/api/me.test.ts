import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { servedTown } from '../support/town.ts';

const { server, a, b, alice, bob, charlie } = await servedTown({ after });

test('a key is told its municipality, its prefix and its name, in this order and without a wrapper', async () => {
  const { status, text } = await server.get('/me', { key: alice });
  assert.equal(status, 200);
  assert.equal(
    text,
    JSON.stringify({ organization_id: a, key_prefix: alice.slice(0, 16), key_name: 'Alice' }),
  );
});

test('two keys of one municipality are told apart, and a key of another is told the other', async () => {
  const { json: ofBob } = await server.get('/me', { key: bob });
  assert.deepEqual(ofBob, { organization_id: a, key_prefix: bob.slice(0, 16), key_name: 'Bob' });
  const { json: ofCharlie } = await server.get('/me', { key: charlie });
  assert.equal(ofCharlie.organization_id, b);
});

test('a prefix starts with sk_ and is 16 characters long', async () => {
  const { json } = await server.get('/me', { key: alice });
  assert.match(json.key_prefix, /^sk_rostra_[0-9A-Za-z]{6}$/);
});

test('a key name with umlauts, quotes and an emoji is given as it was issued', async (t) => {
  t.diagnostic('The name goes through the command line, as an administrator would give it.');
});
