/** The log of a server, against the reference in docs/logging.md. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';

const fixture = await createFixture({ after });
const page = readFileSync(new URL('../../../docs/logging.md', import.meta.url), 'utf8');

/** Names in the first column of the table after a heading. */
function listDocumentedFields(heading: string): Set<string> {
  const section = page.slice(page.indexOf(`## ${heading}\n`)).split('\n## ', 1)[0] as string;
  return new Set([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name as string));
}

async function collectLines(
  environment: Record<string, string>,
  work: (server: Awaited<ReturnType<typeof fixture.startServerProcess>>) => Promise<unknown>,
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

test('warnings of Node.js and of the configuration are lines of the log', async () => {
  const preload = join(createTemporaryFolder({ after }), 'warn.mjs');
  writeFileSync(
    preload,
    "setTimeout(() => process.emitWarning('old', 'DeprecationWarning', 'DEP9999'), 2_000).unref();",
  );
  const environment = { ROSTRA_PUBLIC_ULR: 'x', NODE_OPTIONS: `--import ${preload}` };
  const lines = await collectLines(environment, (server) => server.waitForLine(/DEP9999/));
  const warning = lines.find(({ code }) => code === 'DEP9999');
  assert.deepEqual([warning.level, warning.msg], [40, 'DeprecationWarning: old']);
  assert.match(warning.err.stack, /DeprecationWarning: old/);
  const unknown = lines.find(
    ({ msg }) => msg === 'ROSTRA_PUBLIC_ULR is not a setting of Rostra and has no effect.',
  );
  assert.equal(unknown.level, 40);
});
