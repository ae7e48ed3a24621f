/** Records that their source, or the settings of an import, no longer want to be public. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { createTableImporter } from '../formats/table-importer.ts';
import { assertSucceeds, type Municipality, runCli } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });
const { workspace } = harness;
const { importTable, writeMapping } = createTableImporter(harness);

const mapping = `submission:
  id: Nr
  description: Text
  createdAt: Datum
skip:
  Freigabe: [nein]
`;
const toRow = (number: number, release = 'ja') => [String(number), `Text ${number}`, '2026-03-01', release];
const createTable = (rows: readonly string[][]) => toCsv(',', [['Nr', 'Text', 'Datum', 'Freigabe'], ...rows]);
const createRows = (count: number, isReleased: (number: number) => boolean = () => true) =>
  createTable(Array.from({ length: count }, (_, n) => toRow(n, isReleased(n) ? 'ja' : 'nein')));

const listDescriptions = async (town: Municipality) =>
  (await harness.listAll(town, '/submissions')).map(({ description }) => description).sort();
const readLastRun = async (town: Municipality) =>
  JSON.parse(
    await assertSucceeds(workspace.withDatabase('import', 'history', '--organization', town.id, '--json')),
  )[0];

suite('rows that a mapping skips', { concurrency: 2 }, () => {
  test('are removed if they were published, and the report says why', async () => {
    const town = await harness.createMunicipality();
    await importTable(town, createRows(20), mapping);
    const dry = await importTable(
      town,
      createRows(20, (n) => n > 1),
      mapping,
      ['--dry-run'],
    );
    assertCounts(dry, { unchanged: 18, removed: 2 });
    const result = await importTable(
      town,
      createRows(20, (n) => n > 1),
      mapping,
    );
    assertCounts(result, { unchanged: 18, removed: 2 });
    const note = /Removed: 2 published records \(the mapping skips such rows\)\./;
    assert.match(String(dry.counts.notes), note);
    assert.match(String(result.counts.notes), note);
    assert.equal((await listDescriptions(town)).length, 18);
    assert.match(String((await readLastRun(town)).notes), note);

    const again = await importTable(
      town,
      createRows(20, (n) => n > 1),
      mapping,
    );
    assertCounts(again, { unchanged: 18, ignored: 2 });
    assert.equal(again.counts.missing, 0);
  });

  test('stop the import before it writes anything if they are more than a tenth of what the source published', async () => {
    const town = await harness.createMunicipality();
    await importTable(town, createRows(20), mapping);
    const table = createTable([
      ...Array.from({ length: 20 }, (_, n) => toRow(n, n < 3 ? 'Nein' : 'ja')),
      toRow(20),
    ]);
    const dry = await importTable(town, table, mapping, ['--dry-run']);
    assertCounts(dry, { inserted: 1, unchanged: 17, removed: 3 });
    assert.match(String(dry.counts.notes), /leave out 3 of the 20 published submissions/);

    for (const flags of [[], ['--strict']]) {
      const refused = await importTable(town, table, mapping, flags);
      assert.equal(refused.code, 1);
      assert.match(
        refused.stderr,
        /The settings of this import leave out 3 of the 20 published submissions of this source \(the mapping skips such rows\), more than 10 %\. If they are to be removed, import again with --remove-skipped\. Otherwise, correct the settings\. Nothing was imported\./,
      );
      assert.equal((await listDescriptions(town)).length, 20);
    }

    const confirmed = await importTable(town, table, mapping, ['--remove-skipped']);
    assertCounts(confirmed, { inserted: 1, unchanged: 17, removed: 3 });
    assert.equal((await listDescriptions(town)).length, 18);
  });

  test('stay published if another row has the same record, whatever their order', async () => {
    const town = await harness.createMunicipality();
    const selecting = mapping.replace('[nein]', '[Übersetzung, ""]');
    await importTable(town, createRows(2), selecting);
    const repeated = createTable([toRow(0, 'Übersetzung'), toRow(0), toRow(1), toRow(1, '')]);
    assertCounts(await importTable(town, repeated, selecting), { unchanged: 2, ignored: 2 });
  });

  test('are never published if a later row of the submission says no', async () => {
    const town = await harness.createMunicipality();
    const repeated = createTable([toRow(0), toRow(1), toRow(0, 'nein')]);
    assertCounts(await importTable(town, repeated, mapping), { inserted: 1, ignored: 2 });
  });

  test('remove only what the same source published', async () => {
    const [town, other] = [await harness.createMunicipality(), await harness.createMunicipality()];
    await importTable(town, createRows(3), mapping, ['--source', 'a']);
    await importTable(other, createRows(3), mapping, ['--source', 'b']);
    const skipped = await importTable(
      town,
      createRows(3, () => false),
      mapping,
      ['--source', 'b'],
    );
    assertCounts(skipped, { ignored: 3 });
    assert.equal((await listDescriptions(town)).length, 3);
    assert.equal((await listDescriptions(other)).length, 3);
  });

  test('remove sessions, too, and leave their submissions', async () => {
    const town = await harness.createMunicipality();
    const sessions = `${mapping}session:\n  id: Sitzung\n  committeeName: Gremium\n  date: Tag\n`;
    const createSessions = (release: string) =>
      toCsv(',', [
        ['Nr', 'Text', 'Datum', 'Freigabe', 'Sitzung', 'Gremium', 'Tag'],

        ['', '', '', release, 's', 'Bauausschuss', '2026-03-02'],
        ['1', 'Text 1', '2026-03-01', 'ja', '', '', ''],
      ]);
    await importTable(town, createSessions('ja'), sessions);
    const removed = await importTable(town, createSessions('nein'), sessions, ['--remove-skipped']);
    assertCounts(removed, { unchanged: 1, removed: 1 });
    assert.equal((await harness.listAll(town, '/sessions')).length, 0);
  });

  test('fail the run of a stored source, which then needs --remove-skipped', async () => {
    const town = await harness.createMunicipality();
    const inTown = ['--organization', town.id];
    const source = workspace.withDatabase(
      'source',
      'add',
      'Liste',
      '--format',
      'table',
      '--mapping',
      writeMapping(mapping),
      ...inTown,
    );
    await assertSucceeds(source);
    const run = (content: string, ...flags: string[]) =>
      runCli(
        workspace.withDatabase(
          'source',
          'run',
          'Liste',
          workspace.writeFile('liste.csv', content),
          ...inTown,
          ...flags,
        ),
      );
    assert.equal((await run(createRows(3))).code, 0);
    const refused = await run(createRows(3, (n) => n > 0));
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /leave out 1 of the 3 published submissions/);
    assert.equal(
      (
        await run(
          createRows(3, (n) => n > 0),
          '--remove-skipped',
        )
      ).code,
      0,
    );
    assert.deepEqual(await listDescriptions(town), ['Text 1', 'Text 2']);
  });
});

test('records that their source itself retracts are removed without a question, however many they are', async () => {
  const town = await harness.createMunicipality();
  const proposal = (id: string, publishedAt: string, hiddenAt: string) =>
    `${id},Title ${id},Text,2026-03-01,${publishedAt},${hiddenAt}\n`;
  const header = 'id,title,summary,created_at,published_at,hidden_at\n';
  const consul = { format: 'consul', name: 'proposals.csv' };
  const isPublic = ['2026-03-01', ''] as const;
  const all = header + ['1', '2', '3'].map((id) => proposal(id, ...isPublic)).join('');
  assertCounts(await harness.importContent(town, all, consul), { inserted: 3 });
  const retracted =
    header + proposal('1', '', '') + proposal('2', '2026-03-01', '2026-04-01') + proposal('3', ...isPublic);
  const result = await harness.importContent(town, retracted, consul);
  assertCounts(result, { removed: 2, unchanged: 1 });
  assert.deepEqual(result.counts.notes, [
    'Removed: 1 published record (the proposal is not published).',
    'Removed: 1 published record (the proposal is hidden).',
  ]);

  const record = { kind: 'submission', id: 'a', description: 'Text a', createdAt: '2026-03-01T09:00:00Z' };
  await harness.importContent(town, toNdjson([record]));
  const deleted = await harness.importContent(
    town,
    toNdjson([{ kind: 'submission', id: 'a', deleted: true }]),
  );
  assertCounts(deleted, { removed: 1 });
  assert.deepEqual(deleted.counts.notes, ['Removed: 1 published record (records marked as deleted).']);
});
