import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SubmissionRecord } from '../../src/domain/records.ts';
import { servedTown } from '../support/fixture.ts';
import { missingId, newestFirst, sessionId, submissionId, submissions } from '../support/records.ts';

const { server, alice, a, sql } = await servedTown({ after });

const tally = ({ id, referenceNumber, supportCount, createdAt }: SubmissionRecord) => ({
  submissionId: id,
  referenceNumber,
  supportCount,
  createdAt,
});

/** Each document stands on a line of its own. */
const pageOf = (rows: readonly SubmissionRecord[]) =>
  `{"data":[${rows.map((row) => JSON.stringify(tally(row))).join(',\n')}],"pagination":{"next_cursor":null,"has_more":false}}`;

test('there is one tally for each submission, in the order of the submissions', async () => {
  const { status, text } = await server.get('/support', { key: alice });
  assert.equal(status, 200);
  assert.equal(text, pageOf(newestFirst(submissions)));
});

test('submission_id narrows the tallies to one submission', async () => {
  for (const row of submissions) {
    const { text } = await server.get(`/support?submission_id=${row.id}`, { key: alice });
    assert.equal(text, pageOf([row]));
  }
});

test('submission_id matches a UUID in any case', async () => {
  const { text } = await server.get(`/support?submission_id=${submissionId(3).toUpperCase()}`, {
    key: alice,
  });
  assert.equal(text, pageOf(submissions.filter(({ id }) => id === submissionId(3))));
});

test('submission_id takes a limit, and has no further page', async () => {
  const { text } = await server.get(`/support?submission_id=${submissionId(3)}&limit=1`, { key: alice });
  assert.equal(text, pageOf(submissions.filter(({ id }) => id === submissionId(3))));
});

test('a submission_id that matches nothing, a UUID or not, is an empty page', async () => {
  for (const value of [
    missingId,
    sessionId(1),
    'x',
    `${submissionId(3)} `,
    submissionId(3).replaceAll('-', ''),
  ]) {
    const { status, text } = await server.get(`/support?submission_id=${encodeURIComponent(value)}`, {
      key: alice,
    });
    assert.equal(status, 200, value);
    assert.equal(text, pageOf([]), value);
  }
});

test('a tally is in step with its submission whatever changes the count', async () => {
  const change = 'UPDATE submission SET support_count = $1 WHERE organization_id = $2 AND id = $3';
  for (const count of [0, 1, 2_147_483_647]) {
    await sql(change, [count, a, submissionId(2)]);
    const { json: single } = await server.get(`/submissions/${submissionId(2)}`, { key: alice });
    const { json: narrowed } = await server.get(`/support?submission_id=${submissionId(2)}`, { key: alice });
    const { json: all } = await server.get('/support', { key: alice });
    assert.equal(single.data.supportCount, count);
    assert.equal(narrowed.data[0].supportCount, count);
    assert.deepEqual(
      all.data.find((row: { submissionId: string }) => row.submissionId === submissionId(2)),
      narrowed.data[0],
    );
  }
});

test('a tally takes over a changed reference number and creation time, and moves in the list with it', async () => {
  await sql(
    'UPDATE submission SET reference_number = $1, created_at = $2 WHERE organization_id = $3 AND id = $4',
    ['2027/1', '2027-01-01T00:00:00.000Z', a, submissionId(7)],
  );
  const { json } = await server.get('/support?limit=1', { key: alice });
  assert.deepEqual(json.data[0], {
    submissionId: submissionId(7),
    referenceNumber: '2027/1',
    supportCount: 7,
    createdAt: '2027-01-01T00:00:00.000Z',
  });
});

test('a tally goes with its submission', async () => {
  await sql('DELETE FROM submission WHERE organization_id = $1 AND id = $2', [a, submissionId(9)]);
  const { json } = await server.get(`/support?submission_id=${submissionId(9)}`, { key: alice });
  assert.deepEqual(json.data, []);
});
