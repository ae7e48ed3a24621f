/** Carries out docs/add-a-field-of-a-source.md on a database of the last release, and enters the field with commands and files. */
import assert from 'node:assert/strict';
import type { FixtureEngine } from '../upgrades/fixture.ts';
import type { Scope } from './files.ts';
import { carryOutRecipe } from './recipe.ts';

export async function checkAddedSourceField(scope: Scope, fixtures: FixtureEngine): Promise<void> {
  const recipe = await carryOutRecipe(scope, 'docs/add-a-field-of-a-source.md', fixtures);
  const { organization, run, write } = recipe;
  const show = async () => JSON.parse(await run('source', 'show', 'Map', ...organization, '--json'));

  await run(
    'source',
    'add',
    'Map',
    ...organization,
    '--format',
    'rostra',
    '--contact',
    'Gru\u0308nflächenamt',
  );
  assert.equal((await show()).contact, 'Gr\u00fcnflächenamt');
  assert.match(await run('source', 'show', 'Map', ...organization), /^contact +Grünflächenamt$/m);
  await run('source', 'edit', 'Map', ...organization, '--contact', 'Bauamt');
  assert.equal((await show()).contact, 'Bauamt');
  await run('source', 'edit', 'Map', ...organization, '--time-zone', 'Europe/Vienna');
  assert.equal((await show()).contact, 'Bauamt');
  await run('source', 'edit', 'Map', ...organization, '--clear', 'contact');
  assert.equal((await show()).contact, null);

  const compose = (contact: string) =>
    write(
      'file.yaml',
      `organizations:\n  - name: Ort\n    sources:\n      - { name: Map, format: rostra, contact: ${contact} }\n`,
    );
  await run('apply', compose('Bauamt'));
  assert.equal((await show()).contact, 'Bauamt');
  await run('apply', compose('null'));
  assert.equal((await show()).contact, null);
  assert.equal(await run('apply', compose('null')), '');
  await run('source', 'remove', 'Map', ...organization);

  const { origin } = await recipe.serve();
  assert.ok(origin !== undefined, 'the keys of the release get the answers of the release');
}
