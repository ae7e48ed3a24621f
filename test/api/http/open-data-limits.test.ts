/** Limits of clients without a key. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, suite, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { recordKinds } from '../../../src/contract/resources/changes.ts';
import { toClientNetwork } from '../../../src/platform/http/client-address.ts';
import { createKeylessRequests, maxStartsPerTurn } from '../../../src/web/api/keyless-requests.ts';
import type { RequestContext } from '../../../src/web/api/request-context.ts';
import type { HttpError } from '../../../src/web/api/responses/errors.ts';
import {
  type AllowedRequest,
  ClientLimitError,
  createClientLimits,
  maxClients,
  maxOpenResponses,
} from '../../../src/web/open/client-limits.ts';
import { createFileCache } from '../../../src/web/open/file-cache.ts';
import { createOpenDataRouter } from '../../../src/web/open/open-data-router.ts';
import { listPageFiles } from '../../../src/web/open/pages/page-layout.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import { type RequestOptions, sendRequest } from '../../support/http-client.ts';
import { waitUntil } from '../../support/wait-until.ts';

const fixture = await createFixture({ after });
const { store, a, alice } = fixture;
await store.editOrganization(a, { slug: 'musterstadt', licenseName: 'CC-BY-4.0', openData: 'on' });
const path = '/open/musterstadt/sessions.csv';

suite('an address', () => {
  test('may send as many requests as the limit, then gets 429, and no key loses a request', async () => {
    const server = await fixture.startServer({ ROSTRA_OPEN_DATA_RATE_LIMIT: '3' });
    const countRemaining = async () =>
      Number((await server.get('/me', { key: alice })).headers['x-ratelimit-remaining']);
    const before = await countRemaining();
    assert.equal((await sendRequest(server.port, path)).status, 200);
    assert.equal((await sendRequest(server.port, path, { headers: { 'if-none-match': '*' } })).status, 304);
    assert.equal((await sendRequest(server.port, '/open/unknown/sessions.csv')).status, 404);
    // A key does not help.
    const each: RequestOptions[] = [{}, { key: alice }];
    for (const options of each) {
      const { status, headers, text } = await sendRequest(server.port, path, options);
      assert.equal(status, 429);
      const seconds = Number(headers['retry-after']);
      assert.ok(seconds > 0 && seconds <= 20);
      assert.equal(headers['cache-control'], 'no-store');
      // The limit of a key does not apply.
      assert.equal(headers['x-ratelimit-limit'], undefined);
      assert.deepEqual(JSON.parse(text), {
        error: `Your address sends too many requests: try again in ${seconds} seconds.`,
        code: 'RATE_LIMITED',
      });
    }
    const others = ['/open/musterstadt', '/open/catalog.ttl', '/.well-known/api-catalog'];
    for (const other of [...others, ...listPageFiles().map((file) => file.path)])
      assert.equal((await sendRequest(server.port, other)).status, 429, other);
    assert.equal(await countRemaining(), before - 1);
    assert.equal((await sendRequest(server.port, '/robots.txt')).status, 200);
  });

  const startBehindProxy = async (environment: Record<string, string> = {}) => {
    const server = await fixture.startServer({ ROSTRA_OPEN_DATA_RATE_LIMIT: '1', ...environment });
    return async (forwardedFor: string) =>
      (await sendRequest(server.port, path, { headers: { 'x-forwarded-for': forwardedFor } })).status;
  };

  test('behind a trusted proxy has a limit of its own', async () => {
    const send = await startBehindProxy({ ROSTRA_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' });
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8:0:1::1', '2001:db8:0:2::1'])
      assert.equal(await send(address), 200, address);
    for (const address of [
      '192.0.2.1',
      // What a client claims comes before the address that the first trusted proxy saw.
      '203.0.113.9, 192.0.2.1',
      '203.0.113.9, 192.0.2.2, 10.0.0.1',
      '::ffff:192.0.2.1',
      // Of the same network.
      '2001:db8:0:1:ffff::1',
      '2001:DB8::1:0:0:0:2',
    ])
      assert.equal(await send(address), 429, address);
  });

  test('is not the one that a client claims', async () => {
    for (const proxies of ['', '10.0.0.0/8']) {
      const send = await startBehindProxy({ ROSTRA_TRUSTED_PROXIES: proxies });
      assert.equal(await send('192.0.2.1'), 200);
      assert.equal(await send('192.0.2.2'), 429);
    }
  });

  test('of IPv6 is a network of 64 bits', () => {
    for (const [address, network] of [
      ['192.0.2.1', '192.0.2.1'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:0DB8:0001:0002::6', '2001:db8:1:2::/64'],
      ['2001:db8::', '2001:db8:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
      ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
      ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
      ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ] as const)
      assert.equal(toClientNetwork(address), network, address);
  });
});

/** @throws Error if the client is at a limit */
function begin(limits: ReturnType<typeof createClientLimits>, client: string): AllowedRequest {
  const allowed = limits.begin(client);
  if (typeof allowed === 'number') throw new Error(`${client} has to wait for ${allowed} seconds.`);
  return allowed;
}

suite('the limits of clients', () => {
  test('remember a fixed number of clients, the latest ones', () => {
    const limits = createClientLimits(1);
    const name = (index: number) => `client ${index}`;
    for (let index = 0; index <= maxClients; index += 1) begin(limits, name(index)).end();
    assert.ok(Number(limits.begin(name(1))) > 0);
    assert.ok(Number(limits.begin(name(maxClients))) > 0);
    begin(limits, name(0));
  });

  test('let the searches of a client run one after another, and reject those beyond five', async () => {
    const limits = createClientLimits(100);
    const running: string[] = [];
    const ends: (() => void)[] = [];
    const search = (client: string) =>
      begin(limits, client).searchInTurn(
        () =>
          new Promise<string>((resolve) => {
            running.push(client);
            ends.push(() => resolve(client));
          }),
      );
    const found = Array.from({ length: 5 }, () => search('one'));
    await assert.rejects(search('one'), ClientLimitError);
    const ofOther = search('other');
    await setImmediate();
    assert.deepEqual(running, ['one', 'other']);
    for (let ended = 0; ended < ends.length; ended += 1) {
      ends[ended]?.();
      await setImmediate();
    }
    assert.deepEqual(await Promise.all(found), Array(5).fill('one'));
    assert.equal(await ofOther, 'other');
    assert.equal(await begin(limits, 'one').searchInTurn(async () => 'free again'), 'free again');
  });
});

test('a search for words in each list of records waits for the others of its client, and the list does not', async () => {
  const openData = createOpenDataRouter(store, createFileCache(createTemporaryFolder({ after }), 1_000), {
    publicUrl: undefined,
    footerUrls: { imprint: undefined, privacy: undefined, accessibility: undefined },
    hasWordSearch: true,
    language: 'de',
  });
  const respond = (page: string, query = '') =>
    openData.respond(
      `musterstadt${page}`,
      query,
      {},
      { address: '192.0.2.1', searchInTurn: () => Promise.reject(new ClientLimitError(5)) },
    );
  for (const list of recordKinds) {
    await assert.rejects(respond(`/${list}s`, 'words=radweg'), ClientLimitError, list);
    assert.equal((await respond(`/${list}s`, 'words='))?.status, 200);
  }
  assert.equal((await respond(''))?.status, 200);
});

/** A server whose requests have no key, and whose responses wait for `release`. */
async function startKeyless(t: TestContext) {
  const started: (() => void)[] = [];
  const rejected: HttpError[] = [];
  const startInTurn = createKeylessRequests(createClientLimits(10_000), undefined, ({ response }, error) => {
    rejected.push(error as HttpError);
    response.end();
  });
  const server = createServer((request, response) => {
    const context = { request, response } as RequestContext;
    startInTurn(context, () => started.push(() => response.end()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const send = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  };
  return { started, rejected, send, startInTurn };
}

suite('requests without a key', () => {
  test('of one client have a maximum at a time, which those that end or are aborted make free', async (t) => {
    const { started, rejected, send } = await startKeyless(t);
    const sockets = Array.from({ length: maxOpenResponses }, send);
    await waitUntil('all requests', () => started.length === maxOpenResponses);
    const over = send();
    await once(over, 'data');
    assert.deepEqual(
      rejected.map(({ status, headers }) => [status, ...headers]),
      [[429, 'retry-after', '5']],
    );
    sockets[0]?.destroy();
    started[1]?.();
    await once(sockets[1] as Socket, 'data');
    const isFree = async () => {
      const before = started.length;
      const socket = send();
      await waitUntil('a decision', () => started.length > before || rejected.length > 1);
      rejected.splice(1);
      if (started.length === before) socket.destroy();
      return started.length > before;
    };
    await waitUntil('the first place', isFree);
    await waitUntil('the second place', isFree);
    assert.equal(await isFree(), false);
  });

  test('start a few at a time, so that others run between them', async (t) => {
    const { started, startInTurn } = await startKeyless(t);
    const request = { headers: {}, socket: {} };
    const response = { once: () => undefined, destroyed: false };
    const context = { request, response } as unknown as RequestContext;
    for (let count = 0; count < 3 * maxStartsPerTurn; count += 1)
      startInTurn(context, () => started.push(() => undefined));
    for (let turn = 0; turn < 4; turn += 1) {
      assert.equal(started.length, Math.min(turn, 3) * maxStartsPerTurn);
      await setImmediate();
    }
  });

  test('do not start after their client has gone', async (t) => {
    const { started, startInTurn } = await startKeyless(t);
    const response = { once: () => undefined, destroyed: true };
    startInTurn({ request: {}, response } as unknown as RequestContext, () => started.push(() => undefined));
    await setImmediate();
    assert.deepEqual(started, []);
  });
});
