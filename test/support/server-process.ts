/** `rostra serve` as a process of its own, for what only a process shows: signals, exit codes, a kill, its memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sendApiRequest } from './api-client.ts';
import type { Scope } from './files.ts';
import { sendRaw } from './raw-socket.ts';
import { highRateLimits, type Server } from './server.ts';
import { createServerLog } from './server-log.ts';

export const nodeBinary = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
export const mainFile = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface ServerProcess extends Server {
  pid: number;
  /** Resolves with the exit code when the process has ended of itself, or by a signal that was sent before. */
  waitForExit(): Promise<number | null>;
  /** SIGTERM, unless the process has ended. @returns the exit code */
  stop(): Promise<number | null>;
  /** SIGKILL: the process has no chance to put anything in order. */
  kill(): Promise<void>;
}

/** Compiled once: all other processes then start in two thirds of the time. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
};

/** @param program another program than ours, such as one that a test has damaged */
export async function startServerProcess(
  scope: Scope,
  database: string,
  environment: Record<string, string> = {},
  program = mainFile,
): Promise<ServerProcess> {
  const { ROSTRA_PORT = '0' } = environment;
  const child = spawn(nodeBinary, [program, 'serve', '--port', ROSTRA_PORT, '--database', database], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, ...compileCache, ...highRateLimits, ...environment },
  });
  const exited = once(child, 'exit');
  // A test process that is ended early must not leave servers behind.
  const killChild = () => void child.kill('SIGKILL');
  process.once('exit', killChild);
  const end = async (signal?: NodeJS.Signals) => {
    if (signal !== undefined && child.exitCode === null && child.signalCode === null) child.kill(signal);
    const [code] = await exited;
    process.removeListener('exit', killChild);
    return code as number | null;
  };
  scope.after(async () => {
    await end('SIGKILL');
  });

  const { lines, line, add, end: endLog } = createServerLog();
  createInterface({ input: child.stderr as NodeJS.ReadableStream })
    .on('line', add)
    .on('close', () => exited.then(endLog));
  const address = await line(/http:\/\/127\.0\.0\.1:\d+/).catch(async (error) => {
    // A file of tests that fails this early does not get as far as its `after`.
    await end('SIGKILL');
    throw error;
  });
  const origin = /http:\/\/127\.0\.0\.1:(\d+)/.exec(address) as RegExpExecArray;
  const port = Number(origin[1]);
  return {
    address: origin[0],
    port,
    pid: child.pid as number,
    lines,
    line,
    get: (path, options) => sendApiRequest(port, path, options),
    sendRaw: (bytes, options) => sendRaw(port, bytes, options),
    waitForExit: () => end(),
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
  };
}
