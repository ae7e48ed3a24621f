import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createImportHarness } from '../support/import-harness.ts';
import { isNightly } from '../support/nightly.ts';

/** Open data of cities. It is not part of the project, so the tests are skipped without it. */
const shared = fileURLToPath(new URL('../../../shared/data', import.meta.url));
const findExample = (name: string) => fileURLToPath(new URL(`../../examples/${name}.yaml`, import.meta.url));

const listTables = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .map((name) => join(folder, name));

/** @returns the number of addresses by column, read without the importer: no cell of these columns has a comma */
function countPhotos(folder: string): Record<string, number> {
  const counts = { SubmittedPhoto: 0, ClosedPhoto: 0 };
  for (const file of listTables(folder)) {
    const text = readFileSync(file, 'utf8');
    counts.ClosedPhoto += text.match(/https?:\/\/[^,\s]+\/closed_photo\/[^,\s]+/g)?.length ?? 0;
    counts.SubmittedPhoto += text.match(/https?:\/\/[^,\s]+/g)?.length ?? 0;
  }
  return { ...counts, SubmittedPhoto: counts.SubmittedPhoto - counts.ClosedPhoto };
}

/** @returns the number of records by value of a field */
function countByValue(rows: readonly Record<string, unknown>[], field: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[String(row[field])] = (counts[String(row[field])] ?? 0) + 1;
  return counts;
}

suite('the example mappings import complete exports, and change nothing the second time:', () => {
  test('service requests of Boston', async (t) => {
    if (!isNightly) return t.skip('the nightly run imports 13,747 records twice');
    const folder = join(shared, 'boston-311-2015');
    if (!existsSync(folder)) return t.skip(`${folder} is missing`);
    const harness = await createImportHarness(t);
    const town = await harness.createMunicipality();
    const options = { format: 'table', flags: ['--mapping', findExample('boston-311')] } as const;
    const result = await harness.importContent(town, listTables(folder), options as never);
    assert.equal(result.code, 0, result.stderr);
    assert.equal(result.counts.inserted, 13_747);

    const submissions = await harness.listAll(town, '/submissions');
    assert.equal(new Set(submissions.map(({ id }) => id)).size, 13_747);
    assert.deepEqual(countByValue(submissions, 'status'), { completed: 11_634, received: 2_113 });
    assert.deepEqual(countByValue(submissions, 'topicCategoryName'), {
      'Abandoned Bicycle': 466,
      Graffiti: 4_284,
      'Street Lights': 7_956,
      Trees: 1_041,
    });
    assert.equal(countByValue(submissions, 'hasAttachments').true, 222 + 3_426 + 26 + 2_442);
    const case1 = submissions.find(({ referenceNumber }) => referenceNumber === '101001240735');
    assert.deepEqual(
      [case1.description, case1.status, case1.createdAt, case1.statusChangedAt],
      ['Street Light Outages', 'completed', '2015-01-01T05:25:23.000Z', '2015-01-02T21:17:43.000Z'],
    );
    assert.doesNotMatch(JSON.stringify(submissions), /@|MA 0\d|INTERSECTION|printed| St\b/i);

    const again = await harness.importContent(town, listTables(folder).toReversed(), options as never);
    assert.equal(again.counts.unchanged, 13_747);

    // The example leaves out the photos, which show places.
    const mapping = `${readFileSync(findExample('boston-311'), 'utf8')}
  documents: { columns: [SubmittedPhoto, ClosedPhoto] }
`;
    const flags = ['--mapping', harness.workspace.writeFile('photos.yaml', mapping)];
    const withPhotos = await harness.importContent(town, listTables(folder), {
      format: 'table',
      flags,
    } as never);
    assert.equal(withPhotos.code, 0, withPhotos.stderr);
    const photos = (await harness.listAll(town, '/search/submissions')).flatMap(({ documents }) => documents);
    assert.deepEqual(countByValue(photos, 'title'), countPhotos(folder));
  });

  test('participatory budgeting of New York', async (t) => {
    const folder = join(shared, 'nyc-participatory-budgeting');
    if (!existsSync(folder)) return t.skip(`${folder} is missing`);
    const harness = await createImportHarness(t);
    const town = await harness.createMunicipality();
    const options = {
      format: 'table',
      flags: ['--mapping', findExample('new-york-participatory-budgeting')],
    } as const;
    const result = await harness.importContent(town, listTables(folder), options as never);
    assert.equal(result.code, 0, result.stderr);
    assert.equal(result.counts.inserted, 1_491);

    const submissions = await harness.listAll(town, '/submissions');
    assert.deepEqual(countByValue(submissions, 'status'), { accepted: 539, rejected: 952 });
    assert.deepEqual(countByValue(submissions, 'createdAt'), {
      '2012-01-01T05:00:00.000Z': 89,
      '2013-01-01T05:00:00.000Z': 142,
      '2014-01-01T05:00:00.000Z': 141,
      '2015-01-01T05:00:00.000Z': 348,
      '2016-01-01T05:00:00.000Z': 377,
      '2017-01-01T05:00:00.000Z': 394,
    });
    const topics = countByValue(submissions, 'topicCategoryName');
    assert.equal(topics.null, 15);
    assert.equal(topics.Education, 401);
    assert.equal(topics['Parks & Recreation'], 250);
    assert.equal(topics.Youth, 32);
    assert.equal(
      submissions.reduce((sum, { supportCount }) => sum + supportCount, 0),
      831_523,
    );
    const letters = submissions.flatMap(({ description }) => description.match(/[^\n\x20-\x7e]/g) ?? []);
    assert.deepEqual([...new Set(letters)].toSorted(), ['–', '—', '’', '“', '”'].toSorted());

    const again = await harness.importContent(town, listTables(folder), options as never);
    assert.equal(again.counts.unchanged, 1_491);
  });
});
