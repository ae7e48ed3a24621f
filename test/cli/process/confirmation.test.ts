/** Questions of commands on a terminal. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { suite, test } from 'node:test';
import {
  assertNoStack,
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  startCli,
} from '../../support/cli-workspace.ts';
import { rostraFile } from '../../support/server-process.ts';

const skip = spawnSync('script', ['--version']).status === 0 ? false : 'this machine has no script';

suite('a command that asks for confirmation', { skip, concurrency: 2 }, () => {
  for (const [what, input, code, remaining] of [
    ['goes on after the expected answer', 'Musterstadt\r', 0, 0],
    ['changes nothing after another answer', 'yes\r', 1, 1],
    ['changes nothing after Ctrl-C', '\u0003', 130, 1],
    ['changes nothing after Ctrl-D', '\u0004', 130, 1],
  ] as const)
    test(what, async (t) => {
      const workspace = await createCliWorkspace(t);
      await createMunicipality(workspace, 'Musterstadt');
      const command = `${rostraFile} organization remove Musterstadt --database ${workspace.database}`;
      const running = startCli(['-qfec', command, '/dev/null'], { input: '' }, 'script');
      await running.waitForOutput(/Type "Musterstadt" to continue: /);
      running.child.stdin?.write(input);
      const result = await running.result;
      assert.equal(result.code, code, result.stdout);
      assert.match(result.stdout, code === 0 ? /Removed Musterstadt/ : /^Nothing was removed\.\r$/m);
      assertNoStack(result);
      const list = await assertSucceeds(workspace.withDatabase('organization', 'list', '--json'));
      assert.equal(JSON.parse(list).length, remaining);
    });
});
