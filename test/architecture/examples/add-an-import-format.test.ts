/** The changes in docs/add-an-import-format.md, applied to a copy of the project, add the format. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { toCsv } from '../../support/files.ts';
import { carryOutRecipe } from '../../support/recipe.ts';
import { sqliteFixtures } from '../../upgrades/fixture.ts';

test('a format added as documented is detected, offered, imported and stored', async (t) => {
  const recipe = await carryOutRecipe(t, 'docs/add-an-import-format.md', sqliteFixtures);
  const { copy, organization, run, write, serve } = recipe;

  const reports = write(
    'reports.csv',
    toCsv(',', [
      ['Report ID', 'Title', 'User Name', 'Category', 'Created', 'Status', 'Site Used'],
      ['17', 'Pothole', 'Anna', 'Roads', '2026-03-01T10:00:00Z', 'fixed - council', 'one'],
      ['18', 'Lamp', 'Bert', 'Lights', '2026-03-02T10:00:00Z', 'confirmed', 'two'],
    ]),
  );
  assert.match(await run('import', 'detect', reports), /fixmystreet: it has a column "Report ID"/);
  assert.match(await run('import', 'fixmystreet', '--help'), /--site-only <name> .+\(default: all\)/s);
  const source = [...organization, '--format', 'fixmystreet', '--site-only', 'one'];
  await run('source', 'add', 'Reports', ...source);
  const printed = await run('source', 'run', 'Reports', reports, ...organization, '--dry-run');
  assert.match(printed, /User Name/);
  await run('source', 'run', 'Reports', reports, ...organization);

  const { get } = await serve();
  const { body } = await get('/submissions');
  assert.deepEqual(
    body.data.map(({ description, status }: Record<string, unknown>) => [description, status]),
    [['Pothole', 'completed']],
  );

  const form: typeof import('../../../src/web/admin/pages/import-wizard/settings/settings-values.ts') =
    await import(join(copy, 'src/web/admin/pages/import-wizard/settings/settings-values.ts'));
  assert.deepEqual(Object.keys(form.listFormOptions('fixmystreet')), ['siteOnly', 'sheet']);
  for (const language of ['en', 'de']) {
    const { [language]: text } = await import(join(copy, `src/web/messages/${language}.ts`));
    assert.match(text.importFormats.fixmystreet, /^FixMyStreet/);
    assert.ok(text.importSettings.option.siteOnly.label, language);
  }
});
