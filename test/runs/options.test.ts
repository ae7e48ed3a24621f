import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { assertNoStack, runCli } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { createSubmission, surveys } from '../support/records.ts';

const harness = await createImportHarness({ after });
const createRecord = (n: number) => ({ kind: 'submission', ...createSubmission(n) });
const createInvalidRecord = (n: number) => ({ kind: 'submission', ...createSubmission(n), supportCount: -1 });
const reason = 'supportCount must be >= 0';
const createImportArguments = (town: { id: string }, file: string, rejectedFile: string) =>
  harness.workspace.withDatabase(
    'import',
    'rostra',
    file,
    '--organization',
    town.id,
    '--rejected',
    rejectedFile,
  );
const createRecords = (count: number, make: (n: number) => object) =>
  Array.from({ length: count }, (_, n) => make(n));

suite('--dry-run', { concurrency: 2 }, () => {
  test('imports nothing, and counts the result of every record', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson([createRecord(1), createRecord(2)]));
    const meeting = {
      kind: 'session',
      id: 's',
      committeeName: 'Rat',
      date: '2026-03-01',
      submissions: [createSubmission(3).id],
    };
    const input = toNdjson([
      createRecord(1),
      { ...createRecord(2), status: 'accepted' },
      createRecord(3),
      meeting,
      { ...createRecord(3), supportCount: 8 },
      { ...createRecord(1), deleted: true },
    ]);
    const imported = await harness.importContent(town, input, { flags: ['--dry-run'] });
    assert.equal(imported.code, 3);
    assertCounts(imported, { inserted: 2, changed: 1, unchanged: 1, removed: 1, rejected: 1 });
    assert.equal((imported.counts as Record<string, unknown>).dryRun, true);
    const [two, one] = (await harness.listAll(town, '/submissions')).map(({ status }) => status);
    assert.deepEqual([one, two], ['submitted', 'submitted']);
    assert.deepEqual(await harness.listAll(town, '/sessions'), []);
    const real = await harness.importContent(town, input);
    assertCounts(real, { inserted: 2, changed: 1, unchanged: 1, removed: 1, rejected: 1 });
  });

  test('rejects a session that precedes its submission, exactly like the import', async () => {
    const town = await harness.createMunicipality();
    const meeting = { kind: 'session', committeeName: 'Rat', date: '2026-03-01' };
    const input = toNdjson([
      createRecord(1),
      { ...meeting, id: 's1', submissions: [createSubmission(1).id, createSubmission(2).id] },
      createRecord(2),
      { ...meeting, id: 's2', submissions: [createSubmission(2).id] },
    ]);
    for (const flags of [['--dry-run'], []]) {
      const imported = await harness.importContent(town, input, { flags });
      assertCounts(imported, { inserted: 3, rejected: 1 });
      assert.match(imported.stderr, /line 2 .*entry 2 refers to the unknown submission/);
    }
  });

  test('of more than one batch imports nothing', async () => {
    const town = await harness.createMunicipality();
    const imported = await harness.importContent(town, toNdjson(createRecords(5_500, createRecord)), {
      flags: ['--dry-run'],
    });
    assert.equal(imported.code, 0);
    assertCounts(imported, { inserted: 5_500 });
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });

  test('is named in the summary', async () => {
    const town = await harness.createMunicipality();
    const file = harness.workspace.writeFile('dry.ndjson', toNdjson([createRecord(1)]));
    const { stdout } = await runCli(
      harness.workspace.withDatabase('import', 'rostra', file, '--organization', town.id, '--dry-run'),
    );
    assert.match(
      stdout,
      /^Dry run: nothing was imported\. The import would result in:\nread +1\ninserted +1\n/,
    );
  });
});

suite('--strict', { concurrency: 2 }, () => {
  test('imports texts with every kind of line break completely', async () => {
    const town = await harness.createMunicipality();
    const description = 'a\u2028b\u2029c\nd\r\ne';
    const imported = await harness.importContent(town, toNdjson([{ ...createRecord(1), description }]), {
      flags: ['--strict'],
    });
    assert.equal(imported.code, 0, imported.stderr);
    assert.equal((await harness.listAll(town, '/submissions'))[0].description, description);
  });

  test('imports nothing if one record is invalid, ends with 1, and reports the record with the reason', async () => {
    const town = await harness.createMunicipality();
    const input = toNdjson([
      ...createRecords(2_400, createRecord),
      createInvalidRecord(2_400),
      ...createRecords(10, (n) => createRecord(3_000 + n)),
    ]);
    const { code, stdout, stderr } = await harness.importContent(town, input, { flags: ['--strict'] });
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      new RegExp(
        `Rejected .+records\\.ndjson, line 2401 \\(${createSubmission(2_400).id}\\): ${reason}\\. With --strict, nothing was imported\\.`,
      ),
    );
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });

  test('imports everything if every record is valid', async () => {
    const town = await harness.createMunicipality();
    const imported = await harness.importContent(town, toNdjson(createRecords(1_500, createRecord)), {
      flags: ['--strict'],
    });
    assert.equal(imported.code, 0);
    assertCounts(imported, { inserted: 1_500 });
    assert.equal((await harness.listAll(town, '/submissions')).length, 1_500);
  });

  test('imports nothing if the input is truncated', async () => {
    const town = await harness.createMunicipality();
    const input = JSON.stringify(createRecords(1_500, createRecord)).slice(0, -20);
    const { code, stderr } = await harness.importContent(town, input, { flags: ['--strict'] });
    assert.equal(code, 1);
    assert.match(stderr, /is not valid JSON after entry 1499; it may be truncated.+Nothing was imported\./s);
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });

  test('with --dry-run reports the invalid record and imports nothing', async () => {
    const town = await harness.createMunicipality();
    const { code, stderr } = await harness.importContent(
      town,
      toNdjson([createRecord(1), createInvalidRecord(2)]),
      {
        flags: ['--strict', '--dry-run'],
      },
    );
    assert.equal(code, 1);
    assert.match(stderr, /line 2/);
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });
});

suite('rejected records', { concurrency: 2 }, () => {
  const folderOf = (name: string) => {
    const folder = join(harness.workspace.folder, name);
    mkdirSync(folder);
    return folder;
  };

  test('up to five for one reason are listed with file, line, id and reason; the others are imported; the exit code is 3', async () => {
    const town = await harness.createMunicipality();
    const folder = folderOf('five');
    const other = { ...createRecord(9), createdAt: 'soon' };
    const file = harness.workspace.writeFile(
      'five.ndjson',
      toNdjson([...createRecords(5, createInvalidRecord), other, createRecord(50)]),
    );
    const args = harness.workspace.withDatabase('import', 'rostra', file, '--organization', town.id);
    const { code, stdout, stderr } = await runCli(args, { folder });
    assert.equal(code, 3);
    assert.match(stdout, /^inserted +1$/m);
    assert.match(stdout, /^rejected +6$/m);
    const places = createRecords(5, (n) => ({
      place: `  ${file}, line ${n + 1} (${createSubmission(n).id})\n`,
    }));
    const shown = places.map((shown) => (shown as { place: string }).place).join('');
    assert.ok(stderr.includes(`Rejected 5 records: ${reason}\n${shown}`), stderr);
    assert.match(stderr, /^Rejected .+five\.ndjson, line 6 \(.+\): createdAt must be a time/m);
    assert.match(stderr, /6 records were rejected\.\n$/);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('more than five for one reason are one message, and all are written to a file that only its owner can read', async () => {
    const town = await harness.createMunicipality();
    const folder = folderOf('more');
    const file = harness.workspace.writeFile(
      'more.ndjson',
      toNdjson([...createRecords(25, createInvalidRecord), createRecord(50)]),
    );
    const args = (path: string) =>
      harness.workspace.withDatabase('import', 'rostra', path, '--organization', town.id);
    const { code, stderr } = await runCli(args(file), { folder });
    assert.equal(code, 3);
    assert.equal(stderr.match(/^Rejected /gm)?.length, 1, stderr);
    assert.match(
      stderr,
      /^Rejected 25 records: supportCount must be >= 0\n( {2}\S+, line \d .+\n){5} {2}and 20 more\n/,
    );
    assert.deepEqual(readdirSync(folder), ['rostra-rejected']);
    const rejected = join(folder, 'rostra-rejected');
    assert.equal(statSync(rejected).mode & 0o777, 0o700);
    const [name = ''] = readdirSync(rejected);
    assert.equal(statSync(join(rejected, name)).mode & 0o777, 0o600);
    assert.ok(
      stderr.endsWith(
        `25 records were rejected. ${join('rostra-rejected', name)} lists them with the reason.\n`,
      ),
      stderr,
    );
    const written = readFileSync(join(rejected, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      written,
      createRecords(25, (n) => ({ source: file, line: n + 1, id: createSubmission(n).id, reason })),
    );
    writeFileSync(join(folder, 'records.ndjson'), toNdjson([createRecord(51)]));
    assert.equal(
      (await runCli(args(folder), { folder })).code,
      0,
      'the folder of rejected records is not read',
    );
  });

  test('for many reasons are shown for the 20 most frequent ones', async () => {
    const town = await harness.createMunicipality();
    const causes = createRecords(30, (n) => ({ ...createRecord(n), [`field${n}`]: 1 }));
    const input = toNdjson([...causes, ...createRecords(3, createInvalidRecord)]);
    const { stderr, rejections } = await harness.importContent(town, input);
    assert.equal(rejections.length, 33);
    assert.equal(stderr.match(/^Rejected /gm)?.length, 20);
    assert.match(stderr, /^Rejected 3 records: supportCount/);
    assert.match(stderr, /^11 more records were rejected for other reasons\.$/m);
  });

  test('are written to the file of --rejected; without rejections the file is empty', async () => {
    const town = await harness.createMunicipality();
    const { rejections, stderr } = await harness.importContent(town, toNdjson([createInvalidRecord(1)]));
    assert.equal(rejections.length, 1);
    assert.match(stderr, /1 record was rejected\. .+rejected\.ndjson lists it with the reason/);
    const file = harness.workspace.writeFile('none.ndjson', toNdjson([createRecord(1)]));
    const named = join(harness.workspace.folder, 'none-rejected');
    await runCli(createImportArguments(town, file, named));
    assert.equal(readFileSync(named, 'utf8'), '');
  });

  test('are counted if their file is full, and the other records are imported', async (t) => {
    if (!existsSync('/dev/full')) return t.skip('this system has no device that is full');
    const town = await harness.createMunicipality();
    const file = harness.workspace.writeFile(
      'full.ndjson',
      toNdjson([createRecord(1), createInvalidRecord(2), createRecord(3)]),
    );
    const args = createImportArguments(town, file, '/dev/full');
    const result = await runCli(args);
    assertNoStack(result);
    assert.equal(result.code, 3, result.stderr);
    assert.match(result.stderr, /the list of them could not be written \(.*ENOSPC/);
    assert.equal((await harness.listAll(town, '/submissions')).length, 2);
  });

  test('cannot be written to an unwritable file, which is reported', async () => {
    const town = await harness.createMunicipality();
    const file = harness.workspace.writeFile('unwritable.ndjson', toNdjson([createInvalidRecord(1)]));
    const named = join(harness.workspace.writeFile('plain', ''), 'refused');
    const result = await runCli(createImportArguments(town, file, named));
    assertNoStack(result);
    assert.ok(result.code === 1 || result.code === 2);
    assert.ok(result.stderr.includes(named));
  });

  test('replace those of an earlier import, but no other file, such as the input or the database', async () => {
    const town = await harness.createMunicipality();
    const { workspace } = harness;
    const input = workspace.writeFile(
      'again.ndjson',
      toNdjson([createInvalidRecord(1), createInvalidRecord(2)]),
    );
    const importTo = (named: string, ...flags: string[]) =>
      runCli(
        workspace.withDatabase(
          'import',
          'rostra',
          input,
          '--organization',
          town.id,
          '--rejected',
          named,
          ...flags,
        ),
      );
    const earlier = join(workspace.folder, 'earlier-rejected');
    assert.equal((await importTo(earlier)).code, 3);
    writeFileSync(input, toNdjson([createInvalidRecord(1)]));
    assert.equal((await importTo(earlier)).code, 3);
    assert.equal(readFileSync(earlier, 'utf8').trim().split('\n').length, 1);

    const log = workspace.writeFile('log.ndjson', '{"source":"app","line":"A line of a log"}\n');
    const others = [
      input,
      log,
      workspace.writeFile('note.txt', 'x'),
      workspace.writeFile('long.txt', 'A note of mine.'),
    ];
    for (const other of others) {
      const before = readFileSync(other, 'utf8');
      for (const flags of [[], ['--dry-run']]) {
        const result = await importTo(other, ...flags);
        assert.equal(result.code, 2, result.stderr);
        assert.match(result.stderr, /is not a list of rejected records\. Name another file/);
        assert.equal(readFileSync(other, 'utf8'), before);
      }
    }
  });

  test('of a JSON array are located by entry, of CSV by line', async () => {
    const town = await harness.createMunicipality();
    const array = await harness.importContent(
      town,
      JSON.stringify([createRecord(1), createInvalidRecord(2)]),
    );
    assert.deepEqual([array.rejections[0]?.entry, array.rejections[0]?.line], [2, undefined]);
    const csv = 'id,description,createdAt\n1,"a\nb",2026-03-01T00:00:00Z\n2,x,\n';
    const table = await harness.importContent(town, csv, { name: 'x.csv' });
    assert.equal(table.rejections[0]?.line, 4);
  });
});

test('--json prints the counts as one JSON object and nothing else on standard output', async () => {
  const town = await harness.createMunicipality();
  const { stdout, counts } = await harness.importContent(
    town,
    toNdjson([createRecord(1), createInvalidRecord(2)]),
  );
  assert.equal(JSON.stringify(counts, null, 2), stdout.trimEnd());
  const { seconds, ...others } = counts;
  assert.equal(typeof seconds, 'number');
  assert.deepEqual(others, {
    read: 2,
    inserted: 1,
    changed: 0,
    unchanged: 0,
    removed: 0,
    ignored: 0,
    rejected: 1,
    missing: 0,
    personalData: {},
    dryRun: false,
    submissions: {
      supportCount: { sum: 1, max: 1 },
      createdAt: { min: createSubmission(1).createdAt, max: createSubmission(1).createdAt },
      status: { submitted: 1 },
      otherStatuses: 0,
    },
    unmappedValues: {},
    notes: [],
  });
});

suite('the summary shows statistics on the imported records', { concurrency: 2 }, () => {
  const records = [
    { ...createRecord(1), supportCount: 40, status: 'accepted', createdAt: '2025-12-31T23:30:00Z' },
    { ...createRecord(2), supportCount: 2, status: 'accepted', createdAt: '2026-03-01T10:00:00Z' },
    { ...createRecord(3), supportCount: 0, status: '__proto__', createdAt: '1970-01-01T00:00:00Z' },
    { ...createRecord(4), supportCount: 900_000, status: 'refused', createdAt: 'never' },
    { kind: 'session', id: 's', committeeName: 'Rat', date: '2026-03-01', submissions: ['nowhere'] },
    { kind: 'session', id: 't', committeeName: 'Rat', date: '2024-05-01' },
    { kind: 'session', id: 'u', committeeName: 'Rat', date: '2026-05-01' },
  ];

  test('as JSON, for imports and dry runs', async () => {
    const town = await harness.createMunicipality();
    for (const flags of [['--dry-run'], [], ['--dry-run']]) {
      const { stdout } = await harness.importContent(town, toNdjson(records), { flags });
      const { submissions, sessions } = JSON.parse(stdout);
      assert.deepEqual(submissions.supportCount, { sum: 42, max: 40 });
      assert.deepEqual(submissions.createdAt, {
        min: '1970-01-01T00:00:00.000Z',
        max: '2026-03-01T10:00:00.000Z',
      });
      assert.match(stdout, /"status": \{\s+"accepted": 2,\s+"__proto__": 1\s+\}/);
      assert.deepEqual(sessions, { date: { min: '2024-05-01', max: '2026-05-01' } });
    }
  });

  test('as text, with the 20 most frequent statuses', async () => {
    const town = await harness.createMunicipality();
    const words = createRecords(1_500, (n) => ({
      ...createRecord(n),
      status: n < 600 ? 'accepted' : `word ${n}`,
    }));
    const file = harness.workspace.writeFile('words.ndjson', toNdjson([...words, ...records.slice(-1)]));
    const { stdout } = await runCli(
      harness.workspace.withDatabase('import', 'rostra', file, '--organization', town.id),
    );
    assert.match(stdout, /^supportCount: sum \d+, maximum \d+$/m);
    assert.match(stdout, /^createdAt: 2026-\S+Z to 2026-\S+Z$/m);
    assert.match(stdout, /^date of sessions: 2026-05-01 to 2026-05-01$/m);
    assert.match(stdout, /^status: accepted \(600\)(, word \d+ \(1\)){19}, other words \(881\)$/m);
  });
});

test('a misspelt recommended value is published, and the summary suggests the right spelling', async () => {
  const town = await harness.createMunicipality();
  const records = [
    { ...createRecord(1), status: 'recieved' },
    { ...createRecord(2), status: 'recieved', priorityLevel: 'hihg' },
    { ...createRecord(3), status: 'im Bauausschuss', priorityLevel: 'neu' },
    { ...createRecord(4), status: 'received', priorityLevel: 'high' },
    { kind: 'survey', ...surveys[0], status: 'close' },
  ];
  const notes = [
    'status "recieved" (2) is not a recommended value. Did you mean "received"?',
    'priorityLevel "hihg" (1) is not a recommended value. Did you mean "high"?',
    'status "close" (1) is not a recommended value. Did you mean "closed"?',
  ];
  for (const flags of [['--dry-run'], []]) {
    const all = [...flags, '--already-anonymised'];
    const { counts } = await harness.importContent(town, toNdjson(records), { flags: all });
    assert.deepEqual(counts.notes, notes);
  }
  const published = await harness.listAll(town, '/submissions');
  assert.equal(published.filter(({ status }) => status === 'recieved').length, 2);
});

test('control characters of a source do not reach the terminal', async () => {
  const town = await harness.createMunicipality();
  const file = harness.workspace.writeFile(
    'orders.ndjson',
    toNdjson([{ ...createInvalidRecord(1), id: 'x\u001b]0;title\u0007\u009b31m' }]),
  );
  const { stdout, stderr } = await runCli(
    harness.workspace.withDatabase('import', 'rostra', file, '--organization', town.id),
  );
  assert.match(stderr, /\(x\ufffd\]0;title\ufffd\ufffd31m\)/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them
  assert.doesNotMatch(stdout + stderr, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
});
