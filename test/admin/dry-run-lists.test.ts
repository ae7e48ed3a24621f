/** The lists of a dry run: what it found, record by record, in pages and as a file. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs, { readdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { maxListBytes, maxListedEntries } from '../../src/domain/runs/dry-run-lists.ts';
import type { QueuedRun } from '../../src/domain/runs/run-queue.ts';
import { createUploadStorage } from '../../src/ingest/runs/upload-storage.ts';
import { createTemporaryFolder, toNdjson } from '../support/files.ts';
import { createFormClient, createSignedInClient, decodeHtml, signIn } from '../support/form-client.ts';
import { createSession, createSubmission, formatSubmissionId, formatSurveyId } from '../support/records.ts';
import { createRunBench, definition, lisa } from '../support/run-bench.ts';

async function createReaders(t: TestContext) {
  const bench = await createRunBench(t);
  const { fixture, folder } = bench;
  const server = await fixture.startServer({ ROSTRA_UPLOAD_FOLDER: folder });
  const anna = await createSignedInClient(server, fixture.store, fixture.a);
  const bert = await createSignedInClient(server, fixture.store, fixture.b);
  const german = createFormClient(server.address, 'de');
  await signIn(german, anna.email);
  return { ...bench, anna, bert, german };
}

const importPath = ({ organizationId, id }: QueuedRun) =>
  `/admin/organizations/${organizationId}/imports/${id}`;

/** The rows of the only table of a page, without its headings. */
const readRows = (page: string) =>
  [...page.matchAll(/<tr class="kern-table__row"[^>]*>(.*?)<\/tr>/gs)]
    .map(([, row = '']) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
        decodeHtml(cell.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')).trim(),
      ),
    )
    .slice(1);

/** A definition whose dates are in a column that a spreadsheet would take for a formula. */
const withFormula = {
  ...definition,
  options: {
    mapping: definition.options.mapping?.replace('column: Datum', 'column: "=Datum"') ?? '',
  },
};

/** Ids are email addresses. The first row is right, the dates of the others are not. */
const composeFaultyTable = (faulty: number) =>
  [
    'Nummer,Text,Stand,=Datum',
    '0,Bank,offen,01.03.2026',
    ...Array.from({ length: faulty }, (_, n) => `nr${n}@stadt.example,Baum,offen,"März ${n}"`),
  ].join('\n');

test('all rejected records of a dry run are listed in pages, and downloaded without values of the source', async (t) => {
  const { upload, find, runQueue, anna, bert, german, fixture, folder } = await createReaders(t);
  const run = await upload(composeFaultyTable(120), undefined, withFormula);
  await runQueue();
  const path = importPath(run);
  const report = decodeHtml((await anna.get(`${path}/steps`)).body);
  assert.match(report, /The first 10 of 120 rejected records are listed\./);
  assert.ok(report.includes(`href="${path}/steps/rejected"`));
  const list = `${path}/steps/rejected`;
  const pages = [await anna.get(list), await anna.get(`${list}?page=2`), await anna.get(`${list}?page=9`)];
  const count = (length: number, from: number) => Array.from({ length }, (_, n) => from + n);
  assert.deepEqual(
    pages.map(({ body }) => readRows(body).map(([, line]) => Number(line))),
    [count(50, 3), count(50, 53), count(20, 103)],
  );
  assert.match(pages[2]?.body ?? '', /Results 101–120 of 120/);
  assert.doesNotMatch(pages[0]?.body ?? '', /Only the first/);
  const { body: csv, headers } = await german.get(`${list}.csv`);
  assert.match(headers.get('content-type') ?? '', /^text\/csv/);
  const [heading, first = '', ...others] = csv.trim().split('\r\n');
  assert.equal(heading, 'Datei oder Internetadresse;Zeile;Eintrag;Spalte oder Feld;Grund');
  assert.ok(
    first.startsWith("Export.csv;3;;'=Datum;„Eingereicht“ (Spalte „=Datum“) ist kein Datum wie 17.03.2026."),
    first,
  );
  assert.equal(others.length, 119);
  assert.doesNotMatch(csv, /@stadt|März/);
  for (const page of [list, `${list}.csv`]) assert.notEqual((await bert.get(page)).status, 200);

  await fixture.store.queueImportStep(run, 'import', undefined, lisa);
  await runQueue();
  assert.equal((await find(run)).state, 'done');
  assert.equal((await anna.get(list)).status, 404);
  const finished = await anna.get(`${path}/rejected.csv`);
  assert.equal(finished.body.trim().split('\r\n').length, 101);
  assert.ok((await anna.get(path)).body.includes(`href="${path}/rejected.csv"`));
  await createUploadStorage(folder, 1).remove(run);
  assert.deepEqual(readdirSync(folder), [], 'the lists are removed with the file');
});

const records = {
  ...definition,
  name: 'Datensätze',
  format: 'rostra',
  options: { alreadyAnonymised: 'true' },
  maxDeletedPercent: 100,
};

/** 600 characters with the same beginning. */
const composeLongText = (end: string) => `${'Der Weg ist lang. '.repeat(32)}${end}`;

const survey = (title: string, question: string, count: number) => ({
  kind: 'survey',
  surveyId: formatSurveyId(901),
  title,
  status: 'closed',
  totalResponses: 400 + count,
  questions: [
    {
      questionText: question,
      questionType: 'single_choice',
      options: [
        { optionText: 'oft', responseCount: 400 },
        { optionText: 'nie', responseCount: count },
      ],
    },
  ],
});

const submission = (n: number, fields: object = {}) => ({
  kind: 'submission',
  ...createSubmission(n, fields),
});

const session = (n: number, agenda: number[], fields: object = {}) => ({
  kind: 'session',
  ...createSession(n, { submissions: agenda.map(formatSubmissionId), ...fields }),
});

test('the samples of a dry run begin with the records that the import adds or changes', async (t) => {
  const { upload, runQueue, anna, fixture } = await createReaders(t);
  const published = Array.from({ length: 12 }, (_, n) => submission(920 + n, { description: `Bank ${n}` }));
  const source = { ...records, maxDeletedPercent: null };
  const first = await upload(toNdjson(published), undefined, source);
  await runQueue();
  await fixture.store.queueImportStep(first, 'import', undefined, lisa);
  await runQueue();
  const next = [...published.with(11, submission(931, { description: 'Weg gesperrt' }))];
  const run = await upload(
    toNdjson([...next, submission(932, { description: 'Neue Laterne' })]),
    undefined,
    source,
  );
  await runQueue();
  const { body } = await anna.get(`${importPath(run)}/steps`);
  const samples = [...body.matchAll(/sample-record__text"[^>]*>([^<]+)</g)].map(([, text]) => text);
  assert.deepEqual(samples.slice(0, 4), ['Weg gesperrt', 'Neue Laterne', 'Bank 0', 'Bank 1']);
  assert.equal(samples.length, 10);
});

const plan = { title: 'Plan', url: 'https://rat.example.org/1', mediaType: null };
const minutes = { title: 'Protokoll', url: 'https://rat.example.org/2', mediaType: 'text/html' };

test('changed records of a dry run are listed before and after, and those that disappear, without numbers of surveys', async (t) => {
  const { upload, runQueue, anna, german, fixture } = await createReaders(t);
  const first = await upload(
    toNdjson([
      submission(901, { description: composeLongText('Ende'), hasAttachments: false }),
      submission(902),
      submission(903, { description: 'Laterne am Markt' }),
      submission(904, { description: 'Baum' }),
      session(901, [901], { timeSlot: '16:30' }),
      session(902, [901], { committeeName: 'Bauausschuss', documents: [plan, minutes] }),
      session(903, [902]),
      survey('Radfahren', 'Wie oft?', 120),
    ]),
    undefined,
    records,
  );
  await runQueue();
  await fixture.store.queueImportStep(first, 'import', undefined, lisa);
  await runQueue();
  const run = await upload(
    toNdjson([
      submission(901, { description: composeLongText('max@stadt.example'), hasAttachments: true }),
      submission(902),
      { ...submission(904), deleted: true },
      session(901, [902, 901], { timeSlot: '18:00' }),
      session(902, [902], {
        committeeName: 'Bauausschuss',
        documents: [
          { ...plan, title: 'Lageplan' },
          { ...minutes, mediaType: null },
        ],
      }),
      session(904, [901]),
      survey('Radfahren 2026', 'Wie häufig?', 261),
    ]),
    undefined,
    records,
  );
  await runQueue();
  const path = importPath(run);
  const report = await anna.get(`${path}/steps`);
  for (const list of ['changed', 'removed'])
    assert.ok(report.body.includes(`href="${path}/steps/${list}"`), list);
  assert.match(report.body, />3<span class="hidden-text">, Records that will be removed/);
  const { body } = await german.get(`${path}/steps/changed`);
  assert.deepEqual(
    readRows(body).map(([title = '', ...cells]) => [title.slice(0, 16), ...cells]),
    [
      [
        'Der Weg ist lang',
        'Text',
        `…${composeLongText('Ende').slice(-64)}`,
        `…${composeLongText('').slice(-60)}[E-Mail]`,
      ],
      ['Der Weg ist lang', 'Anlagen', 'nein', 'ja'],
      ['Committee 901', 'Uhrzeit', '16:30', '18:00'],
      ['Committee 901', 'Tagesordnung', '–', 'geändert'],
      [
        'Bauausschuss',
        'Dokumente',
        'Plan (https://rat.example.org/1); Protokoll (https://rat.example.org/2, text/html)',
        'Lageplan (https://rat.example.org/1); Protokoll (https://rat.example.org/2)',
      ],
      ['Bauausschuss', 'Tagesordnung', '–', 'geändert'],
      ['Radfahren 2026', 'Titel', 'Radfahren', 'Radfahren 2026'],
      ['Radfahren 2026', 'Teilnahmen', '–', 'geändert'],
      ['Radfahren 2026', 'Fragen', '–', 'geändert'],
    ],
  );
  // Without attributes, which contain random ids.
  assert.doesNotMatch(body.replaceAll(/<[^>]*>/g, ' '), /max@|\b(520|661)\b/);
  const removed = await german.get(`${path}/steps/removed`);
  assert.deepEqual(readRows(removed.body), [
    ['Baum', 'Anliegen', '01.03.2026'],
    ['Laterne am Markt', 'Anliegen', '01.03.2026'],
    ['Committee 903', 'Sitzung', '17.03.2026'],
  ]);
  const keeping = await upload(toNdjson([submission(901), session(901, [901])]), undefined, {
    ...records,
    maxDeletedPercent: null,
  });
  await runQueue();
  const kept = `${importPath(keeping)}/steps`;
  assert.ok((await anna.get(kept)).body.includes(`href="${kept}/missing"`));
  assert.deepEqual(readRows((await german.get(`${kept}/missing`)).body), [
    ['Submission 902', 'Anliegen', '01.03.2026'],
    ['Laterne am Markt', 'Anliegen', '01.03.2026'],
    ['Baum', 'Anliegen', '01.03.2026'],
    ['Bauausschuss', 'Sitzung', '17.03.2026'],
    ['Committee 903', 'Sitzung', '17.03.2026'],
  ]);
  const link = /href="([^"]+\/data\/submissions\/[^"]+)"/.exec(removed.body)?.[1] ?? '';
  assert.equal((await anna.get(link)).status, 200);
});

test('a list of a dry run ends at its limits, and a dry run goes on without a list that cannot be written', async (t) => {
  const uploads = createUploadStorage(createTemporaryFolder(t), 1);
  const run = { organizationId: randomUUID(), id: randomUUID() };
  const problems: string[] = [];
  const lists = await uploads.openLists(run, (problem) => problems.push(problem));
  const gone = { kind: 'submission', id: formatSubmissionId(1), title: 'Baum', at: null } as const;
  lists.add('removed', gone);
  assert.deepEqual(lists.close(), { changed: 0, removed: 0, missing: 0, rejected: 0 });
  assert.match(problems.join(), /^A list of the dry run was not written: ENOENT/);

  await uploads.save(run, 'Export.csv', Readable.from([Buffer.from('x')]), 1, []);
  const { statfsSync } = fs;
  const restore = () => {
    fs.statfsSync = statfsSync;
    syncBuiltinESMExports();
  };
  t.after(restore);
  fs.statfsSync = ((path: string) => ({ ...statfsSync(path), bavail: 0 })) as typeof statfsSync;
  syncBuiltinESMExports();
  const withoutSpace = await uploads.openLists(run, (problem) => problems.push(problem));
  withoutSpace.add('removed', gone);
  assert.deepEqual(withoutSpace.close(), { changed: 0, removed: 0, missing: 0, rejected: 0 });
  assert.equal(problems.at(-1), 'A list of the dry run was not written: the disk is nearly full');
  const halfway = await uploads.openLists(run, (problem) => problems.push(problem));
  halfway.add('removed', { ...gone, title: 'x'.repeat(100_000) });
  restore();
  assert.deepEqual(halfway.close(), { changed: 0, removed: 0, missing: 0, rejected: 0 });
  assert.equal(problems.length, 3, 'the failure is reported once');

  const limited = await uploads.openLists(run, assert.fail);
  for (let n = 0; n <= maxListedEntries; n += 1) limited.add('removed', gone);
  const fields = [{ field: 'description', before: 'x'.repeat(maxListBytes / 4), after: '' }];
  for (let n = 0; n < 5; n += 1) limited.add('changed', { ...gone, fields });
  const listed = limited.close();
  assert.deepEqual(listed, { changed: 3, removed: maxListedEntries, missing: 0, rejected: 0 });
  const rest = await Array.fromAsync(uploads.readList(run, 'removed', maxListedEntries - 1));
  assert.deepEqual(rest, [gone]);
});
