/** JSON lists within an object are read entry by entry, with any size and surroundings. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';
import { byNight } from '../support/nightly.ts';
import { createRequest } from './open311-requests.ts';

const harness = await createImportHarness({ after });
const open311: ImportContentOptions = { format: 'open311', name: 'x.json' };
const consul: ImportContentOptions = { format: 'consul', name: 'x.json' };

const createProposal = (id: number | string, more: object = {}) => ({
  id: String(id),
  title: 'A title',
  summary: 'A text',
  public_created_at: '2026-03-01T09:15:00Z',
  ...more,
});
const three = [1, 2, 3].map((id) => createRequest(id));
const mebibyte = 'x'.repeat(1024 * 1024);

/** Wrappers of a list; each is filled with entries. */
const shapes: Record<
  string,
  [options: ImportContentOptions, entry: (id: number | string) => object, wrap: (list: unknown[]) => unknown]
> = {
  service_requests: [
    open311,
    createRequest,
    (list) => ({ page: { number: 1 }, service_requests: list, total: 3 }),
  ],
  requests: [open311, createRequest, (list) => ({ requests: list })],
  'requests.request': [open311, createRequest, (list) => ({ requests: { request: list } })],
  'data.proposals': [consul, createProposal, (list) => ({ data: { proposals: list }, extensions: [[], {}] })],
  'data.proposals.nodes': [consul, createProposal, (list) => ({ data: { proposals: { nodes: list } } })],
  'data.proposals.edges': [
    consul,
    createProposal,
    (list) => ({ data: { proposals: { pageInfo: {}, edges: list.map((node) => ({ node })) } } }),
  ],
};

suite('a list in', { concurrency: 2 }, () => {
  for (const [path, [options, entry, wrap]] of Object.entries(shapes)) {
    test(`${path} is read, and its entries have locations`, async () => {
      const town = await harness.createMunicipality();
      const list = [entry(1), entry(2), 'no object', entry('last')];
      const result = await harness.importContent(town, JSON.stringify(wrap(list)), options);
      assertCounts(result, { inserted: 3, rejected: 1 });
      assert.deepEqual(result.rejections[0]?.entry, 3);
    });
  }
});

suite('a list within an object', { concurrency: 2 }, () => {
  const deep = '['.repeat(101) + ']'.repeat(101);

  test('with a repeated name or deep nesting in an entry is imported except for this entry', async () => {
    for (const space of [0, 1]) {
      const town = await harness.createMunicipality();
      const content = JSON.stringify(
        { requests: [createRequest(1), '<twice>', createRequest(3), '<deep>', createRequest(5)] },
        null,
        space,
      )
        .replace('"<twice>"', '{"service_request_id":"2","status":"open","status":"closed"}')
        .replace('"<deep>"', `{"service_request_id":"4","notes":${deep}}`);
      const result = await harness.importContent(town, content, open311);
      assertCounts(result, { inserted: 3, rejected: 2 });
      assert.deepEqual(
        result.rejections.map(({ entry, reason }) => [entry, reason]),
        [
          [2, 'has "status" twice in the same object: leave one of them out'],
          [4, 'is nested more than 100 levels deep'],
        ],
      );
    }
  });

  const around: Record<string, [content: string, sentence: RegExp]> = {
    'a repeated name': [
      '{"page":1,"page":2,"requests":[]}',
      /x\.json has "page" twice in the same object: leave one/,
    ],
    'a repeated list': ['{"requests":[],"requests":[]}', /x\.json has "requests" twice in the same object/],
    'unlimited nesting': [`{"page":${deep},"requests":[]}`, /x\.json is nested more than 100 levels deep/],
    'invalid JSON': ['{\n"requests":[]}]', /x\.json is not valid JSON after entry 0; it may be truncated/],
    'millions of values': [
      `{"notes":[${Array(2_000_001).fill('1')}],"requests":[]}`,
      /x\.json has more than 2 million values in one object: leave it out, or split it/,
    ],
    'Windows-1252': ['{"name":"Stra\xdfe","requests":[]}', /x\.json is not UTF-8: save it as UTF-8/],
  };
  for (const [what, [content, sentence]] of Object.entries(around)) {
    const skip = what.startsWith('millions') && byNight('it writes 4 MB');
    test(`ends the import with invalid surroundings: ${what}`, { skip }, async () => {
      const town = await harness.createMunicipality();
      const { code, stderr } = await harness.importContent(town, Buffer.from(content, 'latin1'), open311);
      assert.match(stderr, sentence);
      assert.equal(code, 1);
    });
  }

  test('that ends early is reported with the last entry, and earlier entries are kept', async () => {
    const town = await harness.createMunicipality();
    const many = Array.from({ length: 1_500 }, (_, n) => createRequest(n));
    const result = await harness.importContent(
      town,
      JSON.stringify({ requests: many }).slice(0, -200),
      open311,
    );
    assert.equal(result.code, 1);
    const [, last] =
      /x\.json is not valid JSON after entry (\d+); it may be truncated/.exec(result.stderr) ?? [];
    assert.equal(result.counts.inserted, Number(last));
    assert.equal(last, '1498');
  });

  test('with an error is reported with the last entry before it, and earlier entries are kept', async () => {
    for (const wrap of [(list: string) => list, (list: string) => `{"requests":${list}}`]) {
      const town = await harness.createMunicipality();
      const good = Array.from({ length: 300 }, (_, n) => JSON.stringify(createRequest(n))).join(',');
      const result = await harness.importContent(town, wrap(`[${good},${' '.repeat(256)}oops]`), open311);
      assert.match(result.stderr, /x\.json is not valid JSON after entry 300;/);
      assert.equal(result.counts.inserted, 300);
    }
  });

  test('is not found by a name with dots', async () => {
    const town = await harness.createMunicipality();
    const result = await harness.importContent(
      town,
      JSON.stringify({ 'data.proposals': [createProposal(1)] }),
      consul,
    );
    assertCounts(result, { rejected: 1 });
  });

  test('may have millions of blanks before it', async () => {
    const town = await harness.createMunicipality();
    const content = `{"requests":[${JSON.stringify(createRequest(1))}${' '.repeat(2_000_000)}]}`;
    assertCounts(await harness.importContent(town, content, open311), { inserted: 1 });
  });

  test('may have line breaks anywhere', async () => {
    const town = await harness.createMunicipality();
    const list = JSON.stringify(three);
    assertCounts(await harness.importContent(town, `{"requests":\n${list}\n}\n`, open311), { inserted: 3 });
    assertCounts(await harness.importContent(town, `\ufeff\n{\n"requests"\n:${list}}`, open311), {
      unchanged: 3,
    });
  });
});

suite('a sequence of objects', { concurrency: 2 }, () => {
  test('in lines is read by line, and an invalid line does not affect the others', async () => {
    const [one, two, three] = [1, 2, 3].map((id) => JSON.stringify({ requests: [createRequest(id)] })) as [
      string,
      string,
      string,
    ];
    const bad = '{"requests":[';
    for (const lines of [
      [one, bad, two, three],
      [bad, one, two, three],
    ]) {
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, `${lines.join('\n')}\n`, open311);
      assertCounts(result, { inserted: 3, rejected: 1 });
      assert.deepEqual(
        [result.rejections[0]?.line, result.rejections[0]?.reason],
        [lines.indexOf(bad) + 1, 'is not valid JSON'],
      );
    }
  });

  test('of large objects is read one by one, and an object without a list is reported', async () => {
    const town = await harness.createMunicipality();
    const page = (ids: number[]) => ({
      data: { proposals: ids.map((id) => createProposal(id, { notes: mebibyte })) },
    });
    const pages = [page([1, 2, 3, 4, 5]), { errors: [] }, page([6, 7]), { data: { proposals: ['no'] } }];
    const result = await harness.importContent(town, toNdjson(pages), consul);
    assertCounts(result, { inserted: 7, rejected: 2 });
    assert.deepEqual(
      result.rejections.map(({ entry, reason }) => [entry, reason]),
      [
        [undefined, 'is a response of the API without proposals: fetch it again'],
        [1, 'must be an object'],
      ],
    );
  });
});

test('edges with only a cursor are skipped beside nodes', async () => {
  const town = await harness.createMunicipality();
  const proposals = {
    edges: [{ cursor: 'MQ' }, { cursor: 'Mg' }],
    nodes: [createProposal(1), createProposal(2)],
  };
  assertCounts(await harness.importContent(town, JSON.stringify({ data: { proposals } }), consul), {
    inserted: 2,
    ignored: 2,
  });
});

test('a single object in a file is a request', async () => {
  const town = await harness.createMunicipality();
  const content = JSON.stringify(createRequest(1, { requests: 'two' }), null, 1);
  assertCounts(await harness.importContent(town, content, open311), { inserted: 1 });
  const bad = await harness.importContent(town, JSON.stringify({ code: 403 }, null, 1), open311);
  assertCounts(bad, { rejected: 1 });
  const { source, ...rejection } = bad.rejections[0] ?? {};
  assert.deepEqual(rejection, { reason: 'service_request_id is missing' });
});
