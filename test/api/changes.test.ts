import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  type ExtendedKind,
  emptyExtension,
  extensionNames,
} from '../../src/contract/resources/extension-fields.ts';
import type { RecordKind, SurveyRecord } from '../../src/domain/records/records.ts';
import {
  assertMirrorsPublishedObjects,
  type ChangeMirror,
  createChangeMirror,
} from '../support/change-mirror.ts';
import { engine } from '../support/database.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createSession,
  createSubmission,
  draftSurveyId,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
  sharedIds,
  surveys,
} from '../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { server, a, alice, bob, charlie, sql, putRecords, store } = fixture;
const surveyIds = [...surveys.map(({ surveyId }) => surveyId), formatSurveyId(50)];

const mirror = createChangeMirror(server, alice);

/** Polls the mirror and checks it. @returns the changes as text, such as `session 2` or `submission 5 deleted` */
async function poll(of: ChangeMirror = mirror): Promise<string[]> {
  const changes = await of.poll();
  await assertMirrorsPublishedObjects(of, server, alice, surveyIds);
  return changes.map(
    ({ kind, id, deleted }) => `${kind} ${Number.parseInt(id.slice(-12), 16)}${deleted ? ' deleted' : ''}`,
  );
}

const remove = (of: RecordKind, id: string) => putRecords(a, [{ kind: 'retraction', of, id }]);
const putSubmission = (n: number, fields = {}) =>
  putRecords(a, [{ kind: 'submission', ...createSubmission(n, fields) }]);
const putSession = (n: number, submissions: number[]) =>
  putRecords(a, [
    { kind: 'session', ...createSession(n, { submissions: submissions.map(formatSubmissionId) }) },
  ]);
const survey: SurveyRecord = {
  surveyId: formatSurveyId(50),
  title: 'Swimming',
  status: 'active',
  totalResponses: 9,
  questions: [
    {
      questionText: 'Where?',
      questionType: 'single_choice',
      options: [{ optionText: 'Lake', responseCount: 9 }],
    },
  ],
};
const putSurvey = (fields: Partial<SurveyRecord> = {}) =>
  putRecords(a, [{ kind: 'survey', ...survey, ...fields }]);

test('a municipality without data has an empty page with a cursor', async () => {
  const { id } = await store.addOrganization('Leerstadt', formatSurveyId(99));
  const { secret: key } = await fixture.issueKey(id);
  const empty = createChangeMirror(server, key);
  assert.deepEqual([await empty.poll(), empty.objects.size], [[], 0]);
  await putRecords(id, [{ kind: 'submission', ...createSubmission(1) }]);
  assert.deepEqual(
    (await empty.poll()).map((change) => change.id),
    [formatSubmissionId(1)],
  );
});

test('the first walk returns every published object once, and no draft', async () => {
  const found = await poll();
  assert.equal(found.length, 16);
  assert.equal(new Set(found).size, 16);
  assert.ok(!mirror.objects.has(`survey ${draftSurveyId}`));
  assert.deepEqual(await poll(), []);
});

test('a walk with any limit returns the same changes in the same order', async () => {
  const whole = await createChangeMirror(server, alice).poll(1_000);
  for (const limit of [1, 2, 15, 16, 17])
    assert.deepEqual(await createChangeMirror(server, bob).poll(limit), whole);
});

test('limits other than 1 to 1,000 are rejected', async () => {
  for (const limit of ['0', '1001', '-1', 'x', '']) {
    const { status, json } = await server.get(`/changes?limit=${limit}`, { key: alice });
    assert.deepEqual([status, json.error], [400, 'The parameter "limit" must be an integer from 1 to 1000.']);
  }
});

test('later walks return new, changed and removed objects, each at its latest change', async () => {
  await putSubmission(60);
  await putSubmission(61);
  assert.deepEqual(await poll(), ['submission 60', 'submission 61']);
  await putSubmission(60, { status: 'accepted' });
  await putSubmission(61, { supportCount: 62 });
  await putSubmission(60, { status: 'completed' });
  assert.deepEqual(await poll(), ['submission 61', 'submission 60']);
  await remove('submission', formatSubmissionId(61));
  assert.deepEqual(await poll(), ['submission 61 deleted']);
  await putSubmission(61);
  assert.deepEqual(await poll(), ['submission 61']);
  await putSubmission(62);
  await remove('submission', formatSubmissionId(62));
  assert.deepEqual(await poll(), ['submission 62 deleted']);
});

const allExtensionNames = Object.values(extensionNames).flat();

test('a change of an extension field alone is a change, and these fields are beside the data', async () => {
  const at = { createdAt: '2026-03-01T23:30:00.000Z' };
  const sourceUrl = 'https://council.example.org/62';
  const point = (longitude: number) => ({ type: 'Point', coordinates: [longitude, 49.014] });
  const documents = [{ title: 'Plan "A"', url: 'https://council.example.org/a', mediaType: null }];
  const renamed = documents.map((document) => ({ ...document, title: 'Plan' }));
  const steps: Partial<Record<ExtendedKind, Record<string, unknown>>>[] = [
    { submission: {}, session: {} },
    { submission: { title: 'Ein "Radweg"' }, session: { title: 'Ein "Radweg"' } },
    { submission: { title: 'Ein "Radweg"', sourceUrl }, session: { title: 'Ein "Radweg"', sourceUrl } },
    { submission: { sourceUrl }, session: { sourceUrl } },
    { submission: { answer: 'Ja,\n"gern".' }, session: { place: 'Rathaus, "Saal 1"' } },
    { submission: { answer: 'Ja,\ngern.' }, session: { place: 'Rathaus, Saal 1' } },
    { submission: { answer: 'Ja,\ngern.', sourceStatus: 'geändert beschlossen' } },
    { submission: { sourceStatus: 'geändert beschlossen' } },
    { submission: { documents }, session: { documents } },
    { submission: { documents: renamed }, session: { documents: renamed } },
    { submission: { location: point(8.404) } },
    { submission: { location: point(8.405) } },
    { submission: {}, session: {} },
  ];
  for (const { submission, session } of steps) {
    if (submission) await putSubmission(62, { ...at, ...submission });
    if (session) await putRecords(a, [{ kind: 'session', ...createSession(62, { ...at, ...session }) }]);
    const changes = await mirror.poll();
    const expected = [
      ...(submission ? (['submission'] as const) : []),
      ...(session ? (['session'] as const) : []),
    ];
    assert.deepEqual(
      changes.map(({ id: _id, deleted: _deleted, data: _data, changedAt: _changedAt, ...change }) => change),
      expected.map((kind) => ({
        kind,
        ...emptyExtension[kind],
        ...{ submission, session }[kind],
        createdOn: '2026-03-02',
      })),
    );
    assert.ok(!changes.some(({ data }) => allExtensionNames.some((name) => name in (data ?? {}))));
    assert.deepEqual(await poll(), []);
  }
  await remove('submission', formatSubmissionId(62));
  await remove('session', formatSessionId(62));
  const deletions = await mirror.poll();
  assert.deepEqual(
    deletions.map((change) => Object.keys(change)),
    [1, 2].map(() => ['kind', 'id', 'deleted', 'data', 'changedAt']),
  );
});

test('every change has its time, also a deletion, and a later change a later one', async () => {
  const write: Record<string, () => Promise<unknown>>[] = [
    {
      submission: () => putSubmission(63),
      session: () => putRecords(a, [{ kind: 'session', ...createSession(63) }]),
      survey: () => putSurvey({ title: 'Neu' }),
    },
    {
      submission: () => putSubmission(63, { title: 'Neu' }),
      session: () => putRecords(a, [{ kind: 'session', ...createSession(63, { title: 'Neu' }) }]),
      survey: () => putSurvey({ title: 'Neuer' }),
    },
    {
      submission: () => remove('submission', formatSubmissionId(63)),
      session: () => remove('session', formatSessionId(63)),
      survey: () => putSurvey({ status: 'draft' }),
    },
  ];
  for (const kinds of write)
    for (const [kind, change] of Object.entries(kinds)) {
      const start = new Date(Date.now() - 1).toISOString();
      await change();
      const end = new Date(Date.now() + 1).toISOString();
      const changes = await mirror.poll();
      assert.deepEqual(
        changes.map((one) => one.kind),
        [kind],
      );
      for (const { changedAt } of changes) {
        assert.match(String(changedAt), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
        assert.ok(start <= String(changedAt) && String(changedAt) <= end, `${start} ${changedAt} ${end}`);
      }
    }
});

test('hundreds of submissions of one import have the time of their change', async () => {
  const records = (title: string) =>
    Array.from({ length: 450 }, (_, n) => ({
      kind: 'submission' as const,
      ...createSubmission(1_000 + n, { title }),
    }));
  for (const title of ['Alt', 'Neu']) {
    const start = new Date(Date.now() - 1).toISOString();
    await putRecords(a, records(title));
    const changes = await mirror.poll(1_000);
    assert.equal(changes.length, 450);
    assert.ok(changes.every(({ changedAt }) => String(changedAt) >= start));
  }
});

test('a change that an earlier version logged without its time has null', async () => {
  await putSubmission(64);
  await sql('UPDATE change SET changed_at = NULL WHERE organization_id = $1 AND id = $2', [
    a,
    formatSubmissionId(64),
  ]);
  const [change] = await mirror.poll();
  assert.deepEqual([change?.id, change?.changedAt], [formatSubmissionId(64), null]);
});

test('writing the same records again, or a change of the source only, is no change', async () => {
  await putSubmission(60);
  await putSurvey();
  await poll();
  await putSubmission(60);
  await putSurvey();
  for (const table of ['submission', 'session', 'survey'])
    await sql(`UPDATE ${table} SET source_id = 7 WHERE organization_id = $1`, [a]);
  await sql('UPDATE survey_option SET response_count = response_count WHERE organization_id = $1', [a]);
  await sql('UPDATE session_submission SET position = position WHERE organization_id = $1', [a]);
  assert.deepEqual(await poll(), []);
});

test('large batches are logged like single writes, and single writes after them too', async () => {
  const putBatch = (supportCount: number) =>
    putRecords(
      a,
      Array.from({ length: 300 }, (_, n) => ({
        kind: 'submission',
        ...createSubmission(5_000 + n, { supportCount: n === 7 ? supportCount : 0 }),
      })),
    );
  await putBatch(0);
  assert.equal((await poll()).length, 300);
  await putBatch(1);
  assert.deepEqual(await poll(), ['submission 5007']);
  await sql('UPDATE submission SET support_count = 2 WHERE id = $1', [formatSubmissionId(5_007)]);
  assert.deepEqual(await poll(), ['submission 5007']);
  await sql('DELETE FROM submission WHERE organization_id = $1 AND id >= $2', [a, formatSubmissionId(5_000)]);
  assert.equal((await poll()).length, 300);
});

const skip = engine === 'PostgreSQL' && 'PostgreSQL has no bulk log';
test('triggers of an operator run in large batches too, and their writes are logged', { skip }, async () => {
  await sql(`CREATE TRIGGER operators_own AFTER INSERT ON submission BEGIN
    UPDATE submission SET support_count = support_count + 1 WHERE id = '${formatSubmissionId(1)}';
  END`);
  await putRecords(
    a,
    Array.from({ length: 300 }, (_, n) => ({ kind: 'submission', ...createSubmission(5_000 + n) })),
  );
  assert.ok((await poll()).includes('submission 1'));
  await sql('DROP TRIGGER operators_own');
  await sql('DELETE FROM submission WHERE organization_id = $1 AND id >= $2', [a, formatSubmissionId(5_000)]);
  assert.equal((await poll()).length, 300);
});

test('a changed agenda is a change of its session', async () => {
  await putSession(60, [1, 2]);
  assert.deepEqual(await poll(), ['session 60']);
  await putSession(60, [2, 1]);
  assert.deepEqual(await poll(), ['session 60']);
  assert.deepEqual(mirror.objects.get(`session ${formatSessionId(60)}`)?.submissionIds, [
    formatSubmissionId(2),
    formatSubmissionId(1),
  ]);
  await sql('UPDATE session_submission SET submission_id = $1 WHERE session_id = $2 AND position = 1', [
    formatSubmissionId(3),
    formatSessionId(60),
  ]);
  assert.deepEqual(await poll(), ['session 60']);
  await sql('UPDATE session_submission SET position = 9 WHERE session_id = $1 AND position = 0', [
    formatSessionId(60),
  ]);
  assert.deepEqual(await poll(), ['session 60']);
});

test('the removal of a submission changes the sessions that discuss it', async () => {
  await putSubmission(63);
  await putSession(61, [1, 63]);
  await poll();
  await remove('submission', formatSubmissionId(63));
  assert.deepEqual((await poll()).toSorted(), ['session 61', 'submission 63 deleted']);
  await remove('session', formatSessionId(61));
  assert.deepEqual(await poll(), ['session 61 deleted']);
});

test('changed results are a change of their survey', async () => {
  await putSurvey({ totalResponses: 10 });
  assert.deepEqual(await poll(), ['survey 50']);
  await sql('UPDATE survey_option SET response_count = 8 WHERE survey_id = $1', [survey.surveyId]);
  assert.deepEqual(await poll(), ['survey 50']);
  await sql("UPDATE survey_question SET question_text = 'How?' WHERE survey_id = $1", [survey.surveyId]);
  assert.deepEqual(await poll(), ['survey 50']);
  await putSurvey({ questions: [] });
  assert.deepEqual(await poll(), ['survey 50']);
});

test('a survey that becomes a draft is deleted, its changes as a draft are none, and it can return', async () => {
  await putSurvey();
  await poll();
  await putSurvey({ status: 'draft' });
  assert.deepEqual(await poll(), ['survey 50 deleted']);
  await putSurvey({ status: 'draft', questions: [] });
  await sql('UPDATE survey SET total_responses = 11 WHERE id = $1', [survey.surveyId]);
  assert.deepEqual(await poll(), []);
  await putSurvey();
  assert.deepEqual(await poll(), ['survey 50']);
  await sql("UPDATE survey SET status = 'Entwurf' WHERE id = $1", [survey.surveyId]);
  assert.deepEqual(await poll(), ['survey 50 deleted']);
  await remove('survey', survey.surveyId);
  assert.deepEqual(await poll(), ['survey 50 deleted']);
  await putSurvey({ status: 'draft' });
  await remove('survey', survey.surveyId);
  assert.deepEqual(await poll(), []);
});

test('SQL that changes an id is a removal and an addition', async () => {
  await putSubmission(64);
  await poll();
  await sql('UPDATE submission SET id = $1 WHERE organization_id = $2 AND id = $3', [
    formatSubmissionId(65),
    a,
    formatSubmissionId(64),
  ]);
  assert.deepEqual((await poll()).toSorted(), ['submission 64 deleted', 'submission 65']);
});

test('a rolled-back transaction is no change', async () => {
  const aborted = store.write(a, async (writer) => {
    await writer.put([{ kind: 'submission', ...createSubmission(66) }]);
    throw new Error('changed its mind');
  });
  await assert.rejects(aborted, /changed its mind/);
  assert.deepEqual(await poll(), []);
});

test('a page of large documents ends early, and has at least one change', async () => {
  await poll();
  const ids = Array.from({ length: 8 }, (_, n) => formatSubmissionId(100 + n));
  // Each control character has six bytes in JSON.
  const description = '\u0001'.repeat(100_000);
  await putRecords(
    a,
    ids.map((id) => ({ kind: 'submission', ...createSubmission(0, { id, description }) })),
  );
  const sizes: number[] = [];
  for (let hasMore = true; hasMore; ) {
    const { json } = await server.get(`/changes?limit=1000&cursor=${mirror.cursor}`, { key: alice });
    sizes.push(json.data.length);
    hasMore = await mirror.readPage(1_000);
  }
  assert.deepEqual(sizes, [7, 1]);
  await poll();
  await putRecords(
    a,
    ids.map((id) => ({ kind: 'retraction', of: 'submission', id })),
  );
  assert.equal((await poll()).length, ids.length);
});

test('a cursor belongs to its municipality and to this list', async () => {
  const { text: rejection } = await server.get('/submissions?cursor=x', { key: alice });
  const { json: list } = await server.get('/submissions?limit=1', { key: alice });
  const cursors = [list.pagination.next_cursor, 'x', `${mirror.cursor}A`, mirror.cursor?.slice(1)];
  for (const cursor of cursors) {
    const { status, text } = await server.get(`/changes?cursor=${cursor}`, { key: alice });
    assert.deepEqual([status, text], [400, rejection]);
  }
  for (const [path, key] of [
    [`/changes?cursor=${mirror.cursor}`, charlie],
    [`/submissions?cursor=${mirror.cursor}`, alice],
    [`/sessions?cursor=${mirror.cursor}`, alice],
  ] as const)
    assert.deepEqual([(await server.get(path, { key })).text], [rejection], path);
});

test('changes contain only objects of the municipality, also of ids that another has', async () => {
  const ofB = createChangeMirror(server, charlie);
  await ofB.poll();
  await assertMirrorsPublishedObjects(ofB, server, charlie, surveyIds);
  await remove('submission', sharedIds.submission);
  await remove('survey', sharedIds.survey);
  assert.deepEqual(await ofB.poll(), []);
  await poll();
});

/** Walks the changes of a kind. @returns the ids of each page, and the last cursor */
async function walkKind(kind: string, limit: number, from?: string) {
  const pages: string[][] = [];
  for (let cursor = from; ; ) {
    const after = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { status, text, json } = await server.get(`/changes?kind=${kind}&limit=${limit}${after}`, {
      key: alice,
    });
    assert.equal(status, 200, text);
    for (const change of json.data) assert.equal(change.kind, kind);
    pages.push(json.data.map(({ id }: { id: string }) => id));
    cursor = json.pagination.next_cursor as string;
    if (!json.pagination.has_more) return { pages, cursor };
  }
}

test('a walk with a kind returns exactly the changes of this kind in their order, and has_more is exact', async () => {
  await putSurvey();
  const all = await createChangeMirror(server, alice).poll();
  for (const kind of ['submission', 'session', 'survey']) {
    const expected = all.filter((change) => change.kind === kind).map(({ id }) => id);
    assert.ok(expected.length > 1, kind);
    for (const limit of [Math.ceil(expected.length / 3), expected.length - 1, expected.length, 1_000]) {
      const { pages } = await walkKind(kind, limit);
      assert.deepEqual(pages.flat(), expected, `${kind} ${limit}`);
      assert.equal(pages.length, Math.ceil(expected.length / limit), `${kind} ${limit}`);
    }
  }
  await poll();
});

test('a cursor of a kind continues with later changes of this kind, also if only others changed for long', async () => {
  const { cursor } = await walkKind('session', 1_000);
  await putSubmission(67);
  await putSurvey({ totalResponses: 12 });
  const idle = await walkKind('session', 1_000, cursor);
  assert.deepEqual(idle.pages, [[]]);
  // A removal of another kind that is no longer listed concerns no copy of sessions.
  await remove('submission', formatSubmissionId(67));
  const pruned = await walkKind('session', 1_000, idle.cursor);
  await sql('UPDATE change_history SET pruned_sequence = change_sequence WHERE organization_id = $1', [a]);
  await putSession(62, [1]);
  assert.deepEqual((await walkKind('session', 1, pruned.cursor)).pages, [[formatSessionId(62)]]);
  await sql('UPDATE change_history SET pruned_sequence = 0 WHERE organization_id = $1', [a]);
  await poll();
});

test('a cursor of a kind is valid for this kind only, and other kinds are rejected with the valid ones', async () => {
  const { cursor } = await walkKind('session', 1_000);
  const { text: rejection } = await server.get('/submissions?cursor=x', { key: alice });
  for (const query of [
    `cursor=${cursor}`,
    `kind=survey&cursor=${cursor}`,
    `kind=session&cursor=${mirror.cursor}`,
  ])
    assert.equal((await server.get(`/changes?${query}`, { key: alice })).text, rejection, query);
  for (const kind of ['', 'sessions', 'Session', 'session%20', 'support', 'constructor']) {
    const { status, json } = await server.get(`/changes?kind=${kind}`, { key: alice });
    assert.deepEqual(
      [status, json.error],
      [400, 'The parameter "kind" must be "submission", "session" or "survey".'],
    );
  }
  const repeated = await server.get('/changes?kind=survey&kind=session', { key: alice });
  assert.match(repeated.json.error, /"kind" must occur only once/);
});

test('a walk that starts at the end returns only later changes, of all kinds or of one', async () => {
  const start = async (query: string) => {
    const { status, json } = await server.get(`/changes?start=end${query}`, { key: alice });
    assert.deepEqual([status, json.data, json.pagination.has_more], [200, [], false]);
    return json.pagination.next_cursor as string;
  };
  const [all, small, sessions] = [await start(''), await start('&limit=1'), await start('&kind=session')];
  assert.equal(small, all);
  const whole = createChangeMirror(server, alice);
  await whole.poll();
  assert.equal(all, whole.cursor);
  await putSubmission(68);
  await putSession(63, [68]);
  const read = async (query: string) => {
    const { json } = await server.get(`/changes?${query}`, { key: alice });
    return json.data.map(({ id }: { id: string }) => id);
  };
  assert.deepEqual(await read(`cursor=${all}`), [formatSubmissionId(68), formatSessionId(63)]);
  assert.deepEqual(await read(`kind=session&cursor=${sessions}`), [formatSessionId(63)]);
  // A response that was cached before the changes would repeat them.
  assert.deepEqual(await read(`cursor=${await start('')}`), []);
  await poll();
});

test('an empty municipality has an end, after which its first record is a change', async () => {
  const { id } = await store.addOrganization('Neustadt', formatSurveyId(98));
  const { secret: key } = await fixture.issueKey(id);
  const { json } = await server.get('/changes?start=end', { key });
  await putRecords(id, [{ kind: 'submission', ...createSubmission(1) }]);
  const later = await server.get(`/changes?cursor=${json.pagination.next_cursor}`, { key });
  assert.deepEqual(
    later.json.data.map((change: { id: string }) => change.id),
    [formatSubmissionId(1)],
  );
});

test('a start that is not the end, and a start together with a cursor, are rejected', async () => {
  const read = async (query: string) => {
    const { status, json } = await server.get(`/changes?${query}`, { key: alice });
    return [status, json.error];
  };
  for (const start of ['', 'END', 'beginning', '2026-03-01'])
    assert.deepEqual(await read(`start=${start}`), [400, 'The parameter "start" must be "end".']);
  for (const query of [`start=end&cursor=${mirror.cursor}`, 'cursor=x&start=end']) {
    const [status, error] = await read(query);
    assert.equal(status, 400);
    assert.match(error, /"start" must not be used together with "cursor"/);
  }
  assert.match((await read('start=end&start=end'))[1], /"start" must occur only once/);
  assert.equal((await server.get('/submissions?start=end', { key: alice })).status, 400);
});

test('a new history and a cursor that is newer than the data require a new start', async () => {
  await poll();
  await sql('UPDATE change_history SET change_sequence = change_sequence - 1 WHERE organization_id = $1', [
    a,
  ]);
  const newer = await server.get(`/changes?cursor=${mirror.cursor}`, { key: alice });
  assert.deepEqual([newer.status, newer.json.code], [410, 'RESYNC_REQUIRED']);
  await sql('UPDATE change_history SET change_sequence = change_sequence + 1 WHERE organization_id = $1', [
    a,
  ]);
  assert.deepEqual(await poll(), []);
  await store.restartChangeHistory();
  const other = await server.get(`/changes?cursor=${mirror.cursor}`, { key: alice });
  assert.deepEqual([other.status, other.text], [410, newer.text]);
  await poll(createChangeMirror(server, alice));
});

test('removing a municipality removes its changes', async () => {
  assert.equal(await store.removeOrganization(a), true);
  assert.deepEqual(await sql('SELECT 1 FROM change WHERE organization_id = $1', [a]), []);
  assert.equal((await server.get('/changes', { key: charlie })).status, 200);
});
