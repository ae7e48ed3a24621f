/** Millions of requests to one process do not increase its memory or its open files. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import autocannon from 'autocannon';
import { createFixture } from '../support/fixture.ts';
import { formatSubmissionId } from '../support/records.ts';

const requests = Number(process.env.ROSTRA_TEST_REQUESTS ?? 10_000_000);
const slices = 40;

/** Reads resident memory in kB and open files of a process from /proc. */
function readProcessUsage(pid: number): { memory: number; files: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    memory: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]),
    files: readdirSync(`/proc/${pid}/fd`).length,
  };
}

const skipReason = process.platform === 'linux' ? false : 'requires /proc of Linux';

test(`${requests} requests: memory grows by less than 1 % in the last quarter, and no file stays open`, {
  skip: skipReason,
}, async (t) => {
  const fixture = await createFixture(t);
  const server = await fixture.startServerProcess({
    ROSTRA_LOG_LEVEL: 'error',
    ROSTRA_RATE_LIMIT: '2000000000',
  });
  const paths = [
    '/submissions',
    '/submissions?status=in_review',
    `/submissions/${formatSubmissionId(1)}`,
    '/support',
    '/sessions',
    '/me',
  ];
  const samples: { memory: number; files: number }[] = [];
  for (let slice = 0; slice < slices; slice += 1) {
    const {
      non2xx,
      errors,
      '2xx': answered,
    } = await autocannon({
      url: `${server.address}/api/v1`,
      connections: 32,
      amount: Math.floor(requests / slices),
      headers: { authorization: `Bearer ${fixture.alice}` },
      requests: paths.map((path) => ({ path: `/api/v1${path}` })),
    });
    assert.deepEqual([non2xx, errors], [0, 0], `${answered} answered`);
    samples.push(readProcessUsage(server.pid));
  }
  const last = samples.slice(-slices / 4);
  const memory = last.map((sample) => sample.memory);
  t.diagnostic(`resident memory of the last quarter: ${Math.min(...memory)} to ${Math.max(...memory)} kB`);
  // Garbage collection makes single values jump, so the test compares the means of two halves.
  const computeMean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const growth =
    computeMean(memory.slice(memory.length / 2)) / computeMean(memory.slice(0, memory.length / 2)) - 1;
  t.diagnostic(`growth within it: ${(growth * 100).toFixed(2)} %`);
  assert.ok(growth < 0.01, `${growth}`);
  assert.ok((last.at(-1)?.files as number) <= (last[0]?.files as number) + 2);
});
