import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SubmissionRecord } from '../../src/domain/records/records.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  formatSessionId,
  formatSubmissionId,
  missingId,
  sortNewestFirst,
  submissions,
} from '../support/records.ts';

const { server, alice, a, sql } = await createFixtureWithServer({ after });

const toTally = ({ id, referenceNumber, supportCount, createdAt }: SubmissionRecord) => ({
  submissionId: id,
  referenceNumber,
  supportCount,
  createdAt,
});

const createPage = (rows: readonly SubmissionRecord[]) =>
  `{"data":[${rows.map((row) => JSON.stringify(toTally(row))).join(',\n')}],"pagination":{"next_cursor":null,"has_more":false}}`;

test('support lists one tally per submission, in the order of submissions', async () => {
  const { status, text } = await server.get('/support', { key: alice });
  assert.equal(status, 200);
  assert.equal(text, createPage(sortNewestFirst(submissions)));
});

test('submission_id filters the tallies by submission', async () => {
  for (const row of submissions) {
    const { text } = await server.get(`/support?submission_id=${row.id}`, { key: alice });
    assert.equal(text, createPage([row]));
  }
});

test('submission_id matches a UUID in any case', async () => {
  const { text } = await server.get(`/support?submission_id=${formatSubmissionId(3).toUpperCase()}`, {
    key: alice,
  });
  assert.equal(text, createPage(submissions.filter(({ id }) => id === formatSubmissionId(3))));
});

test('submission_id can be combined with limit and has only one page', async () => {
  const { text } = await server.get(`/support?submission_id=${formatSubmissionId(3)}&limit=1`, {
    key: alice,
  });
  assert.equal(text, createPage(submissions.filter(({ id }) => id === formatSubmissionId(3))));
});

test('a submission_id without a match returns an empty page, also if it is not a UUID', async () => {
  for (const value of [
    missingId,
    formatSessionId(1),
    'x',
    `${formatSubmissionId(3)} `,
    formatSubmissionId(3).replaceAll('-', ''),
  ]) {
    const { status, text } = await server.get(`/support?submission_id=${encodeURIComponent(value)}`, {
      key: alice,
    });
    assert.equal(status, 200, value);
    assert.equal(text, createPage([]), value);
  }
});

test('a tally equals the count of its submission after every change', async () => {
  const change = 'UPDATE submission SET support_count = $1 WHERE organization_id = $2 AND id = $3';
  for (const count of [0, 1, 2_147_483_647]) {
    await sql(change, [count, a, formatSubmissionId(2)]);
    const { json: single } = await server.get(`/submissions/${formatSubmissionId(2)}`, { key: alice });
    const { json: narrowed } = await server.get(`/support?submission_id=${formatSubmissionId(2)}`, {
      key: alice,
    });
    const { json: all } = await server.get('/support', { key: alice });
    assert.equal(single.data.supportCount, count);
    assert.equal(narrowed.data[0].supportCount, count);
    assert.deepEqual(
      all.data.find((row: { submissionId: string }) => row.submissionId === formatSubmissionId(2)),
      narrowed.data[0],
    );
  }
});

test('a tally follows changes of reference number and creation time', async () => {
  await sql(
    'UPDATE submission SET reference_number = $1, created_at = $2 WHERE organization_id = $3 AND id = $4',
    ['2027/1', '2027-01-01T00:00:00.000Z', a, formatSubmissionId(7)],
  );
  const { json } = await server.get('/support?limit=1', { key: alice });
  assert.deepEqual(json.data[0], {
    submissionId: formatSubmissionId(7),
    referenceNumber: '2027/1',
    supportCount: 7,
    createdAt: '2027-01-01T00:00:00.000Z',
  });
});

test('a tally is removed with its submission', async () => {
  await sql('DELETE FROM submission WHERE organization_id = $1 AND id = $2', [a, formatSubmissionId(9)]);
  const { json } = await server.get(`/support?submission_id=${formatSubmissionId(9)}`, { key: alice });
  assert.deepEqual(json.data, []);
});
