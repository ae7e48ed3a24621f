/** The points of real exports, compared with their columns by an own reader and an own rounding. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { getIssues } from '@placemarkio/check-geojson';
import { createImportHarness } from '../support/import-harness.ts';

/** Open data of cities. It is not part of the project, so the tests are skipped without it. */
const shared = fileURLToPath(new URL('../../../shared/data', import.meta.url));
const examples = fileURLToPath(new URL('../../examples', import.meta.url));

const harness = await createImportHarness({ after });
const { store, workspace } = harness;

/** A CSV file with quoted cells, by hand. */
function readRows(path: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  for (const letter of readFileSync(path, 'utf8')) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (letter === ',' || letter === '\n')) {
      rows.at(-1)?.push(cell);
      cell = '';
      if (letter === '\n') rows.push([]);
    } else if (letter !== '\r') cell += letter;
  }
  rows.at(-1)?.push(cell);
  const [header = [], ...others] = rows;
  return others
    .filter(({ length }) => length > 1)
    .map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])));
}

/** Half away from zero, on the digits of the text. */
function roundText(text: string, decimals: number): number {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
  const rounded = digits + (Number(fraction[decimals] ?? 0) >= 5 ? 1n : 0n);
  return Number(`${sign}${rounded}e-${decimals}`);
}

const exports = [
  {
    name: 'Boston',
    folder: 'boston-311-2015',
    example: 'boston-311',
    columns: ['LATITUDE', 'LONGITUDE'],
    count: 13_747,
  },
  {
    name: 'New York',
    folder: 'nyc-participatory-budgeting',
    example: 'new-york-participatory-budgeting',
    columns: ['Latitude', 'Longitude'],
    count: 1_491,
  },
] as const;

for (const { name, folder, example, columns, count } of exports)
  test(`the points of ${name} are those of its columns, rounded`, async (t) => {
    const path = join(shared, folder);
    if (!existsSync(path)) return t.skip(`${path} is missing`);
    const town = await harness.createMunicipality();
    await store.editOrganization(town.id, {
      locationDecimals: '3',
      country: 'US',
      slug: folder,
      licenseName: 'CC0-1.0',
      openData: 'on',
    });
    const files = readdirSync(path)
      .filter((file) => file.endsWith('.csv'))
      .map((file) => join(path, file));
    const mapping = workspace.writeFile(
      `${example}.yaml`,
      readFileSync(join(examples, `${example}.yaml`), 'utf8').replace(
        /^submission:$/m,
        `submission:\n  location: { columns: [${columns.join(', ')}] }`,
      ),
    );
    const result = await harness.importContent(town, files, {
      format: 'table',
      flags: ['--mapping', mapping, '--locations', 'on'],
    });
    assert.equal(result.code, 0, result.stderr);
    assert.equal(result.counts.inserted, count);
    const expected = files
      .flatMap(readRows)
      .map((row) => columns.map((column) => row[column]?.trim() ?? ''))
      .filter((pair) => pair.every((text) => Number(text) !== 0))
      .map(([latitude = '', longitude = '']) => `${roundText(longitude, 3)} ${roundText(latitude, 3)}`);
    const published = await harness.listAll(town, '/search/submissions');
    const points = published.flatMap(({ location }) =>
      location === null ? [] : [location.coordinates.join(' ')],
    );
    t.diagnostic(`${points.length} points of ${count} records`);
    assert.ok(expected.length > count / 2);
    assert.deepEqual(points.toSorted(), expected.toSorted());
    const response = await fetch(new URL(`/open/${folder}/submissions.geojson`, harness.server.address));
    const { status } = response;
    const text = await response.text();
    assert.equal(status, 200);
    assert.deepEqual(getIssues(text), []);
    assert.equal(JSON.parse(text).features.length, expected.length);
  });
