/** Carries out docs/add-a-field.md on a database and a mirror of the last release, and reads the new field wherever fields appear. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FixtureEngine } from '../upgrades/fixture.ts';
import { assertSucceeds } from './cli-workspace.ts';
import { type Scope, toNdjson } from './files.ts';
import { carryOutRecipe } from './recipe.ts';
import { formatSubmissionId, recordsOfA } from './records.ts';

const submission = {
  kind: 'submission',
  id: 'a',
  description: 'A bench for the park',
  createdAt: '2026-03-01T09:15:00Z',
};
const session = {
  kind: 'session',
  id: 's',
  committeeName: 'Council',
  date: '2026-03-02',
  submissions: ['a'],
};

type Recipe = Awaited<ReturnType<typeof carryOutRecipe>>;

/**
 * The kept row of a corrected record is from before the field. Importing the record again changes nothing, so the import before it is
 * undone.
 */
async function undoAfterUnchangedImport(
  { run, write }: Recipe,
  readStatus: () => Promise<string>,
): Promise<void> {
  const corrected = recordsOfA.filter((record) => 'id' in record && record.id === formatSubmissionId(2));
  const file = write('corrected.ndjson', toNdjson(corrected));
  const organization = ['--organization', 'Musterstadt'];
  await run('import', 'rostra', file, ...organization, '--already-anonymised');
  assert.equal(await readStatus(), 'completed');
  await run('source', 'undo', ...organization, '--yes');
  assert.equal(await readStatus(), 'in_review');
}

export async function checkAddedField(scope: Scope, fixtures: FixtureEngine): Promise<void> {
  const recipe = await carryOutRecipe(scope, 'docs/add-a-field.md', fixtures);
  const { access, copy, key, organization, run, write } = recipe;
  const { origin, get } = await recipe.serve();
  const changed = `/submissions/${formatSubmissionId(4)}`;
  await undoAfterUnchangedImport(
    recipe,
    async () => (await get(changed, access.keys.first)).body.data.status,
  );

  const importRecords = (records: readonly object[]) =>
    run('import', 'rostra', write('records.ndjson', toNdjson(records)), ...organization, '--redact', 'email');
  const records = [
    { ...submission, district: 'Altstadt' },
    { ...submission, id: 'b', district: 'Write to a@b.example' },
    { ...submission, id: 'c' },
    { ...session, district: 'Centre' },
  ];
  await importRecords(records);
  const table = write('table.csv', 'id;text;day;part\nd;A tree;2026-03-02;<b>Südstadt</b>\n');
  const mapping = write(
    'mapping.yaml',
    'submission:\n  id: id\n  description: text\n  createdAt: day\n  district: part\n',
  );
  const ofTable = ['--mapping', mapping, '--source', 'table', '--redact', 'off'];
  await run('import', 'table', table, ...organization, ...ofTable);

  const search = async (list: string, secret?: string) => (await get(`/search/${list}`, secret)).body.data;
  const readDistricts = (found: Record<string, unknown>[]) =>
    found.map(({ description, district }) => [description, district]);
  const found = await search('submissions');
  assert.deepEqual(readDistricts(found).slice(0, 1), [['A tree', 'Südstadt']]);
  assert.deepEqual(
    new Set(
      readDistricts(found)
        .slice(1)
        .map(([, district]) => district),
    ),
    new Set(['Altstadt', 'Write to [E-Mail]', null]),
  );
  const [foundSession] = await search('sessions');
  assert.equal(foundSession.district, 'Centre');
  assert.deepEqual(
    new Set(
      (await search('submissions', access.keys.first)).map(
        ({ district }: typeof session & { district: unknown }) => district,
      ),
    ),
    new Set([null]),
  );
  const { components } = (await get('/openapi.json')).body;
  assert.deepEqual(Object.keys(found[0]), Object.keys(components.schemas.FoundSubmission.properties));
  assert.ok(!('district' in (await get(`/submissions/${found[0].id}`)).body.data));
  const openData = await fetch(`${origin}/open/musterstadt/sessions.csv`);
  assert.match(await openData.text(), /^[^\n]*\bdistrict\b/);

  const composeMirror = (to: string, secret: string) => [
    ...['mirror', '--url', origin as string, '--key-file', write(`${to}-key`, secret)],
    ...['--to', join(copy, to), '--format', 'csv'],
  ];
  const readMirror = (to: string) => readFileSync(join(copy, to, 'submissions.csv'), 'utf8');
  const mirrors = { own: key, withoutDistricts: access.keys.second };
  for (const [to, secret] of Object.entries(mirrors)) {
    // This project is the previous version.
    await assertSucceeds(composeMirror(to, secret));
    assert.doesNotMatch(readMirror(to), /\bdistrict\b/);
    await run(...composeMirror(to, secret));
    assert.match(readMirror(to), /^[^\n]*\bdistrict\b/);
  }
  assert.match(readMirror('own'), /Südstadt/);

  const { next_cursor: cursor } = (await get('/changes')).body.pagination;
  await importRecords([submission, ...records.slice(1, 3), { ...session, district: 'Harbour' }]);
  const changes = (await get(`/changes?cursor=${cursor}`)).body.data;
  assert.deepEqual(
    changes.map(({ kind, district }: Record<string, unknown>) => [kind, district]),
    [
      ['submission', null],
      ['session', 'Harbour'],
    ],
  );
  // The previous version does not know the values that it copies, and writes the files without the column.
  for (const changed of [undefined, { ...submission, id: 'c', description: 'A longer bench' }]) {
    if (changed !== undefined) await importRecords([changed]);
    await assertSucceeds(composeMirror('own', key));
    await run(...composeMirror('own', key));
    assert.doesNotMatch(readMirror('own'), /Altstadt/);
    assert.match(readMirror('own'), /^[^\n]*\bdistrict\b[\s\S]+Südstadt/);
  }
}
