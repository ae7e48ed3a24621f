/** Texts of surveys are redacted before the disclosure control compares them with published ones. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Municipality } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts } from '../support/import-harness.ts';
import { createSurveyHarness, getResults, summarize } from './survey-harness.ts';

const { harness, store } = await createSurveyHarness({ after });

type Counts = Record<string, number>;

/** A file of Rostra's own format with a survey of one question. */
const composeSurvey = (options: Counts, fields: object = {}, question: object = {}) =>
  toNdjson([
    {
      kind: 'survey',
      surveyId: 'waste',
      title: 'Waste, ask 0721 133100',
      status: 'active',
      totalResponses: Object.values(options).reduce((sum, count) => sum + count, 0),
      questions: [
        {
          questionText: 'Whom do you call, as 0721 133101 says?',
          questionType: 'single_choice',
          options: Object.entries(options).map(([optionText, responseCount]) => ({
            optionText,
            responseCount,
          })),
          ...question,
        },
      ],
      ...fields,
    },
  ]);

const phones = (own: number, other: number, nobody: number): Counts => ({
  'The caretaker, 0721 1331234': own,
  'The caretaker, 0721 1331235': other,
  Nobody: nobody,
});

const redact = { flags: ['--redact', 'phone'] };

async function readOptions(town: Municipality): Promise<Counts> {
  const { questions } = summarize(await getResults(harness, store, town));
  return questions[0][2];
}

test('a survey is published without its telephone numbers, and options that become alike are one', async () => {
  const town = await harness.createMunicipality();
  const first = await harness.importContent(town, composeSurvey(phones(15, 12, 30)), redact);
  assertCounts(first, { inserted: 1 });
  // Each published text counts once.
  assert.deepEqual([first.counts.redacted, first.counts.personalData], [{ phone: 3 }, {}]);
  assert.deepEqual(summarize(await getResults(harness, store, town)), {
    title: 'Waste, ask [Telefon]',
    status: 'active',
    totalResponses: 57,
    questions: [
      [
        'Whom do you call, as [Telefon] says?',
        'single_choice',
        { 'The caretaker, [Telefon]': 27, Nobody: 30 },
      ],
    ],
  });
  assertCounts(await harness.importContent(town, composeSurvey(phones(15, 12, 30)), redact), {
    unchanged: 1,
  });
  // The gain of the merged option is large enough, although that of each one is small.
  assertCounts(await harness.importContent(town, composeSurvey(phones(21, 18, 45)), redact), { changed: 1 });
  assert.deepEqual(await readOptions(town), { 'The caretaker, [Telefon]': 39, Nobody: 45 });
});

test('a survey that was published with telephone numbers loses them with the next file, and keeps its counts protected', async () => {
  for (const status of ['active', 'closed']) {
    const town = await harness.createMunicipality();
    await harness.importContent(town, composeSurvey(phones(15, 12, 30), { status }));
    assert.deepEqual(await readOptions(town), phones(15, 12, 30));
    // Three more people: the counts stay.
    const { counts, stderr } = await harness.importContent(
      town,
      composeSurvey(phones(16, 14, 30), { status }),
      redact,
    );
    assert.equal(counts.changed, 1, stderr);
    assert.deepEqual(await readOptions(town), { 'The caretaker, [Telefon]': 27, Nobody: 30 });
    const { title } = await getResults(harness, store, town);
    assert.equal(title, 'Waste, ask [Telefon]');
  }
});

test('a survey keeps its placeholders comparable although its municipality has changed its language', async () => {
  const town = await harness.createMunicipality();
  await harness.importContent(town, composeSurvey(phones(15, 12, 30)), redact);
  await harness.store.editOrganization(town.id, { language: 'en' });
  const { counts, stderr } = await harness.importContent(town, composeSurvey(phones(25, 22, 45)), redact);
  assert.equal(counts.changed, 1, stderr);
  assert.deepEqual(await readOptions(town), { 'The caretaker, [phone]': 47, Nobody: 45 });
});

test('small counts stay hidden, and personal data that is not published is not counted', async () => {
  const town = await harness.createMunicipality();
  const rows = toCsv(',', [
    ['Timestamp', 'Whom do you call?'],
    ...Array<string[]>(40).fill(['1', 'Nobody']),
    ...Array.from({ length: 20 }, (_, n) => ['1', `0721 13312${n + 10}`]),
  ]);
  const options = { format: 'survey-rows', flags: ['--source', 'calls'] };
  const { counts } = await harness.importContent(town, rows, { ...options });
  assert.deepEqual(counts.personalData, {});
  assert.deepEqual(await readOptions(town), { Nobody: 40, 'Weitere Antworten': 20 });

  // All other answers are alike after redaction, so they are an option of their own.
  const other = await harness.createMunicipality();
  const redacted = await harness.importContent(other, rows, {
    ...options,
    flags: [...options.flags, ...redact.flags],
  });
  assert.deepEqual(redacted.counts.redacted, { phone: 1 });
  assert.deepEqual(await readOptions(other), { Nobody: 40, '[Telefon]': 20 });
});

test('a survey is rejected if options become alike whose counts must not be added', async () => {
  for (const [options, fields, question] of [
    // Each response may have chosen both.
    [phones(30, 30, 5), { totalResponses: 40 }, { questionType: 'multiple_choice' }],
    // The rows of a matrix: a sum of counts of two rows would reveal a small count of one.
    [phones(3, 40, 60), { totalResponses: 60 }, { questionType: 'matrix' }],
  ] as const) {
    const town = await harness.createMunicipality();
    const result = await harness.importContent(town, composeSurvey(options, fields, question), redact);
    assertCounts(result, { rejected: 1 });
    assert.match(
      result.rejections[0]?.reason ?? '',
      /question 1: options 1 and 2 are the same after redaction, and their counts must not be added; remove the personal data from them/,
    );
  }
  // One is published, the other one is among the combined answers: the sum would show what moved.
  const late = await harness.createMunicipality();
  const withOthers = (own: number, other: number, rare: number) => ({
    ...phones(own, other, 50),
    Rarely: rare,
  });
  await harness.importContent(late, composeSurvey(withOthers(20, 9, 5)));
  assert.deepEqual(await readOptions(late), {
    'The caretaker, 0721 1331234': 20,
    Nobody: 50,
    'Weitere Antworten': 14,
  });
  const moved = await harness.importContent(late, composeSurvey(withOthers(21, 9, 25)), redact);
  assertCounts(moved, { rejected: 1 });
  assert.match(moved.rejections[0]?.reason ?? '', /options 1 and 2 are the same after redaction/);

  const town = await harness.createMunicipality();
  const several = composeSurvey(
    phones(15, 12, 30),
    { totalResponses: 57 },
    { questionType: 'multiple_choice' },
  );
  assertCounts(await harness.importContent(town, several, redact), { inserted: 1 });
  assert.deepEqual(await readOptions(town), { 'The caretaker, [Telefon]': 27, Nobody: 30 });
});
