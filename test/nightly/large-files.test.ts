import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, suite, test } from 'node:test';
import { startCli } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { createSubmission } from '../support/records.ts';

const harness = await createImportHarness({ after });
const { workspace } = harness;
const createRecord = (n: number) => ({ kind: 'submission', ...createSubmission(n) });

const createRecords = (count: number) => Array.from({ length: count }, (_, n) => createRecord(n));

test('a wrong type in line 50,000 is reported with its line, the other records are imported, and concurrent reads succeed', async () => {
  const town = await harness.createMunicipality();
  const reader = await harness.createMunicipality();
  await harness.importContent(reader, toNdjson(createRecords(5)));
  const records = createRecords(60_000).map((record, n) =>
    n === 49_999 ? { ...record, hasAttachments: 'no' } : record,
  );
  let hasEnded = false;
  const importing = harness.importContent(town, toNdjson(records), { asProcess: true }).finally(() => {
    hasEnded = true;
  });
  const statuses = new Set<number>();
  let reads = 0;
  while (!hasEnded) {
    for (const path of ['/submissions', '/me', '/support'])
      statuses.add((await harness.get(reader, path)).status);
    statuses.add((await harness.get(town, '/submissions?limit=1')).status);
    reads += 1;
  }
  const result = await importing;
  assert.equal(result.code, 3, result.stderr);
  assertCounts(result, { inserted: 59_999, rejected: 1 });
  assert.deepEqual(
    result.rejections.map(({ line, reason }) => [line, reason]),
    [[50_000, 'hasAttachments must be boolean']],
  );
  assert.deepEqual([...statuses], [200]);
  assert.ok(reads > 10, `${reads} rounds of reads during the import`);
});

suite('input larger than the memory', { concurrency: 1 }, () => {
  /** Imports standard input that the test generates in parts. */
  async function feed(town: { id: string }, pieces: Iterable<string>) {
    const args = workspace.withDatabase('import', 'rostra', '-', '--organization', town.id, '--json');
    // The heap limit ends a process that holds much more than a line.
    const running = startCli(args, {
      input: '',
      environment: { NODE_OPTIONS: '--max-old-space-size=256' },
    });
    const input = running.child.stdin as NodeJS.WritableStream;
    let hasEnded = false;
    void running.result.then(() => {
      hasEnded = true;
    });
    for (const piece of pieces) {
      if (hasEnded) break;
      if (!input.write(piece))
        await Promise.race([once(input, 'drain').catch(() => undefined), running.result]);
    }
    input.end();
    return running.result;
  }

  function* repeatPiece(before: string, piece: string, times: number, after: string) {
    yield before;
    for (let n = 0; n < times; n += 1) yield piece;
    yield after;
  }
  const mebibyte = 'x'.repeat(1024 * 1024);

  test('a line of 70 MB fails the import with a message; earlier records stay imported', async () => {
    const town = await harness.createMunicipality();
    const before = `${toNdjson([createRecord(1)])}{"kind":"submission","description":"`;
    const { code, stderr } = await feed(town, repeatPiece(before, mebibyte, 70, '"}\n'));
    assert.equal(code, 1, stderr.slice(0, 500));
    assert.match(
      stderr,
      /standard input has more than 64 MiB in line 2: .+ Records imported so far are kept/,
    );
    assert.equal((await harness.listAll(town, '/submissions')).length, 1);
  });

  test('a first line of 70 MB fails the import with a message', async () => {
    const town = await harness.createMunicipality();
    const { code, stderr } = await feed(town, repeatPiece('{"a":"', mebibyte, 70, '"}'));
    assert.equal(code, 1);
    assert.match(stderr, /more than 64 MiB/);
  });

  test('an array entry of 70 MB is rejected with a message', async () => {
    const town = await harness.createMunicipality();
    const before = `[${JSON.stringify(createRecord(1))},{"kind":"submission","id":"2","createdAt":"2026-03-01T00:00:00Z","description":"`;
    const { code, stderr } = await feed(town, repeatPiece(before, mebibyte, 70, '"}]'));
    assert.ok(code === 1 || code === 3, `${code} ${stderr.slice(0, 500)}`);
    assert.match(stderr, /MiB|description must not have more than 100000 characters/);
  });

  test('a CSV cell of 70 MB is rejected with a message', async () => {
    const town = await harness.createMunicipality();
    const { code, stderr } = await feed(
      town,
      repeatPiece('id,description,createdAt\n1,"', mebibyte, 70, '",2026-03-01T00:00:00Z\n'),
    );
    assert.ok(code === 1 || code === 3, `${code} ${stderr.slice(0, 500)}`);
    assert.match(stderr, /standard input/);
  });

  test('100 MB of records are imported', async () => {
    const town = await harness.createMunicipality();
    function* generateRecords() {
      const description = 'x'.repeat(99_000);
      for (let n = 0; n < 1_000; n += 1) yield toNdjson([{ ...createRecord(n % 50), id: n, description }]);
    }
    const { code, stdout, stderr } = await feed(town, generateRecords());
    assert.equal(code, 0, stderr.slice(0, 500));
    assert.equal(JSON.parse(stdout).inserted, 1_000);
  });
});
