import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportHarness } from '../support/import-harness.ts';
import { createSession, createSubmission, formatSessionId, formatSubmissionId } from '../support/records.ts';

const harness: ImportHarness = await createImportHarness({ after });
const papers = [1, 2, 3].map((n) => ({ kind: 'submission', ...createSubmission(n) }));
const createSessionRecord = (submissions: unknown) => ({ kind: 'session', ...createSession(1), submissions });
const toSubmissionIds = (...numbers: number[]) => numbers.map(formatSubmissionId);

const importAgenda = async (submissions: unknown = toSubmissionIds(2, 1)) => {
  const town = await harness.createMunicipality();
  assertCounts(await harness.importContent(town, toNdjson([...papers, createSessionRecord(submissions)])), {
    inserted: 4,
  });
  return town;
};
const getAgenda = async (town: Awaited<ReturnType<typeof importAgenda>>) => {
  const { json } = await harness.get(town, `/sessions/${formatSessionId(1)}`);
  assert.equal(json.data.submissionCount, json.data.submissions.length);
  return json.data.submissions.map(({ id }: { id: string }) => id);
};

suite('an agenda', { concurrency: 3 }, () => {
  test('is a list of ids, in order', async () => {
    assert.deepEqual(await getAgenda(await importAgenda(toSubmissionIds(3, 1, 2))), toSubmissionIds(3, 1, 2));
  });

  test('accepts whole submissions as the API returns them, and uses their ids', async () => {
    const town = await importAgenda([
      createSubmission(2, { description: 'is ignored here' }),
      { id: formatSubmissionId(1) },
    ]);
    assert.deepEqual(await getAgenda(town), toSubmissionIds(2, 1));
    const { json } = await harness.get(town, `/submissions/${formatSubmissionId(2)}`);
    assert.equal(json.data.description, 'Submission 2');
  });

  test('accepts ids that are not UUIDs', async () => {
    const town = await harness.createMunicipality();
    const bare = { kind: 'submission', description: 'x', createdAt: '2026-03-01T09:15:00Z' };
    const input = [{ ...bare, id: '2026/1' }, { ...bare, id: 7 }, createSessionRecord(['2026/1', { id: 7 }])];
    assertCounts(await harness.importContent(town, toNdjson(input)), { inserted: 3 });
    assert.equal((await getAgenda(town)).length, 2);
  });

  test('that is reordered, shortened or extended counts as changed and is published', async () => {
    const town = await importAgenda();
    for (const next of [toSubmissionIds(1, 2), toSubmissionIds(1), toSubmissionIds(3, 2, 1), []]) {
      assertCounts(await harness.importContent(town, toNdjson([createSessionRecord(next)])), { changed: 1 });
      assert.deepEqual(await getAgenda(town), next);
      assertCounts(await harness.importContent(town, toNdjson([createSessionRecord(next)])), {
        unchanged: 1,
      });
    }
  });

  test('is unchanged if the session is imported without one', async () => {
    const town = await importAgenda();
    assertCounts(await harness.importContent(town, toNdjson([createSessionRecord(undefined)])), {
      unchanged: 1,
    });
    const renamed = { ...createSessionRecord(undefined), committeeName: 'Neuer Name' };
    assertCounts(await harness.importContent(town, toNdjson([renamed])), { changed: 1 });
    assert.deepEqual(await getAgenda(town), toSubmissionIds(2, 1));
  });

  test('with an unknown submission is rejected; the session is unchanged', async () => {
    const town = await importAgenda();
    const wrong = { ...createSessionRecord(toSubmissionIds(1, 9)), committeeName: 'Neuer Name' };
    const result = await harness.importContent(town, toNdjson([wrong]));
    assert.equal(result.code, 3);
    assertCounts(result, { rejected: 1 });
    assert.match(
      result.rejections[0]?.reason ?? '',
      new RegExp(
        `^submissions: entry 2 refers to the unknown submission ${formatSubmissionId(9)}\\. Put submissions before sessions`,
      ),
    );
    assert.deepEqual(await getAgenda(town), toSubmissionIds(2, 1));
    assert.equal((await harness.listAll(town, '/sessions'))[0].committeeName, 'Committee 1');
  });

  test('with a submission of another municipality is rejected like one with an unknown submission', async () => {
    await importAgenda();
    const other = await harness.createMunicipality();
    const result = await harness.importContent(other, toNdjson([createSessionRecord(toSubmissionIds(1))]));
    assertCounts(result, { rejected: 1 });
    assert.match(result.rejections[0]?.reason ?? '', /unknown submission/);
  });

  test('before its submissions is rejected, and is imported with the file again, as the message says', async () => {
    const town = await harness.createMunicipality();
    const input = toNdjson([createSessionRecord(toSubmissionIds(1)), ...papers]);
    assertCounts(await harness.importContent(town, input), { inserted: 3, rejected: 1 });
    assertCounts(await harness.importContent(town, input), { inserted: 1, unchanged: 3 });
    assert.deepEqual(await getAgenda(town), toSubmissionIds(1));
  });

  test('that names a submission twice is rejected', async () => {
    const town = await importAgenda();
    for (const twice of [
      toSubmissionIds(1, 2, 1),
      [formatSubmissionId(1), formatSubmissionId(1).toUpperCase()],
    ]) {
      const result = await harness.importContent(town, toNdjson([createSessionRecord(twice)]));
      assert.match(result.rejections[0]?.reason ?? '', /submissions names a submission twice/);
    }
  });

  test('of 1,000 entries is accepted, of 1,001 rejected', async () => {
    const town = await harness.createMunicipality();
    const many = Array.from({ length: 1_001 }, (_, n) => ({ kind: 'submission', ...createSubmission(n) }));
    const all = many.map(({ id }) => id);
    const input = [
      ...many,
      createSessionRecord(all.slice(0, 1_000)),
      { ...createSessionRecord(all), id: 'too long' },
    ];
    const result = await harness.importContent(town, toNdjson(input));
    assertCounts(result, { inserted: 1_002, rejected: 1 });
    assert.match(result.rejections[0]?.reason ?? '', /submissions must not have more than 1000 entries/);
    assert.equal((await getAgenda(town)).length, 1_000);
    // The longest agenda can be reversed without a conflict between positions.
    assertCounts(
      await harness.importContent(town, toNdjson([createSessionRecord(all.slice(0, 1_000).toReversed())])),
      {
        changed: 1,
      },
    );
  });
});
