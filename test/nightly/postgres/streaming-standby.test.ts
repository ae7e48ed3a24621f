/** Reads of published data from streaming standbys, and their failures. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createChangeMirror } from '../../support/change-mirror.ts';
import {
  createReplication,
  publishedPath,
  type Standby,
  waitForCondition,
} from '../../support/postgres-replication.ts';
import { findMetricsPort, scrape } from '../../support/scrape.ts';
import type { Server } from '../../support/server.ts';
import { waitUntil } from '../../support/wait-until.ts';

const { primary, standbys, store, issueKey, publish, startServer, startServerProcess } =
  await createReplication({ after }, 2);
const [first, second] = standbys as [Standby, Standby];
const { secret: key } = await issueKey();

/** Seconds. For tests without lag. */
const unlimitedLag = 3_600;
const strictLag = 2;
const lateReason = `it is more than ${strictLag} s behind.`;

async function readDescription(server: Server): Promise<string> {
  const { status, json } = await server.get(publishedPath, { key });
  assert.equal(status, 200);
  return json.data.description;
}

/** Enough requests to reach each of three databases. */
async function readFromEveryServer(server: Server): Promise<string[]> {
  const descriptions: string[] = [];
  for (let request = 0; request < 12; request += 1) descriptions.push(await readDescription(server));
  return descriptions;
}

const getHost = (address: string) => new URL(address).host;

/** Resolves when the server has logged `times` messages that begin with `sentence`. */
const waitForLog = (server: Server, sentence: string, times = 1) =>
  waitUntil(
    sentence,
    () => server.lines.filter((line) => line.includes(`"msg":"${sentence}`)).length >= times,
  );

/** Resolves when the server uses the standby for the n-th time. */
const waitUntilInUse = (server: Server, standby: Standby, times = 1) =>
  waitForLog(server, `The read replica ${getHost(standby.address)} is in use.`, times);

const waitUntilExcluded = (server: Server, address: string, why: string) =>
  waitForLog(server, `The read replica ${getHost(address)} is excluded: ${why}`);

async function pauseDuring(context: TestContext, standby: Standby): Promise<void> {
  context.after(standby.resume);
  await standby.pause();
}

/** Publishes data while the standby is paused: the server shows the old data. */
async function assertReadsFrom(context: TestContext, server: Server, standby: Standby): Promise<void> {
  await publish('before the pause');
  await pauseDuring(context, standby);
  await publish('during the pause');
  assert.deepEqual([...new Set(await readFromEveryServer(server))], ['before the pause']);
  await standby.resume();
  await waitUntil(
    'the standby catches up',
    async () => (await readDescription(server)) === 'during the pause',
  );
}

test('published data comes from the standby, keys and rate limits from the primary', async (context) => {
  const server = await startServer(context, [first.address], unlimitedLag);
  await waitUntilInUse(server, first);
  await assertReadsFrom(context, server, first);

  await pauseDuring(context, first);
  await publish('unseen');
  const { id, secret } = await issueKey();
  for (let used = 1; used <= 3; used += 1) {
    const { status, json, headers } = await server.get(publishedPath, { key: secret });
    assert.equal(status, 200);
    assert.equal(json.data.description, 'during the pause');
    assert.equal(headers['x-ratelimit-remaining'], String(1_000_000 - used));
  }
  for (const record of await store.findKeys(id)) await store.revokeKey(record);
  assert.equal((await server.get(publishedPath, { key: secret })).status, 401);
});

test('a mirror whose cursor is newer than the standby gets its changes from the primary', async (context) => {
  await publish('before');
  const current = await startServer(context, [], unlimitedLag);
  const server = await startServer(context, [first.address], unlimitedLag);
  await waitUntilInUse(server, first);
  const ofPrimary = createChangeMirror(current, key);
  await ofPrimary.poll();
  await pauseDuring(context, first);
  await publish('during');
  await ofPrimary.poll();
  // The standby knows an older cursor, and returns an older state.
  const ofStandby = createChangeMirror(server, key);
  await ofStandby.poll();
  assert.match(JSON.stringify([...ofStandby.objects]), /"before"/);
  const mirror = createChangeMirror(server, key, ofPrimary);
  assert.deepEqual(await mirror.poll(), []);
  await publish('after');
  assert.match(JSON.stringify(await mirror.poll()), /"after"/);
  await first.resume();
  await waitUntil('the standby catches up', async () => (await ofStandby.poll()).length > 0);
  assert.deepEqual(ofStandby.objects, mirror.objects);
});

test('a standby with too much lag is excluded until it has caught up', async (context) => {
  const server = await startServer(context, [first.address], strictLag);
  await waitUntilInUse(server, first);
  await publish('old');
  await pauseDuring(context, first);
  await publish('new');
  assert.equal(await readDescription(server), 'old');
  await waitUntilExcluded(server, first.address, lateReason);
  assert.deepEqual([...new Set(await readFromEveryServer(server))], ['new']);
  await first.resume();
  await waitUntilInUse(server, first, 2);
  await assertReadsFrom(context, server, first);
});

test('metrics show the lag of a standby, and whether it is used', async (context) => {
  const server = await startServerProcess(context, [first.address], strictLag);
  const port = await findMetricsPort(server);
  const labels = { replica: getHost(first.address) };
  const read = async () => {
    const values = await scrape(port);
    return {
      isHealthy: values.get('rostra_replica_healthy', labels),
      lagSeconds: values.get('rostra_replica_lag_seconds', labels),
    };
  };
  await waitUntilInUse(server, first);
  const before = await read();
  assert.equal(before.isHealthy, 1);
  assert.ok(before.lagSeconds < strictLag, String(before.lagSeconds));
  await publish('old');
  await pauseDuring(context, first);
  await publish('new');
  await waitUntilExcluded(server, first.address, lateReason);
  await waitUntil('a lag that grows', async () => (await read()).lagSeconds > strictLag);
  assert.equal((await read()).isHealthy, 0);
  await first.resume();
  await waitUntilInUse(server, first, 2);
  const after = await read();
  assert.equal(after.isHealthy, 1);
  assert.ok(after.lagSeconds < strictLag, String(after.lagSeconds));
});

for (const how of ['fast', 'immediate'] as const) {
  test(`a standby that stops under load (${how}) fails no request, and is used again after its restart`, async (context) => {
    const server = await startServer(context, [first.address], unlimitedLag);
    await waitUntilInUse(server, first);
    let going = true;
    const statuses: number[] = [];
    const use = async () => {
      while (going) statuses.push((await server.get(publishedPath, { key })).status);
    };
    const load = Promise.all(Array.from({ length: 20 }, use));
    await waitUntil('the load', () => statuses.length >= 200);
    await first.stop(how);
    const stopped = statuses.length;
    await waitUntil('requests without the standby', () => statuses.length >= stopped + 200);
    await first.start();
    await waitUntilInUse(server, first, 2);
    const started = statuses.length;
    await waitUntil('requests with the standby again', () => statuses.length >= started + 200);
    going = false;
    await load;
    assert.deepEqual([...new Set(statuses)], [200]);
    await assertReadsFrom(context, server, first);
  });
}

test('a standby without its primary is excluded, although it has replayed everything that it received', async (context) => {
  const server = await startServer(context, [first.address], strictLag);
  await waitUntilInUse(server, first);
  const reconnect = async () => {
    await first.sql('postgres', 'ALTER SYSTEM RESET primary_conninfo');
    await first.sql('postgres', 'SELECT pg_reload_conf()');
  };
  context.after(reconnect);
  await first.sql('postgres', `ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 port=1'`);
  await first.sql('postgres', 'SELECT pg_reload_conf()');
  await waitForCondition(first, 'NOT EXISTS (SELECT FROM pg_stat_wal_receiver)');
  await publish('missed');
  await waitUntilExcluded(server, first.address, lateReason);
  await waitForCondition(first, 'pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn()');
  assert.deepEqual([...new Set(await readFromEveryServer(server))], ['missed']);
  await reconnect();
  await waitUntilInUse(server, first, 2);
  await assertReadsFrom(context, server, first);
});

test('a standby has no lag while nobody writes to the primary', async (context) => {
  const server = await startServer(context, [first.address], 1);
  await waitUntilInUse(server, first);
  const position = async () => (await primary.sql('postgres', 'SELECT pg_current_wal_lsn() AS lsn'))[0]?.lsn;
  // The primary logs its running transactions once after other writes.
  await waitUntil('seconds without a write', async () => {
    const before = await position();
    await setTimeout(2_500);
    return (await position()) === before;
  });
  assert.ok(!server.lines.some((line) => line.includes('is excluded')));
  await assertReadsFrom(context, server, first);
});

test('a server that is not a replica is logged and excluded', async (context) => {
  const notReplica = primary.url('rostra', 'rostra');
  const server = await startServer(context, [notReplica, first.address], unlimitedLag);
  await waitUntilInUse(server, first);
  await assertReadsFrom(context, server, first);
  await waitUntilExcluded(server, notReplica, 'it is not a replica.');
});

test('an unreachable standby is logged and excluded', async (context) => {
  const nowhere = 'postgres://rostra@127.0.0.1:1/rostra';
  const server = await startServer(context, [nowhere, first.address], unlimitedLag);
  await waitUntilInUse(server, first);
  await assertReadsFrom(context, server, first);
  await waitUntilExcluded(server, nowhere, 'The database failed: connect ECONNREFUSED');
});

test('a server that starts while a standby lags does not read from it', async (context) => {
  await publish('old');
  await pauseDuring(context, first);
  await publish('new');
  await setTimeout(strictLag * 1_000);
  const server = await startServer(context, [first.address], strictLag);
  const seen = new Set<string>();
  // On a busy machine the first check may time out, which is another reason to exclude the standby.
  const excluded = waitUntilExcluded(server, first.address, '');
  for (let isExcluded = false; !isExcluded; ) {
    seen.add(await readDescription(server));
    isExcluded = await Promise.race([excluded.then(() => true), setTimeout(20, false)]);
  }
  for (const description of await readFromEveryServer(server)) seen.add(description);
  assert.deepEqual([...seen], ['new']);
  await first.resume();
  await waitUntilInUse(server, first);
});

test('the primary answers a read that fails on the standby only', async (context) => {
  const server = await startServer(context, [first.address], unlimitedLag);
  await waitUntilInUse(server, first);
  await publish('granted');
  context.after(() => primary.sql('rostra', 'GRANT SELECT ON submission TO rostra'));
  await primary.sql('rostra', 'REVOKE SELECT ON submission FROM rostra');
  await pauseDuring(context, first);
  await primary.sql('rostra', 'GRANT SELECT ON submission TO rostra');
  assert.deepEqual([...new Set(await readFromEveryServer(server))], ['granted']);
});

test('two standbys share the reads, and one takes over while the other is stopped', async (context) => {
  const server = await startServer(context, [first.address, second.address], unlimitedLag);
  await waitUntilInUse(server, first);
  await waitUntilInUse(server, second);
  await publish('old');
  await pauseDuring(context, first);
  await publish('new');
  await waitUntil(
    'the new data on the second standby',
    async () => (await readDescription(server)) === 'new',
  );
  const inTurn = await readFromEveryServer(server);
  for (const description of ['old', 'new'])
    assert.equal(inTurn.filter((one) => one === description).length, inTurn.length / 2);
  await second.stop();
  await waitUntil('a read that fails on the stopped standby', async () => {
    await readDescription(server);
    return server.lines.some((line) => line.includes(`${getHost(second.address)} is excluded`));
  });
  assert.deepEqual([...new Set(await readFromEveryServer(server))], ['old']);
  await second.start();
  await waitUntilInUse(server, second, 2);
  assert.ok((await readFromEveryServer(server)).includes('new'));
});

test('a hanging standby fails no request, even if the key look-up was slow', async (context) => {
  const server = await startServerProcess(context, [first.address], unlimitedLag);
  await waitUntilInUse(server, first);
  await publish('primary');
  const { id, secret } = await issueKey();
  assert.equal((await server.get(publishedPath, { key: secret })).status, 200);
  context.after(await first.suspend());
  // Like concurrent requests of the key on other processes.
  const held = primary.sql(
    'rostra',
    `DO $$ BEGIN PERFORM FROM rate_window WHERE key_id = '${id}' FOR UPDATE; PERFORM pg_sleep(0.3); END $$`,
  );
  await setTimeout(50);
  const { status } = await server.get(publishedPath, { key: secret });
  await held;
  assert.equal(status, 200);
  await waitUntilExcluded(server, first.address, 'The database failed:');
});

test('a server stops on a signal although a standby hangs', async (context) => {
  const server = await startServerProcess(context, [first.address], unlimitedLag);
  await waitUntilInUse(server, first);
  assert.equal((await server.get(publishedPath, { key })).status, 200);
  context.after(await first.suspend());
  const patience = setTimeout(10_000, 'still running after ten seconds', { ref: false });
  assert.equal(await Promise.race([server.stop(), patience]), 0);
});
