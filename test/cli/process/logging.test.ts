/** The log of a server, against the reference in docs/logging.md. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runCliProcess } from '../../support/cli-workspace.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import type { ServerProcess } from '../../support/server-process.ts';

const fixture = await createFixture({ after });
const page = readFileSync(new URL('../../../docs/logging.md', import.meta.url), 'utf8');

/** Names in the first column of the table after a heading. */
function listDocumentedFields(heading: string): Set<string> {
  const section = page.slice(page.indexOf(`## ${heading}\n`)).split('\n## ', 1)[0] as string;
  return new Set([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name as string));
}

async function collectLines(
  environment: Record<string, string>,
  work: (server: ServerProcess) => Promise<unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the lines
): Promise<any[]> {
  const server = await fixture.startServerProcess(environment);
  await work(server);
  await server.stop();
  return server.lines.map((line) => {
    try {
      return JSON.parse(line);
    } catch {
      return assert.fail(`not JSON: ${line}`);
    }
  });
}

test('lines of requests have the documented fields, and the error code of the response', async () => {
  const lines = await collectLines({ ROSTRA_ADMIN: 'on' }, async (server) => {
    await server.get('/submissions', { key: fixture.alice });
    await server.get('/submissions?limit=0', { key: fixture.alice });
    await server.get('/surveys/1/results', { key: fixture.alice });
    await server.get('/me');
    await server.sendRaw('BAD\r\n\r\n');
    await fetch(`${server.address}/admin/nowhere`, { redirect: 'manual' });
    await fetch(`${server.address}/admin/sign-in`, { method: 'POST', redirect: 'manual' });
  });
  const requests = lines.filter(({ msg }) => msg === 'request');
  const documented = listDocumentedFields('Requests');
  const used = new Set(requests.flatMap((line) => Object.keys(line)));
  for (const name of used) assert.ok(documented.has(name), `${name} is not documented`);
  const optional = ['processId', 'traceId', 'reason'];
  for (const name of documented)
    assert.ok(used.has(name) || optional.includes(name), `${name} occurs in no line`);
  assert.deepEqual(
    requests
      .filter(({ operation }) => !/^admin|openapi/i.test(operation))
      .map(({ status, error }) => [status, error]),
    [
      [200, undefined],
      [400, 'BAD_REQUEST'],
      [404, 'NOT_FOUND'],
      [401, 'UNAUTHORIZED'],
    ],
  );
  const ofPages = requests.filter(({ operation }) => String(operation).startsWith('admin'));
  assert.deepEqual(
    ofPages.map(({ status, error }) => [status, error]),
    [
      [404, 'NOT_FOUND'],
      [403, 'FORBIDDEN'],
    ],
  );
  const early = lines.find(({ msg }) => msg === 'rejected a request before routing');
  assert.equal(early.error, 'BAD_REQUEST');
  for (const name of Object.keys(early)) assert.ok(documented.has(name), `${name} is not documented`);
});

test('a revoked key that is still used is logged once with its prefix, whatever the number of requests', async () => {
  const lines = await collectLines({}, async (server) => {
    for (let count = 0; count < 5; count += 1) await server.get('/me', { key: fixture.revoked });
    await server.get('/submissions', { key: fixture.revoked });
    await server.get('/me', { key: fixture.alice });
  });
  const notices = lines.filter(({ msg }) => msg === 'a revoked or expired key is still used');
  assert.equal(notices.length, 1);
  const [{ level, organization, keyPrefix, requests, inactiveSince }] = notices;
  assert.deepEqual(
    [level, organization, keyPrefix, requests],
    [40, fixture.a, fixture.revoked.slice(0, 16), 6],
  );
  assert.match(inactiveSince, /^\d{4}-\d\d-\d\dT/);
  assert.ok(!JSON.stringify(lines).includes(fixture.revoked));
  const documented = listDocumentedFields('Revoked keys that are still used');
  for (const name of Object.keys(notices[0]))
    assert.ok(documented.has(name) || ['level', 'time', 'organization', 'msg'].includes(name), name);
});

test('warnings of Node.js and of the configuration are lines of the log', async (t) => {
  const preload = join(createTemporaryFolder(t), 'warn.mjs');
  writeFileSync(
    preload,
    "process.on('SIGWINCH', () => process.emitWarning('old', 'DeprecationWarning', 'DEP9999'));",
  );
  const environment = {
    ROSTRA_PUBLIC_ULR: 'x',
    ROSTRA_SECURITY_CONTACTS: 'security@stadt.example',
    ROSTRA_SECURITY_EXPIRES: '2020-01-01',
    NODE_OPTIONS: `--import ${preload}`,
  };
  const lines = await collectLines(environment, (server) => {
    process.kill(server.pid, 'SIGWINCH');
    return server.waitForLine(/DEP9999/);
  });
  const warning = lines.find(({ code }) => code === 'DEP9999');
  assert.deepEqual([warning.level, warning.msg], [40, 'DeprecationWarning: old']);
  assert.match(warning.err.stack, /DeprecationWarning: old/);
  const unknown = lines.find(
    ({ msg }) => msg === 'ROSTRA_PUBLIC_ULR is not a setting of Rostra and has no effect.',
  );
  assert.equal(unknown.level, 40);
  const expired = lines.find(({ msg }) => /^ROSTRA_SECURITY_EXPIRES has passed/.test(msg));
  assert.equal(expired.level, 40);
});

test('an error that prevents the start is one line with its remedy, at every level, in each process', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const serve = ['serve', '--database', fixture.database, '--port', String(port)];
  try {
    for (const options of [
      ['--workers', '2'],
      ['--log-level', 'silent'],
    ]) {
      const { code, stderr } = await runCliProcess([...serve, ...options]);
      assert.equal(code, 1, stderr);
      const { level, time, processId, msg, ...others } = JSON.parse(stderr);
      assert.deepEqual([level, others], [60, {}]);
      assert.equal(typeof processId, options.includes('--workers') ? 'number' : 'undefined');
      assert.match(time, /^\d{4}-\d\d-\d\dT/);
      assert.match(msg, /^Port \d+ of 127\.0\.0\.1 is in use\. Stop the program .+ with --port\.$/);
    }
    const asText = await runCliProcess([...serve, '--log-format', 'text']);
    assert.match(asText.stderr, /^Port \d+ of 127\.0\.0\.1 is in use\. Stop .+ with --port\.\n$/);
  } finally {
    taken.close();
  }
});

test('all invalid settings are one line, after one for each setting without effect', async () => {
  const environment = { ROSTRA_PUBLIC_ULR: 'x', ROSTRA_RATE_LIMIT: 'x', ROSTRA_LOG_FORMAT: 'xml' };
  const { code, stderr } = await runCliProcess(['serve'], { environment });
  assert.equal(code, 2, stderr);
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ level }) => level),
    [40, 60],
  );
  assert.match(lines[1].msg, /^ROSTRA_RATE_LIMIT must be .+\nROSTRA_LOG_FORMAT must be /);
});

test('an error that no code handles is a line with its stack, and ends the process with 1', async (t) => {
  const preload = join(createTemporaryFolder(t), 'fail.mjs');
  writeFileSync(preload, "process.on('SIGWINCH', () => { throw new RangeError('defect'); });");
  const server = await fixture.startServerProcess({ NODE_OPTIONS: `--import ${preload}` });
  t.after(() => server.stop());
  process.kill(server.pid, 'SIGWINCH');
  assert.equal(await server.waitForExit(), 1);
  const { level, err, msg } = JSON.parse(server.lines.at(-1) ?? '');
  assert.deepEqual([level, err.type, msg], [60, 'RangeError', 'uncaught error, exiting']);
  assert.match(err.stack, /^RangeError: defect\n +at /);
});
