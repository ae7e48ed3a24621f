import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { sendRequest } from '../../support/http-client.ts';
import { composeRawRequest } from '../../support/raw-socket.ts';
import { createSubmission } from '../../support/records.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { readUsage } from '../process-usage.ts';
import { add, computeQuantile, fail, formatCount, observe, raise, type Tally } from '../tally.ts';

const maxSockets = 300;
/** Short runs have fewer sockets. */
const socketsPerSecond = 12;
const requestsPerSocket = 200;
const submissions = 100;
/** As long as a typical one with its reasons. A page of them has 200 kB. */
const description = 'x'.repeat(2_000);
/** Each socket is replaced after this time, because the server may have closed it. */
const socketLifeMs = 10_000;
const pauseMs = 10;
const idleMs = 2_000;
const maxHealthMs = 100;
/** 128 MB of unread responses and 8 MB of waiting requests (docs/operating.md), and the free space of the heap. */
const maxGrowthMegabytes = 300;

/** Keeps sockets open that send all their requests and read nothing. @returns a function that closes them */
function startPipelines(port: number, key: string, count: number, tally: Tally): () => void {
  const page = composeRawRequest('/api/v1/submissions?limit=100', [`Authorization: Bearer ${key}`]);
  const requests = page.repeat(requestsPerSocket);
  const openSocket = (): Socket => {
    add(tally, 'sockets');
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined).write(requests);
    return socket;
  };
  const sockets = Array.from({ length: count }, openSocket);
  const replacing = setInterval(() => {
    sockets.shift()?.destroy();
    sockets.push(openSocket());
  }, socketLifeMs / count);
  return () => {
    clearInterval(replacing);
    for (const socket of sockets) socket.destroy();
  };
}

/** Requests `/health` on another connection, and reads the memory of the server. */
async function observeServer(
  { port, pid }: ServerProcess,
  durationMs: number,
  name: string,
  tally: Tally,
): Promise<void> {
  for (const endMs = performance.now() + durationMs; performance.now() < endMs; await setTimeout(pauseMs)) {
    const startMs = performance.now();
    const { status } = await sendRequest(port, '/api/v1/health');
    observe(tally, name, performance.now() - startMs);
    if (status !== 200) fail(tally, `/health returned ${status}`);
    raise(tally, name, readUsage(pid).residentKilobytes / 1_024);
  }
}

async function start({ createFixture, startServer, size, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const records = Array.from({ length: submissions }, (_, n) => createSubmission(1_000 + n, { description }));
  await fixture.putRecords(
    fixture.a,
    records.map((record) => ({ kind: 'submission', ...record })),
  );
  // As in the executables.
  const server = await startServer(fixture.database, { NODE_OPTIONS: '--max-semi-space-size=12' });
  const key = fixture.alice;
  await server.get('/submissions?limit=100', { key });
  await observeServer(server, idleMs, 'idle', tally);
  const stop = startPipelines(server.port, key, Math.min(maxSockets, socketsPerSecond * size), tally);
  return {
    measure: (_first, count) => observeServer(server, count * 1_000, 'loaded', tally),
    finish: async () => {
      stop();
      const { status } = await server.get('/me', { key });
      if (status !== 200) fail(tally, `after the sockets were closed, a request returned ${status}`);
    },
  };
}

export const unreadPipelines: Figure = {
  number: 20,
  promise:
    'While 300 sockets send 200 requests for a page each and read nothing, the p99 of `/health` on another connection stays below 100 ms, and the memory of the server at most 300 MB above that of the idle server.',
  unit: 'seconds',
  fullSize: 60,
  minSize: 25,
  batchSize: 4,
  engines: ['sqlite', 'postgres'],
  minutes: 1.5,
  needsQuietMachine: true,
  restartsOnResume: true,
  defect: {
    description: 'requests of a connection do not wait for the responses before them',
    edits: [
      {
        file: 'src/platform/http/connections.ts',
        from: '!response.writableFinished || (waiting !== undefined && waiting.length > 0)',
        to: 'response === undefined && waiting === undefined',
      },
    ],
  },
  start,
  conclude: (tally) => {
    const healthMs = computeQuantile(tally, 'loaded', 0.99) ?? 0;
    const idle = Math.round(tally.maxima.idle ?? 0);
    const loaded = Math.round(tally.maxima.loaded ?? 0);
    return {
      measured: `${formatCount(tally, 'sockets')} sockets; p99 of \`/health\` ${computeQuantile(tally, 'idle', 0.99)} ms before, ${healthMs} ms during; at most ${idle} MB before, ${loaded} MB during`,
      violations: [
        ...(healthMs >= maxHealthMs ? [`the p99 of /health rises to ${healthMs} ms`] : []),
        ...(loaded - idle > maxGrowthMegabytes ? [`the memory rises from ${idle} to ${loaded} MB`] : []),
      ],
    };
  },
};
