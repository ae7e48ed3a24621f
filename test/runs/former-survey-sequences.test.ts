/** Random states of a survey, with drafts and removals in between, as a reader sees them who keeps each. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SurveyRecord } from '../../src/domain/records/records.ts';
import { toNdjson } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { createSeededRandom, formatSurveyId } from '../support/records.ts';
import { findSmallNumbers } from '../trust/figures/survey-sequences.ts';

const harness = await createImportHarness({ after });
const surveyId = formatSurveyId(1);

function createState(random: () => number, counts: Readonly<Record<string, number>>): object {
  const choice = random();
  if (choice < 0.15) return { kind: 'survey', surveyId, deleted: true };
  const options = Object.entries(counts).map(([optionText, responseCount]) => ({
    optionText,
    responseCount,
  }));
  return {
    ...{
      kind: 'survey',
      surveyId,
      title: 'S',
      status: choice > 0.7 ? 'draft' : choice > 0.6 ? 'closed' : 'active',
    },
    totalResponses: Object.values(counts).reduce((sum, count) => sum + count, 0),
    questions: [{ questionText: 'Frage', questionType: 'single_choice', options }],
  };
}

test('no small number follows from the states of random sequences with drafts and removals', async () => {
  let pairs = 0;
  for (let seed = 1; seed <= 8; seed += 1) {
    const random = createSeededRandom(seed);
    const town = await harness.createMunicipality();
    const counts: Record<string, number> = { A: 0, B: 0, C: 0, D: 0 };
    const states: SurveyRecord[] = [];
    for (let step = 0; step < 9; step += 1) {
      for (const option of Object.keys(counts))
        counts[option] = (counts[option] as number) + Math.floor(random() * (random() < 0.5 ? 2 : 9));
      await harness.importContent(town, toNdjson([createState(random, counts)]), {
        flags: ['--threshold', '3'],
      });
      const { status, json } = await harness.get(town, `/surveys/${surveyId}/results`);
      if (status === 404) continue;
      assert.deepEqual(findSmallNumbers(json.data, states), [], `seed ${seed}, step ${step}`);
      states.push(json.data);
    }
    pairs += (states.length * (states.length - 1)) / 2;
  }
  assert.ok(pairs > 20, `${pairs} pairs`);
});
