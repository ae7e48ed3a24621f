/**
 * Truncates a large write-ahead log when nobody writes. The log grows during long reads, and SQLite never shrinks the
 * file. A checkpoint of hundreds of megabytes takes seconds, so it runs in a worker thread.
 */
import { statSync } from 'node:fs';
import { queryInThread } from './query-in-thread.ts';

/** Size of the log during an import. */
export const typicalWalBytes = 64 * 1024 * 1024;

const checkIntervalMs = 10_000;

/** Time since the last write. */
const idleMs = 5_000;

/**
 * @param assertUnchanged throws if another database is at this path
 * @returns stops the timer, and waits until no thread uses the file
 */
export function startWalTruncation(file: string, assertUnchanged: () => void): () => Promise<void> {
  let truncation: Promise<void> | undefined;

  async function truncate(): Promise<void> {
    assertUnchanged();
    await queryInThread(file, 'PRAGMA wal_checkpoint(TRUNCATE)');
  }

  const timer = setInterval(() => {
    if (truncation !== undefined || !isLargeAndIdle(`${file}-wal`)) return;
    // The files were removed or replaced, or have readers: the next check tries again.
    truncation = truncate()
      .catch(() => undefined)
      .finally(() => {
        truncation = undefined;
      });
  }, checkIntervalMs).unref();
  return async () => {
    clearInterval(timer);
    await truncation;
  };
}

function isLargeAndIdle(log: string): boolean {
  const found = statSync(log, { throwIfNoEntry: false });
  return found !== undefined && found.size > typicalWalBytes && found.mtimeMs < Date.now() - idleMs;
}
