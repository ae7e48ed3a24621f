/** Millions of requests to one process: its memory and its handles stay where they are. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { Scope } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { findFreePort } from '../support/postgres-cluster.ts';
import { formatSubmissionId } from '../support/records.ts';
import { mainFile, nodeBinary } from '../support/server-process.ts';

const requests = Number(process.env.ROSTRA_TEST_REQUESTS ?? 10_000_000);
const slices = 40;

/** Resident memory in kB and open files of a process, as Linux tells them. */
function readProcessUsage(pid: number): { memory: number; files: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    memory: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]),
    files: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** Without a line for each request, which would fill the memory of the test. */
async function serveQuietly(scope: Scope, database: string): Promise<{ address: string; pid: number }> {
  const port = await findFreePort();
  const child = spawn(nodeBinary, [mainFile, 'serve', '--port', String(port), '--database', database], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ROSTRA_LOG_LEVEL: 'error',
      ROSTRA_RATE_LIMIT: '2000000000',
      ROSTRA_RATE_LIMIT_WINDOW: '86400',
    },
  });
  scope.after(() => void child.kill('SIGKILL'));
  const address = `http://127.0.0.1:${port}`;
  for (let answered = false; !answered; ) {
    await setTimeout(50);
    answered = await fetch(`${address}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
  return { address, pid: child.pid as number };
}

const skipReason = process.platform === 'linux' ? false : 'only Linux tells a process’s memory in this way';

test(`${requests} requests: the memory of the last quarter is flat within 1 %, no handle is left`, {
  skip: skipReason,
}, async (t) => {
  const fixture = await createFixture(t);
  const server = await serveQuietly(t, fixture.database);
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
  // The collector makes single values jump; the two halves of the quarter must not differ.
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const growth = mean(memory.slice(memory.length / 2)) / mean(memory.slice(0, memory.length / 2)) - 1;
  t.diagnostic(`growth within it: ${(growth * 100).toFixed(2)} %`);
  assert.ok(growth < 0.01, `${growth}`);
  assert.ok((last.at(-1)?.files as number) <= (last[0]?.files as number) + 2);
});
