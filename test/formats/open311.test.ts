import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertSucceeds, runCli } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';
import { type Request, toRequestsCsv, toXml } from './open311-requests.ts';

const harness = await createImportHarness({ after });
const { workspace } = harness;
const format = 'open311';

/** Data that must not be imported. */
const personal = {
  address: 'SECRET 8TH AVE',
  address_id: 'SECRET-545483',
  zipcode: 'SECRET-94122',
  lat: '37.7622218',
  long: '-122.4651145',
  first_name: 'SECRET-Ada',
  last_name: 'SECRET-Lovelace',
  email: 'SECRET@example.org',
  phone: 'SECRET-555',
  account_id: 'SECRET-4711',
  agency_responsible: 'SECRET agency',
  service_notice: 'SECRET notice',
};

/** The example of the specification with all imported fields. */
const full = {
  service_request_id: 638344,
  status: 'closed',
  service_name: 'Sidewalk and Curb Issues',
  service_code: '006',
  description: 'Zeile 1\nZeile 2; "in Anführung" <b>&amp; 🚲</b>',
  requested_datetime: '2010-04-14T06:37:38-08:00',
  updated_datetime: '2010-04-15T06:37:38-08:00',
  expected_datetime: '2010-04-16T06:37:38-08:00',
  media_url: 'http://city.example.org/638344.jpg ',
  priority: 'High',
  status_notes: 'Repaired <b>today</b> &amp; swept',
  ...personal,
  requests: 'SECRET follow-up',
  request: { service_request_id: 'SECRET-child' },
  extended_attributes: { detailed_status: 'IN_PROCESS', votes: 17, trust: 'SECRET-3' },
};
const least = {
  service_request_id: 'SR 14-00684314',
  service_name: ' Pothole ',
  requested_datetime: '2014-05-09T19:02:21Z',
};
const empty = {
  ...least,
  service_request_id: '3',
  status: 'open',
  description: ' ',
  updated_datetime: '',
  media_url: '',
  priority: '',
  extended_attributes: { detailed_status: '', votes: '' },
};
const requests: Request[] = [full, least, empty];

const usual = {
  priorityLevel: 'normal',
  supportCount: 0,
  hasAttachments: false,
  protocolUrl: null,
  createdAt: '2014-05-09T19:02:21.000Z',
  statusChangedAt: '2014-05-09T19:02:21.000Z',
};
/** By reference number. */
const expected = [
  {
    ...usual,
    referenceNumber: '3',
    description: 'Pothole',
    topicCategoryName: 'Pothole',
    status: 'received',
  },
  {
    referenceNumber: '638344',
    description: 'Zeile 1\nZeile 2; "in Anführung" & 🚲',
    status: 'in_review',
    topicCategoryName: 'Sidewalk and Curb Issues',
    priorityLevel: 'high',
    supportCount: 17,
    hasAttachments: true,
    protocolUrl: null,
    createdAt: '2010-04-14T14:37:38.000Z',
    statusChangedAt: '2010-04-15T14:37:38.000Z',
  },
  {
    ...usual,
    referenceNumber: 'SR 14-00684314',
    description: 'Pothole',
    topicCategoryName: 'Pothole',
    status: 'submitted',
  },
];

/** All published submissions of a municipality without their ids, by reference number. */
async function listPublished(town: Parameters<typeof harness.listAll>[0]) {
  const all = await harness.listAll(town, '/submissions');
  return all
    .map(({ id, ...fields }) => fields)
    .toSorted((a, b) => (a.referenceNumber < b.referenceNumber ? -1 : 1));
}

const nulls = { ...empty, description: null, updated_datetime: null, media_url: [], extended_attributes: [] };
const bom = '\ufeff';
const shapes: Record<string, [name: string, content: string | Buffer]> = {
  'a JSON array': ['x.json', JSON.stringify([full, least, nulls])],
  'JSON in lines': ['x.ndjson', toNdjson(requests)],
  'a document with "service_requests"': ['x.json', JSON.stringify({ service_requests: requests }, null, 2)],
  'a line with "requests"': ['x.json', JSON.stringify({ requests })],
  'an array of lists of "request"': ['x.json', JSON.stringify({ requests: [{ request: requests }] })],
  XML: ['x.xml', toXml(requests)],
  'XML, packed': ['x.xml.gz', gzipSync(toXml(requests))],
  'XML with a hyphen in its root element, attributes and comments': [
    'x.xml',
    toXml(requests)
      .replaceAll('service_requests>', 'service-requests>')
      .replace('<service-requests>', '<!-- <request> -->\n<service-requests type="array" xmlns="urn:x">')
      .replace('<description>', '<description lang="de"><!-- no -->'),
  ],
  'XML with CDATA, references and line breaks': [
    'x.xml',
    toXml(requests)
      .replace(
        /<description>(.+?)<\/description>/s,
        `<description>\r\n<![CDATA[${full.description}]]>\r\n</description>`,
      )
      .replace('Sidewalk and', 'Side&#119;alk\r\n      &#x61;nd'),
  ],
  CSV: ['x.csv', toRequestsCsv(requests)],
  'CSV with semicolons and a byte order mark': ['x.csv', `${bom}${toRequestsCsv(requests, ';')}`],
  'CSV in UTF-16': ['x.csv', Buffer.from(`${bom}${toRequestsCsv(requests)}`, 'utf16le')],
  'CSV whose columns have the inner names': [
    'x.csv',
    toRequestsCsv(requests).replaceAll('extended_attributes.', ''),
  ],
};

suite('service requests are imported without other data', { concurrency: 2 }, () => {
  for (const [shape, [name, content]] of Object.entries(shapes)) {
    test(`from ${shape}`, async () => {
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, content, { format, name });
      assert.equal(result.code, 0, result.stderr);
      assertCounts(result, { inserted: 3 });
      assert.deepEqual(await listPublished(town), expected);
      const rows = await workspace.sql('SELECT * FROM submission WHERE organization_id = $1', [town.id]);
      assert.doesNotMatch(JSON.stringify(rows), /SECRET|37\.76|122\.46/);
    });
  }

  test('again from another shape, which changes only changed requests', async () => {
    const town = await harness.createMunicipality();
    const take = (content: string) => harness.importContent(town, content, { format });
    await take(toXml(requests));
    assertCounts(await take(JSON.stringify(requests)), { unchanged: 3 });
    assertCounts(await take(toRequestsCsv(requests)), { unchanged: 3 });
    const closed = { ...empty, status: 'closed', updated_datetime: '2014-06-01T08:00:00Z' };
    assertCounts(await take(toXml([full, least, closed])), { unchanged: 2, changed: 1 });
    const [changed] = await listPublished(town);
    assert.deepEqual(changed, {
      ...expected[0],
      status: 'completed',
      statusChangedAt: '2014-06-01T08:00:00.000Z',
    });
  });
});

/** Imports variants of one request. @returns the publication or the rejection reason by reference number */
async function importVariants(all: readonly Request[], content: string, options: ImportContentOptions = {}) {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, content, { format, ...options });
  const of = new Map<string, Record<string, unknown>>();
  for (const { referenceNumber, ...fields } of await harness.listAll(town, '/submissions'))
    of.set(referenceNumber, fields);
  for (const { id, reason } of result.rejections) of.set(String(id), { reason });
  assert.equal(result.counts.read, all.length, result.stderr);
  return { result, of };
}

const base = { service_name: 'Graffiti', requested_datetime: '2026-03-01T09:15:00Z' };
const numberRequests = (all: Request[]) =>
  all.map((fields, n) => ({ ...base, service_request_id: `v${n}`, ...fields }));

test('the detailed status takes precedence over the general one, and unknown words are reported', async () => {
  const detailed = (word: unknown, status?: unknown) => ({
    status,
    extended_attributes: { detailed_status: word },
  });
  const cases: [Request, string][] = [
    [{ status: 'open' }, 'received'],
    [{ status: 'closed' }, 'completed'],
    [{ status: ' Closed\n' }, 'completed'],
    [{ status_description: 'Open' }, 'received'],
    [{ status_description: 'Processing' }, 'in_review'],
    [{ status_description: 'HOLD' }, 'in_review'],
    [{ status: 'closed', status_description: 'Open' }, 'completed'],
    [detailed('PENDING', 'open'), 'submitted'],
    [detailed('RECEIVED', 'open'), 'received'],
    [detailed('IN_PROCESS', 'open'), 'in_review'],
    [detailed('In process', 'closed'), 'in_review'],
    [detailed('PROCESSED', 'closed'), 'completed'],
    [detailed('REJECTED', 'closed'), 'rejected'],
    [detailed('REJECTED'), 'rejected'],
    [detailed('ARCHIVED', 'closed'), 'completed'],
    [detailed('ARCHIVED', 'open'), 'received'],
    [detailed('ARCHIVED', 'gone'), 'received'],
    [detailed('ARCHIVED'), 'received'],
    [{ status: 'investigating' }, 'received'],
    [{ status: 'investigating' }, 'received'],
    [{ status: 'constructor' }, 'received'],
    [{ status: '' }, 'submitted'],
    [{}, 'submitted'],
  ];
  const all = numberRequests(cases.map(([fields]) => fields));
  const { result, of } = await importVariants(all, JSON.stringify(all));
  assert.equal(result.code, 0, result.stderr);
  for (const [n, [fields, status]] of cases.entries())
    assert.equal(of.get(`v${n}`)?.status, status, JSON.stringify(fields));
  assert.deepEqual(result.counts.unmappedValues, {
    'ARCHIVED, closed': { count: 1, publishedAs: 'completed' },
    'ARCHIVED, open': { count: 1, publishedAs: 'received' },
    'ARCHIVED, gone': { count: 1, publishedAs: 'received' },
    ARCHIVED: { count: 1, publishedAs: 'received' },
    investigating: { count: 2, publishedAs: 'received' },
    constructor: { count: 1, publishedAs: 'received' },
  });
});

test('attachments are URLs in media_url or media_urls, alone, in a list or in an object', async () => {
  const cases: [Request, boolean][] = [
    [{ media_url: 'https://city.example.org/1.jpg' }, true],
    [{ media_url: 'photos/1.jpg' }, true],
    [{ media_url: 'null' }, false],
    [{ media_url: [' None', 'N/A', '-'], extended_attributes: { media_urls: { url: 'NULL' } } }, false],
    [{ media_url: ['https://city.example.org/1.jpg'] }, true],
    [{ media_url: [{ id: 1, url: 'https://city.example.org/1.jpg' }] }, true],
    [{ extended_attributes: { media_urls: ['https://city.example.org/1.jpg'] } }, true],
    [{ extended_attributes: { media_urls: { media_url: 'https://city.example.org/1.jpg' } } }, true],
    [{ media_url: ['', 'https://city.example.org/1.jpg'] }, true],
    [{ media_url: '' }, false],
    [{ media_url: ' \n' }, false],
    [{ media_url: null }, false],
    [{ media_url: [] }, false],
    [{ media_url: ['', null] }, false],
    [{ media_url: {} }, false],
    [{ extended_attributes: { media_urls: [] } }, false],
    [{}, false],
  ];
  const all = numberRequests(cases.map(([fields]) => fields));
  for (const content of [JSON.stringify(all), toXml(all)]) {
    const { of } = await importVariants(all, content);
    for (const [n, [fields, has]] of cases.entries())
      assert.equal(of.get(`v${n}`)?.hasAttachments, has, JSON.stringify(fields));
  }
});

/** Missing and invalid values with the rejection reasons. */
const invalidRequests: [Request, RegExp][] = [
  [{ service_request_id: undefined }, /^service_request_id is missing$/],
  [{ service_request_id: ' ' }, /^service_request_id is missing$/],
  [{ service_request_id: null, token: '12345' }, /it has a token and no service_request_id yet/],
  [{ service_request_id: 2 ** 53 }, /service_request_id must be a text or a whole number/],
  [{ service_request_id: 1.5 }, /service_request_id must be a text or a whole number/],
  [{ service_request_id: ['1'] }, /service_request_id must be a text/],
  [{ service_request_id: 'x'.repeat(201) }, /referenceNumber must not have more than 200/],
  [{ service_name: undefined }, /^a description or service_name is missing$/],
  [{ service_name: {}, description: 'x' }, /^service_name must be a text$/],
  [{ service_name: 'x'.repeat(201), description: 'x' }, /topicCategoryName must not have more than 200/],
  [{ description: ['a', 'b'] }, /^description must be a text$/],
  [{ description: 'x'.repeat(100_001) }, /description must not have more than 100000/],
  [{ description: 'a\u0000b' }, /description must not contain U\+0000/],
  [{ requested_datetime: undefined }, /^requested_datetime is missing$/],
  [{ requested_datetime: '' }, /^requested_datetime is missing$/],
  [{ requested_datetime: '03/01/2026 09:15 AM' }, /requested_datetime must be a time such as/],
  [{ requested_datetime: '2026-02-30T09:15:00Z' }, /requested_datetime is not a valid time/],
  [{ requested_datetime: 1_772_356_500 }, /requested_datetime must be a time such as/],
  [{ updated_datetime: 'yesterday' }, /updated_datetime must be a time such as/],
  [{ status: ['open'] }, /^status must be a text$/],
  [{ extended_attributes: { detailed_status: true } }, /^detailed_status must be a text$/],
  [{ extended_attributes: { votes: -1 } }, /^votes must be a whole number$/],
  [{ extended_attributes: { votes: 'many' } }, /^votes must be a whole number$/],
  [{ extended_attributes: { votes: 2 ** 32 } }, /supportCount/],
  [{ priority: { level: 1 } }, /^priority must be a text$/],
  [{ priority: 'x'.repeat(201) }, /priorityLevel must not have more than 200/],
];

test('a request with a missing or invalid value is rejected with entry and id, and others are imported', async () => {
  const all = [
    ...numberRequests(invalidRequests.map(([fields]) => fields)),
    { ...base, service_request_id: 'good' },
  ];
  const town = await harness.createMunicipality();
  const result = await harness.importContent(
    town,
    JSON.stringify([...all, 'no object', null, { code: 403 }]),
    { format },
  );
  assert.equal(result.code, 3, result.stderr);
  assertCounts(result, { inserted: 1, rejected: invalidRequests.length + 3 });
  for (const [n, [fields, reason]] of invalidRequests.entries()) {
    assert.match(result.rejections[n]?.reason ?? '', reason, JSON.stringify(fields).slice(0, 200));
    assert.equal(result.rejections[n]?.entry, n + 1);
  }
  assert.equal(result.rejections[11]?.id, 'v11');
  assert.equal(result.rejections[1]?.id, undefined, 'a blank is no id');
  assert.deepEqual(
    result.rejections.slice(invalidRequests.length).map(({ reason }) => reason),
    [
      'the service request must be an object',
      'the service request must be an object',
      'service_request_id is missing',
    ],
  );
});

test('a rejection names the line in XML and CSV, and the entry of a list in a document', async () => {
  const all = numberRequests([{}, { requested_datetime: '' }, {}, { extended_attributes: { votes: 'x' } }]);
  const places = async (content: string) => {
    const { result } = await importVariants(all, content);
    assertCounts(result, { inserted: 2, rejected: 2 });
    return result.rejections.map(({ line, entry, id }) => [line, entry, id]);
  };
  assert.deepEqual(await places(toXml(all)), [
    [4, undefined, 'v1'],
    [6, undefined, 'v3'],
  ]);
  assert.deepEqual(await places(toRequestsCsv(all)), [
    [3, undefined, 'v1'],
    [5, undefined, 'v3'],
  ]);
  assert.deepEqual(await places(JSON.stringify({ requests: all }, null, 1)), [
    [undefined, 2, 'v1'],
    [undefined, 4, 'v3'],
  ]);
});

test('a repeated request is ignored if it is equal, else rejected', async () => {
  const town = await harness.createMunicipality();
  const [one, two] = numberRequests([{}, {}]);
  const paths = [
    workspace.writeFile('page-1.xml', toXml([one as Request])),
    workspace.writeFile('page-2.json', JSON.stringify([one, two, { ...two, description: 'Other' }])),
  ];
  const result = await harness.importContent(town, paths, { format });
  assertCounts(result, { inserted: 2, ignored: 1, rejected: 1 });
  assert.match(result.rejections[0]?.reason ?? '', /an earlier record in the same input has the same id/);
});

test('times without an offset are local with --time-zone, and other times keep their offset', async () => {
  const all = numberRequests([
    { requested_datetime: '2026-07-01T12:00:00.000', updated_datetime: '2026-12-01 12:00' },
    { requested_datetime: '2026-07-01T12:00:00Z' },
  ]);
  const { of } = await importVariants(all, toRequestsCsv(all), {
    flags: ['--time-zone', 'America/Los_Angeles'],
  });
  assert.equal(of.get('v0')?.createdAt, '2026-07-01T19:00:00.000Z');
  assert.equal(of.get('v0')?.statusChangedAt, '2026-12-01T20:00:00.000Z');
  assert.equal(of.get('v1')?.createdAt, '2026-07-01T12:00:00.000Z');
});

test('input without service requests is explained', async () => {
  const cases: [string | Buffer, RegExp][] = [
    ['a;b\n1;2\n', /x has no Open311 service requests: its first line has no column "service_request_id"/],
    [
      '<errors><error><code>403</code></error></errors>',
      /x has no Open311 service requests: its root element is <errors>/,
    ],
    ['<!-- --><html><body>Sign in</body></html>', /is a web page \(HTML\)/],
    [' \n', /x is empty/],
    ['[{"service_request_id": ', /is not valid JSON after entry 0/],
    [Buffer.from(`${bom}[]`, 'utf16le'), /is UTF-16: save it as UTF-8/],
  ];
  const town = await harness.createMunicipality();
  for (const [content, sentence] of cases) {
    const { code, stderr } = await harness.importContent(town, content, { format, name: 'x' });
    assert.match(stderr, sentence);
    assert.equal(code, 1);
  }
  assertCounts(await harness.importContent(town, '<service_requests/>', { format }), {});
  assertCounts(await harness.importContent(town, '{"service_requests": []}', { format }), {});
});

test('detect recognizes all shapes by the id, and nothing else', async () => {
  const files = Object.entries(shapes).map(([, [name, content]], n) =>
    workspace.writeFile(`detect-${n}-${name}`, content),
  );
  const many = numberRequests(Array.from({ length: 2_000 }, () => ({ description: 'x'.repeat(100) })));
  files.push(
    workspace.writeFile('many.json', JSON.stringify({ service_requests: many })),
    workspace.writeFile('utf-16.xml', Buffer.from(`${bom}${toXml(requests, 'utf-16')}`, 'utf16le')),
  );
  const found = await assertSucceeds(['import', 'detect', ...files]);
  const lines = found.split('\n');
  assert.equal(lines.length, files.length * 2, found);
  for (const [n, file] of files.entries()) {
    assert.equal(lines[2 * n], file);
    assert.match(
      lines[2 * n + 1] ?? '',
      /^ {2}open311: (its root element is <service[_-]requests>|it has a column "service_request_id"|its objects have a "service_request_id")$/,
    );
  }
  const other = await runCli([
    'import',
    'detect',
    workspace.writeFile('other.xml', '<services><service/></services>'),
  ]);
  assert.equal(other.code, 1);
  assert.match(other.stdout, /no format fits/);
});

test('--explain prints the source of each field, and the omitted data', async () => {
  const output = await assertSucceeds(['import', format, '--explain']);
  for (const name of Object.keys({ id: '', ...expected[1] }).filter((field) => field !== 'protocolUrl'))
    assert.match(output, new RegExp(`^${name} +\\S`, 'm'));
  assert.match(output, /supportCount +`extended_attributes\.votes`/);
  assert.match(output, /Addresses, reporters/);
});
