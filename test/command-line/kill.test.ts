/** The program ended in the middle by SIGKILL: what it acknowledged stays, whatever moment that was. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hashKey } from '../../src/access/key.ts';
import { type Desk, newDesk, newMunicipality, run, start, succeed } from '../support/command-line.ts';
import { ndjson } from '../support/files.ts';
import { seededRandom, submission } from '../support/records.ts';
import { startServer } from '../support/server.ts';

const rounds = 15;
const random = seededRandom(15);

const integrity = (desk: Desk) => desk.look((sql) => sql.pragma('integrity_check', { simple: true }));

/** Runs a command and ends it after a while from its start to a little past its usual end. */
async function runBriefly(args: string[], longestMs: number) {
  const running = start(args);
  const timer = setTimeout(() => running.child.kill('SIGKILL'), random() * longestMs);
  const ended = await running.ended;
  clearTimeout(timer);
  return ended;
}

/** How long the command takes here and now, with a margin, so that kills fall before, into and after its work. */
async function usualMs(args: string[]): Promise<number> {
  const from = performance.now();
  await succeed(args);
  return (performance.now() - from) * 1.2;
}

suite('kill -9', { concurrency: 2 }, () => {
  test('in the middle of key issue: every secret that was printed is a key that works', async (t) => {
    const desk = newDesk(t);
    const { id } = await newMunicipality(desk);
    const issue = desk.on('key', 'issue', '--organization', id, '--name', 'Kill');
    const longestMs = await usualMs(issue);
    const secrets: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { stdout } = await runBriefly(issue, longestMs);
      if (stdout !== '') secrets.push(stdout.trimEnd());
      assert.equal(integrity(desk), 'ok');
    }
    const server = await startServer(t, desk.database);
    for (const key of secrets) assert.equal((await server.get('/me', { key })).status, 200);
  });

  test('in the middle of key revoke: no key lives whose revocation was acknowledged', async (t) => {
    const desk = newDesk(t);
    const { id } = await newMunicipality(desk);
    const keys = [];
    for (let round = 0; round <= rounds; round += 1) {
      keys.push(await succeed(desk.on('key', 'issue', '--organization', id, '--name', `K${round}`)));
    }
    const server = await startServer(t, desk.database);
    const [probe, ...others] = keys as [string, ...string[]];
    const longestMs = await usualMs(desk.on('key', 'revoke', probe.slice(0, 16)));
    for (const key of others) {
      const { code, stderr } = await runBriefly(desk.on('key', 'revoke', key.slice(0, 16)), longestMs);
      const acknowledged = code === 0 || /Revoked the key/.test(stderr);
      const { status } = await server.get('/me', { key });
      if (acknowledged) assert.equal(status, 401);
      const revokedAt = desk.look((sql) =>
        sql.prepare('SELECT revoked_at FROM api_key WHERE secret_hash = ?').pluck().get(hashKey(key)),
      );
      assert.equal(status, revokedAt === null ? 200 : 401);
      assert.equal(integrity(desk), 'ok');
      await succeed(desk.on('key', 'revoke', key.slice(0, 16)));
      assert.equal((await server.get('/me', { key })).status, 401);
    }
  });

  test('in the middle of an import: whole batches are kept, and running it again ends with the same rows', async (t) => {
    const desk = newDesk(t);
    const whole = await newMunicipality(desk, 'Whole');
    const records = Array.from({ length: 6_000 }, (_, n) => ({ kind: 'submission', ...submission(n) }));
    const file = desk.file('many.ndjson', ndjson(records));
    const into = (id: string) => desk.on('import', 'rostra', file, '--organization', id, '--json');
    const longestMs = await usualMs(into(whole.id));
    const rows = (id: string) =>
      desk.look((sql) =>
        sql.prepare('SELECT document FROM submission WHERE organization_id = ? ORDER BY id').pluck().all(id),
      );
    const expected = rows(whole.id);
    assert.equal(expected.length, records.length);
    for (let round = 0; round < rounds; round += 1) {
      const id = await succeed(desk.on('organization', 'add', `Killed ${round}`));
      const { code } = await runBriefly(into(id), longestMs);
      assert.equal(integrity(desk), 'ok');
      const kept = rows(id).length;
      assert.equal(kept % 1_000, 0);
      if (code === 0) assert.equal(kept, records.length);
      const again = await run(into(id));
      assert.equal(again.code, 0);
      const { inserted, unchanged } = JSON.parse(again.stdout);
      assert.deepEqual([inserted, unchanged], [records.length - kept, kept]);
      assert.deepEqual(rows(id), expected);
    }
  });
});
