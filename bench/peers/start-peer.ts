/** Starts a peer in its own process and compares its pages with the database. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  createConnectionOptions,
  type Database,
  fields,
  getDeepOffset,
  itemsPerPage,
  readDocuments,
} from './expected-page.ts';
import type { PeerRequest, RunningPeer } from './peers.ts';

const startTimeoutMs = 60_000;
const maxOutputLines = 20;

/** The folder that a peer may write to, and its port. */
export interface Workspace {
  folder: string;
  port: number;
}

export interface Server {
  /** Arguments of Node.js. */
  command: string[];
  environment: Record<string, string>;
  first: PeerRequest;
  /** A function if the URL of the deep page depends on an earlier response. */
  deep: PeerRequest | ((port: number) => Promise<PeerRequest>);
  note: string;
  /** Default: true. */
  usesDatabase?: boolean;
  /** Extracts the submissions from a response body. */
  items(answer: unknown): Record<string, unknown>[];
  /** Removes the tables of the peer from the database. */
  clear?(): Promise<unknown>;
}

export async function createWorkspace(): Promise<Workspace> {
  return { folder: mkdtempSync(join(tmpdir(), 'rostra-peer-')), port: await findFreePort() };
}

/** @returns the path of a file in this folder */
export function resolvePath(name: string): string {
  return join(import.meta.dirname, name);
}

/** @throws Error with the output of the process if a page differs from the database */
export async function startVerified(
  server: Server,
  place: Workspace,
  database: Database,
): Promise<RunningPeer> {
  const child = start(server.command, server.environment, place, database);
  const stop = async () => {
    await child.end();
    await server.clear?.();
    rmSync(place.folder, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(place.port, server.first, child.running);
    const { first, note, usesDatabase = true } = server;
    const deep = typeof server.deep === 'function' ? await server.deep(place.port) : server.deep;
    for (const [request, offset] of [[first, 0] as const, [deep, getDeepOffset(database)] as const]) {
      const wanted = await readDocuments(database, offset, itemsPerPage);
      await assertPage(place.port, request, server.items, wanted);
    }
    return { pid: child.pid, port: place.port, first, deep, note, usesDatabase, stop };
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}\n${child.lastLines()}`);
  }
}

/** Runs a command that prepares a peer, until it exits. */
export async function runToCompletion(
  command: string[],
  environment: Record<string, string>,
  place: Workspace,
  database: Database,
): Promise<void> {
  const child = start(command, environment, place, database);
  const code = await child.ended;
  if (code !== 0) throw new Error(`${command.join(' ')} exited with ${code}\n${child.lastLines()}`);
}

export async function send(port: number, { method = 'GET', path, headers, body }: PeerRequest) {
  return fetch(`http://127.0.0.1:${port}${path}`, { method, headers: headers ?? {}, body: body ?? null });
}

function start(command: string[], environment: Record<string, string>, place: Workspace, database: Database) {
  const child = spawn(process.execPath, command, {
    cwd: place.folder,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(place.port),
      DATABASE_URL: database.owner,
      // Some peers also offer writes.
      PGOPTIONS: `${createConnectionOptions(database)} -c default_transaction_read_only=on`,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).split('\n').slice(-maxOutputLines).join('\n');
    });
  }
  const kill = () => void child.kill('SIGKILL');
  const leave = () => {
    kill();
    rmSync(place.folder, { recursive: true, force: true });
  };
  // Runs if the comparison is interrupted.
  const exit = () => process.exit(143);
  process.once('exit', leave);
  process.once('SIGTERM', exit);
  const ended = once(child, 'exit').then(([code]) => {
    process.removeListener('exit', leave);
    process.removeListener('SIGTERM', exit);
    return code as number | null;
  });
  const running = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid as number,
    ended,
    running,
    lastLines: () => output,
    end: async () => {
      if (!running()) return;
      child.kill('SIGTERM');
      await Promise.race([ended, setTimeout(5000, undefined, { ref: false })]);
      if (running()) kill();
      await ended;
    },
  };
}

async function waitUntilReady(port: number, first: PeerRequest, running: () => boolean): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    if (!running()) throw new Error('The process exited before its first response.');
    const answer = await send(port, first).catch(() => undefined);
    if (answer?.status === 200) return;
    if (Date.now() > deadline) {
      throw new Error(
        `No response with status 200 within a minute; the last was ${answer === undefined ? 'an error' : await describeResponse(answer)}`,
      );
    }
    await answer?.body?.cancel();
    await setTimeout(100);
  }
}

async function assertPage(
  port: number,
  request: PeerRequest,
  items: Server['items'],
  wanted: string[],
): Promise<void> {
  const answer = await send(port, request);
  if (answer.status !== 200) throw new Error(`${request.path}: ${await describeResponse(answer)}`);
  const page = items(await answer.json());
  if (page.length !== itemsPerPage) throw new Error(`${request.path}: ${page.length} submissions`);
  const ids = wanted.map((document) => JSON.parse(document).id);
  if (
    !isDeepStrictEqual(
      page.map(({ id }) => id),
      ids,
    )
  ) {
    throw new Error(`${request.path}: other submissions, or in another order`);
  }
  for (const item of page) {
    if (!isDeepStrictEqual(Object.keys(item).sort(), [...fields].sort())) {
      throw new Error(`${request.path}: other fields: ${Object.keys(item)}`);
    }
  }
}

async function describeResponse(answer: Response): Promise<string> {
  return `${answer.status} ${(await answer.text()).slice(0, 1000)}`;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
