import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { compileCacheEnvironment } from '../../support/checkout.ts';
import { findFreePort } from '../../support/free-port.ts';
import { sendRequest } from '../../support/http-client.ts';
import { createOwnCluster, type OwnCluster } from '../../support/own-cluster.ts';
import { ownerRole, servingRole } from '../../support/postgres-database.ts';
import { nodeBinary } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, fail, formatCount, formatNumber, getCount, raise, type Tally } from '../tally.ts';

const maxRecoveryMs = 5_000;
/** The log names the end of an outage with the first response after a second without a failed request. */
const calmMs = 1_500;
const errorLevel = 50;

const migratedDatabase = 'interrupted';

interface ProbedServer {
  name: string;
  port: number;
  child: ChildProcess;
  exited: Promise<unknown[]>;
  /** Each a JSON object. */
  lines: string[];
  /** undefined: the database of the server has no municipality yet. */
  key: string | undefined;
}

interface LogLine {
  level: number;
  msg: string;
  err?: { message: string };
}

/** Starts a server without waiting for it, because its database may be down. */
async function startProbedServer(
  { scope, program }: FigureRun,
  name: string,
  environment: Record<string, string>,
  key?: string,
): Promise<ProbedServer> {
  const port = await findFreePort();
  const child = spawn(nodeBinary, [program, 'serve', '--port', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, ...compileCacheEnvironment, ...environment },
  });
  const exited = once(child, 'exit');
  scope.after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  return { name, port, child, exited, lines, key };
}

/** @returns 0 without a response */
const requestStatus = ({ port, key }: ProbedServer, path: string): Promise<number> =>
  sendRequest(port, path, key === undefined ? {} : { key }).then(
    ({ status }) => status,
    () => 0,
  );

/** A path whose response needs the database. */
const getPath = ({ key }: ProbedServer) => (key === undefined ? '/ready' : '/api/v1/me');

const waitForStatus = (server: ProbedServer, status: number) =>
  waitUntil(`${status} from the server ${server.name}`, async () => {
    if (server.child.exitCode !== null) throw new Error(`the server ${server.name} has ended`);
    return (await requestStatus(server, getPath(server))) === status;
  });

/** Starts a server whose migration waits for a lock, and stops the database then. */
async function interruptMigration(run: FigureRun, cluster: OwnCluster): Promise<ProbedServer> {
  await cluster.sql('postgres', `CREATE DATABASE ${migratedDatabase} OWNER ${ownerRole}`);
  const holder = new Client(cluster.url('postgres', migratedDatabase));
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('CREATE TABLE schema_migration (version INTEGER)');
  const server = await startProbedServer(run, 'that was migrating', {
    ROSTRA_DATABASE: cluster.url(servingRole, migratedDatabase),
    ROSTRA_DATABASE_OWNER: cluster.url(ownerRole, migratedDatabase),
  });
  const countWaiting = `SELECT 1 FROM pg_stat_activity WHERE usename = '${ownerRole}' AND wait_event_type = 'Lock'`;
  await waitUntil(
    'a waiting migration',
    async () => (await cluster.sql('postgres', countWaiting)).length > 0,
    10,
  );
  await cluster.stop('immediate');
  return server;
}

/** Checks that a server is alive, and that it does not pretend to have a database. */
async function probe(server: ProbedServer, tally: Tally): Promise<void> {
  for (const [path, expected] of [
    ['/api/v1/health', 200],
    ['/ready', 503],
    [getPath(server), 503],
  ] as const) {
    const status = await requestStatus(server, path);
    add(tally, 'requests');
    if (status !== expected) fail(tally, `the server ${server.name} returned ${status} for ${path}`);
  }
}

/** Each reason may be logged once, however long the outage was. */
function checkLog({ name, lines }: ProbedServer, tally: Tally): void {
  const errors = lines
    .map((line) => JSON.parse(line) as LogLine)
    .filter(({ level }) => level >= errorLevel)
    .map(({ msg, err }) => `${msg}: ${err?.message}`);
  add(tally, 'errors', errors.length);
  if (errors.length === 0) fail(tally, `the server ${name} did not log the outage`);
  for (const [text, same] of Map.groupBy(errors, (error) => error))
    if (same.length > 1) fail(tally, `the server ${name} logged ${same.length} times: ${text}`);
}

async function start(run: FigureRun): Promise<Measurement> {
  const { scope, tally } = run;
  process.setMaxListeners(0);
  const cluster = await createOwnCluster(scope);
  const [key] = cluster.keys;
  const environment = { ROSTRA_DATABASE: cluster.database };
  const running = await startProbedServer(run, 'that was running', environment, key);
  await waitForStatus(running, 200);
  const migrating = await interruptMigration(run, cluster);
  const booting = await startProbedServer(run, 'that started', environment, key);
  const servers = [running, migrating, booting];
  for (const server of servers) await waitForStatus(server, 503);

  return {
    measure: async (_first, count) => {
      for (let second = 0; second < count; second += 1) {
        for (const server of servers) await probe(server, tally);
        await setTimeout(1_000);
      }
    },
    finish: async () => {
      await cluster.start();
      const startMs = performance.now();
      for (const server of servers) {
        await waitForStatus(server, 200);
        raise(tally, 'recovery', performance.now() - startMs);
      }
      await setTimeout(calmMs);
      for (const server of servers) await waitForStatus(server, 200);
      for (const server of servers) {
        server.child.kill('SIGTERM');
        const [code] = await server.exited;
        if (code !== 0) fail(tally, `the server ${server.name} ended with ${code}`);
        checkLog(server, tally);
      }
      if (running.lines.filter((line) => line.includes('the database is available again')).length !== 1)
        fail(tally, 'the server that was running did not log the end of the outage once');
    },
  };
}

export const databaseOutages: Figure = {
  number: 24,
  promise:
    'While PostgreSQL is down for 30 minutes, a server that was running, one that starts and one whose migration is interrupted stay alive and respond 503. Each logs each reason once, and responds 200 at most 5 s after PostgreSQL has started.',
  unit: 'seconds',
  fullSize: 1_800,
  minSize: 15,
  batchSize: 15,
  engines: ['postgres'],
  minutes: 31,
  needsQuietMachine: true,
  restartsOnResume: true,
  defect: {
    description: 'a server does not wait for its database',
    edits: [
      {
        file: 'src/program/process/wait-for-database.ts',
        from: 'return code === undefined ? timeoutMessage.test(message) : temporaryCode.test(code);',
        to: 'return code === message;',
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const recoveryMs = tally.maxima.recovery ?? Number.POSITIVE_INFINITY;
    return {
      measured: `${formatNumber(done)} seconds without PostgreSQL: ${formatCount(tally, 'requests')} requests to three servers, which logged ${formatCount(tally, 'errors')} errors; all respond after ${(recoveryMs / 1_000).toFixed(1)} s`,
      violations: [
        ...(recoveryMs > maxRecoveryMs ? [`recovered after ${Math.round(recoveryMs)} ms`] : []),
        ...(getCount(tally, 'requests') === 0 ? ['no request was sent'] : []),
      ],
    };
  },
};
