/** A real process of `rostra serve`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Exchange, exchange } from './exchange.ts';
import type { RequestOptions } from './http-client.ts';
import { type RawExchange, type RawOptions, sendRaw } from './raw-socket.ts';

/** What ends with a test or a file of tests: a `TestContext`, or `{ after }` of node:test. */
export interface Scope {
  after(work: () => void | Promise<void>): void;
}

export const nodeBinary = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
export const mainFile = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface Server {
  /** Origin: scheme, host and port. */
  address: string;
  port: number;
  pid: number;
  /** Lines of standard error so far. */
  lines: string[];
  /** Sends a request to a path below /api/v1 and checks the answer against the contract. */
  get(path: string, options?: RequestOptions): Promise<Exchange>;
  /** Sends bytes as they are and checks whatever comes back. */
  raw(bytes: string | Buffer, options?: RawOptions): Promise<RawExchange>;
  /** Resolves with the first line of standard error that matches, past ones included. */
  line(pattern: RegExp): Promise<string>;
  /** Resolves with the exit code when the process has ended of itself, or by a signal that was sent before. */
  ended(): Promise<number | null>;
  /** SIGTERM, unless the process has ended. @returns the exit code */
  stop(): Promise<number | null>;
  /** SIGKILL: the process has no chance to put anything in order. */
  kill(): Promise<void>;
}

/** Compiled once: all other processes then start in two thirds of the time. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
};

/** Long windows and a high limit, so that a test meets the end of a window only where it wants to. */
const calm = {
  ROSTRA_RATE_LIMIT_WINDOW: '86400',
  ROSTRA_RATE_LIMIT: '1000000',
};

/** @param program another program than ours, such as one that a test has damaged */
export async function startServer(
  scope: Scope,
  database: string,
  environment: Record<string, string> = {},
  program = mainFile,
): Promise<Server> {
  const { ROSTRA_PORT = '0' } = environment;
  const child = spawn(nodeBinary, [program, 'serve', '--port', ROSTRA_PORT, '--database', database], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, ...compileCache, ...calm, ...environment },
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

  const lines: string[] = [];
  const line = lineReader(child, lines, exited);
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
    get: (path, options) => exchange(port, path, options),
    raw: (bytes, options) => sendRaw(port, bytes, options),
    line,
    ended: () => end(),
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
  };
}

function lineReader(child: ChildProcess, lines: string[], exited: Promise<unknown>) {
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  let over = false;
  createInterface({ input: child.stderr as NodeJS.ReadableStream })
    .on('line', (text) => {
      lines.push(text);
      wake();
    })
    .on('close', () =>
      exited.then(() => {
        over = true;
        wake();
      }),
    );
  return (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const fail = (why: string) =>
        settle(() => reject(new Error(`${why} without a line like ${pattern}:\n${lines.join('\n')}`)));
      const patience = setTimeout(() => fail('ten seconds passed'), 10_000);
      const settle = (how: () => void) => {
        clearTimeout(patience);
        waiting.delete(look);
        how();
      };
      const look = () => {
        const found = lines.find((text) => pattern.test(text));
        if (found !== undefined) settle(() => resolve(found));
        else if (over) fail('the server ended');
      };
      waiting.add(look);
      look();
    });
}
