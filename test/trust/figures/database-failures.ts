import { setTimeout } from 'node:timers/promises';
import { assertHealthy, startLoad } from '../../support/failure-load.ts';
import { createOwnCluster } from '../../support/own-cluster.ts';
import { startProxy } from '../../support/tcp-proxy.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, computeQuantile, fail, formatCount, getCount, observe, raise } from '../tally.ts';

const clients = 32;
const maxP99Ms = 1_000;
const maxRecoveryMs = 5_000;
/** Longer than the time in which the server notices a connection without answers. */
const halfOpenMs = 1_000;

async function start({ scope, startServer, tally }: FigureRun): Promise<Measurement> {
  process.setMaxListeners(0);
  const cluster = await createOwnCluster(scope);
  const proxy = await startProxy(scope, cluster.port);
  const server = await startServer(proxy.getUrl(cluster.database));

  async function fault(number: number): Promise<void> {
    const load = startLoad(server, cluster.keys, { clients });
    await load.waitForResponses(100, 200);
    if (number % 2 === 0) {
      await cluster.stop(number % 4 === 0 ? 'immediate' : 'fast');
      await load.waitForResponses(40, 503);
      await cluster.start();
      add(tally, 'restarts');
    } else {
      // Open connections get no answers; new ones work, as after the database moved to another machine.
      proxy.freeze();
      await setTimeout(halfOpenMs);
      add(tally, 'half-open');
    }
    const recoveredMs = await load.waitForRecovery();
    raise(tally, 'recovery', recoveredMs);
    if (recoveredMs > maxRecoveryMs) fail(tally, `recovered after ${Math.round(recoveredMs)} ms`);
    // Checks that each response is 200 or a complete 503 with Retry-After.
    for (const { status, tookMs } of await load.stop()) {
      add(tally, `${status}`);
      if (status === 503) observe(tally, '503', tookMs);
    }
    await assertHealthy(server);
  }

  return {
    measure: async (first, count) => {
      for (let number = first; number < first + count; number += 1) await fault(number);
    },
    finish: async () => {
      const code = await server.stop();
      if (code !== 0) fail(tally, `the server ended with ${code}`);
    },
  };
}

export const databaseFailures: Figure = {
  number: 11,
  promise:
    'While PostgreSQL restarts or its connections are half-open, requests under load return 200, or 503 with Retry-After: the p99 of the latter is below 1 s, and 5 s after the failure all are 200. The process never exits.',
  unit: 'failures, half of each kind',
  fullSize: 100,
  minSize: 4,
  batchSize: 2,
  engines: ['postgres'],
  minutes: 10,
  needsQuietMachine: true,
  defect: {
    description: 'a lost connection is an internal error',
    edits: [
      {
        file: 'src/web/api/responses/errors.ts',
        from: 'instanceof StoreUnavailableError',
        to: 'instanceof RangeError',
      },
    ],
  },
  start,
  conclude: (tally) => {
    const p99 = computeQuantile(tally, '503', 0.99) ?? 0;
    const format = (name: string) => formatCount(tally, name);
    return {
      measured: `${format('restarts')} restarts and ${format('half-open')} half-open periods: ${format('200')} requests returned 200, ${format('503')} returned 503 (p99 ${p99} ms); longest recovery ${((tally.maxima.recovery ?? 0) / 1_000).toFixed(1)} s`,
      violations: [
        ...(p99 >= maxP99Ms ? [`p99 of 503 is ${p99} ms`] : []),
        ...(getCount(tally, '503') === 0 ? ['no request returned 503'] : []),
      ],
    };
  },
};
