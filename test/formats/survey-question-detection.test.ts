import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { toCsv } from '../support/files.ts';
import { createSurveyHarness, getResults, type Results, summarize } from './survey-harness.ts';

const { harness, store } = await createSurveyHarness({ after });
const format = 'survey-rows';

suite('a table with a column for each question', () => {
  test('has options for recurring values, and none for free text, people and times', async () => {
    const town = await harness.createMunicipality();
    const columns = [
      'Zeitstempel',
      'E-Mail-Adresse',
      'Alter',
      'Bemerkung',
      'Wie kommen Sie? [Bus]',
      'Wie kommen Sie? [Rad]',
      'Note [Wege]',
      'Kundennummer',
    ];
    const rows = Array.from({ length: 240 }, (_, n) => [
      `2026-03-01 10:${n}`,
      `k${n}@example.org`,
      ['18–29', '30–64', '65+', ''][n % 4] as string,
      `Text ${n}`,
      n < 100 ? 'Ja' : '',
      n >= 50 ? 'x' : '',
      String((n % 3) + 1),
      String(1_000 + n),
    ]);
    // Spreadsheets write empty rows, which are no responses.
    const empty = columns.map(() => '');
    const result = await harness.importContent(town, toCsv(';', [columns, ...rows, empty, empty]), {
      format,
      name: 'Umfrage 2026.csv',
    });
    assert.equal(result.code, 0, result.stderr);
    const { title, ...results } = summarize(await getResults(harness, store, town));
    assert.match(title, /Umfrage 2026$/);
    assert.deepEqual(results, {
      status: 'closed',
      totalResponses: 240,
      questions: [
        ['Alter', 'single_choice', { '18–29': 60, '30–64': 60, '65+': 60 }],
        ['Bemerkung', 'text', {}],
        ['Wie kommen Sie?', 'multiple_choice', { Bus: 100, Rad: 190 }],
        ['Note – Wege', 'matrix', { 1: 80, 2: 80, 3: 80 }],
      ],
    });
    assert.deepEqual(result.counts.notes, [
      'Skipped columns about the person or the time: Zeitstempel, E-Mail-Adresse, Kundennummer.',
      `“${title}” has no end. It may be of 2026. If so, add --ended 2026, or the day.`,
    ]);
  });

  test('can have many responses with different free texts', async () => {
    const town = await harness.createMunicipality();
    const rows = Array.from({ length: 20_000 }, (_, n) => [String(n % 5), `Freier Text Nummer ${n}`]);
    const result = await harness.importContent(town, toCsv(';', [['Alter', 'Text'], ...rows]), {
      format,
      name: 'long.csv',
    });
    assert.equal(result.code, 0, result.stderr);
    const { totalResponses, questions } = await getResults(harness, store, town);
    assert.equal(totalResponses, 20_000);
    assert.deepEqual(
      questions.map(({ options }: Results) => options.length),
      [5, 0],
    );
  });
});
