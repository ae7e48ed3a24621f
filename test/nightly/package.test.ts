/** The published package: packed, installed in another folder, and run there. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { sendApiRequest } from '../support/api-client.ts';
import { checkout } from '../support/checkout.ts';
import { startCli } from '../support/cli-workspace.ts';
import { copyCheckout, createTemporaryFolder } from '../support/files.ts';
import { assertExaminesUpload, assertLoads } from '../support/installed-program.ts';

const folder = createTemporaryFolder({ after });
/** The pinned Node comes before an installed one. */
const path = [join(checkout, 'node_modules/.bin'), process.env.PATH].join(delimiter);
/** Includes the settings of npm and of a proxy. */
const surrounding = Object.entries(process.env).filter(([name]) => !name.startsWith('ROSTRA_'));
const environment = { ...(Object.fromEntries(surrounding) as Record<string, string>), PATH: path };

/** Packs a copy of the checkout, because the build writes files. */
function createTarball(): string {
  const excludedFolders = ['node_modules', 'dist', 'data', '.git', 'test', 'bench'];
  const parts = readdirSync(checkout).filter((name) => !excludedFolders.includes(name));
  const copy = copyCheckout({ after }, parts);
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: copy, env: environment, stdio: 'pipe' });
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) as string);
}

/** Without a network, npm retries for minutes. */
const timeoutMs = 90_000;
const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;

suite('the packed package', () => {
  const installed = join(folder, 'installed');
  const command = join(installed, 'node_modules/.bin/rostra');
  let contents: string[] = [];
  let unavailable: string | undefined;

  test('can be packed and installed', (t) => {
    const tarball = createTarball();
    contents = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    mkdirSync(installed);
    writeFileSync(join(installed, 'package.json'), '{"private": true}');
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
    const { status, stderr, error } = spawnSync('npm', ['install', tarball, ...flags], {
      cwd: installed,
      env: environment,
      encoding: 'utf8',
      timeout: timeoutMs,
    });
    if (status !== 0 && unreachable.test(`${stderr} ${error}`)) {
      unavailable = 'npm cannot reach a registry';
      return t.skip(unavailable);
    }
    assert.equal(status, 0, stderr);
    assert.ok(existsSync(command));
  });

  test('contains the program and licences, but neither tests nor sources', () => {
    for (const name of [
      'dist/src/main.js',
      'migrations/sqlite/0001_schema.sql',
      'package.json',
      'README.md',
      'LICENSE',
      'dist/src/web/admin/assets/admin.css',
    ]) {
      assert.ok(contents.includes(`package/${name}`), name);
    }
    assert.deepEqual(
      contents.filter((name) =>
        /^(?!package\/examples\/).*\.ts$|^package\/(test|src|bench|data)\//.test(name),
      ),
      [],
    );
  });

  test('prints its version', (t) => {
    if (unavailable) return t.skip(unavailable);
    const version = execFileSync(command, ['--version'], { cwd: folder, env: environment, encoding: 'utf8' });
    assert.match(version, /^\d+\.\d+\.\d+ \(npm package\)\n$/);
  });

  test('serves the demo with working keys, pages whose files load, and imports', async (t) => {
    if (unavailable) return t.skip(unavailable);
    const demo = startCli(
      ['demo', '--port', '0', '--database', join(folder, 'demo.db')],
      { environment },
      command,
    );
    t.after(() => void demo.child.kill('SIGKILL'));
    const [text] = await demo.waitForOutput(/Rostra serves two[\s\S]+Press Ctrl-C to stop/);
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
    for (const [key] of text.matchAll(/sk_rostra_\w{36}/g)) {
      assert.equal((await sendApiRequest(port, '/submissions', { key })).json.data.length, 20);
    }
    for (const path of ['/docs', '/docs/samples', '/admin/sign-in']) await assertLoads(port, path);
    const [, address = '', link = ''] = /Admin area:\s+(http:\/\/[^/]+)(\S+)/.exec(text) ?? [];
    await assertExaminesUpload(address, link);
    demo.child.kill('SIGTERM');
    assert.equal((await demo.result).code, 0);
  });
});
