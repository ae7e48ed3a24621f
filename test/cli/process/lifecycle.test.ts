import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { after, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  assertFails,
  assertNoStack,
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  startCli,
} from '../../support/cli-workspace.ts';
import { toNdjson } from '../../support/files.ts';
import { composeRawRequest, openRawConnection } from '../../support/raw-socket.ts';
import { createSubmission, formatSubmissionId } from '../../support/records.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

const workspace = await createCliWorkspace({ after });
const town = await createMunicipality(workspace, 'Musterstadt');

suite('stopping', { concurrency: 2 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`by ${signal} exits with 0 and frees the port immediately`, async (t) => {
      const server = await startServerProcess(t, workspace.database);
      assert.equal((await server.get('/me', { key: town.key })).status, 200);
      process.kill(server.pid, signal);
      assert.equal(await server.waitForExit(), 0);
      await assert.rejects(server.get('/health'), { code: 'ECONNREFUSED' });
      const next = startCli(workspace.withDatabase('serve', '--port', String(server.port)));
      t.after(() => next.child.kill('SIGKILL'));
      await next.waitForOutput(new RegExp(`:${server.port}`));
      assert.equal((await server.get('/me', { key: town.key })).status, 200);
      next.child.kill('SIGTERM');
      assert.equal((await next.result).code, 0);
    });
  }

  test('completes a pending response while new connections are refused', async (t) => {
    const workspace = await createCliWorkspace(t);
    const { id, key } = await createMunicipality(workspace);
    const entries = Array.from({ length: 400 }, (_, n) => ({
      kind: 'submission',
      ...createSubmission(n, { description: 'x'.repeat(90_000) }),
    }));
    const meeting = {
      kind: 'session',
      id: 'big',
      committeeName: 'Rat',
      date: '2026-03-01',
      submissions: entries.map((_, n) => formatSubmissionId(n)),
    };
    await assertSucceeds(workspace.withDatabase('import', 'rostra', '-', '--organization', id), {
      input: toNdjson([...entries, meeting]),
    });
    const server = await startServerProcess(t, workspace.database);
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
    await server.waitForLine(/stopping/);
    // The response is still unread, so the server cannot have exited before it refuses connections.
    while (await acceptsConnection(server.port));
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    assert.equal(JSON.parse(Buffer.concat(chunks).toString()).data.submissions.length, entries.length);
    assert.equal(await server.waitForExit(), 0);
  });

  test('closes a keep-alive connection, or responds with 503 and the standard headers', async (t) => {
    const server = await startServerProcess(t, workspace.database);
    const connection = await openRawConnection(server.port);
    connection.socket.write(composeRawRequest('/api/v1/health'));
    await once(connection.socket, 'data');
    process.kill(server.pid, 'SIGTERM');
    await server.waitForLine(/stopping/);
    connection.socket.write(composeRawRequest('/api/v1/health'));
    const { responses, closed } = await connection.finish();
    assert.ok(closed);
    assert.equal(responses[0]?.status, 200);
    if (responses.length > 1) assert.equal(responses[1]?.status, 503);
    assert.equal(await server.waitForExit(), 0);
  });

  test('takes no longer than the stop timeout, even with an incomplete request', async (t) => {
    const server = await startServerProcess(t, workspace.database, { ROSTRA_STOP_TIMEOUT: '1' });
    const connection = await openRawConnection(server.port);
    connection.socket.write('GET /api/v1/me HTTP/1.1\r\nHost: x\r\n');
    await server.get('/health');
    assert.equal(await server.stop(), 0);
    assert.ok((await connection.finish()).closed);
  });

  test('with a timeout of 0 exits immediately', async (t) => {
    const server = await startServerProcess(t, workspace.database, { ROSTRA_STOP_TIMEOUT: '0' });
    const connection = await openRawConnection(server.port);
    connection.socket.write('GET /api/v1/me HTTP/1.1\r\nHost: x\r\n');
    await server.get('/health');
    assert.equal(await server.stop(), 0);
    await connection.finish();
  });

  test('before the server listens also ends it', async () => {
    const running = startCli(workspace.withDatabase('serve', '--port', '0'));
    await setTimeout(100);
    running.child.kill('SIGTERM');
    const { code, signal } = await running.result;
    assert.ok(code === 0 || signal === 'SIGTERM');
  });
});

/** Sends pipelined requests for /health on one connection. Resolves when all have a response. */
async function requestHealth(port: number, count: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.write(composeRawRequest('/api/v1/health').repeat(count - 1));
  socket.write(composeRawRequest('/api/v1/health', ['Connection: close']));
  await once(socket.resume(), 'end');
  socket.destroy();
}

suite('an unread log', { concurrency: 2 }, () => {
  test('drops lines beyond a limit, and logs their number when it is read again', async (t) => {
    const running = startCli(workspace.withDatabase('serve', '--port', '0'));
    t.after(() => running.child.kill('SIGKILL'));
    const [, port] = await running.waitForOutput(/127\.0\.0\.1:(\d+)/);
    const requests = 25_000;
    running.child.stderr?.pause();
    await requestHealth(Number(port), requests);
    running.child.stderr?.resume();
    const [, lost] = await running.waitForOutput(/"lines":(\d+),"msg":"log lines were dropped/);
    running.child.kill('SIGTERM');
    const { code, stderr } = await running.result;
    assert.equal(code, 0);
    assert.equal(stderr.split('"msg":"request"').length - 1, requests - Number(lost));
    assert.ok(Number(lost) > 1_000);
  });

  for (const [how, ...flags] of [
    ['of one process', '--log-format', 'text'],
    ['of several', '--workers', '2'],
  ] as const) {
    test(`${how} does not block responses or the shutdown`, async (t) => {
      const running = startCli(workspace.withDatabase('serve', '--port', '0', ...flags));
      t.after(() => running.child.kill('SIGKILL'));
      const [, port] = await running.waitForOutput(/127\.0\.0\.1:(\d+)/);
      running.child.stderr?.pause();
      await requestHealth(Number(port), 4_000);
      running.child.kill('SIGTERM');
      const code = await once(running.child, 'exit').then(([exitCode]) => exitCode);
      assert.equal(code, 0);
    });
  }
});

suite('a second signal', { concurrency: 2 }, () => {
  for (const workers of ['1', '2']) {
    test(`ends a server of ${workers} processes immediately, despite an incomplete request`, async (t) => {
      const running = startCli(
        workspace.withDatabase('serve', '--port', '0', '--workers', workers, '--stop-timeout', '3600'),
      );
      t.after(() => running.child.kill('SIGKILL'));
      const [, port] = await running.waitForOutput(/127\.0\.0\.1:(\d+)/);
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.write('GET /api/v1/me HTTP/1.1\r\nHost: x\r\n');
      await requestHealth(Number(port), 1);
      running.child.kill('SIGTERM');
      await running.waitForOutput(/"msg":"stopping"/);
      await setTimeout(200);
      running.child.kill('SIGINT');
      const result = await running.result;
      assert.equal(result.code, 130);
      assert.match(result.stderr, /"signal":"SIGINT","msg":"exiting without waiting for open requests/);
      assertNoStack(result);
    });
  }

  test('ends an import immediately', async () => {
    const running = startCli(workspace.withDatabase('import', 'rostra', '-', '--organization', town.id), {
      input: '',
    });
    await waitUntil('the import', async () =>
      (await assertSucceeds(workspace.withDatabase('import', '--history'))).includes('running'),
    );
    running.child.kill('SIGTERM');
    running.child.kill('SIGINT');
    const result = await running.result;
    // If the import has already ended, the second signal ends the process by itself.
    assert.ok([130, 143, 'SIGINT', 'SIGTERM'].includes(result.code ?? result.signal ?? ''));
    assertNoStack(result);
  });
});

suite('a server that cannot start', { concurrency: 2 }, () => {
  test('reports a port in use and the flag to choose another, and exits with 1', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    t.after(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const sentence = new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is in use\\. .+--port`);
    for (const workers of ['1', '2']) {
      const { stderr } = await assertFails(
        workspace.withDatabase('serve', '--port', String(port), '--workers', workers),
        1,
        sentence,
      );
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    }
  });

  test('reports an address of another machine, and exits with 1', async () => {
    for (const host of ['192.0.2.1', 'nowhere.invalid']) {
      const result = startCli(workspace.withDatabase('serve', '--port', '0', '--host', host)).result;
      const { code, stderr } = await result;
      assert.equal(code, 1);
      assert.match(stderr, /--host|Cannot listen/);
    }
  });
});

async function acceptsConnection(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    // The system resets connections that it accepted before the server stopped listening: try again.
    assert.match(code ?? '', /^ECONN(REFUSED|RESET)$/);
    return code === 'ECONNRESET';
  } finally {
    socket.destroy();
  }
}
