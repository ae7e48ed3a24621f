import type { ServerProcess } from '../../support/server-process.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { fail, formatCount, raise } from '../tally.ts';
import { checkExactness, issueLimitedKey, sendAll } from './exact-rate-limits.ts';

const windowMs = 300_000;
const offsetMs = 300_000;
const maxStartMs = 60_000;
const clock = new URL('../../support/clock-offset.ts', import.meta.url).href;

async function start({ createFixture, startServer, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const startReplica = (index: number) =>
    startServer(fixture.database, {
      // Its first line shows the clock.
      ROSTRA_LOG_LEVEL: 'info',
      ROSTRA_RATE_LIMIT_WINDOW: String(windowMs / 1_000),
      NODE_OPTIONS: `--import ${clock}`,
      TEST_CLOCK_OFFSET_MS: String((index - 1) * offsetMs),
    });
  const replicas = await Promise.all([startReplica(0), startReplica(1), startReplica(2)]);
  for (const [index, replica] of replicas.entries()) {
    const { time } = JSON.parse(await replica.waitForLine(/"listening"/));
    const aheadMs = Date.parse(time) - Date.now() - (index - 1) * offsetMs;
    if (Math.abs(aheadMs) > maxStartMs) throw new Error(`the clock of replica ${index} is not shifted`);
  }

  return {
    measure: async () => {
      const rush = sendAll([...replicas], await issueLimitedKey(fixture, windowMs));
      await rush.finished;
      await checkExactness(replicas[0] as ServerProcess, rush, tally);
      const nowMs = Date.now();
      for (const { headers, status } of rush.responses) {
        const resetMs = Number(headers['x-ratelimit-reset']) * 1_000;
        if (resetMs < nowMs - 1_000 || resetMs > nowMs + windowMs + 1_000)
          fail(tally, `Reset is ${resetMs - nowMs} ms from now`);
        if (status !== 429) continue;
        const differenceMs = Math.abs(resetMs - Number(headers['retry-after']) * 1_000 - nowMs);
        raise(tally, 'Retry-After', differenceMs);
        if (differenceMs > 60_000) fail(tally, `Retry-After counts from a time ${differenceMs} ms off`);
      }
    },
  };
}

export const clockDifferences: Figure = {
  number: 7,
  promise:
    'Three instances whose clocks are five minutes apart count requests exactly like one, and the same window has the same Reset within a second.',
  unit: 'runs of 5,000 requests',
  fullSize: 20,
  minSize: 1,
  batchSize: 1,
  // All processes on an SQLite file share the clock of their machine.
  engines: ['postgres'],
  minutes: 3,
  defect: {
    description: 'Reset counts from the clock of the process',
    edits: [
      {
        file: 'src/store/admission.ts',
        from: 'resetAtMs: windowStartMs + rateWindowMs,',
        to: 'resetAtMs: windowStartMs + rateWindowMs + Date.now() - nowMs,',
      },
    ],
  },
  start,
  conclude: (tally, done) => ({
    measured: `${done} runs: ${formatCount(tally, 'granted')} granted, ${formatCount(tally, 'rejected')} rejected; Reset differs by at most ${tally.maxima['spread of Reset in seconds'] ?? 0} s`,
    violations: [],
  }),
};
