/** The lists of a dry run: what it found, record by record, in pages and as a file. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { QueuedRun } from '../../src/domain/run-queue.ts';
import { createUploadStorage } from '../../src/runs/upload-storage.ts';
import { createFormClient, createSignedInClient, decodeHtml, signIn } from '../support/form-client.ts';
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
  [...page.matchAll(/<tr class="kern-table__row">(.*?)<\/tr>/gs)]
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
  const pages = await Promise.all(['', '?page=2', '?page=9'].map(async (query) => anna.get(list + query)));
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
  assert.equal(heading, 'Quelle;Zeile;Eintrag;Spalte oder Feld;Grund');
  assert.ok(first.startsWith("Export.csv;3;;'=Datum;„Eingereicht“ (Spalte „=Datum“) passt nicht zu"), first);
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
