/** Clients that keep sending requests during a database failure, and checks of their responses. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertUnavailable } from './api-client.ts';
import { checkContractHeaders } from './contract.ts';
import { type HttpResponse, sendRequest } from './http-client.ts';
import { isNightly } from './nightly.ts';
import type { ServerProcess } from './server-process.ts';

/** Times are of `performance.now`. */
interface TimedResponse {
  path: string;
  status: number;
  sentMs: number;
  tookMs: number;
}

/** By day, other processes may use all processors, so the limits only find requests that hang. */
const slowness = isNightly ? 1 : 20;

/** Maximum time of a 503 response during a failure. */
const maxFailureMs = 1_000 * slowness;

/** A request that takes this long hangs. */
const minHangMs = 5_000 * slowness;

/** Maximum time from the database's recovery to successful requests. */
const maxRecoveryMs = 5_000 * slowness;

/** Maximum median time of a response without the database. */
const maxMedianHealthMs = 100 * slowness;

/** The failure is over after this time without a 503. Longer than the timeout of requests. */
const calmMs = 1_000;

/** Pause of a client between its requests. The nightly run has more requests in flight at the moment of a fault. */
const pauseMs = isNightly ? 20 : 100;

export interface Load {
  /** Resolves after this number of further responses with the status. */
  waitForResponses(count: number, status: number): Promise<void>;
  /** Resolves when the failure is over. @returns milliseconds until the last 503 */
  waitForRecovery(): Promise<number>;
  /** Stops the clients and checks all responses. */
  stop(): Promise<TimedResponse[]>;
}

export interface LoadOptions {
  clients?: number;
  paths?: readonly string[];
}

/**
 * Starts clients that send one request at a time, and load balancers. A response that breaks the contract, or is neither
 * 200 nor a valid 503, stops the load with an error.
 */
export function startLoad(
  server: ServerProcess,
  keys: readonly string[],
  { clients = 16, paths = ['/me', '/submissions'] }: LoadOptions = {},
): Load {
  const responses: TimedResponse[] = [];
  let stopped = false;

  async function measure<Sent extends HttpResponse>(path: string, send: () => Promise<Sent>): Promise<Sent> {
    const sentMs = performance.now();
    const response = await send();
    responses.push({ path, status: response.status, sentMs, tookMs: performance.now() - sentMs });
    return response;
  }

  async function runClient(number: number): Promise<void> {
    const key = keys[number % keys.length] as string;
    for (let sent = number; !stopped; sent += 1) {
      const path = paths[sent % paths.length] as string;
      // Different URLs, because the response cache would answer repeated ones.
      const address = path === '/submissions' ? `${path}?topic=${number}.${sent}` : path;
      const response = await measure(path, () => server.get(address, { key }));
      if (response.status !== 200) assertUnavailable(response);
      // Errors may return immediately, and would overload the server.
      await setTimeout(pauseMs);
    }
  }

  async function runBalancer(
    path: string,
    everyMs: number,
    send: () => Promise<HttpResponse>,
  ): Promise<void> {
    while (!stopped) {
      await measure(path, send);
      await setTimeout(everyMs);
    }
  }

  const running = Promise.all([
    ...Array.from({ length: clients }, (_, number) => runClient(number)),
    runBalancer('/health', 20, () => server.get('/health')),
    runBalancer('/ready', 100, () => fetchReadiness(server)),
  ]);
  // Callers that await the load receive the error.
  running.catch(() => {
    stopped = true;
  });

  const isKeyed = ({ path }: TimedResponse) => path !== '/health' && path !== '/ready';

  async function waitFor(timeoutMs: number, isMet: () => boolean, problem: string): Promise<void> {
    for (const startMs = performance.now(); !isMet(); await setTimeout(20)) {
      if (stopped) await running;
      assert.ok(performance.now() - startMs < timeoutMs, `${problem} in ${timeoutMs} ms`);
    }
  }

  return {
    waitForResponses: async (count, status) => {
      const before = responses.length;
      const isMet = () =>
        responses.slice(before).filter((response) => isKeyed(response) && response.status === status)
          .length >= count;
      await waitFor(10_000 * slowness, isMet, `fewer than ${count} responses with ${status}`);
    },
    waitForRecovery: async () => {
      const startMs = performance.now();
      const getEndMs = ({ sentMs, tookMs }: TimedResponse) => sentMs + tookMs;
      const findLastErrorMs = () =>
        Math.max(startMs, ...responses.filter(({ status }) => status !== 200).map(getEndMs));
      await waitFor(
        maxRecoveryMs + calmMs,
        () => performance.now() - findLastErrorMs() >= calmMs,
        'requests were not answered again',
      );
      return findLastErrorMs() - startMs;
    },
    stop: async () => {
      stopped = true;
      await running;
      const health = responses.filter(({ path }) => path === '/health');
      assert.deepEqual([...new Set(health.map(({ status }) => status))], [200]);
      assert.ok((computeQuantile(health, 0.5) as number) < maxMedianHealthMs);
      const late = responses.filter(
        (response) =>
          response.status === 503 && response.tookMs - measureMachineDelay(response, health) >= maxFailureMs,
      );
      assert.deepEqual(late, [], `503 after ${maxFailureMs} ms or later`);
      assert.deepEqual(
        responses.filter(({ tookMs }) => tookMs >= minHangMs),
        [],
      );
      return responses.filter(isKeyed);
    },
  };
}

/**
 * The delay of a response that the busy machine causes, measured by concurrent requests without the database. It counts
 * twice for a timeout: when the request arrives, and when the timer fires.
 */
function measureMachineDelay({ sentMs, tookMs }: TimedResponse, health: readonly TimedResponse[]): number {
  const concurrent = health.filter(
    (other) => other.sentMs < sentMs + tookMs && other.sentMs + other.tookMs > sentMs,
  );
  return 2 * Math.max(0, ...concurrent.map((other) => other.tookMs));
}

/** Quantile of the response times. @param part 0 to 1 */
function computeQuantile(responses: readonly TimedResponse[], part: number): number | undefined {
  const times = responses.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  return times[Math.ceil(times.length * part) - 1];
}

/** Requests /ready and checks the response. */
export async function fetchReadiness({ port }: ServerProcess): Promise<HttpResponse> {
  const response = await sendRequest(port, '/ready');
  checkContractHeaders(response);
  assert.ok([200, 503].includes(response.status));
  return response;
}

/** Asserts that a server survived a failure: it is ready, and has logged no unhandled error and no warning. */
export async function assertHealthy(server: ServerProcess): Promise<void> {
  assert.equal((await fetchReadiness(server)).status, 200);
  assertLogHealthy(server);
}

/** Asserts that a server is ready, stops with exit code 0, and logged neither an unhandled error nor a warning. */
export async function assertStopsHealthy(server: ServerProcess): Promise<void> {
  assert.equal((await fetchReadiness(server)).status, 200);
  assert.equal(await server.stop(), 0);
  assertLogHealthy(server);
}

function assertLogHealthy({ lines }: ServerProcess): void {
  assert.deepEqual(
    lines.filter((line) => /unhandled|uncaught|warning/i.test(line)),
    [],
  );
}

/** Adds the measurements to the test report. @returns the 99th percentile of the time of 503 responses, in milliseconds */
export function reportRecovery(
  t: TestContext,
  responses: readonly TimedResponse[],
  recoveredMs: number,
): number {
  const failures = responses.filter(({ status }) => status === 503);
  const p99 = computeQuantile(failures, 0.99) ?? 0;
  t.diagnostic(
    `${failures.length} of ${responses.length} responses were 503, 99 % of them within ${Math.round(p99)} ms; ` +
      `the last one ${Math.round(recoveredMs)} ms after the database's recovery`,
  );
  return p99;
}
