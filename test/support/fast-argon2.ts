/**
 * Lowers the cost of password hashes in this process from tens of milliseconds to microseconds. Asserts first that Rostra
 * uses the cost of OWASP's Password Storage Cheat Sheet. Import this file before the code that hashes.
 */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { argon2 } = crypto;
let resumed = Promise.resolve();

/** Delays all further hashes. @returns a function that resumes them */
export function pauseHashing(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  resumed = promise;
  return resolve;
}

crypto.argon2 = ((algorithm, parameters, callback) => {
  const { memory, passes, parallelism } = parameters;
  assert.deepEqual({ memory, passes, parallelism }, { memory: 19_456, passes: 2, parallelism: 1 });
  void resumed.then(() => argon2(algorithm, { ...parameters, memory: 8, passes: 1 }, callback));
}) as typeof argon2;
syncBuiltinESMExports();
