/** Administrators unpublish and correct single records in the browser, and take that back. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { limits } from '../../src/contract/field-schemas.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createSignedInClient,
  decodeHtml,
  fetchCsrfToken,
  parseHiddenFields,
} from '../support/form-client.ts';
import { insertQueuedRun } from '../support/import-page-states.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
} from '../support/records.ts';

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
  ...[601, 602].map((n) => ({
    kind: 'survey' as const,
    surveyId: formatSurveyId(n),
    title: `Survey ${n}`,
    status: 'closed',
    totalResponses: 40,
    questions: [
      {
        questionText: 'How?',
        questionType: 'single_choice',
        options: [{ optionText: 'Bus', responseCount: 40 }],
      },
    ],
  })),
]);

test('the forms that unpublish or remove a submission name its title, and the public page', async () => {
  const id = formatSubmissionId(603);
  const titled = createSubmission(603, { referenceNumber: '2026/0603', title: 'Bench at the pond' });
  await fixture.putRecords(organizationId, [{ kind: 'submission', ...titled }]);
  for (const form of ['unpublish', 'remove'])
    assert.match((await anna.get(`${base}/submissions/${id}/${form}`)).body, /<p[^>]*>.*Bench at the pond/);
  for (const page of [
    `submissions/${id}`,
    `sessions/${formatSessionId(601)}`,
    `surveys/${formatSurveyId(601)}`,
  ])
    assert.match(
      (await anna.get(`${base}/${page}/unpublish`)).body,
      /disappears? from the API.* the public page/,
    );
});

test('the lists of published data say that everyone reads them, if there is a public page', async (t) => {
  t.after(() => store.editOrganization(organizationId, { openData: 'off' }));
  for (const [openData, isOpen] of [
    ['off', false],
    ['on', true],
  ] as const) {
    await store.editOrganization(organizationId, { openData, slug: 'musterstadt', licenseName: 'CC-BY-4.0' });
    for (const list of ['submissions', 'sessions', 'surveys'])
      assert.equal(/for everyone on the public page/.test((await anna.get(`${base}/${list}`)).body), isOpen);
  }
});

for (const [kind, list, id, content, results] of [
  ['submission', 'submissions', formatSubmissionId(601), 'Text 601', ''],
  ['session', 'sessions', formatSessionId(601), 'Council 601', ''],
  ['survey', 'surveys', formatSurveyId(601), 'Survey 601', '/results'],
] as const) {
  const address = `/${list}/${id}${results}`;
  const page = `${base}/${list}/${id}`;

  test(`a ${kind} is unpublished with a reason, shows who decided it, and is published again`, async () => {
    assert.ok((await anna.get(page)).body.includes(`${page}/unpublish`));
    const rejected = await anna.submitForm(`${page}/unpublish`, { reason: ' ' });
    assert.equal(rejected.status, 422);
    assert.match(rejected.body, /Enter a reason/);
    const tooLong = await anna.submitForm(`${page}/unpublish`, { reason: 'x'.repeat(501) });
    assert.equal(tooLong.status, 422);
    assert.ok(tooLong.body.includes('x'.repeat(501)), 'the typed text stays');
    const personal = await anna.submitForm(`${page}/unpublish`, { reason: 'See anna@example.org' });
    assert.equal(personal.status, 422);
    assert.match(personal.body, /reason contains personal data/);
    const { json: published } = await server.get(address, { key });
    assert.ok(published.data);

    const done = await anna.submitForm(`${page}/unpublish`, { reason });
    assert.deepEqual([done.status, done.location], [303, `${page}?unpublished`]);
    assert.equal((await server.get(address, { key })).status, 404);
    const shown = decodeHtml((await anna.get(`${page}?unpublished`)).body);
    for (const text of [reason, anna.email, content, 'data-focus', 'is not published', 'Publish again'])
      assert.ok(shown.includes(text), text);
    const listed = decodeHtml((await anna.get(`${base}/decisions`)).body);
    for (const text of [reason, anna.email, page, content]) assert.ok(listed.includes(text), text);
    const log = decodeHtml((await anna.get(`/admin/organizations/${organizationId}/audit`)).body);
    for (const text of ['Record unpublished', `Reason: `, reason, page, `${id}<`])
      assert.ok(log.includes(text), text);

    assert.match((await anna.get(`${page}/revert`)).body, /is published (as|with)/);
    const reverted = await anna.submitForm(`${page}/revert`);
    assert.deepEqual([reverted.status, reverted.location], [303, `${page}?reverted=unpublished`]);
    assert.match(
      (await anna.open(reverted.location ?? '')).body,
      /data-focus.*is published again from now on/s,
    );
    const events = decodeHtml((await anna.get(`/admin/organizations/${organizationId}/audit`)).body);
    assert.ok(events.includes('Decision: <bdi>Unpublished → taken back</bdi>'));
    assert.deepEqual((await server.get(address, { key })).json.data, published.data);
    assert.match((await anna.get(`${base}/decisions`)).body, /There are no decisions/);
  });
}

for (const [kind, list, id, entered, label] of [
  [
    'submission',
    'submissions',
    formatSubmissionId(601),
    { description: 'Corrected\n\ntext', hasAttachments: 'true', createdAt: '2026-03-01T10:30' },
    'Text, Attachments, Submitted',
  ],
  [
    'session',
    'sessions',
    formatSessionId(601),
    { committeeName: 'Corrected', timeSlot: '18:00' },
    'Committee, Time',
  ],
] as const) {
  test(`a ${kind} is corrected in a form, and the correction is taken back`, async () => {
    const page = `${base}/${list}/${id}`;
    const read = async () => (await server.get(`/${list}/${id}`, { key })).json.data;
    const before = await read();
    assert.ok((await anna.get(page)).body.includes(`${page}/correct`));
    const rejected = await anna.submitForm(`${page}/correct`, { reason: '', createdAt: 'x' });
    assert.equal(rejected.status, 422);
    for (const problem of ['must be a time such as', 'Enter a reason', 'value="x"'])
      assert.ok(decodeHtml(rejected.body).includes(problem), problem);
    assert.match((await anna.submitForm(`${page}/correct`, { reason })).body, /Change at least one field/);
    const done = await anna.submitForm(`${page}/correct`, { ...entered, reason });
    assert.deepEqual([done.status, done.location], [303, `${page}?corrected`]);
    const expected =
      kind === 'session'
        ? entered
        : { ...entered, hasAttachments: true, createdAt: '2026-03-01T09:30:00.000Z' };
    assert.deepEqual(await read(), { ...before, ...expected });
    const log = decodeHtml((await anna.get(`/admin/organizations/${organizationId}/audit`)).body);
    for (const text of ['Record corrected', `Corrected fields: `, label, reason])
      assert.ok(log.includes(text), text);
    const shown = (await anna.get(page)).body;
    for (const name of label.split(', '))
      assert.match(shown, new RegExp(`<li>${name}<br>.{1,40}In the source: `));
    const shownToReader = (await reader.get(page)).body;
    assert.ok(shownToReader.includes('Corrected fields') && !shownToReader.includes('In the source'));
    await anna.submitForm(`${page}/revert`);
    assert.deepEqual(await read(), before);
    if (kind === 'session') return;
    const long = { description: 'ä'.repeat(limits.description), reason };
    assert.equal((await anna.submitForm(`${page}/correct`, long)).status, 303);
    assert.equal((await read()).description, long.description);
    await anna.submitForm(`${page}/revert`);
  });
}

test('a field that the form left as it was follows an import meanwhile', async () => {
  const page = `${base}/submissions/${formatSubmissionId(610)}`;
  const put = (fields: object) =>
    fixture.putRecords(organizationId, [
      { kind: 'submission' as const, ...createSubmission(610, { description: 'Txet', ...fields }) },
    ]);
  await put({ supportCount: 1 });
  const { body } = await anna.open(`${page}/correct`);
  await put({ supportCount: 2 });
  const form = new FormData();
  const entered = { ...parseHiddenFields(body), description: 'Text', supportCount: '1', reason };
  for (const [name, value] of Object.entries(entered)) form.set(name, value);
  assert.equal((await anna.send(`${page}/correct`, form)).location, `${page}?corrected`);
  const read = async () => (await server.get(`/submissions/${formatSubmissionId(610)}`, { key })).json.data;
  for (const supportCount of [2, 3]) {
    await put({ supportCount });
    const { description, supportCount: published } = await read();
    assert.deepEqual([description, published], ['Text', supportCount]);
  }
});

test('documents are corrected in lines: a title is changed, a document is removed, and an invalid line is an error', async () => {
  const at = 'https://council.example.org/files';
  const pdf = 'application/pdf';
  const documents = [
    { title: 'Antrag von Erika', url: `${at}/1`, mediaType: pdf },
    { title: 'Plan', url: `${at}/2`, mediaType: pdf },
    { title: 'Karte', url: `${at}/3`, mediaType: null },
  ];
  await fixture.putRecords(organizationId, [
    { kind: 'submission', ...createSubmission(611, { documents }) },
    { kind: 'session', ...createSession(611, { documents }) },
  ]);
  for (const [list, id] of [
    ['submissions', formatSubmissionId(611)],
    ['sessions', formatSessionId(611)],
  ] as const) {
    const page = `${base}/${list}/${id}`;
    const read = async () =>
      (await server.get(`/search/${list}?limit=100`, { key })).json.data.find(
        (record: { id: string }) => record.id === id,
      ).documents;
    const form = decodeHtml((await anna.get(`${page}/correct`)).body);
    assert.ok(
      form.includes(`${at}/1 Antrag von Erika\n${at}/2 Plan\n${at}/3 Karte</textarea>`),
      'one in each line',
    );
    const submit = (text: string) => anna.submitForm(`${page}/correct`, { documents: text, reason });
    for (const [text, problem] of [
      [`${at}/1 Antrag\n${at}/2`, 'Line 2: the title of a document is missing'],
      [`Antrag\n${at}/2 Plan`, 'Line 1: the address of a document is not a valid web address'],
      [`\n\njavascript:alert(1) Plan`, 'Line 3: the address of a document is not a valid web address'],
      [`${at}/1?token=abc Antrag`, 'Line 1: the address of a document or page contains a user name'],
      [`http://10.0.0.1/a Antrag`, 'Line 1: the address of a document or page leads to an internal network'],
      [`${at}/1 ${'x'.repeat(1_001)}`, 'Line 1: the title of a document has more than 1,000 characters'],
      [
        Array.from({ length: 51 }, (_, n) => `${at}/${n} Plan`).join('\n'),
        '“Documents” must not have more than 50 entries',
      ],
      [`${at}/1 Ruf 0221 5678 1234`, 'must not contain personal data'],
    ] as const) {
      const rejected = await submit(text);
      assert.equal(rejected.status, 422, text);
      const shown = decodeHtml(rejected.body).toLowerCase();
      assert.ok(shown.includes(problem.toLowerCase()), `${problem} in ${shown.match(/error[^<]*<[^<]*/g)}`);
      assert.deepEqual(await read(), documents);
    }
    const done = await submit(`${at}/1   Antrag\r\n\r\n${at}/3 Karte`);
    assert.deepEqual([done.status, done.location], [303, `${page}?corrected`]);
    const corrected = [
      { title: 'Antrag', url: `${at}/1`, mediaType: pdf },
      { title: 'Karte', url: `${at}/3`, mediaType: null },
    ];
    assert.deepEqual(await read(), corrected);
    const shown = decodeHtml((await anna.get(page)).body);
    for (const text of ['<li>Documents<br>', 'In the source: ', `href="${at}/1"`, 'Antrag von Erika'])
      assert.ok(shown.includes(text), text);
    await submit('');
    assert.deepEqual(await read(), []);
    await anna.submitForm(`${page}/revert`);
    assert.deepEqual(await read(), documents);
  }
});

test('the title and the questions of a survey are corrected, and the correction is taken back', async () => {
  const id = formatSurveyId(602);
  const page = `${base}/surveys/${id}`;
  const form = `${page}/correct`;
  assert.ok((await anna.get(page)).body.includes(form));
  assert.match((await anna.submitForm(form, { reason })).body, /Change at least one field/);
  const rejected = await anna.submitForm(form, { title: ' ', question1: 'Ask anna@example.org', reason: '' });
  assert.equal(rejected.status, 422);
  for (const problem of ['“Title” must', '“Question” must not contain personal data', 'Enter a reason'])
    assert.ok(decodeHtml(rejected.body).includes(problem), problem);
  assert.ok(rejected.body.includes('Ask anna@example.org'), 'the typed text stays');
  const entered = { title: 'Cycling <here>', question1: 'How often?', reason };
  const done = await anna.submitForm(form, entered);
  assert.deepEqual([done.status, done.location], [303, `${page}?corrected`]);
  const { data } = (await server.get(`/surveys/${id}/results`, { key })).json;
  assert.deepEqual([data.title, data.questions[0].questionText], [entered.title, entered.question1]);
  const shown = decodeHtml((await reader.get(`${page}?corrected`)).body);
  for (const text of [entered.title, reason, anna.email, 'This survey was corrected'])
    assert.ok(shown.includes(text), text);
  assert.ok(!shown.includes(`${page}/revert`) && !shown.includes(form));
  const ofAdministrator = decodeHtml((await anna.get(page)).body);
  for (const text of [
    'Title<br><span class="kern-hint">In the source: <bdi>Survey 602',
    'In the source: <bdi>How?',
  ])
    assert.ok(ofAdministrator.includes(text), text);
  const list = decodeHtml((await anna.get(`${base}/decisions`)).body);
  assert.ok(list.includes(entered.title) && !list.includes('Survey 602'), 'the list has the corrected title');
  const log = decodeHtml((await anna.get(`/admin/organizations/${organizationId}/audit`)).body);
  for (const text of ['Record corrected', 'Corrected fields: ', 'Title, Questions', reason])
    assert.ok(log.includes(text), text);
  assert.ok(!log.includes('Survey 602') && !log.includes('Cycling'), 'texts may be personal data');
  assert.equal((await anna.submitForm(`${page}/revert`)).location, `${page}?reverted=corrected`);
  assert.equal((await server.get(`/surveys/${id}/results`, { key })).json.data.title, 'Survey 602');
});

test('a record is removed for good, with the unfinished imports whose files may contain it', async () => {
  const id = formatSubmissionId(604);
  const page = `${base}/submissions/${id}`;
  const text = 'Text 604';
  await fixture.putRecords(organizationId, [
    { kind: 'submission', ...createSubmission(604, { description: text }) },
  ]);
  const input = { kind: 'upload', fileName: 'x.csv', bytes: 1 } as const;
  const running = { organizationId, id: randomUUID() };
  await store.queueRun({ ...running, sourceName: null, definition: null, input });
  await fixture.sql("UPDATE import_run SET step = 'import', state = 'running' WHERE id = $1", [running.id]);
  const run = { organizationId, id: randomUUID() };
  await store.queueRun({ ...run, sourceName: null, definition: null, input });
  assert.ok((await anna.get(page)).body.includes(`${page}/remove`));
  const form = decodeHtml((await anna.get(`${page}/remove`)).body);
  for (const part of [
    text,
    'cannot be restored',
    'Backups',
    'File of a running import',
    'the email address of your account',
    'destructive',
  ])
    assert.ok(form.includes(part), part);
  assert.equal((await anna.submitForm(`${page}/remove`, { reason: 'a@b.example' })).status, 422);
  const done = await anna.submitForm(`${page}/remove`, { reason: 'Request for erasure' });
  assert.deepEqual([done.status, done.location], [303, `${page}?removed=1`]);
  const shown = decodeHtml((await anna.open(done.location ?? '')).body);
  for (const part of [
    'removed for good',
    'Request for erasure',
    'made before the removal (',
    'File of a running import',
    'One unfinished import',
  ])
    assert.ok(shown.includes(part), part);
  assert.ok(!shown.includes('feed readers'), 'open data is off');
  await store.cancelRun(running);
  await store.forgetFile(running);
  assert.ok(!decodeHtml((await anna.get(page)).body).includes('File of a running import'));
  assert.ok(!shown.includes(text));
  assert.equal((await store.findQueuedRun(organizationId, run.id))?.state, 'cancelled');
  assert.equal((await store.findQueuedRun(organizationId, run.id))?.fileExpiresAt, null);
  assert.equal((await anna.get(`${page}/remove`)).location, page);
  const log = decodeHtml((await anna.get(`/admin/organizations/${organizationId}/audit`)).body);
  assert.ok(log.includes('Record removed') && log.includes('Request for erasure') && !log.includes(text));
  assert.equal((await anna.submitForm(`${page}/revert`)).location, `${base}/decisions?missing`);
});

test('a removal cancels a waiting import whose file may contain the record, however many imports are newer', async () => {
  const id = formatSubmissionId(605);
  await fixture.putRecords(organizationId, [{ kind: 'submission', ...createSubmission(605) }]);
  const waiting = { organizationId, id: randomUUID() };
  const input = { kind: 'upload', fileName: 'waiting.csv', bytes: 1 } as const;
  await store.queueRun({ ...waiting, sourceName: null, definition: null, input });
  const ended = { step: 'import', state: 'done', input: { ...input, fileName: 'ended.csv' } } as const;
  for (let count = 0; count <= 50; count += 1) await insertQueuedRun(fixture, organizationId, ended);
  await fixture.sql(
    "UPDATE import_run SET file_expires_at_ms = NULL, created_at = '2100-01-01T00:00:00.000Z' WHERE input_name = 'ended.csv'",
  );
  const imports = (await anna.get(`/admin/organizations/${organizationId}/imports`)).body;
  assert.ok(imports.includes('waiting.csv') && !imports.includes('ended.csv'), 'the list of open imports');
  const page = `${base}/submissions/${id}`;
  const done = await anna.submitForm(`${page}/remove`, { reason: 'Request for erasure' });
  assert.equal(done.location, `${page}?removed=1`);
  const run = await store.findQueuedRun(organizationId, waiting.id);
  assert.deepEqual([run?.state, run?.fileExpiresAt], ['cancelled', null]);
});

test('readers see the decision without the content, and change nothing', async () => {
  const id = formatSubmissionId(602);
  const page = `${base}/submissions/${id}`;
  assert.ok(!(await reader.get(page)).body.includes('/unpublish'));
  const fields = { token: await fetchCsrfToken(reader), reason };
  assert.equal((await reader.post(`${page}/unpublish`, fields)).status, 403);
  await store.unpublishRecord({ organizationId, kind: 'submission', id }, reason);
  const { status, body } = await reader.get(page);
  assert.equal(status, 200);
  assert.ok(decodeHtml(body).includes(reason) && !body.includes('Text 602') && !body.includes('/revert'));
  assert.equal((await reader.post(`${page}/revert`, fields)).status, 403);
  assert.equal((await server.get(`/submissions/${id}`, { key })).status, 404);
});

test('a record that its source has removed is not published again', async () => {
  const record = { organizationId, kind: 'submission', id: formatSubmissionId(603) } as const;
  await fixture.putRecords(organizationId, [{ kind: 'submission', ...createSubmission(603) }]);
  await store.unpublishRecord(record, reason);
  await fixture.putRecords(organizationId, [{ kind: 'retraction', of: 'submission', id: record.id }]);
  const page = `${base}/submissions/${record.id}`;
  assert.match((await anna.get(page)).body, /source no longer has this record/);
  const reverted = await anna.submitForm(`${page}/revert`);
  assert.equal(reverted.location, `${base}/decisions?missing`);
  assert.match((await anna.get(`${base}/decisions?missing`)).body, /data-focus.*no longer applies/s);
  assert.equal((await anna.get(page)).status, 404);
});

test('decisions are listed in pages, with the number of all', async () => {
  for (let n = 1; n <= 51; n += 1)
    await fixture.sql(
      `INSERT INTO record_decision (organization_id, kind, id, decision, own_changes, reason, actor, decided_at)
      VALUES ($1, 'submission', $2, 'removed', '[]', 'By law', 'command line', $3)`,
      [fixture.b, formatSubmissionId(n), new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()],
    );
  const operator = await createSignedInClient(server, store);
  const list = `/admin/organizations/${fixture.b}/data/decisions`;
  const [oldest, newest] = [formatSubmissionId(1), formatSubmissionId(51)];
  const { body: first } = await operator.get(list);
  assert.ok(first.includes(newest) && !first.includes(oldest));
  assert.match(first, /Results 1–50 of 51/);
  for (const page of [2, 3]) {
    const { body } = await operator.get(`${list}?page=${page}`);
    assert.ok(body.includes(oldest) && !body.includes(newest));
    assert.match(body, /Results 51–51 of 51/);
  }
});

test('a record that equals an unpublished one is listed with its decision, and allowed', async () => {
  const { description, createdAt } = createSubmission(611, { description: `Text 611 ${'x'.repeat(100)}` });
  const put = (n: number) =>
    fixture.putRecords(organizationId, [
      { kind: 'submission', ...createSubmission(n, { description, createdAt, referenceNumber: null }) },
    ]);
  await put(611);
  await store.unpublishRecord({ organizationId, kind: 'submission', id: formatSubmissionId(611) }, reason);
  await put(612);
  const { body } = await anna.get(`${base}/decisions`);
  assert.match(body, /Equal records of other imports/);
  assert.match(body, new RegExp(formatSubmissionId(612)));
  assert.doesNotMatch((await reader.get(`${base}/decisions`)).body, /Publish after all/);
  const page = `${base}/submissions/${formatSubmissionId(612)}/allow`;
  assert.match((await anna.get(page)).body, /with this decision: Unpublished/);
  assert.equal((await anna.post(page, { token: await fetchCsrfToken(anna) })).status, 303);
  assert.match((await anna.get(`${base}/decisions`)).body, /Allowed on/);
  await put(612);
  assert.notEqual((await anna.get(`${base}/submissions/${formatSubmissionId(612)}`)).status, 404);
  const published = await server.get(`/submissions/${formatSubmissionId(612)}`, { key });
  assert.equal(published.status, 200);
});

test('of many records that equal a removed one, the page shows the latest hundred, and says so', async () => {
  const removed = { organizationId, kind: 'submission' as const, id: formatSubmissionId(602) };
  await store.unpublishRecord(removed, reason);
  for (let n = 1; n <= 102; n += 1)
    await fixture.sql(
      `INSERT INTO record_match (organization_id, kind, id, decided_id, source_id, matched_at)
        VALUES ($1, 'submission', $2, $3, NULL, $4)`,
      [organizationId, formatSubmissionId(70_000 + n), removed.id, new Date(n * 1_000).toISOString()],
    );
  const { body } = await anna.get(`${base}/decisions`);
  assert.match(body, /The latest 100 are shown\. The command “rostra record matches” lists all\./);
  const shown = [1, 2, 102].map((n) => body.includes(`${formatSubmissionId(70_000 + n)}/allow`));
  assert.deepEqual(shown, [false, false, true]);
  const allow = `${base}/submissions/${formatSubmissionId(70_001)}/allow`;
  assert.equal((await anna.get(allow)).status, 200, 'the page of each can be opened');
});
