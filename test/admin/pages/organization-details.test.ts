import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { createSignedInClient, getFieldValue, parseHiddenFields } from '../../support/form-client.ts';

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
    logo: null,
  });
  const { body } = await anna.open(`${path}?saved`);
  assert.match(body, /The details have been saved/);
  for (const [name, value] of Object.entries(valid))
    if (name !== 'timeZone') assert.equal(getFieldValue(body, name), value);
  assert.match(body, /<option value="Europe\/Vienna" selected>/);
  await anna.submitForm(path, valid);
  assert.equal((await listEdits()).length, 1);
});

test('an empty field removes its value, and the audit log has the changed fields only', async () => {
  await store.editOrganization(a, { licenseName: 'CC0-1.0', attribution: 'Neu' });
  await anna.submitForm(path, { ...valid, licenseName: 'CC0-1.0', attribution: 'Neu', contactName: ' ' });
  const { license, contact, attribution } = await readPublished();
  assert.deepEqual([license.name, contact.name, attribution], ['CC0-1.0', null, 'Neu']);
  assert.equal((await listEdits())[0]?.subject, 'contactName: Statistikstelle → –');
});

test('the audit log has old and new values, abbreviated', async () => {
  const before = (await listEdits()).length;
  const attribution = `Daten: ${'Ä'.repeat(100)}`;
  await store.editOrganization(a, { licenseName: 'CC-BY-4.0', attribution, timeZone: 'Europe/Vienna' });
  const edits = await listEdits();
  assert.equal(edits.length, before + 1);
  assert.equal(
    edits[0]?.subject,
    `licenseName: CC0-1.0 → CC-BY-4.0; attribution: Neu → Daten: ${'Ä'.repeat(42)}…`,
  );
});

for (const [language, message] of [
  ['en', 'Its saved value is now “CC0-1.0”'],
  ['de', 'Gespeichert ist „CC0-1.0“'],
] as const) {
  test(`a change of somebody else since the form was opened is shown, not overwritten: ${language}`, async () => {
    await store.editOrganization(a, { licenseName: null, attribution: 'Alt' });
    const form = parseHiddenFields((await anna.open(path)).body);
    await store.editOrganization(a, { licenseName: 'CC0-1.0' });
    const entered = { ...valid, licenseName: '', attribution: 'Neu' };
    const headers = { 'accept-language': language };
    const { status, body } = await anna.post(path, { ...form, ...entered }, headers);
    assert.equal(status, 422);
    assert.ok(body.includes(message) && body.includes('href="#licenseName"'));
    assert.ok(!body.includes('id="attribution-error"'));
    assert.equal(getFieldValue(body, 'licenseName'), 'CC0-1.0');
    assert.equal(getFieldValue(body, 'attribution'), 'Neu');
    assert.equal((await readPublished()).attribution, 'Alt');
    const again = { ...entered, licenseName: 'CC0-1.0' };
    assert.equal((await anna.post(path, { ...parseHiddenFields(body), ...again })).status, 303);
    const { license, attribution } = await readPublished();
    assert.deepEqual([license.name, attribution], ['CC0-1.0', 'Neu']);
  });
}

test('two people who change the same field: the second one decides with both values in view', async () => {
  await store.editOrganization(a, { attribution: 'Alt' });
  const form = parseHiddenFields((await anna.open(path)).body);
  const present = { ...valid, licenseName: 'CC0-1.0' };
  await store.editOrganization(a, { attribution: 'Von Olga' });
  const { status, body } = await anna.post(path, { ...form, ...present, attribution: 'Von Anna' });
  assert.equal(status, 422);
  assert.match(body, /Its saved value is now “Von Olga”/);
  assert.equal(getFieldValue(body, 'attribution'), 'Von Anna');
  const hidden = parseHiddenFields(body);
  assert.equal((await anna.post(path, { ...hidden, ...present, attribution: 'Von Anna' })).status, 303);
  assert.equal((await readPublished()).attribution, 'Von Anna');
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
