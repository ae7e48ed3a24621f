/**
 * Truncates the write-ahead log when it has become large and nobody writes. A long reader keeps SQLite from starting it
 * anew, and SQLite itself never makes the file smaller. To write hundreds of megabytes back takes seconds, so this file
 * is also the program of a thread that does it.
 */
import { statSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** As large as the log of an import becomes. */
export const typicalWalBytes = 64 * 1024 * 1024;

const checkIntervalMs = 10_000;

/** Nobody has written for so long. */
const idleMs = 5_000;

/** How long the thread waits for readers of the log. Requests do not wait for it. */
const readersTimeoutMs = 1_000;

/**
 * @param assertUnchanged throws when another database is at this path
 * @returns what stops it
 */
export function startWalTruncation(file: string, assertUnchanged: () => void): () => void {
  let thread: Worker | undefined;

  function check(): void {
    if (thread !== undefined || !isLargeAndIdle(`${file}-wal`)) return;
    assertUnchanged();
    thread = new Worker(new URL(import.meta.url), { workerData: { truncate: file } });
    thread.unref();
    // A log that could not be truncated is looked at again.
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

if (!isMainThread && typeof workerData?.truncate === 'string') {
  const connection = new Database(workerData.truncate, { fileMustExist: true, timeout: readersTimeoutMs });
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
}
