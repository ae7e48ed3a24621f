/** Commands whose output nobody reads. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startCli } from '../../support/cli-workspace.ts';
import { toNdjson } from '../../support/files.ts';
import { createImportHarness } from '../../support/import-harness.ts';
import { createSubmission } from '../../support/records.ts';

const harness = await createImportHarness({ after });
const { workspace } = harness;
const createRecord = (n: number) => ({ kind: 'submission', ...createSubmission(n) });
const createRecords = (count: number) => Array.from({ length: count }, (_, n) => createRecord(n));

suite('a closed pipe', { concurrency: 2 }, () => {
  /** Imports valid and invalid records; nobody reads the output. */
  async function importUnread(streams: readonly ('stdout' | 'stderr')[]) {
    const town = await harness.createMunicipality();
    const records = [
      ...createRecords(600),
      ...Array.from({ length: 30 }, () => ({ kind: 'submission' })),
      createRecord(601),
    ];
    const running = startCli(workspace.withDatabase('import', 'rostra', '-', '--organization', town.id), {
      input: '',
      folder: workspace.folder,
    });
    for (const stream of streams) running.child[stream]?.destroy();
    running.child.stdin?.end(toNdjson(records));
    const { code } = await running.result;
    const [run] = await workspace.sql<Record<string, unknown>>(
      'SELECT outcome, CAST(inserted AS INTEGER) AS inserted, CAST(rejected AS INTEGER) AS rejected FROM import_run WHERE organization_id = $1',
      [town.id],
    );
    return { code, ...run };
  }

  for (const streams of [['stderr'], ['stdout', 'stderr']] as const) {
    test(`as ${streams.join(' and ')} does not end an import, and its exit code and history show its result`, async () => {
      const end = await importUnread(streams);
      assert.deepEqual(end, { code: 3, outcome: 'done', inserted: 601, rejected: 30 });
    });
  }
});

test('a listing whose reader has closed the pipe ends without an error', async () => {
  const running = startCli(workspace.withDatabase('key', 'list'));
  running.child.stdout?.destroy();
  const { code, stderr } = await running.result;
  assert.deepEqual([code, stderr], [0, '']);
});

test('a key or an invitation that could not be printed ends with 1 and the remedy', async () => {
  const { id } = await harness.createMunicipality();
  for (const [remedy, args] of [
    [
      /Revoke it with "rostra key revoke [0-9a-f-]{36}"/,
      ['key', 'issue', '--organization', id, '--name', 'Portal'],
    ],
    [
      /"rostra admin invite anna@stadt\.example"/,
      ['admin', 'add', 'anna@stadt.example', '--organization', id, '--json'],
    ],
  ] as const) {
    const running = startCli(workspace.withDatabase(...args));
    running.child.stdout?.destroy();
    const { code, stderr } = await running.result;
    assert.equal(code, 1, stderr);
    assert.match(stderr, remedy);
  }
});
