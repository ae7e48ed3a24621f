import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';

const fixture = await createFixtureWithServer({ after });
const { server, a, b, alice, charlie, sql, store } = fixture;

async function readOrganization(key = alice) {
  const { status, text } = await server.get('/organization', { key });
  assert.equal(status, 200);
  return text;
}

test('a new municipality has the time zone Europe/Berlin, and nothing else but id and name', async () => {
  const organization = {
    id: b,
    name: 'Beispielburg',
    timeZone: 'Europe/Berlin',
    license: null,
    contact: null,
    attribution: null,
    logo: null,
    locationDecimals: null,
  };
  assert.equal(
    JSON.stringify(JSON.parse(await readOrganization(charlie))),
    JSON.stringify({ data: organization }),
  );
});

test('licence and contact are objects as soon as one of their members is set, and null when none is', async () => {
  const read = async () => JSON.parse(await readOrganization()).data;
  await store.editOrganization(a, {
    licenseUrl: 'https://stadt.example/licence',
    contactEmail: 'x@stadt.example',
  });
  const { license, contact } = await read();
  assert.deepEqual(license, { name: null, url: 'https://stadt.example/licence' });
  assert.deepEqual(contact, { name: null, email: 'x@stadt.example', url: null });
  await store.editOrganization(a, { licenseUrl: null, contactEmail: null });
  const cleared = await read();
  assert.deepEqual([cleared.license, cleared.contact], [null, null]);
});

test('a change is visible to the next request, whichever program made it', async () => {
  for (const attribution of ['Daten: "Musterstadt" \\ 🚲', 'Neu', null]) {
    // Cached on its second request.
    for (let time = 0; time < 3; time += 1) await readOrganization();
    await sql('UPDATE organization SET attribution = $1 WHERE id = $2', [attribution, a]);
    assert.equal(JSON.parse(await readOrganization()).data.attribution, attribution);
  }
  await store.editOrganization(a, { name: 'Neustadt' });
  assert.equal(JSON.parse(await readOrganization()).data.name, 'Neustadt');
  assert.ok((await readOrganization(charlie)).includes('Beispielburg'));
});

for (const [what, column, value] of [
  ['a time zone with spaces', 'time_zone', 'Europe / Berlin'],
  ['no time zone', 'time_zone', null],
  ['an empty licence', 'license_name', ''],
  ['a licence with a line break', 'license_name', 'a\nb'],
  ['a licence URL with another scheme', 'license_url', 'javascript:alert(1)'],
  ['a contact URL with a space', 'contact_url', 'https://a b'],
  ['an email address without @', 'contact_email', 'stadt.example'],
  ['an email address with a space', 'contact_email', 'a b@stadt.example'],
  ['an attribution of 1,001 characters', 'attribution', 'ä'.repeat(1_001)],
  ['an attribution with a control character', 'attribution', 'a\u0085b'],
  ['locations with five decimals', 'location_decimals', '5'],
  ['an empty list of topics', 'topics_without_location', ''],
  ['the name of a colour', 'accent_color', 'red'],
  ['a colour in capitals', 'accent_color', '#004F9F'],
  ['a colour with more than its digits', 'accent_color', '#004f9f;'],
] as const) {
  test(`the schema rejects ${what}`, async () => {
    await assert.rejects(
      sql(`UPDATE organization SET ${column} = $1 WHERE id = $2`, [value, b]),
      /constraint/,
    );
  });
}
