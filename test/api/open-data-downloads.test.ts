/** Downloads by several addresses, which share the places and the builds of a process. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, suite, type TestContext, test } from 'node:test';
import { createFileCache, type FileCache } from '../../src/web/open/file-cache.ts';
import { createOpenDataRouter } from '../../src/web/open/open-data-router.ts';
import { openFiles } from '../../src/web/open/open-files.ts';
import { OpenDataBusyError } from '../../src/web/open/responses.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { sendRequest } from '../support/http-client.ts';
import { byNight, runsEveryTest } from '../support/nightly.ts';
import { createSubmission } from '../support/records.ts';
import type { Server } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';

const fixture = await createFixture({ after });
const { store, a, b } = fixture;
const path = '/open/musterstadt/submissions.ndjson';
const maxDownloads = 200;

const repeat = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => value(index));

before(async () => {
  await store.editOrganization(a, { slug: 'musterstadt', licenseName: 'CC-BY-4.0', openData: 'on' });
  await store.editOrganization(b, { slug: 'beispielburg', licenseName: 'CC-BY-4.0', openData: 'on' });
  // Systems accept less for a client that reads nothing.
  const description = '🚲'.repeat(100_000);
  await fixture.putRecords(
    a,
    repeat(runsEveryTest ? 60 : 20, (index) => ({
      kind: 'submission',
      ...createSubmission(100 + index, { description }),
    })),
  );
});

const startServer = () =>
  fixture.startServer({
    ROSTRA_TRUSTED_PROXIES: '127.0.0.1',
    ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }),
  });

interface Download {
  address: string;
  socket: Socket;
  received: number;
  isEnded: boolean;
}

/** Sends a request through a proxy, and reads the status only. */
async function startDownload(t: TestContext, { port }: Server, address: string): Promise<Download> {
  const socket = connect(port, '127.0.0.1').pause();
  t.after(() => socket.destroy());
  const download = { address, socket, received: 0, isEnded: false };
  const end = () => {
    download.isEnded = true;
  };
  socket.on('error', end).on('close', end);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`);
  await new Promise((resolve) => socket.once('readable', resolve));
  const start: Buffer = socket.read();
  assert.match(start.toString('latin1', 0, 20), /^HTTP\/1\.1 200 /);
  download.received += start.length;
  return download;
}

const startDownloads = (t: TestContext, server: Server, addresses: readonly string[]) =>
  Promise.all(addresses.map((address) => startDownload(t, server, address)));

function readOn(download: Download): void {
  download.socket.on('data', (chunk: Buffer) => {
    download.received += chunk.length;
  });
  download.socket.resume();
}

const readStart = ({ port }: Server, address: string) =>
  sendRequest(port, path, { headers: { 'x-forwarded-for': address, range: 'bytes=0-199999' } });

const countGivenWay = ({ lines }: Server) =>
  lines.filter((line) => line.includes('Closed a connection: a slow download gave way')).length;

suite('large downloads', { concurrency: 1 }, () => {
  test('of the addresses with the most give way, and those of others go on', async (t) => {
    const server = await startServer();
    const length = Number(
      (await sendRequest(server.port, path, { method: 'HEAD' })).headers['content-length'],
    );
    // Networks of IPv6 are addresses, too.
    const greedy = ['192.0.2.1', '192.0.2.2', '2001:db8:0:1::', '2001:db8:0:2::'];
    const held = await startDownloads(
      t,
      server,
      repeat(maxDownloads, (index) => {
        const address = String(greedy[index % 4]);
        return address.endsWith('::') ? address + index.toString(16) : address;
      }),
    );
    const others = await startDownloads(
      t,
      server,
      repeat(40, (index) => `198.51.100.${index}`),
    );
    // They displace nobody, not even each other.
    await waitUntil('the end of those that gave way', () => countGivenWay(server) === 40);
    const refused = await readStart(server, '192.0.2.1');
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '10']);
    assert.match(refused.text, /Too many downloads run at the moment/);
    assert.equal((await readStart(server, '203.0.113.1')).status, 206);
    for (const download of [...held, ...others]) readOn(download);
    await waitUntil('that the clients see it', () => held.filter(({ isEnded }) => isEnded).length >= 41);
    const ended = held.filter(({ isEnded }) => isEnded);
    assert.equal(ended.length, 41);
    assert.ok(ended.every(({ received }) => received < length));
    const byNetwork = Map.groupBy(ended, ({ address }) => address.replace(/::.*/, '::'));
    assert.deepEqual(
      greedy.map((address) => Math.abs(Number(byNetwork.get(address)?.length) - 41 / 4) < 1),
      [true, true, true, true],
    );
    assert.ok(others.every(({ isEnded }) => !isEnded));
  });
});

test('large downloads that hardly go on give way even if each address has one', {
  skip: byNight('it waits until downloads are slow'),
}, async (t) => {
  const server = await startServer();
  const addresses = repeat(maxDownloads, (index) => `198.51.100.${index}`);
  const [steady, ...stalled] = (await startDownloads(t, server, addresses)) as [Download, ...Download[]];
  const whole = await sendRequest(server.port, path, { method: 'HEAD' });
  assert.equal(whole.status, 503);
  // About 100 kB a second.
  const readSteadily = (chunk: Buffer) => {
    steady.socket.pause();
    setTimeout(() => steady.socket.resume(), chunk.length / 100);
  };
  steady.socket.on('data', readSteadily);
  readOn(steady);
  await waitUntil(
    'a slow download',
    async () => (await readStart(server, '203.0.113.1')).status === 206,
    1_000,
  );
  assert.equal(countGivenWay(server), 1);
  const length = Number((await sendRequest(server.port, path, { method: 'HEAD' })).headers['content-length']);
  steady.socket.off('data', readSteadily);
  await waitUntil('the end of the steady download', () => steady.received >= length);
  for (const download of stalled) readOn(download);
  await waitUntil('the end of another', () => stalled.some(({ isEnded }) => isEnded));
});

suite('builds of files', () => {
  /** The first build waits for `release`. */
  function createHeldOpenData() {
    const cache = createFileCache(createTemporaryFolder({ after }), 1_000_000_000);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const built: string[] = [];
    let lookUps = 0;
    const held: FileCache = {
      ...cache,
      find: async (...parameters) => {
        const found = await cache.find(...parameters);
        lookUps += 1;
        return found;
      },
      build: async (file, content) => {
        built.push(file.name);
        await released;
        return cache.build(file, content);
      },
    };
    const openData = createOpenDataRouter(store, held, {
      publicUrl: undefined,
      footerUrls: { imprint: undefined, privacy: undefined, accessibility: undefined },
      hasWordSearch: true,
      language: 'de',
    });
    /** @returns the status, or the error of a rejection, after the request has asked for the file */
    async function ask(address: string, name: string) {
      const before = lookUps;
      const client = { address, searchInTurn: <Result>(search: () => Promise<Result>) => search() };
      const found = openData.respond(`beispielburg/${name}`, '', {}, client);
      const status = found.then(
        (response) => response?.status,
        (error) => error,
      );
      await waitUntil('a look-up', () => lookUps > before, 1);
      return { status };
    }
    return { release, built, ask };
  }

  const names = [...openFiles].filter(([, { needsPublicUrl }]) => !needsPublicUrl).map(([name]) => name);

  test('run in turns of their addresses, and the newest of the address with the most gives way', async () => {
    const { release, built, ask } = createHeldOpenData();
    const [wanted, ...asked] = names.slice(0, 22) as [string, ...string[]];
    const responses = [];
    for (const name of asked) responses.push(await ask('192.0.2.1', name));
    assert.ok((await (await ask('192.0.2.1', wanted)).status) instanceof OpenDataBusyError);
    const other = await ask('192.0.2.2', wanted);
    assert.ok((await responses.at(-1)?.status) instanceof OpenDataBusyError);
    // The file waits behind others already.
    const third = await ask('192.0.2.3', String(asked.at(-2)));
    release();
    for (const { status } of [other, third, ...responses.slice(0, -1)]) assert.equal(await status, 200);
    assert.deepEqual(built, [asked[0], asked[1], wanted, asked.at(-2), ...asked.slice(2, -2)]);
  });
});
