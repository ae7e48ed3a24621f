/** Decisions on single records outlast imports, undos and copies, and can be taken back. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import {
  assertFails,
  assertSucceeds,
  type Municipality,
  openSqlite,
  runCli,
} from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { createSession, createSubmission, formatSessionId, formatSubmissionId } from '../support/records.ts';

const harness = await createImportHarness({ after });
const { workspace } = harness;

const submission = (n: number, fields: Parameters<typeof createSubmission>[1] = {}) => ({
  kind: 'submission',
  ...createSubmission(n, fields),
});
const session = (n: number, agenda: number[], fields: Parameters<typeof createSession>[1] = {}) => ({
  kind: 'session',
  ...createSession(n, { submissions: agenda.map(formatSubmissionId), ...fields }),
});

const records = [submission(1), submission(2), submission(3), session(1, [3, 1, 2]), session(2, [1])];

async function importRecords(town: Municipality, content: readonly unknown[], ...flags: string[]) {
  const result = await harness.importContent(town, toNdjson(content), { flags });
  assert.equal(result.code, 0, result.stderr);
  return result;
}

async function createTown(content: readonly unknown[] = records) {
  const town = await harness.createMunicipality();
  await importRecords(town, content);
  return town;
}

const compose = (town: Municipality, name: string, ...args: string[]) =>
  workspace.withDatabase('record', name, ...args, '--organization', town.id);
const unpublish = (town: Municipality, kind: string, id: string, ...flags: string[]) =>
  assertSucceeds(compose(town, 'unpublish', kind, id, '--reason', 'Wrong address', ...flags));
const unpublishSubmission = (town: Municipality, n: number) =>
  unpublish(town, 'submission', formatSubmissionId(n));
async function revert(town: Municipality, kind: string, id: string) {
  const { code, stderr } = await runCli(compose(town, 'revert', kind, id));
  assert.equal(code, 0, stderr);
  return stderr;
}
const revertSubmission = (town: Municipality, n: number) => revert(town, 'submission', formatSubmissionId(n));
const undo = (town: Municipality) =>
  assertSucceeds(workspace.withDatabase('source', 'undo', '--organization', town.id, '--yes'));

const find = async (town: Municipality, path: string) => (await harness.get(town, path)).json.data;
const findSubmission = (town: Municipality, n: number) => find(town, `/submissions/${formatSubmissionId(n)}`);
const listSubmissions = async (town: Municipality) =>
  (await harness.listAll(town, '/submissions')).map(({ id }) => Number(id.slice(-4))).sort();
/** The numbers of the submissions on the agenda of a session. */
const readAgenda = async (town: Municipality, n: number) => {
  const { submissions, submissionCount } = await find(town, `/sessions/${formatSessionId(n)}`);
  assert.equal(submissionCount, submissions.length);
  return submissions.map(({ id }: { id: string }) => Number(id.slice(-4)));
};

suite('an unpublished submission', { concurrency: 2 }, () => {
  test('is in no list, response and agenda, and deleted for mirrors', async () => {
    const town = await createTown();
    const position = (await harness.get(town, '/changes?limit=1000')).json.pagination.next_cursor;
    await unpublishSubmission(town, 1);
    assert.deepEqual(await listSubmissions(town), [2, 3]);
    assert.equal((await harness.get(town, `/submissions/${formatSubmissionId(1)}`)).status, 404);
    assert.deepEqual([await readAgenda(town, 1), await readAgenda(town, 2)], [[3, 2], []]);
    const { json } = await harness.get(town, `/changes?limit=1000&cursor=${position}`);
    assert.deepEqual(
      json.data.map(({ id, deleted }: { id: string; deleted: boolean }) => [id, deleted]).sort(),
      [
        [formatSubmissionId(1), true],
        [formatSessionId(1), false],
        [formatSessionId(2), false],
      ].sort(),
    );
  });

  test('is not published by imports of any source, and then as the last one delivered it', async () => {
    const town = await createTown();
    await unpublishSubmission(town, 1);
    const changed = submission(1, { description: 'Changed' });
    const dryRun = await importRecords(town, [changed], '--dry-run');
    assertCounts(dryRun, { ignored: 1 });
    assertCounts(await importRecords(town, [changed, submission(2)]), { ignored: 1, unchanged: 1 });
    assertCounts(await importRecords(town, [submission(1, { description: 'Last' })], '--source', 'Other'), {
      ignored: 1,
    });
    assert.deepEqual(await listSubmissions(town), [2, 3]);
    assert.match(await revertSubmission(town, 1), /^Published submission .* again\.$/m);
    assert.equal((await findSubmission(town, 1)).description, 'Last');
    assert.deepEqual([await readAgenda(town, 1), await readAgenda(town, 2)], [[3, 1, 2], [1]]);
    assertCounts(await importRecords(town, records), { unchanged: 4, changed: 1 });
  });

  test('is left out of imported agendas, and has its position again', async () => {
    const town = await createTown();
    await unpublishSubmission(town, 1);
    const agendas = [session(1, [2, 1, 3]), session(2, []), session(3, [1, 3])];
    assertCounts(await importRecords(town, agendas, '--strict'), { changed: 1, unchanged: 1, inserted: 1 });
    assert.deepEqual([await readAgenda(town, 1), await readAgenda(town, 3)], [[2, 3], [3]]);
    assertCounts(await importRecords(town, agendas), { unchanged: 3 });
    await revertSubmission(town, 1);
    assert.deepEqual(
      [await readAgenda(town, 1), await readAgenda(town, 2), await readAgenda(town, 3)],
      [[2, 1, 3], [], [1, 3]],
    );
    await workspace.assertIntact();
  });

  test('is missing after a removal by the source, as one of its missing records', async () => {
    const town = await createTown();
    for (const n of [1, 2]) await unpublishSubmission(town, n);
    const removal = { kind: 'retraction', of: 'submission', id: formatSubmissionId(1) } as const;
    assert.deepEqual(await harness.store.write(town.id, (writer) => writer.put([removal])), ['absent']);
    const result = await importRecords(
      town,
      [submission(3), session(1, [3])],
      '--delete-missing',
      '--max-deleted',
      '100',
    );
    assert.deepEqual([result.counts.missing, result.counts.removed], [2, 2], 'submission 2 and session 2');
    for (const n of [1, 2])
      assert.match(await revertSubmission(town, n), /no longer has the record, so it is not published/);
    assert.deepEqual(await listSubmissions(town), [3]);
    assert.deepEqual(await readAgenda(town, 1), [3]);
    await importRecords(town, [submission(1)]);
    assert.deepEqual(await listSubmissions(town), [1, 3]);
  });

  test('does not belong to other municipalities', async () => {
    const [town, other] = [await createTown(), await createTown()];
    await unpublishSubmission(town, 1);
    await importRecords(other, [submission(1, { description: 'Changed' })]);
    assert.deepEqual(await listSubmissions(other), [1, 2, 3]);
    await assertFails(compose(other, 'revert', 'submission', formatSubmissionId(1)), 1, /has no decision/);
  });
});

suite('an unpublished session', { concurrency: 2 }, () => {
  const unpublishSession = (town: Municipality, n: number) => unpublish(town, 'session', formatSessionId(n));
  const revertSession = (town: Municipality, n: number) => revert(town, 'session', formatSessionId(n));

  test('is published again as the last import delivered it, with its agenda', async () => {
    const town = await createTown();
    await unpublishSession(town, 1);
    assertCounts(await importRecords(town, [session(1, [2, 3], { committeeName: 'Council' })]), {
      ignored: 1,
    });
    assert.equal((await harness.get(town, `/sessions/${formatSessionId(1)}`)).status, 404);
    await revertSession(town, 1);
    assert.deepEqual(await readAgenda(town, 1), [2, 3]);
    assert.equal((await find(town, `/sessions/${formatSessionId(1)}`)).committeeName, 'Council');
  });

  test('has unpublished submissions on its agenda once both are published', async () => {
    for (const first of ['session', 'submission']) {
      const town = await createTown();
      await unpublishSession(town, 1);
      await unpublishSubmission(town, 1);
      await importRecords(town, [session(1, [1, 2]), session(2, [2, 1])]);
      if (first === 'submission') await revertSubmission(town, 1);
      await revertSession(town, 1);
      assert.deepEqual(await readAgenda(town, 1), first === 'session' ? [2] : [1, 2]);
      if (first === 'session') await revertSubmission(town, 1);
      assert.deepEqual(
        [await readAgenda(town, 1), await readAgenda(town, 2)],
        [
          [1, 2],
          [2, 1],
        ],
      );
    }
    await workspace.assertIntact();
  });

  test('is rejected for an unknown submission, and keeps what it had', async () => {
    const town = await createTown();
    await unpublishSession(town, 1);
    const { rejections } = await harness.importContent(town, toNdjson([session(1, [9])]));
    assert.match(rejections[0]?.reason ?? '', /unknown/i);
    await revertSession(town, 1);
    assert.deepEqual(await readAgenda(town, 1), [3, 1, 2]);
  });
});

suite('a corrected submission', { concurrency: 2 }, () => {
  const correct = (town: Municipality, n: number, ...fields: string[]) =>
    assertSucceeds(
      compose(town, 'correct', 'submission', formatSubmissionId(n), ...fields, '--reason', 'Wrong address'),
    );
  const pick = async (town: Municipality, n: number) => {
    const { description, status, topicCategoryName } = await findSubmission(town, n);
    return [description, status, topicCategoryName];
  };

  test('keeps its corrected fields in imports, which deliver the others, until the decision is taken back', async () => {
    const town = await createTown([submission(1, { topicCategoryName: 'Lamps' }), session(1, [1])]);
    await correct(town, 1, 'description=Corrected', 'topicCategoryName=');
    assert.deepEqual(await pick(town, 1), ['Corrected', 'submitted', null]);
    assert.deepEqual(await readAgenda(town, 1), [1]);
    const [decision] = JSON.parse(await assertSucceeds(compose(town, 'list', '--json')));
    assert.deepEqual(decision.corrected, { description: 'Corrected', topicCategoryName: null });
    const sameFields = [submission(1, { description: 'Other', topicCategoryName: 'Lamps' })];
    for (const flags of [['--dry-run'], []])
      assertCounts(await importRecords(town, sameFields, ...flags), { unchanged: 1 });
    const next = [submission(1, { description: 'Next', status: 'accepted', topicCategoryName: 'Lamps' })];
    assertCounts(await importRecords(town, next, '--dry-run'), { changed: 1 });
    assert.deepEqual(await pick(town, 1), ['Corrected', 'submitted', null]);
    assertCounts(await importRecords(town, next), { changed: 1 });
    assertCounts(await importRecords(town, next), { unchanged: 1 });
    assert.deepEqual(await pick(town, 1), ['Corrected', 'accepted', null]);
    await unpublishSubmission(town, 1);
    assertCounts(await importRecords(town, next, '--source', 'Other'), { ignored: 1 });
    await revertSubmission(town, 1);
    assert.deepEqual(await pick(town, 1), ['Corrected', 'accepted', null]);
    assert.match(await revertSubmission(town, 1), /^Took the correction/);
    assert.deepEqual(await pick(town, 1), ['Next', 'accepted', 'Lamps']);
    assertCounts(await importRecords(town, next, '--source', 'Other'), { unchanged: 1 });
    await workspace.assertIntact();
  });

  test('does not prevent an undo, which keeps the correction', async () => {
    const town = await createTown();
    await importRecords(town, [submission(1, { status: 'accepted' }), submission(4)]);
    await correct(town, 1, 'description=Corrected');
    await correct(town, 4, 'description=Corrected');
    await undo(town);
    assert.deepEqual(await pick(town, 1), ['Corrected', 'submitted', null]);
    assert.deepEqual(await listSubmissions(town), [1, 2, 3]);
    await importRecords(town, [submission(4)]);
    assert.deepEqual(await pick(town, 4), ['Corrected', 'submitted', null]);
    await revertSubmission(town, 1);
    assert.equal((await findSubmission(town, 1)).description, 'Submission 1');
  });

  test('has valid fields, without what imports of its source replace', async () => {
    const town = await createTown();
    await importRecords(town, [submission(5)], '--source', 'Strict', '--redact', 'email');
    const id = formatSubmissionId(1);
    for (const [field, problem] of [
      ['supportCount=many', /supportCount must be/],
      ['createdAt=yesterday', /createdAt must be a time/],
    ] as const)
      await assertFails(compose(town, 'correct', 'submission', id, field, '--reason', 'Test'), 1, problem);
    const text = 'description=Ask a@b.example';
    await correct(town, 1, text, 'createdAt=2026-03-01T10:00');
    await assertFails(
      compose(town, 'correct', 'submission', formatSubmissionId(5), text, '--reason', 'Test'),
      1,
      /description must not contain personal data/,
    );
    const [event] = await workspace.sql<{ changes: string }>(
      `SELECT changes FROM audit_event WHERE organization_id = $1 AND action = 'record.corrected'`,
      [town.id],
    );
    assert.deepEqual(JSON.parse(event?.changes ?? ''), [
      { field: 'correctedFields', before: null, after: 'description, createdAt' },
      { field: 'reason', before: null, after: 'Wrong address' },
    ]);
  });
});

test('the title and the source of a record are undone, corrected, restored and removed with it', async () => {
  const [one, other] = ['https://rat.example.org/1', 'https://rat.example.org/2'];
  const town = await createTown([submission(1, { title: 'First title', sourceUrl: one })]);
  const read = async () =>
    (await harness.listAll(town, '/search/submissions')).map(({ title, sourceUrl }) => [title, sourceUrl]);
  const next = [submission(1, { title: 'Next title', sourceUrl: other })];
  assertCounts(await importRecords(town, next), { changed: 1 });
  assert.deepEqual(await read(), [['Next title', other]]);
  await undo(town);
  assert.deepEqual(await read(), [['First title', one]]);
  const id = formatSubmissionId(1);
  const correct = (...fields: string[]) =>
    compose(town, 'correct', 'submission', id, ...fields, '--reason', 'Wrong title');
  await assertFails(correct('sourceUrl=javascript:alert(1)'), 1, /sourceUrl must be an address/);
  await assertSucceeds(correct('title=Corrected', 'sourceUrl='));
  await importRecords(town, next);
  assert.deepEqual(await read(), [['Corrected', null]]);
  await unpublishSubmission(town, 1);
  assert.deepEqual(await read(), []);
  await revertSubmission(town, 1);
  await revertSubmission(town, 1);
  assert.deepEqual(await read(), [['Next title', other]]);
  await assertSucceeds([...compose(town, 'remove', 'submission', id), '--reason', 'Erasure', '--yes']);
  assert.deepEqual(await read(), []);
  for (const table of ['submission', 'record_decision', 'import_undo_batch'])
    assert.doesNotMatch(
      JSON.stringify(await workspace.sql(`SELECT * FROM ${table} WHERE organization_id = $1`, [town.id])),
      /title"?:"(First|Next|Corrected)/,
    );
  await workspace.assertIntact();
});

test('the documents of a record are undone, corrected, restored and removed with it', async () => {
  const at = 'https://rat.example.org/files';
  const toDocuments = (...titles: string[]) =>
    titles.map((title) => ({ title, url: `${at}/${title}`, mediaType: null }));
  const town = await createTown([
    submission(1, { documents: toDocuments('First') }),
    session(1, [1], { documents: toDocuments('First') }),
  ]);
  const read = async () =>
    [
      ...(await harness.listAll(town, '/search/submissions')),
      ...(await harness.listAll(town, '/search/sessions')),
    ].map(({ documents }) => documents.map(({ title }: { title: string }) => title).join());
  const next = [
    submission(1, { documents: toDocuments('Next', 'Further') }),
    session(1, [1], { documents: toDocuments('Next', 'Further') }),
  ];
  assertCounts(await importRecords(town, next), { changed: 2 });
  assert.deepEqual(await read(), ['Next,Further', 'Next,Further']);
  await undo(town);
  assert.deepEqual(await read(), ['First', 'First']);
  const kinds = [
    ['submission', formatSubmissionId(1)],
    ['session', formatSessionId(1)],
  ] as const;
  for (const [kind, id] of kinds) {
    const correct = (lines: string) =>
      compose(town, 'correct', kind, id, `documents=${lines}`, '--reason', 'Wrong title');
    await assertFails(correct(`${at}/First`), 1, /line 1: the title of a document is missing/);
    await assertSucceeds(correct(`${at}/First Corrected`));
  }
  await importRecords(town, next);
  assert.deepEqual(await read(), ['Corrected', 'Corrected']);
  await importRecords(town, [session(1, [1]), submission(1)]);
  assert.deepEqual(await read(), ['Corrected', 'Corrected']);
  await importRecords(town, next);
  for (const [kind, id] of kinds)
    await assertSucceeds([...compose(town, 'remove', kind, id), '--reason', 'Erasure', '--yes']);
  assert.deepEqual(await read(), []);
  for (const table of [
    'submission',
    'session',
    'record_decision',
    'import_undo',
    'import_undo_batch',
    'import_run',
  ])
    assert.doesNotMatch(
      JSON.stringify(await workspace.sql(`SELECT * FROM ${table} WHERE organization_id = $1`, [town.id])),
      /Further|files\/(First|Next)|title"?:"(First|Corrected)/,
    );
  await workspace.assertIntact();
});

suite('a removed record', { concurrency: 2 }, () => {
  const remove = async (town: Municipality, kind: string, id: string) => {
    const args = [...compose(town, 'remove', kind, id), '--reason', 'Request for erasure', '--yes'];
    const { code, stderr } = await runCli(args);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Backups made up to \d{4}-\d\d-\d\d \d\d:\d\dZ still contain it/m);
  };

  test('is in no response and table, and is not published by imports, undos and a revert', async () => {
    const town = await createTown();
    const secret = 'Secret text';
    await importRecords(town, [
      submission(1, { description: secret }),
      submission(3, { description: secret }),
    ]);
    await importRecords(town, [submission(1), submission(2, { description: 'Second' }), session(1, [1, 2])]);
    const rejected = [session(5, [9]), { ...submission(1), createdAt: 'yesterday' }];
    assert.equal((await harness.importContent(town, toNdjson(rejected))).code, 3);
    await unpublishSubmission(town, 1);
    await remove(town, 'submission', formatSubmissionId(1));
    await remove(town, 'submission', formatSubmissionId(3));
    await importRecords(town, [...records, session(4, [3, 2, 1])]);
    assert.deepEqual(await listSubmissions(town), [2]);
    assert.deepEqual([await readAgenda(town, 1), await readAgenda(town, 4)], [[2], [2]]);
    const decisions = await workspace.sql(
      'SELECT id, decision, record, correction, reason FROM record_decision WHERE organization_id = $1 ORDER BY id',
      [town.id],
    );
    const expected = { decision: 'removed', record: null, correction: null, reason: 'Request for erasure' };
    assert.deepEqual(
      decisions,
      [1, 3].map((n) => ({ id: formatSubmissionId(n), ...expected })),
    );
    assert.deepEqual(
      await workspace.sql('SELECT 1 FROM withheld_agenda_entry WHERE organization_id = $1', [town.id]),
      [],
    );
    const rejections = await workspace.sql<{ id: string }>(
      'SELECT record_id AS id FROM import_rejection WHERE organization_id = $1',
      [town.id],
    );
    assert.deepEqual(
      rejections.map(({ id }) => id),
      [formatSessionId(5)],
    );
    assert.match(await revertSubmission(town, 1), /Imports may publish submission .* again/);
    assert.deepEqual(await listSubmissions(town), [2]);
    await importRecords(town, [submission(1)]);
    assert.deepEqual(await listSubmissions(town), [1, 2]);
    await workspace.assertIntact();
  });

  test('makes the import that changed it impossible to undo, and is only in the own municipality', async () => {
    const [town, other] = [await createTown(), await createTown()];
    await importRecords(town, [submission(1, { description: 'Second' })]);
    await remove(town, 'submission', formatSubmissionId(1));
    await assertFails(
      workspace.withDatabase('source', 'undo', '--organization', town.id, '--yes'),
      1,
      /undo|record/i,
    );
    assert.deepEqual(await listSubmissions(other), [1, 2, 3]);
    await importRecords(other, records);
  });

  test('is found among any number of objects of an endpoint and of imports that can be undone', async () => {
    const town = await createTown();
    for (const source of ['First', 'Second', 'Third'])
      await importRecords(town, [submission(1, { description: source })], '--source', source);
    await remove(town, 'submission', formatSubmissionId(1));
    const undos = await workspace.sql<{ state: string }>(
      'SELECT DISTINCT state FROM import_undo WHERE organization_id = $1 ORDER BY state',
      [town.id],
    );
    assert.deepEqual(
      undos.map(({ state }) => state),
      ['available', 'discarded'],
      'of the import that inserted it, and of those that changed it',
    );
    const batches = await workspace.sql(
      'SELECT 1 FROM import_undo_batch WHERE organization_id = $1 AND replaced > 0',
      [town.id],
    );
    assert.deepEqual(batches, []);
    const objects = Array.from({ length: 1_200 }, (_, n) => `https://ris.example/papers/${n}`).sort();
    await workspace.sql(
      "INSERT INTO import_source (organization_id, id, format, name) VALUES ($1, 1, 'oparl', 'Council')",
      [town.id],
    );
    await workspace.sql(
      `INSERT INTO endpoint_object (organization_id, source_id, id, object)
      VALUES ${objects.map((id) => `('${town.id}', 1, '${id}', '{}')`).join(', ')}`,
    );
    await remove(town, 'submission', objects.at(-1) as string);
    const left = await workspace.sql<{ id: string }>(
      'SELECT id FROM endpoint_object WHERE organization_id = $1 ORDER BY id',
      [town.id],
    );
    assert.deepEqual(
      left.map(({ id }) => id),
      objects.slice(0, -1),
    );
  });

  test('may be one that its source no longer delivers, if an undo would restore it', async () => {
    const town = await createTown();
    await importRecords(town, [{ kind: 'submission', id: formatSubmissionId(2), deleted: true }]);
    await remove(town, 'submission', formatSubmissionId(2));
    await importRecords(town, records);
    assert.deepEqual(await listSubmissions(town), [1, 3]);
    const args = [...compose(town, 'remove', 'submission', formatSubmissionId(9)), '--reason', 'x', '--yes'];
    await assertFails(args, 1, /has no/);
  });
});

suite('an undo', { concurrency: 2 }, () => {
  const second = [
    submission(1, { description: 'Second' }),
    submission(2, { description: 'Second' }),
    submission(4),
    session(1, [4, 1]),
    session(3, [1, 4]),
  ];

  for (const [name, unpublishes] of [
    ['before', 0],
    ['after', 1],
  ] as const) {
    test(`does not publish a record that was unpublished ${name} the import`, async () => {
      const town = await createTown();
      const steps = [() => unpublishSubmission(town, 1), () => importRecords(town, second)];
      for (const step of unpublishes === 0 ? steps : steps.toReversed()) await step();
      assert.deepEqual(await listSubmissions(town), [2, 3, 4]);
      await undo(town);
      assert.deepEqual(await listSubmissions(town), [2, 3]);
      assert.equal((await findSubmission(town, 2)).description, 'Submission 2');
      assert.deepEqual([await readAgenda(town, 1), await readAgenda(town, 2)], [[3, 2], []]);
      await revertSubmission(town, 1);
      assert.equal((await findSubmission(town, 1)).description, 'Submission 1');
      assert.deepEqual([await readAgenda(town, 1), await readAgenda(town, 2)], [[3, 1, 2], [1]]);
      await workspace.assertIntact();
    });
  }

  test('restores agendas of a record whose decision was taken back after the import', async () => {
    const town = await createTown();
    await unpublishSubmission(town, 1);
    await importRecords(town, [session(1, [3, 2])]);
    await revertSubmission(town, 1);
    await undo(town);
    assert.deepEqual(await readAgenda(town, 1), [3, 1, 2]);
  });

  test('removes what the import inserted of an unpublished record', async () => {
    const town = await createTown();
    await importRecords(town, second);
    await unpublishSubmission(town, 4);
    await undo(town);
    assert.match(await revertSubmission(town, 4), /no longer has the record/);
    assert.deepEqual(await listSubmissions(town), [1, 2, 3]);
  });

  test('is refused if another source delivered an unpublished record later', async () => {
    const town = await createTown();
    await importRecords(town, second);
    await unpublishSubmission(town, 2);
    await importRecords(town, [submission(2, { description: 'Other' })], '--source', 'Other');
    await assertFails(
      workspace.withDatabase('source', 'undo', '--organization', town.id, '--yes'),
      1,
      new RegExp(formatSubmissionId(2)),
    );
    await revertSubmission(town, 2);
    assert.equal((await findSubmission(town, 2)).description, 'Other');
  });
});

suite('a copy', () => {
  const target = join(workspace.folder, 'copy.db');
  const args = ['copy', '--from', workspace.database, '--to', target];

  // A server writes the use of keys now and then, and a copy finds that its source has changed.
  before(() => harness.server.stop());

  test('has the decisions, and does not publish a record that is unpublished only in the target', async () => {
    const town = await createTown();
    await unpublishSubmission(town, 1);
    await assertSucceeds(args);
    const inTarget = (name: string, n: number, ...flags: string[]) =>
      compose(town, name, 'submission', formatSubmissionId(n), ...flags).map((argument) =>
        argument === workspace.database ? target : argument,
      );
    await assertSucceeds(inTarget('unpublish', 2, '--reason', 'Wrong address'));
    await assertFails(args, 1, new RegExp(`would publish .*: submission ${formatSubmissionId(2)}`));
    await assertSucceeds(inTarget('revert', 2));
    await assertSucceeds(inTarget('revert', 1));
  });

  test('keeps records corrected, unpublished and removed, also in imports into it', async () => {
    const town = await createTown();
    await assertSucceeds(args);
    const decide = (name: string, n: number, ...flags: string[]) =>
      assertSucceeds(
        compose(town, name, 'submission', formatSubmissionId(n), ...flags, '--reason', 'Wrong address'),
      );
    await decide('correct', 1, 'description=Corrected');
    await decide('unpublish', 2);
    await decide('remove', 3, '--yes');
    await assertSucceeds(args);
    const inTarget = (argument: string) => (argument === workspace.database ? target : argument);
    const list = compose(town, 'list', '--json');
    assert.equal(await assertSucceeds(list.map(inTarget)), await assertSucceeds(list));
    const input = workspace.writeFile('again.ndjson', toNdjson(records));
    const importArgs = workspace.withDatabase('import', 'rostra', input, '--organization', town.id);
    await assertSucceeds(importArgs.map(inTarget));
    const sql = 'SELECT id, description FROM submission WHERE organization_id = ?';
    const published = openSqlite(target, (copy) => copy.prepare(sql).raw().all(town.id));
    assert.deepEqual(published, [[formatSubmissionId(1), 'Corrected']]);
  });

  test('can be repeated after entries of an unpublished agenda have swapped their positions', async () => {
    const town = await createTown();
    await unpublish(town, 'session', formatSessionId(1));
    await assertSucceeds(args);
    await importRecords(town, [session(1, [1, 3, 2])]);
    await assertSucceeds(args);
    const sql = 'SELECT submission_id FROM withheld_agenda_entry WHERE organization_id = ? ORDER BY position';
    const entries = openSqlite(target, (copy) => copy.prepare(sql).pluck().all(town.id));
    assert.deepEqual(entries, [1, 3, 2].map(formatSubmissionId));
  });
});

suite('the commands of decisions', { concurrency: 2 }, () => {
  test('list them, and write the audit log with the reason', async () => {
    const town = await createTown();
    await importRecords(town, [{ ...submission(4), id: '4711' }], '--source', 'Ideas');
    await unpublish(town, 'submission', '4711', '--source', 'Ideas');
    const [decision] = JSON.parse(await assertSucceeds(compose(town, 'list', '--json')));
    assert.deepEqual(
      [decision.kind, decision.decision, decision.reason, decision.actor, decision.isInSource],
      ['submission', 'unpublished', 'Wrong address', 'command line', true],
    );
    assert.match(
      await assertSucceeds(compose(town, 'list')),
      /^submission .* unpublished .* Wrong address$/m,
    );
    await revert(town, 'submission', decision.id);
    assert.match(await assertSucceeds(compose(town, 'list')), /^There are no decisions on records\.$/);
    const events = await workspace.sql<{ action: string; changes: string }>(
      `SELECT action, changes FROM audit_event WHERE organization_id = $1 AND action LIKE 'record.%' ORDER BY at, action DESC`,
      [town.id],
    );
    assert.deepEqual(
      events.map(({ action, changes }) => [action, JSON.parse(changes)]),
      [
        ['record.unpublished', [{ field: 'reason', before: null, after: 'Wrong address' }]],
        [
          'record.reverted',
          [
            { field: 'decision', before: 'unpublished', after: null },
            { field: 'reason', before: 'Wrong address', after: null },
          ],
        ],
      ],
    );
  });

  test('require a reason and a published record', async () => {
    const town = await createTown();
    const args = compose(town, 'unpublish', 'submission', formatSubmissionId(1));
    await assertFails(args, 2, /--reason/);
    await unpublishSubmission(town, 1);
    await assertFails([...args, '--reason', 'Again'], 1, /has no published submission with the id/);
  });
});
