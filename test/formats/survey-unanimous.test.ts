/** Questions to which everyone gave the same answer, and options that look like identifiers. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Municipality } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { createSurveyHarness, getResults, summarize } from './survey-harness.ts';

const { harness, store } = await createSurveyHarness({ after });

type Counts = Record<string, number>;

interface Question {
  type: string;
  counts: Counts;
}

const toSurvey = (questions: readonly Question[], totalResponses: number, status: string) =>
  toNdjson([
    {
      ...{ kind: 'survey', surveyId: 's', title: 'S', status, totalResponses },
      questions: questions.map(({ type, counts }, index) => ({
        questionText: `Q${index}`,
        questionType: type,
        options: Object.entries(counts).map(([optionText, responseCount]) => ({ optionText, responseCount })),
      })),
    },
  ]);

/** @returns the published options of each question, and the notes */
async function publish(town: Municipality, content: string, flags: string[] = [], format?: string) {
  const options = { flags, ...(format !== undefined && { format, name: 'survey.csv' }) };
  const result = await harness.importContent(town, content, options);
  assert.equal(result.code, 0, result.stderr);
  const results = await getResults(harness, store, town);
  return {
    options:
      results === undefined ? [] : summarize(results).questions.map(([, , counts]: unknown[]) => counts),
    notes: (result.counts.notes as unknown as string[]).join('\n'),
  };
}

const publishNew = async (...rest: [content: string, flags?: string[], format?: string]) =>
  publish(await harness.createMunicipality(), ...rest);

const single = (counts: Counts): Question => ({ type: 'single_choice', counts });
const several = single({ Often: 12, Seldom: 12 });
const unanimousNote = /“Q0”: everyone gave the same answer.*--publish-unanimous/;
const flags = ['--publish-unanimous'];

suite('a question to which everyone gave the same answer', { concurrency: 2 }, () => {
  for (const [what, question] of Object.entries({
    'with one option': single({ Never: 24 }),
    'with options that nobody chose': single({ Often: 0, Never: 24, Seldom: 0 }),
    'that some people did not answer': single({ Often: 0, Never: 20 }),
    'with an option that everyone ticked': { type: 'multiple_choice', counts: { Bus: 24, Bike: 12 } },
    'with a row that everyone answered alike': { type: 'matrix', counts: { 'a: yes': 24, 'b: no': 12 } },
  }))
    test(`is published only by decision, ${what}`, async () => {
      const content = toSurvey([question, several], 24, 'closed');
      const { options, notes } = await publishNew(content);
      assert.deepEqual(options, [{}, several.counts]);
      assert.match(notes, unanimousNote);
      const decided = await publishNew(content, flags);
      assert.deepEqual(decided.options, [question.counts, several.counts]);
      assert.doesNotMatch(decided.notes, /same answer/);
    });

  test('is named in the dry run', async () => {
    const town = await harness.createMunicipality();
    const content = toSurvey([single({ Never: 24 }), several], 24, 'closed');
    const { notes } = await publish(town, content, ['--dry-run']);
    assert.match(notes, unanimousNote);
  });

  test('is published if only most people gave it', async () => {
    const question = single({ Often: 10, Never: 90 });
    const { options, notes } = await publishNew(toSurvey([question], 100, 'closed'));
    assert.deepEqual(options, [question.counts]);
    assert.doesNotMatch(notes, /same answer/);
  });

  test('hides a ranking whose first rank everyone gave to one option', async () => {
    const ranking = [
      { type: 'ranking', counts: { Bus: 30, Bike: 0, Car: 0 } },
      { type: 'ranking', counts: { Bus: 0, Bike: 15, Car: 15 } },
    ];
    const content = toSurvey(ranking, 30, 'closed');
    assert.deepEqual((await publishNew(content)).options, [{}, {}]);
    assert.deepEqual((await publishNew(content, flags)).options, [ranking[0]?.counts, ranking[1]?.counts]);
  });

  test('appears in an active survey as soon as answers differ, and stays as it was if they no longer do', async () => {
    const town = await harness.createMunicipality();
    const update = (counts: Counts, total: number, status = 'active', given: string[] = []) =>
      publish(town, toSurvey([single(counts)], total, status), given);
    assert.deepEqual((await update({ Often: 0, Never: 24 }, 24)).options, [{}]);
    assert.deepEqual((await update({ Often: 12, Never: 24 }, 36)).options, [{ Often: 12, Never: 24 }]);
    const waiting = await harness.createMunicipality();
    const updateWaiting = (counts: Counts, total: number) =>
      publish(waiting, toSurvey([single(counts)], total, 'active'));
    await updateWaiting({ Often: 0, Never: 24 }, 24);
    const { options, notes } = await updateWaiting({ Often: 12, Never: 28 }, 40);
    assert.deepEqual(options, [{}], 'Never has four more answers than all people before');
    assert.match(notes, /“Q0”: keeps its published counts until each option gained/);
    const other = await harness.createMunicipality();
    const decided = toSurvey([single({ Often: 0, Never: 24 })], 24, 'active');
    assert.deepEqual((await publish(other, decided, flags)).options, [{ Often: 0, Never: 24 }]);
    const undecided = await publish(other, toSurvey([single({ Often: 0, Never: 40 })], 40, 'active'));
    assert.deepEqual(undecided.options, [{ Often: 0, Never: 24 }]);
    assert.match(undecided.notes, unanimousNote);
  });

  test('stays hidden with nine answers of earlier people, because its release would prove that they were nine', async () => {
    const town = await harness.createMunicipality();
    const update = async (counts: Counts, total: number) =>
      (await publish(town, toSurvey([single(counts)], total, 'active'))).options;
    assert.deepEqual(await update({ A: 5, B: 4 }, 12), [{}]);
    // At most 24 of the 33 answers are new.
    assert.deepEqual(await update({ A: 9, B: 8, C: 8, D: 8 }, 36), [{}]);
  });

  test('is hidden in a table of counts and in single responses, as each row of an array is', async () => {
    const table = toCsv(',', [
      ['', 'good', 'bad', 'totalResponses'],
      ['Ways', '24', '0', '24'],
      ['Places', '12', '12', '24'],
    ]);
    const expected = [{}, { good: 12, bad: 12 }];
    assert.deepEqual((await publishNew(table, [], 'survey-table')).options, expected);
    const rows = Array.from({ length: 24 }, (_, n) => ['good', n < 12 ? 'good' : 'bad']);
    const responses = toCsv(',', [['Fine? [Ways]', 'Fine? [Places]'], ...rows]);
    const read = await publishNew(responses, [], 'survey-rows');
    assert.deepEqual(read.options, expected);
    assert.match(read.notes, /“Fine\? – Ways”: everyone gave the same answer/);
    const decided = await publishNew(responses, flags, 'survey-rows');
    assert.deepEqual(decided.options, [{ good: 24 }, { good: 12, bad: 12 }]);
  });
});

suite('options that look like identifiers', { concurrency: 2 }, () => {
  const count = (texts: readonly string[]) => single(Object.fromEntries(texts.map((text) => [text, 12])));
  const number = (n: number) => String(48_201_734 + 7 * n);
  const note = /“Q0”: its options look like identifiers.*Check/;
  for (const [what, question] of Object.entries({
    'numbers of eight digits': count([number(1), number(2)]),
    'numbers after letters': count(['BA-482017', 'BA-482018', 'none']),
    'email addresses': count(['ann@example.org', 'ben@example.org', 'none']),
    UUIDs: count(['5f0d3c52-6b0e-4d4a-9a53-2f0d6c8e1b47', 'none']),
    '90 different values of 200 answers': single(
      Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`Value ${n}`, n < 20 ? 3 : 2])),
    ),
  }))
    test(`are named in the dry run: ${what}`, async () => {
      const { notes } = await publishNew(toSurvey([question], 200, 'closed'), [
        '--dry-run',
        '--redact',
        'off',
      ]);
      assert.match(notes, note);
      assert.doesNotMatch(notes, /4820|example|5f0d/);
    });

  test('are no years, ranges, amounts or districts', async () => {
    const districts = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`District ${n}`, 20]));
    for (const question of [
      count(['2019', '2023']),
      count(['1000-1999', '2000-2999', '10.000–20.000']),
      count(['18 to 29', '30 to 64', '65 and older']),
      single(districts),
    ]) {
      const { notes } = await publishNew(toSurvey([question], 600, 'closed'), ['--dry-run']);
      assert.doesNotMatch(notes, /identifiers/);
    }
  });
});

test('an array with people who were not asked reveals no single answer', async () => {
  const answers = (yes: number, no: number) => [
    ...Array(yes).fill('Yes'),
    ...Array(no).fill('No'),
    ...Array(80).fill('Not asked'),
  ];
  const columns = [answers(54, 66), answers(43, 77), answers(1, 119)];
  const rows = columns[0]?.map((_, person) => columns.map((column) => column[person] as string)) ?? [];
  const headings = ['Car', 'Bike', 'Weapon'].map((item) => `Do you have one? [${item}]`);
  const { options } = await publishNew(toCsv(',', [headings, ...rows]), [], 'survey-rows');
  const sorted = options.map((counts: Counts) => Object.entries(counts).sort());
  assert.deepEqual(sorted, [
    Object.entries({ No: 66, 'Not asked': 80, Yes: 54 }),
    Object.entries({ No: 77, 'Not asked': 80, Yes: 43 }),
    [],
  ]);
});
