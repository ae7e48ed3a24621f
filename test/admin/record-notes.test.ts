/** Notes of colleagues on records: who reads and writes them, and when they are deleted. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { operations } from '../../src/contract/operations.ts';
import { maxNoteLength, maxNotesPerRecord } from '../../src/domain/records/record-note.ts';
import type { ImportRecord, RecordKind } from '../../src/domain/records/records.ts';
import { openSqlite } from '../support/cli-workspace.ts';
import { engine } from '../support/database.ts';
import { createTemporaryFolder, toNdjson } from '../support/files.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { createSignedInClient, decodeHtml, fetchCsrfToken } from '../support/form-client.ts';
import { composeCall, sendMessage } from '../support/mcp-client.ts';
import { fillOpenAddress, listOpenAddresses } from '../support/open-addresses.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
} from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const fixture = await createFixtureWithServer({ after });
const { store, server, a: organizationId } = fixture;
const anna = await createSignedInClient(server, store, organizationId);
const importer = await createSignedInClient(server, store, organizationId, ['import']);
const reader = await createSignedInClient(server, store, organizationId, 'reader');
const foreign = await createSignedInClient(server, store, fixture.b);
const by = { name: anna.email, address: '' };

const base = `/admin/organizations/${organizationId}/data`;
const submission = (n: number, fields = {}): ImportRecord => ({
  kind: 'submission',
  ...createSubmission(n, fields),
});
const survey = (n: number, status = 'closed'): ImportRecord => ({
  ...{ kind: 'survey', surveyId: formatSurveyId(n), title: `Survey ${n}`, status },
  ...{ totalResponses: 40, questions: [] },
});
await fixture.putRecords(organizationId, [
  submission(701),
  { kind: 'session', ...createSession(701, { committeeName: 'Council' }) },
  survey(701),
]);

const count = async (text: string): Promise<number> => {
  const rows = await fixture.sql('SELECT text FROM record_note');
  return (rows as { text: string }[]).filter((row) => row.text.includes(text)).length;
};
const addNote = (kind: RecordKind, id: string, text: string) =>
  store.addRecordNote({ organizationId, kind, id }, { id: randomUUID(), text }, by);

const pages = {
  submission: `${base}/submissions/${formatSubmissionId(701)}`,
  session: `${base}/sessions/${formatSessionId(701)}`,
  survey: `${base}/surveys/${formatSurveyId(701)}`,
} as const;

for (const [kind, page] of Object.entries(pages)) {
  test(`a ${kind} has notes in several lines, which all accounts read, and which are deleted after a question`, async () => {
    assert.doesNotMatch((await reader.get(page)).body, /Notes</);
    const added = await importer.submitForm(page, {
      note: '  Mrs <b>Meier</b> called.\r\n\r\nAnswer by Friday. ',
    });
    assert.deepEqual([added.status, added.location], [303, `${page}?notes=added`]);
    const written = (await importer.open(added.location ?? '')).body;
    assert.match(written, /data-focus.*The note was added/s);
    assert.match(written, /<textarea[^>]* name="note"[^>]*>\s*<\/textarea>/, 'the next note is empty');
    await anna.submitForm(page, { note: 'Rotkehlchen' });
    await store.setName(importer.account.id, 'Ida Import');
    const read = await reader.get(page);
    assert.match(
      read.body,
      /Mrs &lt;b&gt;Meier&lt;\/b&gt; called\.\n\nAnswer by Friday\.<.*Ida Import.*Rotkehlchen<.*/s,
    );
    assert.doesNotMatch(read.body, /\/delete"|name="note"/);
    const [first = '', second = ''] = [
      ...(await anna.get(page)).body.matchAll(/href="([^"]+\/delete)"/g),
    ].map(([, path = '']) => path);
    const question = await anna.get(first);
    assert.match(question.body, /Mrs &lt;b&gt;Meier.*Ida Import.*destructive/s);
    assert.equal(await count('Meier'), 1, 'the page deletes nothing');
    const deleted = await anna.submitForm(first);
    assert.deepEqual([deleted.status, deleted.location], [303, `${page}?notes=deleted`]);
    assert.match((await anna.open(deleted.location ?? '')).body, /data-focus.*The note was deleted/s);
    assert.equal((await anna.get(first)).location, page, 'somebody else has deleted it meanwhile');
    await importer.submitForm(second);
    assert.doesNotMatch((await reader.get(page)).body, /Notes</);

    const log = decodeHtml((await anna.get(`/admin/organizations/${organizationId}/audit`)).body);
    for (const text of [
      'Note on a record added',
      'Note on a record deleted',
      importer.email,
      page.slice(-36),
    ])
      assert.ok(log.includes(text), text);
    assert.doesNotMatch(log, /Meier|Rotkehlchen/);
  });
}

test('a note is refused if it is empty, too long, has control characters, or belongs to no record', async () => {
  const page = pages.submission;
  for (const note of ['', ' \r\n ', 'x'.repeat(maxNoteLength + 1), 'a\u0000b', 'a\u001bb']) {
    const refused = await anna.submitForm(page, { note });
    assert.equal(refused.status, 422, JSON.stringify(note.slice(0, 9)));
    assert.match(refused.body, /at most 2,000 characters/);
  }
  const kept = await anna.submitForm(page, { note: `${'y'.repeat(maxNoteLength)}z` });
  assert.ok(kept.body.includes('yz</textarea>'), 'the typed text stays');
  const token = await fetchCsrfToken(anna);
  const note = 'Forged';
  for (const form of ['', 'x', `${randomUUID()}'`])
    assert.equal((await anna.post(page, { token, form, note })).status, 400, form);
  assert.equal((await anna.post(page, { form: randomUUID(), note })).status, 403, 'without a token');
  for (const missing of [randomUUID(), 'x', formatSubmissionId(799)]) {
    const response = await anna.post(`${base}/submissions/${missing}`, { token, form: randomUUID(), note });
    assert.equal(response.status, 404, missing);
  }
  const longest = '\u{1f333}'.repeat(maxNoteLength);
  assert.equal((await anna.submitForm(page, { note: longest })).status, 303);
  assert.deepEqual([await count('Forged'), await count(longest)], [0, 1]);
  const [stored] = await store.listRecordNotes({
    ...{ organizationId, kind: 'submission', id: formatSubmissionId(701) },
  });
  await anna.submitForm(`${page}/notes/${stored?.id}/delete`);
});

test('a form that is sent twice adds one note, and a record has at most fifty', async () => {
  const id = formatSubmissionId(702);
  await fixture.putRecords(organizationId, [submission(702)]);
  const page = `${base}/submissions/${id}`;
  const shown = await anna.get(page);
  for (const note of ['Once', 'Once']) assert.equal((await anna.sendForm(shown, { note })).status, 303);
  assert.equal(await count('Once'), 1);
  const last = await anna.get(page);
  for (let n = 1; n < maxNotesPerRecord; n += 1)
    assert.equal(await addNote('submission', id, `Note ${n}`), 'added');
  const refused = await anna.sendForm(last, { note: 'One too many' });
  assert.equal(refused.status, 422);
  assert.match(refused.body, /at most 50 notes/);
  assert.doesNotMatch((await anna.get(page)).body, /name="note"/);
  const added = await Promise.all([1, 2].map(() => addNote('submission', id, 'Race')));
  assert.deepEqual(added, ['full', 'full']);
  assert.equal(await count('too many'), 0);
});

test('readers and other municipalities neither write nor delete notes, and others do not see them', async () => {
  const page = pages.session;
  await anna.submitForm(page, { note: 'Confidential' });
  const [remove = ''] = /\/admin[^"]+\/delete/.exec((await anna.get(page)).body) ?? [];
  const ofB = `/admin/organizations/${fixture.b}`;
  for (const [client, path, status] of [
    [reader, page, 403],
    [reader, remove, 403],
    [foreign, page, 404],
    [foreign, remove, 404],
    // The same record in the municipality of the account.
    [foreign, page.replace(`/admin/organizations/${organizationId}`, ofB), 404],
  ] as const) {
    const fields = { token: await fetchCsrfToken(client), form: randomUUID(), note: 'Intruder' };
    assert.equal((await client.post(path, fields)).status, status, path);
  }
  const own = remove.replace(`/admin/organizations/${organizationId}`, ofB);
  await foreign.post(own, { token: await fetchCsrfToken(foreign) });
  const other = remove.replace(formatSessionId(701), randomUUID());
  await anna.post(other, { token: await fetchCsrfToken(anna) });
  assert.equal((await reader.get(remove)).status, 403);
  assert.equal((await foreign.get(page)).status, 404);
  assert.deepEqual([await count('Intruder'), await count('Confidential')], [0, 1]);
});

test('no response of the API, of open data and for AI assistants has a note', async () => {
  const { secret: key } = await fixture.issueKey(organizationId);
  const secret = 'Pfauenauge';
  for (const page of Object.values(pages)) await anna.submitForm(page, { note: secret });
  await store.editOrganization(organizationId, {
    ...{ slug: 'notes', licenseName: 'CC-BY-4.0', contactEmail: 'a@stadt.example' },
  });
  await store.editOrganization(organizationId, { openData: 'on', openDataIndex: 'on' });
  const ids = {
    submissions: formatSubmissionId(701),
    sessions: formatSessionId(701),
    surveys: formatSurveyId(701),
  };
  for (const { path } of Object.values(operations)) {
    const [, list = ''] = path.split('/');
    const filled = path.replace('{id}', ids[list as keyof typeof ids]);
    const { status, text } = await server.get(filled, { key });
    assert.ok(status === 200 && !text.includes(secret), `${filled}: ${status}`);
  }
  for (const address of listOpenAddresses(store)) {
    const path = fillOpenAddress(address, { slug: 'notes', committee: 'Council', ids });
    const response = await fetch(server.address + path);
    assert.ok(!(await response.text()).includes(secret), path);
  }
  const { json: found } = await server.get(`/search/submissions?words=${secret}`, { key });
  assert.deepEqual(found.data, []);
  const answer = await sendMessage(server, composeCall('search_submissions', { words: secret }), { key });
  assert.equal(answer.text.split(secret).length, answer.text.includes(`words=${secret}`) ? 2 : 1);
  assert.equal(await count(secret), 3);
});

test('an unpublished record keeps its notes, and takes new ones', async () => {
  const text = 'Withheld';
  for (const [kind, page] of Object.entries(pages)) {
    await anna.submitForm(page, { note: `${text} ${kind}` });
    await anna.submitForm(`${page}/unpublish`, { reason: 'Wrong' });
    assert.match((await reader.get(page)).body, new RegExp(`${text} ${kind}`));
    assert.equal((await anna.submitForm(page, { note: `${text} later` })).status, 303);
    await anna.submitForm(`${page}/revert`);
    assert.match((await anna.get(page)).body, /Withheld.*Withheld later/s);
  }
});

test('the notes of a record end when it is removed for good', async () => {
  const text = 'Blaumeise';
  for (const [n, id] of [703, 704].map((n) => [n, formatSubmissionId(n)] as const)) {
    await fixture.putRecords(organizationId, [submission(n)]);
    const page = `${base}/submissions/${id}`;
    // Long enough for pages of its own.
    for (let count = 0; count < 5; count += 1) await anna.submitForm(page, { note: text.repeat(200) });
    if (n === 704) await anna.submitForm(`${page}/unpublish`, { reason: 'Wrong' });
    assert.ok((await anna.submitForm(`${page}/remove`, { reason: 'Erasure' })).location?.includes('removed'));
    assert.doesNotMatch((await anna.get(page)).body, /Blaumeise|name="note"/);
    const fields = { token: await fetchCsrfToken(anna), form: randomUUID(), note: 'Too late' };
    assert.equal((await anna.post(page, fields)).status, 404);
  }
  assert.deepEqual([await count(text), await count('Too late')], [0, 0]);
  if (engine === 'SQLite') assert.deepEqual(await listFilesWith(text), []);
});

/** @returns the names of the files of the database that contain the text */
async function listFilesWith(text: string): Promise<string[]> {
  // A reader can hold it up.
  await waitUntil('a checkpoint', async () => {
    const checkpoint = openSqlite(fixture.database, (sql) => sql.pragma('wal_checkpoint(TRUNCATE)'));
    return (checkpoint as [{ busy: number }])[0].busy === 0;
  });
  const folder = dirname(fixture.database);
  return readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && readFileSync(join(folder, file.name)).includes(text))
    .map(({ name }) => name);
}

test('the notes of a record end when an import or an undo removes it from the published data', async (t) => {
  const { id: town } = await store.addOrganization('Importstadt', randomUUID());
  const file = join(createTemporaryFolder(t), 'records.ndjson');
  const flags = ['--organization', town, '--source', 'Notes'];
  const importRecords = async (content: readonly ImportRecord[], ...others: string[]) => {
    writeFileSync(file, toNdjson(content));
    await fixture.runCli('import', 'rostra', file, ...flags, ...others);
  };
  const add = (kind: RecordKind, id: string, text: string) =>
    store.addRecordNote({ organizationId: town, kind, id }, { id: randomUUID(), text }, by);
  const listNotes = async () => {
    const rows = await fixture.sql('SELECT text FROM record_note WHERE organization_id = $1 ORDER BY text', [
      town,
    ]);
    return (rows as { text: string }[]).map(({ text }) => text);
  };
  const session = (n: number): ImportRecord => ({
    kind: 'session',
    ...createSession(n, { submissions: [] }),
  });
  const all = [submission(711), submission(712), submission(713), session(711), survey(711)];
  await importRecords(all);
  for (const n of [711, 712, 713]) await add('submission', formatSubmissionId(n), `Note ${n}`);
  await add('session', formatSessionId(711), 'Session');
  await add('survey', formatSurveyId(711), 'Survey');
  const rest = [
    ...[submission(711, { description: 'Changed' }), submission(713), submission(714)],
    ...[session(712), survey(712)],
  ];
  await importRecords(rest, '--delete-missing', '--max-deleted', '100', '--dry-run');
  assert.deepEqual(await listNotes(), ['Note 711', 'Note 712', 'Note 713', 'Session', 'Survey']);
  await importRecords(rest, '--delete-missing', '--max-deleted', '100');
  assert.deepEqual(await listNotes(), ['Note 711', 'Note 713']);
  await add('submission', formatSubmissionId(714), 'Note 714');
  await fixture.runCli('source', 'undo', 'Notes', '--organization', town, '--yes');
  assert.deepEqual(await listNotes(), ['Note 711', 'Note 713']);

  const removed = { organizationId: town, kind: 'submission', id: formatSubmissionId(712) } as const;
  const text = 'A text that only one record of the source has, long enough to be recognised again.';
  await importRecords([submission(712, { description: text })]);
  await store.removeRecord(removed, 'Erasure', by);
  await importRecords([
    submission(713, { ...createSubmission(712), id: formatSubmissionId(713), description: text }),
  ]);
  assert.deepEqual(await listNotes(), ['Note 711'], 'the record equals a removed one now');
});

test('the notes of a municipality end with it', async () => {
  const { id: town } = await store.addOrganization('Kurzstadt', randomUUID());
  await fixture.putRecords(town, [submission(701)]);
  const record = { organizationId: town, kind: 'submission', id: formatSubmissionId(701) } as const;
  await store.addRecordNote(record, { id: randomUUID(), text: 'Kurznotiz' }, by);
  assert.equal(await count('Kurznotiz'), 1);
  await store.removeOrganization(town);
  assert.equal(await count('Kurznotiz'), 0);
});
