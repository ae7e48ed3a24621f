import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { runCliProcess, startCli } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { createSubmission } from '../support/records.ts';

const harness = await createImportHarness({ after });
const { workspace } = harness;
const createRecord = (n: number) => ({ kind: 'submission', ...createSubmission(n) });
const createRecords = (count: number) => Array.from({ length: count }, (_, n) => createRecord(n));

suite('Ctrl-C', { concurrency: 2 }, () => {
  /** Starts an import, interrupts it after a number of published records, and waits for its end. */
  async function interrupt(town: Parameters<typeof harness.listAll>[0], flags: string[], published: number) {
    // The import opens the file of rejected records after it has registered its signal handlers.
    const rejectedFile = join(workspace.folder, `${town.id}-rejectedFile`);
    const args = [
      'import',
      'rostra',
      '-',
      '--organization',
      town.id,
      '--json',
      '--rejected',
      rejectedFile,
      ...flags,
    ];
    const running = startCli(workspace.withDatabase(...args), { input: '' });
    const input = running.child.stdin as NodeJS.WritableStream;
    input.write(toNdjson(createRecords(7_500)));
    const isPublished = async () => {
      const [row] = await workspace.sql<{ count: number | string }>(
        'SELECT count(*) AS count FROM submission WHERE organization_id = $1',
        [town.id],
      );
      return Number(row?.count) >= published;
    };
    while (!(await isPublished())) await new Promise((resolve) => setTimeout(resolve, 20));
    while (!existsSync(rejectedFile)) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 200));
    running.child.kill('SIGINT');
    return { running, input };
  }

  test('during an import ends it with 130 after a whole batch, and a second run completes it', async () => {
    const town = await harness.createMunicipality();
    const { running, input } = await interrupt(town, [], 5_000);
    for (let n = 7_500; n < 100_000 && running.child.exitCode === null; n += 500) {
      input.write(toNdjson(Array.from({ length: 500 }, (_, k) => createRecord(n + k))));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { code, stdout, stderr } = await running.result;
    assert.equal(code, 130, stderr);
    assert.match(stderr, /Interrupted\. Records imported so far are kept\. Import again to continue\./);
    const imported = (await harness.listAll(town, '/submissions')).length;
    assert.equal(JSON.parse(stdout).inserted, imported);
    await workspace.assertIntact();
    assertCounts(await harness.importContent(town, toNdjson(createRecords(imported + 10))), {
      inserted: 10,
      unchanged: imported,
    });
  });

  test('while standard input is silent ends the import with 130, without a second Ctrl-C', async (t) => {
    const town = await harness.createMunicipality();
    const { running } = await interrupt(town, [], 5_000);
    t.after(() => void running.child.kill('SIGKILL'));
    assert.equal((await running.result).code, 130);
  });

  test('during a dry run ends it with 130, and nothing is imported', async (t) => {
    const town = await harness.createMunicipality();
    const { running, input } = await interrupt(town, ['--dry-run'], 0);
    t.after(() => void running.child.kill('SIGKILL'));
    input.end(toNdjson(Array.from({ length: 2_000 }, (_, k) => createRecord(10_000 + k))));
    const { code } = await running.result;
    assert.equal(code, 130);
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });
});

test('two concurrent imports into one database are both complete', async () => {
  const towns = [await harness.createMunicipality(), await harness.createMunicipality()];
  const file = workspace.writeFile('both.ndjson', toNdjson(createRecords(6_000)));
  const both = await Promise.all(
    towns.map(({ id }) =>
      runCliProcess(workspace.withDatabase('import', 'rostra', file, '--organization', id, '--json')),
    ),
  );
  for (const { code, stdout, stderr } of both) {
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).inserted, 6_000);
  }
});

test('an import writes nothing if another import of its source has started to redact more meanwhile', async () => {
  const town = await harness.createMunicipality();
  const lines = toNdjson([{ ...createRecord(1), description: 'Ask a@b.de' }]);
  const running = startCli(workspace.withDatabase('import', 'rostra', '-', '--organization', town.id), {
    input: '',
  });
  const input = running.child.stdin as NodeJS.WritableStream;
  input.write(lines);
  const hasBegun = async () =>
    (await workspace.sql('SELECT 1 FROM import_run WHERE organization_id = $1', [town.id])).length > 0;
  while (!(await hasBegun())) await new Promise((resolve) => setTimeout(resolve, 20));
  // As after a minute without a heartbeat.
  await workspace.sql('UPDATE import_lease SET heartbeat_at_ms = 0 WHERE organization_id = $1', [town.id]);
  assertCounts(await harness.importContent(town, lines, { flags: ['--redact', 'email'] }), { inserted: 1 });
  input.end();
  const { code, stderr } = await running.result;
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^Another import of this source has changed the redaction .+\. Nothing was imported\.$/m,
  );
  const [published] = await harness.listAll(town, '/submissions');
  assert.doesNotMatch(published.description, /a@b\.de/);
});
