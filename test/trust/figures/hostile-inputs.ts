import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compileCacheEnvironment } from '../../support/checkout.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import type { Fixture } from '../../support/fixture.ts';
import { nodeBinary, type ServerProcess } from '../../support/server-process.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import type { HostileInputPlan, TargetLine } from '../hostile-input-target.ts';
import { readUsage } from '../process-usage.ts';
import { add, computeQuantile, fail, formatCount, formatNumber, getCount, observe, raise } from '../tally.ts';

const target = fileURLToPath(new URL('../hostile-input-target.ts', import.meta.url));

const megabyte = 1_048_576;
const maxMegabytes = 512;
/** For each ten megabytes that have begun. */
const maxMilliseconds = 10_000;
const tenMegabytes = 10_000_000;
const usageIntervalMs = 100;
const probeIntervalMs = 200;
const maxProbeMs = 1_000;

interface Round {
  fixture: Fixture;
  folder: string;
  program: string;
  run: FigureRun;
}

/** @returns undefined if the process has ended */
function readResidentMegabytes(pid: number): number | undefined {
  try {
    const { residentKilobytes } = readUsage(pid);
    return residentKilobytes > 0 ? residentKilobytes / 1_024 : undefined;
  } catch {
    return undefined;
  }
}

/** Reads inputs in a process. @returns the number of those that it has begun */
async function readInputs({ fixture, folder, program, run }: Round, first: number, count: number) {
  const { tally } = run;
  const plan: HostileInputPlan = {
    ...{ folder, database: fixture.database, organizationId: fixture.a, first, count },
    maxMemory: maxMegabytes * megabyte,
    maxSilenceMs: maxMilliseconds,
  };
  const child = spawn(nodeBinary, [target, program, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, TMPDIR: folder, ...compileCacheEnvironment },
  });
  const closed = once(child, 'close');
  run.scope.after(() => void child.kill('SIGKILL'));
  let last: Extract<TargetLine, { begin: number }> | undefined;
  let isReading = false;
  let lastError = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastError = line;
  });
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as TargetLine;
    isReading = 'begin' in line;
    if ('begin' in line) {
      last = line;
      add(tally, 'inputs');
      return;
    }
    const { reader, bytes } = last as NonNullable<typeof last>;
    add(tally, `exit code ${line.code}`);
    observe(tally, 'milliseconds', line.milliseconds);
    raise(tally, 'milliseconds', line.milliseconds);
    if (line.problem !== undefined) fail(tally, `input ${line.end} (${reader}): ${line.problem}`);
    if (line.milliseconds > maxMilliseconds * Math.ceil(bytes / tenMegabytes))
      fail(tally, `input ${line.end} (${reader}) took ${Math.round(line.milliseconds)} ms`);
  });
  const watching = setInterval(() => {
    const megabytes = readResidentMegabytes(child.pid as number);
    if (megabytes !== undefined) raise(tally, 'memory', megabytes);
  }, usageIntervalMs);
  const [code, signal] = await closed;
  clearInterval(watching);
  if (isReading)
    fail(
      tally,
      `input ${last?.begin} (${last?.reader}) ended the process with ${signal ?? code}: ${lastError}`,
    );
  else if (code !== 0) fail(tally, `the process ended with ${signal ?? code}: ${lastError}`);
  return last === undefined ? count : last.begin - first + 1;
}

/** Requests the data of another municipality until the signal. */
async function probeServer(server: ServerProcess, key: string, { tally }: FigureRun, signal: AbortSignal) {
  while (!signal.aborted) {
    const startMs = performance.now();
    const status = await server.get('/submissions', { key }).then(
      (response) => response.status,
      (error: Error) => error.message,
    );
    observe(tally, 'probes', performance.now() - startMs);
    if (status !== 200) fail(tally, `another municipality got ${status}`);
    await setTimeout(probeIntervalMs, undefined, { signal }).catch(() => undefined);
  }
}

async function start(run: FigureRun): Promise<Measurement> {
  const { createFixture, program, scope, startServer, tally } = run;
  const fixture = await createFixture();
  const server = await startServer(fixture.database);
  const round: Round = { fixture, folder: createTemporaryFolder(scope), program, run };
  return {
    measure: async (first, count) => {
      const ended = new AbortController();
      const probing = probeServer(server, fixture.bob, run, ended.signal);
      try {
        for (let done = 0; done < count; ) done += await readInputs(round, first + done, count - done);
      } finally {
        ended.abort();
        await probing;
      }
    },
    finish: async () => {
      const code = await server.stop();
      if (code !== 0) fail(tally, `the server ended with ${code}`);
    },
  };
}

export const hostileInputs: Figure = {
  number: 19,
  promise:
    'Hostile and randomly changed files for every reader (tables, spreadsheets, XML, JSON, calendars, archives, YAML, images, mappings and patterns) end with a result or a sentence, within 10 s of processor time for each 10 MB and in less than 512 MB of the whole process. A server of other municipalities responds meanwhile.',
  unit: 'inputs',
  fullSize: 1_000_000,
  minSize: 1_000,
  batchSize: 1_000,
  engines: ['sqlite'],
  minutes: 300,
  needsQuietMachine: true,
  defect: {
    description: 'a number format has any length, and an expression takes quadratic time for it',
    edits: [
      {
        file: 'src/ingest/readers/spreadsheet/cell-text.ts',
        from: 'maxFormatLength = 255',
        to: 'maxFormatLength = 10_000_000',
      },
      {
        file: 'src/ingest/readers/spreadsheet/cell-text.ts',
        from: '[^[\\]]*\\]/gi',
        to: '[^\\]]*\\]/gi',
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const probeMs = computeQuantile(tally, 'probes', 0.99) ?? 0;
    const codes = [0, 1, 2, 3].map((code) => `${formatCount(tally, `exit code ${code}`)} with ${code}`);
    return {
      measured: `${formatNumber(done)} inputs ended: ${codes.join(', ')}; p99 ${computeQuantile(tally, 'milliseconds', 0.99)} ms, longest ${Math.round(tally.maxima.milliseconds ?? 0)} ms; at most ${Math.round(tally.maxima.memory ?? 0)} MB; p99 of a request meanwhile ${probeMs} ms`,
      violations: [
        ...(getCount(tally, 'exit code 0') === 0 ? ['no input was read'] : []),
        ...((tally.maxima.memory ?? 0) > maxMegabytes
          ? [`a process needed ${Math.round(tally.maxima.memory ?? 0)} MB`]
          : []),
        ...(probeMs > maxProbeMs ? [`the p99 of a request meanwhile is ${probeMs} ms`] : []),
      ],
    };
  },
};
