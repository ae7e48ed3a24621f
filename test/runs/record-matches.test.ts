/** Records that were unpublished or removed do not come back under another source, and can be allowed one by one. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createTableImporter } from '../formats/table-importer.ts';
import { assertFails, assertSucceeds, type Municipality, runCli } from '../support/cli-workspace.ts';
import { engine } from '../support/database.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { byNight } from '../support/nightly.ts';

const harness = await createImportHarness({ after });
const { workspace } = harness;
const { importTable } = createTableImporter(harness);

const long = (n: number) =>
  `An der Ecke vor dem Haus ${n} ist seit vielen Wochen die Laterne ausgefallen, und abends ist der Weg ganz dunkel.`;
const headings = ['Nr', 'Zeichen', 'Text', 'Datum'];
type Row = [id: string, number: string, text: string, day: string];
const table = (rows: readonly Row[]) => toCsv(',', [headings, ...rows]);
const mapping = `submission:
  id: Nr
  referenceNumber: Zeichen
  description: Text
  createdAt: Datum
`;
const rows: Row[] = [
  ['1', 'A-17', 'Schlagloch', '2026-03-01'],
  ['2', '', long(5), '2026-03-01'],
  ['3', '', 'Schlagloch', '2026-03-02'],
  ['4', '', long(7), '2026-03-02'],
];

const list = async (town: Municipality) =>
  (await harness.listAll(town, '/submissions')).map(({ description }) => description).sort();
const compose = (town: Municipality, name: string, ...args: string[]) =>
  workspace.withDatabase('record', name, ...args, '--organization', town.id);
const reason = ['--reason', 'Request'];
const decide = (town: Municipality, name: 'remove' | 'unpublish', id: string, source = 'first') =>
  assertSucceeds(
    compose(
      town,
      name,
      'submission',
      id,
      '--source',
      source,
      ...reason,
      ...(name === 'remove' ? ['--yes'] : []),
    ),
  );
const listMatches = async (town: Municipality) =>
  JSON.parse(await assertSucceeds(compose(town, 'matches', '--json')));
const importRows = (town: Municipality, given: readonly Row[], source: string, ...flags: string[]) =>
  importTable(town, table(given), mapping, ['--source', source, ...flags]);

async function createTown(given: readonly Row[] = rows) {
  const town = await harness.createMunicipality();
  assertCounts(await importRows(town, given, 'first'), { inserted: given.length });
  return town;
}

suite('a removed and an unpublished submission', { concurrency: 2 }, () => {
  test('are not published by an import under another source, and listed with the decision that they match', async () => {
    const town = await createTown();
    await decide(town, 'remove', '1');
    await decide(town, 'unpublish', '2');
    const dryRun = await importRows(town, rows.slice(0, 2), 'second', '--dry-run');
    assertCounts(dryRun, { ignored: 2 });
    assert.match(dryRun.stdout, /equal record/);
    assertCounts(await importRows(town, rows.slice(0, 2), 'second'), { ignored: 2 });
    assert.deepEqual(await list(town), [long(7), 'Schlagloch'].sort());
    const matches = await listMatches(town);
    assert.deepEqual(
      new Set(
        matches.map(({ decision, source }: { decision: string; source: string }) =>
          [decision, source].join(),
        ),
      ),
      new Set(['removed,second', 'unpublished,second']),
    );
    assert.match(await assertSucceeds(compose(town, 'matches')), /second/);
  });

  test('can be allowed one by one, and stay published in later imports', async () => {
    const town = await createTown();
    await decide(town, 'remove', '1');
    await decide(town, 'unpublish', '2');
    await importRows(town, rows.slice(0, 2), 'second');
    await assertSucceeds(compose(town, 'allow', 'submission', '1', '--source', 'second'));
    await assertFails(compose(town, 'allow', 'submission', '1', '--source', 'second'), 1, /record matches/);
    for (const counts of [
      { inserted: 1, ignored: 1 },
      { unchanged: 1, ignored: 1 },
    ])
      assertCounts(await importRows(town, rows.slice(0, 2), 'second'), counts);
    assert.equal((await list(town)).length, 3);
  });

  test('come back when the decision is taken back', async () => {
    const town = await createTown();
    await decide(town, 'remove', '1');
    await importRows(town, rows.slice(0, 1), 'second');
    await assertSucceeds(compose(town, 'revert', 'submission', '1', '--source', 'first'));
    assert.deepEqual(await listMatches(town), []);
    assertCounts(await importRows(town, rows.slice(0, 1), 'second'), { inserted: 1 });
  });
});

test('submissions match by number with day or text, or by a long text and its day, in any case, blanks, markup and redaction', async () => {
  const text = `${long(5)} Bitte rufen Sie 0171 2345678 an oder schreiben Sie an anna@mail.example zurück.`;
  const town = await createTown([
    ['1', 'A-17', 'Schlagloch', '2026-03-01'],
    ['2', '', text, '2026-03-01'],
    ['3', '', 'Schlagloch', '2026-03-02'],
    ['4', 'A-18', long(9), '2026-03-03'],
    [
      '5',
      '',
      text.replace('0171 2345678', '[Telefon]').replace('anna@mail.example', '[E-Mail]'),
      '2026-03-04',
    ],
  ]);
  for (const id of ['1', '2', '3', '4', '5']) await decide(town, 'remove', id);
  const cases: [Row, isMatch: boolean][] = [
    [['a', 'a 17', 'Something else', '2026-03-01'], true],
    [['b', 'A-17', 'SCHLAGLOCH', '2026-04-01'], true],
    [['c', 'A-17', 'Something else', '2026-04-01'], false],
    [['d', '', `<p>${text.toUpperCase().replaceAll(' ', '  ')}</p>`, '2026-03-01'], true],
    [['e', '', text, '2026-03-02'], false],
    [
      [
        'f',
        '',
        text.replace('0171 2345678', '[Telefon]').replace('anna@mail.example', '[E-Mail]'),
        '2026-03-01',
      ],
      true,
    ],
    // Two reports of one pothole on one day.
    [['g', '', 'Schlagloch', '2026-03-02'], false],
    [['h', '', long(6), '2026-03-01'], false],
    [['i', 'A-19', long(9), '2026-03-03'], false],
    [['j', '', long(9), '2026-03-03'], true],
    [['k', '', text, '2026-03-04'], true],
  ];
  for (const [row, isMatch] of cases)
    assertCounts(
      await importRows(town, [row], `source ${row[0]}`),
      isMatch ? { ignored: 1 } : { inserted: 1 },
    );
});

test('a published record that takes over the content of a removed one is deleted, and undos do not bring it back', async () => {
  const town = await createTown();
  await decide(town, 'remove', '2');
  assertCounts(await importRows(town, [['9', '', 'Other', '2026-03-01']], 'second'), { inserted: 1 });
  assertCounts(await importRows(town, [['9', '', long(5), '2026-03-01']], 'second'), { ignored: 1 });
  assert.equal((await list(town)).length, 3);
  assertCounts(await importRows(town, [['9', '', 'Other', '2026-03-01']], 'second'), { inserted: 1 });
  assert.deepEqual(await listMatches(town), []);
});

test('an import without --beside ends before it publishes records that another source has published', async () => {
  const many = Array.from({ length: 12 }, (_, n): Row => [String(n), '', `Laterne ${n}`, '2026-03-01']);
  const town = await createTown(many);
  const dryRun = await importRows(town, many, 'second', '--dry-run');
  assert.equal(dryRun.code, 0, dryRun.stderr);
  assert.match(dryRun.stdout, /12 of 12 records are already published by “first”/);
  const refused = await importRows(town, many, 'second');
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /12 of 12 records .* --beside/);
  assert.equal((await list(town)).length, 12);
  const sources = await assertSucceeds(workspace.withDatabase('source', 'list', '--organization', town.id));
  assert.doesNotMatch(sources, /second/);
  assertCounts(await importRows(town, many.slice(0, 9), 'few'), { inserted: 9 });
  const others = Array.from({ length: 50 }, (_, n): Row => [`o${n}`, '', `Bank ${n}`, '2026-03-01']);
  assertCounts(await importRows(town, [...many.slice(0, 10), ...others], 'mostly others'), { inserted: 60 });
  assertCounts(await importRows(town, many, 'second', '--beside'), { inserted: 12 });
  assertCounts(await importRows(town, many, 'second'), { unchanged: 12 });
});

test('an import is compared with all records of its days, however many', {
  skip: byNight('it publishes 100,000 records'),
}, async () => {
  const town = await createTown(
    Array.from({ length: 12 }, (_, n): Row => [String(n), '', `Laterne ${n}`, '2026-03-01']),
  );
  const newer = Array.from({ length: 100_000 }, (_, n): Row => [`n${n}`, '', `Bank ${n}`, '2026-03-02']);
  assertCounts(await importRows(town, newer, 'first'), { inserted: newer.length });
  const repeated = Array.from({ length: 12 }, (_, n): Row => [String(n), '', `Laterne ${n}`, '2026-03-01']);
  const refused = await importRows(town, repeated, 'second');
  assert.match(refused.stderr, /12 of 12 records .* --beside/);
});

test('a copy and a restored backup recognise the records that were removed after it', {
  skip: engine === 'SQLite' ? false : 'backups are of SQLite',
}, async () => {
  const town = await createTown();
  const backup = join(workspace.folder, 'earlier.db');
  await assertSucceeds(workspace.withDatabase('backup', backup));
  await decide(town, 'remove', '1');
  await decide(town, 'unpublish', '2');
  await importRows(town, rows.slice(0, 1), 'second');
  await assertSucceeds(compose(town, 'allow', 'submission', '1', '--source', 'second'));
  const copy = join(workspace.folder, 'copy-of-matches.db');
  await assertSucceeds(['copy', '--from', workspace.database, '--to', copy]);
  const restored = join(workspace.folder, 'restored.db');
  copyFileSync(copy, restored);
  await assertSucceeds(['restore', backup, '--database', restored, '--yes']);
  const mappingFile = workspace.writeFile('again.yaml', mapping);
  const again = workspace.writeFile('again.csv', table(rows.slice(0, 2)));
  for (const database of [copy, restored])
    for (const [source, expected] of [
      ['second', '1 new'],
      ['third', '0 new'],
    ] as const) {
      const { code, stdout, stderr } = await runCli([
        ...['import', 'table', again, '--mapping', mappingFile, '--source', source],
        ...['--organization', town.id, '--redact', 'off', '--database', database, '--json'],
      ]);
      assert.equal(code, 0, stderr);
      assert.equal(JSON.parse(stdout).inserted, Number(expected[0]), `${database} ${source}: ${stderr}`);
    }
});

test('a record that version 1.0 has unpublished is recognised, too', async () => {
  const town = await createTown();
  await decide(town, 'unpublish', '2');
  await harness.workspace.sql('DELETE FROM record_digest WHERE organization_id = $1', [town.id]);
  assertCounts(await importRows(town, rows.slice(1, 2), 'second'), { ignored: 1 });
});

test('sessions match by committee, day and time, surveys by title and questions, and agendas leave matches out', async () => {
  const town = await harness.createMunicipality();
  const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const session = (
    id: number,
    committeeName: string,
    timeSlot: string | null,
    submissions: string[] = [],
  ) => ({
    kind: 'session',
    id: uuid(id),
    committeeName,
    date: '2026-03-02',
    ...(timeSlot !== null && { timeSlot }),
    submissions,
  });
  const survey = (id: number, title: string, question = 'How?', well = 20) => ({
    kind: 'survey',
    surveyId: uuid(id),
    title,
    status: 'closed',
    totalResponses: well + 20,
    questions: [
      {
        questionText: question,
        questionType: 'single_choice',
        options: [
          { optionText: 'Well', responseCount: well },
          { optionText: 'Badly', responseCount: 20 },
        ],
      },
    ],
  });
  const submission = (id: number) => ({
    kind: 'submission',
    id: uuid(id),
    description: long(3),
    createdAt: '2026-03-02T10:00:00Z',
  });
  const put = (source: string, ...records: object[]) =>
    harness.importContent(town, toNdjson(records), { flags: ['--source', source] });
  assertCounts(await put('first', submission(1), session(2, 'Gemeinderat', '18:00'), survey(3, 'Cycling')), {
    inserted: 3,
  });
  for (const [kind, id] of [
    ['submission', 1],
    ['session', 2],
    ['survey', 3],
  ] as const)
    await assertSucceeds(compose(town, 'remove', kind, uuid(id), ...reason, '--yes'));
  const again = [
    submission(11),
    session(12, 'GEMEINDERAT', '18:00'),
    session(13, 'Gemeinderat', '20:00', [uuid(11)]),
    session(14, 'Gemeinderat', null),
    survey(15, 'Cycling '),
    survey(16, 'Parks', 'Where?', 60),
  ];
  assertCounts(await put('second', ...again), { ignored: 4, inserted: 2 });
  const readAgenda = async () =>
    (await harness.get(town, `/sessions/${uuid(13)}`)).json.data.submissions.length;
  assert.equal(await readAgenda(), 0);
  await assertSucceeds(compose(town, 'allow', 'submission', uuid(11)));
  assertCounts(await put('second', submission(11)), { inserted: 1 });
  assert.equal(await readAgenda(), 1);
});
