/** Carries out docs/add-a-field.md on a database, and reads the new field wherever fields appear. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from './files.ts';
import { type CreateDatabase, carryOutRecipe } from './recipe.ts';

const record = {
  kind: 'submission',
  id: 'a',
  description: 'A bench for the park',
  createdAt: '2026-03-01T09:15:00Z',
};

export async function checkAddedField(scope: Scope, createDatabase: CreateDatabase): Promise<void> {
  const recipe = await carryOutRecipe(scope, 'docs/add-a-field.md', createDatabase);
  const { copy, key, organization, run, runOnDatabase, write } = recipe;
  const records = [
    { ...record, district: 'Altstadt' },
    { ...record, id: 'b', district: 'Write to a@b.example' },
    { ...record, id: 'c' },
  ];
  const own = write('records.ndjson', records.map((each) => `${JSON.stringify(each)}\n`).join(''));
  await runOnDatabase('import', 'rostra', own, ...organization, '--redact', 'email');
  const table = write('table.csv', 'id;text;day;part\nd;A tree;2026-03-02;<b>Südstadt</b>\n');
  const mapping = write(
    'mapping.yaml',
    'submission:\n  id: id\n  description: text\n  createdAt: day\n  district: part\n',
  );
  const ofTable = ['--mapping', mapping, '--source', 'table', '--redact', 'off'];
  await runOnDatabase('import', 'table', table, ...organization, ...ofTable);

  const { origin, get } = await recipe.serve();
  const { data } = (await get('/submissions')).body;
  const districts = data.map(({ description, district }: Record<string, unknown>) => [description, district]);
  assert.deepEqual(districts.slice(0, 1), [['A tree', 'Südstadt']]);
  assert.deepEqual(
    new Set(districts.slice(1).map(([, district]: unknown[]) => district)),
    new Set(['Altstadt', 'Write to [E-Mail]', null]),
  );
  const { components } = (await get('/openapi.json')).body;
  assert.deepEqual(Object.keys(data[0]), Object.keys(components.schemas.Submission.properties));

  const keyFile = write('key', key);
  const mirror = ['--key-file', keyFile, '--to', join(copy, 'mirror'), '--format', 'csv'];
  await run('mirror', '--url', origin as string, ...mirror);
  assert.match(readFileSync(join(copy, 'mirror/submissions.csv'), 'utf8'), /\bdistrict\b[\s\S]+Südstadt/);
}
