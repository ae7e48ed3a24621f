import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SessionRecord, SubmissionRecord } from '../../src/domain/records/records.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createSession,
  formatSessionId,
  formatSubmissionId,
  missingId,
  sessions,
  sortLatestFirst,
  submissions,
  toSpecified,
} from '../support/records.ts';

const { server, alice, a, putRecords, sql } = await createFixtureWithServer({ after });

const toListItem = ({
  id,
  committeeName,
  date,
  timeSlot,
  createdAt,
  submissions: agenda,
}: SessionRecord) => ({
  id,
  committeeName,
  date,
  timeSlot,
  submissionCount: (agenda as string[]).length,
  createdAt,
});

const normalizeJson = (text: string) => JSON.stringify(JSON.parse(text));
const findSubmission = (id: string) => submissions.find((row) => row.id === id) as SubmissionRecord;

test('sessions are listed latest first, then by id, without their submissions', async () => {
  const { status, text } = await server.get('/sessions', { key: alice });
  assert.equal(status, 200);
  assert.equal(
    normalizeJson(text),
    JSON.stringify({
      data: sortLatestFirst(sessions).map(toListItem),
      pagination: { next_cursor: null, has_more: false },
    }),
  );
});

test('sessions of one date are ordered by id', async () => {
  const { json } = await server.get('/sessions', { key: alice });
  const ids = json.data
    .filter(({ date }: SessionRecord) => date === '2026-03-17')
    .map(({ id }: SessionRecord) => id);
  assert.deepEqual(ids, [formatSessionId(1), formatSessionId(2)]);
});

test('a session includes its complete submissions in the order of the agenda', async () => {
  for (const record of sessions) {
    const { status, text } = await server.get(`/sessions/${record.id}`, { key: alice });
    assert.equal(status, 200);
    const expected = {
      ...toListItem(record),
      submissions: (record.submissions as string[]).map(findSubmission).map(toSpecified),
    };
    assert.equal(normalizeJson(text), JSON.stringify({ data: expected }));
  }
});

test('submissionCount equals the number of submissions after every change of the agenda', async () => {
  const id = formatSessionId(77);
  const agendas = [[1, 2, 3], [3, 2, 1], [5], [], [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]];
  for (const agenda of agendas) {
    await putRecords(a, [
      { kind: 'session', ...createSession(77, { submissions: agenda.map(formatSubmissionId) }) },
    ]);
    const { json: single } = await server.get(`/sessions/${id}`, { key: alice });
    assert.deepEqual(
      single.data.submissions.map((row: SubmissionRecord) => row.id),
      agenda.map(formatSubmissionId),
    );
    assert.equal(single.data.submissionCount, agenda.length);
    const { json: list } = await server.get('/sessions', { key: alice });
    assert.equal(list.data.find((row: SessionRecord) => row.id === id).submissionCount, agenda.length);
  }
  await putRecords(a, [{ kind: 'retraction', of: 'session', id }]);
});

test('removing a submission removes it from the agenda and updates submissionCount', async () => {
  await putRecords(a, [
    { kind: 'submission', ...findSubmission(formatSubmissionId(1)), id: formatSubmissionId(88) },
    { kind: 'session', ...createSession(78, { submissions: [1, 88, 2].map(formatSubmissionId) }) },
    { kind: 'retraction', of: 'submission', id: formatSubmissionId(88) },
  ]);
  const { json } = await server.get(`/sessions/${formatSessionId(78)}`, { key: alice });
  assert.deepEqual(
    json.data.submissions.map((row: SubmissionRecord) => row.id),
    [formatSubmissionId(1), formatSubmissionId(2)],
  );
  assert.equal(json.data.submissionCount, 2);
  await putRecords(a, [{ kind: 'retraction', of: 'session', id: formatSessionId(78) }]);
});

test('a session with a thousand submissions is complete', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => formatSubmissionId(10_000 + index));
  await putRecords(a, [
    ...many.map((id) => ({ kind: 'submission' as const, ...findSubmission(formatSubmissionId(3)), id })),
    { kind: 'session', ...createSession(79, { submissions: many.toReversed() }) },
  ]);
  const { json } = await server.get(`/sessions/${formatSessionId(79)}`, { key: alice });
  assert.equal(json.data.submissionCount, 1_000);
  assert.deepEqual(
    json.data.submissions.map((row: SubmissionRecord) => row.id),
    many.toReversed(),
  );
  await putRecords(a, [
    { kind: 'retraction', of: 'session', id: formatSessionId(79) },
    ...many.map((id) => ({ kind: 'retraction' as const, of: 'submission' as const, id })),
  ]);
});

test('a session includes the current state of its submissions', async () => {
  await sql('UPDATE submission SET support_count = 4711 WHERE organization_id = $1 AND id = $2', [
    a,
    formatSubmissionId(10),
  ]);
  const { json } = await server.get(`/sessions/${formatSessionId(1)}`, { key: alice });
  assert.equal(json.data.submissions[2].supportCount, 4711);
});

test('session ids are case-insensitive', async () => {
  const lower = await server.get(`/sessions/${formatSessionId(1)}`, { key: alice });
  const upper = await server.get(`/sessions/${formatSessionId(1).toUpperCase()}`, { key: alice });
  assert.equal(upper.status, 200);
  assert.equal(upper.text, lower.text);
});

test('a missing session, the id of a submission and a word are the same 404', async () => {
  const missing = await server.get(`/sessions/${missingId}`, { key: alice });
  assert.equal(missing.status, 404);
  for (const id of [formatSubmissionId(1), 'next', `${formatSessionId(1)}x`]) {
    const { status, text } = await server.get(`/sessions/${id}`, { key: alice });
    assert.equal(status, 404);
    assert.equal(text, missing.text);
  }
});

test('sessions have no filters: filters of other lists are unknown', async () => {
  for (const name of ['status', 'topic', 'submission_id', 'date']) {
    const { status, json } = await server.get(`/sessions?${name}=x`, { key: alice });
    assert.equal(status, 400);
    assert.match(json.error, new RegExp(`"${name}"`));
  }
});
