/** The package as npm publishes it: its content, its size, the examples of its README, and a page in a browser. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { FoundSubmission } from '../../../packages/client/src/index.ts';
import { launchBrowser, openBrowserContext } from '../../support/browser.ts';
import { checkout } from '../../support/checkout.ts';
import { type CommandResult, startCli } from '../../support/cli-workspace.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  missingId,
  submissions,
} from '../../support/records.ts';
import { nodeBinary } from '../../support/server-process.ts';

const bin = (name: string) => join(checkout, 'node_modules/.bin', name);
/** A project that has installed the package. */
const project = createTemporaryFolder({ after });
const installed = join(project, 'node_modules/rostra-client');

/** Packs the package without writing into the checkout. */
function installPackage(): void {
  const source = join(project, 'source');
  mkdirSync(source);
  for (const file of ['package.json', 'README.md'])
    cpSync(join(checkout, 'packages/client', file), join(source, file));
  cpSync(join(checkout, 'LICENSE'), join(source, 'LICENSE'));
  const config = join(checkout, 'packages/client/tsconfig.json');
  execFileSync(bin('tsc'), ['-p', config, '--outDir', join(source, 'dist')]);
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', project], {
    cwd: source,
    stdio: 'pipe',
  });
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz')) as string;
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(project, tarball), '-C', installed, '--strip-components=1']);
}

installPackage();
writeFileSync(join(project, 'package.json'), '{"type": "module"}');

const fixture = await createFixture({ after });
const { alice, a } = fixture;

/** The origin of the page in the browser. */
const pages = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://page').pathname;
  response.setHeader('content-type', path === '/' ? 'text/html' : 'text/javascript');
  response.end(path === '/' ? '<!doctype html>' : readFileSync(join(installed, 'dist', path)));
}).listen(0, '127.0.0.1');
after(() => pages.close());
await once(pages, 'listening');
const pageOrigin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
const { address } = await fixture.startServer({ ROSTRA_CORS_ORIGINS: pageOrigin });

test('the package contains only the compiled client, and imports nothing else', () => {
  const modules = ['contract-types', 'create-client', 'index', 'rostra-error', 'send-request'];
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\./.test(name),
  );
  const compiled = modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]);
  assert.deepEqual(files.sort(), ['README.md', ...compiled, 'package.json'].sort());
  assert.ok(readdirSync(installed).includes('LICENSE'));
  const { dependencies, type } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.deepEqual([dependencies, type], [undefined, 'module']);
  for (const file of compiled)
    for (const [, imported] of readFileSync(join(installed, file), 'utf8').matchAll(/from '([^']+)'/g))
      assert.match(imported as string, /^\.\/[a-z-]+\.(js|ts)$/);
});

test('the client is smaller than 2.5 kB, minified and compressed', () => {
  const entry = join(installed, 'dist/index.js');
  const minified = execFileSync(bin('esbuild'), [entry, '--bundle', '--minify', '--format=esm']);
  const bytes = gzipSync(minified, { level: 9 }).length;
  // The README says less than 2.5 kB.
  assert.ok(bytes > 500 && bytes < 2_500, `${bytes} bytes`);
});

const readme = readFileSync(join(installed, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/^## (.+)\n[\s\S]*?^```ts\n([\s\S]*?)^```$/gm)].map(
  ([, title = '', code = '']) => ({ title, code, file: `${title.replaceAll(/\W+/g, '-')}.ts` }),
);
for (const { file, code } of examples) writeFileSync(join(project, file), code);

test('the examples of the README compile under strict settings', () => {
  const options = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compilerOptions = {
    ...options,
    target: 'es2022',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(checkout, 'node_modules/@types')],
    noEmit: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  assert.equal(execFileSync(bin('tsc'), ['-p', project], { encoding: 'utf8' }), '');
  assert.equal(examples.length, 8);
});

async function runExample(wanted: string): Promise<CommandResult> {
  const { file } = examples.find(({ title }) => title === wanted) ?? assert.fail(wanted);
  const environment = { BASE: address, KEY: alice };
  return startCli([file], { folder: project, environment }, nodeBinary).result;
}

test('the example that lists submissions prints those in review', async () => {
  const { code, stdout, stderr } = await runExample('List submissions');
  assert.equal(code, 0, stderr);
  const inReview = submissions.filter(({ status }) => status === 'in_review');
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.slice(0, 24))
      .sort(),
    inReview.map(({ createdAt }) => createdAt).sort(),
  );
});

test('the example of sessions prints the next one with its agenda', async () => {
  const session = createSession(20, {
    date: '2070-01-31',
    timeSlot: '17:00',
    submissions: [formatSubmissionId(10)],
  });
  await fixture.putRecords(a, [{ kind: 'session', ...session }]);
  const { stdout } = await runExample('Show the next sessions with their agendas');
  assert.equal(stdout, 'Next sessions of Musterstadt:\n2070-01-31 17:00 Committee 20\n  Ä-7 Submission 10\n');
  await fixture.putRecords(a, [{ kind: 'retraction', of: 'session', id: formatSessionId(20) }]);
});

test('the example of a copy fetches everything first, then only changes', async () => {
  const readCopy = () => JSON.parse(readFileSync(join(project, 'copy.json'), 'utf8'));
  assert.equal((await runExample('Keep a copy up to date')).stdout, '10 submissions\n');
  const { cursor } = readCopy();
  await fixture.putRecords(a, [
    { kind: 'submission', ...createSubmission(30) },
    { kind: 'submission', ...createSubmission(31) },
    { kind: 'retraction', of: 'submission', id: formatSubmissionId(30) },
  ]);
  assert.equal((await runExample('Keep a copy up to date')).stdout, '11 submissions\n');
  assert.notEqual(readCopy().cursor, cursor);
  const [{ title, createdOn, description } = assert.fail()] = Object.values<FoundSubmission>(
    readCopy().submissions,
  );
  assert.deepEqual([title, typeof createdOn, typeof description], [null, 'string', 'string']);
  await fixture.putRecords(a, [{ kind: 'retraction', of: 'submission', id: formatSubmissionId(31) }]);
});

test('the example of a search prints what was found, and the values of filters', async () => {
  const submission = createSubmission(32, {
    description: 'Radweg an der Kita',
    status: 'accepted',
    createdAt: '2026-05-01T10:00:00.000Z',
  });
  await fixture.putRecords(a, [{ kind: 'submission', ...submission }]);
  const { stdout } = await runExample('Search submissions and sessions by words, values and days');
  assert.match(stdout, /^2026-05-01 Radweg an der Kita\nstatus /);
  const counted = (await runExample('Count submissions by month')).stdout;
  assert.match(counted, /^2026-05 1$/m);
  await fixture.putRecords(a, [{ kind: 'retraction', of: 'submission', id: submission.id }]);
});

test('the example that resumes a walk continues after the page whose cursor is stored', async () => {
  const whole = (await runExample('Resume a walk')).stdout.trimEnd().split('\n');
  const response = await fetch(`${address}/api/v1/sessions?limit=2`, {
    headers: { authorization: `Bearer ${alice}` },
  });
  const { pagination } = (await response.json()) as { pagination: { next_cursor: string } };
  writeFileSync(join(project, 'walk.cursor'), pagination.next_cursor);
  assert.deepEqual((await runExample('Resume a walk')).stdout.trimEnd().split('\n'), whole.slice(2));
  assert.ok(!existsSync(join(project, 'walk.cursor')));
});

test('the example of surveys prints their results', async () => {
  const { stdout } = await runExample('Print the results of a survey');
  assert.match(
    stdout,
    /^Radfahren in der „Altstadt“ 🚲 \(512 responses\)\n {2}How often\?\n {7}118 Antwort 1\n/m,
  );
});

test('the example of errors logs the request and prints the reason', async () => {
  const { stdout, stderr } = await runExample('Handle errors, log requests, stop');
  assert.equal(stdout, 'This submission is no longer published.\n');
  assert.match(stderr, new RegExp(`^404 http://[\\d.:]+/api/v1/submissions/${missingId} \\d+ ms\\n$`));
});

test('a page of an allowed origin reads the API in a browser', async (t) => {
  const browser = await launchBrowser(t);
  const page = await (await openBrowserContext(browser)).newPage();
  await page.goto(pageOrigin);
  const result = await page.evaluate(
    async ([baseUrl, apiKey, id]) => {
      const { createClient, RostraError } = await import(String('/index.js'));
      const client = createClient({ baseUrl, apiKey });
      const statuses: string[] = [];
      for await (const { status } of client.submissions()) statuses.push(status);
      const error = await client.submission(id).catch((reason: unknown) => reason);
      const aborted = await client
        .me({ signal: AbortSignal.abort('closed') })
        .catch((reason: unknown) => reason);
      const { code, status, requestId } = error;
      return {
        count: statuses.length,
        isRostraError: error instanceof RostraError,
        code,
        status,
        requestId,
        aborted,
      };
    },
    [address, alice, missingId] as const,
  );
  const { requestId, ...others } = result;
  assert.deepEqual(others, {
    count: submissions.length,
    isRostraError: true,
    code: 'NOT_FOUND',
    status: 404,
    aborted: 'closed',
  });
  assert.match(requestId, /^[0-9a-f-]{36}$/);
});

test('the compiled client can be imported without Node.js', () => {
  const script = join(project, 'bundle.js');
  execFileSync(bin('esbuild'), [
    join(installed, 'dist/index.js'),
    '--bundle',
    '--platform=neutral',
    `--outfile=${script}`,
  ]);
  assert.doesNotMatch(readFileSync(script, 'utf8'), /\brequire\(|\bprocess\b|\bBuffer\b|node:/);
});
