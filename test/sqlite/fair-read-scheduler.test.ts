import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailableError } from '../../src/domain/store-errors.ts';
import { createFairReadScheduler } from '../../src/store/sqlite/fair-read-scheduler.ts';

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Uses this much CPU time. */
function readFor(ms: number): Promise<void> {
  const endMs = readCpuMs() + ms;
  while (readCpuMs() < endMs);
  return Promise.resolve();
}

test('a read that waits longer than the timeout is rejected without reading', async () => {
  const schedule = createFairReadScheduler(0);
  let reads = 0;
  const read = () => {
    reads += 1;
    return readFor(10);
  };
  await schedule('a', read);
  const [first, late, other] = await Promise.allSettled([
    schedule('a', read),
    schedule('a', read),
    schedule('b', read),
  ]);
  assert.equal(first.status, 'fulfilled');
  assert.equal(other.status, 'fulfilled');
  assert.ok(late.status === 'rejected' && late.reason instanceof StoreUnavailableError);
  assert.equal(reads, 3);
});

test('a read that waits without using CPU time does not pause its municipality', async () => {
  // A collection of garbage can use more of it than a pause needs. Then the reads say nothing, and are repeated.
  for (let usedMs = Number.POSITIVE_INFINITY; usedMs > 2; ) {
    usedMs = 0;
    const schedule = createFairReadScheduler(0);
    const wait = () => {
      const beforeMs = readCpuMs();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      usedMs = Math.max(usedMs, readCpuMs() - beforeMs);
      return Promise.resolve();
    };
    const reads = await Promise.allSettled([schedule('a', wait), schedule('a', wait), schedule('a', wait)]);
    if (usedMs <= 2) for (const read of reads) assert.equal(read.status, 'fulfilled');
  }
});
