import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { createSignedInClient, getFieldValue } from '../../support/form-client.ts';

const { server, store, a, b, alice } = await createFixtureWithServer({ after });
const anna = await createSignedInClient(server, store, a);
const olga = await createSignedInClient(server, store);

const path = `/admin/organizations/${a}/details`;
const valid = {
  licenseName: 'DL-DE-BY-2.0',
  licenseUrl: 'https://www.govdata.de/dl-de/by-2-0',
  attribution: 'Daten: "Musterstadt" <b>',
  contactName: 'Statistikstelle',
  contactEmail: 'daten@musterstadt.example',
  contactUrl: 'https://www.musterstadt.example/daten',
  timeZone: 'Europe/Vienna',
};

const readPublished = async () => (await server.get('/organization', { key: alice })).json.data;
const listEdits = async () =>
  (await store.listAuditEvents(a, undefined, 100)).filter(({ action }) => action === 'organization.edited');

test('saved details are published immediately, shown in the form and recorded once', async () => {
  const { status, location } = await anna.submitForm(path, valid);
  assert.deepEqual([status, location], [303, `${path}?saved`]);
  assert.deepEqual(await readPublished(), {
    id: a,
    name: 'Musterstadt',
    timeZone: 'Europe/Vienna',
    license: { name: valid.licenseName, url: valid.licenseUrl },
    contact: { name: valid.contactName, email: valid.contactEmail, url: valid.contactUrl },
    attribution: valid.attribution,
  });
  const { body } = await anna.open(`${path}?saved`);
  assert.match(body, /The details have been saved/);
  for (const [name, value] of Object.entries(valid))
    if (name !== 'timeZone') assert.equal(getFieldValue(body, name), value);
  assert.match(body, /<option value="Europe\/Vienna" selected>/);
  await anna.submitForm(path, valid);
  assert.equal((await listEdits()).length, 1);
});

test('an empty field removes its value, and the audit log names the changed fields only', async () => {
  await store.editOrganization(a, { licenseName: 'CC0-1.0', attribution: 'Neu' });
  await anna.submitForm(path, { ...valid, licenseName: 'CC0-1.0', attribution: 'Neu', contactName: ' ' });
  const { license, contact, attribution } = await readPublished();
  assert.deepEqual([license.name, contact.name, attribution], ['CC0-1.0', null, 'Neu']);
  assert.equal((await listEdits())[0]?.subject, 'contactName');
});

for (const [name, value] of [
  ['licenseName', 'x'.repeat(201)],
  ['licenseUrl', 'javascript:alert(1)'],
  ['licenseUrl', 'www.govdata.de'],
  ['contactEmail', 'niemand'],
  ['contactUrl', 'https://a b'],
  ['attribution', 'ä'.repeat(1_001)],
  ['timeZone', 'Europe/Musterstadt'],
  ['timeZone', ''],
] as const) {
  test(`${name}: ${value.slice(0, 20) || 'empty'} is rejected at its field, and nothing is saved`, async () => {
    const before = await readPublished();
    const { status, body } = await anna.submitForm(path, { ...valid, attribution: 'Anders', [name]: value });
    assert.equal(status, 422);
    assert.ok(body.includes(`href="#${name}"`) && body.includes(`id="${name}-error"`));
    assert.match(body, new RegExp(`<(input|select)[^>]* name="${name}"[^>]* aria-invalid="true"`));
    if (name !== 'attribution') assert.equal(getFieldValue(body, 'attribution'), 'Anders');
    assert.deepEqual(await readPublished(), before);
  });
}

test('operators edit every municipality, other administrators receive 404', async () => {
  const other = `/admin/organizations/${b}/details`;
  assert.equal((await olga.submitForm(other, valid)).status, 303);
  assert.equal((await store.findOrganization(b))?.license?.name, valid.licenseName);
  assert.equal((await anna.get(other)).status, 404);
});
