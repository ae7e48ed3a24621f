/** The Python package: it can be built, its types are complete, and the examples of its README run. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkout } from '../../support/checkout.ts';
import { type CommandResult, startCli } from '../../support/cli-workspace.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  missingId,
  submissions,
} from '../../support/records.ts';
import { skipWithout } from '../../support/system-programs.ts';

const source = join(checkout, 'packages/python');
/** The project of an integrator. */
const project = createTemporaryFolder({ after });
const fixture = await createFixtureWithServer({ after });
const { alice, a } = fixture;

const readme = readFileSync(join(source, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/^## (.+)\n[\s\S]*?^```python\n([\s\S]*?)^```$/gm)].map(
  ([, title = '', code = '']) => ({ title, code, file: `${title.replaceAll(/\W+/g, '_')}.py` }),
);
for (const { file, code } of examples) writeFileSync(join(project, file), code);

async function runExample(title: string): Promise<CommandResult> {
  const example = examples.find((each) => each.title === title);
  const environment = {
    BASE: fixture.server.address,
    KEY: alice,
    PYTHONPATH: join(source, 'src'),
    PYTHONUTF8: '1',
  };
  const result = await startCli(
    ['-B', '-W', 'error', String(example?.file)],
    { folder: project, environment },
    'python3',
  ).result;
  assert.equal(result.code, 0, result.stderr);
  return result;
}

/** @returns digests of the packages by name */
function buildPackages(folder: string): Record<string, string> {
  execFileSync('pyproject-build', ['--no-isolation', '--outdir', join(folder, 'packages'), '.'], {
    cwd: join(folder, 'source'),
    env: { ...process.env, SOURCE_DATE_EPOCH: '1700000000' },
    stdio: 'pipe',
  });
  const names = readdirSync(join(folder, 'packages'));
  const digest = (name: string) => hash('sha256', readFileSync(join(folder, 'packages', name)));
  return Object.fromEntries(names.map((name) => [name, digest(name)]));
}

test('the same files give the same Python packages, whatever their times and permissions', {
  skip: skipWithout('pyproject-build'),
}, (t) => {
  const [first, second] = [createTemporaryFolder(t), createTemporaryFolder(t)];
  for (const folder of [first, second])
    cpSync(source, join(folder, 'source'), { recursive: true, dereference: true });
  const changed = join(second, 'source/src/rostra_client/errors.py');
  chmodSync(changed, 0o600);
  utimesSync(changed, 1_600_000_000, 1_600_000_000);
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const packages = buildPackages(first);
  assert.deepEqual(buildPackages(second), packages);
  assert.deepEqual(Object.keys(packages).sort(), [
    `rostra_client-${version}-py3-none-any.whl`,
    `rostra_client-${version}.tar.gz`,
  ]);
  // Python imports from the archive.
  const wheel = join(first, 'packages', `rostra_client-${version}-py3-none-any.whl`);
  const print = 'import rostra_client; print(rostra_client.__version__)';
  const environment = { ...process.env, PYTHONPATH: wheel };
  assert.equal(
    execFileSync('python3', ['-c', print], { env: environment, encoding: 'utf8' }),
    `${version}\n`,
  );
  const files = execFileSync('python3', ['-m', 'zipfile', '--list', wheel], { encoding: 'utf8' });
  for (const name of ['rostra_client/py.typed', 'LICENSE']) assert.ok(files.includes(name), files);
});

test('the Python client and the examples of its README have valid types', {
  skip: skipWithout('mypy'),
}, () => {
  const check = (...args: string[]) =>
    spawnSync('mypy', ['--cache-dir', join(project, 'types'), ...args], {
      env: { ...process.env, MYPYPATH: join(source, 'src') },
      cwd: project,
      encoding: 'utf8',
    }).stdout;
  assert.match(check('--strict', join(source, 'src')), /^Success: no issues found in 6 source files/);
  assert.match(
    check('--strict', '--ignore-missing-imports', ...examples.map(({ file }) => file)),
    /^Success: no issues found in 9 source files/,
  );
});

const skip = skipWithout('python3');

test('the Python example that lists submissions prints those in review', { skip }, async () => {
  const { stdout } = await runExample('List submissions');
  const inReview = submissions.filter(({ status }) => status === 'in_review');
  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(0, 24))
      .sort(),
    inReview.map(({ createdAt }) => createdAt).sort(),
  );
});

const skipWithoutPandas = () =>
  skip || (spawnSync('python3', ['-c', 'import pandas']).status !== 0 && 'pandas is not installed');

test('the Python example of a table counts the submissions of each month in pandas', {
  skip: skipWithoutPandas(),
}, async () => {
  const { stdout } = await runExample('Load a table into pandas');
  const recent = submissions.filter(({ createdAt }) => createdAt >= '2025-12-31T23:00');
  const counts = [...stdout.matchAll(/ (\d+)$/gm)].map(([, count]) => Number(count));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    recent.length,
  );
});

test('the Python example of sessions prints the next one with its agenda', { skip }, async () => {
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

test('the Python example of a copy fetches everything first, then only changes, and anew after a restore', {
  skip,
}, async () => {
  const update = async () => (await runExample('Keep a copy up to date')).stdout;
  const readCopy = () => JSON.parse(readFileSync(join(project, 'copy.json'), 'utf8'));
  assert.equal(await update(), '10 submissions\n');
  const { cursor } = readCopy();
  await fixture.putRecords(a, [
    { kind: 'submission', ...createSubmission(30) },
    { kind: 'submission', ...createSubmission(31) },
    { kind: 'retraction', of: 'submission', id: formatSubmissionId(30) },
  ]);
  assert.equal(await update(), '11 submissions\n');
  assert.notEqual(readCopy().cursor, cursor);
  const [copied] = Object.values<Record<string, unknown>>(readCopy().submissions);
  assert.deepEqual(
    [copied?.title, typeof copied?.createdOn, typeof copied?.description],
    [null, 'string', 'string'],
  );
  await fixture.store.restartChangeHistory();
  await fixture.putRecords(a, [{ kind: 'retraction', of: 'submission', id: formatSubmissionId(31) }]);
  await fixture.store.restartChangeHistory();
  assert.equal(await update(), '10 submissions\n');
});

test('the Python examples of a search and of statistics print what was found and counted', {
  skip,
}, async () => {
  const submission = createSubmission(32, {
    description: 'Radweg an der Kita',
    status: 'accepted',
    createdAt: '2026-05-01T10:00:00.000Z',
  });
  await fixture.putRecords(a, [{ kind: 'submission', ...submission }]);
  const { stdout } = await runExample('Search submissions and sessions by words, values and days');
  assert.match(stdout, /^2026-05-01 Radweg an der Kita\nstatus /);
  assert.match((await runExample('Count submissions by month')).stdout, /^2026-05 1$/m);
  await fixture.putRecords(a, [{ kind: 'retraction', of: 'submission', id: submission.id }]);
});

test('the Python example that resumes a walk continues after the page whose cursor is stored', {
  skip,
}, async () => {
  const whole = (await runExample('Resume a walk')).stdout.trimEnd().split('\n');
  const { json } = await fixture.server.get('/sessions?limit=2', { key: alice });
  writeFileSync(join(project, 'walk.cursor'), json.pagination.next_cursor);
  assert.deepEqual((await runExample('Resume a walk')).stdout.trimEnd().split('\n'), whole.slice(2));
  assert.ok(!existsSync(join(project, 'walk.cursor')));
});

test('the Python example of surveys prints their results', { skip }, async () => {
  const { stdout } = await runExample('Print the results of a survey');
  assert.match(
    stdout,
    /^Radfahren in der „Altstadt“ 🚲 \(512 responses\)\n {2}How often\?\n {7}118 Antwort 1\n/m,
  );
});

test('the Python example of errors logs the request and prints the reason', { skip }, async () => {
  const { stdout, stderr } = await runExample('Handle errors and log requests');
  assert.equal(stdout, 'This submission is no longer published.\n');
  assert.match(
    stderr,
    new RegExp(
      `^DEBUG:rostra_client:GET http://[\\d.:]+/api/v1/submissions/${missingId}: HTTP 404 in \\d+ ms\\n$`,
    ),
  );
});
