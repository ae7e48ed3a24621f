/** Surveys that were public, became drafts or were removed by their source, and are published again. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { SurveyRecord } from '../../src/domain/records/records.ts';
import { assertSucceeds, type Municipality } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportResult } from '../support/import-harness.ts';
import { formatSurveyId } from '../support/records.ts';

const harness = await createImportHarness({ after });
const { store, workspace } = harness;

const id = formatSurveyId(1);
const other = 'Weitere Antworten';

type Counts = Readonly<Record<string, number>>;

const createQuestion = (counts: Counts, fields = {}) => ({
  ...{ questionText: 'Frage', questionType: 'single_choice' },
  options: Object.entries(counts).map(([optionText, responseCount]) => ({ optionText, responseCount })),
  ...fields,
});
const createSurvey = (status: string, counts: Counts, fields = {}) => ({
  ...{ surveyId: id, title: 'S', status },
  totalResponses: Object.values(counts).reduce((sum, count) => sum + count, 0),
  questions: [createQuestion(counts)],
  ...fields,
});
const importSurvey = (town: Municipality, survey: object, ...flags: string[]) =>
  harness.importContent(town, toNdjson([{ kind: 'survey', ...survey }]), { flags });
const publish = (town: Municipality, status: string, counts: Counts, ...flags: string[]) =>
  importSurvey(town, createSurvey(status, counts), ...flags);
const removeBySource = (town: Municipality) => importSurvey(town, { surveyId: id, deleted: true });

async function readResults(town: Municipality): Promise<SurveyRecord | undefined> {
  const { status, json } = await harness.get(town, `/surveys/${id}/results`);
  return status === 404 ? undefined : json.data;
}

/** @returns status, total, and the counts of each question; undefined: not public */
async function read(town: Municipality) {
  const survey = await readResults(town);
  const counts = survey?.questions.map(({ options }) =>
    Object.fromEntries(options.map(({ optionText, responseCount }) => [optionText, responseCount])),
  );
  return survey && [survey.status, survey.totalResponses, ...(counts ?? [])];
}

function assertRejected(result: ImportResult, reason: RegExp): void {
  assertCounts(result, { rejected: 1 });
  assert.match(result.rejections[0]?.reason ?? '', reason);
}

const ways = {
  'was a draft': (town) => publish(town, 'draft', { A: 1 }),
  'was a draft of a source that is already anonymised': (town) =>
    publish(town, 'Entwurf', { A: 75, B: 26, C: 55 }, '--already-anonymised'),
  'was removed by its source': removeBySource,
  'was a draft, and was then removed by its source': async (town) => {
    await publish(town, 'in Vorbereitung', { A: 1 });
    return removeBySource(town);
  },
} satisfies Record<string, (town: Municipality) => Promise<ImportResult>>;

suite('a closed survey that', { concurrency: 2 }, () => {
  for (const [what, hide] of Object.entries(ways))
    test(`${what} keeps its results when it is public again`, async () => {
      const town = await harness.createMunicipality();
      await publish(town, 'active', { A: 40, B: 25, C: 12 });
      await publish(town, 'closed', { A: 55, B: 28, C: 24 });
      const closed = ['closed', 107, { A: 55, [other]: 52 }];
      assert.deepEqual(await read(town), closed);
      await hide(town);
      assert.equal(await read(town), undefined);
      // The 26th answer follows from the 25 that were public while the survey was active.
      assertRejected(await publish(town, 'active', { A: 75, B: 26, C: 55 }), /^was published as closed, and/);
      assert.equal(await read(town), undefined);
      const again = await publish(town, 'closed', { A: 75, B: 26, C: 55 });
      assert.match(
        String(again.counts.notes),
        /was published as closed: its published results are unchanged/,
      );
      assert.deepEqual(await read(town), closed);
    });
});

suite('an active survey that', { concurrency: 2 }, () => {
  for (const what of ['was a draft', 'was removed by its source'] as const)
    test(`${what} goes on in steps of the threshold`, async () => {
      const town = await harness.createMunicipality();
      await publish(town, 'active', { A: 45, B: 32 });
      for (const status of ['active', 'closed']) {
        await ways[what](town);
        await publish(town, status, { A: 46, B: 32 });
        assert.deepEqual(await read(town), [status, 77, { A: 45, B: 32 }]);
      }
    });

  test('got other questions as a draft is compared with the questions that were public', async () => {
    const town = await harness.createMunicipality();
    const other = { questions: [createQuestion({ A: 46, B: 32 }, { questionText: 'Andere Frage' })] };
    await publish(town, 'active', { A: 45, B: 32 });
    await importSurvey(town, createSurvey('draft', { A: 46, B: 32 }, other));
    const [draft] = await store.listSurveys(town.id);
    assert.deepEqual([draft?.status, draft?.totalResponses], ['draft', 0]);
    assertRejected(
      await importSurvey(town, createSurvey('active', { A: 46, B: 32 }, other)),
      /other questions/,
    );
    await publish(town, 'active', { A: 46, B: 32 });
    assert.deepEqual(await read(town), ['active', 77, { A: 45, B: 32 }]);
  });

  test('was corrected, and then a draft, is compared with the texts of its source', async () => {
    const town = await harness.createMunicipality();
    await publish(town, 'active', { A: 45, B: 32 });
    const reason = ['--organization', town.id, '--reason', 'Typing error'];
    await assertSucceeds(
      workspace.withDatabase('record', 'correct', 'survey', id, 'question1=Frage?', ...reason),
    );
    await publish(town, 'draft', { A: 46, B: 32 });
    assertCounts(await publish(town, 'active', { A: 46, B: 32 }), { changed: 1 });
    assert.deepEqual(await read(town), ['active', 77, { A: 45, B: 32 }]);
    assert.equal((await readResults(town))?.questions[0]?.questionText, 'Frage?');
    await publish(town, 'active', { A: 60, B: 45 });
    assert.deepEqual(await read(town), ['active', 105, { A: 60, B: 45 }]);
  });

  for (const what of ['was a draft', 'was removed by its source'] as const)
    test(`was unpublished, and then ${what}, stays so without the decision, and goes on in steps of the threshold`, async () => {
      const town = await harness.createMunicipality();
      await publish(town, 'active', { A: 45, B: 32 });
      const survey = ['survey', id, '--organization', town.id];
      const unpublished = ['unpublish', ...survey, '--reason', 'Wrong file'];
      await assertSucceeds(workspace.withDatabase('record', ...unpublished));
      await ways[what](town);
      await assertSucceeds(workspace.withDatabase('record', 'revert', ...survey));
      assert.equal(await read(town), undefined);
      await publish(town, 'active', { A: 46, B: 32 });
      assert.deepEqual(await read(town), ['active', 77, { A: 45, B: 32 }]);
    });

  test('was removed for good is forgotten, as the municipality wants it', async () => {
    const town = await harness.createMunicipality();
    const survey = ['survey', id, '--organization', town.id];
    await publish(town, 'active', { A: 45, B: 32 });
    await removeBySource(town);
    await assertSucceeds(workspace.withDatabase('record', 'remove', ...survey, '--reason', 'Wrong', '--yes'));
    const [row] = await workspace.sql(
      'SELECT count(*) AS count FROM former_survey WHERE organization_id = $1',
      [town.id],
    );
    assert.equal(Number((row as { count: number }).count), 0);
    assertCounts(await publish(town, 'active', { A: 20, B: 12 }), { ignored: 1 });
    await assertSucceeds(workspace.withDatabase('record', 'revert', ...survey));
    await publish(town, 'active', { A: 20, B: 12 });
    assert.deepEqual(await read(town), ['active', 32, { A: 20, B: 12 }]);
  });
});

test('a file with the questions of a survey that is no longer public is rejected until the user decides', async () => {
  const responses = (yes: number) =>
    toCsv(',', [
      ['Zeit', 'Frage'],
      ...Array.from({ length: yes }, () => ['2026-03-01', 'A']),
      ...Array(20).fill(['2026-03-01', 'B']),
    ]);
  for (const hide of [(town: Municipality) => publish(town, 'draft', { A: 1 }), removeBySource]) {
    const town = await harness.createMunicipality();
    await publish(town, 'active', { A: 45, B: 20 });
    await hide(town);
    const flags = ['--status', 'active', '--questions', 'Frage'];
    const file = { format: 'survey-rows', name: 'answers.csv' };
    const asked = await harness.importContent(town, responses(46), { ...file, flags });
    assertRejected(asked, new RegExp(`--continues ${id}`));
    await harness.importContent(town, responses(46), { ...file, flags: [...flags, '--continues', id] });
    assert.deepEqual(await read(town), ['active', 65, { A: 45, B: 20 }]);
  }
});

test('the counts of a draft that was never public do not count as published', async () => {
  const counts = { A: 45, B: 32 };
  // Version 1.0 stored the counts of a draft.
  const writeCounts = (town: Municipality) =>
    store.write(town.id, (writer) => writer.put([{ kind: 'survey', ...createSurvey('draft', counts) }]));
  for (const [stored, prepare] of [
    [0, (town: Municipality) => publish(town, 'draft', counts)],
    [0, (town: Municipality) => publish(town, 'draft', counts, '--already-anonymised')],
    [77, writeCounts],
  ] as const) {
    const town = await harness.createMunicipality();
    await prepare(town);
    const [draft] = await store.listSurveys(town.id);
    assert.deepEqual([draft?.status, draft?.totalResponses], ['draft', stored]);
    assertCounts(await publish(town, 'active', { A: 40, B: 30 }), { changed: 1 });
    assert.deepEqual(await read(town), ['active', 70, { A: 40, B: 30 }]);
  }
});

test('the ranks of a ranking keep their published counts after a draft', async () => {
  const town = await harness.createMunicipality();
  const rank = (questionText: string, counts: Counts) =>
    createQuestion(counts, { questionText, questionType: 'ranking' });
  const importRanks = (status: string, first: Counts, second: Counts, ...flags: string[]) =>
    importSurvey(
      town,
      createSurvey(status, first, { questions: [rank('Erster', first), rank('Zweiter', second)] }),
      ...flags,
    );
  const published = [
    { A: 50, [other]: 50 },
    { A: 24, [other]: 76 },
  ];
  await importRanks('closed', { A: 50, B: 46, C: 4 }, { B: 30, A: 24, C: 46 });
  assert.deepEqual(await read(town), ['closed', 100, ...published]);
  await importRanks('draft', { A: 51, B: 46, C: 4 }, { B: 31, A: 24, C: 46 });
  await importRanks('archived', { A: 51, B: 46, C: 4 }, { B: 31, A: 24, C: 46 });
  assert.deepEqual(await read(town), ['archived', 100, ...published]);

  const anonymised = [
    { A: 50, B: 46, C: 20 },
    { A: 40, B: 30, C: 46 },
  ];
  await removeBySource(town);
  await importRanks('active', anonymised[0] as Counts, anonymised[1] as Counts, '--already-anonymised');
  await importRanks('draft', { A: 1, B: 1, C: 1 }, { A: 1, B: 1, C: 1 });
  await importRanks('active', { A: 61, B: 57, C: 21 }, { A: 52, B: 40, C: 47 });
  assert.deepEqual(await read(town), ['active', 139, ...anonymised]);
});
