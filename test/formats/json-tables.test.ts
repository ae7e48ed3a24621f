/** Lists of objects in JSON, read as a table. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertFails, assertSucceeds, runCli } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { createTableImporter } from './table-importer.ts';

const harness = await createImportHarness({ after });
const { importTable } = createTableImporter(harness);

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
    assert.match(stdout, /table: the objects of its list "features\[\]\.properties"/);
    const draft = await assertSucceeds(['import', 'table', file, '--suggest']);
    assert.match(draft, /id: id /);
    assert.match(draft, /^ {2}location: geometry /m);
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
    assert.equal(reasons.filter((reason) => /has no object "properties"/.test(reason)).length, 3);
  });

  test('in a file that cannot be read end the import with a sentence', async () => {
    const collection = toCollection([toFeature('a', properties)]);
    const wrong: [content: string, sentence: RegExp][] = [
      [toCollection([]), /has an empty list at "features"/],
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

/** Of a CKAN DataStore, with values as its documentation shows. */
const ckan = {
  help: 'https://data.example/api/3/action/help_show?name=datastore_search',
  success: true,
  result: {
    include_total: true,
    limit: 32_000,
    records_format: 'objects',
    resource_id: '6f0d3c52-6b0e-4d4a-9a53-2f0d6c8e1b47',
    records: [
      {
        _id: 1,
        nummer: 9_007_199_254_740_993n,
        betreff: 'Laterne defekt',
        eingang: '2026-03-02T08:00:00',
        rubrik: { id: 4, name: 'Beleuchtung' },
        stichworte: ['Licht', null, 'Strom'],
        ort: { strasse: 'Hauptstr. 1', lage: { type: 'Point', coordinates: [8.403_712_3, 49.006_912_3] } },
        stimmen: 3,
        foto: true,
        verlauf: [{ datum: '2026-03-03', text: 'In Arbeit' }],
      },
      {
        _id: 2,
        nummer: 9_007_199_254_740_992n,
        betreff: 'Schlagloch',
        eingang: '2026-03-03T08:00:00',
        rubrik: null,
        stichworte: [],
        stimmen: null,
        foto: false,
      },
    ],
    fields: ['_id', 'nummer', 'betreff', 'eingang', 'rubrik', 'stichworte', 'stimmen', 'foto'].map((id) => ({
      id,
      type: 'text',
      info: { label: id, notes: 'A note on the column that is longer than any of the records. '.repeat(5) },
    })),
    _links: { start: '/api/3/action/datastore_search', next: '/api/3/action/datastore_search?offset=100' },
    total: 2,
  },
};

/** Writes integers that a number would round. */
const toExactJson = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `<${each}>` : each)).replaceAll(
    /"<(\d+)>"/g,
    '$1',
  );

const ckanMapping = `submission:
  id: nummer
  referenceNumber: nummer
  description: { columns: [betreff, stichworte], join: ": " }
  createdAt: eingang
  topicCategoryName: rubrik.name
  supportCount: stimmen
  hasAttachments: { column: foto, values: { "true": "true", "false": "false" } }
`;

suite('a list of objects', () => {
  test('of CKAN is found beside the list of its columns, and imported with nested objects and lists', async () => {
    for (const mapping of [ckanMapping, `records: result.records\n${ckanMapping}`]) {
      const town = await harness.createMunicipality();
      const result = await importTable(town, toExactJson(ckan), mapping);
      assertCounts(result, { inserted: 2 });
      const published = await harness.listAll(town, '/submissions');
      assert.deepEqual(
        published
          .map((row) => [
            row.referenceNumber,
            row.topicCategoryName,
            row.description,
            row.supportCount,
            row.hasAttachments,
          ])
          .toSorted(),
        [
          ['9007199254740992', null, 'Schlagloch', 0, false],
          ['9007199254740993', 'Beleuchtung', 'Laterne defekt: Licht, Strom', 3, true],
        ],
      );
    }
  });

  test('has no columns with geometries', async () => {
    const town = await harness.createMunicipality();
    for (const place of [
      ckan.result.records[0]?.ort?.lage,
      { x: 8.4, y: 49 },
      { lat: 49, lng: 8.4, zoom: 3 },
    ]) {
      const rows = [
        { nr: 1, text: 'Lamp', date: '2026-03-02', ort: { strasse: 'Hauptstr. 1', lage: place } },
      ];
      const columns = Object.keys(place ?? {}).map((name) => `ort.lage.${name}`);
      const mapping = `submission: { id: nr, description: { columns: [text, ${columns}] }, createdAt: date }\n`;
      const { stderr } = await importTable(town, JSON.stringify(rows), mapping);
      assert.match(stderr, /has no column "ort\.lage\.(?:type|x|lat)"/);
    }
  });

  test('of ArcGIS is drafted with its times in milliseconds, and without its ids and addresses', async () => {
    const columns = ['OBJECTID', 'CASE_NO', 'SUMMARY', 'DATEOPENED', 'CLOSED', 'STATUS', 'OWNER', 'REF'];
    const features = Array.from({ length: 30 }, (_, n) => ({
      attributes: {
        OBJECTID: 1_700_000_001 + n,
        CASE_NO: `A-${n}`,
        SUMMARY: `Pothole number ${n}`,
        DATEOPENED: 1_772_438_400_000 + n,
        ...(n === 29 && { CLOSED: 1_772_524_800_000 }),
        STATUS: n % 2 ? 'Open' : 'Closed',
        OWNER: 'Anna Muster',
        REF: 1_700_000_001_000 + n,
        PLACE: { STREET: 'Main St 1', WARD: 'North' },
      },
      geometry: { x: 8.403_712_3, y: 49.006_912_3 },
    }));
    const answer = {
      objectIdFieldName: 'OBJECTID',
      geometryType: 'esriGeometryPoint',
      spatialReference: { wkid: 4326 },
      fields: columns.map((name) => ({ name, type: 'esriFieldTypeString', alias: name, domain: null })),
      exceededTransferLimit: true,
      features,
    };
    const file = harness.workspace.writeFile('arcgis.json', JSON.stringify(answer));
    const draft = await assertSucceeds(['import', 'table', file, '--suggest']);
    assert.match(draft, /^records: "features\[\]\.attributes"$/m);
    assert.match(draft, /column: DATEOPENED\n {4}date: unix-ms # unix-ms in 30 of 30 rows/);
    assert.match(draft, /statusChangedAt:\n {4}column: CLOSED\n {4}date: unix-ms/);
    assert.match(draft, /id: CASE_NO/);
    assert.match(draft, /"PLACE\.STREET": streets, by its name/);
    assert.match(draft, /"OWNER": names of people, by its name/);
    assert.doesNotMatch(draft, /(?:OBJECTID|REF)\n {4}date:|Other lists/);
    const town = await harness.createMunicipality();
    assertCounts(await importTable(town, [file], draft), { inserted: 30 });
    const rows = await harness.workspace.sql('SELECT * FROM submission WHERE organization_id = $1', [
      town.id,
    ]);
    assert.match(JSON.stringify(rows), /2026-03-02T08:00:00\.029Z|1772438400029/);
    assert.doesNotMatch(JSON.stringify(rows), /49\.0069|8\.4037|Muster"|Main St/);
  });

  test('is drafted with columns of late objects, and with the other lists of the file', async () => {
    const objects = Array.from({ length: 1_100 }, (_, nr) => ({
      ...{
        nr,
        text: `Lamp ${nr}`,
        date: '2026-03-02',
        category: { name: 'Light' },
        person: { name: 'Anna' },
      },
      ...(nr > 1_050 && { closed: '2026-03-04' }),
    }));
    const content = JSON.stringify({ ideas: objects, comments: [{ id: 1, body: 'Yes' }] });
    const file = harness.workspace.writeFile('late.json', content);
    const draft = await assertSucceeds(['import', 'table', file, '--suggest']);
    assert.match(draft, /# CHECK: the list with the most text\. Other lists: "comments"\nrecords: ideas/);
    assert.match(draft, /column: closed/);
    assert.match(draft, /topicCategoryName: category\.name/);
    assert.match(draft, /"person\.name": names of people/);
    const other = await assertSucceeds(['import', 'table', file, '--suggest', '--records', 'comments']);
    assert.match(other, /description: body/);
  });

  test('has the same rows in an array, in lines, and below any path', async () => {
    const rows = [1, 2].map((nr) => ({ nr, text: `Lamp ${nr}`, date: '2026-03-02' }));
    const nodes = { data: { ideas: { edges: rows.map((node) => ({ cursor: 'x', node })), pageInfo: {} } } };
    const contents: [content: string, records?: string][] = [
      [JSON.stringify(rows)],
      [toNdjson(rows)],
      [toNdjson(rows), '[]'],
      [JSON.stringify(rows[0]), '[]'],
      [JSON.stringify(nodes)],
      [JSON.stringify(nodes), 'data.ideas.edges[].node'],
      [toNdjson([nodes, nodes]), 'data.ideas.edges[].node'],
      [JSON.stringify({ data: rows.map(({ nr, ...attributes }) => ({ type: 'x', id: nr, attributes })) })],
    ];
    const town = await harness.createMunicipality();
    for (const [content, records] of contents) {
      const mapping = `${records === undefined ? '' : `records: "${records}"\n`}submission: { id: ${/attributes/.test(content) ? 'id' : 'nr'}, description: text, createdAt: date }\n`;
      const result = await importTable(town, content, mapping);
      assert.equal(result.code, 0, result.stderr);
    }
    const published = await harness.listAll(town, '/submissions');
    assert.deepEqual(published.map(({ description }) => description).toSorted(), ['Lamp 1', 'Lamp 2']);
  });

  test('may have members that only late objects have', async () => {
    const objects = Array.from({ length: 1_200 }, (_, nr) => ({
      ...{ nr, text: 'Lamp', date: '2026-03-02' },
      ...(nr > 1_100 && { closed: '2026-03-04T00:00:00Z' }),
    }));
    const town = await harness.createMunicipality();
    const content = JSON.stringify(objects);
    const mapping = 'submission: { id: nr, description: text, createdAt: date, statusChangedAt: closed }\n';
    assertCounts(await importTable(town, content, mapping, ['--dry-run']), { inserted: 1_200 });
    const misspelt = await importTable(town, content, mapping.replace('closed', 'closedd'));
    assert.match(misspelt.stderr, /no column "closedd" of the mapping.*"closed"/);
  });

  test('has no columns with names of more than 300 characters', async () => {
    const row = {
      nr: 1,
      text: 'Lamp',
      date: '2026-03-02',
      ['a.'.repeat(100_000)]: 1,
      b: { ['c'.repeat(300)]: 1 },
    };
    const town = await harness.createMunicipality();
    const mapping = 'submission: { id: nr, description: text, createdAt: date }\n';
    const result = await importTable(town, JSON.stringify([row]), mapping);
    assertCounts(result, { inserted: 1 });
    assert.ok(result.stdout.length + result.stderr.length < 3_000);
  });

  test('rejects single objects with the reason', async () => {
    const town = await harness.createMunicipality();
    const row = { nr: 1, text: 'Lamp', date: '2026-03-02' };
    const deep = `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`;
    const content = `[${JSON.stringify(row)}, 5, {"nr":2,"nr":3}, {"nr":4,"a":${deep}}, {"a.b":1,"a":{"b":2}}]`;
    const { rejections } = await importTable(
      town,
      content,
      'submission: { id: nr, description: text, createdAt: date }\n',
    );
    assert.deepEqual(
      rejections.map(({ entry, reason }) => [entry, reason]),
      [
        [2, 'must be an object'],
        [3, 'has "nr" twice in the same object: leave one of them out'],
        [4, 'is nested more than 100 levels deep'],
        [5, 'has two values for the column "a.b": a name with a dot, and an object with this member'],
      ],
    );
  });

  const rows = [{ nr: 1, text: 'Lamp', date: '2026-03-02' }];
  const faults: Record<string, [content: unknown, records: string | undefined, sentence: RegExp]> = {
    'is missing': [{ a: 1 }, undefined, /x\.csv has no list of objects in its first MiB\. .*name "\[\]"\./],
    'is not at the path': [
      { a: rows, b: [{ c: 1 }] },
      'result.records',
      /has no list "result\.records"\. Its lists of objects are "a", "b"/,
    ],
    'has no object at the path': [{ a: rows }, 'a[].node', /has no objects with values at "a\[\]\.node"/],
    'is in a text': [{ d: JSON.stringify(rows) }, undefined, /has a list inside a text, "d"/],
    'is empty': [{ result: { records: [] } }, undefined, /has an empty list at "result\.records"/],
    'has lists': [
      {
        columns: [{ name: 'nr' }],
        data: [
          ['nr', 'text'],
          [1, 'Lamp'],
        ],
      },
      undefined,
      /has lists in place of objects at "data"/,
    ],
    'has lists at the path': [{ data: [['nr', 'text']] }, 'data', /has lists in place of objects at "data"/],
    'has no valid path': [rows, 'a[].b[].c', /records must be a path such as result\.records/],
  };
  for (const [what, [content, records, sentence]] of Object.entries(faults))
    test(`ends the import with a remedy if it ${what}`, async () => {
      const town = await harness.createMunicipality();
      const mapping = `${records === undefined ? '' : `records: "${records}"\n`}submission: { id: nr, description: text, createdAt: date }\n`;
      const { code, stderr } = await importTable(town, JSON.stringify(content), mapping);
      assert.match(stderr, sentence);
      assert.notEqual(code, 0);
    });

  test('may be empty if the mapping names it', async () => {
    const town = await harness.createMunicipality();
    const mapping = 'records: a\nsubmission: { id: nr, description: text, createdAt: date }\n';
    assertCounts(await importTable(town, '{"a":[]}', mapping), {});
  });
});
