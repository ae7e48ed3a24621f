/** Behind a pooler in transaction mode, which does not preserve the state of connections. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../support/cli-workspace.ts';
import { startPooler } from '../support/connection-pooler.ts';
import { createFixture } from '../support/fixture.ts';
import { startServer } from '../support/server.ts';

test('two servers on three pooled connections isolate municipalities and count exactly', async (t) => {
  const fixture = await createFixture(t);
  const pooled = await startPooler(t, fixture.database, 3);
  const servers = await Promise.all([startServer(t, pooled), startServer(t, pooled)]);
  const direct = await fixture.startServer();
  const limit = 200;
  const { secret: limited } = await fixture.issueKey(fixture.a, { requestLimit: limit });
  const expected = new Map<string, string>();
  for (const key of [fixture.alice, fixture.charlie])
    expected.set(key, (await direct.get('/submissions?limit=3', { key })).text);
  const remaining: number[] = [];
  const client = async (number: number) => {
    const server = servers[number % servers.length] as (typeof servers)[number];
    for (let round = 0; round < 10; round += 1) {
      for (const [key, text] of expected) {
        const response = await server.get('/submissions?limit=3', { key });
        assert.equal(response.text, text);
      }
      const { status, headers } = await server.get('/me', { key: limited });
      if (status === 200) remaining.push(Number(headers['x-ratelimit-remaining']));
    }
  };
  await Promise.all(Array.from({ length: 40 }, (_, number) => client(number)));
  assert.deepEqual(
    remaining.toSorted((a, b) => a - b),
    Array.from({ length: limit }, (_, index) => index),
  );
  for (const { lines } of servers)
    assert.deepEqual(
      lines.filter((line) => line.includes('"level":50')),
      [],
    );
});

test('commands issue and revoke keys through a pooler', async (t) => {
  const fixture = await createFixture(t);
  const pooled = await startPooler(t, fixture.database, 2);
  const issued = await runCli([
    'key',
    'issue',
    '--organization',
    fixture.a,
    '--name',
    'Pooled',
    '--database',
    pooled,
  ]);
  assert.equal(issued.code, 0, issued.stderr);
  const server = await startServer(t, pooled);
  const key = issued.stdout.trim();
  assert.equal((await server.get('/me', { key })).json.key_name, 'Pooled');
  const revoked = await runCli(['key', 'revoke', key.slice(0, 16), '--database', pooled]);
  assert.equal(revoked.code, 0, revoked.stderr);
  assert.equal((await server.get('/me', { key })).status, 401);
});
