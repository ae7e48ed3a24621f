/** The changes in docs/add-an-operation.md, applied to a copy of the project, add the operation. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkout } from '../../support/checkout.ts';
import { startCli } from '../../support/cli-workspace.ts';
import { applyDocumentedChanges } from '../../support/documented-changes.ts';
import { runsEveryTest } from '../../support/nightly.ts';

const { copy } = applyDocumentedChanges({ after }, 'docs/add-an-operation.md');

// The compiler takes ten seconds for the whole program.
if (runsEveryTest)
  test('an operation added as documented has valid types', () => {
    const compiler = join(checkout, 'node_modules/.bin/tsc');
    execFileSync(compiler, ['--noEmit', '-p', 'tsconfig.build.json'], { cwd: copy, stdio: 'pipe' });
  });

test('an operation added as documented is served, described and limited to its municipality', async (t) => {
  const demo = startCli(
    ['src/main.ts', 'demo', '--port', '0', '--database', join(copy, 'demo.db')],
    { folder: copy },
    process.execPath,
  );
  t.after(() => void demo.child.kill('SIGKILL'));
  const [text] = await demo.waitForOutput(/[\s\S]+Ctrl-C/);
  const base = `${/http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]}/api/v1`;
  const [key, otherKey] = text.match(/sk_rostra_\w{36}/g) ?? [];
  const get = async (path: string, of: string | undefined) => {
    const response = await fetch(base + path, { headers: { authorization: `Bearer ${of}` } });
    // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
    return { status: response.status, body: (await response.json()) as any };
  };

  const { body: list } = await get('/support?limit=1', key);
  const [tally] = list.data;
  assert.deepEqual(await get(`/support/${tally.submissionId}`, key), { status: 200, body: { data: tally } });
  assert.equal((await get(`/support/${tally.submissionId}`, otherKey)).status, 404);
  assert.equal((await get('/support/none', key)).status, 404);
  const { body: document } = await get('/openapi.json', undefined);
  assert.equal(document.paths['/support/{id}'].get.operationId, 'getSupportTally');
});
