import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { after, suite, test } from 'node:test';
import { newDesk, newMunicipality, refused, start, succeed } from '../support/command-line.ts';
import { ndjson } from '../support/files.ts';
import { openRaw, rawRequest } from '../support/raw.ts';
import { submission, submissionId } from '../support/records.ts';
import { startServer } from '../support/server.ts';

const desk = await newDesk({ after });
const town = await newMunicipality(desk, 'Musterstadt');

suite('stopping', { concurrency: 2 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`by ${signal} ends with 0; the port is refused at once and can be served again at once`, async (t) => {
      const server = await startServer(t, desk.database);
      assert.equal((await server.get('/me', { key: town.key })).status, 200);
      process.kill(server.pid, signal);
      assert.equal(await server.ended(), 0);
      await assert.rejects(server.get('/health'), { code: 'ECONNREFUSED' });
      const next = start(desk.on('serve', '--port', String(server.port)));
      t.after(() => next.child.kill('SIGKILL'));
      await next.says(new RegExp(`:${server.port}`));
      assert.equal((await server.get('/me', { key: town.key })).status, 200);
      next.child.kill('SIGTERM');
      assert.equal((await next.ended).code, 0);
    });
  }

  test('lets an answer that is under way arrive whole, while new connections are refused', async (t) => {
    const own = await newDesk(t);
    const { id, key } = await newMunicipality(own);
    const entries = Array.from({ length: 400 }, (_, n) => ({
      kind: 'submission',
      ...submission(n, { description: 'x'.repeat(90_000) }),
    }));
    const meeting = {
      kind: 'session',
      id: 'big',
      committeeName: 'Rat',
      date: '2026-03-01',
      submissions: entries.map((_, n) => submissionId(n)),
    };
    await succeed(own.on('import', 'rostra', '-', '--organization', id), {
      input: ndjson([...entries, meeting]),
    });
    const server = await startServer(t, own.database);
    const [{ id: sessionId }] = (await server.get('/sessions', { key })).json.data;

    const request = get({
      host: '127.0.0.1',
      port: server.port,
      path: `/api/v1/sessions/${sessionId}`,
      headers: { authorization: `Bearer ${key}` },
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    process.kill(server.pid, 'SIGTERM');
    await server.line(/stopping/);
    // Nothing of the answer is read until then, so the server cannot be over before it refuses.
    while (await isReached(server.port));
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    assert.equal(JSON.parse(Buffer.concat(chunks).toString()).data.submissions.length, entries.length);
    assert.equal(await server.ended(), 0);
  });

  test('closes a connection that was kept alive, or tells it 503 with the headers of the contract', async (t) => {
    const server = await startServer(t, desk.database);
    const connection = await openRaw(server.port);
    connection.socket.write(rawRequest('/api/v1/health'));
    await once(connection.socket, 'data');
    process.kill(server.pid, 'SIGTERM');
    await server.line(/stopping/);
    connection.socket.write(rawRequest('/api/v1/health'));
    const { answers, closed } = await connection.finish();
    assert.ok(closed);
    assert.equal(answers[0]?.status, 200);
    if (answers.length > 1) assert.equal(answers[1]?.status, 503);
    assert.equal(await server.ended(), 0);
  });

  test('takes no longer than the stop timeout, whoever keeps half a request open', async (t) => {
    const server = await startServer(t, desk.database, { ROSTRA_STOP_TIMEOUT: '1' });
    const connection = await openRaw(server.port);
    connection.socket.write('GET /api/v1/me HTTP/1.1\r\nHost: x\r\n');
    await server.get('/health');
    assert.equal(await server.stop(), 0);
    assert.ok((await connection.finish()).closed);
  });

  test('with a timeout of 0 ends at once', async (t) => {
    const server = await startServer(t, desk.database, { ROSTRA_STOP_TIMEOUT: '0' });
    const connection = await openRaw(server.port);
    connection.socket.write('GET /api/v1/me HTTP/1.1\r\nHost: x\r\n');
    await server.get('/health');
    assert.equal(await server.stop(), 0);
    await connection.finish();
  });

  test('before it has begun to listen ends as well', async () => {
    const running = start(desk.on('serve', '--port', '0'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    running.child.kill('SIGTERM');
    const { code, signal } = await running.ended;
    assert.ok(code === 0 || signal === 'SIGTERM');
  });
});

suite('a server that cannot start', { concurrency: 2 }, () => {
  test('because its port is busy says so and how to choose another, and ends with 1', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    t.after(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const sentence = new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is in use\\. .+--port`);
    for (const workers of ['1', '2']) {
      const { stderr } = await refused(
        desk.on('serve', '--port', String(port), '--workers', workers),
        1,
        sentence,
      );
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    }
  });

  test('because its address is not of this machine says so, and ends with 1', async () => {
    for (const host of ['192.0.2.1', 'nowhere.invalid']) {
      const ended = start(desk.on('serve', '--port', '0', '--host', host)).ended;
      const { code, stderr } = await ended;
      assert.equal(code, 1);
      assert.match(stderr, /--host|Cannot listen/);
    }
  });
});

async function isReached(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    // A connection that the system had taken before the server stopped listening is reset: ask again.
    assert.match(code ?? '', /^ECONN(REFUSED|RESET)$/);
    return code === 'ECONNRESET';
  } finally {
    socket.destroy();
  }
}
