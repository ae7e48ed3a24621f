import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { runCliProcess, startCli } from '../support/cli-workspace.ts';
import { whileRunIsExpired } from '../support/expired-run.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { runsEveryTest } from '../support/nightly.ts';
import { createSubmission } from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const harness = await createImportHarness({ after });
const { workspace } = harness;
const createRecord = (n: number) => ({ kind: 'submission', ...createSubmission(n) });
/** Publishes a batch every few records. */
const environment = { NODE_OPTIONS: `--import ${new URL('../support/slow-source.ts', import.meta.url)}` };
const pollMs = 20;
/** Blank lines that no pipe holds: once they are written, the import reads, and has read the redaction of its source before. */
const fillOfPipe = '\n'.repeat(1_000_000);
const createRecords = (count: number) => Array.from({ length: count }, (_, n) => createRecord(n));

if (runsEveryTest)
  suite('Ctrl-C', { concurrency: 2 }, () => {
    /** Starts an import, and interrupts it when records are published, or read by a dry run. */
    async function interrupt(town: Parameters<typeof harness.listAll>[0], ...flags: string[]) {
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
      const running = startCli(workspace.withDatabase(...args), { input: '', environment });
      const input = running.child.stdin as NodeJS.WritableStream;
      let written = 0;
      const writeRecord = () => {
        input.write(toNdjson([createRecord(written)]));
        written += 1;
      };
      const isPublished = async () => {
        writeRecord();
        const found = await workspace.sql('SELECT 1 FROM submission WHERE organization_id = $1', [town.id]);
        return found.length > 0;
      };
      await waitUntil('the signal handlers', () => existsSync(rejectedFile), pollMs);
      if (flags.includes('--dry-run')) writeRecord();
      else await waitUntil('published records', isPublished, pollMs);
      running.child.kill('SIGINT');
      return { running, writeRecord };
    }

    test('during an import ends it with 130 after a whole batch, and a second run completes it', async () => {
      const town = await harness.createMunicipality();
      const { running, writeRecord } = await interrupt(town);
      await waitUntil(
        'the end of the import',
        () => {
          writeRecord();
          return running.child.exitCode !== null;
        },
        pollMs,
      );
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
      const { running } = await interrupt(town);
      t.after(() => void running.child.kill('SIGKILL'));
      assert.equal((await running.result).code, 130);
    });

    test('during a dry run ends it with 130, and nothing is imported', async (t) => {
      const town = await harness.createMunicipality();
      const { running } = await interrupt(town, '--dry-run');
      t.after(() => void running.child.kill('SIGKILL'));
      const { code } = await running.result;
      assert.equal(code, 130);
      assert.deepEqual(await harness.listAll(town, '/submissions'), []);
    });
  });

if (runsEveryTest)
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
    environment: { NODE_OPTIONS: `--import ${new URL('../support/no-intervals.ts', import.meta.url)}` },
  });
  const input = running.child.stdin as NodeJS.WritableStream;
  await promisify<string>(input.write.bind(input))(lines + fillOfPipe);
  const importWithRedaction = () => harness.importContent(town, lines, { flags: ['--redact', 'email'] });
  assertCounts(await whileRunIsExpired(workspace, town.id, importWithRedaction), { inserted: 1 });
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
