/** The program ended in the middle by SIGKILL: what it acknowledged stays, whatever moment that was. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import {
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  runCli,
  runCliProcess,
  startCommand,
} from '../support/cli-workspace.ts';
import { createTemporaryFolder, toNdjson } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { createSeededRandom, createSubmission } from '../support/records.ts';
import { startServerProcess } from '../support/server-process.ts';

const rounds = 8;
const random = createSeededRandom(15);

/** Runs a command and ends it after a while from its start to a little past its usual end. */
async function runBriefly(args: string[], maxAgeMs: number) {
  const running = startCommand(args);
  const timer = setTimeout(() => running.child.kill('SIGKILL'), random() * maxAgeMs);
  const result = await running.result;
  clearTimeout(timer);
  return result;
}

/** How long the command takes here and now, with a margin, so that kills fall before, into and after its work. */
async function measureDurationMs(args: string[]): Promise<number> {
  const from = performance.now();
  const { code, stderr } = await runCliProcess(args);
  assert.equal(code, 0, stderr);
  return (performance.now() - from) * 1.2;
}

suite('kill -9', { concurrency: 2 }, () => {
  test('in the middle of key issue: every secret that was printed is a key that works', async (t) => {
    const workspace = await createCliWorkspace(t);
    const { id } = await createMunicipality(workspace);
    const issue = workspace.withDatabase('key', 'issue', '--organization', id, '--name', 'Kill');
    const maxAgeMs = await measureDurationMs(issue);
    const secrets: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { stdout } = await runBriefly(issue, maxAgeMs);
      if (stdout !== '') secrets.push(stdout.trimEnd());
      await workspace.assertIntact();
    }
    const server = await startServerProcess(t, workspace.database);
    for (const key of secrets) assert.equal((await server.get('/me', { key })).status, 200);
  });

  test('in the middle of key revoke: no key lives whose revocation was acknowledged', async (t) => {
    const fixture = await createFixture(t);
    const server = await fixture.startServer();
    const revoke = (id: string) => ['key', 'revoke', id, '--database', fixture.database];
    const maxAgeMs = await measureDurationMs(revoke((await fixture.issueKey(fixture.a)).id));
    for (let round = 0; round < rounds; round += 1) {
      const { id, secret: key } = await fixture.issueKey(fixture.a);
      const { code, stderr } = await runBriefly(revoke(id), maxAgeMs);
      const acknowledged = code === 0 || /Revoked the key/.test(stderr);
      // A database server may still commit what a client sent before it was killed, so the state is read first.
      const [record] = await fixture.store.findKeys(id);
      const { status } = await server.get('/me', { key });
      if (acknowledged) assert.equal(record?.state, 'revoked');
      if (record?.state === 'revoked') assert.equal(status, 401);
      await fixture.assertIntact();
      if (status === 401) continue;
      await assertSucceeds(revoke(id));
      assert.equal((await server.get('/me', { key })).status, 401);
    }
  });

  test('in the middle of an import: whole batches are kept, and running it again ends with the same rows', async (t) => {
    const { store, sql, database, assertIntact } = await createFixture(t);
    const newId = async () => (await store.addOrganization(randomUUID(), randomUUID())).id;
    const whole = await newId();
    const records = Array.from({ length: 3_000 }, (_, n) => ({ kind: 'submission', ...createSubmission(n) }));
    const file = join(createTemporaryFolder(t), 'many.ndjson');
    writeFileSync(file, toNdjson(records));
    const into = (id: string) => [
      'import',
      'rostra',
      file,
      '--organization',
      id,
      '--json',
      '--database',
      database,
    ];
    const maxAgeMs = await measureDurationMs(into(whole));
    const rows = (id: string) =>
      sql('SELECT document FROM submission WHERE organization_id = $1 ORDER BY id', [id]);
    const expected = await rows(whole);
    assert.equal(expected.length, records.length);
    for (let round = 0; round < rounds / 2; round += 1) {
      const id = await newId();
      const { code } = await runBriefly(into(id), maxAgeMs);
      await assertIntact();
      const kept = (await rows(id)).length;
      assert.equal(kept % 1_000, 0);
      if (code === 0) assert.equal(kept, records.length);
      const again = await runCli(into(id));
      assert.equal(again.code, 0);
      const { inserted, unchanged } = JSON.parse(again.stdout);
      assert.deepEqual([inserted, unchanged], [records.length - kept, kept]);
      assert.deepEqual(await rows(id), expected);
    }
  });
});
