/** The settings for locations of a municipality and of its sources, in the browser. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { describeChanges } from '../../support/audit-changes.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { createSignedInClient } from '../../support/form-client.ts';
import { createSubmission } from '../../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, a, alice } = fixture;
const anna = await createSignedInClient(server, store, a);
const path = `/admin/organizations/${a}/settings/locations`;

const readLocation = async () => {
  const { data } = (await server.get('/search/submissions?limit=100', { key: alice })).json;
  return data.find(({ description }: { description: string }) => description === 'Submission 70').location;
};

test('the page explains in both languages what a precision means for people at home', async () => {
  for (const [language, home, house] of [
    ['en', /about their own home/, /A point shows the house/],
    ['de', /ihre eigene Wohnung/, /Ein Punkt zeigt das Haus/],
  ] as const) {
    const { body } = await anna.get(path, { 'accept-language': language });
    assert.match(body, home);
    assert.match(body, house);
  }
});

test('a saved setting applies at once, is published, shown and recorded', async () => {
  await store.editOrganization(a, { locationDecimals: '4' });
  const location = { type: 'Point' as const, coordinates: [8.403_71, 49.006_51] as [number, number] };
  await fixture.putRecords(a, [
    { kind: 'submission', ...createSubmission(70, { location, topicCategoryName: 'Wohnen' }) },
  ]);
  assert.deepEqual(await readLocation(), { type: 'Point', coordinates: [8.4037, 49.0065] });
  const save = (precision: string, topics = '') => anna.submitForm(path, { precision, topics });
  assert.deepEqual((await save('3')).status, 303);
  assert.deepEqual(await readLocation(), { type: 'Point', coordinates: [8.404, 49.007] });
  assert.equal((await server.get('/organization', { key: alice })).json.data.locationDecimals, 3);
  const { body } = await anna.open(`${path}?saved`);
  assert.match(body, /The settings for locations have been saved/);
  assert.match(body, /value="3" checked/);
  await save('3', 'Wohnen\r\n\r\n Soziales ');
  assert.equal(await readLocation(), null);
  const [edited] = (await store.listAuditEvents(a, undefined, 100)).filter(
    ({ action }) => action === 'organization.edited',
  );
  assert.equal(describeChanges(edited), 'topicsWithoutLocation: – → Wohnen, Soziales');
  await save('off');
  const { locationDecimals, topicsWithoutLocation } = (await store.findOrganization(a)) ?? {};
  assert.deepEqual([locationDecimals, topicsWithoutLocation], [null, null]);
});

test('an unknown precision and a topic that is too long are rejected, and nothing is saved', async () => {
  await store.editOrganization(a, { locationDecimals: '3' });
  for (const fields of [
    { precision: '5', topics: '' },
    { precision: '', topics: '' },
    { precision: 'off', topics: 'x'.repeat(201) },
    { precision: 'off', topics: Array.from({ length: 50 }, (_, n) => `${'x'.repeat(100)}${n}`).join('\n') },
  ]) {
    const { status, body } = await anna.submitForm(path, fields);
    assert.equal(status, 422);
    assert.match(body, /Precision: choose one|Topics without a location: enter/);
  }
  assert.equal((await store.findOrganization(a))?.locationDecimals, 3);
});

test('a source is switched on and off in its settings, and the page of locations lists it', async () => {
  await store.addSource(a, {
    name: 'Mängelmelder',
    format: 'open311',
    url: null,
    intervalMs: null,
    timeZone: null,
    maxDeletedPercent: null,
    locations: null,
    options: {},
    redaction: { kinds: [], country: null, patterns: {} },
  });
  const source = `/admin/organizations/${a}/sources/${encodeURIComponent('Mängelmelder')}`;
  const readRow = async () =>
    /Mängelmelder[\s\S]{0,200}?(not published|published)/.exec((await anna.open(path)).body)?.[1];
  assert.equal(await readRow(), 'not published');
  const { body } = await anna.open(`${source}/edit`);
  assert.match(body, /name="locations" value="1" aria-describedby/);
  await anna.submitForm(`${source}/edit`, { locations: '1' });
  assert.equal((await store.findSource({ organizationId: a, name: 'Mängelmelder' }))?.locations, 'on');
  assert.equal(await readRow(), 'published');
  await anna.submitForm(`${source}/edit`, {});
  assert.equal(await readRow(), 'not published');
});
