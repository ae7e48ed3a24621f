import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SubmissionRecord } from '../../src/domain/records/records.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { formatSubmissionId, missingId, submissions, toSpecified } from '../support/records.ts';

const { server, alice, sql, a } = await createFixtureWithServer({ after });

test('a single submission under data equals the list item', async () => {
  const { json: list } = await server.get('/submissions', { key: alice });
  for (const row of submissions) {
    const { status, json, text } = await server.get(`/submissions/${row.id}`, { key: alice });
    assert.equal(status, 200);
    assert.equal(JSON.stringify(JSON.parse(text)), JSON.stringify({ data: toSpecified(row) }));
    assert.deepEqual(
      json.data,
      list.data.find(({ id }: SubmissionRecord) => id === row.id),
    );
  }
});

test('ids are case-insensitive and returned in lower case', async () => {
  const id = formatSubmissionId(10);
  const lower = await server.get(`/submissions/${id}`, { key: alice });
  const upper = await server.get(`/submissions/${id.toUpperCase()}`, { key: alice });
  const mixed = await server.get(`/submissions/${id.slice(0, 4)}${id.slice(4).toUpperCase()}`, {
    key: alice,
  });
  assert.equal(upper.text, lower.text);
  assert.equal(mixed.text, lower.text);
  assert.equal(lower.json.data.id, id);
});

test('a percent-encoded id is decoded', async () => {
  const { status } = await server.get(`/submissions/%61${formatSubmissionId(1).slice(1)}`, { key: alice });
  assert.equal(status, 200);
});

test('every other id returns the same 404', async () => {
  const missing = await server.get(`/submissions/${missingId}`, { key: alice });
  assert.equal(missing.status, 404);
  assert.equal(missing.json.code, 'NOT_FOUND');
  const id = formatSubmissionId(1);
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

test('a single resource rejects query parameters', async () => {
  const { status, json } = await server.get(`/submissions/${formatSubmissionId(1)}?limit=1`, { key: alice });
  assert.equal(status, 400);
  assert.match(json.error, /"limit"/);
});

test('changes by other programs through SQL are published immediately', async () => {
  await sql('UPDATE submission SET status = $1, has_attachments = 1 WHERE organization_id = $2 AND id = $3', [
    'completed',
    a,
    formatSubmissionId(1),
  ]);
  const { json } = await server.get(`/submissions/${formatSubmissionId(1)}`, { key: alice });
  assert.equal(json.data.status, 'completed');
  assert.equal(json.data.hasAttachments, true);
});
