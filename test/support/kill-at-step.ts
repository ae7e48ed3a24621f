/**
 * Preload this file to kill the process before a step: a statement of SQLite, or a change of a file or folder.
 * KILL_AT_STEP is the number of the step, from 1. Without it, the process prints the number of its steps when it ends.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import Database from 'better-sqlite3';

const killAt = Number(process.env.KILL_AT_STEP);
let steps = 0;

function countCalls(owner: object, names: readonly string[]): void {
  const methods = owner as Record<string, (...args: unknown[]) => unknown>;
  for (const name of names) {
    const original = methods[name] as (...args: unknown[]) => unknown;
    methods[name] = function (this: unknown, ...args: unknown[]) {
      steps += 1;
      if (steps === killAt) process.kill(process.pid, 'SIGKILL');
      return original.apply(this, args);
    };
  }
}

const memory = new Database(':memory:');
countCalls(Object.getPrototypeOf(memory.prepare('SELECT 1')), ['run']);
memory.close();
countCalls(Database.prototype, ['exec', 'pragma', 'close']);
countCalls(fs, [
  ...['mkdirSync', 'symlinkSync', 'linkSync', 'renameSync', 'rmSync', 'createWriteStream'],
  ...['copyFileSync', 'fchmodSync', 'fsyncSync'],
]);
countCalls(fs.promises, ['copyFile', 'writeFile']);
syncBuiltinESMExports();

if (!killAt && isMainThread) process.once('exit', () => process.stderr.write(`${steps} steps\n`));
