/** Imports and sources of all municipalities, for operators. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import type { ImportEnd } from '../../../src/domain/runs/run-history.ts';
import { emptySourceDefinition } from '../../../src/domain/sources/import-source.ts';
import { createFixture } from '../../support/fixture.ts';
import { createSignedInClient, fetchCsrfToken } from '../../support/form-client.ts';
import { beginRun, holdLease } from '../../support/recorded-runs.ts';

const fixture = await createFixture({ after });
const { store, sql, a, b } = fixture;
const server = await fixture.startServer();
const operator = await createSignedInClient(server, store);
const path = '/admin/imports';
const sourcesPath = `${path}/sources`;

let minutes = 0;

/** Each run starts a minute after the previous one. */
async function addRun(organizationId: string, end: ImportEnd, sources: string): Promise<string> {
  const run = await beginRun(store, { organizationId, format: 'table', sources });
  await store.endRun(run, end, end === 'failed' ? { code: 'no-records' } : undefined);
  minutes += 1;
  const startedAt = new Date(Date.UTC(2026, 5, 1, 8, minutes)).toISOString();
  await sql('UPDATE import_run SET started_at = $2 WHERE id = $1', [run.id, startedAt]);
  return run.id;
}

const pageWithoutRuns = (await operator.get(path)).body;
const first = await addRun(a, 'done', 'first.csv');
const failed = await addRun(b, 'failed', 'failed.csv');
const last = await addRun(a, 'interrupted', 'last.csv');

const runsIn = (body: string) =>
  [...body.matchAll(/<a class="kern-link run-time" href="[^"]+\/imports\/([^"]+)"/g)].map(([, id]) => id);
const listRuns = async (query = '') => runsIn((await operator.get(`${path}${query}`)).body);

suite('the imports of all municipalities', () => {
  test('are listed newest first, with a link to the import and to its municipality', async () => {
    const { body } = await operator.get(path);
    assert.deepEqual(runsIn(body), [last, failed, first]);
    assert.ok(body.includes(`href="/admin/organizations/${b}/imports/${failed}"`));
    assert.ok(body.includes(`href="/admin/organizations/${b}"><bdi>Beispielburg`));
  });

  test('say whether no import exists, or no import matches', async () => {
    assert.match(pageWithoutRuns, /There are no imports yet\./);
    assert.doesNotMatch(pageWithoutRuns, /Show all imports/);
    const { body } = await operator.get(`${path}?state=running`);
    assert.match(body, /No import matches the filter\..*Show all imports/s);
  });

  test('are filtered by result and by municipality', async () => {
    assert.deepEqual(await listRuns('?state=failed'), [failed]);
    assert.deepEqual(await listRuns('?words=muster'), [last, first]);
    assert.deepEqual(await listRuns('?words=muster&state=done'), [first]);
    assert.deepEqual(await listRuns('?words=nirgends'), []);
    assert.deepEqual(await listRuns('?state=nonsense'), [last, failed, first]);
    const token = await fetchCsrfToken(operator);
    const { location } = await operator.post(path, { words: 'muster', state: 'done', token });
    assert.equal(location, `${path}?words=muster&state=done`);
  });

  test('distinguish running from stalled imports', async () => {
    const running = await beginRun(store, { organizationId: a, format: 'table', sources: 'now.csv' });
    const stalled = await beginRun(store, { organizationId: a, format: 'table', sources: 'then.csv' });
    await sql("UPDATE import_run SET heartbeat_at = '2026-01-01T00:00:00.000Z' WHERE id = $1", [stalled.id]);
    assert.deepEqual(await listRuns('?state=running'), [running.id]);
    assert.deepEqual(await listRuns('?state=stale'), [stalled.id]);
    await store.deleteRun(running);
    await store.deleteRun(stalled);
  });

  test('have pages of 50, also for the found municipalities, and the filter stays', async () => {
    for (let index = 0; index < 60; index += 1) await addRun(a, 'done', `${index}.csv`);
    for (const filter of ['', '?words=muster&state=done']) {
      const { body } = await operator.get(path + filter);
      const [, next = ''] = /href="([^"]+)">Older entries/.exec(body) ?? [];
      const address = next.replaceAll('&amp;', '&');
      assert.equal(new URL(address, 'http://x').searchParams.get('state'), filter === '' ? null : 'done');
      const older = runsIn((await operator.get(address)).body);
      const shown = runsIn(body);
      assert.deepEqual([shown.length, older.length], [50, filter === '' ? 13 : 11]);
      assert.deepEqual(new Set(shown).intersection(new Set(older)), new Set());
    }
  });

  test('ask for a longer name if more than 20 municipalities match', async () => {
    for (let index = 0; index < 21; index += 1)
      await store.addOrganization(`Gemeinde ${index}`, randomUUID());
    assert.match((await operator.get(`${path}?words=gemeinde`)).body, /More than 20 municipalities match/);
  });
});

suite('the sources of all municipalities', () => {
  test('show the failing and overdue ones first, and are filtered', async () => {
    const at = (days: number) => `'${new Date(Date.now() + days * 86_400_000).toISOString()}'`;
    for (const [organizationId, name, changes] of [
      [a, 'fine', `last_success_at = ${at(-1)}`],
      [a, 'late', `stale_at = ${at(-1)}`],
      [b, 'broken', `failing_since = ${at(-1)}, error = '{"code":"english","message":"HTTP <500>"}'`],
      [b, 'new', `stale_at = ${at(1)}`],
    ] as const) {
      const url = `https://oparl.example/${name}`;
      await store.addSource(organizationId, {
        ...emptySourceDefinition,
        ...{ name, format: 'oparl', url, intervalMs: 86_400_000 },
      });
      await sql(`UPDATE import_source SET ${changes} WHERE name = $1`, [name]);
    }
    await store.addSource(b, { ...emptySourceDefinition, name: 'current', format: 'table' });
    const lease = await holdLease(store, b, 'current');
    const namesIn = (body: string) =>
      [...body.matchAll(/href="\/admin\/organizations\/[^/]+\/sources\/(\w+)"/g)].map(([, name]) => name);
    const { body } = await operator.get(sourcesPath);
    assert.deepEqual(namesIn(body), ['broken', 'late', 'current', 'new', 'fine']);
    assert.match(body, /<span class="long-text"><bdi>HTTP &lt;500&gt;/);
    assert.match(body, /5 of 5 sources/);
    assert.deepEqual(namesIn((await operator.get(`${sourcesPath}?state=stale`)).body), ['late']);
    assert.deepEqual(namesIn((await operator.get(`${sourcesPath}?words=beispiel`)).body), [
      'broken',
      'current',
      'new',
    ]);
    await store.releaseRun(lease);
  });
});

test('both pages are for operators only', async () => {
  const administrator = await createSignedInClient(server, store, a);
  for (const page of [path, sourcesPath]) assert.equal((await administrator.get(page)).status, 404);
});
