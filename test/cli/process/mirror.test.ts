/** Mirrors that are interrupted, killed or repeated. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { startApiProxy } from '../../support/api-proxy.ts';
import { readPublishedObjects } from '../../support/change-mirror.ts';
import { assertSucceeds, runCliProcess, startCli } from '../../support/cli-workspace.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { type MirrorFormat, readMirror } from '../../support/mirror-files.ts';
import { isNightly } from '../../support/nightly.ts';
import {
  createSeededRandom,
  createSession,
  createSubmission,
  formatSubmissionId,
  surveys,
} from '../../support/records.ts';
import { waitUntil } from '../../support/wait-until.ts';

const fixture = await createFixtureWithServer({ after });
const { server, alice, a, putRecords } = fixture;
const folder = createTemporaryFolder({ after });
const keyFile = join(folder, 'key');
writeFileSync(keyFile, alice, { mode: 0o600 });

let hold: Promise<undefined> | undefined;
/** Small pages, so that a walk has several. */
const front = await startApiProxy(
  { after },
  server.address,
  () => hold,
  (path) => path.replace('limit=1000', 'limit=5'),
);

const compose = (to: string, ...others: string[]) => [
  ...['mirror', '--url', front.address, '--key-file', keyFile, '--to', join(folder, to)],
  ...others,
];

const sort = (objects: Map<string, unknown>) =>
  [...objects].toSorted(([one], [other]) => (one < other ? -1 : 1));

const readPublished = async () =>
  sort(
    await readPublishedObjects(
      server,
      alice,
      surveys.map(({ surveyId }) => surveyId),
      true,
    ),
  );
test('an interrupted run leaves no mirror, and the next run continues at its cursor', async () => {
  const held = Promise.withResolvers<undefined>();
  const countPages = () => front.requests.filter(({ path }) => path.includes('/changes')).length;
  const running = startCli(compose('interrupted.db'));
  await waitUntil('two pages', () => countPages() >= 2, 1);
  hold = held.promise;
  running.child.kill('SIGTERM');
  const { code, stderr } = await running.result;
  hold = undefined;
  held.resolve(undefined);
  assert.equal(code, 130);
  assert.match(stderr, /Interrupted\. Run the same command again to continue\./);
  const before = front.requests.length;
  await assertSucceeds(compose('interrupted.db'));
  const [, first] = front.requests.slice(before);
  assert.match(first?.path ?? '', /\/changes\?limit=1000&cursor=/);
  assert.deepEqual(sort(readMirror(join(folder, 'interrupted.db'), 'sqlite')), await readPublished());
});

const killer = new URL('../../support/kill-at-step.ts', import.meta.url);
const preload = { NODE_OPTIONS: `--import ${killer}` };
const shortener = new URL('../../support/shorten-intervals.ts', import.meta.url);
const kills = isNightly ? 300 : 2;

/** The same number of changes for every run. */
const changeData = (run: number) =>
  putRecords(a, [
    ...[1, 2, 3, 4].map((n) => ({
      kind: 'submission' as const,
      ...createSubmission(n, { description: `Run ${run}` }),
    })),
    { kind: 'submission', ...createSubmission(100 + run) },
    { kind: 'retraction', of: 'submission', id: formatSubmissionId(99 + run) },
    { kind: 'session', ...createSession(1, { submissions: [100 + run, 1, 2].map(formatSubmissionId) }) },
  ]);

async function runKilled(args: string[], step: number): Promise<void> {
  const environment = { ...preload, KILL_AT_STEP: String(step) };
  const { signal, stderr } = await runCliProcess(args, { environment });
  assert.equal(signal, 'SIGKILL', `step ${step}: ${stderr}`);
}
test('a killed run leaves the old or the new state, and the next run completes it', async () => {
  const random = createSeededRandom(16);
  const targets: [to: string, format: MirrorFormat][] = [
    ['killed.db', 'sqlite'],
    ['killed-tables', 'csv'],
  ];
  let run = 0;
  for (const [to, format] of targets) {
    const args = compose(to, '--format', format);
    const read = () => sort(readMirror(join(folder, to), format));
    await changeData(run++);
    await runKilled(args, 10);
    await assertSucceeds(args);
    await changeData(run++);
    const { stderr } = await runCliProcess(args, { environment: preload });
    const steps = Number(/(\d+) steps/.exec(stderr)?.[1]);
    assert.ok(steps > 20, stderr);
    let published = await readPublished();
    assert.deepEqual(read(), published);
    for (let killed = 0; killed < kills / targets.length; killed += 1) {
      const previous = published;
      await changeData(run++);
      published = await readPublished();
      const step = 1 + Math.floor(random() * steps);
      await runKilled(args, step);
      const left = read();
      const expected = isDeepStrictEqual(left, previous) ? previous : published;
      assert.deepEqual(left, expected, `step ${step} of ${steps}`);
      await assertSucceeds(args);
      assert.deepEqual(read(), published);
    }
  }
});
test('a first run that is killed after its commit leaves no half of the staging file', async () => {
  const { stderr } = await runCliProcess(compose('counted.db'), { environment: preload });
  const steps = Number(/(\d+) steps/.exec(stderr)?.[1]);
  // The last steps close both files, after the steps that empty the staging file.
  for (let step = steps - 4; step <= steps - 2; step += 1) {
    const to = `emptied-${step}.db`;
    await runKilled(compose(to), step);
    await assertSucceeds(compose(to));
    assert.deepEqual(sort(readMirror(join(folder, to), 'sqlite')), await readPublished(), `step ${step}`);
  }
});

test('a periodic mirror prints a line for each run, and ends with 0 on SIGTERM', async () => {
  const running = startCli(compose('periodic.db', '--every', '1m'));
  await running.waitForOutput(
    /^\d{4}-\S+Z done: \d+ new or changed, \d+ deleted, \d+ requests; \d+ submissions/m,
  );
  running.child.kill('SIGTERM');
  assert.equal((await running.result).code, 0);
  assert.ok(existsSync(join(folder, 'periodic.db')));
});

test('a periodic mirror continues after a failed run', async () => {
  const args = compose('failing.db', '--every', '1m', '--json');
  const wrongKey = join(folder, 'wrong-key');
  writeFileSync(wrongKey, 'sk_rostra_wrong');
  args[args.indexOf(keyFile)] = wrongKey;
  const running = startCli(args);
  const [line] = await running.waitForOutput(/^\{.*\}$/m);
  assert.match(JSON.parse(line).error, /rejects the API key/);
  running.child.kill('SIGINT');
  assert.equal((await running.result).code, 0);
});

test('a periodic mirror continues while its key file is empty or missing', async () => {
  const rotatedKey = join(folder, 'rotated-key');
  writeFileSync(rotatedKey, alice);
  const args = compose('rotated.db', '--every', '1m');
  const running = startCli(args.with(args.indexOf(keyFile), rotatedKey), {
    environment: { NODE_OPTIONS: `--import ${shortener}` },
  });
  await running.waitForOutput(/ done: /);
  writeFileSync(rotatedKey, '');
  await running.waitForOutput(/ failed: .*must contain an API key/);
  rmSync(rotatedKey);
  await running.waitForOutput(/ failed: The key file \S+ cannot be read/);
  writeFileSync(rotatedKey, alice);
  await running.waitForOutput(/ failed: The key file \S+ cannot be read[\s\S]* done: /);
  running.child.kill('SIGTERM');
  assert.equal((await running.result).code, 0);
});
