/** Zip archives with several files of data, which count as folders. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runCli } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';
import { isNightly } from '../support/nightly.ts';
import {
  createConsultation,
  createItem,
  createMeeting,
  createOrganization,
  createPaper,
} from '../support/oparl-builders.ts';
import { createSubmission } from '../support/records.ts';
import { buildXlsx, toXlsxRows } from '../support/spreadsheet-builder.ts';
import { buildZip, type ZipContent } from '../support/zip-builder.ts';

const harness = await createImportHarness({ after });
const entry = (n: number) => ({ kind: 'submission', ...createSubmission(n) });
const record = (n: number) => toNdjson([entry(n)]);
const tableOf = (...ids: number[]) => [
  ['id', 'description', 'createdAt'],
  ...ids.map((id) => [String(id), `Text ${id}`, '2026-03-01T10:00:00Z']),
];
const table = (...ids: number[]) => toCsv(',', tableOf(...ids));

async function importZip(contents: readonly ZipContent[], options: ImportContentOptions = {}) {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, buildZip(contents), { name: 'x.zip', ...options });
  return { ...result, town };
}

const meeting = createMeeting(1, { agendaItem: [createItem(1, { result: 'mehrheitlich zugestimmt' })] });
const consultation = createConsultation(1);

test('council information in an archive is imported like its folder: links and statuses are the same', async () => {
  const contents = [
    { name: 'export/meetings.ndjson.gz', content: gzipSync(toNdjson([meeting])) },
    { name: 'export/papers.ndjson.gz', content: gzipSync(toNdjson([createPaper(1), createPaper(2)])) },
    { name: 'export/more/consultations.json', content: JSON.stringify([consultation]) },
    { name: 'export/.hidden.json', content: '{' },
    { name: 'export/.cache/papers.json', content: '{' },
    { name: '__MACOSX/export/._papers.json', content: 'x' },
    { name: 'export/empty.json', content: '' },
    { name: 'export/SOURCE.txt', content: 'Where this comes from' },
  ];
  const folder = join(harness.workspace.folder, 'oparl');
  for (const { name, content } of contents.slice(0, 3)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const [inFolder, inArchive] = [await harness.createMunicipality(), await harness.createMunicipality()];
  const expected = await harness.importContent(inFolder, [folder], { format: 'oparl' });
  const result = await harness.importContent(inArchive, buildZip(contents), {
    format: 'oparl',
    name: 'x.zip',
  });
  assert.equal(result.code, 0, result.stderr);
  assert.equal(result.counts.inserted, 3);
  for (const count of ['read', 'inserted', 'ignored', 'rejected'])
    assert.equal(result.counts[count], expected.counts[count], count);
  const submissions = await harness.listAll(inArchive, '/submissions');
  const describe = (list: { referenceNumber: string; status: string }[]) =>
    list.map(({ referenceNumber, status }) => `${referenceNumber}: ${status}`).toSorted();
  assert.deepEqual(describe(submissions), describe(await harness.listAll(inFolder, '/submissions')));
  assert.equal(submissions.filter(({ status }) => status === 'accepted').length, 1);
  const [session] = await harness.listAll(inArchive, '/sessions');
  assert.equal(session.submissionCount, 1);
});

const fileCount = isNightly ? 1_000 : 100;

test(`council information without types in ${fileCount} files is recognised by the names of lists, files and folders`, async () => {
  const untype = ({ type: _type, ...object }: Record<string, unknown>) => JSON.stringify(object);
  const others = Array.from({ length: fileCount }, (_, n) => createMeeting(n + 2));
  const contents = [
    { name: 'council/papers.json', content: `{"data":[${untype(createPaper(1))}]}` },
    { name: 'council/meetings/1.json', content: untype(meeting) },
    { name: 'council/all.json', content: `{"consultations":[${untype(consultation)}]}` },
    { name: 'council/Organizations.ndjson', content: untype(createOrganization(1, 'Rat')) },
    ...others.map((each, n) => ({ name: `council/meetings/${n + 2}.json`, content: untype(each) })),
    { name: 'council/notes/1.json', content: untype(createPaper(2)) },
  ];
  const { town, ...result } = await importZip(contents, { format: 'oparl' });
  assert.equal(result.counts.inserted, fileCount + 2, result.stderr);
  assert.deepEqual(
    result.rejections.map(({ source }) => source.split('/').at(-2)),
    ['notes'],
  );
  const [submission] = await harness.listAll(town, '/submissions');
  assert.equal(submission.status, 'accepted');
  const archive = harness.workspace.writeFile('detect.zip', buildZip(contents.slice(0, 4)));
  const { stdout } = await runCli(['import', 'detect', archive]);
  assert.match(stdout, /3 files, such as .*\n +oparl: its name is that of a list of OParl objects/);
});

test('spreadsheets, tables and gzip in an archive are imported together, only files of the format', async () => {
  const { counts, stderr } = await importZip(
    [
      { name: 'a.csv', content: table(1) },
      { name: 'b.xlsx', content: buildXlsx([{ name: 'b', rows: toXlsxRows(tableOf(2)) }]) },
      { name: 'c/d.CSV.gz', content: gzipSync(table(3)) },
      { name: 'metadata.json', content: '{}' },
    ],
    { format: 'table', flags: ['--mapping', harness.workspace.writeFile('zip.yaml', mapping)] },
  );
  assert.equal(counts.inserted, 3, stderr);
  assert.equal(counts.rejected, 0, stderr);
});

const mapping = 'submission:\n  id: id\n  description: description\n  createdAt: createdAt\n';

test('files are read in the order of their names, and a rejected record names the archive, the file and the line', async () => {
  const { stderr, rejections } = await importZip([
    { name: 'b.ndjson', content: '{"kind":"submission"}\n' },
    { name: 'a/papers.ndjson', content: `${record(1)}{"kind":"submission"}\n` },
  ]);
  assert.match(stderr, /x\.zip\/a\/papers\.ndjson, line 2/);
  assert.deepEqual(
    rejections.map(({ source, line }) => `${source.replace(/^.*x\.zip\//, '')} ${line}`),
    ['a/papers.ndjson 2', 'b.ndjson 1'],
  );
});

test('a second import of the same archive changes nothing', async () => {
  const contents = [1, 2, 3].map((n) => ({ name: `${n}.ndjson`, content: record(n) }));
  const { town, counts } = await importZip(contents);
  assert.equal(counts.inserted, 3);
  const again = await harness.importContent(town, buildZip(contents.toReversed()), { name: 'x.zip' });
  assert.equal(again.counts.unchanged, 3, again.stderr);
});

test('the formats in an archive are summarised like those of a folder', async () => {
  const path = harness.workspace.writeFile(
    'formats.zip',
    buildZip([
      { name: 'a.ndjson', content: record(1) },
      { name: 'b.ndjson', content: record(2) },
      { name: 'c.json', content: JSON.stringify([createPaper(1)]) },
      { name: 'd.json', content: '{}' },
    ]),
  );
  const { stdout, stderr, code } = await runCli(['import', 'detect', path]);
  assert.match(stdout, /formats\.zip: 4 files/);
  assert.match(stdout, /2 files, such as .*formats\.zip\/a\.ndjson\s+rostra: /);
  assert.match(stdout, /1 file, .*formats\.zip\/c\.json\s+oparl: /);
  assert.match(stdout, /formats\.zip\/d\.json: no format fits/);
  assert.match(stderr, /The format of some files is unknown/);
  assert.equal(code, 1);
});

test('a mapping is drafted from all tables of an archive, and different columns are an error', async () => {
  const draft = (contents: readonly ZipContent[]) =>
    runCli(['import', 'table', '--suggest', harness.workspace.writeFile('tables.zip', buildZip(contents))]);
  const same = await draft([
    { name: 'a.csv', content: table(1, 2) },
    { name: 'b.csv', content: table(3) },
  ]);
  assert.equal(same.code, 0, same.stderr);
  assert.match(same.stdout, /createdAt/);
  const different = await draft([
    { name: 'a.csv', content: table(1, 2) },
    { name: 'b.csv', content: 'number,text\n3,Text 3\n' },
  ]);
  assert.match(different.stderr, /tables\.zip\/b\.csv has other columns than .*tables\.zip\/a\.csv/);
  assert.equal(different.code, 1);
});

test('a table that is in an archive twice is read once, so a mapping is drafted with its identifier', async () => {
  const contents = [
    { name: 'a.csv', content: table(1, 2, 3) },
    { name: 'copy of a.csv', content: table(1, 2, 3) },
  ];
  const file = harness.workspace.writeFile('twice.zip', buildZip(contents));
  const { stdout } = await runCli(['import', 'table', '--suggest', file]);
  assert.match(stdout, /^ {2}id: id # 3 distinct of 3/m);
  const { counts } = await importZip(contents);
  assert.deepEqual([counts.inserted, counts.ignored], [3, 0]);
  assert.match(
    String(counts.notes),
    /x\.zip\/copy of a\.csv is not read, because another file of the archive has/,
  );
});

test('one note names the encoding of all files that are not UTF-8', async () => {
  const contents = [1, 2, 3].map((n) => ({
    name: `${n}.csv`,
    content: Buffer.from(table(n).replace('Text', 'Straße'), 'latin1'),
  }));
  const mapping = harness.workspace.writeFile(
    'mapping.yaml',
    'submission:\n  id: id\n  description: description\n  createdAt: createdAt\n',
  );
  const { counts, stderr } = await importZip(contents, { format: 'table', flags: ['--mapping', mapping] });
  assert.equal(counts.inserted, 3, stderr);
  assert.match(
    String(counts.notes),
    /^3 files, such as \S+x\.zip\/1\.csv, are not UTF-8 and are read as WINDOWS-1252\. Check letters with accents\.$/,
  );
});

test('two surveys with the same counts in an archive are both imported, because their files name them', async () => {
  const content = ',Ja,Nein\n,20,30\n';
  const { counts, stderr } = await importZip(
    [
      { name: 'Spielplatz.csv', content },
      { name: 'Schwimmbad.csv', content },
    ],
    { format: 'survey-table', flags: ['--total-from-rows'] },
  );
  assert.equal(counts.inserted, 2, stderr);
});

suite('nothing is imported, and a sentence names the remedy, for an archive', { concurrency: 2 }, () => {
  const two = [1, 2].map((n) => ({ name: `${n}.ndjson`, content: record(n) }));
  const zeros = Buffer.alloc(40 * 1024 ** 2, '\n');
  const unreadable: Record<string, [contents: ZipContent[], sentence: RegExp, format?: string]> = {
    'without a file of the format': [
      [1, 2].map((n) => ({ name: `${n}.csv`, content: table(n) })),
      /x\.zip has no file of this format \(\.json, .*also with \.gz\): it has "1\.csv", "2\.csv"/,
      'oparl',
    ],
    'with another archive beside data': [
      [...two, { name: 'inner.zip', content: buildZip(two) }],
      /x\.zip contains another archive, "inner\.zip": unpack it/,
    ],
    'with empty files': [two.map(({ name }) => ({ name, content: '' })), /without files, or all are empty/],
    'that grows a thousandfold with all files together (zip bomb)': [
      [1, 2].map((n) => ({ name: `${n}.ndjson`, content: zeros })),
      /x\.zip is not read, because it grows more than 200-fold when decompressed, as in an attack \(zip bomb\)/,
    ],
    'with a damaged file': [
      [{ ...two[0], checksum: 1 } as ZipContent, two[1] as ZipContent],
      /x\.zip\/1\.ndjson is damaged: the checksum of "1\.ndjson" is wrong/,
    ],
    'with a protected file': [
      [{ ...two[0], isEncrypted: true } as ZipContent, two[1] as ZipContent],
      /x\.zip\/1\.ndjson is protected with a password/,
    ],
  };
  for (const [what, [contents, sentence, format]] of Object.entries(unreadable)) {
    test(what, async () => {
      const { code, stderr } = await importZip(contents, { ...(format && { format }) });
      assert.match(stderr, sentence);
      assert.equal(code, 1, stderr);
    });
  }
});
