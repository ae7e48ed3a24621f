import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { parseSlug, suggestSlug } from '../../../src/domain/organizations/open-data.ts';
import { describeChanges } from '../../support/audit-changes.ts';
import { createTemporaryFolder, toNdjson } from '../../support/files.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { createFormClient, createSignedInClient, getFieldValue } from '../../support/form-client.ts';
import { createSubmission } from '../../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, a, b } = fixture;
const anna = await createSignedInClient(server, store, a);
const german = createFormClient(server.address, 'de');
for (const [name, value] of anna.cookies) german.cookies.set(name, value);

const path = `/admin/organizations/${a}/open-data`;
const settings = `/admin/organizations/${a}/settings`;
const latestChange = async () => describeChanges((await store.listAuditEvents(a, undefined, 1))[0]);

suite('the page of open data', { concurrency: false }, () => {
  test('is linked from the settings, and shows what becomes public before it is switched on', async () => {
    assert.ok((await anna.open(settings)).body.includes(`href="${path}"`));
    const { body } = await anna.open(path);
    for (const kind of ['submissions', 'sessions', 'surveys'])
      assert.match(body, new RegExp(`href="/admin/organizations/${a}/data/${kind}"`));
    assert.match(body, /No import has published anything yet/);
    assert.match(body, /No licence yet/);
    assert.match(body, /Names of people are not detected\./);
    assert.match((await german.open(path)).body, /Namen von Personen werden nicht erkannt\./);
    assert.equal(getFieldValue(body, 'slug'), 'musterstadt');
  });

  for (const [client, message] of [
    [anna, 'Licence: choose one, so'],
    [german, 'Lizenz: Wählen Sie eine Lizenz, damit'],
  ] as const) {
    test(`keeps the entered name without a licence, and says beside the licence: ${message}`, async () => {
      const { status, body } = await client.submitForm(path, { slug: 'muster', action: 'on' });
      assert.equal(status, 422);
      assert.ok(body.includes(message) && body.includes('href="#license"'));
      assert.ok(body.includes('id="license-error"'));
      assert.equal(getFieldValue(body, 'slug'), 'muster');
      assert.equal((await store.findOrganization(a))?.openData, 'off');
    });
  }

  test('offers the licence beside the switch, and says what is missing of another one', async () => {
    const other = { slug: 'muster', license: 'other', licenseName: '', licenseUrl: '', action: 'on' };
    const { status, body } = await anna.submitForm(path, other);
    assert.equal(status, 422);
    assert.ok(body.includes('href="#licenseName"') && body.includes('id="licenseName-error"'));
    assert.match(body, /<option value="other" selected>/);
    const wrong = { ...other, licenseName: 'X', licenseUrl: 'x' };
    assert.ok((await anna.submitForm(path, wrong)).body.includes('id="licenseUrl-error"'));
    assert.equal((await store.findOrganization(a))?.license, null);
    const chosen = await anna.submitForm(path, { slug: 'muster', license: 'DL-DE-BY-2.0', action: 'on' });
    assert.equal(chosen.location, `${path}?on`);
    const { license, openData } = (await store.findOrganization(a)) ?? {};
    assert.deepEqual(
      [license, openData],
      [{ name: 'DL-DE-BY-2.0', url: 'https://www.govdata.de/dl-de/by-2-0' }, 'on'],
    );
    assert.ok(!(await anna.open(path)).body.includes('<select'));
    await store.editOrganization(a, { openData: 'off', licenseName: null, licenseUrl: null, slug: null });
  });

  test('asks people who may not change settings to have a licence chosen there', async () => {
    const publisher = await createSignedInClient(server, store, a, ['publish']);
    const entered = { slug: 'muster', license: 'CC0-1.0', licenseName: 'CC0-1.0', action: 'on' };
    const { status, body } = await publisher.submitForm(path, entered);
    assert.equal(status, 422);
    assert.ok(body.includes('id="license-error"') && !body.includes('<select'));
    assert.equal((await store.findOrganization(a))?.license, null);
  });

  test('rejects a wrong, a reserved and a taken name at the field', async () => {
    await store.editOrganization(a, { licenseName: 'CC-BY-4.0' });
    await store.editOrganization(b, { slug: 'beispielburg' });
    for (const [slug, message] of [
      ['a', /enter 2 to 60 letters a to z/],
      ['köln', /enter 2 to 60 letters a to z/],
      ['catalog', /are reserved/],
      ['beispielburg', /another municipality has or had this name/],
    ] as const) {
      const { status, body } = await anna.submitForm(path, { slug, action: 'on' });
      assert.equal(status, 422);
      assert.match(body, message);
      assert.ok(body.includes('href="#slug"') && body.includes('id="slug-error"'));
      assert.equal(getFieldValue(body, 'slug'), slug);
    }
    assert.equal(await store.findOpenData('musterstadt'), undefined);
  });

  test('switches open data on, changes the address, and switches it off at once', async () => {
    const switched = await anna.submitForm(path, { slug: ' Musterstadt ', action: 'on' });
    assert.deepEqual([switched.status, switched.location], [303, `${path}?on`]);
    assert.equal(await latestChange(), 'slug: – → musterstadt; openData: off → on');
    const page = (await anna.open(`${path}?on`)).body;
    assert.match(page, /id="result"[^>]*>.*Open data is on/s);
    const files = [...page.matchAll(/href="([^"]+\/open\/musterstadt\/[^"]+)"/g)].map(([, url = '']) => url);
    assert.ok(files.length > 3);
    const [, home = ''] = /href="([^"]+\/open\/musterstadt)"/.exec(page) ?? [];
    for (const url of [home, ...files]) assert.equal((await fetch(url)).status, 200, url);
    const changed = await anna.submitForm(path, { slug: 'muster-stadt', action: 'save' });
    assert.equal(changed.location, `${path}?saved`);
    assert.partialDeepStrictEqual(await store.findOpenData('musterstadt'), {
      organizationId: a,
      slug: 'muster-stadt',
    });
    await anna.submitForm(path, { slug: 'muster-stadt', index: '1', action: 'save' });
    assert.equal(await latestChange(), 'openDataIndex: off → on');
    assert.match((await anna.open(path)).body, /id="index" name="index" value="1" checked/);
    await anna.submitForm(path, { slug: 'muster-stadt', action: 'save' });
    assert.equal(await latestChange(), 'openDataIndex: on → off');
    assert.equal((await anna.submitForm(path, { action: 'off' })).location, `${path}?off`);
    assert.equal(await store.findOpenData('muster-stadt'), undefined);
    assert.equal(await latestChange(), 'openData: on → off');
    const { body } = await german.get(`/admin/organizations/${a}/audit`);
    assert.match(body, /Offene Daten: .*eingeschaltet.*ausgeschaltet/s);
    assert.match(body, /Offene Daten ausgeschaltet.*Offene Daten eingeschaltet/s);
  });

  test('shows what the last import of each source found in texts, replaced or not', async (t) => {
    const file = join(createTemporaryFolder(t), 'anliegen.ndjson');
    const describe = (index: number, description: string) => ({
      ...createSubmission(index),
      kind: 'submission',
      description,
    });
    const records = [
      describe(901, 'Bitte an erika@example.org antworten, oder 030 1234567.'),
      describe(902, 'Rückruf unter 030 7654321.'),
    ];
    await writeFile(file, toNdjson(records));
    await fixture.runCli('import', 'rostra', file, '--organization', a, '--redact', 'email');
    const { body } = await anna.open(path);
    assert.match(body, /Email addresses<.*?>1<.*?>replaced</s);
    assert.match(body, /Telephone numbers<.*?>2<.*?>stays visible in the text</s);
  });

  test('is off after the settings have removed the licence, and the settings say so', async () => {
    await store.editOrganization(a, { openData: 'on', slug: 'musterstadt' });
    const fields = { name: 'Musterstadt', timeZone: 'Europe/Berlin', license: '' };
    const { location } = await anna.submitForm(settings, fields);
    assert.equal(location, `${settings}?saved=open-data-off`);
    assert.match((await anna.open(`${location}`)).body, /Without a licence, open data is now off/);
    assert.equal(await store.findOpenData('musterstadt'), undefined);
  });
});

test('a slug is suggested without the legal form of a city, and with transcribed letters', () => {
  for (const [name, slug] of [
    ['Stadt Lindenau am See', 'lindenau-am-see'],
    ['Freie und Hansestadt Hamburg', 'hamburg'],
    ['Köln', 'koeln'],
    ['Große Kreisstadt Weißenfels', 'weissenfels'],
    ['Landkreis Karlsruhe', 'landkreis-karlsruhe'],
    ['City of New York', 'new-york'],
    ['Saint-Étienne (Loire)', 'saint-etienne-loire'],
    ['Stadt', 'stadt'],
    ['Αθήνα', ''],
    ['Open', ''],
  ] as const)
    assert.equal(suggestSlug(name), slug, name);
  assert.equal(parseSlug(suggestSlug('x'.repeat(59).concat(' y'.repeat(50)))), 'x'.repeat(59));
});
