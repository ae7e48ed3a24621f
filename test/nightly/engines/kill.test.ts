/** Commands killed with SIGKILL at random moments: acknowledged changes are durable. */
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
  startCli,
} from '../../support/cli-workspace.ts';
import { createTemporaryFolder, toNdjson } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import { createSeededRandom, createSubmission } from '../../support/records.ts';
import { startServerProcess } from '../../support/server-process.ts';

const rounds = 8;
const random = createSeededRandom(15);

/** Runs a command and kills it after a random time up to `maxAgeMs`. */
async function runBriefly(args: string[], maxAgeMs: number) {
  const running = startCli(args);
  const timer = setTimeout(() => running.child.kill('SIGKILL'), random() * maxAgeMs);
  const result = await running.result;
  clearTimeout(timer);
  return result;
}

/** Measures the command's duration plus a margin, so that kills occur before, during and after its work. */
async function measureDurationMs(args: string[]): Promise<number> {
  const from = performance.now();
  const { code, stderr } = await runCliProcess(args);
  assert.equal(code, 0, stderr);
  return (performance.now() - from) * 1.2;
}

suite('kill -9', { concurrency: 2 }, () => {
  test('during key issue: every printed key works', async (t) => {
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

  test('during key revoke: a key whose revocation was acknowledged is rejected', async (t) => {
    const fixture = await createFixture(t);
    const server = await fixture.startServer();
    const revoke = (id: string) => ['key', 'revoke', id, '--database', fixture.database];
    const maxAgeMs = await measureDurationMs(revoke((await fixture.issueKey(fixture.a)).id));
    for (let round = 0; round < rounds; round += 1) {
      const { id, secret: key } = await fixture.issueKey(fixture.a);
      const { code, stderr } = await runBriefly(revoke(id), maxAgeMs);
      const acknowledged = code === 0 || /Revoked the key/.test(stderr);
      // PostgreSQL may still commit a killed client's transaction, so the test reads the state first.
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

  test('during an import: complete batches are stored, and a second run adds the missing rows', async (t) => {
    const { store, sql, database, assertIntact } = await createFixture(t);
    const addOrganization = async () => (await store.addOrganization(randomUUID(), randomUUID())).id;
    const complete = await addOrganization();
    const records = Array.from({ length: 3_000 }, (_, n) => ({ kind: 'submission', ...createSubmission(n) }));
    const file = join(createTemporaryFolder(t), 'many.ndjson');
    writeFileSync(file, toNdjson(records));
    const composeImport = (id: string) => [
      'import',
      'rostra',
      file,
      '--organization',
      id,
      '--json',
      '--database',
      database,
    ];
    const maxAgeMs = await measureDurationMs(composeImport(complete));
    const readRows = (id: string) =>
      sql('SELECT document FROM submission WHERE organization_id = $1 ORDER BY id', [id]);
    const expected = await readRows(complete);
    assert.equal(expected.length, records.length);
    for (let round = 0; round < rounds / 2; round += 1) {
      const id = await addOrganization();
      const { code } = await runBriefly(composeImport(id), maxAgeMs);
      await assertIntact();
      const storedCount = (await readRows(id)).length;
      assert.equal(storedCount % 1_000, 0);
      if (code === 0) assert.equal(storedCount, records.length);
      const again = await runCli(composeImport(id));
      assert.equal(again.code, 0);
      const { inserted, unchanged } = JSON.parse(again.stdout);
      assert.deepEqual([inserted, unchanged], [records.length - storedCount, storedCount]);
      assert.deepEqual(await readRows(id), expected);
    }
  });
});
