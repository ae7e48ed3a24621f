import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { describeChanges } from '../../support/audit-changes.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { createSignedInClient, decodeHtml, type FormClient } from '../../support/form-client.ts';
import { createAnimatedWebp, createPng, createPngChunk, jpegImage, webpImage } from '../../support/images.ts';
import { openRawConnection } from '../../support/raw-socket.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, a, b, alice } = fixture;
const anna = await createSignedInClient(server, store, a);
const settings = `/admin/organizations/${a}/settings`;
const path = `/admin/organizations/${a}/logo`;

const readLogo = async () => (await server.get('/organization', { key: alice })).json.data.logo;

/** The hidden fields of the form with the file. */
async function openForm(client: FormClient = anna): Promise<Record<string, string>> {
  const { body } = await client.open(settings);
  const form = /<form[^>]* enctype="multipart\/form-data"[\s\S]*?<\/form>/.exec(body)?.[0] ?? '';
  const fields = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, decodeHtml(value ?? '')]));
}

function createBody(fields: Record<string, string>, content?: Buffer, type = 'image/png'): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  // Browsers send an empty file if none was chosen.
  const file =
    content === undefined ? new File([], '') : new File([new Uint8Array(content)], 'x.png', { type });
  body.set('logo', file);
  return body;
}

const upload = async (content?: Buffer, headers: Record<string, string> = {}) =>
  anna.send(path, createBody(await openForm(), content), headers);

test('an uploaded logo is shown, published and recorded; a replaced one is gone; it can be removed', async () => {
  assert.match((await anna.open(settings)).body, /There is no logo yet/);
  const { status, location } = await upload(jpegImage);
  assert.deepEqual([status, location], [303, `${settings}?logo=saved`]);
  const first = await readLogo();
  assert.deepEqual([first.mediaType, first.width, first.height], ['image/jpeg', 24, 16]);
  const { body } = await anna.open(`${settings}?logo=saved`);
  assert.match(body, /The logo has been saved/);
  const source = /<img class="logo" src="([^"]+)" width="24" height="16" alt="Logo of Musterstadt">/.exec(
    body,
  )?.[1];
  const image = await fetch(server.address + source);
  assert.deepEqual(Buffer.from(await image.arrayBuffer()), jpegImage);
  assert.equal(image.headers.get('content-type'), 'image/jpeg');
  assert.equal(image.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(image.headers.get('x-content-type-options'), 'nosniff');
  assert.match(image.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  await upload(webpImage);
  assert.equal((await fetch(server.address + source)).status, 404);
  assert.equal((await readLogo()).mediaType, 'image/webp');
  const { token = '', initial = '' } = await openForm();
  const removal = await anna.post(path, { token, initial, action: 'remove' });
  assert.equal(removal.location, `${settings}?logo=removed`);
  assert.equal(await readLogo(), null);
  const subjects = (await store.listAuditEvents(a, undefined, 3)).map(describeChanges);
  assert.match(
    subjects.join('|'),
    /image\/webp .+ → –\|logo: image\/jpeg .+ → image\/webp .+\|logo: – → image\/jpeg/,
  );
});

for (const [what, content, english, german] of [
  ['no file', undefined, 'Choose an image file', 'Wählen Sie eine Bilddatei aus'],
  [
    'an SVG',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'not a PNG, JPEG or WebP',
    'kein Bild im Format',
  ],
  ['a page', Buffer.from('<html><script>alert(1)</script>'), 'not a PNG', 'kein Bild'],
  ['a truncated image', createPng().subarray(0, -7), 'The file is damaged', 'Die Datei ist beschädigt'],
  [
    'an image that is also a ZIP archive',
    Buffer.concat([createPng(), Buffer.from('PK\x03\x04')]),
    'contains more than the image',
    'enthält weitere Daten',
  ],
  ['an animation', createAnimatedWebp(), 'is animated', 'ist animiert'],
  ['an image of many pixels', createPng(1, 2 ** 31 - 1), '2,000 pixels', '2.000 Pixel'],
  [
    'a large file',
    createPng(24, 16, 0, [createPngChunk('teXt', Buffer.alloc(262_144))]),
    'larger than 250 kB',
    'größer als 250 kB',
  ],
  ['a very large file', Buffer.alloc(12_000_000, 1), 'larger than 250 kB', 'größer als 250 kB'],
] as const) {
  test(`${what} is rejected with the reason, and the earlier logo stays`, async () => {
    await upload(createPng());
    const before = await readLogo();
    for (const [language, message] of [
      ['en', english],
      ['de', german],
    ] as const) {
      const { status, body } = await upload(content, { 'accept-language': language });
      assert.equal(status, 422);
      assert.match(body, /<input class="file-input[^>]* aria-invalid="true"/);
      assert.ok(/id="logo-error"[\s\S]*?<\/p>/.exec(body)?.[0].includes(message), body);
    }
    assert.deepEqual(await readLogo(), before);
  });
}

test('the declared type and the name of the file do not count', async () => {
  assert.equal((await anna.send(path, createBody(await openForm(), webpImage, 'text/html'))).status, 303);
  assert.equal((await readLogo()).mediaType, 'image/webp');
});

test('a logo that somebody else changed is not overwritten', async () => {
  await upload(createPng());
  const form = await openForm();
  await upload(jpegImage);
  const before = await readLogo();
  const { status, body } = await anna.send(path, createBody(form, webpImage));
  assert.equal(status, 422);
  assert.match(body, /Somebody else changed the logo/);
  const removal = await anna.post(path, {
    token: form.token ?? '',
    initial: form.initial ?? '',
    action: 'remove',
  });
  assert.equal(removal.status, 422);
  assert.deepEqual(await readLogo(), before);
});

test('forms without a valid token, of readers and for other municipalities change nothing', async () => {
  const before = await readLogo();
  const form = await openForm();
  assert.equal((await anna.send(path, createBody({ ...form, token: 'x' }, webpImage))).status, 403);
  const foreign = await anna.send(`/admin/organizations/${b}/logo`, createBody(form, webpImage));
  assert.equal(foreign.status, 404);
  const tooMany = createBody(form, webpImage);
  for (let index = 0; index < 10; index += 1) tooMany.set(`more-${index}`, 'x');
  assert.equal((await anna.send(path, tooMany)).status, 413);
  const twoFiles = createBody(form, webpImage);
  twoFiles.append('logo', new File(['x'], 'y.png'));
  assert.equal((await anna.send(path, twoFiles)).status, 413);
  for (const [body, type] of [
    ['nothing', 'multipart/form-data'],
    ['--x\r\nnothing', 'multipart/form-data; boundary=x'],
    ['{}', 'application/json'],
  ] as const)
    assert.equal((await anna.send(path, body, { 'content-type': type })).status, 400, body);
  assert.deepEqual(await readLogo(), before);
});

test('other forms reject files', async () => {
  const body = createBody(await openForm(), webpImage);
  assert.equal((await anna.send(settings, body)).status, 400);
});

test('an upload that stops midway leaves the earlier logo', async () => {
  const before = await readLogo();
  const form = await openForm();
  const request = new Request(server.address, { method: 'POST', body: createBody(form, createPng(99, 99)) });
  const body = Buffer.from(await request.arrayBuffer());
  const { socket } = await openRawConnection(server.port);
  const cookies = [...anna.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'host: localhost',
      `cookie: ${cookies}`,
      `content-type: ${request.headers.get('content-type')}`,
      `content-length: ${body.length}`,
      '\r\n',
    ].join('\r\n'),
  );
  socket.end(body.subarray(0, -80));
  socket.resume();
  await once(socket, 'close');
  assert.deepEqual(await readLogo(), before);
});

test('the path of the form leads to the settings, for browsers that return after signing in', async () => {
  assert.equal((await anna.open(path)).path, settings);
});
