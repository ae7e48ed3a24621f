import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '../../support/concurrent-clients.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, computeQuantile, fail, formatCount, observe, raise, type Tally } from '../tally.ts';

const socketCount = 1_000;
const maxLifeMs = 15_000;
const baselineMs = 20_000;
/** A request every ten milliseconds. */
const pauseMs = 10;
const byteEveryMs = 1_000;

/** Bytes that a socket sends at once, and whether it continues with single bytes. */
const kinds = [
  { start: '', drips: false },
  { start: 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-Slow: ', drips: true },
  { start: 'GET /api/v1/submissions?topic=', drips: true },
  {
    start:
      'POST /admin/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n',
    drips: true,
  },
];

interface SlowSockets {
  stop(): void;
}

/** Keeps slow sockets open: when the server closes one, another follows. */
function startSlowSockets(port: number, tally: Tally): SlowSockets {
  const open = new Map<Socket, number>();
  let isStopped = false;
  const dripping = new Set<Socket>();
  const drip = setInterval(() => {
    for (const socket of dripping) if (socket.writable) socket.write('x');
  }, byteEveryMs);

  function openSocket(number: number): void {
    if (isStopped) return;
    const { start, drips } = kinds[number % kinds.length] as (typeof kinds)[number];
    const socket = connect(port, '127.0.0.1', () => {
      open.set(socket, performance.now());
      socket.write(start);
      if (drips) dripping.add(socket);
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        const openedMs = open.get(socket);
        open.delete(socket);
        dripping.delete(socket);
        if (isStopped) return;
        if (openedMs !== undefined) {
          add(tally, 'closed');
          raise(tally, 'life', performance.now() - openedMs);
        }
        openSocket(number);
      })
      .resume();
  }

  for (let number = 0; number < socketCount; number += 1) openSocket(number);
  return {
    stop: () => {
      isStopped = true;
      clearInterval(drip);
      for (const [socket, openedMs] of open) {
        raise(tally, 'life', performance.now() - openedMs);
        socket.destroy();
      }
    },
  };
}

async function measureHealthy(
  server: ServerProcess,
  key: string,
  durationMs: number,
  tally: Tally,
  name: string,
) {
  const client = createClient();
  for (const endMs = performance.now() + durationMs; performance.now() < endMs; await setTimeout(pauseMs)) {
    const startMs = performance.now();
    const { status } = await client.send(server, key);
    observe(tally, name, performance.now() - startMs);
    if (status !== 200) fail(tally, `a healthy request returned ${status}`);
  }
  client.close();
}

async function start({ createFixture, startServer, size, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const server = await startServer(fixture.database);
  const key = fixture.alice;
  await measureHealthy(server, key, 2_000, tally, 'warm-up');
  await measureHealthy(server, key, Math.min(baselineMs, size * 1_000), tally, 'baseline');
  const slow = startSlowSockets(server.port, tally);
  return {
    measure: (_first, count) => measureHealthy(server, key, count * 1_000, tally, 'with slow sockets'),
    finish: async () => {
      slow.stop();
      const { status } = await server.get('/me', { key });
      if (status !== 200) fail(tally, `after the slow sockets, a request returned ${status}`);
    },
  };
}

export const slowSockets: Figure = {
  number: 13,
  promise:
    'While 1,000 sockets send nothing, or a byte a second, the p99 of healthy requests stays below twice its baseline, and each slow socket is closed within 15 seconds.',
  unit: 'seconds',
  fullSize: 300,
  minSize: 30,
  batchSize: 10,
  engines: ['sqlite', 'postgres'],
  minutes: 6,
  needsQuietMachine: true,
  restartsOnResume: true,
  defect: {
    description: 'the timeouts for headers and requests are an hour',
    edits: [
      {
        file: 'src/program/config/server-settings.ts',
        from: /(?<=requestTimeout: setting\(\{[^}]*?value: 'seconds',\s+default: ')12/g,
        to: '3600',
      },
      {
        file: 'src/program/process/servers.ts',
        from: 'maxHeadersTimeoutMs = 10_000',
        to: 'maxHeadersTimeoutMs = 3_600_000',
      },
    ],
  },
  start,
  conclude: (tally) => {
    const baseline = computeQuantile(tally, 'baseline', 0.99) ?? 0;
    const loaded = computeQuantile(tally, 'with slow sockets', 0.99) ?? 0;
    const lifeMs = tally.maxima.life ?? 0;
    return {
      measured: `p99 ${baseline} ms before, ${loaded} ms during; ${formatCount(tally, 'closed')} sockets closed, the longest after ${(lifeMs / 1_000).toFixed(1)} s`,
      violations: [
        ...(loaded >= 2 * baseline ? [`p99 rises from ${baseline} to ${loaded} ms`] : []),
        ...(lifeMs > maxLifeMs ? [`a socket stayed open for ${Math.round(lifeMs / 1_000)} s`] : []),
      ],
    };
  },
};
