/** Uploads of zip archives with several files. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correctTable } from '../../src/ingest/formats/survey/survey-metadata-entries.ts';
import { failureText } from '../support/failure-text.ts';
import { createPaper } from '../support/oparl-builders.ts';
import { composeTable, createRunBench, definition } from '../support/run-bench.ts';
import { buildZip } from '../support/zip-builder.ts';

test('an archive with surveys is one import of several files, and the tables of a source are found in it', async (t) => {
  const { upload, find, runQueue } = await createRunBench(t);
  const survey = (question: string) => `${question}\tJa\tNein\nAlle\t40\t60\nFrauen\t20\t30\n`;
  const surveys = await upload(
    buildZip([
      { name: 'tsv/1.tsv', content: survey('Fühlen Sie sich sicher?') },
      { name: 'tsv/2.tsv', content: survey('Fahren Sie Rad?') },
      { name: 'metadata.json', content: '{"1": {}}' },
    ]),
  );
  const tables = await upload(
    buildZip([
      { name: '1.csv', content: composeTable(3) },
      { name: '2.csv', content: composeTable(4, 4) },
      { name: 'readme.json', content: '{}' },
    ]),
    undefined,
    definition,
  );
  while ((await find(tables)).step !== 'dry_run' || (await find(tables)).state !== 'done') await runQueue();
  const { detection } = await find(surveys);
  assert.equal(detection?.formats[0]?.format, 'survey-table');
  assert.deepEqual(detection?.files, [
    'Export.csv/metadata.json',
    'Export.csv/tsv/1.tsv',
    'Export.csv/tsv/2.tsv',
  ]);
  const { dryRun } = await find(tables);
  assert.equal(dryRun?.counts.inserted, 7);
});

test('the metadata in an archive gives surveys their titles and questions, and that of the source takes precedence', async (t) => {
  const { upload, find, runQueue } = await createRunBench(t);
  const table = '\tJa\tNein\n2019\t40\t60\n2023\t30\t70\n';
  const archive = (metadata: unknown) =>
    buildZip([
      { name: 'tsv/10036.tsv', content: table },
      { name: 'tsv/10044.tsv', content: table },
      { name: 'metadata.json', content: JSON.stringify(metadata) },
    ]);
  // As official statistics publish them.
  const tables = [
    { id: 10036, title: 'Radwege', subtitle: '«Fahren Sie Rad?», Stadt', tsv: 'tsv/10036.tsv' },
    { id: 10044, title: 'Sicherheit', subtitle: '«Fühlen Sie sich sicher?», Stadt' },
  ];
  const surveys = { ...definition, format: 'survey-table', options: { totalFromRows: 'true' } };
  const corrected = { ...surveys, options: { ...surveys.options, metadata: '{"10036": {"title": "Rad"}}' } };
  const correctedOnly = { ...surveys, options: { ...surveys.options, metadata: '' } };
  correctedOnly.options.metadata = correctTable(undefined, '10036.tsv', { title: 'Rad', question: 'Rad?' });
  const bare = await upload(
    buildZip([
      { name: '10036.tsv', content: table },
      { name: '10044.tsv', content: table },
    ]),
    undefined,
    correctedOnly,
  );
  const unknown = await upload(archive(tables));
  const own = await upload(archive(tables), undefined, surveys);
  const replaced = await upload(archive(tables), undefined, corrected);
  const single = await upload(archive({ title: 'Umfragen' }), undefined, surveys);
  while ((await find(single)).state === 'queued') await runQueue();
  assert.equal((await find(unknown)).detection?.formats[0]?.format, 'survey-table');
  const listSurveys = async (run: typeof own) =>
    (await find(run)).dryRun?.samples.map(({ document: { title, questions } }) => [
      title,
      (questions as { questionText: string }[])[0]?.questionText,
    ]);
  const safety = [
    ['Sicherheit (2019)', 'Fühlen Sie sich sicher?'],
    ['Sicherheit (2023)', 'Fühlen Sie sich sicher?'],
  ];
  assert.deepEqual(await listSurveys(own), [
    ['Radwege (2019)', 'Fahren Sie Rad?'],
    ['Radwege (2023)', 'Fahren Sie Rad?'],
    ...safety,
  ]);
  assert.deepEqual(await listSurveys(replaced), [
    ['Rad (2019)', 'Fahren Sie Rad?'],
    ['Rad (2023)', 'Fahren Sie Rad?'],
    ...safety,
  ]);
  assert.deepEqual((await find(bare)).dryRun?.surveyTables, [
    { file: '10044.tsv', title: '10044', isUntitled: true, question: '10044', surveys: 2 },
    { file: '10036.tsv', title: 'Rad', isUntitled: false, question: 'Rad?', surveys: 2 },
  ]);
  assert.match(
    failureText(await find(single)),
    /metadata\.json describes a single table, but there are several/,
  );
});

test('an archive with different formats or different columns is refused, and the message lists them', async (t) => {
  const { upload, find, runQueue } = await createRunBench(t);
  const mixed = await upload(
    buildZip([
      { name: 'a.csv', content: composeTable(3) },
      { name: 'b.json', content: JSON.stringify([createPaper(1)]) },
      { name: 'c.json', content: JSON.stringify([createPaper(2)]) },
    ]),
  );
  const columns = await upload(
    buildZip([
      { name: 'a.csv', content: composeTable(3) },
      { name: 'b.csv', content: 'Nr,Beschreibung\n1,Laterne\n2,Baum\n' },
    ]),
  );
  while ((await find(columns)).state === 'queued') await runQueue();
  assert.match(
    failureText(await find(mixed)),
    /^Export\.csv has files of different formats: table \(Export\.csv\/a\.csv\), oparl \(2 files, such as Export\.csv\/b\.json\)\. Pack/,
  );
  assert.match(failureText(await find(columns)), /b\.csv has other columns than Export\.csv\/a\.csv/);
});
