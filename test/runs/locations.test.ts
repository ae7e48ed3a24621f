/** Locations are limited to what municipality and source allow before they are stored, and everything stored when that becomes stricter. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { createLocationRules } from '../../src/domain/organizations/location-rules.ts';
import { runPipeline } from '../../src/ingest/pipeline/pipeline.ts';
import { createRedactor } from '../../src/ingest/privacy/redaction/create-redactor.ts';
import { assertSucceeds, type Municipality } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { createSubmission, formatSubmissionId } from '../support/records.ts';

const harness = await createImportHarness({ after });
const { workspace, store } = harness;

type Coordinates = [longitude: number, latitude: number];

const submission = (n: number, coordinates: Coordinates | null, topicCategoryName: string | null = null) => ({
  kind: 'submission' as const,
  ...createSubmission(n, {
    topicCategoryName,
    location: coordinates && { type: 'Point', coordinates },
  }),
});

/** @param decimals of the municipality */
async function createTown(decimals: '3' | '4' | null, topicsWithoutLocation: string | null = null) {
  const town = await harness.createMunicipality();
  await store.editOrganization(town.id, { locationDecimals: decimals, topicsWithoutLocation });
  return town;
}

const edit = (town: Municipality, ...flags: string[]) =>
  assertSucceeds(workspace.withDatabase('organization', 'edit', town.id, ...flags));

async function importRecords(town: Municipality, records: readonly unknown[], ...flags: string[]) {
  const result = await harness.importContent(town, toNdjson(records), { flags });
  assert.equal(result.code, 0, result.stderr);
  return result;
}

const on = ['--locations', 'on'];

/** By the number of the submission. */
async function readPoints(town: Municipality): Promise<Record<number, Coordinates | null>> {
  const found = await harness.listAll(town, '/search/submissions');
  return Object.fromEntries(
    found.map(({ id, location }) => [Number.parseInt(id.slice(-4), 16), location?.coordinates ?? null]),
  );
}

const storedTables = [
  ...['submission', 'record_decision', 'import_run', 'import_rejection', 'import_source', 'audit_event'],
  'change',
];

/** Everything that the database has of a municipality, with the notes of imports. */
async function dump(town: Municipality): Promise<string> {
  const parts: string[] = [];
  for (const table of storedTables)
    parts.push(
      JSON.stringify(await workspace.sql(`SELECT * FROM ${table} WHERE organization_id = $1`, [town.id])),
    );
  return [...parts, await dumpNotes(town)].join('\n');
}

/** The notes of imports for an undo. */
async function dumpNotes(town: Municipality): Promise<string> {
  const batches = await workspace.sql('SELECT steps FROM import_undo_batch WHERE organization_id = $1', [
    town.id,
  ]);
  return (batches as { steps: Buffer }[]).map(({ steps }) => inflateRawSync(steps).toString()).join('\n');
}

const undo = (town: Municipality) =>
  assertSucceeds(workspace.withDatabase('source', 'undo', '--organization', town.id, '--yes'));

/** Corrects the first submission. */
function correct(town: Municipality, ...fields: string[]) {
  const record = ['submission', formatSubmissionId(1), ...fields, '--reason', 'Wrong'];
  return assertSucceeds(workspace.withDatabase('record', 'correct', ...record, '--organization', town.id));
}

const correctedPoint = 'location={"type":"Point","coordinates":[8.5,49.5]}';

const exact: Coordinates = [8.403_712_34, 49.006_512_34];

suite('locations', { concurrency: 3 }, () => {
  test('are not published by default', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, [submission(1, exact)]);
    assert.deepEqual(await readPoints(town), { 1: null });
    assert.equal((await harness.get(town, '/organization')).json.data.locationDecimals, null);
  });

  test('are published only if both municipality and source allow it', async () => {
    const withoutSource = await createTown('3');
    await importRecords(withoutSource, [submission(1, exact)]);
    assert.deepEqual(await readPoints(withoutSource), { 1: null });
    const withoutMunicipality = await createTown(null);
    await importRecords(withoutMunicipality, [submission(1, exact)], ...on);
    assert.deepEqual(await readPoints(withoutMunicipality), { 1: null });
    for (const town of [withoutSource, withoutMunicipality])
      assert.doesNotMatch(await dump(town), /coordinates/);
    const both = await createTown('3');
    await importRecords(both, [submission(1, exact)], ...on);
    assert.deepEqual(await readPoints(both), { 1: [8.404, 49.007] });
    assert.equal((await harness.get(both, '/organization')).json.data.locationDecimals, 3);
  });

  const cases: [given: Coordinates, three: string, four: string][] = [
    [[13.4055, 52.5205], '[13.406,52.521]', '[13.4055,52.5205]'],
    [[-13.4055, -52.5205], '[-13.406,-52.521]', '[-13.4055,-52.5205]'],
    [[1.0005, 1.00045], '[1.001,1]', '[1.0005,1.0005]'],
    [[8.0049999, 48.9999999], '[8.005,49]', '[8.005,49]'],
    [[-0.0004, 51.4779], '[0,51.478]', '[-0.0004,51.4779]'],
    [[-0.000_000_1, 51.5], '[0,51.5]', '[0,51.5]'],
    [[179.99996, -89.99996], '[180,-90]', '[180,-90]'],
    [[4.35, 2.675], '[4.35,2.675]', '[4.35,2.675]'],
  ];
  for (const [decimals, column] of [
    ['3', 1],
    ['4', 2],
  ] as const)
    test(`are rounded half away from zero to ${decimals} decimals before they are stored`, async () => {
      const town = await createTown(decimals);
      await importRecords(
        town,
        cases.map(([given], n) => submission(n, given)),
        ...on,
      );
      const rows = await workspace.sql(
        'SELECT location FROM submission WHERE organization_id = $1 ORDER BY id',
        [town.id],
      );
      assert.deepEqual(
        rows.map(({ location }) => location),
        cases.map((each) => `{"type":"Point","coordinates":${each[column]}}`),
      );
    });

  test('of a repeated import change nothing', async () => {
    const town = await createTown('3');
    await importRecords(town, [submission(1, exact)], ...on);
    const { counts } = await importRecords(town, [submission(1, [8.403_9, 49.006_6])]);
    assert.deepEqual([counts.unchanged, counts.changed], [1, 0]);
    assert.deepEqual(await readPoints(town), { 1: [8.404, 49.007] });
  });

  test('of topics that are left out are not published, however they are written', async () => {
    const town = await createTown('3', 'Nachbarschaft\nSoziales  und Inklusion');
    const topics = ['Nachbarschaft', ' nachbarschaft', 'Soziales und  INKLUSION', 'Nachbarschaften', null];
    await importRecords(
      town,
      topics.map((topic, n) => submission(n, exact, topic)),
      ...on,
    );
    const point = [8.404, 49.007];
    assert.deepEqual(await readPoints(town), { 0: null, 1: null, 2: null, 3: point, 4: point });
  });

  test('are in no report of a dry run', async () => {
    const town = await createTown('4');
    await importRecords(town, [submission(1, exact)], ...on);
    const { stdout, stderr } = await importRecords(
      town,
      [submission(1, [8.5, 49.5]), submission(2, [8.612_34, 49.612_34])],
      ...[...on, '--dry-run'],
    );
    assert.doesNotMatch(stdout + stderr, /8\.612|49\.612|8\.4037/);
  });
});

suite('a lower precision', { concurrency: 3 }, () => {
  test('applies at once to published points, and /changes lists them', async () => {
    const town = await createTown('4');
    await importRecords(town, [submission(1, exact), submission(2, [8.5, 49.5])], ...on);
    const { next_cursor: cursor } = (await harness.get(town, '/changes')).json.pagination;
    await edit(town, '--location-decimals', '3');
    assert.deepEqual(await readPoints(town), { 1: [8.404, 49.007], 2: [8.5, 49.5] });
    const { data } = (await harness.get(town, `/changes?cursor=${cursor}`)).json;
    assert.deepEqual(
      data.map(({ id, location }: { id: string; location: object }) => [id, location]),
      [[formatSubmissionId(1), { type: 'Point', coordinates: [8.404, 49.007] }]],
    );
    assert.doesNotMatch(await dump(town), /8\.4037|49\.0065/);
  });

  test('applies to what decisions and imports keep, and imports can still be undone', async () => {
    const town = await createTown('4');
    await importRecords(
      town,
      [1, 2, 3, 4].map((n) => submission(n, exact)),
      ...on,
    );
    const record = (name: string, ...flags: string[]) =>
      workspace.withDatabase('record', name, 'submission', ...flags, '--organization', town.id);
    await assertSucceeds(record('unpublish', formatSubmissionId(1), '--reason', 'Wrong'));
    await assertSucceeds(
      record('correct', formatSubmissionId(2), 'description=Better', '--reason', 'Typing error'),
    );
    await importRecords(town, [submission(3, [8.123_45, 49.123_45])], ...on);
    assert.match(await dump(town), /8\.4037/);
    assert.deepEqual((await readPoints(town))[3], [8.1235, 49.1235]);
    await edit(town, '--location-decimals', '3');
    assert.doesNotMatch(await dump(town), /8\.4037|8\.1235|49\.0065|49\.1235/);
    await undo(town);
    await assertSucceeds(record('revert', formatSubmissionId(1)));
    await assertSucceeds(record('revert', formatSubmissionId(2)));
    const point = [8.404, 49.007];
    assert.deepEqual(await readPoints(town), { 1: point, 2: point, 3: point, 4: point });
    await edit(town, '--clear', 'location-decimals');
    assert.doesNotMatch(await dump(town), /coordinates/);
    assert.deepEqual(await readPoints(town), { 1: null, 2: null, 3: null, 4: null });
  });

  test('leaves no corrected point of a record that the source no longer has', async () => {
    const town = await createTown('4');
    await importRecords(town, [submission(1, exact), submission(2, null)], ...on);
    await correct(town, correctedPoint);
    await importRecords(town, [{ kind: 'submission', id: formatSubmissionId(1), deleted: true }]);
    assert.match(await dump(town), /8\.5,49\.5/);
    await edit(town, '--clear', 'location-decimals');
    assert.doesNotMatch(await dump(town), /coordinates/);
  });

  test('comes before an undo that would restore more', async () => {
    const town = await createTown('4');
    await importRecords(town, [submission(1, exact)], ...on);
    await importRecords(town, [submission(1, [8.5, 49.5])], ...on);
    await edit(town, '--clear', 'location-decimals');
    await undo(town);
    assert.deepEqual(await readPoints(town), { 1: null });
  });

  test('applies to an import that began before, whether its batch comes before or after', async () => {
    const town = await createTown('4');
    async function* read() {
      for (let n = 0; n < 5_001; n += 1) {
        // The first batch is written.
        if (n === 5_000) await store.editOrganization(town.id, { locationDecimals: '3' });
        yield { location: { source: '' }, id: String(n), record: submission(n, exact) };
      }
    }
    await runPipeline(read(), store, {
      organizationId: town.id,
      namespace: town.id,
      suppressionRule: undefined,
      dryRun: false,
      strict: false,
      redactor: createRedactor({ kinds: [], country: 'DE', patterns: new Map(), language: 'de' }),
      locationRules: createLocationRules(4, null),
      timeZone: 'Europe/Berlin',
      source: undefined,
      missing: undefined,
      observer: {},
      signal: new AbortController().signal,
    });
    const points = await workspace.sql(
      'SELECT location, count(*) AS count FROM submission WHERE organization_id = $1 GROUP BY location',
      [town.id],
    );
    assert.deepEqual(
      points.map(({ location, count }) => [location, Number(count)]),
      [['{"type":"Point","coordinates":[8.404,49.007]}', 5_001]],
    );
  });

  test('waits for a transaction of an import, whose points it then limits', async () => {
    const town = await createTown('4');
    let edited: Promise<unknown> | undefined;
    await store.write(town.id, async (writer) => {
      edited = store.editOrganization(town.id, { locationDecimals: '3' });
      await writer.put([submission(1, exact)]);
    });
    await edited;
    assert.deepEqual(await readPoints(town), { 1: [8.404, 49.007] });
  });
});

suite('a topic that is left out', { concurrency: 3 }, () => {
  test('loses its points at once', async () => {
    const town = await createTown('3');
    await importRecords(town, [submission(1, exact, 'Wohnen'), submission(2, exact)], ...on);
    await edit(town, '--topics-without-location', 'wohnen');
    assert.deepEqual(await readPoints(town), { 1: null, 2: [8.404, 49.007] });
    await edit(town, '--clear', 'topics-without-location');
    assert.deepEqual(await readPoints(town), { 1: null, 2: [8.404, 49.007] });
    await importRecords(town, [submission(1, exact, 'Wohnen')]);
    assert.deepEqual(await readPoints(town), { 1: [8.404, 49.007], 2: [8.404, 49.007] });
  });

  test('that an administrator has entered keeps the point of the source out of the decision, too', async () => {
    const town = await createTown('3', 'Wohnen');
    await importRecords(town, [submission(1, exact, 'Verkehr')], ...on);
    await correct(town, 'topicCategoryName=Wohnen');
    assert.deepEqual(await readPoints(town), { 1: null });
    await importRecords(town, [submission(1, [8.41, 49.01], 'Verkehr')]);
    assert.doesNotMatch(await dump(town), /coordinates/);
  });

  test('that an administrator has entered keeps earlier points out of the notes for an undo, too', async () => {
    for (const first of ['topic', 'correction']) {
      const town = await createTown('3');
      await importRecords(town, [submission(1, exact), submission(2, exact)], ...on);
      await importRecords(town, [submission(1, [8.5, 49.5])]);
      const exclude = () => edit(town, '--topics-without-location', 'Wohnen');
      if (first === 'topic') await exclude();
      assert.match(await dumpNotes(town), /8\.404/);
      await correct(town, 'topicCategoryName=Wohnen');
      if (first === 'correction') await exclude();
      assert.doesNotMatch(await dumpNotes(town), /8\.404/, `${first} first`);
      await undo(town);
      assert.deepEqual(await readPoints(town), { 1: null, 2: [8.404, 49.007] });
    }
  });

  test('loses the points of records whose topic was corrected, too', async () => {
    const town = await createTown('3');
    await importRecords(town, [submission(1, exact, 'Soziales')], ...on);
    await correct(town, 'topicCategoryName=Verkehr');
    assert.deepEqual(await readPoints(town), { 1: [8.404, 49.007] });
    await edit(town, '--topics-without-location', 'Soziales');
    assert.deepEqual(await readPoints(town), { 1: null });
    assert.doesNotMatch(await dump(town), /coordinates/);
  });

  test('that the source gives later keeps a corrected point unpublished, too', async () => {
    const town = await createTown('3', 'Soziales');
    await importRecords(town, [submission(1, exact, 'Wohnen')], ...on);
    await correct(town, 'topicCategoryName=Verkehr', correctedPoint);
    assert.deepEqual(await readPoints(town), { 1: [8.5, 49.5] });
    await importRecords(town, [submission(1, exact, 'Soziales')]);
    assert.deepEqual(await readPoints(town), { 1: null });
  });
});

suite('locations that are switched off for a while', { concurrency: 3 }, () => {
  const switchOff = (town: Municipality) => edit(town, '--clear', 'location-decimals');

  async function switchOn(town: Municipality) {
    await edit(town, '--location-decimals', '3');
    await importRecords(town, [submission(1, exact)]);
  }

  for (const [only, fields] of [
    ['', [correctedPoint, 'description=Better']],
    [' as its only value', [correctedPoint]],
  ] as const)
    test(`come back from the source if a correction had a point${only}`, async () => {
      const town = await createTown('3');
      await importRecords(town, [submission(1, exact)], ...on);
      await correct(town, ...fields);
      assert.deepEqual(await readPoints(town), { 1: [8.5, 49.5] });
      await switchOff(town);
      assert.deepEqual(await readPoints(town), { 1: null });
      assert.doesNotMatch(await dump(town), /coordinates/);
      await switchOn(town);
      assert.deepEqual(await readPoints(town), { 1: [8.404, 49.007] });
      await undo(town);
      assert.deepEqual(await readPoints(town), { 1: null });
      const reference = ['submission', formatSubmissionId(1), '--organization', town.id];
      await assertSucceeds(workspace.withDatabase('record', 'revert', ...reference));
      assert.deepEqual(await readPoints(town), { 1: null });
    });

  test('come back from the source if a point was entered meanwhile', async () => {
    const town = await createTown(null);
    await importRecords(town, [submission(1, exact)], ...on);
    await correct(town, correctedPoint);
    assert.doesNotMatch(await dump(town), /coordinates/);
    await switchOn(town);
    assert.deepEqual(await readPoints(town), { 1: [8.404, 49.007] });
  });

  test('stay out of a record whose point a person has removed', async () => {
    const town = await createTown('3');
    await importRecords(town, [submission(1, exact)], ...on);
    await correct(town, 'location=');
    await switchOff(town);
    await switchOn(town);
    assert.deepEqual(await readPoints(town), { 1: null });
  });
});

suite('a source that is switched off', { concurrency: 3 }, () => {
  test('loses its points at once, and other sources keep theirs', async () => {
    const town = await createTown('3');
    const source = (...args: string[]) =>
      assertSucceeds(workspace.withDatabase('source', ...args, '--organization', town.id));
    for (const name of ['Portal', 'Ratsinfo'])
      await source('add', name, '--format', 'rostra', '--locations', 'on');
    await importRecords(town, [submission(1, exact)], '--source', 'Portal');
    await importRecords(town, [{ ...submission(2, exact) }], '--source', 'Ratsinfo');
    const listPoints = async () =>
      Object.values(await readPoints(town)).map((point) => (point === null ? 'none' : 'point'));
    assert.deepEqual(await listPoints(), ['point', 'point']);
    await source('edit', 'Portal', '--locations', 'off');
    assert.deepEqual((await listPoints()).sort(), ['none', 'point']);
    await importRecords(town, [submission(1, exact)], '--source', 'Portal', ...on);
    assert.deepEqual((await listPoints()).sort(), ['none', 'point'], 'its definition decides');
    const file = workspace.writeFile(
      `${town.id}.yaml`,
      `organizations:\n  - name: ${town.name}\n    sources:\n      - name: Ratsinfo\n        format: rostra\n        locations: off\n`,
    );
    await assertSucceeds(workspace.withDatabase('apply', file));
    assert.deepEqual(await listPoints(), ['none', 'none']);
    assert.doesNotMatch(await dump(town), /coordinates/);
  });

  test('by an import without a definition loses its points with the first transaction', async () => {
    const town = await createTown('3');
    await importRecords(town, [submission(1, exact), submission(2, exact)], ...on);
    await importRecords(town, [submission(3, exact)], '--locations', 'off');
    assert.deepEqual(await readPoints(town), { 1: null, 2: null, 3: null });
  });
});
