/** The map of submissions: its cells equal a naive model, as JSON and as the lists of its page. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import type { SubmissionRecord } from '../../src/domain/records/records.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { decodeHtml } from '../support/form-client.ts';
import { type RequestOptions, sendRequest } from '../support/http-client.ts';
import { createSession, createSubmission, formatSubmissionId } from '../support/records.ts';

const fixture = await createFixture({ after });
const { store, putRecords } = fixture;
const start = (environment = {}) =>
  fixture.startServer({ ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }), ...environment });
const server = await start();

let towns = 0;
async function createTown(submissions: readonly SubmissionRecord[], locationDecimals: '3' | '4' = '3') {
  towns += 1;
  const slug = `kartenstadt-${towns}`;
  const { id } = await store.addOrganization(`Kartenstadt ${towns}`, randomUUID(), {
    language: 'de',
    locationDecimals,
  });
  await store.editOrganization(id, { slug, licenseName: 'CC-BY-4.0', openData: 'on' });
  await putRecords(
    id,
    submissions.map((submission) => ({ kind: 'submission', ...submission })),
  );
  return { id, slug, submissions, decimals: Number(locationDecimals) };
}

type Town = Awaited<ReturnType<typeof createTown>>;

const get = (town: Pick<Town, 'slug'>, path: string, options: RequestOptions = {}, port = server.port) =>
  sendRequest(port, `/open/${town.slug}${path && '/'}${path}`, {
    ...options,
    headers: { 'accept-language': 'de', ...options.headers },
  });

interface MapData {
  cellSize: number;
  submissions: number;
  isComplete: boolean;
  cells: [west: number, south: number, count: number][];
}

async function readData(town: Pick<Town, 'slug'>, query = {}): Promise<MapData> {
  const { status, text, headers } = await get(town, `submissions/map.json?${new URLSearchParams(query)}`);
  assert.equal(status, 200, text);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  return JSON.parse(text);
}

const at = (n: number, longitude: number, latitude: number, fields: Partial<SubmissionRecord> = {}) =>
  createSubmission(n, { location: { type: 'Point', coordinates: [longitude, latitude] }, ...fields });

const maxCells = 2_000;

/** Tries sizes from the smallest one on. Edges are decimal texts, so that no error of binary fractions is in both. */
function countCells(submissions: readonly SubmissionRecord[], decimals: number): MapData {
  const points = submissions.flatMap(({ location }) =>
    location === null
      ? []
      : [location.coordinates.map((degrees) => BigInt(Math.round(degrees * 10 ** decimals)))],
  );
  const floor = (value: bigint, size: bigint) => (value - (((value % size) + size) % size)) / size;
  for (let size = 1n; ; size *= 2n) {
    const groups = Map.groupBy(points, (point) => point.map((value) => floor(value, size)).join());
    if (groups.size > maxCells) continue;
    const toEdge = (index: string) => Number(`${BigInt(index) * size * 10n - 5n}e-${decimals + 1}`);
    return {
      cellSize: Number(`${size}e-${decimals}`),
      submissions: points.length,
      isComplete: true,
      cells: [...groups].map(([key, { length }]) => {
        const [x = '', y = ''] = key.split(',');
        return [toEdge(x), toEdge(y), length];
      }),
    };
  }
}

const sortCells = (data: MapData) => ({
  ...data,
  cells: data.cells.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]),
});

const assertCells = (actual: MapData, submissions: readonly SubmissionRecord[], decimals: number) =>
  assert.deepEqual(sortCells(actual), sortCells(countCells(submissions, decimals)));

/** The same numbers in each run. */
function createRandom(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = createRandom(71);
const round = (degrees: number, decimals: number) => Number(degrees.toFixed(decimals));
const statuses = ['received', 'in_review', 'completed'];
const topics = ['Radverkehr', 'Laternen', null];
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

/** Half of them near a centre, a tenth without a location, on both sides of the equator and of the prime meridian. */
const city = await createTown(
  Array.from({ length: 10_600 }, (_, n) => {
    const spread = random() < 0.5 ? 0.04 : 0.7;
    const [longitude, latitude] = [(random() - 0.5) * spread, (random() - 0.5) * spread].map((degrees) =>
      round(degrees, 3),
    );
    return createSubmission(n, {
      location:
        random() < 0.1 ? null : { type: 'Point', coordinates: [longitude as number, latitude as number] },
      status: pick(statuses),
      topicCategoryName: pick(topics),
      description: n % 7 === 0 ? `Laterne und Radweg ${n}` : `Laterne ${n}`,
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
    });
  }),
);

suite('the cells of a map', () => {
  test('equal a naive model for each filter, and are 2,000 at most', async () => {
    const of = (matches: (submission: SubmissionRecord) => boolean) => city.submissions.filter(matches);
    for (const [query, expected] of [
      [{}, city.submissions],
      [{ status: 'completed' }, of(({ status }) => status === 'completed')],
      [{ topic: 'Radverkehr' }, of(({ topicCategoryName }) => topicCategoryName === 'Radverkehr')],
      [
        { status: 'received', topic: 'Laternen' },
        of(({ status, topicCategoryName }) => status === 'received' && topicCategoryName === 'Laternen'),
      ],
      [
        { from: '2026-01-02', to: '2026-01-03' },
        of(({ createdAt }) => createdAt >= '2026-01-01T23:00' && createdAt < '2026-01-03T23:00'),
      ],
      [{ words: 'radw' }, of(({ description }) => description.includes('Radweg'))],
      [
        { words: 'radweg laterne', status: 'completed' },
        of(({ description, status }) => description.includes('Radweg') && status === 'completed'),
      ],
    ] as const) {
      const data = await readData(city, query);
      assertCells(data, expected, city.decimals);
      assert.ok(data.cells.length > 0 && data.cells.length <= maxCells, JSON.stringify(query));
    }
  });

  test('are those of the newest 10,000 matches of a search by words, and the page says so', async () => {
    const newest = city.submissions.toReversed().slice(0, 10_000);
    const data = await readData(city, { words: 'laterne' });
    assert.deepEqual(sortCells(data), sortCells({ ...countCells(newest, 3), isComplete: false }));
    const { text } = await get(city, 'submissions/map?words=laterne');
    assert.match(text, /Die Karte berücksichtigt nur die neuesten 10\.000 Anliegen\./);
    assert.doesNotMatch((await get(city, 'submissions/map')).text, /Die Karte berücksichtigt nur/);
  });

  test('have exact edges at poles, at the 180th meridian, around zero, and with four decimals', async () => {
    const coordinates = [
      [180, 90],
      [-180, -90],
      [179.9999, -16.5],
      [-179.9999, -16.5001],
      [0, 0],
      [0.0001, -0.0001],
      [-0.0001, 0.0001],
      [-71.0605, 42.3555],
      [-71.0605, 42.3555],
    ] as const;
    const town = await createTown(
      coordinates.map(([longitude, latitude], n) => at(n, longitude, latitude)),
      '4',
    );
    const data = await readData(town);
    assertCells(data, town.submissions, 4);
    assert.equal(data.cellSize, 0.0001);
    assert.deepEqual(data.cells[0], [-71.06055, 42.35545, 2]);
    assert.ok(data.cells.some(([west, south]) => west === 179.99995 && south === 89.99995));
  });

  test('grow until a whole world fits', async () => {
    const far = createRandom(9);
    const town = await createTown(
      Array.from({ length: 2_400 }, (_, n) => at(n, round(far() * 360 - 180, 3), round(far() * 180 - 90, 3))),
    );
    const data = await readData(town);
    assertCells(data, town.submissions, 3);
    assert.ok(data.cellSize > 1);
  });

  test('of an area are smaller, and have the points at its bounds', async () => {
    const area = [-0.0105, -0.0105, 0.0105, 0.0105];
    const isInside = ({ location }: SubmissionRecord) =>
      location?.coordinates.every((degrees) => Math.abs(degrees) <= 0.0105) === true;
    const inside = city.submissions.filter(isInside);
    assertCells(await readData(city, { area: area.join() }), inside, 3);
    // Bounds on points.
    assertCells(await readData(city, { area: '-0.01,-0.01,0.01,0.01' }), inside, 3);
    const [only] = inside;
    const exact = [...(only?.location?.coordinates ?? []), ...(only?.location?.coordinates ?? [])];
    const { cells } = await readData(city, { area: exact.join() });
    assert.equal(cells.length, 1);
  });
});

const readIds = (html: string) =>
  [...html.matchAll(/row-header"[^>]*><a class="kern-link record-link" href="[^"]+\/([\da-f-]{36})/g)].map(
    ([, id]) => id,
  );

const readAreas = (html: string) =>
  [
    ...html.matchAll(
      /row-header"[^>]*><a class="kern-link" href="([^"]*area=[^"]+)#map".*?--numeric"[^>]*><div>([\d.]+)</gs,
    ),
  ].map(([, path = '', count = '']) => ({ path: decodeHtml(path), count: Number(count.replace('.', '')) }));

suite('the page of a map', () => {
  test('has lists with every submission: areas lead to smaller ones, and to their submissions', async () => {
    const walk = async (path: string, expected: number): Promise<(string | undefined)[]> => {
      const { status, text } = await sendRequest(server.port, path, { headers: { 'accept-language': 'de' } });
      assert.equal(status, 200, path);
      const [, located = ''] =
        /role="status" id="result"[^>]*>([\d.]+) (?:Anliegen mit|von [\d.]+ Anliegen haben einen veröffentlichten) Standort/.exec(
          text,
        ) ?? [];
      assert.equal(Number(located.replace('.', '')), expected, path);
      const areas = readAreas(text);
      assert.ok(areas.length <= 20);
      if (areas.length === 0 || expected <= 25) return readIds(text);
      assert.equal(
        areas.reduce((sum, { count }) => sum + count, 0),
        expected,
        path,
      );
      const found = [];
      for (const area of areas) found.push(...(await walk(area.path, area.count)));
      return found;
    };
    const some = await createTown(city.submissions.slice(0, 150));
    const located = some.submissions.filter(({ location }) => location !== null);
    const found = await walk(`/open/${some.slug}/submissions/map`, located.length);
    assert.deepEqual(found.toSorted(), located.map(({ id }) => id).toSorted());
  });

  test('pages through the submissions with a location, the newest first', async () => {
    const town = await createTown(
      Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? at(n, 8.4, 49) : createSubmission(n))),
    );
    const first = (await get(town, 'submissions/map')).text;
    const [, older = ''] = /href="\/open\/[^/]+\/([^"]+after=[^"]+)"/.exec(first) ?? [];
    const second = (await get(town, decodeHtml(older))).text;
    assert.deepEqual(
      [...readIds(first), ...readIds(second)],
      Array.from({ length: 30 }, (_, n) => formatSubmissionId(2 * n)),
    );
    assert.equal(readIds(first).length, 25);
  });

  test('lists submissions that are older than those on the map', async () => {
    const oldest = city.submissions[600] as SubmissionRecord;
    const older = city.submissions
      .slice(0, 600)
      .toReversed()
      .filter(({ location }) => location !== null);
    const read = async (after: Pick<SubmissionRecord, 'createdAt' | 'id'>) => {
      const query = new URLSearchParams({ words: 'laterne', after: `${after.createdAt} ${after.id}` });
      return (await get(city, `submissions/map?${query}`)).text;
    };
    const page = await read(oldest);
    assert.deepEqual(
      readIds(page),
      older.slice(0, 25).map(({ id }) => id),
    );
    assert.match(page, />Ältere Einträge</);
    const last = await read(older.at(-4) as SubmissionRecord);
    assert.deepEqual(
      readIds(last),
      older.slice(-3).map(({ id }) => id),
    );
    assert.doesNotMatch(last, />Ältere Einträge</);
  });

  test('pages through the submissions of an area', async () => {
    const isInside = ({ location }: SubmissionRecord) =>
      location?.coordinates.every((degrees) => Math.abs(degrees) <= 0.1) === true;
    const inside = city.submissions.filter(isInside).toReversed();
    let path: string | undefined = 'submissions/map?area=-0.1,-0.1,0.1,0.1&status=completed';
    const wanted = inside.filter(({ status }) => status === 'completed').slice(0, 75);
    const found = [];
    for (let pages = 0; pages < 3; pages += 1) {
      const { text } = await get(city, path ?? '');
      found.push(...readIds(text));
      path = decodeHtml(/href="\/open\/[^/]+\/([^"]+after=[^"]+)">Ältere/.exec(text)?.[1] ?? '');
    }
    assert.deepEqual(
      found,
      wanted.map(({ id }) => id),
    );
  });

  test('counts the submissions without a location, too', async () => {
    const town = await createTown([
      at(1, 8.4, 49, { status: 'received' }),
      createSubmission(2, { status: 'completed' }),
      createSubmission(3, { status: 'received' }),
    ]);
    for (const [query, german, english] of [
      [
        '',
        '1 von 3 Anliegen hat einen veröffentlichten Standort.',
        '1 of 3 submissions has a published location.',
      ],
      ['?status=received', '1 von 2 Anliegen hat einen', '1 of 2 submissions has a'],
      [
        '?status=completed',
        'Kein passendes Anliegen hat einen Standort.',
        'No submission with a location matches.',
      ],
      ['?area=8,48,9,50', '1 Anliegen mit Standort', '1 submission with a location'],
    ] as const) {
      const path = `submissions/map${query}`;
      assert.ok((await get(town, path)).text.includes(`tabindex="-1">${german}`), query);
      const { text } = await get(town, path, { headers: { 'accept-language': 'en' } });
      assert.ok(text.includes(`tabindex="-1">${english}`), query);
    }
  });

  test('names areas by their distance and direction from the middle', async () => {
    const directions = [
      [0, 1, 'nördlich', 'north', '1,1 km'],
      [1, 1, 'nordöstlich', 'north-east', '1,2 km'],
      [1, 0, 'östlich', 'east', '560 m'],
      [1, -1, 'südöstlich', 'south-east', '1,2 km'],
      [0, -1, 'südlich', 'south', '1,1 km'],
      [-1, -1, 'südwestlich', 'south-west', '1,2 km'],
      [-1, 0, 'westlich', 'west', '560 m'],
      [-1, 1, 'nordwestlich', 'north-west', '1,2 km'],
    ] as const;
    const [longitude, latitude] = [10, 60];
    const towards = ([x, y]: (typeof directions)[number], n: number) =>
      at(n, round(longitude + x / 100, 3), round(latitude + y / 100, 3));
    const middle = Array.from({ length: 3 }, (_, n) => at(100 + n, longitude, latitude));
    const town = await createTown([...directions.map(towards), ...middle]);
    const { text } = await get(town, 'submissions/map');
    const english = (await get(town, 'submissions/map', { headers: { 'accept-language': 'en' } })).text;
    const name = (place: string, bounds: string) =>
      `${place}</a><br><span class="kern-hint">${bounds}</span>`;
    assert.ok(text.includes(`>${name('in der Mitte', 'Breite 60, Länge 10')}`), text);
    assert.ok(english.includes('>in the middle</a>'));
    for (const [, , german, direction, distance] of directions) {
      assert.match(
        text,
        new RegExp(`>${distance}\\s?${german} der Mitte</a>`.replace(' km', '\\skm').replace(' m', '\\sm')),
      );
      assert.ok(english.includes(` ${direction} of the middle</a>`), direction);
    }
    // Within an area, the middle is still that of all.
    const part = await get(town, 'submissions/map?area=10.01,60.01,10.01,60.01');
    assert.match(part.text, />Bereich: 1,2\skm nordöstlich der Mitte\. <a [^>]+>Ganze Karte</);
    const empty = await get(town, 'submissions/map?area=-0.0004,-0.0004,0.001,0.001');
    assert.match(empty.text, /Bereich: Breite 0 bis 0,001, Länge 0 bis 0,001\. /);
  });

  test('says how small its rectangles become, how exact the locations are, and what a keyboard can select', async () => {
    const town = await createTown([at(1, 10, 60), at(2, 10, 60)], '4');
    for (const [language, size, rounding, keyboard] of [
      ['de', /bis etwa 5,6\sm × 11\sm\. /, /auf etwa 10\sm gerundet/, /Mit der Tastatur .* über die Listen/],
      ['en', /down to about 5\.6\sm × 11\sm\. /, /rounded to about 10\sm/, /use the lists below/],
    ] as const) {
      const headers = { 'accept-language': language };
      const { text } = await get(town, 'submissions/map', { headers });
      assert.match(text, size);
      assert.match(text, rounding);
      assert.match(text, keyboard);
      const record = await get(town, `submissions/${formatSubmissionId(1)}`, { headers });
      assert.match(record.text, rounding);
    }
  });

  test('names submissions that are far away, unless they are many', async () => {
    const near = Array.from({ length: 300 }, (_, n) => at(n, round(8.4 + (n % 20) / 1000, 3), 49));
    const far = (count: number) => Array.from({ length: count }, (_, n) => at(1_000 + n, -71.06, 42.36));
    const read = async (count: number, language = 'de') => {
      const town = await createTown([...near, ...far(count)]);
      return (await get(town, 'submissions/map', { headers: { 'accept-language': language } })).text;
    };
    assert.match(await read(3), />3 Anliegen liegen weit außerhalb\.<.*>Ganze Karte zeigen</);
    assert.match(await read(3), /data-view="8\.400,49\.000,8\.419,49\.000"/);
    assert.match(await read(1), />1 Anliegen liegt weit außerhalb\.</);
    assert.match(await read(2, 'en'), />2 submissions are far outside\.<.*>Show the whole map</);
    assert.match(await read(1, 'en'), />1 submission is far outside\.</);
    assert.match(await read(33), />33 Anliegen liegen weit außerhalb\.</);
    assert.match(await read(40), /data-view="-71\.060,42\.360,8\.419,49\.000"/);
    for (const count of [0, 40]) assert.doesNotMatch(await read(count), /map-far/);
    // Places of a small town, and one of them wrong.
    const small = await createTown([...near.slice(0, 30), at(3_000, -179.9, 49)]);
    assert.match((await get(small, 'submissions/map')).text, /data-view="8\.400,49\.000,8\.419,49\.000"/);
    // A point with nearly all submissions does not make the rest of the town far.
    const same = Array.from({ length: 4_000 }, (_, n) => at(2_000 + n, 8.4, 49));
    const town = await createTown([...same, ...near.slice(0, 20)]);
    assert.doesNotMatch((await get(town, 'submissions/map')).text, /map-far/);
  });

  test('names the submission whose area is marked', async () => {
    const town = await createTown([
      at(1, 8.4, 49, { title: '<Laterne>' }),
      at(2, 8.4, 49, { status: 'completed' }),
      createSubmission(3),
    ]);
    const read = (query: string, language = 'de') =>
      get(town, `submissions/map?${query}`, { headers: { 'accept-language': language } });
    const id = formatSubmissionId(1);
    const { text } = await read(`record=${id}`);
    assert.match(
      text,
      /Hervorgehoben ist der Bereich dieses Anliegens: <a [^>]+submissions\/[\da-f-]{36}"><bdi>&lt;Laterne&gt;</,
    );
    assert.match(text, /data-mark="8\.4,49"/);
    assert.match((await read(`record=${id}`, 'en')).text, />The area of this submission is highlighted: </);
    const others = ['', 'x', '999,999', randomUUID(), formatSubmissionId(3), city.submissions[0]?.id ?? ''];
    for (const query of [
      ...others.map((record) => `record=${record}`),
      `record=${id}&area=9,49,10,50`,
      'point=8.4,49',
    ]) {
      const { status, text } = await read(query);
      assert.equal(status, 200, query);
      assert.doesNotMatch(text, /Hervorgehoben|data-mark="\d/, query);
    }
  });

  test('keeps the area of a search', async () => {
    const area = '-0.1,-0.1,0.1,0.1';
    const { text } = await get(city, `submissions/map?area=${area}`);
    assert.ok(text.includes(`<input type="hidden" name="area" value="${area}">`));
    for (const query of ['', '?area=%22%3E'])
      assert.doesNotMatch((await get(city, `submissions/map${query}`)).text, /name="area"/);
  });

  test('explains an invalid area in the language of the page', async () => {
    for (const [language, title, format, whole] of [
      ['de', 'Der Parameter „area“ ist ungültig', 'Er muss die westliche, südliche', 'Ganze Karte'],
      ['en', 'The parameter “area” is invalid', 'It must be the western, southern', 'Whole map'],
    ] as const) {
      const headers = { 'accept-language': language };
      const page = await get(city, 'submissions/map?area=abc&status=completed', { headers });
      assert.equal(page.status, 400);
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(page.headers['content-language'], language);
      for (const part of [
        title,
        format,
        `href="/open/${city.slug}/submissions/map?status=completed#map">${whole}<`,
      ])
        assert.ok(page.text.includes(part), part);
      assert.doesNotMatch(page.text, /data-map|id="result"/);
    }
    const data = await get(city, 'submissions/map.json?area=abc');
    assert.match(data.headers['content-type'] ?? '', /json/);
    assert.match(data.text, /The parameter \\"area\\" must be/);
  });

  test('keeps the filters of the list that links it, without its position', async () => {
    const { text } = await get(
      city,
      'submissions?status=completed&language=en&after=2026-01-04T00:00:00.000Z+ffffffff-ffff-4fff-bfff-ffffffffffff&skipped=25',
    );
    const [, path = ''] = /href="([^"]+\/map\?[^"]+status[^"]+)"/.exec(text) ?? [];
    assert.equal(decodeHtml(path), `/open/${city.slug}/submissions/map?language=en&status=completed`);
    const map = await sendRequest(server.port, decodeHtml(path));
    assert.match(map.text, /<option value="completed" selected>/);
    assert.match(map.text, /data-map="[^"]+map\.json\?language=en&amp;status=completed"/);
    assert.match(map.text, /<meta name="robots" content="noindex">/);
  });

  test('is not linked by a list that found a pasted id', async () => {
    const [{ id }] = city.submissions as [SubmissionRecord];
    for (const words of [id, ` ${id.toUpperCase()} `, randomUUID()]) {
      const { text } = await get(city, `submissions?${new URLSearchParams({ words })}`);
      assert.equal(readIds(text).length, words.trim().toLowerCase() === id ? 1 : 0, words);
      assert.doesNotMatch(text, /\/map\?/, words);
    }
    const { text } = await get(city, `submissions?words=${id.slice(1)}`);
    assert.match(text, /\/map\?words=/);
  });

  test('does not exist without locations, and nothing links it', async () => {
    const town = await createTown([createSubmission(1)]);
    await putRecords(town.id, [{ kind: 'session', ...createSession(1) }]);
    for (const path of ['submissions/map', 'submissions/map.json'])
      assert.equal((await get(town, path)).status, 404, path);
    for (const list of ['submissions', 'sessions'])
      assert.doesNotMatch((await get(town, list)).text, /\/map|>\s*false/, list);
    for (const path of ['submissions/map/x', 'sessions/map', 'map'])
      assert.equal((await get(city, path)).status, 404, path);
  });

  test('has no map, and loads no script of maps, if nothing matches', async () => {
    const { status, text } = await get(city, 'submissions/map?words=nirgends');
    assert.equal(status, 200);
    assert.match(text, /Kein passendes Anliegen hat einen Standort\./);
    assert.doesNotMatch(text, /data-map|\/map\.(js|css)"|<table/);
    assert.deepEqual(await readData(city, { words: 'nirgends' }), {
      cellSize: 0.001,
      submissions: 0,
      isComplete: true,
      cells: [],
    });
    assert.doesNotMatch((await get(city, 'submissions')).text, /\/map\.(js|css)"/);
  });

  test('rejects invalid values', async () => {
    for (const query of ['from=2026-02-30', 'words=%2B', 'from=2026-02-02&to=2026-02-01']) {
      const page = await get(city, `submissions/map?${query}`);
      assert.equal(page.status, 400, query);
      assert.match(page.text, /error-summary/);
      assert.doesNotMatch(page.text, /data-map/);
      const data = await get(city, `submissions/map.json?${query}`);
      assert.equal(data.status, 400, query);
      assert.match(data.text, /The parameter \\?"(from|words|to)\\?" has an invalid value/);
    }
    for (const area of [
      '',
      '1',
      '1,2,3',
      '1,2,3,4,5',
      '2,1,1,2',
      '1,2,2,1',
      'a,b,c,d',
      '1e1,1,20,2',
      'NaN,1,2,3',
      '1,1,2,2\u0000',
      '0.0000001,1,2,3',
    ])
      for (const path of ['map', 'map.json']) {
        const { status, text } = await get(city, `submissions/${path}?${new URLSearchParams({ area })}`);
        // The pages leave out NUL.
        assert.equal(
          status,
          area.includes('\u0000') ? 200 : 400,
          `${path} ${JSON.stringify(area)}: ${text.slice(0, 100)}`,
        );
      }
  });
});

test('the tag of a map moves with the data, and a removed submission leaves the map', async () => {
  const town = await createTown([at(1, 8.4, 49), at(2, 8.5, 49)]);
  const paths = ['submissions/map', 'submissions/map.json'];
  const tags = await Promise.all(
    paths.map(async (path) => {
      const { headers, body } = await get(town, path);
      const head = await get(town, path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.etag, head.body.length], [200, headers.etag, 0]);
      assert.equal(head.headers['content-length'], String(body.length));
      const again = await get(town, path, { headers: { 'if-none-match': headers.etag as string } });
      assert.deepEqual([again.status, again.body.length], [304, 0]);
      return headers.etag as string;
    }),
  );
  await store.removeRecord(
    { organizationId: town.id, kind: 'submission', id: formatSubmissionId(2) },
    'erasure',
  );
  for (const [index, path] of paths.entries()) {
    const { status, text } = await get(town, path, { headers: { 'if-none-match': tags[index] as string } });
    assert.equal(status, 200);
    assert.doesNotMatch(text, /8[.,]4995|8[.,]5|Submission 2/);
  }
  assert.deepEqual((await readData(town)).cells, [[8.3995, 48.9995, 1]]);
  await store.removeRecord(
    { organizationId: town.id, kind: 'submission', id: formatSubmissionId(1) },
    'erasure',
  );
  for (const path of paths) assert.equal((await get(town, path)).status, 404);
});

test('the tag of a map moves with the rounding', async () => {
  const town = await createTown([at(1, 8.4, 49), at(2, 8.5, 49)]);
  const paths = ['submissions/map', 'submissions/map.json', `submissions/${formatSubmissionId(1)}`];
  const before = await Promise.all(paths.map((path) => get(town, path)));
  await store.editOrganization(town.id, { locationDecimals: '4' });
  for (const [index, path] of paths.entries()) {
    const etag = before[index]?.headers.etag as string;
    const { status, text } = await get(town, path, { headers: { 'if-none-match': etag } });
    assert.equal(status, 200, path);
    assert.notEqual(text, before[index]?.text, path);
  }
});

test('only maps may load images from the origin of the tiles, and show their attribution as text', async () => {
  const withTiles = await start({
    ROSTRA_MAP_TILES: 'https://tiles.stadt.example:8443/a/{z}/{y}/{x}.png?key=1',
    ROSTRA_MAP_ATTRIBUTION: '© <b>Karten</b> & "Mehr"',
  });
  const read = (path: string, port: number) => get(city, path, {}, port);
  const plain = (await read('submissions/map', server.port)).headers['content-security-policy'] ?? '';
  assert.match(plain, /img-src 'self' data:;/);
  const map = await read('submissions/map', withTiles.port);
  assert.equal(
    map.headers['content-security-policy'],
    plain.replace("img-src 'self' data:;", "img-src 'self' data: https://tiles.stadt.example:8443;"),
  );
  assert.ok(map.text.includes('© &lt;b&gt;Karten&lt;/b&gt; &amp; &quot;Mehr&quot;'), map.text);
  assert.match(
    map.text,
    /<noscript><p class="kern-body">Die Karte braucht JavaScript\. Die Listen auf dieser Seite/,
  );
  assert.ok(!map.text.includes('Der Hintergrund ist einfarbig'));
  assert.ok((await read('submissions/map', server.port)).text.includes('Der Hintergrund ist einfarbig'));
  assert.ok(map.text.includes('data-tiles="https://tiles.stadt.example:8443/a/{z}/{y}/{x}.png?key=1"'));
  for (const path of ['submissions', '', 'submissions/map.json'])
    assert.equal((await read(path, withTiles.port)).headers['content-security-policy'], plain, path);
  const loads =
    'laden nichts von anderen Servern, außer dem Hintergrund der Karten von https://tiles.stadt.example:8443.';
  assert.ok((await read('', withTiles.port)).text.includes(loads));
  assert.ok((await read('', server.port)).text.includes('laden nichts von anderen Servern.'));
});
