/** Administrators unpublish single records in the browser, and publish them again. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';
import { createSignedInClient, decodeHtml, fetchCsrfToken } from '../support/form-client.ts';
import { createSession, createSubmission, formatSessionId, formatSubmissionId } from '../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { store, server } = fixture;
const { a: organizationId } = fixture;
const { secret: key } = await fixture.issueKey(organizationId);
const anna = await createSignedInClient(server, store, organizationId);
const reader = await createSignedInClient(server, store, organizationId, 'reader');
const base = `/admin/organizations/${organizationId}/data`;
const reason = 'Names a <private> person';

await fixture.putRecords(organizationId, [
  ...[601, 602].map((n) => ({
    kind: 'submission' as const,
    ...createSubmission(n, { description: `Text ${n}` }),
  })),
  { kind: 'session', ...createSession(601, { committeeName: 'Council 601' }) },
]);

for (const [kind, list, id, content] of [
  ['submission', 'submissions', formatSubmissionId(601), 'Text 601'],
  ['session', 'sessions', formatSessionId(601), 'Council 601'],
] as const) {
  const page = `${base}/${list}/${id}`;

  test(`a ${kind} is unpublished with a reason, shows who decided it, and is published again`, async () => {
    assert.ok((await anna.get(page)).body.includes(`${page}/unpublish`));
    const rejected = await anna.submitForm(`${page}/unpublish`, { reason: ' ' });
    assert.equal(rejected.status, 422);
    assert.match(rejected.body, /Enter a reason/);
    const tooLong = await anna.submitForm(`${page}/unpublish`, { reason: 'x'.repeat(501) });
    assert.equal(tooLong.status, 422);
    assert.ok(tooLong.body.includes('x'.repeat(501)), 'the typed text stays');
    assert.equal((await server.get(`/${list}/${id}`, { key })).status, 200);

    const done = await anna.submitForm(`${page}/unpublish`, { reason });
    assert.deepEqual([done.status, done.location], [303, `${page}?unpublished`]);
    assert.equal((await server.get(`/${list}/${id}`, { key })).status, 404);
    const shown = decodeHtml((await anna.get(`${page}?unpublished`)).body);
    for (const text of [reason, anna.email, content, 'data-focus', 'is not published', 'Publish again'])
      assert.ok(shown.includes(text), text);
    const listed = decodeHtml((await anna.get(`${base}/decisions`)).body);
    for (const text of [reason, anna.email, page]) assert.ok(listed.includes(text), text);
    const log = decodeHtml((await anna.get(`/admin/organizations/${organizationId}/audit`)).body);
    for (const text of ['Record unpublished', `Reason: `, reason, page]) assert.ok(log.includes(text), text);

    const token = await fetchCsrfToken(anna);
    const reverted = await anna.post(`${page}/revert`, { token });
    assert.deepEqual([reverted.status, reverted.location], [303, `${page}?reverted`]);
    assert.match((await anna.get(`${page}?reverted`)).body, /data-focus.*is published again/s);
    assert.equal((await server.get(`/${list}/${id}`, { key })).status, 200);
    assert.match((await anna.get(`${base}/decisions`)).body, /No record is unpublished/);
  });
}

test('readers see the decision without the content, and change nothing', async () => {
  const id = formatSubmissionId(602);
  const page = `${base}/submissions/${id}`;
  assert.ok(!(await reader.get(page)).body.includes('/unpublish'));
  const fields = { token: await fetchCsrfToken(reader), reason };
  assert.equal((await reader.post(`${page}/unpublish`, fields)).status, 403);
  await store.unpublishRecord({ organizationId, kind: 'submission', id }, reason);
  const { status, body } = await reader.get(page);
  assert.equal(status, 200);
  assert.ok(
    decodeHtml(body).includes(reason) && !body.includes('Text 602') && !body.includes('Publish again'),
  );
  assert.equal((await reader.post(`${page}/revert`, fields)).status, 403);
  assert.equal((await server.get(`/submissions/${id}`, { key })).status, 404);
});

test('a record that its source has removed is not published again', async () => {
  const record = { organizationId, kind: 'submission', id: formatSubmissionId(603) } as const;
  await fixture.putRecords(organizationId, [{ kind: 'submission', ...createSubmission(603) }]);
  await store.unpublishRecord(record, reason);
  await fixture.putRecords(organizationId, [{ kind: 'removal', of: 'submission', id: record.id }]);
  const page = `${base}/submissions/${record.id}`;
  assert.match((await anna.get(page)).body, /source no longer has this record/);
  const reverted = await anna.post(`${page}/revert`, { token: await fetchCsrfToken(anna) });
  assert.equal(reverted.location, `${base}/decisions?missing`);
  assert.match((await anna.get(`${base}/decisions?missing`)).body, /data-focus.*no longer applies/s);
  assert.equal((await anna.get(page)).status, 404);
});
