import { computeWindowStart } from '../../../src/store/rate-limit-window.ts';
import {
  type ConcurrentRequests,
  checkResponses,
  startConcurrentRequests,
} from '../../support/concurrent-clients.ts';
import type { Fixture } from '../../support/fixture.ts';
import type { HttpResponse } from '../../support/http-client.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, fail, formatCount, getCount, raise, type Tally } from '../tally.ts';

const limit = 1_000;
const requests = 5_000;
const clients = 200;

const filterByStatus = (responses: readonly HttpResponse[], status: number) =>
  responses.filter((response) => response.status === status);

const listRemaining = (responses: readonly HttpResponse[]) =>
  filterByStatus(responses, 200)
    .map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    .toSorted((a, b) => b - a);

/** A key whose window does not end while its requests are counted. */
export async function issueLimitedKey(fixture: Fixture, windowMs: number): Promise<string> {
  for (;;) {
    const { id, secret } = await fixture.issueKey(fixture.a, { requestLimit: limit });
    const nowMs = Date.now();
    if (computeWindowStart(id, nowMs, windowMs) + windowMs - nowMs > 120_000) return secret;
  }
}

/** Sends all requests of a run from many clients. */
export const sendAll = (
  replicas: (ServerProcess | Promise<ServerProcess>)[],
  key: string,
  beforeRequest?: (client: number, answered: number) => unknown,
): ConcurrentRequests =>
  startConcurrentRequests({
    replicas,
    key,
    clients,
    requests,
    ...(beforeRequest === undefined ? {} : { beforeRequest }),
  });

/**
 * Checks that the limit is exact, apart from requests whose connection broke: they may have been counted.
 *
 * @param maxUnavailable requests that a stopping instance may reject with 503, without counting them
 */
export async function checkExactness(
  server: ServerProcess,
  { responses, brokenCount }: ConcurrentRequests,
  tally: Tally,
  maxUnavailable = 0,
): Promise<void> {
  const remaining = listRemaining(responses);
  const unavailable = filterByStatus(responses, 503).length;
  const rejected = filterByStatus(responses, 429).length;
  add(tally, 'requests', responses.length + brokenCount);
  add(tally, 'granted', remaining.length);
  add(tally, 'rejected', rejected);
  add(tally, 'broken', brokenCount);
  add(tally, 'unavailable', unavailable);
  if (unavailable > maxUnavailable) fail(tally, `${unavailable} requests returned 503`);
  if (new Set(remaining).size !== remaining.length) fail(tally, 'two responses have the same Remaining');
  if (remaining.length > limit || remaining.length + brokenCount < limit)
    fail(tally, `${remaining.length} of ${limit} granted, ${brokenCount} connections broken`);
  if (brokenCount === 0 && remaining.some((value, index) => value !== limit - 1 - index))
    fail(tally, 'Remaining does not take each value from 999 to 0 once');
  if (remaining.length + rejected + brokenCount + unavailable !== requests)
    fail(tally, `${requests} requests: ${remaining.length} returned 200, ${rejected} returned 429`);
  const counted = responses.filter(({ status }) => status !== 503);
  const resets = counted.map(({ headers }) => Number(headers['x-ratelimit-reset']));
  const spread = Math.max(...resets) - Math.min(...resets);
  raise(tally, 'spread of Reset in seconds', spread);
  if (spread > 1) fail(tally, `the Reset times of one window differ by ${spread} s`);
  await checkResponses(server, responses);
}

const dayMs = 86_400_000;
type Interruption = 'none' | 'restart' | 'kill';

async function start({ createFixture, startServer, engine, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const startReplica = () => startServer(fixture.database);
  const replicas = await Promise.all([startReplica(), startReplica(), startReplica()]);
  const withWorkers =
    engine === 'sqlite' ? await startServer(fixture.database, { ROSTRA_WORKERS: '3' }) : undefined;

  /** Ends a replica after a third of the window, and starts it again while the other clients pause. */
  async function runInterrupted(interruption: Interruption): Promise<void> {
    const [, doomed] = replicas as [ServerProcess, ServerProcess, ServerProcess];
    const members: (ServerProcess | Promise<ServerProcess>)[] = [...replicas];
    const back = Promise.withResolvers<void>();
    const rush = sendAll(members, await issueLimitedKey(fixture, dayMs), (client, answered) =>
      client % 3 === 1 || answered < limit / 2 ? undefined : back.promise,
    );
    await rush.waitForResponses(limit / 3);
    const ended = interruption === 'kill' ? doomed.kill() : doomed.stop().then(() => undefined);
    const started = ended.then(startReplica);
    members[1] = started;
    replicas[1] = await started;
    back.resolve();
    await rush.finished;
    await checkExactness(replicas[1], rush, tally, clients);
    add(tally, interruption === 'kill' ? 'kills' : 'restarts');
  }

  return {
    measure: async (first) => {
      const interruption: Interruption = first % 4 === 2 ? 'restart' : first % 4 === 3 ? 'kill' : 'none';
      if (interruption !== 'none') return runInterrupted(interruption);
      const members = first % 4 === 1 && withWorkers !== undefined ? [withWorkers] : replicas;
      const rush = sendAll([...members], await issueLimitedKey(fixture, dayMs));
      await rush.finished;
      await checkExactness(members[0] as ServerProcess, rush, tally);
      add(tally, members.length === 1 ? 'with workers' : 'exact');
    },
  };
}

export const exactRateLimits: Figure = {
  number: 6,
  promise:
    'Of 5,000 requests in one window of one key, sent by 200 clients to three instances, exactly 1,000 are answered and 4,000 rejected, and Remaining takes each value from 999 to 0 once; in every fourth run an instance restarts, in every fourth it is killed.',
  unit: 'runs',
  fullSize: 100,
  minSize: 4,
  batchSize: 1,
  engines: ['sqlite', 'postgres'],
  minutes: 8,
  defect: {
    description: 'all requests of one statement have the first position in the window',
    edits: [
      {
        file: 'src/store/admission.ts',
        from: 'toAdmission(found, index + 1, ',
        to: 'toAdmission(found, 1, ',
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const format = (name: string) => formatCount(tally, name);
    return {
      measured: `${done} runs (${format('restarts')} with a restart, ${format('kills')} with kill -9${getCount(tally, 'with workers') > 0 ? `, ${format('with workers')} with three workers` : ''}): ${format('granted')} granted, ${format('rejected')} rejected, ${format('broken')} connections broken, ${format('unavailable')} rejected by a stopping instance (503); Reset differs by at most ${tally.maxima['spread of Reset in seconds'] ?? 0} s`,
      violations: [],
    };
  },
};
