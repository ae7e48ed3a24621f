import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newTown } from '../support/fixture.ts';
import { plainExchange } from '../support/http-client.ts';

const town = await newTown({ after });

test('a server that serves is ready: no key, no parameters, nothing that a cache may keep', async () => {
  const { port } = await town.serveAsProcess();
  const answer = await plainExchange(port, '/ready');
  assert.equal(answer.status, 200);
  assert.equal(answer.text, '{"status":"ready"}');
  assert.equal(answer.headers['cache-control'], 'no-store');
  const head = await plainExchange(port, '/ready', { method: 'HEAD' });
  assert.deepEqual([head.status, head.text], [200, '']);
  const post = await plainExchange(port, '/ready', { method: 'POST' });
  assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD']);
});

test('from SIGTERM on a server is not ready and answers requests, until a second signal ends the delay', async () => {
  const server = await town.serveAsProcess({ ROSTRA_STOP_DELAY: '3600' });
  process.kill(server.pid, 'SIGTERM');
  await server.line(/stopping/);
  const ready = await plainExchange(server.port, '/ready');
  assert.equal(ready.status, 503);
  assert.match(ready.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  assert.equal((await server.get('/submissions', { key: town.alice })).status, 200);
  assert.equal((await server.get('/health')).status, 200);
  process.kill(server.pid, 'SIGINT');
  assert.equal(await server.ended(), 0);
});

test('a server stops by itself when its delay is over', async () => {
  const server = await town.serveAsProcess({ ROSTRA_STOP_DELAY: '1' });
  const stopped = server.ended();
  const began = performance.now();
  process.kill(server.pid, 'SIGTERM');
  assert.equal(await stopped, 0);
  assert.ok(performance.now() - began >= 1_000);
});
