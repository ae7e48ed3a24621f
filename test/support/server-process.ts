/** Runs `rostra serve` in its own process, for tests of signals, exit codes, kills and memory. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sendApiRequest } from './api-client.ts';
import { checkout, compileCacheEnvironment } from './checkout.ts';
import type { Scope } from './files.ts';
import { findFreePort } from './free-port.ts';
import { sendRequest } from './http-client.ts';
import { sendRaw } from './raw-socket.ts';
import { highRateLimits, type Server } from './server.ts';
import { createServerLog } from './server-log.ts';
import { waitUntil } from './wait-until.ts';

export const nodeBinary = join(checkout, 'node_modules/.bin/node');

/** A bundle of the program, in which `npm test` starts processes (bundle-program.ts). Otherwise the checkout. */
const { ROSTRA_TEST_BUNDLE: bundle } = process.env;

export const mainFile = bundle === undefined ? join(checkout, 'src/main.ts') : join(bundle, 'main.mjs');

/** The command. It uses `exec`, so its process id is that of Node.js. */
export const rostraFile = join(bundle ?? checkout, 'rostra');

export interface ServerProcess extends Server {
  pid: number;
  /** Waits without sending a signal. Resolves with the exit code, null if a signal ended the process. */
  waitForExit(): Promise<number | null>;
  /** Sends SIGTERM unless the process has ended. @returns the exit code */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/** On a busy machine, a test may take longer than the default to read a response of the stopping server. */
const longStopTimeout = { ROSTRA_STOP_TIMEOUT: '60' };

/**
 * With the log level `error`, the server logs no requests, so that millions of them do not fill the memory.
 *
 * @param program main file; default: that of the checkout
 */
export async function startServerProcess(
  scope: Scope,
  database: string,
  environment: Record<string, string> = {},
  program = mainFile,
): Promise<ServerProcess> {
  const isQuiet = environment.ROSTRA_LOG_LEVEL === 'error';
  const { ROSTRA_PORT = isQuiet ? String(await findFreePort()) : '0' } = environment;
  const child = spawn(nodeBinary, [program, 'serve', '--port', ROSTRA_PORT, '--database', database], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ...compileCacheEnvironment,
      ...highRateLimits,
      ...longStopTimeout,
      ...environment,
    },
  });
  const exited = once(child, 'exit');
  // An aborted test run must leave no servers behind.
  const killChild = () => void child.kill('SIGKILL');
  process.once('exit', killChild);
  const signalAndWait = async (signal?: NodeJS.Signals) => {
    if (signal !== undefined && child.exitCode === null && child.signalCode === null) child.kill(signal);
    const [code] = await exited;
    process.removeListener('exit', killChild);
    return code as number | null;
  };
  scope.after(async () => {
    await signalAndWait('SIGKILL');
  });

  const { lines, waitForLine, add, end: endLog } = createServerLog();
  createInterface({ input: child.stderr as NodeJS.ReadableStream })
    .on('line', add)
    .on('close', () => exited.then(endLog));
  const listening = isQuiet
    ? waitUntilReady(ROSTRA_PORT, () => child.exitCode ?? child.signalCode, lines)
    : waitForLine(/http:\/\/127\.0\.0\.1:\d+/);
  const address = await listening.catch(async (error) => {
    // `scope.after` does not run if a test file fails while it loads.
    await signalAndWait('SIGKILL');
    throw error;
  });
  const origin = /http:\/\/127\.0\.0\.1:(\d+)/.exec(address) as RegExpExecArray;
  const port = Number(origin[1]);
  return {
    address: origin[0],
    port,
    pid: child.pid as number,
    lines,
    waitForLine,
    get: (path, options) => sendApiRequest(port, path, options),
    sendRaw: (bytes, options) => sendRaw(port, bytes, options),
    waitForExit: () => signalAndWait(),
    stop: () => signalAndWait('SIGTERM'),
    kill: async () => {
      await signalAndWait('SIGKILL');
    },
  };
}

/** Polls a server that does not log its address. @returns its origin */
async function waitUntilReady(
  port: string,
  getExit: () => number | NodeJS.Signals | null,
  lines: readonly string[],
): Promise<string> {
  const origin = `http://127.0.0.1:${port}`;
  await waitUntil('a ready server', async () => {
    assert.equal(getExit(), null, `the server ended: ${lines.join('\n')}`);
    return sendRequest(Number(port), '/ready').then(
      ({ status }) => status === 200,
      () => false,
    );
  });
  return origin;
}
