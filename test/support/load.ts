/** Clients that go on asking while a database is away, and what each of their answers has to be. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { checkContractHeaders } from './contract.ts';
import { isUnavailable } from './exchange.ts';
import { type Answer, plainExchange } from './http-client.ts';
import type { ServerProcess } from './server-process.ts';

/** One answer, on the clock of `performance.now`. */
interface Timed {
  path: string;
  status: number;
  sentMs: number;
  tookMs: number;
}

/** Whoever asks is told within this time, whatever the database does. */
const promptMs = 1_000;

/** Whoever has waited this long for an answer has given up. */
const hangMs = 5_000;

/** How soon after the database's return requests are answered again. */
const recoveryMs = 5_000;

/** Long enough without a 503 to call it over: longer than a request may wait for its answer. */
const calmMs = 1_000;

export interface Load {
  /** Resolves when this many requests were answered from now on. */
  waitForAnswers(count: number, status: number): Promise<void>;
  /** Resolves when requests are answered again and go on being. @returns how long after now the last 503 was */
  waitForRecovery(): Promise<number>;
  /** Stops asking, and resolves when every request was answered and each as it has to be. */
  stop(): Promise<Timed[]>;
}

export interface LoadOptions {
  /** Few where all of them wait for the whole of their time: so many answers at once would take more of it. */
  clients?: number;
  paths?: readonly string[];
}

/**
 * Clients that ask one after the other's answer, and load balancers beside them. An answer that breaks the
 * contract, or is neither 200 nor an orderly 503, ends the load with that failure.
 */
export function startLoad(
  server: ServerProcess,
  keys: readonly string[],
  { clients = 16, paths = ['/me', '/submissions'] }: LoadOptions = {},
): Load {
  const answers: Timed[] = [];
  let stopped = false;

  async function timed<Asked extends Answer>(path: string, ask: () => Promise<Asked>): Promise<Asked> {
    const sentMs = performance.now();
    const answer = await ask();
    answers.push({ path, status: answer.status, sentMs, tookMs: performance.now() - sentMs });
    return answer;
  }

  async function client(number: number): Promise<void> {
    const key = keys[number % keys.length] as string;
    for (let sent = number; !stopped; sent += 1) {
      const path = paths[sent % paths.length] as string;
      // What was asked before may be answered without the database.
      const address = path === '/submissions' ? `${path}?topic=${number}.${sent}` : path;
      const answer = await timed(path, () => server.get(address, { key }));
      if (answer.status !== 200) isUnavailable(answer);
      // Refusals come at once; without a pause their number would be what is measured.
      await setTimeout(20);
    }
  }

  async function balancer(path: string, pauseMs: number, ask: () => Promise<Answer>): Promise<void> {
    while (!stopped) {
      await timed(path, ask);
      await setTimeout(pauseMs);
    }
  }

  const running = Promise.all([
    ...Array.from({ length: clients }, (_, number) => client(number)),
    balancer('/health', 10, () => server.get('/health')),
    balancer('/ready', 100, () => askReady(server)),
  ]);
  // It is whoever waits for the load that is told.
  running.catch(() => {
    stopped = true;
  });

  const keyed = ({ path }: Timed) => path !== '/health' && path !== '/ready';

  async function until(patienceMs: number, holds: () => boolean, what: string): Promise<void> {
    for (const startMs = performance.now(); !holds(); await setTimeout(20)) {
      if (stopped) await running;
      assert.ok(performance.now() - startMs < patienceMs, `${what} in ${patienceMs} ms`);
    }
  }

  return {
    waitForAnswers: async (count, status) => {
      const before = answers.length;
      const met = () =>
        answers.slice(before).filter((answer) => keyed(answer) && answer.status === status).length >= count;
      await until(10_000, met, `not ${count} answers of ${status}`);
    },
    waitForRecovery: async () => {
      const startMs = performance.now();
      const endOf = ({ sentMs, tookMs }: Timed) => sentMs + tookMs;
      const lastTrouble = () =>
        Math.max(startMs, ...answers.filter(({ status }) => status !== 200).map(endOf));
      await until(
        recoveryMs + calmMs,
        () => performance.now() - lastTrouble() >= calmMs,
        'requests were not answered again',
      );
      return lastTrouble() - startMs;
    },
    stop: async () => {
      stopped = true;
      await running;
      const health = answers.filter(({ path }) => path === '/health');
      assert.deepEqual([...new Set(health.map(({ status }) => status))], [200]);
      assert.ok((computeQuantile(health, 0.5) as number) < 100);
      const late = answers.filter(
        (answer) => answer.status === 503 && answer.tookMs - measureMachineDelay(answer, health) >= promptMs,
      );
      assert.deepEqual(late, [], `refusals after ${promptMs} ms or later`);
      assert.deepEqual(
        answers.filter(({ tookMs }) => tookMs >= hangMs),
        [],
      );
      return answers.filter(keyed);
    },
  };
}

/**
 * The machine's part in the time of an answer, by what requests that need no database took meanwhile. Whoever is
 * refused pays it twice: on the way in, and when the time is up.
 */
function measureMachineDelay({ sentMs, tookMs }: Timed, health: readonly Timed[]): number {
  const beside = health.filter(
    (other) => other.sentMs < sentMs + tookMs && other.sentMs + other.tookMs > sentMs,
  );
  return 2 * Math.max(0, ...beside.map((other) => other.tookMs));
}

/** The time within which a part of the answers came, 0 to 1. */
function computeQuantile(answers: readonly Timed[], part: number): number | undefined {
  const times = answers.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  return times[Math.ceil(times.length * part) - 1];
}

/** Whether a load balancer would send requests. */
export async function askReady({ port }: ServerProcess): Promise<Answer> {
  const answer = await plainExchange(port, '/ready');
  checkContractHeaders(answer);
  assert.ok([200, 503].includes(answer.status));
  return answer;
}

/** The process lived through it, knows of nothing that went past it, and stops as it should. */
export async function stopSound(server: ServerProcess): Promise<void> {
  assert.equal((await askReady(server)).status, 200);
  assert.equal(await server.stop(), 0);
  assert.deepEqual(
    server.lines.filter((line) => /unhandled|uncaught|warning/i.test(line)),
    [],
  );
}

/** Says in the report of the tests what was measured. @returns what the slowest 503 but one in a hundred took */
export function reportRecovery(t: TestContext, answers: readonly Timed[], recoveredMs: number): number {
  const refusals = answers.filter(({ status }) => status === 503);
  const p99 = computeQuantile(refusals, 0.99) ?? 0;
  t.diagnostic(
    `${refusals.length} of ${answers.length} answers were 503, 99 % of them within ${Math.round(p99)} ms; ` +
      `the last was ${Math.round(recoveredMs)} ms after the database's return`,
  );
  return p99;
}
