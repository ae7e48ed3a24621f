import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixture } from '../../support/fixture.ts';
import { sendRequest } from '../../support/http-client.ts';
import { byNight } from '../../support/nightly.ts';

const fixture = await createFixture({ after });

test('a running server is ready; the endpoint needs no key and is not cacheable', async () => {
  const { port } = await fixture.startServer();
  const response = await sendRequest(port, '/ready');
  assert.equal(response.status, 200);
  assert.equal(response.text, '{"status":"ready"}');
  assert.equal(response.headers['cache-control'], 'no-store');
  const head = await sendRequest(port, '/ready', { method: 'HEAD' });
  assert.deepEqual([head.status, head.text], [200, '']);
  const post = await sendRequest(port, '/ready', { method: 'POST' });
  assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD']);
});

test('after SIGTERM a server is not ready but handles requests, until a second signal ends the delay', {
  skip: byNight('it starts several processes'),
}, async () => {
  const server = await fixture.startServerProcess({ ROSTRA_STOP_DELAY: '3600' });
  process.kill(server.pid, 'SIGTERM');
  await server.waitForLine(/stopping/);
  const ready = await sendRequest(server.port, '/ready');
  assert.equal(ready.status, 503);
  assert.match(ready.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  assert.equal((await server.get('/submissions', { key: fixture.alice })).status, 200);
  assert.equal((await server.get('/health')).status, 200);
  process.kill(server.pid, 'SIGINT');
  assert.equal(await server.waitForExit(), 0);
});

test('a server stops after its delay', { skip: byNight('it starts several processes') }, async () => {
  const server = await fixture.startServerProcess({ ROSTRA_STOP_DELAY: '1' });
  const stopped = server.waitForExit();
  const began = performance.now();
  process.kill(server.pid, 'SIGTERM');
  assert.equal(await stopped, 0);
  assert.ok(performance.now() - began >= 1_000);
});
