/** Pages of an import say in the language of the reader what it noticed, and why it failed. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFormClient, createSignedInClient, decodeHtml, signIn } from '../support/form-client.ts';
import { createRunBench, definition, lisa } from '../support/run-bench.ts';

/** What only the command line, logs and the API know. */
const commandWords = /--[a-z]|\brostra [a-z]|createdAt|statusChangedAt|timeSlot|>=|<=/;

const table = [
  'Nummer,Text,Stand,Datum,Notiz,',
  '1,Laterne,offen,01.03.2026,x,y',
  '2,Bank,neu,01.03.2026,x,y',
  '3,Baum,Erledigt,1. März,x,y',
  '4,Weg,erledigt,01.03.2026,x,y',
  '4,Weg,erledigt,01.03.2026,x,y',
  '5,Rad,erledig,01.03.2026,x,y',
  '6,,offen,01.03.2026,x,y',
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
    'Daten, die nicht veröffentlicht werden: Notiz, Spalte 6.',
    'Nicht übernommener Wert: „Status“ (Spalte „Stand“) hat keine Zuordnung für „erledig“ (1).',
    '„Status“ (Spalte „Stand“) enthält einen Wert ohne Zuordnung. Ordnen Sie ihn zu oder legen Sie fest, dass Zeilen mit ihm nicht veröffentlicht werden.',
    '„Eingereicht“ (Spalte „Datum“) ist kein Datum wie 17.03.2026. Berichtigen Sie die Zelle oder das Datumsformat der Zuordnung.',
    '„Text“ (Spalte „Text“) fehlt',
    'Die Datei enthält diesen Datensatz schon an früherer Stelle',
  ])
    assert.ok(page.includes(`\n${sentence}\n`), `${sentence} in ${page}`);
  const english = await readPage(anna, path);
  assert.ok(english.includes('“Status” "recieved" (2) is not a recommended value.'));
  assert.ok(english.includes('“Submitted” (column “Datum”) is not a date such as 17.03.2026'));
});

test('reasons on English pages have neither commands nor names of the API', async (t) => {
  const { fixture, upload, find, runQueue, anna, german, readPage } = await createReaders(t);
  const { store } = fixture;
  const submission = { kind: 'submission', description: 'Bank', createdAt: '2026-03-01T09:15:00Z' };
  const session = {
    kind: 'session',
    committeeName: 'Rat',
    date: '2026-03-01',
    createdAt: submission.createdAt,
  };
  const records = [
    { ...submission, id: 1, statusChangedAt: '2026-02-01T09:15:00Z' },
    { ...submission, id: 2, supportCount: -1 },
    { ...submission, id: 3, description: 'x'.repeat(120_000) },
    { ...submission, id: 4, createdAt: undefined },
    { ...session, id: 5, submissions: ['1', '1'] },
    { ...session, id: 6, submissions: ['9'] },
    { ...session, id: 7, submissions: [], createdAt: '2070-03-01T09:15:00Z' },
    { ...session, id: 8, submissions: [], timeSlot: 'abends' },
  ];
  const run = await upload(JSON.stringify(records));
  await runQueue();
  const source = { ...definition, format: 'rostra', options: {} };
  await store.queueImportStep(run, 'dry_run', { definition: source }, lisa);
  await runQueue();
  assert.equal((await find(run)).state, 'done');
  const path = `imports/${run.id}/steps`;
  const english = await readPage(anna, path);
  for (const sentence of [
    'The status of 1 submission was changed before the submission: the time of the submission is published for both.',
    'In 1 session the recorded time was in the future: the time of the first import is published.',
    '“Supporters” must be at least 0',
    '“Text” has 120,000 characters; at most 100,000 are allowed',
    '“Submitted” is missing',
    'the agenda names a submission twice',
  ])
    assert.ok(english.includes(`\n${sentence}\n`), `${sentence} in ${english}`);
  assert.match(english, /entry 1 of the agenda refers to the unknown submission/);
  assert.match(english, /Record 2: session/);
  assert.doesNotMatch(english, /\["|\{"/, 'JSON in a sample');
  assert.doesNotMatch(english, commandWords);
  const inGerman = await readPage(german, path);
  assert.ok(inGerman.includes('„Text“ hat 120.000 Zeichen, erlaubt sind höchstens 100.000'), inGerman);
  assert.doesNotMatch(inGerman, commandWords);
});

test('a failed step names formats, options and the encoding of the reader, without foreign messages', async (t) => {
  const { fixture, upload, find, runQueue, anna, german, readPage } = await createReaders(t);
  const { store } = fixture;
  const run = await upload('q,a,b\n1,2,3\n');
  await runQueue();
  const source = { ...definition, format: 'survey-table', options: { threshold: '1', metadata: '{' } };
  await store.queueImportStep(run, 'dry_run', { definition: source }, lisa);
  await runQueue();
  assert.equal((await find(run)).state, 'failed');
  const path = `imports/${run.id}/steps`;
  assert.match(
    await readPage(german, path),
    /Die Einstellung „Kleinste veröffentlichte Anzahl“ der Quelle ist ungültig: Geben Sie eine ganze Zahl ab 3 an\. .+ Die Einstellung „Titel und Fragen“ der Quelle ist ungültig: Der Text ist kein gültiges JSON\./,
  );
  const english = await readPage(anna, path);
  assert.match(english, /The option “Smallest published number” of the source is invalid:/);
  assert.match(english, /The option “Titles and questions” of the source is invalid: The text is not/);
  assert.doesNotMatch(english, commandWords);
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
  assert.match(listed, /is not requested: its host is in a private network.+ Nothing was imported\./);
});

test('a file of answers is a survey, whose page shows no answer and says what readers would see', async (t) => {
  const { fixture, upload, find, runQueue, german, readPage } = await createReaders(t);
  const header = 'Antwort ID;Datum Abgeschickt;Letzte Seite;G01Q01;Ihr Kommentar?;Teil 2: Verkehr';
  const rows = Array.from({ length: 40 }, (_, n) =>
    [
      n,
      n < 30 ? '2026-02-01 10:00:00' : '',
      3,
      `A${n % 2}`,
      n % 2 ? 'Meine Frau Eva fährt Bus' : '',
      '',
    ].join(';'),
  );
  const run = await upload([header, ...rows].join('\n'));
  await runQueue();
  const { detection } = await find(run);
  assert.deepEqual(
    detection?.formats.map(({ format }) => format),
    ['survey-rows', 'table'],
  );
  assert.doesNotMatch(JSON.stringify(detection), /Eva|A1|2026-02-01/);
  const path = `imports/${run.id}/steps`;
  assert.match(await readPage(german, path), /Die Datei hat die Spalten von LimeSurvey-Antworten/);
  const asTable = await readPage(german, `${path}?settings=1&format=table`);
  assert.match(
    asTable,
    /Die Zeilen sehen wie einzelne Antworten auf eine Umfrage aus\. Deshalb ist keine Spalte zugeordnet/,
  );
  assert.doesNotMatch(asTable, /Eva/);

  const survey = { ...definition, format: 'survey-rows', options: {} };
  await fixture.store.queueImportStep(run, 'dry_run', { definition: survey }, lisa);
  await runQueue();
  const page = await readPage(german, path);
  for (const sentence of [
    '10 nicht abgeschlossene Teilnahmen werden nicht gezählt, außer Sie wählen',
    'Anstelle von Fragen und Antworten wären Codes zu sehen: „G01Q01“, „A0“, „A1“.',
    'Nicht veröffentlicht, weil sie keine Antworten enthalten, wie Seitenüberschriften: Teil 2: Verkehr.',
  ])
    assert.ok(page.includes(sentence), `${sentence}\n${page}`);
  assert.doesNotMatch(page, commandWords);
});
