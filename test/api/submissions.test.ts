import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SubmissionRecord } from '../../src/domain/records/records.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { createSubmission, sortNewestFirst, submissions, topics, toSpecified } from '../support/records.ts';

const { server, alice, bob, a, issueKey, putRecords } = await createFixtureWithServer({ after });

const createPath = (parameters: Record<string, string>) => `/submissions?${new URLSearchParams(parameters)}`;

/** Keeps the order of the fields; engines may escape characters differently. */
const normalizeJson = (text: string) => JSON.stringify(JSON.parse(text));

const createPage = (rows: readonly SubmissionRecord[]) =>
  JSON.stringify({
    data: sortNewestFirst(rows).map(toSpecified),
    pagination: { next_cursor: null, has_more: false },
  });

test('submissions are listed newest first, then by id, with exactly the fields of the specification', async () => {
  const { status, text } = await server.get('/submissions', { key: alice });
  assert.equal(status, 200);
  assert.equal(normalizeJson(text), createPage(submissions));
});

test('two keys of one municipality read the same data', async () => {
  const { text: ofAlice } = await server.get('/submissions', { key: alice });
  const { text: ofBob } = await server.get('/submissions', { key: bob });
  assert.equal(ofAlice, ofBob);
});

test('every nullable field occurs with and without a value', async () => {
  const { json } = await server.get('/submissions', { key: alice });
  for (const field of ['referenceNumber', 'topicCategoryName', 'protocolUrl']) {
    const values = json.data.map((row: Record<string, unknown>) => row[field] === null);
    assert.ok(values.includes(true) && values.includes(false), field);
  }
});

test('the status filter returns the submissions with exactly that status', async () => {
  for (const status of new Set(submissions.map((row) => row.status))) {
    const { text } = await server.get(createPath({ status }), { key: alice });
    assert.equal(normalizeJson(text), createPage(submissions.filter((row) => row.status === status)), status);
  }
});

test('the topic filter accepts umlauts, emoji, quotes, percent, plus and ampersand', async () => {
  for (const topic of topics) {
    const { text } = await server.get(createPath({ topic }), { key: alice });
    assert.equal(
      normalizeJson(text),
      createPage(submissions.filter((row) => row.topicCategoryName === topic)),
      topic,
    );
  }
});

test('a space can be encoded as %20 or as a plus, a plus as %2B', async () => {
  const plus = await server.get('/submissions?topic=100+%25+%22Gr%C3%BCn%22', { key: alice });
  const percent = await server.get('/submissions?topic=100%20%25%20%22Gr%C3%BCn%22', { key: alice });
  assert.equal(plus.json.data.length, 1);
  assert.equal(plus.text, percent.text);
  const literal = await server.get('/submissions?topic=a%2Bb%3Dc', { key: alice });
  assert.deepEqual(
    literal.json.data.map((row: SubmissionRecord) => row.topicCategoryName),
    ['a+b=c'],
  );
});

test('an equals sign inside a value belongs to the value', async () => {
  const { json } = await server.get('/submissions?topic=a%2Bb=c', { key: alice });
  assert.equal(json.data.length, 1);
});

test('status and topic together return the submissions that match both', async () => {
  const both = submissions.filter(
    (row) => row.status === 'in_review' && row.topicCategoryName === 'Mobility',
  );
  assert.ok(both.length > 1);
  const { text } = await server.get(createPath({ status: 'in_review', topic: 'Mobility' }), { key: alice });
  assert.equal(normalizeJson(text), createPage(both));
});

test('a filter is case-sensitive and not trimmed', async () => {
  const counts: [Record<string, string>, number][] = [
    [{ status: 'IN_REVIEW' }, 0],
    [{ status: 'In_Review' }, 1],
    [{ status: ' in_review' }, 0],
    [{ status: 'in_review ' }, 1],
    [{ topic: 'Mobility ' }, 0],
    [{ topic: ' Mobility' }, 1],
    [{ topic: 'mobility' }, 1],
    [{ topic: 'Mobil%' }, 0],
    [{ topic: 'Mobilit_' }, 0],
    [{ topic: '*' }, 0],
  ];
  for (const [filters, count] of counts) {
    const { json } = await server.get(createPath(filters), { key: alice });
    assert.equal(json.data.length, count, JSON.stringify(filters));
  }
});

test('a filter without matches returns an empty page', async () => {
  for (const filters of [{ status: 'nowhere' }, { topic: 'null' }, { status: 'in_review', topic: 'a+b=c' }]) {
    const { status, text } = await server.get(createPath(filters as Record<string, string>), { key: alice });
    assert.equal(status, 200);
    assert.equal(text, createPage([]));
  }
});

test('SQL in a filter value is not executed', async () => {
  for (const topic of ["' OR 1=1 --", "Mobility' --", '"; DROP TABLE submission; --']) {
    const { json } = await server.get(createPath({ topic }), { key: alice });
    assert.equal(json.data.length, 0);
  }
});

test('the default page size is 20', async (t) => {
  const fixture = await createFixtureWithServer(t);
  const more = Array.from({ length: 30 }, (_, index) => ({
    kind: 'submission' as const,
    ...(submissions[0] as SubmissionRecord),
    id: `dddddddd-0000-4000-8000-${String(index).padStart(12, '0')}`,
  }));
  await fixture.putRecords(fixture.a, more);
  const standard = await fixture.server.get('/submissions', { key: fixture.alice });
  assert.equal(standard.json.data.length, 20);
  assert.equal(standard.json.pagination.has_more, true);
  const explicit = await fixture.server.get('/submissions?limit=20', { key: fixture.alice });
  assert.equal(explicit.text, standard.text);
  const all = await fixture.server.get('/submissions?limit=100', { key: fixture.alice });
  assert.equal(all.json.data.length, 40);
  assert.deepEqual(all.json.pagination, { next_cursor: null, has_more: false });
});

test('has_more is exact for limit 1 and for a limit equal to the number of rows', async () => {
  const one = await server.get('/submissions?limit=1', { key: alice });
  assert.equal(one.json.data.length, 1);
  assert.equal(one.json.pagination.has_more, true);
  const exact = await server.get(`/submissions?limit=${submissions.length}`, { key: alice });
  assert.equal(exact.json.data.length, submissions.length);
  assert.deepEqual(exact.json.pagination, { next_cursor: null, has_more: false });
  const less = await server.get(`/submissions?limit=${submissions.length - 1}`, { key: alice });
  assert.equal(less.json.pagination.has_more, true);
  assert.equal(typeof less.json.pagination.next_cursor, 'string');
});

test('a municipality without submissions has an empty list', async (t) => {
  const fixture = await createFixtureWithServer(t);
  await fixture.store.addOrganization('Leerdorf', 'eeeeeeee-0000-4000-8000-000000000000');
  const key = await fixture.issueKey('eeeeeeee-0000-4000-8000-000000000000');
  for (const list of ['/submissions', '/sessions', '/support']) {
    const { text } = await fixture.server.get(list, { key: key.secret });
    assert.equal(text, createPage([]));
  }
});

test('texts of the maximum length are returned completely', async () => {
  const long = { ...(submissions[2] as SubmissionRecord), id: 'dddddddd-1111-4000-8000-000000000000' };
  const record = {
    ...long,
    description: '🌳'.repeat(100_000),
    status: '🚲'.repeat(200),
    topicCategoryName: 'ß'.repeat(200),
  };
  await putRecords(a, [{ kind: 'submission', ...record }]);
  const { secret } = await issueKey(a);
  const { text } = await server.get(createPath({ status: record.status, topic: record.topicCategoryName }), {
    key: secret,
  });
  assert.equal(normalizeJson(text), createPage([record]));
  await putRecords(a, [{ kind: 'retraction', of: 'submission', id: record.id }]);
});

test('a filter and its cursor work in both Unicode normal forms', async () => {
  const topic = 'Mobilität & Straße';
  await putRecords(
    a,
    [1, 2].map((n) => ({ kind: 'submission', ...createSubmission(600 + n, { topicCategoryName: topic }) })),
  );
  const both = (parameters: Record<string, string>) =>
    Promise.all(
      ['NFC', 'NFD'].map((form) =>
        server.get(createPath({ topic: topic.normalize(form), limit: '1', ...parameters }), { key: alice }),
      ),
    );
  const [composed, decomposed] = await both({});
  assert.equal(composed?.json.data.length, 1);
  assert.equal(decomposed?.text, composed?.text);
  const next = await both({ cursor: composed?.json.pagination.next_cursor });
  assert.deepEqual(
    next.map(({ status }) => status),
    [200, 200],
  );
});
