import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { createUuidV5 } from '../../src/domain/values/uuid.ts';
import { assertFails, assertSucceeds, type Municipality, runCli } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  missingId,
  surveys,
} from '../support/records.ts';

const harness = await createImportHarness({ after });
const { workspace } = harness;
const createRecord = (n: number) => ({ kind: 'submission', ...createSubmission(n) });
const createSessionRecord = (n: number, submissions: string[] = []) => ({
  kind: 'session',
  ...createSession(n, { submissions }),
});
const createRecords = (count: number) => Array.from({ length: count }, (_, n) => createRecord(n));
const remove = { flags: ['--delete-missing'] };
const countPublished = async (town: Municipality) => (await harness.listAll(town, '/submissions')).length;
const readLastRun = async (town: Municipality) =>
  JSON.parse(
    await assertSucceeds(workspace.withDatabase('import', 'history', '--organization', town.id, '--json')),
  )[0];

suite('records missing in the input', { concurrency: 2 }, () => {
  test('are reported without --delete-missing, and deleted with it', async () => {
    const town = await harness.createMunicipality();
    const first = await harness.importContent(
      town,
      toNdjson([
        ...createRecords(10),
        createSessionRecord(1, [formatSubmissionId(9), formatSubmissionId(1)]),
      ]),
    );
    assert.equal(first.counts.missing, 0);
    const fewer = toNdjson([...createRecords(8), createSessionRecord(1)]);

    const reported = await harness.importContent(town, fewer);
    assert.equal(reported.counts.missing, 2);
    assert.equal(reported.code, 0);
    assert.equal(await countPublished(town), 10);
    const file = workspace.writeFile('fewer.ndjson', fewer);
    const removeCommand = workspace.withDatabase('import', 'rostra', file, '--organization', town.id);
    assert.match(
      await assertSucceeds(removeCommand),
      /^2 published records of this source were not in this input\. To delete them, import again with --delete-missing\.$/m,
    );
    const dry = await harness.importContent(town, fewer, { flags: ['--delete-missing', '--dry-run'] });
    assertCounts({ ...dry, counts: { ...dry.counts, read: 11 } }, { changed: 0, unchanged: 9, removed: 2 });
    assert.match(String(dry.counts.notes), /not in this input, and would be deleted\.$/);
    assert.equal(await countPublished(town), 10);

    const removed = await harness.importContent(town, fewer, remove);
    assert.equal(removed.code, 0, removed.stderr);
    assert.deepEqual([removed.counts.read, removed.counts.unchanged, removed.counts.removed], [9, 9, 2]);
    assert.equal(await countPublished(town), 8);
    assert.equal((await readLastRun(town)).removed, 2);
    assert.equal((await harness.get(town, `/sessions/${formatSessionId(1)}`)).json.data.submissionCount, 0);
    assert.equal((await harness.importContent(town, fewer)).counts.missing, 0);
  });

  test('are counted by format, --source and municipality, and only for kinds that the input has', async () => {
    const [town, other] = [await harness.createMunicipality(), await harness.createMunicipality()];
    const survey = { kind: 'survey', ...surveys[0] };
    await harness.importContent(other, toNdjson(createRecords(3)));
    await harness.importContent(
      town,
      toNdjson([createRecord(0), createRecord(1), createSessionRecord(1), survey]),
    );
    await harness.importContent(
      town,
      toNdjson([
        { ...createRecord(0), id: 'a' },
        { ...createRecord(1), id: 'b' },
      ]),
      {
        flags: ['--source', 'Ideen'],
      },
    );
    const table = toCsv(',', [
      ['id', 'description', 'createdAt'],
      ['1', 'x', '2026-03-01T09:15:00Z'],
      ['2', 'x', '2026-03-01T09:15:00Z'],
    ]);
    const mapping = workspace.writeFile(
      'mapping.yaml',
      'submission:\n  id: id\n  description: description\n  createdAt: createdAt\n',
    );
    const mapped = { format: 'table', name: 'x.csv', flags: ['--mapping', mapping, '--delete-missing'] };
    assertCounts(await harness.importContent(town, table, mapped), { inserted: 2 });

    const input = toNdjson([createRecord(1)]);
    const ended = await harness.importContent(town, input, remove);
    assert.deepEqual([ended.counts.missing, ended.counts.removed], [1, 1], ended.stderr);
    const ids = (await harness.listAll(town, '/submissions')).map(({ id }) => id);
    const createRecordWithId = ['a', 'b'].map((id) => createUuidV5(id, createUuidV5('Ideen', town.id)));
    const ofTable = ['1', '2'].map((id) => createUuidV5(id, town.id));
    assert.deepEqual(ids.sort(), [formatSubmissionId(1), ...createRecordWithId, ...ofTable].sort());
    assert.equal((await harness.listAll(town, '/sessions')).length, 1);
    assert.equal((await harness.get(town, `/surveys/${surveys[0]?.surveyId}/results`)).status, 200);
    assert.equal(await countPublished(other), 3);
  });

  test('belong to the source that wrote them last, so a record that a second source wrote later stays', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson(createRecords(4)));
    const other = { flags: ['--source', 'Andere'] };
    assertCounts(await harness.importContent(town, toNdjson([createRecord(3)]), other), { unchanged: 1 });
    const ended = await harness.importContent(town, toNdjson(createRecords(2)), remove);
    assert.deepEqual([ended.counts.missing, ended.counts.removed], [1, 1], ended.stderr);
    assert.equal(await countPublished(town), 3);
  });

  test('are not deleted if more than half of a kind is missing, unless --max-deleted allows it', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(
      town,
      toNdjson([
        ...createRecords(10),
        createSessionRecord(1),
        createSessionRecord(2),
        createSessionRecord(3),
      ]),
    );
    const input = toNdjson([...createRecords(9), createSessionRecord(1), createRecord(20)]);
    for (const flags of [['--delete-missing'], ['--delete-missing', '--dry-run']]) {
      const { code, stderr } = await harness.importContent(town, input, { flags });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /The input lacks 2 of the 3 published sessions of this source, more than 50 %\. No record was deleted\. If the input is complete, import it again with --max-deleted 67\./,
      );
    }
    assert.equal((await readLastRun(town)).state, 'failed');
    assert.equal(await countPublished(town), 11);
    const strict = await harness.importContent(
      town,
      toNdjson([...createRecords(9), createSessionRecord(1), createRecord(21)]),
      {
        flags: ['--delete-missing', '--strict'],
      },
    );
    assert.equal(strict.code, 1);
    assert.match(strict.stderr, /Nothing was imported\./);
    assert.equal(await countPublished(town), 11);
    const allowed = { flags: ['--delete-missing', '--strict', '--max-deleted', '67'] };
    assert.equal((await harness.importContent(town, input, allowed)).counts.removed, 3);
    assert.equal((await harness.listAll(town, '/sessions')).length, 1);
  });

  test('are compared with the records published before, so new records in the input do not allow more deletions', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson(createRecords(4)));
    const input = toNdjson([0, 10, 11, 12, 13, 14].map(createRecord));
    for (const flags of [
      ['--delete-missing', '--dry-run'],
      ['--delete-missing', '--strict'],
      ['--delete-missing'],
    ]) {
      const { code, stderr } = await harness.importContent(town, input, { flags });
      assert.equal(code, 1, flags.join(' '));
      assert.match(
        stderr,
        /The input lacks 3 of the 4 published submissions of this source, more than 50 %\./,
      );
    }
    assert.equal(await countPublished(town), 9);
  });

  test('do not include rejected records with an id; a rejected record without an id prevents all deletions', async () => {
    const town = await harness.createMunicipality();
    const named = (id: string | number) => ({ ...createRecord(0), id });
    await harness.importContent(
      town,
      toNdjson([named('a'), named(7), named('c'), named('d'), named('x'.repeat(300))]),
    );
    const known = [named('c'), { ...named('a'), supportCount: -1 }, { ...named(7), status: '' }];
    const long = { ...named('x'.repeat(300)), supportCount: -1 };
    const nameless = toNdjson([...known, long, { kind: 'submission', description: 'x' }]);
    const uncertain = await harness.importContent(town, nameless, remove);
    assert.equal(uncertain.code, 3);
    assert.deepEqual([uncertain.counts.missing, uncertain.counts.removed], [1, 0]);
    const [note] = (uncertain.counts as unknown as { notes: string[] }).notes;
    assert.match(
      note ?? '',
      /^Up to 1 published record of this source was not in this input: rejected records .+ No record was deleted\.$/,
    );
    assert.equal(await countPublished(town), 5);
    const ended = await harness.importContent(town, toNdjson([...known, long]), remove);
    assert.equal(ended.code, 3);
    assert.deepEqual([ended.counts.missing, ended.counts.removed], [1, 1]);
    assert.equal(await countPublished(town), 4);
  });

  test('stay if the input is empty, truncated, or has only removals', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson(createRecords(4)));
    await harness.importContent(town, '', remove);
    await harness.importContent(town, '[]', { ...remove, name: 'x.json' });
    const broken = await harness.importContent(town, `${JSON.stringify([createRecord(0)]).slice(0, -1)},{`, {
      ...remove,
      name: 'x.json',
    });
    assert.equal(broken.code, 1);
    assert.equal(await countPublished(town), 4);
    const removal = toNdjson([{ kind: 'submission', id: formatSubmissionId(0), deleted: true }]);
    assertCounts(await harness.importContent(town, removal, remove), { removed: 1 });
    assert.equal(await countPublished(town), 3);
  });

  test('are all records if a table has a header only, which needs --max-deleted 100 to delete them', async () => {
    const town = await harness.createMunicipality();
    const header = 'id,description,createdAt\n';
    const imports = (flags: string[], rows = '') =>
      harness.importContent(town, header + rows, { name: 'x.csv', flags });
    const rows = [1, 2, 3].map((n) => `${n},x,2026-03-01T09:15:00Z\n`).join('');
    assertCounts(await imports([], rows), { inserted: 3 });
    const reported = await imports([]);
    assert.deepEqual([reported.code, reported.counts.missing], [0, 3]);
    assert.match(
      String(reported.counts.notes),
      /^3 published records of this source were not in this input\./,
    );
    for (const flags of [['--delete-missing'], ['--delete-missing', '--dry-run']]) {
      const { code, stderr } = await imports(flags);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /The input lacks 3 of the 3 published submissions of this source, more than 50 %\. No record was deleted\. If the input is complete, import it again with --max-deleted 100\./,
      );
    }
    assert.equal(await countPublished(town), 3);
    const confirmed = await imports(['--delete-missing', '--max-deleted', '100']);
    assert.deepEqual([confirmed.code, confirmed.counts.removed], [0, 3]);
    assert.equal(await countPublished(town), 0);
  });

  test('are found and deleted across pages of ids', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson(createRecords(6_000)));
    const ended = await harness.importContent(
      town,
      toNdjson(createRecords(6_000).filter((_, n) => n % 3 > 0)),
      remove,
    );
    assert.deepEqual([ended.counts.missing, ended.counts.removed], [2_000, 2_000], ended.stderr);
    const [row] = await workspace.sql<{ count: number | string }>(
      'SELECT count(*) AS count FROM submission WHERE organization_id = $1',
      [town.id],
    );
    assert.equal(Number(row?.count), 4_000);
  });
});

suite('rostra record remove', { concurrency: 2 }, () => {
  const args = (town: Municipality, ...rest: string[]) =>
    workspace.withDatabase('record', 'remove', ...rest, '--organization', town.id, '--reason', 'Erasure');

  test('removes a record by its published id or the id of its source, and writes the audit log', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(
      town,
      toNdjson([
        createRecord(1),
        { ...createRecord(2), id: '4711' },
        createSessionRecord(1, [formatSubmissionId(1)]),
      ]),
    );
    await harness.importContent(town, toNdjson([{ ...createRecord(2), id: '4711' }]), {
      flags: ['--source', 'Ideen'],
    });
    await assertSucceeds(args(town, 'submission', '4711', '--source', 'Ideen', '--yes'));
    await assertSucceeds(args(town, 'submission', formatSubmissionId(1).toUpperCase(), '--yes'));
    assert.deepEqual(
      (await harness.listAll(town, '/submissions')).map(({ id }) => id),
      [createUuidV5('4711', town.id)],
    );
    assert.equal((await harness.get(town, `/sessions/${formatSessionId(1)}`)).json.data.submissionCount, 0);
    await assertSucceeds(args(town, 'submission', '4711', '--yes'));
    await assertSucceeds(args(town, 'session', formatSessionId(1), '--yes'));
    assert.deepEqual(await harness.listAll(town, '/sessions'), []);
    const events = await workspace.sql<{ subject: string }>(
      "SELECT subject FROM audit_event WHERE organization_id = $1 AND action = 'record.removed'",
      [town.id],
    );
    assert.deepEqual(
      events.map(({ subject }) => subject).sort(),
      [
        `session ${formatSessionId(1)}`,
        `submission ${formatSubmissionId(1)}`,
        `submission ${createUuidV5('4711', town.id)}`,
        `submission ${createUuidV5('4711', createUuidV5('Ideen', town.id))}`,
      ].sort(),
    );
  });

  test('asks for confirmation on a terminal, and rejects an unknown record or kind', async () => {
    const [town, other] = [await harness.createMunicipality(), await harness.createMunicipality()];
    await harness.importContent(town, toNdjson([createRecord(1)]));
    await assertFails(
      args(town, 'submission', formatSubmissionId(1)),
      2,
      /^Nothing was removed\. Use --yes to remove submission .+ without confirmation\.$/m,
    );
    assert.equal(await countPublished(town), 1);
    for (const [whose, kind, id] of [
      [town, 'submission', missingId],
      [town, 'session', formatSubmissionId(1)],
      [other, 'submission', formatSubmissionId(1)],
      [town, 'survey', 'x'],
    ] as const)
      await assertFails(args(whose, kind, id, '--yes'), 1, new RegExp(`has no ${kind} with the id ${id}\\.`));
    await assertFails(args(town, 'paper', 'x', '--yes'), 2, /must be one of|Allowed choices/);
    const { code } = await runCli(args(town, 'submission', '', '--yes'));
    assert.equal(code, 1);
    assert.equal(await countPublished(town), 1);
  });
});
