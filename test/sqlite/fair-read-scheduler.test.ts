import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailableError } from '../../src/domain/store-errors.ts';
import { createFairReadScheduler } from '../../src/store/sqlite/fair-read-scheduler.ts';

/** Uses this much CPU time. */
function readFor(ms: number): Promise<void> {
  const { user, system } = process.threadCpuUsage();
  for (let usedUs = 0; usedUs < ms * 1_000; ) {
    const now = process.threadCpuUsage();
    usedUs = now.user + now.system - user - system;
  }
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
  const schedule = createFairReadScheduler(0);
  const pause = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    return Promise.resolve();
  };
  await Promise.all([schedule('a', pause), schedule('a', pause), schedule('a', pause)]);
});
