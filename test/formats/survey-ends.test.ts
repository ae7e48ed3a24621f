/** When surveys ended: from the source, from the user, or unknown. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertFails, type Municipality } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { assertCounts, type ImportContentOptions } from '../support/import-harness.ts';
import { header, lss, responses, txt } from './limesurvey-export.ts';
import { createSurveyHarness } from './survey-harness.ts';

const { harness } = await createSurveyHarness({ after });
const { workspace } = harness;

const listEnds = async (town: Municipality) =>
  (await harness.listAll(town, '/surveys')).map(({ title, endedOn, year }) => [title, endedOn, year]);

const survey = (fields: object) =>
  JSON.stringify({
    ...{ kind: 'survey', surveyId: 's', title: 'Parks', status: 'closed', totalResponses: 100 },
    questions: [{ questionText: 'Wo?', questionType: 'text' }],
    ...fields,
  });

/** Imports into a new municipality. @returns the ends of its surveys, with the result */
async function importInto(content: string | string[], options: ImportContentOptions = {}) {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, content, options);
  const notes = [result.counts.notes ?? []].flat().join('\n');
  return { ...result, notes, ends: await listEnds(town) };
}

const table = toCsv('\t', [
  ['', 'Ja', 'Nein'],
  ['', '60', '40'],
]);
const flags = ['--total-from-rows'];

suite('a record of the own format', () => {
  for (const [fields, end] of [
    [{ endedOn: '2025-09-30' }, ['2025-09-30', 2025]],
    [{ endedOn: '2024-02-29', year: 2024 }, ['2024-02-29', 2024]],
    [{ year: 2024 }, [null, 2024]],
    [{ endedOn: null, year: 2024 }, [null, 2024]],
    [{ endedOn: null, year: null }, [null, null]],
    [{}, [null, null]],
  ] as const)
    test(`has the end ${JSON.stringify(fields)}`, async () => {
      const { ends, notes } = await importInto(survey(fields));
      assert.deepEqual(ends, [['Parks', ...end]]);
      assert.doesNotMatch(notes, /Left out/);
    });

  for (const [fields, reason] of [
    [{ endedOn: '2025-02-30' }, /^endedOn must be a date such as 2026-03-01$/],
    [{ endedOn: '2025-9-30' }, /^endedOn must be a date/],
    [{ endedOn: '2025-09-30T00:00:00Z' }, /^endedOn must be a date/],
    [{ endedOn: '2025' }, /^endedOn must be a date/],
    [{ endedOn: 2025 }, /^endedOn must be a date/],
    [{ endedOn: '' }, /^endedOn must be a date/],
    [{ year: 0 }, /^year must be a year from 1 to 9999, as a number$/],
    [{ year: -1 }, /^year must be a year/],
    [{ year: 10_000 }, /^year must be a year/],
    [{ year: 2024.5 }, /^year must be a year/],
    [{ year: '2024' }, /^year must be a year/],
    [{ endedOn: '2025-01-01', year: 2024 }, /^year is not the year of endedOn$/],
  ] as const)
    test(`is rejected with the end ${JSON.stringify(fields)}`, async () => {
      const result = await importInto(survey(fields));
      assertCounts(result, { rejected: 1 });
      assert.match(result.rejections[0]?.reason ?? '', reason);
      assert.deepEqual(result.ends, []);
    });

  const nextYear = new Date().getUTCFullYear() + 1;
  for (const [fields, note] of [
    [{ endedOn: '0000-00-00' }, /endedOn is before 1800, so it stands for an unknown date/],
    [{ endedOn: '1753-01-01' }, /endedOn is before 1800/],
    [{ endedOn: '9999-12-31' }, /endedOn is more than 50 years ahead/],
    [{ year: 1 }, /year is before 1800/],
    [{ year: nextYear }, /year is in the future, so the survey has not ended: import it again after its end/],
    [{ endedOn: `${nextYear}-06-30`, year: nextYear }, /endedOn is in the future/],
  ] as const)
    test(`with the end ${JSON.stringify(fields)} is published without it, and a note says why`, async () => {
      const { ends, notes } = await importInto(survey(fields));
      assert.deepEqual(ends, [['Parks', null, null]]);
      assert.match(notes, note);
    });

  test('can get, change and lose its end, and an import of the same end changes nothing', async () => {
    const town = await harness.createMunicipality();
    for (const [fields, count, end] of [
      [{}, 'inserted', [null, null]],
      [{ year: 2024 }, 'changed', [null, 2024]],
      [{ year: 2024 }, 'unchanged', [null, 2024]],
      [{ endedOn: '2024-05-31' }, 'changed', ['2024-05-31', 2024]],
      [{ endedOn: '2024-05-31', year: 2024 }, 'unchanged', ['2024-05-31', 2024]],
      [{}, 'changed', [null, null]],
    ] as const) {
      assertCounts(await harness.importContent(town, survey(fields)), { [count]: 1 });
      assert.deepEqual(await listEnds(town), [['Parks', ...end]]);
    }
  });
});

suite('a table of counts', () => {
  const format = 'survey-table';

  for (const [ended, end] of [
    ['2025-09-30', ['2025-09-30', 2025]],
    ['2025', [null, 2025]],
  ] as const)
    test(`ended on what --ended says: ${ended}`, async () => {
      const { ends, notes } = await importInto(table, {
        format,
        flags: [...flags, '--ended', ended],
        name: 'Parks 2019.tsv',
      });
      assert.deepEqual(
        ends.map(([, ...one]) => one),
        [end],
      );
      assert.doesNotMatch(notes, /has no end/);
    });

  test('rejects values of --ended that are no day and no year', async () => {
    const path = workspace.writeFile('parks.tsv', table);
    for (const ended of [
      '2025-02-30',
      '0000',
      '25',
      '2025-09',
      '30.09.2025',
      '20250930',
      '-2025',
      '2025-00-01',
    ])
      await assertFails(
        ['import', format, path, '--database', workspace.database, `--ended=${ended}`],
        2,
        /--ended.*must be a day such as 2026-03-31, or a year such as 2026/,
      );
  });

  test('has the year in front of its rows, and a day of the metadata in this year only', async () => {
    const years = toCsv('\t', [
      ['', 'Ja', 'Nein'],
      ['2019', '60', '40'],
      ['2023', '70', '30'],
    ]);
    const file = workspace.writeFile('years.tsv', years);
    const metadata = workspace.writeFile(
      'years.json',
      JSON.stringify({ title: 'Parks', endedOn: '2023-06-30', year: 2001 }),
    );
    const { ends } = await importInto([file], { format, flags: [...flags, '--metadata', metadata] });
    assert.deepEqual(ends, [
      ['Parks (2023)', '2023-06-30', 2023],
      ['Parks (2019)', null, 2019],
    ]);
  });

  test('has the end in its metadata, which other keys with such names do not spoil', async () => {
    const files = ['a.tsv', 'b.tsv', 'c.tsv', 'd.tsv'].map((name) => workspace.writeFile(name, table));
    const metadata = workspace.writeFile(
      'ends.json',
      JSON.stringify({
        a: { title: 'A', endedOn: '2022-06-30' },
        b: { title: 'B', year: '2021' },
        c: { title: 'C', year: '2003–2019' },
        d: { title: 'D', endedOn: '2022-31-12' },
      }),
    );
    const { ends, rejections } = await importInto(files, {
      format,
      flags: [...flags, '--metadata', metadata, '--new-survey'],
    });
    assert.deepEqual(ends, [
      ['A', '2022-06-30', 2022],
      ['B', null, 2021],
      ['C', null, null],
    ]);
    assert.deepEqual(
      rejections.map(({ reason }) => reason),
      ['endedOn must be a date such as 2026-03-01'],
    );
  });

  const nextYear = new Date().getUTCFullYear() + 1;
  for (const [title, name, suggested] of [
    ['Parks 2019', 'parks.tsv', 2019],
    ['Parks', 'umfrage_2019.tsv', 2019],
    ['Parks 2019', 'umfrage-2019.tsv', 2019],
    ['Haushalt 2018 bis 2022', 'haushalt.tsv', undefined],
    ['Parks 2019', 'export-2023.tsv', undefined],
    [`Haushalt ${nextYear}`, 'haushalt.tsv', undefined],
    ['Plan 2100', 'plan.tsv', undefined],
    ['Aktenzeichen 120195', 'akte.tsv', undefined],
    ['Parks', 'parks.tsv', undefined],
  ] as const)
    test(`“${title}” in ${name} has an unknown end, and ${suggested === undefined ? 'no suggestion' : `the suggestion ${suggested}`}`, async () => {
      const { ends, notes } = await importInto(table, { format, flags: [...flags, '--title', title], name });
      assert.deepEqual(ends, [[title, null, null]]);
      const suggestions = notes.match(/It may be of \d+\. If so, add --ended \d+, or the day\./g) ?? [];
      assert.deepEqual(
        suggestions,
        suggested === undefined
          ? []
          : [`It may be of ${suggested}. If so, add --ended ${suggested}, or the day.`],
        notes,
      );
    });

  test('of several cannot have one end', async () => {
    const paths = ['one.tsv', 'two.tsv'].map((name) => workspace.writeFile(name, table));
    const { code, stderr } = await importInto(paths, { format, flags: [...flags, '--ended', '2025'] });
    assert.notEqual(code, 0);
    assert.match(stderr, /--title, --survey-id, --ended and --continues are for one table/);
  });
});

suite('responses of LimeSurvey', () => {
  const format = 'survey-rows';
  const content = toCsv(',', [header, ...responses]);
  const importResponses = async (structure: string, ...others: string[]) =>
    importInto(content, {
      format,
      flags: [
        '--structure',
        workspace.writeFile(
          `structure-${structure.length}.${structure.startsWith('<') ? 'lss' : 'txt'}`,
          structure,
        ),
        ...others,
      ],
      name: 'results.csv',
    });
  const title = 'Unterwegs & mobil';

  test('ended on the day on which the structure expires', async () => {
    for (const [expires, end] of [
      ['2025-09-30 23:59:00', ['2025-09-30', 2025]],
      ['2025-09-30', ['2025-09-30', 2025]],
      ['', [null, null]],
      ['soon', [null, null]],
    ] as const) {
      const xml = lss.replace('<sid>', `<expires><![CDATA[${expires}]]></expires><sid>`);
      assert.notEqual(xml, lss);
      assert.deepEqual((await importResponses(xml)).ends, [[title, ...end]]);
      const text = txt.replace('\tS\t\tsid', `\tS\t\texpires\t\t${expires}\t\t\t\r\n$&`);
      assert.notEqual(text, txt);
      assert.deepEqual((await importResponses(text)).ends, [[title, ...end]]);
    }
  });

  test('ended on the day that --ended says, whatever the structure has', async () => {
    const xml = lss.replace('<sid>', '<expires><![CDATA[2025-09-30 23:59:00]]></expires><sid>');
    for (const [ended, end] of [
      ['2024-03-31', ['2024-03-31', 2024]],
      ['2023', [null, 2023]],
    ] as const)
      assert.deepEqual((await importResponses(xml, '--ended', ended)).ends, [[title, ...end]]);
  });
});
