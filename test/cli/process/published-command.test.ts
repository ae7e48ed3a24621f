/** The entry point of the published command, which starts a server with less memory. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { youngGenerationFlag } from '../../../src/process/young-generation.ts';
import type { Scope } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import { sendRequest } from '../../support/http-client.ts';
import { startServerProcess } from '../../support/server-process.ts';

const program = fileURLToPath(new URL('../../../src/bin.ts', import.meta.url));
const fixture = await createFixture({ after });
const skip = process.platform === 'linux' ? false : 'only Linux shows the arguments of a process in a file';

suite('a server of the published command', { skip }, () => {
  async function start(scope: Scope, environment: Record<string, string>) {
    const server = await startServerProcess(scope, fixture.database, environment, program);
    const { status } = await sendRequest(server.port, '/api/v1/health');
    assert.equal(status, 200);
    const args = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').split('\0');
    return { server, args };
  }

  test('and its workers have a limited young generation; it keeps its first process id and stops on a signal', async (t) => {
    const { server, args } = await start(t, { ROSTRA_WORKERS: '2' });
    assert.deepEqual(args.slice(1, 3), [youngGenerationFlag, program]);
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
      .trim()
      .split(' ');
    assert.equal(children.length, 2);
    for (const pid of children)
      assert.ok(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(youngGenerationFlag));
    assert.equal(await server.stop(), 0);
  });

  test('keeps the size that NODE_OPTIONS contains', async (t) => {
    const { server, args } = await start(t, { NODE_OPTIONS: '--max-semi-space-size=32' });
    assert.ok(!args.includes(youngGenerationFlag));
    assert.equal(await server.stop(), 0);
  });

  test('works without the permission to replace its process', async (t) => {
    const { server, args } = await start(t, {
      NODE_OPTIONS:
        '--permission --allow-fs-read=* --allow-fs-write=* --allow-net --allow-addons --allow-worker',
    });
    assert.ok(!args.includes(youngGenerationFlag));
    assert.equal(await server.stop(), 0);
  });
});
