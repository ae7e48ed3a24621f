/** `rostra word-index`: fills and removes the index of words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSucceeds, runCli } from '../support/cli-workspace.ts';
import { createFixtureWithServer, type Fixture } from '../support/fixture.ts';

const tables = ['word_index', 'word_segment', 'word_segment_keys', 'word_posting', 'word_pending'];

async function countRows({ sql, a, b }: Fixture): Promise<number> {
  let sum = 0;
  for (const table of tables)
    for (const id of [a, b]) {
      const [row] = await sql<{ count: number }>(
        `SELECT count(*) AS count FROM ${table} WHERE organization_id = $1`,
        [id],
      );
      sum += Number(row?.count);
    }
  return sum;
}

async function forgetIndex({ sql }: Fixture): Promise<void> {
  for (const table of tables) await sql(`DELETE FROM ${table}`);
}

test('rostra word-index fill indexes all records, and names their number', async (t) => {
  const fixture = await createFixtureWithServer(t);
  const { server, alice, database } = fixture;
  const environment = { ROSTRA_DATABASE: database, ROSTRA_PORT: '0' };
  const search = () => server.get('/search/submissions?words=a&limit=1', { key: alice });
  const diagnose = async () => {
    const { stdout } = await runCli(['doctor', '--json'], { environment });
    const findings: { check: string; message: string }[] = JSON.parse(stdout).findings;
    return findings.find(({ check }) => check === 'words')?.message;
  };
  assert.equal((await search()).status, 200);
  await forgetIndex(fixture);

  const waiting = await search();
  assert.equal(waiting.status, 503);
  assert.equal(waiting.headers['retry-after'], '60');
  assert.match(
    waiting.json.error,
    /^The parameter "words" is not available yet, because the index of words is being built/,
  );
  assert.equal(await diagnose(), 'The index of words lacks records of 2 municipalities.');

  const filled = await runCli(['word-index', 'fill'], { environment });
  assert.equal(filled.code, 0);
  assert.match(
    filled.stderr,
    /^The index of words is complete: \d+ records of 2 municipalities were added\.$/m,
  );
  assert.equal((await search()).status, 200);
  assert.equal(await diagnose(), 'The index of words has all records.');
  const repeated = await assertSucceeds(['word-index', 'fill', '--json'], { environment });
  assert.deepEqual(JSON.parse(repeated), { records: 0, municipalities: 0 });
});

test('rostra word-index fill removes the index of an installation without search by words', async (t) => {
  const fixture = await createFixtureWithServer(t);
  const environment = { ROSTRA_DATABASE: fixture.database, ROSTRA_WORD_SEARCH: 'off' };
  assert.ok((await countRows(fixture)) > 0);
  const removed = await runCli(['word-index', 'fill'], { environment });
  assert.equal(removed.code, 0);
  assert.match(removed.stderr, /^The index of words is removed\.$/m);
  assert.equal(await countRows(fixture), 0);
});
