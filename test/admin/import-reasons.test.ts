/** Pages of an import say in the language of the reader what it noticed, and why it failed. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFormClient, createSignedInClient, decodeHtml, signIn } from '../support/form-client.ts';
import { createRunBench, definition, lisa } from '../support/run-bench.ts';

const table = [
  'Nummer,Text,Stand,Datum,Notiz',
  '1,Laterne,offen,01.03.2026,x',
  '2,Bank,neu,01.03.2026,x',
  '3,Baum,Erledigt,1. März,x',
  '4,Weg,erledigt,01.03.2026,x',
  '4,Weg,erledigt,01.03.2026,x',
  '5,Rad,erledig,01.03.2026,x',
].join('\n');

const mapping = [
  'submission:',
  '  id: Nummer',
  '  description: Text',
  '  status: { column: Stand, values: { offen: recieved, neu: recieved, erledigt: completed } }',
  '  createdAt: { column: Datum, date: DD.MM.YYYY }',
].join('\n');

/** A bench, and clients in English and German that read the text of pages of its municipality. */
async function createReaders(t: TestContext) {
  const bench = await createRunBench(t);
  const { fixture } = bench;
  const server = await fixture.startServer();
  const anna = await createSignedInClient(server, fixture.store, fixture.a);
  const german = createFormClient(server.address, 'de');
  await signIn(german, anna.email);
  const readPage = async (client: typeof german, path: string) => {
    const { body } = await client.get(`/admin/organizations/${fixture.a}/${path}`);
    return decodeHtml(body.replaceAll(/<[^>]+>/g, '\n').replaceAll(/\n+/g, '\n'));
  };
  return { ...bench, anna, german, readPage };
}

test('the notes of a dry run are in the language of the page, with its names of fields', async (t) => {
  const { fixture, upload, find, runQueue, anna, german, readPage } = await createReaders(t);
  const { store } = fixture;
  const run = await upload(table);
  await runQueue();
  await store.queueImportStep(run, 'dry_run', { definition: { ...definition, options: { mapping } } }, lisa);
  await runQueue();
  assert.equal((await find(run)).state, 'done');
  const path = `imports/${run.id}/steps`;
  const page = await readPage(german, path);
  for (const sentence of [
    '„Status“: „recieved“ (2) ist kein empfohlener Wert. Ist „received“ gemeint?',
    '„Status“: Als „recieved“ werden veröffentlicht: „offen“ (1), „neu“ (1).',
    'Daten, die nicht veröffentlicht werden: Notiz.',
    'Abgelehnter Wert: „Status“ (Spalte „Stand“) hat keine Zuordnung für „erledig“ (1).',
    '„Status“ (Spalte „Stand“) enthält einen Wert ohne Zuordnung. Ordnen Sie ihn zu oder geben Sie einen Standardwert an',
    '„Eingereicht“ (Spalte „Datum“) passt nicht zu DD.MM.YYYY. Berichtigen Sie die Zelle oder das Datumsformat der Zuordnung',
    'Die Datei enthält diesen Datensatz schon an früherer Stelle',
  ])
    assert.ok(page.includes(`\n${sentence}\n`), `${sentence} in ${page}`);
  assert.ok((await readPage(anna, path)).includes('“Status” "recieved" (2) is not a recommended value.'));
});

test('pages of a failed step, of its run and of its source say in their language why it failed', async (t) => {
  const { fixture, upload, find, runQueue, anna, german, readPage } = await createReaders(t);
  const { store, a } = fixture;
  const run = await upload('%PDF-1.7 no table');
  await runQueue();
  assert.deepEqual((await find(run)).failure, { code: 'file-is-pdf', file: 'Export.csv' });
  const path = `imports/${run.id}/steps`;
  assert.match(
    await readPage(german, path),
    /Fehlermeldung:\s+Export\.csv ist ein PDF-Dokument\. Bitten Sie um die Daten als CSV oder JSON\./,
  );
  assert.match(
    await readPage(anna, path),
    /Export\.csv is a PDF document: ask for its data as CSV or JSON\./,
  );

  await store.addSource(a, { ...definition, name: 'Mit Adresse', url: 'https://127.0.0.1/x.csv' });
  await fixture.runCli('source', 'run', 'Mit Adresse', '--organization', a).catch(() => undefined);
  const source = await readPage(german, 'sources/Mit%20Adresse');
  assert.match(
    source,
    /https:\/\/127\.0\.0\.1\/x\.csv wird nicht abgerufen: Der Rechnername lässt sich nicht auflösen/,
  );
  assert.match(source, /Es wurde nichts importiert\./);
  const listed = await fixture.runCli('source', 'show', 'Mit Adresse', '--organization', a);
  assert.match(listed, /is not requested: its host name cannot be resolved.+ Nothing was imported\./);
});
