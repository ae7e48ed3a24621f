/** Points in the formats of sources, with the mistakes that exports have. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Municipality } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';
import { createSubmission } from '../support/records.ts';

const harness = await createImportHarness({ after });
const { store, workspace } = harness;

type Coordinates = [longitude: number, latitude: number];

async function createTown(country = 'DE', decimals: '3' | '4' = '4'): Promise<Municipality> {
  const town = await harness.createMunicipality();
  await store.editOrganization(town.id, { locationDecimals: decimals, country });
  return town;
}

/** @returns the points in the order of the descriptions, and the notes */
async function importPoints(town: Municipality, content: string, options: ImportContentOptions = {}) {
  const flags = [...(options.flags ?? []), '--locations', 'on'];
  const { counts, code, rejections, ...result } = await harness.importContent(town, content, {
    ...options,
    flags,
  });
  const { notes = [] } = counts as unknown as { notes?: string[] };
  const stderr = [result.stderr, ...notes].join('\n');
  const found = await harness.listAll(town, '/search/submissions');
  const points: (Coordinates | null)[] = found
    .toSorted((one, other) => (one.description < other.description ? -1 : 1))
    .map(({ location }) => location?.coordinates ?? null);
  return { points, stderr, counts, code, rejections };
}

let mappings = 0;
async function importTable(
  rows: readonly (readonly [first: string, second?: string])[],
  location: string,
  country?: string,
) {
  mappings += 1;
  const mapping = workspace.writeFile(
    `locations-${mappings}.yaml`,
    `delimiter: tab\nsubmission: { id: id, description: id, createdAt: { constant: 2026-03-01 }, location: ${location} }\n`,
  );
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const lines = rows.map(([first, second = ''], n) => [`r${100 + n}`, first, second].map(quote).join('\t'));
  return importPoints(await createTown(country), ['id\ta\tb', ...lines].join('\n'), {
    format: 'table',
    name: 'table.tsv',
    flags: ['--mapping', mapping],
  });
}

/** Of a note, by the beginning of its reason. */
const noted = (stderr: string, reason: RegExp) => {
  const line = stderr.split('\n').find((each) => reason.test(each));
  return Number(/of (\d+) record/.exec(line ?? '')?.[1] ?? 0);
};

suite('two columns of a table', { concurrency: 4 }, () => {
  test('are latitude and longitude, with a decimal point or comma, degrees and directions', async () => {
    const { points } = await importTable(
      [
        ['52.52', '13.405'],
        ['52,52', '13,405'],
        [' 52.52° ', '13.405 °'],
        ['52.52 N', '13.405 E'],
        ['33.9 S', '70.5 W'],
        ['13.405° E', '52.52° N'],
        ['52°31\'12"N', '13° 24′ 18″ E'],
        ['N 52.52', 'E13.405'],
      ],
      '{ columns: [a, b] }',
    );
    const berlin = [13.405, 52.52];
    assert.deepEqual(points, [berlin, berlin, berlin, berlin, [-70.5, -33.9], berlin, berlin, berlin]);
  });

  test('are left out with counted notes if they are no valid point', async () => {
    const { points, stderr, counts } = await importTable(
      [
        ['52.52', '13.405'],
        ['', ''],
        ['0', '0'],
        ['0.0', '-0,0'],
        ['NaN', '13.4'],
        ['near the school', 'x'],
        ['52.52', ''],
        ['1e400', '1'],
        ['91', '13'],
        ['45', '181'],
        ['3456789.12', '5428000.34'],
        ['13.405', '52.52'],
        ['52.5 N', '13.4 S'],
      ],
      '{ columns: [a, b] }',
    );
    assert.deepEqual(points, [[13.405, 52.52], ...Array.from({ length: 12 }, () => null)]);
    assert.deepEqual([counts.inserted, counts.rejected], [13, 0]);
    assert.deepEqual(
      [/are not two numbers/, /are 0 and 0/, /beyond the poles/, /are swapped/].map((one) =>
        noted(stderr, one),
      ),
      [5, 2, 3, 1],
      stderr,
    );
    assert.doesNotMatch(stderr, /near the school|3456789/);
  });

  test('with swapped values are published if nothing tells it: another country has such places', async () => {
    const { points } = await importTable([['13.405', '52.52']], '{ columns: [a, b] }', 'SE');
    assert.deepEqual(points, [[52.52, 13.405]]);
  });

  test('begin with the longitude on request', async () => {
    const { points } = await importTable(
      [['13.405', '52.52']],
      '{ columns: [a, b], order: longitude-first }',
    );
    assert.deepEqual(points, [[13.405, 52.52]]);
  });
});

/** As PROJ 9 converts them (pyproj 3.7.2), east first. */
const systems: [code: string, east: string, north: string, expected: Coordinates, country: string][] = [
  ['25832', '389000.123', '5819000.456', [7.364416, 52.50981], 'DE'],
  ['25833', '389000.123', '5819000.456', [13.364416, 52.50981], 'DE'],
  ['25831', '389000', '5700000', [1.40291, 51.440303], 'FR'],
  ['25830', '440000', '4474000', [-3.707199, 40.41446], 'ES'],
  ['31466', '2566000.5', '5650000.25', [6.939244, 50.981422], 'DE'],
  ['31467', '3456789.12', '5428000.34', [8.408572, 48.987812], 'DE'],
  ['31468', '4468000.5', '5334000.25', [11.568559, 48.14322], 'DE'],
  ['31469', '5412000.5', '5656000.25', [13.743564, 51.032438], 'DE'],
  ['3857', '1492000', '6894000', [13.402864, 52.516175], 'DE'],
  ['2056', '2683000', '1248000', [8.53769, 47.377607], 'CH'],
  ['21781', '683000', '248000', [8.53769, 47.377607], 'CH'],
  ['2154', '652000', '6862000', [2.345812, 48.856248], 'FR'],
  ['28992', '121000', '487000', [4.887971, 52.369826], 'NL'],
  ['31370', '149000', '170000', [4.354555, 50.840411], 'BE'],
  ['2180', '638000', '486000', [21.020933, 52.22274], 'PL'],
  ['2263', '987000', '213000', [-73.990075, 40.751312], 'US'],
  ['4326', '52.52', '13.405', [13.405, 52.52], 'DE'],
];

suite('a reference system', { concurrency: 4 }, () => {
  for (const [code, first, second, expected, country] of systems)
    test(`EPSG ${code} is converted to within three metres`, async () => {
      const { points, stderr } = await importTable(
        [[first, second.replace('.', ',')]],
        `{ columns: [a, b], crs: ${code} }`,
        country,
      );
      const [longitude, latitude] = points[0] ?? [0, 0];
      const metres = Math.hypot(
        (latitude - expected[1]) * 111_000,
        (longitude - expected[0]) * 111_000 * Math.cos((latitude * Math.PI) / 180),
      );
      // Four decimals move a point by at most 7 metres.
      assert.ok(metres < 10, `${points[0]} is ${metres} metres off ${stderr}`);
    });

  test('is never guessed, and numbers that it does not have are left out', async () => {
    const { points, stderr } = await importTable(
      [
        ['3456789', '5428000'],
        ['1e9', '5428000'],
        ['0', '0'],
        ['999999999', '999999999'],
        ['8.4', '49'],
      ],
      '{ columns: [a, b], crs: "EPSG:31467" }',
    );
    assert.deepEqual([points[0] !== null, ...points.slice(1)], [true, null, null, null, null]);
    assert.equal(noted(stderr, /are 0 and 0/), 1);
  });

  for (const [reason, code, east, north, country] of [
    ['with swapped numbers of LV95', '2056', '1247000', '2683000', 'CH'],
    ['LV95 with numbers of LV03', '2056', '683000', '247000', 'CH'],
    ['LV03 with numbers of LV95', '21781', '2683000', '1247000', 'CH'],
    ['Gauß-Krüger without the number of the zone', '31467', '389000', '5819000', 'DE'],
    ['UTM with swapped numbers', '25832', '5819000', '389000', 'DE'],
    ['of Paris with numbers of Berlin', '2154', '389000', '5819000', 'FR'],
  ] as const)
    test(`${reason} gives no point, because it would be outside of the area of EPSG ${code}`, async () => {
      const { points, stderr } = await importTable(
        [[east, north]],
        `{ columns: [a, b], crs: ${code} }`,
        country,
      );
      assert.deepEqual(points, [null]);
      assert.equal(noted(stderr, /beyond/), 1, stderr);
    });

  test('that an object declares must be that of the mapping, and is used without one', async () => {
    const declared = [
      '{"x":391800,"y":5820072.6,"spatialReference":{"wkid":25833}}',
      '{"x":1492000,"y":6894000,"spatialReference":{"wkid":102100,"latestWkid":3857}}',
      '{"type":"Point","coordinates":[391800,5820072.6],"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::25833"}}}',
      '{"type":"Point","coordinates":[13.405,52.52],"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}}',
      '{"x":391800,"y":5820072.6,"spatialReference":{"wkid":9999}}',
    ].map((cell) => [cell] as const);
    const { points } = await importTable(declared, 'a');
    const places = points.map((point) => point?.map((value) => value.toFixed(1)));
    assert.deepEqual(places, [...Array.from({ length: 4 }, () => ['13.4', '52.5']), undefined]);
    const { points: mapped, stderr } = await importTable(declared, '{ column: a, crs: 25832 }');
    assert.deepEqual(mapped, [null, null, null, null, null]);
    assert.equal(noted(stderr, /another reference system/), 5, stderr);
  });

  test('of a mapping must be known, and two columns are needed', async () => {
    const { stderr, code } = await importTable([['1', '2']], '{ columns: [a, b], crs: 99999 }');
    assert.equal(code, 2);
    assert.match(stderr, /crs must be one of/);
    const one = await importTable([['1', '2']], '{ columns: [a] }');
    assert.match(one.stderr, /must be two columns: latitude and longitude/);
  });
});

suite('one column of a table', { concurrency: 4 }, () => {
  test('has two numbers, WKT or GeoJSON', async () => {
    const { points } = await importTable(
      [
        ['52.52, 13.405'],
        ['52.52,13.405'],
        ['(52.52, 13.405)'],
        ['52,52; 13,405'],
        ['52,52 13,405'],
        ['52,52, 13,405'],
        ['POINT (13.405 52.52)'],
        ['POINT Z(13.405 52.52 34)'],
        ['SRID=4326;POINT(13.405 52.52)'],
        ['{"type":"Point","coordinates":[13.405,52.52]}'],
        ['{"type":"Point","coordinates":[13.405,52.52,34]}'],
        ['{"lat":"52.52","lon":13.405}'],
        ['{"x":13.405,"y":52.52}'],
        ['{"Lat":52.52,"LNG":13.405}'],
        ['SRID=25833;POINT(391800 5820072.6)'],
      ],
      'a',
    );
    const berlin = [13.405, 52.52];
    assert.deepEqual(
      points.slice(0, 14),
      Array.from({ length: 14 }, () => berlin),
    );
    assert.deepEqual(
      points[14]?.map((value) => value.toFixed(2)),
      ['13.41', '52.52'],
    );
  });

  test('with other shapes has no point, and what is ambiguous or damaged is left out', async () => {
    const deep = `${'{"type":"Feature","geometry":'.repeat(30)}{}${'}'.repeat(30)}`;
    const { points, stderr } = await importTable(
      [
        ['POLYGON ((1 2, 3 4, 1 2))'],
        ['LINESTRING (1 2, 3 4)'],
        ['{"type":"Polygon","coordinates":[]}'],
        [deep],
        ['52,13'],
        ['52.52'],
        ['52.52,13.4,30'],
        ['52,13,34'],
        ['POINT (a b)'],
        ['POINT EMPTY'],
        ['{"type":"Point","coordinates":[13.4]}'],
        ['{"type":"Point","coordinates":[1,2,3,4]}'],
        ['{"type":"Point","coordinates":[[13.4,52.5]]}'],
        ['{"type":"Point","coordinates":["x",{}]}'],
        ['{"type":'],
        ['9'.repeat(5_000)],
        ['SRID=3068;POINT(1 2)'],
      ],
      'a',
    );
    assert.deepEqual(
      points,
      Array.from({ length: 17 }, () => null),
    );
    assert.equal(noted(stderr, /are not two numbers/), 12, stderr);
    assert.equal(noted(stderr, /in another reference system/), 1);
  });
});

suite('features of GeoJSON and lists of portals', { concurrency: 4 }, () => {
  const mapping = (column: string) =>
    workspace.writeFile(
      `geometry-${column}.yaml`,
      `submission: { id: id, description: id, createdAt: { constant: 2026-03-01 }, location: ${column} }\n`,
    );
  const importJson = async (value: unknown, column: string, country?: string) =>
    importPoints(await createTown(country), JSON.stringify(value), {
      format: 'table',
      name: 'x.json',
      flags: ['--mapping', mapping(column)],
    });

  test('have their geometry in a column: points only', async () => {
    const feature = (id: string, geometry: unknown) => ({ type: 'Feature', geometry, properties: { id } });
    const { points } = await importJson(
      {
        type: 'FeatureCollection',
        features: [
          feature('a', { type: 'Point', coordinates: [13.405, 52.52] }),
          feature('b', { type: 'Polygon', coordinates: [[[1, 2]]] }),
          feature('c', null),
          feature('d', { type: 'Point', coordinates: [[13, 52]] }),
        ],
      },
      'geometry',
    );
    assert.deepEqual(points, [[13.405, 52.52], null, null, null]);
  });

  for (const [system, value] of [
    ['Socrata', { latitude: '52.52', longitude: '13.405', human_address: '{}' }],
    ['Opendatasoft', { lon: 13.405, lat: 52.52 }],
    ['ArcGIS', { x: 13.405, y: 52.52 }],
  ] as const)
    test(`of ${system} have an object`, async () => {
      const { points } = await importJson(
        [
          { id: 'a', place: value },
          { id: 'b', place: null },
        ],
        'place',
      );
      assert.deepEqual(points, [[13.405, 52.52], null]);
    });
});

suite('the formats of systems', { concurrency: 4 }, () => {
  test('Open311 has lat and long', async () => {
    const request = (n: number, lat: unknown, long: unknown) => ({
      service_request_id: n,
      description: String(n),
      requested_datetime: '2026-03-01T09:00:00Z',
      lat,
      long,
    });
    const { points } = await importPoints(
      await createTown('US'),
      JSON.stringify([
        request(1, 42.3601, -71.0589),
        request(2, '42.3601', '-71.0589'),
        request(3, null, null),
        request(4, 0, 0),
        request(5, -71.0589, 42.3601),
      ]),
      { format: 'open311', name: 'x.json' },
    );
    const boston = [-71.0589, 42.3601];
    assert.deepEqual(points, [boston, boston, null, null, null]);
  });

  test('Decidim has latitude and longitude in tables, and coordinates in its API', async () => {
    const table = [
      'id;title/de;body/de;state;published_at;latitude;longitude',
      '1;A;a;accepted;2026-03-01;52.52;13.405',
      '2;B;b;accepted;2026-03-01;;',
    ].join('\n');
    const csv = await importPoints(await createTown(), table, { format: 'decidim', name: 'x.csv' });
    assert.deepEqual(csv.points, [[13.405, 52.52], null], csv.stderr);
    const node = (id: string, coordinates: unknown) => ({
      id,
      title: { translations: [{ locale: 'de', text: id }] },
      body: { translations: [{ locale: 'de', text: id }] },
      state: 'accepted',
      publishedAt: '2026-03-01T09:00:00Z',
      coordinates,
    });
    const json = await importPoints(
      await createTown(),
      JSON.stringify([node('1', { latitude: 52.52, longitude: 13.405 }), node('2', null)]),
      { format: 'decidim', name: 'x.json' },
    );
    assert.deepEqual(json.points, [[13.405, 52.52], null], json.stderr);
  });

  test('CONSUL has latitude and longitude, or a map location', async () => {
    const proposal = { summary: 's', date: '2026-03-01' };
    const { points, stderr } = await importPoints(
      await createTown(),
      JSON.stringify([
        { id: 1, title: 'A', ...proposal, map_location: { latitude: 52.52, longitude: 13.405, zoom: 10 } },
        { id: 2, title: 'B', ...proposal, latitude: '52,52', longitude: '13,405' },
        { id: 3, title: 'C', ...proposal },
      ]),
      { format: 'consul', name: 'x.json' },
    );
    assert.deepEqual(points, [[13.405, 52.52], [13.405, 52.52], null], stderr);
  });

  test('Pabulib has latitude and longitude', async () => {
    const file =
      'META\nkey;value\ncountry;Poland\nunit;Warszawa\ninstance;2024\ndate_begin;01.06.2024\nPROJECTS\nproject_id;cost;name;latitude;longitude\n1;10;A;52.2297;21.0122\n2;10;B;;\n3;10;C;21.0122;52.2297\nVOTES\nvoter_id;vote\n1;1\n';
    const { points, stderr } = await importPoints(await createTown('PL'), file, {
      format: 'pabulib',
      name: 'x.pb',
    });
    assert.deepEqual(points, [[21.0122, 52.2297], null, null], stderr);
  });

  test('OParl has features, longitude first, as GeoJSON says', async () => {
    const paper = (n: number, location: unknown) => ({
      id: `https://oparl.example/paper/${n}`,
      type: 'https://schema.oparl.org/1.1/Paper',
      name: String(n),
      date: '2026-03-01',
      paperType: 'Antrag',
      location,
    });
    const place = (geojson: unknown) => ({ type: 'https://schema.oparl.org/1.1/Location', geojson });
    const feature = (coordinates: unknown, type = 'Point') =>
      place({ type: 'Feature', geometry: { type, coordinates } });
    const { points, stderr } = await importPoints(
      await createTown(),
      JSON.stringify([
        paper(1, [feature([13.405, 52.52])]),
        paper(2, [place(undefined), feature([[[1, 2]]], 'Polygon'), feature([13.405, 52.52])]),
        paper(3, ['https://oparl.example/location/1']),
        // The example of the standard begins with the latitude.
        paper(4, [feature([50.1234, 10.4321])]),
        paper(5, [place({ type: 'Point', coordinates: [13.405, 52.52] })]),
        paper(6, [feature([13.405, 52.52, 30])]),
        paper(7, feature('x')),
      ]),
      { format: 'oparl', name: 'x.json' },
    );
    const berlin = [13.405, 52.52];
    assert.deepEqual(points, [berlin, berlin, null, null, berlin, berlin, null], stderr);
    assert.equal(noted(stderr, /are swapped/), 1);
  });
});

test('texts with many blanks are no points, and are read without trying each way to divide them', async () => {
  const blanks = ' '.repeat(400);
  const texts = [`1${blanks} 1${blanks}x`, `N 1${blanks} 1${blanks}x`, `1${blanks};${blanks}1${blanks}x`];
  // With one regular expression for all of them, each took three to thirty seconds.
  const rows = Array.from({ length: 60 }, (_, n): [string] => [texts[n % texts.length] as string]);
  const { points } = await importTable(rows, '{ column: a }');
  assert.deepEqual(new Set(points), new Set([null]));
  const { points: others } = await importTable([[`1${' '.repeat(100_000)}x`, '2']], '{ columns: [a, b] }');
  assert.deepEqual(others, [null]);
});

suite("Rostra's own format", { concurrency: 4 }, () => {
  const record = (n: number, location: unknown) => ({ kind: 'submission', ...createSubmission(n), location });

  test('has a location, and leaves out invalid ones with a note', async () => {
    const berlin = { type: 'Point', coordinates: [13.405, 52.52] };
    const invalid = [
      { type: 'Point', coordinates: [13.405, 91] },
      { type: 'Point', coordinates: [181, 52] },
      { type: 'Point', coordinates: [13.405] },
      { type: 'Point', coordinates: [[13.405, 52.52]] },
      { type: 'Point' },
      'x',
    ];
    const other = [{ type: 'Polygon', coordinates: [13.405, 52.52] }, true];
    const lines = toNdjson(
      [berlin, null, { ...berlin, crs: 'x' }, ...invalid, ...other].map((each, n) => record(n, each)),
    );
    const huge = toNdjson([record(90, berlin)]).replace('13.405', '1e400');
    const town = await createTown();
    const { counts, stderr } = await importPoints(town, lines + huge);
    assert.deepEqual([counts.inserted, counts.rejected], [3 + invalid.length + other.length + 1, 0]);
    assert.match(stderr, /coordinates|location/);
  });

  test('is imported with invalid locations if the municipality publishes none', async () => {
    const town = await createTown();
    await store.editOrganization(town.id, { locationDecimals: null });
    const { counts } = await importPoints(
      town,
      toNdjson([record(1, { type: 'Point', coordinates: [0, 95] })]),
    );
    assert.deepEqual([counts.inserted, counts.rejected], [1, 0]);
  });

  test('as CSV has the columns of the published files', async () => {
    const csv = [
      'id,description,createdAt,longitude,latitude',
      'a,a,2026-03-01,13.405,52.52',
      'b,b,2026-03-01,,',
      'c,c,2026-03-01,13.405,',
      'd,d,2026-03-01,"13,405","52,52"',
      'e,e,2026-03-01,0,0',
    ].join('\n');
    const { points, counts, stderr } = await importPoints(await createTown(), csv, { name: 'x.csv' });
    assert.deepEqual([counts.inserted, counts.rejected], [5, 0], stderr);
    // A decimal comma is no mistake.
    assert.deepEqual(points, [[13.405, 52.52], null, null, [13.405, 52.52], null]);
  });
});

suite('an import', { concurrency: 2 }, () => {
  test('notes that many records are at one point', async () => {
    const rows = Array.from({ length: 150 }, (_, n): [string, string] => [
      n < 120 ? '52.52' : `52.${100 + n}`,
      '13.4',
    ]);
    const { stderr } = await importTable(rows, '{ columns: [a, b] }');
    assert.match(stderr, /120 of 150 locations are at the same point/);
    const spread = await importTable(rows.slice(100), '{ columns: [a, b] }');
    assert.doesNotMatch(spread.stderr, /at the same point/);
  });

  test('without locations reports no invalid ones', async () => {
    const town = await createTown();
    const { stderr } = await harness.importContent(
      town,
      JSON.stringify([
        {
          service_request_id: 1,
          description: 'x',
          requested_datetime: '2026-03-01T09:00:00Z',
          lat: 'x',
          long: 0,
        },
      ]),
      { format: 'open311', name: 'x.json' },
    );
    assert.doesNotMatch(stderr, /coordinates/);
  });
});
