/** The import history of the command line. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { after, suite, test } from 'node:test';
import { assertFails, assertSucceeds, type Municipality, startCli } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { byNight } from '../support/nightly.ts';
import { createSubmission } from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const harness = await createImportHarness({ after });
const { workspace } = harness;
const createRecord = (n: number) => ({ kind: 'submission', ...createSubmission(n) });
const createInvalidRecord = (n: number) => ({ kind: 'submission', ...createSubmission(n), supportCount: -1 });
const reason = 'supportCount must be >= 0';

// biome-ignore lint/suspicious/noExplicitAny: the output of the command has no type
type Printed = any;

async function readHistory(...args: string[]): Promise<Printed> {
  return JSON.parse(await assertSucceeds(workspace.withDatabase('import', 'history', '--json', ...args)));
}

/** The newest import into a municipality, with its rejected records. */
async function readNewestRun(town: Municipality): Promise<Printed> {
  const [{ id }] = await readHistory('--organization', town.id);
  return readHistory(id);
}

const none = { read: 0, inserted: 0, changed: 0, unchanged: 0, removed: 0, ignored: 0, rejected: 0 };

function assertRun(run: Printed, expected: Record<string, unknown>): void {
  const {
    id,
    organizationId,
    startedAt,
    heartbeatAt,
    endedAt,
    actor,
    address,
    sources,
    rejections,
    ...rest
  } = run;
  assert.deepEqual(rest, {
    ...none,
    format: 'rostra',
    state: 'done',
    failure: null,
    notes: [],
    sourceName: '',
    undoneAt: null,
    undoCounts: null,
    ...expected,
  });
}

suite('an import', { concurrency: 2 }, () => {
  test('is recorded with actor, time, source, counts and rejected records', async () => {
    const town = await harness.createMunicipality();
    const before = new Date().toISOString();
    const result = await harness.importContent(
      town,
      toNdjson([
        createRecord(1),
        createInvalidRecord(2),
        createRecord(3),
        { ...createRecord(1), status: 'received' },
      ]),
      {
        name: 'März; 2026.ndjson',
      },
    );
    assert.equal(result.code, 3);
    const run = await readNewestRun(town);
    assertRun(run, {
      notes: [
        '1 row shares an identifier with other contents: only the first of each is published. If they are records of their own, the identifier needs another column, or several.',
      ],
      read: 4,
      inserted: 2,
      rejected: 2,
    });
    assert.equal(run.organizationId, town.id);
    assert.equal(run.actor, 'command line');
    assert.ok(run.address.endsWith(`@${hostname()}`));
    assert.match(run.sources, /\d-März; 2026\.ndjson$/);
    assert.ok(before <= run.startedAt && run.startedAt <= run.endedAt && run.heartbeatAt === run.endedAt);
    assert.deepEqual(
      run.rejections.map(({ source, ...rejection }: Printed) => {
        assert.equal(source, run.sources);
        return rejection;
      }),
      [
        { line: 2, entry: null, id: createSubmission(2).id, reason },
        {
          line: 4,
          entry: null,
          id: createSubmission(1).id,
          reason: 'an earlier record in the same input has the same id; the first one counts',
        },
      ],
    );
  });

  test('that is repeated is another entry, and the newest entry is first', async () => {
    const town = await harness.createMunicipality();
    for (const records of [
      [createRecord(1)],
      [createRecord(1), createRecord(2)],
      [
        { ...createRecord(1), status: 'accepted' },
        { ...createRecord(2), deleted: true },
      ],
    ])
      assert.equal((await harness.importContent(town, toNdjson(records))).code, 0);
    const runs = await readHistory('--organization', town.name);
    const counts = runs.map(({ inserted, changed, unchanged, removed }: Printed) => [
      inserted,
      changed,
      unchanged,
      removed,
    ]);
    assert.deepEqual(counts, [
      [0, 1, 0, 1],
      [1, 0, 1, 0],
      [1, 0, 0, 0],
    ]);
    assert.deepEqual(await readHistory('--organization', town.name, '--limit', '2'), runs.slice(0, 2));
  });

  test('that rejects more than a hundred records stores the first hundred, and says so', async () => {
    const town = await harness.createMunicipality();
    const records = Array.from({ length: 2_500 }, (_, n) =>
      n % 10 === 0 ? createInvalidRecord(n) : createRecord(n),
    );
    await harness.importContent(town, toNdjson(records));
    const run = await readNewestRun(town);
    assertRun(run, { read: 2_500, inserted: 2_250, rejected: 250 });
    assert.deepEqual(
      run.rejections.map(({ line }: Printed) => line),
      Array.from({ length: 100 }, (_, n) => n * 10 + 1),
    );
    const text = await assertSucceeds(workspace.withDatabase('import', 'history', run.id));
    assert.match(text, /\nThe first 100 of 250 rejected records; only these are stored\.$/);
    assert.match(text, /^rejected +250$/m);
  });

  test('of an array stores the entry number, and ids with any characters', async () => {
    const town = await harness.createMunicipality();
    const odd = 'a\u0000b\u001b[31m\ud800';
    await harness.importContent(
      town,
      JSON.stringify([
        createRecord(1),
        { ...createInvalidRecord(2), id: odd },
        { ...createInvalidRecord(3), id: 'x'.repeat(5_000) },
      ]),
      {
        name: 'x.json',
      },
    );
    const { rejections } = await readNewestRun(town);
    assert.deepEqual(
      rejections.map(({ line, entry, id }: Printed) => [line, entry, id]),
      [
        [null, 2, 'a\ufffdb\ufffd[31m\ufffd'],
        [null, 3, 'x'.repeat(200)],
      ],
    );
  });

  test('with a truncated input is recorded as failed, with the message and the counts so far', async () => {
    const town = await harness.createMunicipality();
    const whole = JSON.stringify(Array.from({ length: 1_500 }, (_, n) => createRecord(n)));
    const { code, stderr } = await harness.importContent(town, `${whole.slice(0, -1)},{"kind":`, {
      name: 'x.json',
    });
    assert.equal(code, 1);
    const run = await readNewestRun(town);
    assertRun(run, { state: 'failed', read: 1_500, inserted: 1_500, failure: run.failure });
    assert.match(
      run.failure,
      /x\.json is not valid JSON after entry 1500; .+ Records imported so far are kept/,
    );
    assert.ok(stderr.includes(run.failure));
  });

  test('with --strict and a rejected record is recorded as failed with counts of 0', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson([createRecord(1), createInvalidRecord(2)]), {
      flags: ['--strict'],
    });
    const run = await readNewestRun(town);
    assertRun(run, { state: 'failed', failure: run.failure, sourceName: null });
    assert.match(run.failure, /line 2 .+ With --strict, nothing was imported\.$/);
    assert.deepEqual(run.rejections, []);
    await harness.importContent(town, toNdjson([createRecord(1)]), { flags: ['--strict'] });
    assertRun(await readNewestRun(town), { read: 1, inserted: 1 });
  });

  test('that is a dry run, or fails before it starts, is not recorded', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson([createRecord(1), createInvalidRecord(2)]), {
      flags: ['--dry-run'],
    });
    await harness.importContent(town, ['nowhere.ndjson']);
    await harness.importContent(town, toNdjson([createRecord(1)]), { flags: ['--time-zone', 'Nowhere'] });
    assert.deepEqual(await readHistory('--organization', town.id), []);
  });

  test('is removed with its municipality', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson([createInvalidRecord(1)]));
    const { id } = await readNewestRun(town);
    await assertSucceeds(workspace.withDatabase('organization', 'remove', town.id, '--yes'));
    assert.deepEqual(await workspace.sql('SELECT 1 FROM import_run WHERE id = $1', [id]), []);
    assert.deepEqual(await workspace.sql('SELECT 1 FROM import_rejection WHERE run_id = $1', [id]), []);
  });
});

test('the history contains no content of rejected records or unreadable files', async () => {
  const town = await harness.createMunicipality();
  const secret = 'Erika Mustermann';
  const fields = [
    'kind',
    'status',
    'createdAt',
    'statusChangedAt',
    'protocolUrl',
    'supportCount',
    'hasAttachments',
  ];
  const records = fields.map((field, n) => ({
    ...createRecord(n),
    [field]: field === 'status' ? `${secret}\n` : secret,
  }));
  const more = [
    { ...createRecord(50), deleted: secret },
    { ...createRecord(51), createdAt: '1961-02-30T00:00:00Z' },
    { ...createRecord(52), author: secret },
  ];
  const tables = [
    ['id', 'description', 'createdAt'],
    ['1', secret, '2026-03-01T00:00:00Z'],
  ];
  const oddlyQuoted = `2,${secret} "E",2026-03-01T00:00:00Z\n3,"${secret}"E,2026-03-01T00:00:00Z\n4,${secret}\n`;
  const inputs: [name: string, content: string][] = [
    ['x.ndjson', toNdjson([...records, ...more]) + secret],
    ['x.csv', toCsv(',', tables) + oddlyQuoted],
    ['y.csv', `${secret},${secret},1\n`],
    ['y.json', `[${secret}`],
    ['z.csv', `${toCsv(',', tables)}2,"${secret}`],
  ];
  for (const [name, content] of inputs) await harness.importContent(town, content, { name });
  const told = [];
  for (const { id } of await readHistory('--organization', town.id)) told.push(await readHistory(id));
  const rejections = told.flatMap((run) => run.rejections);
  assert.equal(told.length, inputs.length);
  assert.ok(rejections.length >= records.length + more.length, JSON.stringify(rejections));
  for (const part of ['Erika', 'Mustermann', '1961'])
    assert.ok(!JSON.stringify(told).includes(part), JSON.stringify(told));
});

suite('an unfinished import', { skip: byNight('it starts and ends processes') }, () => {
  /** Starts an import from standard input, which stays open. */
  async function begun(town: Municipality) {
    const running = startCli(workspace.withDatabase('import', 'rostra', '-', '--organization', town.id), {
      input: '',
    });
    const input = running.child.stdin as NodeJS.WritableStream;
    input.write(
      toNdjson(Array.from({ length: 6_000 }, (_, n) => (n === 7 ? createInvalidRecord(n) : createRecord(n)))),
    );
    await waitUntil('a batch is imported', async () => {
      const [row] = await workspace.sql<{ read: number | string }>(
        'SELECT read FROM import_run WHERE organization_id = $1',
        [town.id],
      );
      return Number(row?.read) === 5_000;
    });
    return running;
  }

  test('is listed as running, with the counts so far, and after Ctrl-C as interrupted', async () => {
    const town = await harness.createMunicipality();
    const running = await begun(town);
    const run = await readNewestRun(town);
    assertRun(run, { state: 'running', read: 5_000, inserted: 4_999, rejected: 1 });
    assert.equal(run.endedAt, null);
    assert.equal(run.sources, 'standard input');
    assert.deepEqual(run.rejections, [
      { source: 'standard input', line: 8, entry: null, id: createSubmission(7).id, reason },
    ]);
    running.child.kill('SIGINT');
    assert.equal((await running.result).code, 130);
    const ended = await readNewestRun(town);
    assert.equal(ended.state, 'interrupted');
    assert.equal(ended.failure, null);
    assert.equal(ended.inserted, (await harness.listAll(town, '/submissions')).length);
    assert.deepEqual(ended.rejections, run.rejections);
  });

  test('that was killed is listed as stalled after a minute without a heartbeat', async () => {
    const town = await harness.createMunicipality();
    const running = await begun(town);
    running.child.kill('SIGKILL');
    await running.result;
    const { id, heartbeatAt } = await readNewestRun(town);
    const silentFor = (ms: number) =>
      workspace.sql('UPDATE import_run SET heartbeat_at = $2 WHERE id = $1', [
        id,
        new Date(Date.now() - ms).toISOString(),
      ]);
    assert.ok(Date.now() - Date.parse(heartbeatAt) < 60_000);
    await silentFor(50_000);
    assert.equal((await readNewestRun(town)).state, 'running');
    await silentFor(61_000);
    const run = await readNewestRun(town);
    assertRun(run, { state: 'stale', read: 5_000, inserted: 4_999, rejected: 1 });
    assert.match(
      await assertSucceeds(workspace.withDatabase('import', 'history', id)),
      /^outcome +stalled$/m,
    );
  });
});

suite('import history', { concurrency: 2 }, () => {
  test('prints a table, with the names of municipalities if it has all of them', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson([createRecord(1), createInvalidRecord(2)]));
    const all = (await assertSucceeds(workspace.withDatabase('import', 'history', '--limit', '1000'))).split(
      '\n',
    );
    const headings = ['READ', 'INSERTED', 'CHANGED', 'UNCHANGED', 'REMOVED', 'IGNORED', 'REJECTED', 'FROM'];
    assert.deepEqual(all[0]?.split(/ {2,}/), [
      'ID',
      'STARTED',
      'ORGANIZATION',
      'FORMAT',
      'OUTCOME',
      ...headings,
    ]);
    assert.equal(all.filter((line) => line.includes(town.name)).length, 1);
    const [first, row, ...others] = (
      await assertSucceeds(workspace.withDatabase('import', 'history', '--organization', town.name))
    ).split('\n');
    assert.deepEqual(first?.split(/ {2,}/), ['ID', 'STARTED', 'FORMAT', 'OUTCOME', ...headings]);
    assert.deepEqual(row?.split(/ {2,}/).slice(2, -1), ['rostra', 'done', '2', '1', '0', '0', '0', '0', '1']);
    assert.deepEqual(others, []);
  });

  test('aligns numbers, and marks times as UTC', async () => {
    const town = await harness.createMunicipality();
    for (const many of [1_200, 3])
      await harness.importContent(town, toNdjson(Array.from({ length: many }, (_, n) => createRecord(n))));
    const [headings = '', ...rows] = (
      await assertSucceeds(workspace.withDatabase('import', 'history', '--organization', town.name))
    ).split('\n');
    const column = (name: string) => {
      const end = headings.indexOf(name) + name.length;
      return rows.map((row) => /\S+$/.exec(row.slice(0, end))?.[0]);
    };
    assert.deepEqual(column('READ'), ['3', '1200']);
    assert.deepEqual(column('INSERTED'), ['0', '1200']);
    assert.deepEqual(column('UNCHANGED'), ['3', '0']);
    for (const row of rows) assert.match(row, / \d{4}-\d{2}-\d{2} \d{2}:\d{2}Z {2}rostra /);
  });

  test('prints one import with its rejected records, but not if it belongs to another municipality than --organization', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson([createRecord(1), createInvalidRecord(2)]));
    const { id } = await readNewestRun(town);
    const text = await assertSucceeds(
      workspace.withDatabase('import', 'history', id.toUpperCase(), '--organization', town.id),
    );
    assert.match(text, new RegExp(`^organization +${town.name}$`, 'm'));
    assert.match(text, new RegExp(`2 +${createSubmission(2).id} +${reason}$`, 'm'));
    const other = await harness.createMunicipality();
    const sentence = /^Unknown import ".*"\. "rostra import history" lists all\.$/m;
    for (const args of [[id, '--organization', other.id], [randomUUID()], ['x'], ['']])
      await assertFails(workspace.withDatabase('import', 'history', ...args), 1, sentence);
  });

  const wrong: [args: string[], code: number, sentence: RegExp][] = [
    [['history', '--limit', '0'], 2, /whole number from 1 to 1000/],
    [['history', '--limit', '1001'], 2, /whole number from 1 to 1000/],
    [['history', '--organization', 'nowhere'], 1, /Unknown municipality "nowhere"/],
    [['--database', 'other.db', 'rostra', 'x.ndjson'], 2, /unknown option '--database'/],
    [['--organization', 'x', 'rostra', 'x.ndjson'], 2, /unknown option '--organization'/],
  ];
  for (const [args, code, sentence] of wrong) {
    test(`rejects ${args.join(' ')}`, async () => {
      await assertFails(
        args.includes('--database') ? ['import', ...args] : workspace.withDatabase('import', ...args),
        code,
        sentence,
      );
    });
  }
});
