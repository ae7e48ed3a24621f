import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { describeChanges } from '../../support/audit-changes.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { createSignedInClient, getFieldValue, parseHiddenFields } from '../../support/form-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, a, b, alice } = fixture;
const anna = await createSignedInClient(server, store, a);
const olga = await createSignedInClient(server, store);

const path = `/admin/organizations/${a}/settings`;
const valid = {
  name: 'Musterstadt',
  licenseName: 'DL-DE-BY-2.0',
  licenseUrl: 'https://www.govdata.de/dl-de/by-2-0',
  attribution: 'Daten: "Musterstadt" <b>',
  contactName: 'Statistikstelle',
  contactEmail: 'daten@musterstadt.example',
  contactUrl: 'https://www.musterstadt.example/daten',
  timeZone: 'Europe/Vienna',
  language: 'fr',
  country: 'AT',
  accentColor: '#ffcc00',
};

/** All fields of the page's form with their values. */
function parseFields(page: string): Record<string, string> {
  const visible = Object.keys(valid).map((name) => [name, getFieldValue(page, name) ?? '']);
  return { ...parseHiddenFields(page), ...Object.fromEntries(visible) };
}

const readPublished = async () => (await server.get('/organization', { key: alice })).json.data;
const listEdits = async () =>
  (await store.listAuditEvents(a, undefined, 100)).filter(({ action }) => action === 'organization.edited');

test('saved settings are published immediately, shown in the form and recorded once', async () => {
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
    locationDecimals: 3,
  });
  const { body } = await anna.open(`${path}?saved`);
  assert.match(body, /The settings have been saved/);
  for (const [name, value] of Object.entries(valid)) assert.equal(getFieldValue(body, name), value);
  assert.ok(!body.includes('have not been saved'));
  assert.match(body, /<option value="">Default \(German\)<[\s\S]+<option value="">Default \(Germany\)</);
  await anna.submitForm(path, valid);
  assert.equal((await listEdits()).length, 1);
});

test('the colour is shown as it will look on both grounds, and recorded', async () => {
  await store.editOrganization(a, { accentColor: null });
  assert.doesNotMatch((await anna.open(path)).body, /accent-previews/);
  const { body: form } = await anna.open(path);
  await anna.post(path, { ...parseFields(form), accentColor: '004F9F' });
  assert.equal(describeChanges((await listEdits())[0]), 'accentColor: – → #004f9f');
  const { body } = await anna.open(path);
  assert.equal(getFieldValue(body, 'accentColor'), '#004f9f');
  assert.match(body, /On a light background: unchanged/);
  assert.match(body, /On a dark background: as #[0-9a-f]{6}</);
  await anna.submitForm(path, valid);
});

test('an empty field removes its value, and the audit log has the changed fields only', async () => {
  await store.editOrganization(a, { licenseName: 'CC0-1.0', attribution: 'Neu' });
  await anna.submitForm(path, { ...valid, licenseName: 'CC0-1.0', attribution: 'Neu', contactName: ' ' });
  const { license, contact, attribution } = await readPublished();
  assert.deepEqual([license.name, contact.name, attribution], ['CC0-1.0', null, 'Neu']);
  assert.equal(describeChanges((await listEdits())[0]), 'contactName: Statistikstelle → –');
});

test('the audit log has old and new values, abbreviated', async () => {
  const before = (await listEdits()).length;
  const attribution = `Daten: ${'Ä'.repeat(300)}`;
  await store.editOrganization(a, { licenseName: 'CC-BY-4.0', attribution, timeZone: 'Europe/Vienna' });
  const edits = await listEdits();
  assert.equal(edits.length, before + 1);
  assert.equal(
    describeChanges(edits[0]),
    `licenseName: CC0-1.0 → CC-BY-4.0; attribution: Neu → Daten: ${'Ä'.repeat(192)}…`,
  );
});

for (const [language, message] of [
  ['en', '“Name of the licence” in the meantime (before: empty, now: “CC0-1.0”)'],
  [
    'de',
    '„Bezeichnung der Lizenz“ wurde inzwischen von einer anderen Person geändert (vorher leer, jetzt „CC0-1.0“)',
  ],
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
  assert.match(body, /now: “Von Olga”/);
  assert.equal(getFieldValue(body, 'attribution'), 'Von Anna');
  const hidden = parseHiddenFields(body);
  assert.equal((await anna.post(path, { ...hidden, ...present, attribution: 'Von Anna' })).status, 303);
  assert.equal((await readPublished()).attribution, 'Von Anna');
});

for (const [name, value] of [
  ['licenseName', 'x'.repeat(201)],
  ['licenseUrl', 'javascript:alert(1)'],
  ['licenseUrl', 'www.govdata.de'],
  ['licenseUrl', 'https://'],
  ['licenseUrl', 'https://none'],
  ['contactEmail', 'niemand'],
  ['contactUrl', 'https://a b'],
  ['attribution', 'ä'.repeat(1_001)],
  ['timeZone', 'Europe/Musterstadt'],
  ['timeZone', ''],
  ['accentColor', 'yellow'],
  ['accentColor', '#ffcc0'],
  ['accentColor', '#ffcc00"/>'],
  ['name', ''],
  ['name', 'x'.repeat(201)],
  ['name', 'Beispielburg'],
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

test('a licence from the list enters its name and address, another one is entered by hand', async () => {
  const { licenseName, licenseUrl, ...others } = valid;
  const choose = (license: string, own = { licenseName: '', licenseUrl: '' }) =>
    anna.submitForm(path, { ...others, ...own, license });
  const published = { name: 'CC-BY-4.0', url: 'https://creativecommons.org/licenses/by/4.0/' };
  assert.equal((await choose('CC-BY-4.0', { licenseName, licenseUrl: 'anything' })).status, 303);
  assert.deepEqual((await readPublished()).license, published);
  assert.equal(getFieldValue((await anna.open(path)).body, 'license'), 'CC-BY-4.0');

  const { status, body } = await choose('other');
  assert.equal(status, 422);
  assert.match(body, /href="#licenseName">Name of the licence: enter it, or choose/);
  assert.equal(getFieldValue(body, 'license'), 'other');
  assert.deepEqual((await readPublished()).license, published);

  await choose('other', { licenseName: 'ODbL-1.0', licenseUrl: '' });
  assert.deepEqual((await readPublished()).license, { name: 'ODbL-1.0', url: null });
  assert.equal(getFieldValue((await anna.open(path)).body, 'license'), 'other');
  await choose('');
  assert.equal((await readPublished()).license, null);
  assert.equal(getFieldValue((await anna.open(path)).body, 'license'), '');
});

test('an attribution that still names the former licence is rejected with a matching one', async () => {
  await store.editOrganization(a, {
    licenseName: 'DL-DE-BY-2.0',
    attribution: 'Daten: Musterstadt, dl-de/by-2-0',
  });
  const attribution = 'Daten: Musterstadt, dl-de/by-2-0';
  const { status, body } = await anna.submitForm(path, { ...valid, attribution, license: 'CC-BY-4.0' });
  assert.equal(status, 422);
  assert.match(body, /href="#attribution">The attribution still names the former licence \(DL-DE-BY-2\.0\)/);
  assert.match(body, /“Data: Musterstadt, CC-BY-4\.0”/);
  assert.equal(getFieldValue(body, 'attribution'), attribution);
  assert.equal(getFieldValue(body, 'license'), 'CC-BY-4.0');
  const matching = { ...valid, attribution: 'Daten: Musterstadt, CC BY 4.0', license: 'CC-BY-4.0' };
  assert.equal((await anna.submitForm(path, matching)).status, 303);
});

test('a licence that somebody else changed meanwhile is shown at the list', async () => {
  await store.editOrganization(a, { licenseName: null, licenseUrl: null });
  const form = parseFields((await anna.open(path)).body);
  await store.editOrganization(a, { licenseName: 'ODbL-1.0' });
  const { status, body } = await anna.post(path, { ...form, license: 'CC0-1.0' });
  assert.equal(status, 422);
  assert.match(body, /href="#license">Somebody else changed “[^”]+” in the meantime \(.*“ODbL-1.0”/);
  assert.match(body, /<select[^>]* name="license"[^>]* aria-invalid="true"/);
  assert.equal(getFieldValue(body, 'license'), 'CC0-1.0');
});

for (const [language, zone, city, last] of [
  ['en', 'Austria', 'Germany – Büsingen', 'Coordinated Universal Time (UTC)'],
  ['de', 'Österreich', 'Deutschland – Büsingen', 'Koordinierte Weltzeit (UTC)'],
] as const) {
  test(`time zones have names in the reader's language: ${language}`, async () => {
    const { body } = await anna.get(path, { 'accept-language': language });
    const [list = ''] = /<select[^>]* name="timeZone".*?<\/select>/.exec(body) ?? [];
    const options = [...list.matchAll(/<option value="([^"]+)"[^>]*>([^<]+)/g)].map(([, value, text]) => [
      value,
      text,
    ]);
    assert.ok(options.length > 400);
    assert.ok(options.some(([value, text]) => value === 'Europe/Vienna' && text === zone));
    assert.ok(options.some(([value, text]) => value === 'Europe/Busingen' && text === city));
    assert.deepEqual(options.at(-1), ['UTC', last]);
    const names = options.slice(0, -1).map(([, text = '']) => text);
    assert.deepEqual(names, names.toSorted(new Intl.Collator(language).compare));
  });
}

test('another name of a time zone, from the command line, stays as it is', async () => {
  await fixture.runCli('organization', 'edit', a, '--time-zone', 'Europe/Kyiv');
  const fields = parseFields((await anna.open(path)).body);
  assert.equal(fields.timeZone, 'Europe/Kyiv');
  await anna.submitForm(path, { ...fields, attribution: 'Daten: Kyjiw' });
  const { timeZone, attribution } = await readPublished();
  assert.deepEqual([timeZone, attribution], ['Europe/Kyiv', 'Daten: Kyjiw']);
  await store.editOrganization(a, { timeZone: 'Europe/Berlin' });
});

test('operators edit every municipality, other administrators receive 404', async () => {
  const other = `/admin/organizations/${b}/settings`;
  assert.equal((await olga.submitForm(other, { ...valid, name: 'Beispielburg' })).status, 303);
  assert.equal((await store.findOrganization(b))?.license?.name, valid.licenseName);
  assert.equal((await anna.get(other)).status, 404);
});

test('an administrator renames the municipality, and the audit log has both names', async () => {
  await anna.submitForm(path, { ...valid, name: 'Neustadt' });
  assert.equal((await readPublished()).name, 'Neustadt');
  const [edit] = await listEdits();
  assert.match(describeChanges(edit), /^name: Musterstadt → Neustadt/);
  assert.equal(edit?.actor, anna.email);
  await store.editOrganization(a, { name: 'Musterstadt' });
});

test('an email address with an umlaut has the same form from browser and command line', async () => {
  await store.editOrganization(a, { contactEmail: null });
  await fixture.runCli('organization', 'edit', a, '--contact-email', 'Amt@Städte.example');
  const before = (await listEdits()).length;
  for (const contactEmail of ['Amt@xn--stdte-hra.example', 'Amt@STÄDTE.example']) {
    const stored = parseFields((await anna.open(path)).body);
    assert.equal((await anna.submitForm(path, { ...stored, contactEmail })).status, 303);
    assert.equal((await readPublished()).contact.email, 'Amt@xn--stdte-hra.example');
  }
  assert.equal((await listEdits()).length, before);
});

test('values from a URL are shown as not saved, with the names of their fields', async () => {
  await store.editOrganization(a, { attribution: 'Alt', licenseName: null });
  const query = new URLSearchParams({ attribution: 'Aus der <URL>', licenseName: '' });
  const { body } = await anna.open(`${path}?${query}`);
  assert.match(body, /These changes have not been saved/);
  assert.match(body, /differ from the saved settings: Attribution\./);
  assert.equal(getFieldValue(body, 'attribution'), 'Aus der <URL>');
  assert.match(body, new RegExp(`href="${path}">Discard changes`));
  assert.equal((await readPublished()).attribution, 'Alt');
  const german = await anna.get(`${path}?${query}`, { 'accept-language': 'de' });
  assert.match(german.body, /Diese Änderungen sind noch nicht gespeichert/);
});

test('a form that returns after signing in still notices a change of somebody else', async () => {
  await store.editOrganization(a, { attribution: 'Alt', licenseName: null });
  const form = parseFields((await anna.open(path)).body);
  await store.editOrganization(a, { attribution: 'Von Olga', licenseName: 'CC0-1.0' });
  const back = new URLSearchParams({ ...form, attribution: 'Von Anna' });
  const { body } = await anna.open(`${path}?${back}`);
  assert.equal(getFieldValue(body, 'licenseName'), 'CC0-1.0');
  const { status, body: rejected } = await anna.post(path, parseFields(body));
  assert.equal(status, 422);
  assert.match(rejected, /now: “Von Olga”/);
});

test('words to replace are checked, tried on a text, saved, and not written into the audit log', async () => {
  const terms = `${path}/redaction`;
  const lines = 'Erika Mustermann\nCustomer number = /K-[0-9]{6}/';
  const sample = 'erika mustermann <b> has K-123456';
  const preview = await anna.submitForm(terms, { terms: lines, sample, action: 'preview' });
  assert.equal(preview.status, 200);
  assert.match(preview.body, /\[supprimé\] &lt;b&gt; has \[Customer number\]/);
  assert.equal((await store.findOrganization(a))?.redactionTerms, null, 'a preview saves nothing');

  for (const [invalid, message] of [
    ['Erika\nName = /(/', /line 2 must be a word of at least two characters/],
    ['x', /line 1 must be/],
    ['Any = /x*/', /line 1 must be/],
    ['/K-[0-9]{6}/', /line 1 must be/],
    ['ab\n'.repeat(1_001), /at most 1,000 lines/],
  ] as const) {
    const { status, body } = await anna.submitForm(terms, { terms: invalid, sample: '', action: 'save' });
    assert.equal(status, 422);
    assert.match(body, message);
  }
  const slow = { terms: 'Slow = /(a+)+b/', sample: 'a'.repeat(40), action: 'preview' };
  assert.match((await anna.submitForm(terms, slow)).body, /a pattern takes too long/);

  const saved = await anna.submitForm(terms, { terms: `${lines}\n\n`, sample: '', action: 'save' });
  assert.equal(saved.location, `${terms}?saved`);
  assert.equal((await store.findOrganization(a))?.redactionTerms, lines);
  const opened = (await anna.open(terms)).body;
  assert.match(opened, /Erika Mustermann/);
  assert.doesNotMatch(opened, /have not been saved/);
  // The URL after a new sign-in contains the form.
  const urls = { changed: 'Max', unchanged: lines.replaceAll('\n', '\r\n') };
  for (const [what, entered] of Object.entries(urls)) {
    const { body } = await anna.open(`${terms}?${new URLSearchParams({ terms: entered, sample })}`);
    assert.equal(body.includes('These changes have not been saved'), what === 'changed', what);
  }
  const [edit] = await listEdits();
  assert.match(JSON.stringify(edit?.changes), /2 lines \([0-9a-f]{8}\)/);
  assert.doesNotMatch(JSON.stringify(edit), /Erika/);
  assert.equal((await readPublished()).redactionTerms, undefined);
  await anna.submitForm(terms, { terms: '', sample: '', action: 'save' });
  assert.equal((await store.findOrganization(a))?.redactionTerms, null);
});
