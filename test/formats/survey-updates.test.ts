import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Municipality } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts } from '../support/import-harness.ts';
import { createSurveyHarness, getResults, summarize } from './survey-harness.ts';

const { harness, store } = await createSurveyHarness({ after });
const format = 'survey-rows';

suite('an active survey', { concurrency: 2 }, () => {
  const createRows = (counts: Record<string, number>) =>
    toCsv(',', [
      ['Frage', 'Nr'],
      ...Object.entries(counts).flatMap(([answer, count]) => Array(count).fill([answer, '1'])),
    ]);
  const importSurvey = (town: Municipality, counts: Record<string, number>, status: string) =>
    harness.importContent(town, createRows(counts), {
      format,
      flags: [
        ...['--survey-id', 's', '--title', 'S', '--questions', 'Frage', '--status', status],
        '--publish-unanimous',
      ],
    });
  const summarizeResults = async (town: Municipality) => {
    const { status, totalResponses, questions } = summarize(await getResults(harness, store, town));
    return [status, totalResponses, questions[0][2]];
  };

  test('keeps what was released beside a draft, so that the next state publishes no single answer', async () => {
    const town = await harness.createMunicipality();
    const record = (status: string, ...counts: number[]) =>
      toNdjson([
        {
          kind: 'survey',
          surveyId: 's',
          title: 'S',
          status,
          totalResponses: counts.reduce((sum, count) => sum + count),
          questions: [
            {
              questionText: 'Frage',
              questionType: 'single_choice',
              options: counts.map((responseCount, index) => ({ optionText: `${index}`, responseCount })),
            },
          ],
        },
      ]);
    const publish = (...values: Parameters<typeof record>) => harness.importContent(town, record(...values));
    await publish('draft', 40, 20);
    assertCounts(await publish('active', 40, 21), { changed: 1 });
    const first = ['active', 61, { 0: 40, 1: 21 }];
    assert.deepEqual(await summarizeResults(town), first);
    for (const status of ['draft', 'unveröffentlicht']) {
      await publish(status, 40, 22);
      assert.equal(await getResults(harness, store, town), undefined);
      await publish('active', 40, 22);
      assert.deepEqual(await summarizeResults(town), first);
    }
    await publish('in Vorbereitung', 60, 41);
    await publish('active', 60, 41);
    assert.deepEqual(await summarizeResults(town), ['active', 101, { 0: 60, 1: 41 }]);
  });

  test('publishes steps of at least the threshold, and the last step as precisely as possible', async () => {
    const town = await harness.createMunicipality();
    const early = await importSurvey(town, { A: 5, B: 4 }, 'active');
    assertCounts(early, { rejected: 1 });
    assert.match(early.rejections[0]?.reason ?? '', /fewer than 10 responses/);

    assertCounts(await importSurvey(town, { A: 30, B: 20, C: 4 }, 'active'), { inserted: 1 });
    const first = ['active', 54, { A: 30, 'Weitere Antworten': 24 }];
    assert.deepEqual(await summarizeResults(town), first);

    // Nine new responses: nothing changes.
    assertCounts(await importSurvey(town, { A: 35, B: 22, C: 6 }, 'active'), { unchanged: 1 });
    assert.deepEqual(await summarizeResults(town), first);

    // Thirteen new responses, only six of them A: the total changes, the question is delayed.
    const waiting = await importSurvey(town, { A: 36, B: 23, C: 8 }, 'active');
    assertCounts(waiting, { changed: 1 });
    assert.match(String(waiting.counts.notes), /keeps its published counts/);
    assert.deepEqual(await summarizeResults(town), ['active', 67, { A: 30, 'Weitere Antworten': 24 }]);

    // C is large enough now: the merged options are split.
    assertCounts(await importSurvey(town, { A: 50, B: 30, C: 15 }, 'active'), { changed: 1 });
    assert.deepEqual(await summarizeResults(town), ['active', 95, { A: 50, B: 30, C: 15 }]);

    // The last step cannot be delayed: options that gained too few answers are merged.
    assertCounts(await importSurvey(town, { A: 70, B: 46, C: 18 }, 'closed'), { changed: 1 });
    assert.deepEqual(await summarizeResults(town), ['closed', 134, { A: 70, 'Weitere Antworten': 64 }]);

    const again = await importSurvey(town, { A: 90, B: 60, C: 40 }, 'closed');
    assertCounts(again, { unchanged: 1 });
    assert.match(String(again.counts.notes), /its published results are unchanged/);
    const reopened = await importSurvey(town, { A: 90, B: 60, C: 40 }, 'active');
    assertCounts(reopened, { rejected: 1 });
    assert.match(reopened.rejections[0]?.reason ?? '', /cannot become active again/);
  });

  test('updates questions with an equal count together, and shows no new option beside older figures', async () => {
    const town = await harness.createMunicipality();
    const publish = (counts: Record<string, Record<string, number>>, totalResponses: number) =>
      harness.importContent(
        town,
        toNdjson([
          {
            kind: 'survey',
            surveyId: 's',
            title: 'S',
            status: 'active',
            totalResponses,
            questions: Object.entries(counts).map(([questionText, options]) => ({
              questionText,
              questionType: 'single_choice',
              options: Object.entries(options).map(([optionText, responseCount]) => ({
                optionText,
                responseCount,
              })),
            })),
          },
        ]),
      );
    const summarizeQuestions = async () =>
      summarize(await getResults(harness, store, town)).questions.map((question: unknown[]) => question[2]);
    const ask = (
      [yes, no]: readonly [number, number],
      [often, seldom]: readonly [number, number],
      [A, B, C, D]: readonly [number, number, number, number],
      [north, south]: readonly [number, number],
    ) => ({
      'Do you use the bus?': { Yes: yes, No: no },
      'How often?': { Often: often, Seldom: seldom, 'Not asked': no },
      'Which line is the best?': { A, B, C, D },
      'Where do you live?': { North: north, South: south },
    });
    const first = ask([60, 40], [30, 30], [51, 24, 20, 5], [52, 48]);
    assertCounts(await publish(first, 100), { inserted: 1 });
    const lines = { A: 51, 'Weitere Antworten': 49 };
    const [filter, frequency] = Object.values(first);
    assert.deepEqual(await summarizeQuestions(), [filter, frequency, lines, { North: 52, South: 48 }]);

    // Only three more Seldom: nobody may later compare 118 who were not asked with 110 who said No.
    await publish(ask([120, 110], [87, 33], [75, 55, 50, 50], [117, 113]), 230);
    assert.deepEqual(await summarizeQuestions(), [
      filter,
      frequency,
      { A: 75, 'Weitere Antworten': 155 },
      { North: 117, South: 113 },
    ]);

    const next = ask([132, 118], [90, 42], [75, 65, 50, 60], [137, 113]);
    await publish(next, 250);
    const [nextFilter, nextFrequency] = Object.values(next);
    assert.deepEqual(await summarizeQuestions(), [
      nextFilter,
      nextFrequency,
      { A: 75, 'Weitere Antworten': 155 },
      { North: 137, South: 113 },
    ]);

    const last = ask([232, 218], [150, 82], [115, 105, 115, 115], [237, 213]);
    await publish(last, 450);
    assert.deepEqual(await summarizeQuestions(), Object.values(last));
  });

  test('splits merged options once they gained twice the threshold, and not before', async () => {
    for (const [C, published] of [
      [13, { A: 50, 'Weitere Antworten': 43 }],
      [14, { A: 50, B: 30, C: 14 }],
    ] as const) {
      const town = await harness.createMunicipality();
      await importSurvey(town, { A: 30, B: 20, C: 4 }, 'active');
      assertCounts(await importSurvey(town, { A: 50, B: 30, C }, 'active'), { changed: 1 });
      assert.deepEqual(await summarizeResults(town), ['active', 80 + C, published]);
    }
  });

  test('withdrawn responses and other questions are rejected, because the difference would reveal them', async () => {
    const town = await harness.createMunicipality();
    await importSurvey(town, { A: 30, B: 20 }, 'active');
    for (const [counts, reason] of [
      [{ A: 30, B: 19 }, /fewer responses than were already published/],
      [{ A: 45, B: 19 }, /fewer answers than were already published/],
      [{ A: 45, C: 20 }, /a published option is missing/],
    ] as const) {
      const result = await importSurvey(town, counts, 'active');
      assertCounts(result, { rejected: 1 });
      assert.match(result.rejections[0]?.reason ?? '', reason);
    }
    const other = await harness.importContent(
      town,
      createRows({ A: 60, B: 40 }).replace('Frage', 'Neue Frage'),
      {
        format,
        flags: ['--survey-id', 's', '--title', 'S', '--questions', 'Neue Frage', '--status', 'active'],
      },
    );
    assert.match(other.rejections[0]?.reason ?? '', /other questions than the published survey/);
    assert.deepEqual(await summarizeResults(town), ['active', 50, { A: 30, B: 20 }]);
  });

  test('reports merged options by question and number, and never by name', async () => {
    const town = await harness.createMunicipality();
    const result = await importSurvey(
      town,
      { Hochwasserschutz: 3, Gewerbegebiet: 2, Ja: 50, Nein: 60 },
      'closed',
    );
    assert.deepEqual(result.counts.notes, [
      '“S”, “Frage”: 2 options with fewer than 10 answers, and 1 more so that they cannot be computed, merged into “Weitere Antworten”.',
    ]);
    assert.doesNotMatch(result.stdout + result.stderr, /Hochwasser|Gewerbe/);
  });

  test('counts all answers to a new option as gained', async () => {
    const town = await harness.createMunicipality();
    await importSurvey(town, { A: 30, B: 20 }, 'active');
    await importSurvey(town, { A: 45, B: 35, C: 3 }, 'active');
    assert.deepEqual(await summarizeResults(town), ['active', 83, { A: 30, B: 20 }]);
    await importSurvey(town, { A: 55, B: 35, C: 12 }, 'active');
    assert.deepEqual(await summarizeResults(town), ['active', 102, { A: 55, B: 35, C: 12 }]);
  });

  test('is published with exactly the threshold of responses; the end with few new responses changes only the status', async () => {
    const town = await harness.createMunicipality();
    await importSurvey(town, { A: 10 }, 'active');
    assert.deepEqual(await summarizeResults(town), ['active', 10, { A: 10 }]);
    const result = await importSurvey(town, { A: 15 }, 'closed');
    assert.match(String(result.counts.notes), /fewer than 10 new responses/);
    assert.deepEqual(await summarizeResults(town), ['closed', 10, { A: 10 }]);
  });

  test('stays delayed if a release would reveal the reason for the delay', async () => {
    const town = await harness.createMunicipality();
    await importSurvey(town, { A: 30, B: 20 }, 'active');
    // Ten new responses, nine of them A, and one without an answer.
    await importSurvey(town, { A: 39, B: 20, '': 1 }, 'active');
    assert.deepEqual(await summarizeResults(town), ['active', 60, { A: 30, B: 20 }]);
    // Ten new responses: at least nine of the 19 answers A are older, and were too few because of the delay.
    await importSurvey(town, { A: 49, B: 20, '': 1 }, 'active');
    assert.deepEqual(await summarizeResults(town), ['active', 70, { A: 30, B: 20 }]);
    await importSurvey(town, { A: 49, B: 32, '': 1 }, 'active');
    assert.deepEqual(await summarizeResults(town), ['active', 82, { A: 49, B: 32 }]);
  });

  test('is no longer delayed if the earlier gain may have been eight or nine', async () => {
    const town = await harness.createMunicipality();
    await importSurvey(town, { A: 30, B: 20 }, 'active');
    await importSurvey(town, { A: 38, B: 20, '': 2 }, 'active');
    assert.deepEqual(await summarizeResults(town), ['active', 60, { A: 30, B: 20 }]);
    await importSurvey(town, { A: 48, B: 20, '': 2 }, 'active');
    assert.deepEqual(await summarizeResults(town), ['active', 70, { A: 48, B: 20 }]);
  });

  test('keeps options of a multiple-choice question merged while the number of responses would reveal them', async () => {
    const town = await harness.createMunicipality();
    /** Numbers of people who ticked the first and the second option, and of all people. */
    const importTicks = (bus: number, bike: number, people: number, into = town) => {
      const rows = Array.from({ length: people }, (_, n) => [n < bus ? 'x' : '', n < bike ? 'x' : '', '1']);
      const table = toCsv(',', [['Wie? [Bus]', 'Wie? [Rad]', 'Nr'], ...rows]);
      const questions = 'Wie? [Bus],Wie? [Rad]';
      const flags = ['--survey-id', 's', '--questions', questions, '--status', 'active'];
      return harness.importContent(into, table, { format, flags, name: 'ticks.csv' });
    };
    // The merged option would have more answers than the survey has responses.
    await importTicks(9, 12, 12);
    assert.deepEqual(await summarizeResults(town), ['active', 12, {}]);
    // If all twelve had ticked an option, readers would know how many of the new people ticked it.
    await importTicks(22, 23, 60);
    assert.deepEqual(await summarizeResults(town), ['active', 60, { Bus: 22, Rad: 23 }]);

    const another = await harness.createMunicipality();
    await importTicks(9, 12, 60, another);
    assert.deepEqual(await summarizeResults(another), ['active', 60, { 'Weitere Antworten': 21 }]);
    // Twelve new responses: 21 were at least 9 before, and 24 at least 12.
    await importTicks(21, 24, 72, another);
    assert.deepEqual(await summarizeResults(another), ['active', 72, { 'Weitere Antworten': 45 }]);
    await importTicks(50, 60, 150, another);
    assert.deepEqual(await summarizeResults(another), ['active', 150, { Bus: 50, Rad: 60 }]);
  });
});
