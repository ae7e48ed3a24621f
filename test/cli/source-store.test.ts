/** The stored sources: definition, schedule, lease and the state of their runs. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { LeaseLostError } from '../../src/domain/runs/run-history.ts';
import type { SourceDefinition } from '../../src/domain/sources/import-source.ts';
import { StoreConflictError } from '../../src/domain/store-errors.ts';
import { createFixture } from '../support/fixture.ts';
import { holdLease } from '../support/recorded-runs.ts';

const { store, a, sql } = await createFixture({ after });

const dayMs = 86_400_000;

const define = (name: string, changes: Partial<SourceDefinition> = {}): SourceDefinition => ({
  name,
  format: 'table',
  url: 'https://stadt.example/anliegen.csv',
  intervalMs: dayMs,
  options: { mapping: 'submission:\n  id: Nr' },
  timeZone: null,
  redaction: { kinds: ['email'], country: null, patterns: { Aktenzeichen: 'AZ \\d+' } },
  maxDeletedPercent: 50,
  locations: null,
  ...changes,
});

const createMunicipality = async () => (await store.addOrganization(randomUUID(), randomUUID())).id;
const isDue = async (organizationId: string) =>
  (await store.listDueSources()).some((key) => key.organizationId === organizationId);

test('a source keeps its definition and is due at once', async () => {
  const organizationId = await createMunicipality();
  const definition = define('Anliegen');
  const added = await store.addSource(organizationId, definition);
  assert.deepEqual({ ...added, ...definition }, added);
  assert.deepEqual(await store.findSource({ organizationId, name: 'Anliegen' }), added);
  assert.ok(await isDue(organizationId));
});

test('a municipality has one source of a name, whatever its format', async () => {
  const organizationId = await createMunicipality();
  await store.addSource(organizationId, define('Anliegen'));
  for (const format of ['table', 'oparl'])
    await assert.rejects(
      store.addSource(organizationId, define('Anliegen', { format })),
      (error) => error instanceof StoreConflictError && /already has a source/.test(error.message),
    );
  await store.addSource(a, define('Anliegen'));
});

test('a municipality has one running import, and its sources are not due meanwhile', async () => {
  const organizationId = await createMunicipality();
  await store.addSource(organizationId, define('Anliegen'));
  await store.addSource(organizationId, define('Beschwerden'));
  const lease = await holdLease(store, organizationId, 'Anliegen');
  await assert.rejects(holdLease(store, organizationId, 'Beschwerden'), /another run holds the lease/);
  assert.equal(await isDue(organizationId), false);
  await store.renewRun(lease);
  const running = (await store.listSources(organizationId)).map(({ runningSince }) => runningSince !== null);
  assert.deepEqual(running, [true, false]);
  await assert.rejects(store.removeSource({ organizationId, name: 'Anliegen' }), StoreConflictError);
  await store.releaseRun(lease);
  await assert.rejects(store.renewRun(lease), LeaseLostError);
  assert.ok(await isDue(organizationId));
});

test('failed runs are repeated after a growing pause, and a success ends the failure', async () => {
  const organizationId = await createMunicipality();
  const key = { organizationId, name: 'Anliegen' };
  await store.addSource(organizationId, define('Anliegen'));
  const pauses: number[] = [];
  for (let failures = 1; failures <= 8; failures += 1) {
    await store.endSourceRun(key, {
      end: 'failed',
      runId: undefined,
      error: { code: 'english', message: 'Kaputt.' },
    });
    const { nextAt, failedAt } = (await store.findSource(key)) ?? {};
    pauses.push((Date.parse(String(nextAt)) - Date.parse(String(failedAt))) / 60_000);
  }
  assert.deepEqual(pauses, [15, 30, 60, 120, 240, 360, 360, 360]);
  const failing = (await store.listSourceProblems()).filter((one) => one.organizationId === organizationId);
  assert.deepEqual(
    failing.map(({ name, error, failures }) => [name, error, failures]),
    [['Anliegen', { code: 'english', message: 'Kaputt.' }, 8]],
  );
  await store.endSourceRun(key, { end: 'done', runId: undefined, validators: { etag: '"1"' } });
  const { failingSince, error, failures, validators, nextAt, lastSuccessAt, staleAt } =
    (await store.findSource(key)) ?? {};
  assert.deepEqual([failingSince, error, failures, validators], [null, null, 0, { etag: '"1"' }]);
  assert.equal(Date.parse(String(nextAt)) - Date.parse(String(lastSuccessAt)), dayMs);
  assert.equal(Date.parse(String(staleAt)) - Date.parse(String(lastSuccessAt)), 2 * dayMs);
  assert.equal(
    (await store.listSourceProblems()).some((one) => one.organizationId === organizationId),
    false,
  );
});

test('a changed definition makes the next run read the same content again', async () => {
  const organizationId = await createMunicipality();
  const key = { organizationId, name: 'Anliegen' };
  await store.addSource(organizationId, define('Anliegen'));
  const succeed = () =>
    store.endSourceRun(key, { end: 'done', runId: undefined, validators: { digest: 'abc' } });
  await succeed();
  const edited = await store.editSource(key, { intervalMs: 2 * dayMs });
  assert.deepEqual(edited?.validators, { digest: 'abc' });
  for (const change of [
    { url: 'https://stadt.example/neu.csv' },
    { options: { mapping: 'submission:\n  id: Id' } },
    { redaction: { kinds: null, country: 'AT', patterns: {} } },
  ]) {
    await succeed();
    assert.equal(await isDue(organizationId), false);
    assert.deepEqual((await store.editSource(key, change))?.validators, {});
    assert.ok(await isDue(organizationId));
  }
  assert.equal(await store.editSource({ organizationId, name: 'Unbekannt' }, {}), undefined);
});

test('the audit log has old and new values, and a checksum in place of a file', async () => {
  const organizationId = await createMunicipality();
  const key = { organizationId, name: 'Anliegen' };
  const by = { name: 'olga@stadt.example', address: '192.0.2.1' };
  await store.addSource(organizationId, define('Anliegen'), by);
  await store.editSource(key, { intervalMs: dayMs / 24, options: { mapping: 'submission:\n  id: Id' } }, by);
  await store.editSource(key, { intervalMs: dayMs / 24 }, by);
  await store.removeSource(key, by);
  const events = (await store.listAuditEvents(organizationId, undefined, 10)).filter(({ action }) =>
    action.startsWith('source.'),
  );
  // Events of the same millisecond have no order.
  assert.deepEqual(
    events.map(({ action, actor, address, subject }) => [action, actor, address, subject]).toSorted(),
    ['source.added', 'source.edited', 'source.removed'].map((action) => [
      action,
      by.name,
      by.address,
      'Anliegen',
    ]),
  );
  const edited = events.find(({ action }) => action === 'source.edited');
  assert.deepEqual(
    edited?.changes.map(({ field, before, after }) => [
      field,
      before?.replace(/\(.*/, ''),
      after?.replace(/\(.*/, ''),
    ]),
    [
      ['every', '1d', '1h'],
      ['mapping', '20 characters ', '20 characters '],
    ],
  );
});

test('a removed source can be added again with another format', async () => {
  const organizationId = await createMunicipality();
  const key = { organizationId, name: 'Anliegen' };
  await store.addSource(organizationId, define('Anliegen'));
  assert.equal(await store.removeSource(key), true);
  assert.equal(await store.removeSource(key), false);
  assert.equal(await store.findSource(key), undefined);
  assert.deepEqual(await store.listSources(organizationId), []);
  await store.addSource(organizationId, define('Anliegen', { format: 'rostra' }));
});

test('freshness lists scheduled sources first, by the time they become stale, and counts those of all municipalities', async () => {
  const organizationId = await createMunicipality();
  const before = await store.countSources();
  const succeed = (name: string) =>
    store.endSourceRun({ organizationId, name }, { end: 'done', runId: undefined, validators: {} });
  for (const [name, intervalMs] of [
    ['Ohne Zeitplan', null],
    ['Jede Woche', 7 * dayMs],
    ['Jeden Tag', dayMs],
  ] as const)
    await store.addSource(organizationId, define(name, { intervalMs }));
  await succeed('Jede Woche');
  await succeed('Ohne Zeitplan');
  await store.endSourceRun(
    { organizationId, name: 'Jeden Tag' },
    { end: 'failed', runId: undefined, error: { code: 'english', message: 'Kaputt.' } },
  );
  const listed = (await store.listSourceFreshness(1_000)).filter(
    (source) => source.organizationId === organizationId,
  );
  assert.deepEqual(
    listed.map(({ name, format, intervalMs, lastSuccessAt, failingSince, staleAt }) => [
      name,
      format,
      intervalMs,
      lastSuccessAt !== null,
      failingSince !== null,
      staleAt !== null,
    ]),
    [
      ['Jeden Tag', 'table', dayMs, false, true, true],
      ['Jede Woche', 'table', 7 * dayMs, true, false, true],
      ['Ohne Zeitplan', 'table', null, true, false, false],
    ],
  );
  const { defined, failing, stale } = await store.countSources();
  assert.deepEqual([defined - before.defined, failing - before.failing, stale - before.stale], [3, 1, 0]);
  await sql(
    "UPDATE import_source SET stale_at = '2020-01-01T00:00:00.000Z' WHERE organization_id = $1 AND name = $2",
    [organizationId, 'Jede Woche'],
  );
  assert.equal((await store.countSources()).stale - before.stale, 1);
  assert.deepEqual(
    (await store.listSourceFreshness(1)).map(({ name }) => name),
    ['Jede Woche'],
  );
});
