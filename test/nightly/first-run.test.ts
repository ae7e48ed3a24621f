/** The commands of docs/first-run.md and of upgrades in docs/installing.md. Other files carry out those of packages and containers. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageFolder, version } from '../../packaging/package-folder.ts';
import { startCli } from '../support/cli-workspace.ts';
import { copyCheckout, createTemporaryFolder, type Scope } from '../support/files.ts';
import { findFreePort } from '../support/free-port.ts';
import { sendRequest } from '../support/http-client.ts';
import { preparePackages } from '../support/packages.ts';
import { readCommands } from '../support/read-commands.ts';

/**
 * Runs commands of which the last one serves.
 *
 * @param request path to request from the server, or its pattern in the output
 */
async function assertServes(
  scope: Scope,
  lines: readonly string[],
  folder: string,
  request: string | RegExp,
): Promise<void> {
  const port = await findFreePort();
  const script = lines
    // They need a network, and change the checkout.
    .filter((line) => !/^(npm|git) /.test(line))
    .join('\n')
    // Signals shall reach the server, not the shell.
    .replace(/\S+ serve$/, 'exec $&');
  const environment = { HOME: folder, ROSTRA_PORT: String(port) };
  const running = startCli(['-ec', script], { environment, folder }, 'sh');
  scope.after(() => void running.child.kill('SIGKILL'));
  await running.waitForOutput(/"msg":"listening"/);
  const path = typeof request === 'string' ? request : (await running.waitForOutput(request))[0];
  assert.equal((await sendRequest(port, path)).status, 200);
  running.child.kill('SIGTERM');
  const { code, stderr } = await running.result;
  assert.equal(code, 0, stderr);
}

const invitation = /\/admin\/invitation\/\S+/;

test('the checkout is set up, serves, and is upgraded', async (t) => {
  const parts = ['src', 'migrations', 'docs', 'examples', 'packages', 'package.json', 'rostra'];
  const folder = copyCheckout(t, parts);
  await assertServes(t, readCommands('docs/first-run.md', '## The checkout'), folder, invitation);
  await assertServes(t, readCommands('docs/installing.md', '\nThe checkout: '), folder, '/ready');
});

test('the executable is unpacked, set up, serves, and is upgraded', {
  skip: (process.platform !== 'linux' || process.arch !== 'x64') && 'the executable is for Linux on x64',
}, async (t) => {
  preparePackages();
  const archive = `rostra_${version}_linux_amd64.tar.gz`;
  const folder = createTemporaryFolder(t);
  for (const [page, after, request] of [
    ['docs/first-run.md', '## The executable', invitation],
    ['docs/installing.md', '\nThe executable: ', '/ready'],
  ] as const) {
    const lines = readCommands(page, after);
    const [named = ''] = lines.join('\n').match(/rostra_\S+\.tar\.gz/) ?? [];
    copyFileSync(join(packageFolder, archive), join(folder, named));
    await assertServes(t, lines, folder, request);
  }
});
