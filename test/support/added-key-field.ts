/** Carries out docs/add-a-field-of-a-key.md on a database of the last release, and enters the field with commands and files. */
import assert from 'node:assert/strict';
import type { FixtureEngine } from '../upgrades/fixture.ts';
import type { Scope } from './files.ts';
import { carryOutRecipe } from './recipe.ts';

export async function checkAddedKeyField(scope: Scope, fixtures: FixtureEngine): Promise<void> {
  const recipe = await carryOutRecipe(scope, 'docs/add-a-field-of-a-key.md', fixtures);
  const { organization, run, write } = recipe;
  const show = async (key: string) => JSON.parse(await run('key', 'show', key, '--json'));

  const issued = await run('key', 'issue', ...organization, '--name', 'Map', '--department', 'Bauamt');
  const prefix = issued.slice(0, 16);
  assert.equal((await show(prefix)).department, 'Bauamt');
  assert.match(await run('key', 'show', prefix), /^department +Bauamt$/m);
  await run('key', 'edit', prefix, '--department', 'Gru\u0308nflächenamt');
  assert.equal((await show(prefix)).department, 'Gr\u00fcnflächenamt');
  const successor = await run('key', 'rotate', prefix);
  assert.equal((await show(successor.slice(0, 16))).department, 'Gr\u00fcnflächenamt');
  await run('key', 'edit', successor.slice(0, 16), '--clear', 'department');
  assert.equal((await show(successor.slice(0, 16))).department, null);

  const { hash, prefix: planned } = JSON.parse(await run('key', 'generate', '--json'));
  const compose = (department: string) =>
    write(
      'file.yaml',
      `organizations:\n  - name: Amt\n    keys:\n      - { name: K, hash: ${hash}, prefix: ${planned}, department: ${department} }\n`,
    );
  await run('apply', compose('Bauamt'));
  assert.equal((await show(planned)).department, 'Bauamt');
  await run('apply', compose('null'));
  assert.equal((await show(planned)).department, null);
  assert.equal(await run('apply', compose('null')), '');

  const { origin } = await recipe.serve();
  assert.ok(origin !== undefined, 'the keys of the release get the answers of the release');
}
