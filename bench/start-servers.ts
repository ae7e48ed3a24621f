/** Starts the measured servers, each in its own process. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BareResponse } from './bare-server.ts';
import type { BenchDatabase } from './fill-database.ts';

export interface RunningServer {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

export const mainFile = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const bareFile = fileURLToPath(new URL('./bare-server.ts', import.meta.url));

export const createEnvironment = ({ database, owner }: BenchDatabase) => ({
  ...process.env,
  ROSTRA_DATABASE: database,
  ...(owner === undefined ? {} : { ROSTRA_DATABASE_OWNER: owner }),
});

/** Runs a Rostra command. @returns its output */
export function runRostra(place: BenchDatabase, ...words: string[]): string {
  return execFileSync(process.execPath, [mainFile, ...words], {
    env: createEnvironment(place),
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

export interface StartedRostra extends RunningServer {
  /** From the start of the process to its first response. */
  startedInMs: number;
}

const benchSettings = {
  // All requests have one address.
  ROSTRA_OPEN_DATA_RATE_LIMIT: '2147483647',
  // Filled rows have no index of words: the server would build it during the measurement.
  ROSTRA_WORD_SEARCH: 'off',
};

/** Starts Rostra with default settings, except `benchSettings`, and a log file. */
export async function startRostra(
  place: BenchDatabase,
  settings: Record<string, string> = {},
): Promise<StartedRostra> {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-bench-'));
  const log = join(folder, 'log');
  const beganMs = performance.now();
  const serve = ['serve', '--port', '0', '--log-format', 'json'];
  const child = spawn(process.execPath, [mainFile, ...serve], {
    env: { ...createEnvironment(place), ...benchSettings, ...settings },
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
  });
  const port = await waitForPort(child, log);
  await sendRequest(port, '/api/v1/health');
  const startedInMs = performance.now() - beganMs;
  return {
    port,
    pid: child.pid as number,
    startedInMs,
    stop: async () => {
      await stopProcess(child);
      rmSync(folder, { recursive: true });
    },
  };
}

async function waitForPort(child: ChildProcess, log: string): Promise<number> {
  for (;;) {
    const text = readFileSync(log, 'utf8');
    const port = /"address":"[^"]*:(\d+)"/.exec(text)?.[1];
    if (port !== undefined) return Number(port);
    if (child.exitCode !== null) throw new Error(`Rostra did not start: ${text}`);
    await setTimeout(5);
  }
}

export async function startBare(given: BareResponse): Promise<RunningServer> {
  const child = spawn(process.execPath, [bareFile], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(given));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { port: Number(line), pid: child.pid as number, stop: () => stopProcess(child) };
}

async function stopProcess(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

export interface ReceivedResponse {
  status: number;
  headers: string[];
  body: Buffer;
}

/** Sends one request, with POST if it has a body. @returns the response with its raw headers */
export async function sendRequest(
  port: number,
  path: string,
  key?: string,
  more: Record<string, string> = {},
  body?: string,
): Promise<ReceivedResponse> {
  const headers = key === undefined ? more : { ...more, authorization: `Bearer ${key}` };
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request({ method, port, host: '127.0.0.1', path, headers, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.rawHeaders, body: Buffer.concat(chunks) };
}
