import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runCli } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { assertCounts } from '../support/import-harness.ts';
import { header, lss, oldLss, responses, txt } from './limesurvey-export.ts';
import { createSurveyHarness, getResults, summarize } from './survey-harness.ts';

const { harness, store } = await createSurveyHarness({ after });
const format = 'survey-rows';
const lssFile = harness.workspace.writeFile('structure.lss', lss);
const oldFile = harness.workspace.writeFile('old.lss', oldLss);
const txtFile = harness.workspace.writeFile('structure.txt', txt);

const expected = {
  title: 'Unterwegs & mobil',
  status: 'closed',
  totalResponses: 100,
  questions: [
    ['Wie oft fahren Sie Rad & Bus?', 'single_choice', { 2: 60, 1: 28, Sonstiges: 12 }],
    ['Was nutzen Sie?', 'multiple_choice', { Bus: 70, Bahn: 40, Sonstiges: 15 }],
    ['Wie zufrieden sind Sie? – Wege', 'matrix', { gut: 50, schlecht: 50 }],
    ['Wie zufrieden sind Sie? – Plätze', 'matrix', {}],
    ['Anmerkungen', 'text', {}],
    ['Waren Sie schon einmal hier?', 'single_choice', { Ja: 30, Nein: 30 }],
    ['Reihenfolge – Rang 1', 'ranking', { Radweg: 45, Gehweg: 55 }],
    ['Reihenfolge – Rang 2', 'ranking', { Radweg: 55, Gehweg: 45 }],
  ],
};

suite('responses of LimeSurvey', { concurrency: 2 }, () => {
  for (const [what, structure] of Object.entries({
    '.lss': lssFile,
    '.lss before version 4': oldFile,
    '.txt': txtFile,
  })) {
    test(`are counted by the structure, ${what}`, async () => {
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, toCsv(',', [header, ...responses]), {
        format,
        flags: ['--structure', structure],
        name: 'results-survey714231.csv',
      });
      assert.equal(result.code, 0, result.stderr);
      assertCounts(result, { inserted: 1 });
      assert.deepEqual(summarize(await getResults(harness, store, town)), expected);
    });
  }

  test('have the same counts with other headings and full answers, compressed, from Excel', async () => {
    const town = await harness.createMunicipality();
    const headings = header.map((name) => `${name.replace(/\[(.*)\]/, '_$1')}. Text [der] Frage`);
    const whole: Record<string, string> = {
      '-oth-': 'Sonstiges',
      A1: 'gut',
      A2: 'schlecht',
      x: 'Radweg',
      y: 'Gehweg',
    };
    const rows = responses.map((row) =>
      row.map((cell, index) =>
        index === 3
          ? ({ 1: '2', 2: '1', '-oth-': 'Sonstiges' }[cell] ?? cell)
          : cell === 'Y'
            ? 'Ja'
            : cell === 'N'
              ? 'Nein'
              : (whole[cell] ?? cell),
      ),
    );
    const result = await harness.importContent(town, gzipSync(`\uFEFF${toCsv(';', [headings, ...rows])}`), {
      format,
      flags: ['--structure', lssFile],
      name: 'results.csv.gz',
    });
    assert.equal(result.code, 0, result.stderr);
    assert.deepEqual(summarize(await getResults(harness, store, town)), expected);
  });

  test('--incomplete includes unfinished responses, and --questions selects questions', async () => {
    const town = await harness.createMunicipality();
    const flags = [
      '--structure',
      lssFile,
      '--incomplete',
      '--questions',
      'been,use',
      '--title',
      'Rad',
      '--survey-id',
      'r',
    ];
    await harness.importContent(town, toCsv(',', [header, ...responses]), { format, flags });
    const { title, totalResponses, questions } = await getResults(harness, store, town);
    assert.deepEqual([title, totalResponses, questions.length], ['Rad', 103, 2]);
  });

  test('publish the ranks of a ranking when the survey is closed', async () => {
    const town = await harness.createMunicipality();
    const importSurvey = (status: string) =>
      harness.importContent(town, toCsv(',', [header, ...responses]), {
        format,
        flags: ['--structure', lssFile, '--questions', 'order', '--status', status],
      });
    const active = await importSurvey('active');
    assert.match(String(active.counts.notes), /Rang 1”: ranks are published when the survey is closed/);
    const summarizeResults = async () => summarize(await getResults(harness, store, town)).questions;
    assert.deepEqual(await summarizeResults(), [
      ['Reihenfolge – Rang 1', 'ranking', {}],
      ['Reihenfolge – Rang 2', 'ranking', {}],
    ]);
    assertCounts(await importSurvey('closed'), { changed: 1 });
    assert.deepEqual(await summarizeResults(), expected.questions.slice(-2));
  });

  test('do not appear in the database or in the output', async () => {
    const town = await harness.createMunicipality();
    const result = await harness.importContent(town, toCsv(',', [header, ...responses]), {
      format,
      flags: ['--structure', lssFile, '--strict'],
    });
    assert.equal(result.code, 0, result.stderr);
    assert.doesNotMatch(result.stdout + result.stderr, /Kolumna|192\.0\.2/);
    const files = readdirSync(harness.workspace.folder).filter(
      (name) => !/responses|records|results|\.csv/.test(name),
    );
    for (const name of files) {
      const path = join(harness.workspace.folder, name);
      assert.ok(!readFileSync(path).includes('Kolumna'), name);
    }
  });

  test('are detected by their headings in English and German', async () => {
    const paths = [
      harness.workspace.writeFile('codes.csv', toCsv(',', [header, ...responses])),
      harness.workspace.writeFile(
        'whole.csv',
        toCsv(';', [
          ['Antwort ID', 'Datum Abgesendet', 'Frage'],
          ['1', '', 'Ja'],
        ]),
      ),
      harness.workspace.writeFile(
        'english.csv',
        toCsv(',', [
          ['Response ID', 'Date submitted', 'Q'],
          ['1', '', 'Yes'],
        ]),
      ),
      harness.workspace.writeFile(
        'form.csv',
        toCsv(',', [
          ['Timestamp', 'How?'],
          ['2026/03/01 9:00:00', 'Yes'],
        ]),
      ),
    ];
    const { stdout, code } = await runCli(['import', 'detect', ...paths]);
    assert.equal(code, 0);
    assert.equal(stdout.match(/survey-rows: it has the columns of LimeSurvey responses/g)?.length, 3);
    assert.match(stdout, /survey-rows: its first column is a time stamp/);
  });
});
