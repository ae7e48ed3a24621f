import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { ndjson } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportHarness } from '../support/import-harness.ts';
import { session, sessionId, submission, submissionId } from '../support/records.ts';

const harness: ImportHarness = await createImportHarness({ after });
const papers = [1, 2, 3].map((n) => ({ kind: 'submission', ...submission(n) }));
const meeting = (submissions: unknown) => ({ kind: 'session', ...session(1), submissions });
const ids = (...numbers: number[]) => numbers.map(submissionId);

const newTown = async (submissions: unknown = ids(2, 1)) => {
  const town = await harness.createMunicipality();
  assertCounts(await harness.importContent(town, ndjson([...papers, meeting(submissions)])), { inserted: 4 });
  return town;
};
const agenda = async (town: Awaited<ReturnType<typeof newTown>>) => {
  const { json } = await harness.get(town, `/sessions/${sessionId(1)}`);
  assert.equal(json.data.submissionCount, json.data.submissions.length);
  return json.data.submissions.map(({ id }: { id: string }) => id);
};

suite('an agenda', { concurrency: 3 }, () => {
  test('is a list of ids, in order', async () => {
    assert.deepEqual(await agenda(await newTown(ids(3, 1, 2))), ids(3, 1, 2));
  });

  test('accepts whole submissions as the API returns them, and uses their ids', async () => {
    const town = await newTown([submission(2, { description: 'is ignored here' }), { id: submissionId(1) }]);
    assert.deepEqual(await agenda(town), ids(2, 1));
    const { json } = await harness.get(town, `/submissions/${submissionId(2)}`);
    assert.equal(json.data.description, 'Submission 2');
  });

  test('accepts ids that are not UUIDs', async () => {
    const town = await harness.createMunicipality();
    const bare = { kind: 'submission', description: 'x', createdAt: '2026-03-01T09:15:00Z' };
    const input = [{ ...bare, id: '2026/1' }, { ...bare, id: 7 }, meeting(['2026/1', { id: 7 }])];
    assertCounts(await harness.importContent(town, ndjson(input)), { inserted: 3 });
    assert.equal((await agenda(town)).length, 2);
  });

  test('that is reordered, shortened or extended counts as changed and is published', async () => {
    const town = await newTown();
    for (const next of [ids(1, 2), ids(1), ids(3, 2, 1), []]) {
      assertCounts(await harness.importContent(town, ndjson([meeting(next)])), { changed: 1 });
      assert.deepEqual(await agenda(town), next);
      assertCounts(await harness.importContent(town, ndjson([meeting(next)])), { unchanged: 1 });
    }
  });

  test('is unchanged if the session is imported without one', async () => {
    const town = await newTown();
    assertCounts(await harness.importContent(town, ndjson([meeting(undefined)])), { unchanged: 1 });
    const renamed = { ...meeting(undefined), committeeName: 'Neuer Name' };
    assertCounts(await harness.importContent(town, ndjson([renamed])), { changed: 1 });
    assert.deepEqual(await agenda(town), ids(2, 1));
  });

  test('with an unknown submission is rejected; the session is unchanged', async () => {
    const town = await newTown();
    const wrong = { ...meeting(ids(1, 9)), committeeName: 'Neuer Name' };
    const result = await harness.importContent(town, ndjson([wrong]));
    assert.equal(result.code, 3);
    assertCounts(result, { rejected: 1 });
    assert.match(
      result.rejections[0]?.reason ?? '',
      new RegExp(
        `^submissions: entry 2 refers to the unknown submission ${submissionId(9)}\\. Put submissions before sessions`,
      ),
    );
    assert.deepEqual(await agenda(town), ids(2, 1));
    assert.equal((await harness.listAll(town, '/sessions'))[0].committeeName, 'Committee 1');
  });

  test('with a submission of another municipality is rejected like one with an unknown submission', async () => {
    await newTown();
    const other = await harness.createMunicipality();
    const result = await harness.importContent(other, ndjson([meeting(ids(1))]));
    assertCounts(result, { rejected: 1 });
    assert.match(result.rejections[0]?.reason ?? '', /unknown submission/);
  });

  test('before its submissions is rejected, and is imported with the file again, as the message says', async () => {
    const town = await harness.createMunicipality();
    const input = ndjson([meeting(ids(1)), ...papers]);
    assertCounts(await harness.importContent(town, input), { inserted: 3, rejected: 1 });
    assertCounts(await harness.importContent(town, input), { inserted: 1, unchanged: 3 });
    assert.deepEqual(await agenda(town), ids(1));
  });

  test('that names a submission twice is rejected', async () => {
    const town = await newTown();
    for (const twice of [ids(1, 2, 1), [submissionId(1), submissionId(1).toUpperCase()]]) {
      const result = await harness.importContent(town, ndjson([meeting(twice)]));
      assert.match(result.rejections[0]?.reason ?? '', /submissions names a submission twice/);
    }
  });

  test('of 1,000 entries is accepted, of 1,001 rejected', async () => {
    const town = await harness.createMunicipality();
    const many = Array.from({ length: 1_001 }, (_, n) => ({ kind: 'submission', ...submission(n) }));
    const all = many.map(({ id }) => id);
    const input = [...many, meeting(all.slice(0, 1_000)), { ...meeting(all), id: 'too long' }];
    const result = await harness.importContent(town, ndjson(input));
    assertCounts(result, { inserted: 1_002, rejected: 1 });
    assert.match(result.rejections[0]?.reason ?? '', /submissions must not have more than 1000 entries/);
    assert.equal((await agenda(town)).length, 1_000);
    // The longest agenda can be reversed without a conflict between positions.
    assertCounts(await harness.importContent(town, ndjson([meeting(all.slice(0, 1_000).toReversed())])), {
      changed: 1,
    });
  });
});
