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
 * @returns stops the timer
 */
export function startWalTruncation(file: string, assertUnchanged: () => void): () => void {
  let isTruncating = false;

  async function check(): Promise<void> {
    if (isTruncating || !isLargeAndIdle(`${file}-wal`)) return;
    assertUnchanged();
    isTruncating = true;
    // The next check tries again.
    await queryInThread(file, 'PRAGMA wal_checkpoint(TRUNCATE)').finally(() => {
      isTruncating = false;
    });
  }

  // An error: the files were removed or replaced, or have readers.
  const timer = setInterval(() => check().catch(() => undefined), checkIntervalMs).unref();
  return () => clearInterval(timer);
}

function isLargeAndIdle(log: string): boolean {
  const found = statSync(log, { throwIfNoEntry: false });
  return found !== undefined && found.size > typicalWalBytes && found.mtimeMs < Date.now() - idleMs;
}
