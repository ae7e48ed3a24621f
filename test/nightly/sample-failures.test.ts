/** The samples of examples/api fail loudly, wait when the server asks for it, and never show the key. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse as parseCsv } from 'csv-parse/sync';
import { type Fault, startApiProxy } from '../support/api-proxy.ts';
import { createTemporaryFolder, type Scope } from '../support/files.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { findFreePort } from '../support/free-port.ts';
import { createSubmission } from '../support/records.ts';
import { createSamplePrograms, type SampleProgram } from '../support/sample-programs.ts';

const { server, alice, revoked, a, putRecords } = await createFixtureWithServer({ after });
const url = server.address;
const programs = createSamplePrograms({ after });

await putRecords(
  a,
  Array.from({ length: 100 }, (_, n) => ({ kind: 'submission', ...createSubmission(1_000 + n) })),
);
/** Submissions of `recordsOfA` and the others: two pages. */
const count = 110;

/** Lists submissions. R writes them to a file, the others to standard output. */
async function listSubmissions(
  scope: Scope,
  program: SampleProgram,
  connection: { url: string; key: string; executables?: string },
) {
  const { run, language } = program;
  if (language !== 'r') {
    const result = await run('list-submissions', [], connection);
    return { ...result, items: result.stdout.split('\n').length - 1 };
  }
  const file = join(createTemporaryFolder(scope), 'submissions.csv');
  const result = await run('list-submissions', [file], connection);
  return { ...result, items: existsSync(file) ? parseCsv(readFileSync(file), { columns: true }).length : 0 };
}

const waitOneSecond = { 'retry-after': '1' };

for (const program of programs) {
  const { name, skip } = program;

  test(`${name}: a revoked key ends the sample with the message of the API`, { skip }, async (t) => {
    const { code, stderr, items } = await listSubmissions(t, program, { url, key: revoked });
    assert.match(stderr, /A valid API key is required/);
    assert.doesNotMatch(stderr, new RegExp(revoked));
    assert.ok(code !== 0 && items === 0);
  });

  test(`${name}: 429 and 503 are repeated after Retry-After, and nothing is lost`, { skip }, async (t) => {
    const faults = [
      undefined,
      { status: 429, headers: waitOneSecond },
      { status: 503, headers: waitOneSecond },
    ];
    const proxy = await startApiProxy(t, url, (_path, index) => faults[index]);
    const { code, items } = await listSubmissions(t, program, { url: proxy.address, key: alice });
    assert.deepEqual([code, items], [0, count]);
    const [, first, second, third] = proxy.requests;
    assert.ok(first && second && third && proxy.requests.length === 4);
    assert.deepEqual([second.path, third.path], [first.path, first.path]);
    for (const waitMs of [second.atMs - first.atMs, third.atMs - second.atMs])
      assert.ok(waitMs > 990, `${waitMs} ms`);
  });
}

/** Programs whose requests are code of the samples. rostra-client has its own tests, and httr2 too. */
const representatives = programs.filter(({ name }) => ['dash', 'python3'].includes(name));

const faults: Record<string, Fault> = {
  'an internal error': { status: 500, headers: waitOneSecond },
  'a page that ends early': { status: 200, body: '{"data": [', cut: true },
  'an empty page': { status: 200, body: '' },
  'a page of another server': {
    status: 200,
    body: '<!doctype html>',
    headers: { 'content-type': 'text/html' },
  },
  'a redirect': { status: 302, headers: { location: '/elsewhere' }, body: '' },
};

for (const program of representatives) {
  const { name, skip } = program;

  test(`${name}: a server that is down ends the sample with a message`, { skip }, async (t) => {
    const connection = { url: `http://127.0.0.1:${await findFreePort()}`, key: alice };
    const { code, stderr, items } = await listSubmissions(t, program, connection);
    assert.match(stderr, /connect|refused/i);
    assert.ok(code !== 0 && items === 0);
  });

  for (const [description, fault] of Object.entries(faults))
    test(`${name}: ${description} in the middle of a list ends the sample with a message`, {
      skip,
    }, async (t) => {
      const proxy = await startApiProxy(t, url, (_path, index) =>
        index > 0 && index < 10 ? fault : undefined,
      );
      const { code, stderr } = await listSubmissions(t, program, { url: proxy.address, key: alice });
      assert.notEqual(code, 0);
      assert.notEqual(stderr, '');
      assert.ok(
        proxy.requests.every(({ path, hasKey }) => hasKey === path.startsWith('/api/v1/submissions?')),
      );
    });
}

for (const program of programs.filter(({ language }) => language === 'sh')) {
  const title = `${program.name}: the key is in the arguments of no process`;
  test(title, { skip: program.skip }, async (t) => {
    const executables = createTemporaryFolder(t);
    const log = join(executables, 'arguments.log');
    for (const command of ['cat', 'curl', 'jq', 'mktemp', 'printf']) {
      const file = join(executables, command);
      const script = `#!/bin/sh\necho "$0 $*" >> '${log}'\nPATH=\${PATH#*:} exec ${command} "$@"\n`;
      writeFileSync(file, script);
      chmodSync(file, 0o755);
    }
    const { code, items } = await listSubmissions(t, program, { url, key: alice, executables });
    assert.deepEqual([code, items], [0, count]);
    const logged = readFileSync(log, 'utf8');
    assert.match(logged, /curl .*submissions\?limit=100&cursor=/);
    assert.ok(!logged.includes(alice));
  });
}
