import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { after, suite, test } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  assertFails,
  assertNoStack,
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  startCli,
} from '../../support/cli-workspace.ts';
import { createFixture } from '../../support/fixture.ts';
import { createSignedInClient } from '../../support/form-client.ts';
import {
  checkLargeSession,
  createLargeSubmissions,
  largeSessionRecord,
  readToEnd,
  startSlowRead,
} from '../../support/large-session.ts';
import { byNight, runsEveryTest } from '../../support/nightly.ts';
import { composeRawRequest, openRawConnection } from '../../support/raw-socket.ts';
import { startServer } from '../../support/server.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

const workspace = await createCliWorkspace({ after });
const town = await createMunicipality(workspace, 'Musterstadt');

test('a server process measures the strength of a password that a new administrator chooses', {
  skip: byNight('by day servers in the process of the tests measure it'),
}, async (t) => {
  const { startServerProcess, store, a } = await createFixture(t);
  const server = await startServerProcess();
  const administrator = await createSignedInClient(server, store, a);
  assert.equal((await administrator.open('/admin/account')).status, 200);
});

suite('stopping', { concurrency: 2 }, () => {
  test('by SIGTERM exits with 0, frees the port, and responds to incomplete requests with 503 without counting them', async (t) => {
    const { key } = await createMunicipality(workspace);
    const server = await startServerProcess(t, workspace.database);
    assert.equal((await server.get('/me', { key })).status, 200);
    const incomplete = await openRawConnection(server.port);
    const request = composeRawRequest('/api/v1/me', [`Authorization: Bearer ${key}`]);
    incomplete.socket.write(request.slice(0, 60));
    const idle = await openRawConnection(server.port);
    idle.socket.write(composeRawRequest('/api/v1/health'));
    // A response on another connection shows that the server has read the incomplete request.
    await once(idle.socket, 'data');
    process.kill(server.pid, 'SIGTERM');
    await server.waitForLine(/stopping/);
    incomplete.socket.write(request.slice(60));
    const rejected = await incomplete.finish();
    assert.equal(rejected.responses.length, 1);
    assert.equal(rejected.responses[0]?.status, 503);
    assert.equal(JSON.parse(rejected.responses[0]?.text as string).code, 'UNAVAILABLE');
    assert.equal(rejected.responses[0]?.headers.connection, 'close');
    assert.ok(rejected.closed);
    const { responses, closed } = await idle.finish();
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200],
    );
    assert.ok(closed);
    assert.equal(await server.waitForExit(), 0);
    await server.waitForLine(/stopped/);
    await assert.rejects(server.get('/health'), { code: 'ECONNREFUSED' });
    const next = await startServer(t, workspace.database, { ROSTRA_PORT: String(server.port) });
    const { status, headers } = await next.get('/me', { key });
    assert.equal(status, 200);
    assert.equal(headers['x-ratelimit-remaining'], '999998');
  });

  test('by SIGINT takes no longer than the stop timeout, even with an incomplete request; SIGHUP is ignored', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const server = await startServerProcess(t, workspace.database, { ROSTRA_STOP_TIMEOUT: '1' });
    process.kill(server.pid, 'SIGHUP');
    assert.match(await server.waitForLine(/SIGHUP/), /ROSTRA_WORKERS=2/);
    const connection = await openRawConnection(server.port);
    connection.socket.write('GET /api/v1/me HTTP/1.1\r\nHost: x\r\n');
    assert.equal((await server.get('/me', { key: town.key })).status, 200);
    process.kill(server.pid, 'SIGINT');
    assert.equal(await server.waitForExit(), 0);
    assert.ok((await connection.finish()).closed);
  });

  test('completes a pending response while new connections are refused', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const fixture = await createFixture(t);
    await fixture.putRecords(fixture.a, createLargeSubmissions('x'));
    await fixture.putRecords(fixture.a, [largeSessionRecord]);
    const server = await fixture.startServerProcess();
    const reading = await startSlowRead(server.port, fixture.alice);
    process.kill(server.pid, 'SIGTERM');
    await server.waitForLine(/stopping/);
    // The response is still unread, so the server cannot have exited before it refuses connections.
    while (await acceptsConnection(server.port));
    const response = await readToEnd(reading);
    checkLargeSession(JSON.parse(response.slice(response.indexOf('\r\n\r\n'))).data, 'x');
    assert.equal(await server.waitForExit(), 0);
  });

  test('with a timeout of 0 exits immediately', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const server = await startServerProcess(t, workspace.database, { ROSTRA_STOP_TIMEOUT: '0' });
    const connection = await openRawConnection(server.port);
    connection.socket.write('GET /api/v1/me HTTP/1.1\r\nHost: x\r\n');
    await server.get('/health');
    assert.equal(await server.stop(), 0);
    await connection.finish();
  });

  test('before the server listens also ends it', {
    skip: byNight('it starts several processes'),
  }, async () => {
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

if (runsEveryTest)
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
        await requestHealth(Number(port), 600);
        running.child.kill('SIGTERM');
        const code = await once(running.child, 'exit').then(([exitCode]) => exitCode);
        assert.equal(code, 0);
      });
    }
  });

if (runsEveryTest)
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
        // Connections go to the workers in turn, so each worker has now read the incomplete request if it is its own.
        for (let turn = 0; turn < Number(workers); turn += 1) await requestHealth(Number(port), 1);
        running.child.kill('SIGTERM');
        await running.waitForOutput(/"msg":"stopping"/);
        running.child.kill('SIGINT');
        const result = await running.result;
        assert.equal(result.code, 130);
        assert.match(result.stderr, /"signal":"SIGINT","msg":"exiting without waiting for open requests/);
        assertNoStack(result);
      });
    }

    test('is handled at any moment: signals in quick succession do not end a server before its log is written', async (t) => {
      const running = startCli(workspace.withDatabase('serve', '--port', '0', '--stop-timeout', '3600'));
      t.after(() => running.child.kill('SIGKILL'));
      const [, port] = await running.waitForOutput(/127\.0\.0\.1:(\d+)/);
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.write('GET /api/v1/me HTTP/1.1\r\nHost: x\r\n');
      await requestHealth(Number(port), 1);
      while (running.child.exitCode === null && running.child.signalCode === null) {
        running.child.kill('SIGTERM');
        await setImmediate();
      }
      const { code, signal, stderr } = await running.result;
      assert.deepEqual([code, signal], [143, null]);
      assert.match(stderr, /"signal":"SIGTERM","msg":"exiting without waiting for open requests/);
    });

    test('ends an import immediately', async () => {
      const running = startCli(workspace.withDatabase('import', 'rostra', '-', '--organization', town.id), {
        input: '',
      });
      await waitUntil('the import', async () =>
        (await assertSucceeds(workspace.withDatabase('import', 'history'))).includes('running'),
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
    const { stderr } = await assertFails(
      workspace.withDatabase('serve', '--port', String(port)),
      1,
      sentence,
    );
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  });

  test('reports an address of another machine, and exits with 1', {
    skip: byNight('it starts several processes'),
  }, async () => {
    for (const host of ['192.0.2.1', 'nowhere.invalid']) {
      await assertFails(
        workspace.withDatabase('serve', '--port', '0', '--host', host),
        1,
        /--host|Cannot listen/,
      );
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
