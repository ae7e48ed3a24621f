/** A dry run says which new records other sources have published, before they are published twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormClient, createSignedInClient, decodeHtml, signIn } from '../support/form-client.ts';
import { createRunBench, definition, lisa } from '../support/run-bench.ts';

const mapping = [
  'submission:',
  '  id: Nummer',
  '  description: Text',
  '  createdAt: { column: Datum, date: DD.MM.YYYY }',
].join('\n');

const composeTable = (rows: readonly string[]) => ['Nummer,Text,Datum', ...rows].join('\n');

test('a dry run counts new records that equal those of other sources, and links three of them', async (t) => {
  const { fixture, upload, find, runQueue } = await createRunBench(t);
  const { store, a } = fixture;
  const server = await fixture.startServer();
  const anna = await createSignedInClient(server, store, a);
  const german = createFormClient(server.address, 'de');
  await signIn(german, anna.email);

  /** @returns the path of the run, after its dry run */
  async function tryTable(name: string, rows: readonly string[]) {
    const run = await upload(composeTable(rows));
    await runQueue();
    const source = { ...definition, name, options: { mapping } };
    await store.queueImportStep(run, 'dry_run', { definition: source }, lisa);
    await runQueue();
    assert.equal((await find(run)).state, 'done');
    return { run, path: `/admin/organizations/${a}/imports/${run.id}/steps` };
  }
  const read = async (client: Pick<typeof german, 'get'>, path: string) =>
    decodeHtml((await client.get(path)).body);
  const words = ['Laterne defekt', 'Bank zerbrochen', 'Baum gestürzt', 'Weg gesperrt', 'Rad verlassen'];
  const rows = words.map((text, n) => `${n + 1},${text},0${n + 1}.03.2026`);

  const first = await tryTable('Mängelmelder', rows);
  assert.doesNotMatch(await read(anna, first.path), /Equal records of other sources/);
  await store.queueImportStep(first.run, 'import', {}, lisa);
  await runQueue();
  assert.equal((await find(first.run)).step, 'import');

  const again = await tryTable('Mängelmelder', [...rows, '6,Laterne defekt,01.03.2026']);
  assert.doesNotMatch(await read(anna, again.path), /Equal records of other sources/, 'of the source itself');

  const second = await tryTable('Rathaus', [
    // Another number, and what people do not see: blanks and case.
    ...words.slice(0, 4).map((text, n) => `R${n},  ${text.toUpperCase()} ,0${n + 1}.03.2026`),
    'R5,Rad verlassen,06.03.2026',
    'R6,Rad gefunden,05.03.2026',
  ]);
  const english = await read(anna, second.path);
  assert.match(english, /4 of 6 compared new records are already published/);
  assert.match(english, /Some come from the source “Mängelmelder”/);
  const links = [...english.matchAll(/href="([^"]+\/submissions\/[0-9a-f-]{36})"/g)].map(
    ([, link]) => link ?? '',
  );
  assert.equal(links.length, 3);
  for (const link of links) assert.match(await read(anna, link), /Laterne|Bank|Baum|Weg/);
  assert.match(
    await read(german, second.path),
    /4 von 6 verglichenen neuen Datensätzen sind bereits veröffentlicht/,
  );

  const single = await tryTable('Rathaus', ['R1,Baum gestürzt,03.03.2026']);
  assert.match(await read(anna, single.path), /1 of 1 compared new records is already published/);
});
