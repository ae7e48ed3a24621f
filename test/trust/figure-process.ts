/** Runs a figure in its own process, which determines the engine of the test fixtures and the measured memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { nodeBinary } from '../support/server-process.ts';
import { type Result, readResult } from './result.ts';
import type { FigureArguments } from './run-figure.ts';

const program = fileURLToPath(new URL('run-figure.ts', import.meta.url));

/**
 * Requires the variable ROSTRA_TEST_CLUSTER for PostgreSQL (postgres-setup.ts).
 *
 * @returns undefined if the run was interrupted
 */
export async function runFigureProcess(options: FigureArguments): Promise<Result | undefined> {
  // In the context of a test, node --test would skip the files of a figure that runs tests, and succeed.
  const { ROSTRA_TEST_CLUSTER, NODE_TEST_CONTEXT, ...environment } = process.env;
  const isPostgres = options.engine === 'postgres';
  const child = spawn(nodeBinary, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...environment, ...(isPostgres ? { ROSTRA_TEST_CLUSTER } : {}) },
  });
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  // Ctrl+C reaches the child without help.
  const wait = () => undefined;
  process.on('SIGTERM', forward).on('SIGINT', wait);
  const [code, signal] = await once(child, 'exit');
  process.off('SIGTERM', forward).off('SIGINT', wait);
  if (code === 130) return undefined;
  const result = readResult(options.folder, options.figure, options.engine);
  if (code !== 0 || result === undefined)
    throw new Error(`the process of figure ${options.figure} ended with ${code ?? signal}`);
  return result;
}
