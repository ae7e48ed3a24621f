/**
 * Truncates a large write-ahead log when nobody writes. The log grows during long reads, and SQLite never shrinks the
 * file. A checkpoint of hundreds of megabytes takes seconds, so it runs in a worker thread.
 */
import { statSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../assets/start-thread.ts';

/** Size of the log during an import. */
export const typicalWalBytes = 64 * 1024 * 1024;

const checkIntervalMs = 10_000;

/** Time since the last write. */
const idleMs = 5_000;

/**
 * @param assertUnchanged throws if another database is at this path
 * @returns stops the timer
 */
export function startWalTruncation(file: string, assertUnchanged: () => void): () => void {
  let thread: Worker | undefined;

  function check(): void {
    if (thread !== undefined || !isLargeAndIdle(`${file}-wal`)) return;
    assertUnchanged();
    thread = startThread('src/store/sqlite/run-statement', {
      file,
      sql: 'PRAGMA wal_checkpoint(TRUNCATE)',
      parameters: [],
    });
    thread.unref();
    // The next check tries again.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      thread = undefined;
    });
  }

  const timer = setInterval(() => {
    try {
      check();
    } catch {
      // The files were removed or replaced.
    }
  }, checkIntervalMs).unref();
  return () => clearInterval(timer);
}

function isLargeAndIdle(log: string): boolean {
  const found = statSync(log, { throwIfNoEntry: false });
  return found !== undefined && found.size > typicalWalBytes && found.mtimeMs < Date.now() - idleMs;
}
