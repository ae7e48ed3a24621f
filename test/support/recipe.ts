/** Carries out a recipe of the documentation on a copy of the project, and upgrades a database of the last release with it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertSameAnswers } from '../upgrades/answers.ts';
import { type FixtureEngine, listFixtures, readRecording } from '../upgrades/fixture.ts';
import { startCli } from './cli-workspace.ts';
import { applyDocumentedChanges } from './documented-changes.ts';
import type { Scope } from './files.ts';

export async function carryOutRecipe(scope: Scope, page: string, fixtures: FixtureEngine) {
  const { copy } = applyDocumentedChanges(scope, page);
  const [, folder] = listFixtures(fixtures).at(-1) as [string, string];
  const { access, answers } = readRecording(folder);
  const database = await fixtures.restore(scope, folder);
  const environment = { ...database, ROSTRA_RATE_LIMIT: '1000000' };
  const start = (...args: string[]) =>
    startCli(['src/main.ts', ...args], { folder: copy, environment }, process.execPath);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await start(...args).result;
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout.trimEnd();
  };
  await run('migrate');
  const organization = ['--organization', await run('organization', 'add', 'Ort')];
  const key = await run('key', 'issue', ...organization, '--name', 'Test');

  return {
    copy,
    key,
    run,
    database,
    access,
    organization,
    write: (name: string, text: string) => {
      writeFileSync(join(copy, name), text);
      return join(copy, name);
    },
    /** Starts a server, and asserts that it answers the keys of the release as the release did. */
    serve: async () => {
      const server = start('serve', '--port', '0');
      scope.after(() => void server.child.kill('SIGKILL'));
      const [origin] = await server.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/);
      const get = async (path: string, secret = key) => {
        const headers = { authorization: `Bearer ${secret}` };
        const response = await fetch(`${origin}/api/v1${path}`, { headers });
        // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
        return { status: response.status, body: (await response.json()) as any };
      };
      await assertSameAnswers(Number(new URL(origin as string).port), access, answers);
      return { origin, get };
    },
  };
}
