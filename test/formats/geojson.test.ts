/** Properties of GeoJSON features, read as a table. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertFails, assertSucceeds, runCli } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });

const mapping = harness.workspace.writeFile(
  'features.yaml',
  'submission: { id: id, description: text, createdAt: date, topicCategoryName: tags, supportCount: votes }\n',
);
const toFeature = (id: unknown, properties: unknown) => ({
  type: 'Feature',
  id,
  geometry: { type: 'Point', coordinates: [8.403_712_3, 49.006_912_3] },
  properties,
});
const toCollection = (features: readonly unknown[]) =>
  JSON.stringify({ type: 'FeatureCollection', crs: { type: 'name' }, features }, null, 2);
const properties = { text: 'Lamp', date: '2026-03-02T08:00:00Z', tags: ['light', 'park'], votes: 3 };

const importFeatures = async (content: string) => {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, content, {
    format: 'table',
    name: 'x.geojson',
    flags: ['--mapping', mapping],
  });
  return { town, result };
};

suite('features of GeoJSON', () => {
  test('are imported by their properties, and no coordinates are stored', async () => {
    const features = [
      toFeature('a', properties),
      toFeature(2, { ...properties, votes: null, nested: { text: 'x' } }),
    ];
    for (const content of [toCollection(features), toNdjson(features)]) {
      const { town, result } = await importFeatures(content);
      assertCounts(result, { inserted: 2 });
      const published = await harness.listAll(town, '/submissions');
      assert.deepEqual(
        published.map(({ description, topicCategoryName }) => [description, topicCategoryName]),
        [
          ['Lamp', 'light, park'],
          ['Lamp', 'light, park'],
        ],
      );
      assert.deepEqual(published.map(({ supportCount }) => supportCount).toSorted(), [0, 3]);
      const rows = await harness.workspace.sql('SELECT * FROM submission WHERE organization_id = $1', [
        town.id,
      ]);
      assert.doesNotMatch(JSON.stringify(rows), /49\.0069|8\.4037/);
    }
  });

  test('are not read if they have more than 4,096 properties', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`p${n}`, n]));
    const { town, result } = await importFeatures(
      toCollection([toFeature('a', properties), toFeature('b', { ...properties, ...many })]),
    );
    assert.match(result.stderr, /x\.geojson has more than 4,096 columns/);
    assert.equal(result.code, 1);
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });

  test('are detected, and a mapping is suggested', async () => {
    const features = Array.from({ length: 20 }, (_, n) => toFeature(n, { ...properties, text: `Lamp ${n}` }));
    const file = harness.workspace.writeFile('detect.geojson', toCollection(features));
    const { stdout } = await runCli(['import', 'detect', file]);
    assert.match(stdout, /table: the properties of its GeoJSON features/);
    const draft = await assertSucceeds(['import', 'table', file, '--suggest']);
    assert.match(draft, /id: id /);
    assert.doesNotMatch(draft, /coordinates/);
  });

  test('that are invalid are rejected, and the others are imported', async () => {
    const { result } = await importFeatures(
      toCollection([
        toFeature('a', properties),
        5,
        { type: 'Point' },
        toFeature('b', null),
        toFeature('c', properties),
      ]),
    );
    assertCounts(result, { inserted: 2, rejected: 3 });
    const reasons = result.rejections.map(({ reason }) => reason);
    assert.equal(reasons.filter((reason) => /is not a feature with properties/.test(reason)).length, 2);
  });

  test('in a file that cannot be read end the import with a sentence', async () => {
    const collection = toCollection([toFeature('a', properties)]);
    const wrong: [content: string, sentence: RegExp][] = [
      [toCollection([]), /has no GeoJSON features with properties/],
      [collection.replace('"text"', '"Text"'), /has no column "text" of the mapping/],
      [collection.slice(0, -30), /is not valid JSON after entry|is not JSON/],
    ];
    for (const [n, [content, sentence]] of wrong.entries()) {
      const town = await harness.createMunicipality();
      const file = harness.workspace.writeFile(`wrong-${n}.geojson`, content);
      const args = ['import', 'table', file, '--mapping', mapping, '--organization', town.id];
      await assertFails(harness.workspace.withDatabase(...args), 1, sentence);
    }
  });
});
