import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import {
  assertFails,
  assertSucceeds,
  type Municipality,
  runCli,
  startCli,
} from '../support/cli-workspace.ts';

import { whileRunIsExpired } from '../support/expired-run.ts';
import { toNdjson } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { byNight } from '../support/nightly.ts';
import { holdLease } from '../support/recorded-runs.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  surveys,
} from '../support/records.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';

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
const survey = (totalResponses: number) => ({ kind: 'survey', ...surveys[0], totalResponses });

async function importRecords(town: Municipality, records: readonly unknown[], ...flags: string[]) {
  const result = await harness.importContent(town, toNdjson(records), { flags });
  assert.equal(result.code, 0, result.stderr);
  return result;
}

const composeUndo = (town: Municipality, ...flags: string[]) =>
  workspace.withDatabase('source', 'undo', ...flags, '--organization', town.id);

async function undo(town: Municipality, ...flags: string[]) {
  return JSON.parse(await assertSucceeds(composeUndo(town, ...flags, '--yes', '--json')));
}

const assertRefused = (town: Municipality, message: RegExp, ...flags: string[]) =>
  assertFails(composeUndo(town, ...flags, '--yes'), 1, message);

/** All stored columns of submissions and sessions, and the agendas. */
async function readStored(town: Municipality) {
  const read = (sql: string) => workspace.sql(sql, [town.id]);
  return {
    submissions: await read('SELECT * FROM submission WHERE organization_id = $1 ORDER BY id'),
    sessions: await read('SELECT * FROM session WHERE organization_id = $1 ORDER BY id'),
    agendas: await read(
      'SELECT * FROM session_submission WHERE organization_id = $1 ORDER BY session_id, position',
    ),
  };
}

const readHistory = async (town: Municipality) =>
  JSON.parse(
    await assertSucceeds(workspace.withDatabase('import', 'history', '--organization', town.id, '--json')),
  );

const first = [
  ...[1, 2, 3, 4].map((n) => submission(n)),
  session(1, [3, 1, 2]),
  session(2, [2, 4]),
  session(3, [1]),
];

/** Changes, inserts and deletes submissions, sessions and agendas. */
const second = [
  submission(1, { description: 'Changed', supportCount: 99 }),
  submission(3),
  submission(5),
  session(1, [5, 1], { committeeName: 'Renamed' }),
  session(3, [1, 3]),
  session(4, [5, 3]),
];
const deleteMissing = ['--delete-missing', '--max-deleted', '100'];

const killsByNight = byNight(
  'it starts an import that reads slowly, as the undo of a killed import does by day',
);

suite('an undo', { concurrency: 2 }, () => {
  test('restores changed, deleted and inserted records with their agendas, as changes for mirrors', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    const before = await readStored(town);
    await importRecords(town, second, ...deleteMissing);
    assert.notDeepEqual(await readStored(town), before);
    const position = (await harness.get(town, '/changes?limit=1000')).json.pagination.next_cursor;

    const undone = await undo(town);
    assert.deepEqual(await readStored(town), before);
    assert.deepEqual(
      { ...undone, run: undefined },
      {
        run: undefined,
        removed: 2,
        restored: 6,
        surveys: 0,
        dryRun: false,
      },
    );
    const { json } = await harness.get(town, `/changes?limit=1000&cursor=${position}`);
    const changed = new Set(json.data.map(({ id }: { id: string }) => id));
    for (const id of [1, 2, 4, 5].map(formatSubmissionId)) assert.ok(changed.has(id), id);
    for (const id of [1, 2, 3, 4].map(formatSessionId)) assert.ok(changed.has(id), id);
    await workspace.assertIntact();
  });

  test('of the first import removes everything except its redaction, which the next import repeats', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first, '--redact', 'email', '--source', 'A');
    await undo(town, 'A');
    const { submissions, sessions } = await readStored(town);
    assert.deepEqual([submissions, sessions], [[], []]);
    const loose = ['--redact', 'off', '--source', 'A'];
    assert.equal((await harness.importContent(town, toNdjson(first), { flags: loose })).code, 2);
    const written = [submission(1, { description: 'Write to anna@example.org.' })];
    await importRecords(town, written, '--source', 'A');
    const [published] = await harness.listAll(town, '/submissions');
    assert.doesNotMatch(published.description, /anna/);
  });

  test('restores an earlier redaction policy, and forgets what was found in the records', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first, '--redact', 'email');
    await importRecords(town, second, '--redact', 'email,phone');
    const readFindings = async () =>
      (await harness.store.listUsedSources(town.id)).map(({ hasSupportCounts, personalData }) => [
        hasSupportCounts,
        personalData,
      ]);
    const [[hasSupportCounts, personalData] = []] = await readFindings();
    assert.ok(hasSupportCounts !== null && Array.isArray(personalData));
    await undo(town);
    // They described the records of the undone import. The page about open data calls them unknown.
    assert.deepEqual(await readFindings(), [[null, null]]);
    await importRecords(town, second, '--redact', 'email');
    const loose = await harness.importContent(town, toNdjson(first), { flags: ['--redact', 'off'] });
    assert.equal(loose.code, 2);
  });

  test('replaces words that the municipality has listed since the import', async () => {
    const town = await harness.createMunicipality();
    const named = [
      submission(1, {
        ...{ description: 'Erika Muster meldet: K-123456', title: 'Von Erika Muster' },
        ...{ hasAttachments: true, priorityLevel: 'high' },
      }),
      submission(2, { description: 'Bank am Teich' }),
      session(1, [1, 2], { committeeName: 'Beirat Muster', title: 'Anhörung Erika Muster' }),
    ];
    await importRecords(town, named);
    const before = await readStored(town);
    const changed = [submission(1), submission(2, { description: 'Baum' }), session(1, [2])];
    await importRecords(town, changed);
    const redactionTerms = 'Erika Muster\nNummer = /K-[0-9]{6}/';
    await harness.store.editOrganization(town.id, { language: 'de', redactionTerms });
    assert.deepEqual((await undo(town)).restored, 3);
    const { submissions, sessions, agendas } = await readStored(town);
    const [first, second] = submissions;
    const [only] = sessions;
    assert.equal(first?.description, '[entfernt] meldet: [Nummer]');
    assert.equal(first?.title, 'Von [entfernt]');
    const [kept] = before.submissions;
    for (const column of ['has_attachments', 'priority_level', 'support_count', 'created_at', 'documents'])
      assert.deepEqual(first?.[column], kept?.[column], column);
    assert.deepEqual([only?.committee_name, only?.title], ['Beirat Muster', 'Anhörung [entfernt]']);
    assert.deepEqual([second, agendas], [before.submissions[1], before.agendas]);
  });

  test('is recorded in the history and the audit log', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    const { run } = await undo(town);
    const [entry] = await readHistory(town);
    assert.equal(entry.id, run);
    assert.ok(entry.undoneAt >= entry.endedAt);
    const history = await assertSucceeds(
      workspace.withDatabase('import', 'history', '--organization', town.id),
    );
    assert.match(history, / undone /);
    const events = await workspace.sql<{ action: string }>(
      "SELECT action FROM audit_event WHERE organization_id = $1 AND action LIKE 'import.%'",
      [town.id],
    );
    assert.deepEqual(events, [{ action: 'import.undone' }]);
  });

  test('with --dry-run reports the counts and changes nothing', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    await importRecords(town, second);
    const before = await readStored(town);
    const { removed, restored, dryRun } = JSON.parse(
      await assertSucceeds(composeUndo(town, '--dry-run', '--json')),
    );
    assert.deepEqual([removed, restored, dryRun], [2, 3, true]);
    assert.deepEqual(await readStored(town), before);
    assert.equal((await readHistory(town))[0].undoneAt, null);
  });

  test('of removals in the input restores the records', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    const before = await readStored(town);
    await importRecords(town, [
      { kind: 'submission', id: formatSubmissionId(2), deleted: true },
      { kind: 'session', id: formatSessionId(1), deleted: true },
    ]);
    await undo(town);
    assert.deepEqual(await readStored(town), before);
  });

  test('is possible after an import that changed nothing, and does not need its name', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    const { submissions } = await readStored(town);
    await importRecords(town, second);
    await importRecords(town, second);
    await undo(town);
    assert.deepEqual((await readStored(town)).submissions, submissions);
  });

  test('of an import in one transaction restores everything', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    const before = await readStored(town);
    await importRecords(town, second, '--strict', ...deleteMissing);
    await undo(town);
    assert.deepEqual(await readStored(town), before);
  });

  test('is possible after the definition of the source was removed', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first, '--source', 'A');
    const { submissions } = await readStored(town);
    await importRecords(town, second, '--source', 'A');
    const source = ['A', '--organization', town.id];
    await assertSucceeds(workspace.withDatabase('source', 'add', ...source, '--format', 'rostra'));
    await assertSucceeds(workspace.withDatabase('source', 'remove', ...source));
    await undo(town, 'A');
    assert.deepEqual((await readStored(town)).submissions, submissions);
  });

  test('gives records back to the source that wrote them before', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first, '--source', 'A');
    const before = await readStored(town);
    await importRecords(town, [submission(1), submission(2, { description: 'B' })], '--source', 'B');
    assert.notDeepEqual(await readStored(town), before);
    await undo(town, 'B');
    assert.deepEqual(await readStored(town), before);
  });

  test('of a killed import is possible when it no longer counts as running', {
    skip: killsByNight,
  }, async () => {
    const { town, before, published } = await killImport();
    await assertRefused(town, /^An import of this source is running\./);
    await expireRun(town);
    const { removed, restored } = await undo(town);
    assert.deepEqual([removed, restored], [published - 1, 1]);
    assert.deepEqual(await readStored(town), before);
  });

  test('of an import that completes a killed one restores the state before both', {
    skip: killsByNight,
  }, async () => {
    const { town, before } = await killImport();
    await expireRun(town);
    await importRecords(town, accepted);
    const { removed } = await undo(town);
    assert.equal(removed, accepted.length - 1);
    assert.deepEqual(await readStored(town), before);
    await assertRefused(town, /already been undone/);
  });

  test('of the import after a killed one and its repetition restores the state before that import only', {
    skip: killsByNight,
  }, async () => {
    const { town, published } = await killImport();
    await expireRun(town);
    assert.equal((await importRecords(town, accepted.slice(0, published))).counts.unchanged, published);
    const before = await readStored(town);
    await importRecords(town, [submission(1, { description: 'of the next file' }), submission(9_000)]);
    const { removed, restored } = await undo(town);
    assert.deepEqual([removed, restored], [1, 1]);
    assert.deepEqual(await readStored(town), before);
  });

  test('of two imports of a source that ran at the same time restores the state before both', {
    skip: killsByNight,
  }, async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    const before = await readStored(town);
    const { running, input } = await startImport(town);
    await whileRunIsExpired(workspace, town.id, () =>
      importRecords(town, [submission(1, { description: 'of the other import' }), submission(9_000)]),
    );
    input.end(toNdjson(accepted));
    await running.result;
    await undo(town);
    assert.deepEqual(await readStored(town), before);
  });
});

/** The first one changes a record of `first`, the others are new. */
const accepted = [1, ...Array.from({ length: 199 }, (_, n) => 100 + n)].map((n) =>
  submission(n, { status: 'accepted' }),
);

const slowSource = { NODE_OPTIONS: `--import ${new URL('../support/slow-source.ts', import.meta.url)}` };

const countSubmissions = async (town: Municipality) => {
  const sql = 'SELECT count(*) AS count FROM submission WHERE organization_id = $1';
  const [row] = await workspace.sql<{ count: number | string }>(sql, [town.id]);
  return Number(row?.count);
};

/**
 * Imports `accepted` from standard input, one after another, until a new one is published. Repeats them, because a process that
 * starts slowly reads many at once, and publishes a batch only when another record follows.
 */
async function startImport(town: Municipality) {
  const command = workspace.withDatabase('import', 'rostra', '-', '--organization', town.id);
  const running = startCli(command, { input: '', environment: slowSource });
  const input = running.child.stdin as NodeJS.WritableStream;
  const before = await countSubmissions(town);
  let written = 0;
  await waitUntil(
    'a published record',
    async () => {
      input.write(toNdjson(accepted.slice(written, written + 1)));
      written = (written + 1) % accepted.length;
      return (await countSubmissions(town)) > before;
    },
    20,
  );
  return { running, input };
}

/** Kills an import after it has published some records. @returns their number, and the state before */
async function killImport() {
  const town = await harness.createMunicipality();
  await importRecords(town, first);
  const before = await readStored(town);
  const { running } = await startImport(town);
  running.child.kill('SIGKILL');
  await running.result;
  const published = 1 + (await countSubmissions(town)) - before.submissions.length;
  return { town, before, published };
}

async function expireRun(town: Municipality): Promise<void> {
  await workspace.sql(
    "UPDATE import_run SET heartbeat_at = '2026-01-01T00:00:00.000Z' WHERE organization_id = $1",
    [town.id],
  );
}

suite('an undo is refused', { concurrency: 2 }, () => {
  test('while an import of another source of the municipality runs', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    const lease = await holdLease(harness.store, town.id, 'Another');
    const before = await readStored(town);
    await assertRefused(town, /^An import of .* is running\. .*Nothing was undone\.$/m);
    assert.deepEqual(await readStored(town), before);
    await harness.store.releaseRun(lease);
    assert.deepEqual((await undo(town)).removed, 7);
  });

  const changed =
    /was changed or removed after this import, and an undo would overwrite that\. Nothing was undone\.$/m;

  /** Imports twice, applies `work`, and asserts that an undo changes nothing. */
  async function assertRefusedAfter(work: (town: Municipality) => Promise<unknown>, message = changed) {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    await importRecords(town, second, ...deleteMissing);
    await work(town);
    const before = await readStored(town);
    await assertRefused(town, message);
    assert.deepEqual(await readStored(town), before);
    const undone = 'SELECT 1 FROM import_run WHERE organization_id = $1 AND undone_at IS NOT NULL';
    assert.deepEqual(await workspace.sql(undone, [town.id]), []);
  }

  test('if another source has changed a record', () =>
    assertRefusedAfter((town) =>
      importRecords(town, [submission(1, { description: 'Newer' })], '--source', 'B'),
    ));

  test('if another source has the same record', () =>
    assertRefusedAfter((town) => importRecords(town, [submission(5)], '--source', 'B')));

  test('if another source has published a deleted record again', () =>
    assertRefusedAfter((town) => importRecords(town, [submission(2)], '--source', 'B')));

  test('if a session of another source has an inserted submission on its agenda', () =>
    assertRefusedAfter((town) => importRecords(town, [session(9, [5])], '--source', 'B')));

  test('if another program has changed a record', () =>
    assertRefusedAfter((town) =>
      workspace.sql("UPDATE session SET committee_name = 'SQL' WHERE organization_id = $1 AND id = $2", [
        town.id,
        formatSessionId(1),
      ]),
    ));

  test('if an inserted record was removed', () => assertRefusedAfter((town) => removeSubmission(town, 5)));

  test('if a changed record was removed, and its earlier state is deleted', async () => {
    await assertRefusedAfter(
      (town) => removeSubmission(town, 1),
      /^This import can no longer be undone: a record that it changed was removed/,
    );
    const [row] = await workspace.sql<{ count: number | string }>(
      "SELECT count(*) AS count FROM import_undo_batch JOIN import_undo USING (organization_id, source_id) WHERE state = 'discarded'",
    );
    assert.equal(Number(row?.count), 0);
  });

  test('if the import deleted a record that is then to be removed', () =>
    assertRefusedAfter(
      (town) => assertSucceeds(composeRemoval(town, 2)),
      /^This import can no longer be undone/,
    ));

  test('a second time, also for the import before', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    await importRecords(town, second);
    await undo(town);
    await assertRefused(town, /^This import has already been undone\. Only the last import of a source/);
    await importRecords(town, second);
    await undo(town);
  });

  test('for surveys, and an undo of other records leaves them as they are', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, [survey(512)], '--source', 'S');
    await assertRefused(town, /^Surveys cannot be undone: later results are compared/, 'S');
    await importRecords(town, [...first, { ...survey(512), title: 'Other' }], '--source', 'S');
    const { removed, surveys: kept } = await undo(town, 'S');
    assert.deepEqual([removed, kept], [7, 1]);
    const { json } = await harness.get(town, `/surveys/${surveys[0]?.surveyId}/results`);
    assert.equal(json.data.title, 'Other');
  });

  test('after 30 days, and a server deletes the stored state', async (t) => {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    await workspace.sql(
      "UPDATE import_undo SET created_at = '2020-01-01T00:00:00.000Z' WHERE organization_id = $1",
      [town.id],
    );
    await startServer(t, workspace.database);
    const count = async () =>
      (await workspace.sql('SELECT run_id FROM import_undo WHERE organization_id = $1', [town.id])).length;
    await waitUntil('the deletion of expired states', async () => (await count()) === 0);
    await assertRefused(town, /has no import of a source without a name/);
  });

  test('after 30 days, and the next import deletes the stored state', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    await workspace.sql(
      "UPDATE import_undo SET created_at = '2020-01-01T00:00:00.000Z' WHERE organization_id = $1",
      [town.id],
    );
    await assertRefused(town, /has no import of a source without a name that changed records in the last 30/);
    await importRecords(town, [submission(1, { description: 'B' })], '--source', 'B');
    const rows = await workspace.sql('SELECT run_id FROM import_undo WHERE organization_id = $1', [town.id]);
    assert.equal(rows.length, 1);
  });

  test('for an unknown source, and for one of several with the same name', async () => {
    const town = await harness.createMunicipality();
    await assertRefused(town, /^There is nothing to undo: .* has no import of the source "X"/, 'X');
    await importRecords(town, first, '--source', 'X');
    const open311 = toNdjson([
      { service_request_id: '1', service_name: 'Light', requested_datetime: '2026-03-01T10:15:00Z' },
    ]);
    await harness.importContent(town, open311, { format: 'open311', flags: ['--source', 'X'] });
    await assertFails(composeUndo(town, 'X', '--yes'), 2, /Name one with --format: open311, rostra/);
    await assertRefused(town, /There are imports of "X" \(open311\), "X" \(rostra\)\.$/m);
    assert.equal((await undo(town, 'X', '--format', 'open311')).removed, 1);
    assert.equal((await undo(town, 'X')).removed, 7, 'only one of the two can still be undone');
    await assertRefused(town, /has already been undone/, 'X');
  });

  test('without a terminal and without --yes', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, first);
    await assertFails(composeUndo(town), 2, /^Nothing was undone\. Use --yes to undo the import of /);
    assert.equal((await harness.listAll(town, '/submissions')).length, 4);
  });

  const composeRemoval = (town: Municipality, n: number) =>
    workspace.withDatabase(
      'record',
      'remove',
      'submission',
      formatSubmissionId(n),
      '--organization',
      town.id,
      '--reason',
      'Erasure',
      '--yes',
    );
  const removeSubmission = async (town: Municipality, n: number) => {
    const { code, stderr } = await runCli(composeRemoval(town, n));
    assert.equal(code, 0, stderr);
  };
});
