/** Uploads of large files: streamed to disk, bounded, and removed if they are incomplete. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import fsPromises from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { maxOpenRuns } from '../../src/domain/runs/run-queue.ts';
import { createTemporaryFolder, type Scope } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { createSignedInClient } from '../support/form-client.ts';
import { waitUntil } from '../support/wait-until.ts';

const fixture = await createFixture({ after });
const { store, a } = fixture;
const folder = join(createTemporaryFolder({ after }), 'uploads');
const server = await fixture.startServer({
  ROSTRA_UPLOAD_FOLDER: folder,
  ROSTRA_MAX_UPLOAD: '1',
  ROSTRA_REQUEST_TIMEOUT: '1',
});
const client = await createSignedInClient(server, store, a);
const path = `/admin/organizations/${a}/imports/new`;
const { body: page } = await client.open(path);
const [, token = ''] = /name="token" value="([^"]+)"/.exec(page) ?? [];

const newSource = 'new';

const boundary = '----rostra-test';
const field = (name: string, value: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="../../Export.csv"\r\ncontent-type: text/csv\r\n\r\n`;
const end = `\r\n--${boundary}--\r\n`;

/** Starts a request whose body the test writes. */
function openUpload(bodyBytes: number, isSignedIn = true, address = server.address): ClientRequest {
  const cookies = isSignedIn ? [...client.cookies] : [];
  const cookie = cookies.map(([name, value]) => `${name}=${value}`).join('; ');
  const upload = request(address + path, {
    method: 'POST',
    headers: {
      cookie,
      'accept-language': 'en',
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': bodyBytes,
    },
  });
  upload.on('error', () => undefined);
  return upload;
}

async function send(
  content: Buffer,
  formToken = token,
  address = server.address,
): Promise<{ status: number; location: string; body: string }> {
  const head = Buffer.from(field('token', formToken) + field('source', newSource) + fileHead);
  const whole = Buffer.concat([head, content, Buffer.from(end)]);
  const upload = openUpload(whole.length, true, address);
  upload.end(whole);
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode ?? 0, location: response.headers.location ?? '', body };
}

const listFiles = () => (existsSync(folder) ? readdirSync(folder) : []);
const listRuns = () => store.listRunsWithFile(a);

test('an upload is stored below the upload folder, whatever its name', async () => {
  const { status, location } = await send(Buffer.from('id,text\n1,Bank\n'));
  assert.equal(status, 303);
  const [run] = await listRuns();
  assert.ok(location.endsWith(`/imports/${run?.id}/steps#result`), location);
  assert.deepEqual(run?.input, { kind: 'upload', fileName: 'Export.csv', bytes: 15 });
  assert.deepEqual(readdirSync(join(folder, `${a}_${run?.id}`)), ['Export.csv']);
});

test('a file that is too large or empty is rejected with a sentence, and not stored', async () => {
  const before = [listFiles().length, (await listRuns()).length];
  const large = await send(Buffer.alloc(1_048_577, 'x'));
  assert.equal(large.status, 422);
  assert.match(large.body, /1\s?Mi?B|1\.0/);
  assert.equal((await send(Buffer.alloc(0))).status, 422);
  assert.deepEqual([listFiles().length, (await listRuns()).length], before);
  assert.equal((await send(Buffer.alloc(1_048_576, 'x'))).status, 303, 'exactly the limit');
});

test('a form without a valid token stores nothing', async () => {
  const before = listFiles().length;
  assert.equal((await send(Buffer.from('id,text\n1,Bank\n'), 'invalid')).status, 403);
  assert.equal(listFiles().length, before);
});

test('an upload that stops midway leaves no file and no run', async () => {
  const before = [listFiles().length, (await listRuns()).length];
  const upload = openUpload(1_000_000);
  upload.write(field('token', token) + field('source', newSource) + fileHead + 'x'.repeat(200_000));
  await waitUntil('a partial file', () => listFiles().some((name) => name.startsWith('partial_')));
  upload.destroy();
  await waitUntil('its removal', () => listFiles().length === before[0]);
  assert.equal((await listRuns()).length, before[1]);
});

test('an upload may take longer than the request timeout', async () => {
  const content = Buffer.from(`id,text\n${'1,Bank\n'.repeat(10)}`);
  const head = field('token', token) + field('source', newSource) + fileHead;
  const upload = openUpload(Buffer.byteLength(head) + content.length + end.length);
  upload.write(head);
  for (const part of [content.subarray(0, 20), content.subarray(20)]) {
    await setTimeout(1_600);
    upload.write(part);
  }
  upload.end(end);
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  response.resume();
  assert.equal(response.statusCode, 303);
});

test('without a login session, a large form is not read, and does not keep its connection open', async () => {
  const before = listFiles().length;
  const whole = Buffer.from(
    `${field('token', token)}${field('source', 'x'.repeat(100_000))}${fileHead}x${end}`,
  );
  const complete = openUpload(whole.length, false);
  complete.end(whole);
  const [response] = (await once(complete, 'response')) as [IncomingMessage];
  response.resume();
  assert.equal(response.statusCode, 303);
  assert.match(response.headers.location ?? '', /^\/admin\/sign-in\?/);

  const slow = openUpload(50_000, false);
  slow.write(field('token', token));
  await waitUntil('the end of the connection', () => slow.destroyed);
  assert.equal(listFiles().length, before);
});

test('a form whose fields are too large together is rejected', async () => {
  const texts = Array.from({ length: 5 }, (_, index) => field(`text${index}`, 'x'.repeat(1_700_000)));
  const whole = Buffer.from(`${field('token', token)}${texts.join('')}${fileHead}x${end}`);
  const upload = openUpload(whole.length);
  upload.end(whole);
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  response.resume();
  assert.equal(response.statusCode, 413);
});

test('an address with a password is rejected, and neither stored nor recorded', async () => {
  const url = 'https://leser:geheim@data.example/anliegen.csv';
  const whole = Buffer.from(
    `${field('token', token)}${field('source', newSource)}${field('url', url)}--${boundary}--\r\n`,
  );
  const upload = openUpload(whole.length);
  upload.end(whole);
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  assert.match(Buffer.concat(await response.toArray()).toString(), /without a user name and password/);
  assert.equal(response.statusCode, 422);
  assert.ok(!JSON.stringify(await listRuns()).includes('geheim'));
});

/** @returns ends the limit, as the end of the test does */
function limitFreeSpace(scope: Scope, bytes: number): () => void {
  const { statfs } = fsPromises;
  const restore = () => {
    fsPromises.statfs = statfs;
    syncBuiltinESMExports();
  };
  scope.after(restore);
  fsPromises.statfs = (async (path: string) => {
    const stats = await statfs(path);
    return { ...stats, bavail: Math.floor(bytes / stats.bsize) };
  }) as unknown as typeof statfs;
  syncBuiltinESMExports();
  return restore;
}

test('without free disk space, an upload is rejected with a sentence, and no file and no run are stored', async (t) => {
  const before = [listFiles().length, (await listRuns()).length];
  const restore = limitFreeSpace(t, 0);
  const { status, body } = await send(Buffer.from('id,text\n1,Bank\n'));
  assert.equal(status, 422);
  assert.match(body, /The server has no space for this file at the moment/);
  assert.deepEqual([listFiles().length, (await listRuns()).length], before);
  restore();
  assert.equal((await send(Buffer.from('id,text\n1,Bank\n'))).status, 303);
});

/** Sends the beginning of a file of almost a mebibyte, and waits until another one is stored partially. */
async function beginUpload(): Promise<ClientRequest> {
  const countPartials = () => listFiles().filter((name) => name.startsWith('partial_')).length;
  const before = countPartials();
  const upload = openUpload(1_000_000);
  upload.write(`${field('token', token)}${field('source', newSource)}${fileHead}x`);
  await waitUntil('a partial file', () => countPartials() === before + 1);
  return upload;
}

async function endUploads(uploads: readonly ClientRequest[]): Promise<void> {
  for (const upload of uploads) upload.destroy();
  await waitUntil('the end of the uploads', async () => (await store.listArrivingUploads()).length === 0);
}

test('files that are still arriving take the places of open imports, also those of other processes', async () => {
  for (const run of await listRuns()) await store.cancelRun(run);
  // The store of this test has connections of its own, as another process has.
  const elsewhere = Array.from({ length: maxOpenRuns - 2 }, () => ({ organizationId: a, id: randomUUID() }));
  for (const run of elsewhere) await store.reserveUpload(run, 1_000_000);
  const arriving = [await beginUpload(), await beginUpload()];
  const before = listFiles().length;
  const rejected = openUpload(1_000_000);
  rejected.write(`${field('token', token)}${field('source', newSource)}${fileHead}x`);
  const [response] = (await once(rejected, 'response')) as [IncomingMessage];
  assert.match(Buffer.concat(await response.toArray()).toString(), /too many open imports/);
  rejected.destroy();
  assert.equal(listFiles().length, before, 'the file of the rejected upload is not read');
  for (const run of elsewhere) await store.releaseUpload(run);
  await endUploads(arriving);
  assert.equal((await send(Buffer.from('id,text\n1,Bank\n'))).status, 303);
});

test('the places of files end with their process', async (t) => {
  for (const run of await listRuns()) await store.cancelRun(run);
  for (let place = 0; place < maxOpenRuns; place += 1)
    await store.reserveUpload({ organizationId: a, id: randomUUID() }, 1);
  t.after(() => fixture.sql('DELETE FROM import_run WHERE state IS NULL AND outcome IS NULL'));
  assert.equal((await send(Buffer.from('id,text\n1,Bank\n'))).status, 422);
  await fixture.sql('UPDATE import_run SET file_expires_at_ms = 1 WHERE state IS NULL AND outcome IS NULL');
  assert.equal((await send(Buffer.from('id,text\n1,Bank\n'))).status, 303);
});

test('parallel uploads together leave the reserved space of the disk free', async (t) => {
  for (const run of await listRuns()) await store.cancelRun(run);
  // The reserve, and space for one and a half files.
  limitFreeSpace(t, 268_435_456 + 1_500_000);
  const arriving = await beginUpload();
  const rejected = openUpload(1_000_000);
  rejected.write(`${field('token', token)}${field('source', newSource)}${fileHead}x`);
  const [response] = (await once(rejected, 'response')) as [IncomingMessage];
  assert.match(Buffer.concat(await response.toArray()).toString(), /The server has no space for this file/);
  rejected.destroy();
  await endUploads([arriving]);
  await endUploads([await beginUpload()]);
});

test('if the upload folder is not writable, the page says so, and the log names the setting', async (t) => {
  const file = join(createTemporaryFolder(t), 'file');
  writeFileSync(file, '');
  const other = await fixture.startServer({ ROSTRA_UPLOAD_FOLDER: join(file, 'uploads') });
  const before = (await listRuns()).length;
  const { status, body } = await send(Buffer.from('id,text\n1,Bank\n'), token, other.address);
  assert.equal(status, 422);
  assert.match(body, /The server cannot store files at the moment\. Ask your operator\./);
  assert.doesNotMatch(body, /ENOTDIR|EEXIST/);
  await other.waitForLine(/check ROSTRA_UPLOAD_FOLDER/);
  assert.equal((await listRuns()).length, before);
  assert.equal((await other.get('/health')).status, 200);
});
