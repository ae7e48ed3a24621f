/** A table of responses that is larger than the memory. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createSurveyHarness, getResults, type Results } from '../formats/survey-harness.ts';

const { harness, store } = await createSurveyHarness({ after });

test('half a million responses in a table with a column for each question are counted in little memory', async () => {
  const town = await harness.createMunicipality();
  const lines = function* () {
    yield 'Alter;Text\r\n';
    for (let n = 0; n < 500_000; n += 1) yield `${n % 5};Freier Text Nummer ${n}\r\n`;
  };
  const path = harness.workspace.writeFile('long.csv', [...lines()].join(''));
  const result = await harness.importContent(town, [path], {
    format: 'survey-rows',
    environment: { NODE_OPTIONS: '--max-old-space-size=96' },
  });
  assert.equal(result.code, 0, result.stderr);
  const { totalResponses, questions } = await getResults(harness, store, town);
  assert.equal(totalResponses, 500_000);
  assert.deepEqual(
    questions.map(({ options }: Results) => options.length),
    [5, 0],
  );
});
