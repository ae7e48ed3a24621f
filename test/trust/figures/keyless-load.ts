import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { findPage, pageAddresses } from '../../../src/web/open/pages/serve-open-data-pages.ts';
import { addBulkyMunicipality } from '../../support/bulky-municipality.ts';
import { checkout } from '../../support/checkout.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { fillOpenAddress, listOpenAddresses } from '../../support/open-addresses.ts';
import { createSeededRandom } from '../../support/records.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import {
  add,
  computeQuantile,
  fail,
  formatCount,
  formatNumber,
  observe,
  raise,
  type Tally,
} from '../tally.ts';

const connections = 48;
const maxTurnMs = 10;
const maxMedianRatio = 2;
const maxAddedMs = 25;

const warmUpRounds = 5;

/** Between two requests with a key. */
const keyedIntervalMs = 10;

/** Parameters of pages as the program declares them, and one that it does not know. */
const parameters = new Set([
  ...pageAddresses.flatMap((address) => findPage(address.replace('{id}', randomUUID()))?.parameters ?? []),
  'language',
  'unknown',
]);

/** That requests combine. */
const values: Readonly<Record<string, readonly string[]>> = {
  period: ['all', 'latest', '1', '1987', '2026', '9999', '10000', 'x'],
  words: ['nothing', '<&"', '\u0000', 'x'.repeat(300), '%'],
  status: ['accepted', 'closed', 'state 1', ''],
  page: ['0', '2', '1000000', '-1'],
  from: ['0001-01-01', '9999-12-31', '2026-02-30'],
  to: ['0001-01-01', '9999-12-31'],
  language: ['de', 'en', 'xx'],
};

const anyValues = ['', '1', '-1', 'nothing', '<&"', '9999-12-31', 'x'.repeat(300)];

/** @returns requests that differ, from every address that the program declares */
function composePath(addresses: readonly string[], number: number): string {
  const random = createSeededRandom(number);
  const query = new URLSearchParams();
  for (const name of parameters) {
    const chosen = values[name] ?? anyValues;
    if (random() < 0.3) query.set(name, chosen[Math.floor(random() * chosen.length)] as string);
  }
  query.set('n', String(number));
  return `${addresses[number % addresses.length]}?${query}`;
}

const send = (port: number, path: string, agent: Agent, headers: Record<string, string> = {}) =>
  new Promise<number>((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, agent, headers }, (response) => {
      response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    }).on('error', reject);
  });

async function start({ createFixture, startServer, scope, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const bulky = await addBulkyMunicipality(fixture, 1);
  const turnsFile = join(createTemporaryFolder(scope), 'turns');
  const server = await startServer(fixture.database, {
    NODE_OPTIONS: `--import=${pathToFileURL(join(checkout, 'test/trust/slice-recorder.ts'))}`,
    TURNS_FILE: turnsFile,
    ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder(scope),
    ROSTRA_PUBLIC_URL: 'https://api.example',
    ROSTRA_OPEN_DATA_RATE_LIMIT: '1000000',
  });
  const addresses = listOpenAddresses(fixture.store).map((address) => fillOpenAddress(address, bulky));
  const { secret } = await fixture.issueKey(fixture.a);
  const keyed = { agent: new Agent({ keepAlive: true }), headers: { authorization: `Bearer ${secret}` } };
  const keyless = new Agent({ keepAlive: true, maxSockets: connections });
  scope.after(async () => {
    keyed.agent.destroy();
    keyless.destroy();
  });

  // A process compiles the code of a page at its first requests, once.
  for (let round = 0; round < warmUpRounds; round += 1)
    for (const address of addresses) await send(server.port, `${address}?period=${round}`, keyless);
  const warmedUpMs = Date.now();

  async function sendWithKey(name: string, isEnded: () => boolean): Promise<void> {
    while (!isEnded()) {
      const startedMs = performance.now();
      const status = await send(server.port, '/api/v1/submissions?limit=10', keyed.agent, keyed.headers);
      observe(tally, name, performance.now() - startedMs);
      if (status !== 200) fail(tally, `a request with a key got ${status}`);
      await setTimeout(keyedIntervalMs);
    }
  }

  return {
    measure: async (first, count) => {
      const endMs = performance.now() + 3_000;
      await sendWithKey('ms alone', () => performance.now() > endMs);
      let next = first;
      const sendNext = async () => {
        while (next < first + count) {
          const path = composePath(addresses, next);
          next += 1;
          const status = await send(server.port, path, keyless);
          add(tally, `status ${status}`);
          if (status >= 500 && status !== 503) fail(tally, `${path} got ${status}`);
        }
      };
      let isEnded = false;
      const withKey = sendWithKey('ms beside', () => isEnded);
      await Promise.all(Array.from({ length: connections }, sendNext)).finally(() => {
        isEnded = true;
      });
      await withKey;
    },
    finish: async () => {
      await setTimeout(500);
      const turns = readFileSync(turnsFile, 'utf8').matchAll(/^(\S+) (\S+)$/gm);
      for (const [, endedMs, lengthMs] of turns)
        if (Number(endedMs) > warmedUpMs) raise(tally, 'turn ms', Number(lengthMs));
    },
  };
}

const readQuantiles = (tally: Tally, part: number) =>
  ['ms alone', 'ms beside'].map((name) => computeQuantile(tally, name, part) ?? 0) as [number, number];

export const keylessLoad: Figure = {
  number: 27,
  promise:
    'Requests without a key, fuzzed from every address of open data over 48 connections, with records as bulky and dates as distant as an import accepts, hold up nobody: no turn of the event loop takes more than 10 ms of processor time without garbage collections, the median of requests with a key at most doubles, their p99 rises by at most 25 ms, and no response is a 5xx but 503.',
  unit: 'requests without a key',
  fullSize: 10_000,
  minSize: 200,
  batchSize: 1_000,
  engines: ['sqlite', 'postgres'],
  minutes: 15,
  needsQuietMachine: true,
  restartsOnResume: true,
  defect: {
    description: 'slices take 400 ms, and have no pauses',
    edits: [
      { file: 'src/platform/time-slices.ts', from: /maxSliceMs = \d+/g, to: 'maxSliceMs = 400' },
      { file: 'src/platform/time-slices.ts', from: 'intervalRatio = 2', to: 'intervalRatio = 0' },
    ],
  },
  start,
  conclude: (tally, done) => {
    const turnMs = tally.maxima['turn ms'] ?? 0;
    const [median, medianBeside] = readQuantiles(tally, 0.5);
    const [p99, p99Beside] = readQuantiles(tally, 0.99);
    return {
      measured: `${formatNumber(done)} requests without a key, ${formatCount(tally, 'status 200')} of them with a page or file, ${formatCount(tally, 'status 503')} with 503: the longest turn took ${turnMs.toFixed(1)} ms; requests with a key had a median of ${median.toFixed(1)} ms alone and ${medianBeside.toFixed(1)} ms beside them, a p99 of ${p99.toFixed(0)} ms and ${p99Beside.toFixed(0)} ms`,
      violations: [
        ...(turnMs > maxTurnMs ? [`a turn took ${turnMs.toFixed(1)} ms`] : []),
        ...(medianBeside > median * maxMedianRatio
          ? ['the median of requests with a key more than doubled']
          : []),
        ...(p99Beside > p99 + maxAddedMs ? [`the p99 rose by ${Math.round(p99Beside - p99)} ms`] : []),
      ],
    };
  },
};
