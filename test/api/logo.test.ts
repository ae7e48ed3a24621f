import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type NewLogo, parseLogo } from '../../src/domain/organizations/logo.ts';
import { describeChanges } from '../support/audit-changes.ts';
import { createFixture } from '../support/fixture.ts';
import { sendRequest } from '../support/http-client.ts';
import { createPng, jpegImage, webpImage } from '../support/images.ts';

const fixture = await createFixture({ after });
const { store, a, b, alice, charlie, sql } = fixture;
const server = await fixture.startServer();
const publicServer = await fixture.startServer({ ROSTRA_PUBLIC_URL: 'https://daten.example' });

const parse = (content: Buffer) => parseLogo(content) as NewLogo;
const setLogo = (content: Buffer, id = a) => store.editOrganization(id, { logo: parse(content) });
const readLogo = async (key = alice) => (await server.get('/organization', { key })).json.data.logo;

for (const [mediaType, content] of [
  ['image/png', createPng()],
  ['image/jpeg', jpegImage],
  ['image/webp', webpImage],
] as const) {
  test(`a logo of the type ${mediaType} is published, and served without a key`, async () => {
    await setLogo(content);
    const { url, ...facts } = await readLogo();
    assert.deepEqual(facts, { mediaType, width: 24, height: 16 });
    assert.match(url, /^\/logos\/[0-9a-f]{32}\.(png|jpeg|webp)$/);
    const response = await fetch(server.address + url, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(response.status, 200);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), content);
    const headers = Object.fromEntries(response.headers);
    assert.equal(headers['content-type'], mediaType);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox");
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['content-encoding'], undefined);
    assert.equal((await sendRequest(server.port, url, { method: 'HEAD' })).text, '');
  });
}

test('the address of a logo is absolute if the public URL is known', async () => {
  await store.editOrganization(a, { attribution: 'Daten: "logo":{"url":" $& \\' });
  await setLogo(createPng());
  const path = (await readLogo()).url;
  const { data } = (await publicServer.get('/organization', { key: alice })).json;
  assert.equal(data.logo.url, `https://daten.example${path}`);
  assert.equal(data.attribution, 'Daten: "logo":{"url":" $& \\');
});

test('a new logo has a new address immediately, and the earlier address returns 404', async () => {
  await setLogo(createPng());
  for (let time = 0; time < 3; time += 1) await readLogo();
  const { url } = await readLogo();
  await setLogo(createPng(30, 20));
  const present = await readLogo();
  assert.notEqual(present.url, url);
  assert.deepEqual([present.width, present.height], [30, 20]);
  assert.equal((await server.get(url, { absolute: true })).status, 404);
  await store.editOrganization(a, { logo: null });
  assert.equal(await readLogo(), null);
  assert.equal((await server.get(present.url, { absolute: true })).status, 404);
});

test('two municipalities may have the same image, and one may remove it', async () => {
  await setLogo(jpegImage);
  await setLogo(jpegImage, b);
  const { url } = await readLogo(charlie);
  assert.equal(url, (await readLogo()).url);
  await store.editOrganization(a, { logo: null });
  assert.equal((await sendRequest(server.port, url)).status, 200);
});

test('only the name of a present logo leads to an image', async () => {
  await setLogo(createPng());
  const { url } = await readLogo();
  for (const path of [
    url.replace('.png', '.webp'),
    url.replace('.png', ''),
    url.toUpperCase().replace('/LOGOS', '/logos'),
    `/logos/${'0'.repeat(32)}.png`,
    '/logos/..%2f..%2fetc%2fpasswd',
    '/logos/',
  ]) {
    const { status, json } = await server.get(path, { absolute: true });
    assert.deepEqual([status, json.code], [404, 'NOT_FOUND'], path);
  }
  assert.equal((await server.get(url, { absolute: true, method: 'POST' })).status, 405);
});

test('the logo of a removed municipality is removed', async () => {
  const { id } = await store.addOrganization('Kurzstadt', '1f7b3c58-9f7e-4a53-8a3d-0d5b2a8f4a11');
  await setLogo(webpImage, id);
  await store.removeOrganization(id);
  assert.deepEqual(await sql('SELECT digest FROM organization_logo WHERE organization_id = $1', [id]), []);
});

test('the audit log names old and new logo, and an equal logo changes nothing', async () => {
  await store.editOrganization(a, { logo: null });
  const listEvents = () => store.listAuditEvents(a, undefined, 100);
  const before = new Set((await listEvents()).map(({ id }) => id));
  await setLogo(createPng());
  await setLogo(createPng());
  await store.editOrganization(a, { logo: parse(jpegImage), name: 'Neustadt' });
  const events = (await listEvents()).filter(({ id }) => !before.has(id));
  // Events of the same millisecond have no order.
  const [first = '', second = '', ...others] = events.map(describeChanges).toSorted();
  assert.deepEqual(others, []);
  assert.match(first, /^logo: – → image\/png 24 × 16 \([0-9a-f]{8}\)$/);
  assert.match(
    second,
    /^name: Musterstadt → Neustadt; logo: image\/png 24 × 16 \([0-9a-f]{8}\) → image\/jpeg 24 × 16 \([0-9a-f]{8}\)$/,
  );
});

for (const [what, assignment] of [
  ['a digest without the other facts', "logo_digest = '00000000000000000000000000000000'"],
  [
    'another type of image',
    "logo_digest = '00000000000000000000000000000000', logo_media_type = 'image/svg+xml', logo_width = 1, logo_height = 1",
  ],
] as const) {
  test(`the schema rejects ${what}`, async () => {
    await store.editOrganization(b, { logo: null });
    await assert.rejects(sql(`UPDATE organization SET ${assignment} WHERE id = $1`, [b]), /constraint/);
  });
}
