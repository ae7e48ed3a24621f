/** SQLite works on the thread of the requests, so pages of long lists are built in several turns of the event loop. */
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';
import { createSignedInClient } from '../support/form-client.ts';

const keyCount = 5_000;
const rounds = 5;

const fixture = await createFixtureWithServer({ after });
const { a, server, sql, store } = fixture;
await sql(
  `INSERT INTO api_key (organization_id, id, secret_hash, prefix, name, created_at, created_by)
  WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${keyCount})
  SELECT '${a}', lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
    || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), randomblob(32), 'sk_rostra_abcdef', 'Key ' || n,
    '2026-01-01T00:00:00.000Z', 'test' FROM series`,
);
const client = await createSignedInClient(server, store, a);

test('a search in the audit log by the name of one of thousands of keys takes several turns', async () => {
  const shares: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    shares.push(await measureLongestTurn(`/admin/organizations/${a}/audit?key=nothing`));
  // The garbage collector or the compiler may add to a turn.
  const share = Math.min(...shares);
  assert.ok(share < 0.7, `the longest turn took ${Math.round(share * 100)} % of the time`);
});

/** CPU time of this thread in microseconds, which does not depend on the load of the machine. */
function readCpuMicroseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

let inProgress = false;
let turns: number[] = [];
let turnBegan = 0;

function endTurn(): void {
  turns.push(readCpuMicroseconds() - turnBegan);
  turnBegan = readCpuMicroseconds();
  if (inProgress) setImmediate(endTurn);
}

subscribe('http.server.request.start', () => {
  inProgress = true;
  turns = [];
  turnBegan = readCpuMicroseconds();
  setImmediate(endTurn);
});
subscribe('http.server.response.finish', () => {
  inProgress = false;
  turns.push(readCpuMicroseconds() - turnBegan);
  turnBegan = readCpuMicroseconds();
});

/** @returns the share of the longest turn in the time of the response */
async function measureLongestTurn(path: string): Promise<number> {
  const { status } = await client.get(path);
  assert.equal(status, 200);
  return Math.max(...turns) / turns.reduce((sum, turn) => sum + turn, 0);
}
