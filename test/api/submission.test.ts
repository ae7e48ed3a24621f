import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SubmissionRecord } from '../../src/domain/records.ts';
import { servedTown } from '../support/fixture.ts';
import { missingId, submissionId, submissions } from '../support/records.ts';

const { server, alice, sql, a } = await servedTown({ after });

test('every submission can be read singly, under data, as the list gives it', async () => {
  const { json: list } = await server.get('/submissions', { key: alice });
  for (const row of submissions) {
    const { status, json, text } = await server.get(`/submissions/${row.id}`, { key: alice });
    assert.equal(status, 200);
    assert.equal(JSON.stringify(JSON.parse(text)), JSON.stringify({ data: row }));
    assert.deepEqual(
      json.data,
      list.data.find(({ id }: SubmissionRecord) => id === row.id),
    );
  }
});

test('an id in upper or mixed case finds the same submission, and is given in lower case', async () => {
  const id = submissionId(10);
  const lower = await server.get(`/submissions/${id}`, { key: alice });
  const upper = await server.get(`/submissions/${id.toUpperCase()}`, { key: alice });
  const mixed = await server.get(`/submissions/${id.slice(0, 4)}${id.slice(4).toUpperCase()}`, {
    key: alice,
  });
  assert.equal(upper.text, lower.text);
  assert.equal(mixed.text, lower.text);
  assert.equal(lower.json.data.id, id);
});

test('an id that is percent-encoded is the same id', async () => {
  const { status } = await server.get(`/submissions/%61${submissionId(1).slice(1)}`, { key: alice });
  assert.equal(status, 200);
});

test('whatever is not the id of a submission is one and the same 404', async () => {
  const missing = await server.get(`/submissions/${missingId}`, { key: alice });
  assert.equal(missing.status, 404);
  assert.equal(missing.json.code, 'NOT_FOUND');
  const id = submissionId(1);
  const others = [
    'x',
    '1',
    'null',
    'undefined',
    id.slice(1),
    `${id}0`,
    id.replaceAll('-', ''),
    `{${id}}`,
    `urn:uuid:${id}`,
    `${id}%20`,
    `%20${id}`,
    `${id}%00`,
    `${id}%0a`,
    `${id}.json`,
    `${id}%2Fresults`,
    `${id}'--`,
    '..%2F..',
    '%2e%2e',
    '%F0%9F%8C%B3',
    'ａ'.repeat(36),
    'x'.repeat(4000),
  ];
  for (const other of others) {
    const { status, text } = await server.get(`/submissions/${encodeURI(other).replaceAll('%25', '%')}`, {
      key: alice,
    });
    assert.equal(status, 404, other);
    assert.equal(text, missing.text, other);
  }
});

test('a single resource takes no query parameter', async () => {
  const { status, json } = await server.get(`/submissions/${submissionId(1)}?limit=1`, { key: alice });
  assert.equal(status, 400);
  assert.match(json.error, /"limit"/);
});

test('a row that another program changes through SQL is published at once', async () => {
  await sql('UPDATE submission SET status = $1, has_attachments = 1 WHERE organization_id = $2 AND id = $3', [
    'completed',
    a,
    submissionId(1),
  ]);
  const { json } = await server.get(`/submissions/${submissionId(1)}`, { key: alice });
  assert.equal(json.data.status, 'completed');
  assert.equal(json.data.hasAttachments, true);
});
