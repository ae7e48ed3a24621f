import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { parse as parseCsv } from 'csv-parse/sync';
import type { DocumentLink } from '../../src/contract/resources/extension-fields.ts';
import { createMetrics, type Metrics } from '../../src/platform/metrics/metrics-registry.ts';
import { openStore } from '../../src/store/open.ts';
import type { OpenClient } from '../../src/web/open/client-limits.ts';
import { createFileCache, type FileCache } from '../../src/web/open/file-cache.ts';
import { limitStore } from '../../src/web/open/limited-store.ts';
import { createOpenDataRouter } from '../../src/web/open/open-data-router.ts';
import { openFiles } from '../../src/web/open/open-files.ts';
import { OpenDataBusyError, type OpenDataResponse } from '../../src/web/open/responses.ts';
import { storeDefaults } from '../support/database.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { type HttpResponse, type RequestOptions, sendRequest } from '../support/http-client.ts';
import { isCitus } from '../support/postgres-database.ts';
import {
  contentOfB,
  createSession,
  createSubmission,
  draftSurveyId,
  formatSubmissionId,
  sessions,
  submissions,
} from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const fixture = await createFixture({ after });
const { store, a, b, alice, putRecords, sql } = fixture;
const folder = createTemporaryFolder({ after });
const environment = { ROSTRA_OPEN_DATA_FOLDER: folder };
const server = await fixture.startServer(environment);

const open = (id: string, slug: string) =>
  store.editOrganization(id, { slug, licenseName: 'CC-BY-4.0', openData: 'on' });

const pageOptions = {
  publicUrl: undefined,
  footerUrls: { imprint: undefined, privacy: undefined, accessibility: undefined },
  hasWordSearch: true,
  language: 'de',
} as const;

const client: OpenClient = { address: '192.0.2.1', searchInTurn: (search) => search() };

await open(a, 'musterstadt');
await open(b, 'beispielburg');

const get = (path: string, options?: RequestOptions, { port } = server) =>
  sendRequest(port, `/open/${path}`, options);

/** Without the headers that differ for each request. */
const compare = ({ status, headers, text }: HttpResponse) => {
  const { date: _, 'x-request-id': __, ...others } = headers;
  return { status, headers: others, text };
};

async function getFile(path: string, options?: RequestOptions): Promise<HttpResponse> {
  const response = await get(path, options);
  assert.equal(response.status, 200, response.text);
  return response;
}

const readLines = async (name: string, slug = 'musterstadt') =>
  (await getFile(`${slug}/${name}`)).text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const readTable = async (name: string): Promise<Record<string, string>[]> =>
  parseCsv((await getFile(`musterstadt/${name}`)).text, { columns: true });

async function close(found: OpenDataResponse | undefined): Promise<void> {
  if (typeof found?.body === 'object' && 'close' in found.body) await found.body.close();
}

async function readBody(found: OpenDataResponse | undefined): Promise<Buffer> {
  assert.ok(typeof found?.body === 'object' && 'chunks' in found.body);
  return Buffer.concat((await Array.fromAsync(found.body.chunks)) as Buffer[]);
}

function countStatements(metrics: Metrics): number {
  const { rostra_database_statement_duration_seconds: series = [] } = metrics.collect();
  return series.flatMap(({ counts = [] }) => counts).reduce((sum, count) => sum + count, 0);
}

interface Change {
  kind: string;
  id: string;
  deleted: boolean;
  data: object;
  changedAt: string | null;
}

async function readPublished(kind: string): Promise<{ id?: string; surveyId?: string }[]> {
  const { data } = (await server.get('/changes?limit=1000', { key: alice })).json;
  return data
    .filter((change: Change) => change.kind === kind && !change.deleted)
    .map(
      ({
        data: object,
        kind: _kind,
        id: _id,
        deleted: _deleted,
        changedAt: _changedAt,
        ...added
      }: Change) => ({
        ...object,
        ...added,
      }),
    );
}

suite('a file of a municipality', () => {
  for (const [name, kind] of [
    ['submissions.ndjson', 'submission'],
    ['sessions.ndjson', 'session'],
    ['surveys.ndjson', 'survey'],
  ] as const)
    test(`with the name ${name} has each object as /changes publishes it`, async () => {
      const sort = (objects: { id?: string; surveyId?: string }[]) =>
        objects.toSorted((one, other) =>
          (one.id ?? one.surveyId ?? '') < (other.id ?? other.surveyId ?? '') ? -1 : 1,
        );
      assert.deepEqual(sort(await readLines(name)), sort(await readPublished(kind)));
    });

  test('has submissions and sessions in the order of the API', async () => {
    for (const list of ['submissions', 'sessions']) {
      const { data } = (await server.get(`/${list}?limit=100`, { key: alice })).json;
      assert.deepEqual(
        (await readLines(`${list}.ndjson`)).map(({ id }) => id),
        data.map(({ id }: { id: string }) => id),
      );
    }
  });

  test('has as many rows as the municipality has objects, agenda items and options', async () => {
    const surveys = (await readPublished('survey')) as { questions: { options: object[] }[] }[];
    const questions = surveys.flatMap((survey) => survey.questions);
    for (const [name, count] of [
      ['submissions', submissions.length],
      ['sessions', sessions.length],
      ['agenda_items', sessions.reduce((sum, session) => sum + (session.submissions?.length ?? 0), 0)],
      ['submission_documents', submissions.flatMap(({ documents }) => documents).length],
      ['session_documents', sessions.flatMap(({ documents }) => documents).length],
      ['surveys', surveys.length],
      ['survey_questions', questions.length],
      ['survey_options', questions.reduce((sum, question) => sum + question.options.length, 0)],
    ] as const) {
      assert.equal((await readTable(`${name}.csv`)).length, count, name);
      const [excel, others] = await Promise.all(
        ['excel', 'excel-comma'].map((form) => getFile(`musterstadt/${name}.${form}.csv`)),
      );
      const rows = parseCsv(excel?.body as Buffer, { bom: true, delimiter: ';' });
      assert.equal(rows.length, count + 1);
      assert.deepEqual(parseCsv(others?.body as Buffer, { bom: true }), rows);
    }
  });

  test('has a row for each document, with the record and the position', async () => {
    const toRows = (name: string, records: readonly { id: string; documents: readonly DocumentLink[] }[]) =>
      records.flatMap(({ id, documents }) =>
        documents.map(({ title, url, mediaType }, index) => ({
          [name]: id,
          position: String(index + 1),
          title,
          url,
          mediaType: mediaType ?? '',
        })),
      );
    const sort = (rows: Record<string, string>[]) => rows.map((row) => JSON.stringify(row)).toSorted();
    const ofSubmissions = toRows('submissionId', submissions);
    assert.ok(ofSubmissions.some(({ mediaType }) => mediaType === ''));
    assert.deepEqual(sort(await readTable('submission_documents.csv')), sort(ofSubmissions));
    assert.deepEqual(sort(await readTable('session_documents.csv')), sort(toRows('sessionId', sessions)));
  });

  test('as CSV for Excel begins with a byte order mark, and has no formula, also behind invisible characters', async () => {
    const formula = '=HYPERLINK("https://a.example","x")';
    const starts = [
      '',
      ' ',
      '\u00a0',
      '\u200b',
      '\ufeff',
      '\u3164',
      '\u2800',
      '\u202e',
      ' \u200b\ufe0f\u00ad ',
    ];
    const formulas = [
      ...starts.map((start) => start + formula),
      '+1',
      '-1',
      '@SUM(A1)',
      '＝1',
      '\u200b＋1',
      '﹣1',
    ];
    const texts = ['a=1', ' Bank', '\u200bBank', '1-2', '‘=1’'];
    const cells = [...formulas, ...texts];
    await putRecords(
      b,
      cells.map((description, n) => ({ kind: 'submission', ...createSubmission(40 + n, { description }) })),
    );
    const plain = await getFile('beispielburg/submissions.csv');
    const excel = await getFile('beispielburg/submissions.excel.csv');
    assert.equal(excel.body.subarray(0, 3).toString('hex'), 'efbbbf');
    assert.notEqual(plain.body.subarray(0, 3).toString('hex'), 'efbbbf');
    const list = ({ text }: HttpResponse) => {
      const rows: Record<string, string>[] = parseCsv(text, {
        columns: true,
        bom: true,
        delimiter: [',', ';'],
      });
      return cells.map((_, n) => rows.find(({ id }) => id === formatSubmissionId(40 + n))?.description);
    };
    assert.deepEqual(list(plain), cells);
    assert.deepEqual(list(excel), [...formulas.map((text) => `'${text}`), ...texts]);
    assert.match(plain.text, /\r\n$/);
  });

  test('has its own type, can be validated and read by pages of every origin', async () => {
    const types = {
      csv: 'text/csv; charset=utf-8; header=present',
      ndjson: 'application/x-ndjson; charset=utf-8',
    };
    for (const [extension, type] of Object.entries(types)) {
      const { headers } = await getFile(`musterstadt/submissions.${extension}`, {
        headers: { origin: 'https://a.example' },
      });
      assert.equal(headers['content-type'], type);
      assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate');
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['set-cookie'], undefined);
    }
  });

  test('has no draft, and nothing of another municipality', async () => {
    // As another program may write it.
    await sql("UPDATE survey SET status = 'Entwurf' WHERE organization_id = $1 AND id = $2", [
      a,
      draftSurveyId,
    ]);
    for (const name of openFiles.keys()) {
      const { text } = await getFile(`musterstadt/${name}`);
      assert.ok(!text.includes(contentOfB), name);
      assert.ok(!text.includes(draftSurveyId), name);
    }
    await putRecords(b, [{ kind: 'submission', ...createSubmission(5, { description: contentOfB }) }]);
    assert.ok((await getFile('beispielburg/submissions.csv')).text.includes(contentOfB));
  });

  test('is described by the data package, with the licence', async () => {
    const { licenses, title, resources } = JSON.parse((await getFile('musterstadt/datapackage.json')).text);
    assert.equal(title, 'Musterstadt');
    assert.deepEqual(licenses, [{ name: 'CC-BY-4.0', title: 'CC-BY-4.0' }]);
    for (const { path, schema } of resources) {
      const [header = ''] = (await getFile(`musterstadt/${path}`)).text.split('\r\n');
      assert.equal(header, schema.fields.map(({ name }: { name: string }) => name).join(','));
    }
  });

  test('with documents is valid by the schema of the data package', async () => {
    const { resources } = JSON.parse((await getFile('musterstadt/datapackage.json')).text);
    const find = (name: string) => resources.find((resource: { name: string }) => resource.name === name);
    for (const [name, parent] of [
      ['submission_documents', 'submissions'],
      ['session_documents', 'sessions'],
    ] as const) {
      const { path, schema } = find(name);
      const rows = await readTable(path);
      const keys = rows.map((row) => schema.primaryKey.map((column: string) => row[column]).join());
      assert.equal(new Set(keys).size, rows.length);
      const [{ fields, reference }] = schema.foreignKeys;
      assert.equal(reference.resource, parent);
      const ids = new Set((await readTable(find(parent).path)).map((row) => row[reference.fields[0]]));
      for (const row of rows) {
        assert.ok(ids.has(row[fields[0]]));
        for (const { name: column, type, format, constraints } of schema.fields) {
          const value = row[column] ?? '';
          if (value === '') assert.notEqual(constraints?.required, true, column);
          else if (type === 'integer') assert.match(value, /^[1-9]\d*$/);
          else if (format === 'uri') assert.ok(URL.canParse(value), value);
          else if (format === 'uuid') assert.match(value, /^[\da-f-]{36}$/);
        }
      }
    }
  });
});

test('a municipality without records has files with headings only', async () => {
  const { id } = await store.addOrganization('Neudorf', '00000000-0000-4000-8000-00000000000a');
  await open(id, 'neudorf');
  assert.equal((await getFile('neudorf/submissions.ndjson')).text, '');
  assert.equal((await getFile('neudorf/sessions.csv')).text.split('\r\n').length, 2);
  await store.removeOrganization(id);
  assert.equal((await get('neudorf/sessions.csv')).status, 404);
});

test('a filter on a file is refused, because the complete file would look like a filtered one', async () => {
  const names = [
    'status',
    'topic',
    'committee',
    'words',
    'created_from',
    'date_to',
    'from',
    'limit',
    'cursor',
  ];
  const ofOtherApis = ['Status', 'q', 'page', 'offset', 'sort', 'since', 'committeeName'];
  for (const path of [
    'submissions.csv',
    'sessions.ndjson',
    'sessions.ics',
    'datapackage.json',
    'agenda_items.csv',
  ])
    for (const name of [...names, ...ofOtherApis]) {
      const { status, text } = await get(`musterstadt/${path}?utm_source=x&${name}=accepted`);
      assert.equal(status, 400, `${path} ${name}`);
      const { error, code } = JSON.parse(text);
      assert.equal(code, 'BAD_REQUEST');
      assert.match(error, new RegExp(`^The parameter "${name}" has no effect on a file`));
    }
  // Also before a redirect, which would drop it.
  assert.equal((await get('MUSTERSTADT/submissions.csv?status=accepted')).status, 400);
  for (const query of ['?', '?utm_source=news&fbclid=1', '?_=1764400000', '?%zz'])
    assert.equal((await get(`musterstadt/submissions.csv${query}`)).status, 200, query);
  assert.equal((await get('musterstadt/submissions?status=accepted')).status, 200);
});

/** What Firefox sends for a page. */
const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.7,de;q=0.3',
};

test('everything that is not published gets the same response', async () => {
  const { id } = await store.addOrganization('Altdorf', '00000000-0000-4000-8000-00000000000b');
  await open(id, 'altdorf');
  assert.equal((await get('altdorf/submissions.csv')).status, 200);
  await store.editOrganization(id, { openData: 'off' });
  const expected = compare(await get('unknown/submissions.csv'));
  const page = compare(await get('unknown', { headers: browser }));
  assert.deepEqual([expected.status, page.status], [404, 404]);
  const assertSame = async (path: string) => {
    assert.deepEqual(compare(await get(path)), expected, path);
    assert.deepEqual(compare(await get(path, { headers: browser })), page, path);
  };
  const ofAltdorf = ['altdorf', 'altdorf/', 'ALTDORF', 'altdorf/submissions', 'altdorf/submissions.csv'];
  for (const path of [
    ...ofAltdorf,
    '',
    'musterstadt/organization.csv',
    'musterstadt/submissions.xlsx',
    'musterstadt/submissions.csv/more',
    'musterstadt%2Fsubmissions.csv',
    'musterstadt%2fsubmissions',
    `musterstadt/submissions%2F${formatSubmissionId(1)}`,
    'musterstadt//',
    'musterstadt/../submissions.csv',
    `${a}/submissions.csv`,
    '%00/submissions.csv',
    `${'x'.repeat(5_000)}/submissions.csv`,
  ])
    await assertSame(path);
  const withoutSlash = [{}, { headers: browser }].map((options) =>
    sendRequest(server.port, '/open', options),
  );
  assert.deepEqual((await Promise.all(withoutSlash)).map(compare), [expected, page]);
  await store.removeOrganization(id);
  for (const path of ofAltdorf) await assertSame(path);
});

test('people get a page in their language for an unknown address, and programs get JSON', async () => {
  for (const [headers, language, title] of [
    [browser, 'en', 'Page not found'],
    [{ accept: 'text/html' }, 'de', 'Seite nicht gefunden'],
    [{ accept: 'text/html;q=0.9, application/json;q=0.5' }, 'de', 'Seite nicht gefunden'],
  ] as const) {
    const { status, text, headers: received } = await get('unknown', { headers });
    assert.equal(status, 404);
    assert.equal(received['content-type'], 'text/html; charset=utf-8');
    assert.match(received['content-security-policy'] ?? '', /^default-src 'none'/);
    assert.deepEqual([received['content-language'], received['cache-control']], [language, 'no-store']);
    assert.match(text, new RegExp(`<html lang="${language}">.*<h1[^>]*>${title}</h1>`, 's'));
  }
  const { text: json } = await get('unknown');
  for (const accept of [
    '*/*',
    'application/json',
    'application/json, text/html',
    'text/html;q=0',
    ',;q',
    'text/csv',
  ])
    assert.equal((await get('unknown', { headers: { accept } })).text, json, accept);
});

test('a slash at the end and other spellings of the slug lead to the right address', async () => {
  const id = formatSubmissionId(1);
  for (const [path, location] of [
    ['musterstadt/', 'musterstadt'],
    ['Musterstadt', 'musterstadt'],
    ['MUSTERSTADT/?language=en', 'musterstadt?language=en'],
    ['%6Dusterstadt/surveys?words=%2F', 'musterstadt/surveys?words=%2F'],
    [`musterstadt/submissions/${id}/`, `musterstadt/submissions/${id}`],
    ['Musterstadt/submissions.csv', 'musterstadt/submissions.csv'],
    ['musterstadt/sessions/Bau%2FUmwelt.ics/', 'musterstadt/sessions/Bau%2FUmwelt.ics'],
  ] as const) {
    const { status, headers } = await get(path);
    assert.deepEqual([status, headers.location], [308, `/open/${location}`], path);
  }
});

test('open data that is switched off is off at once, on every server and for copies in caches', async () => {
  const other = await fixture.startServer(environment);
  const etag = (await getFile('beispielburg/sessions.csv')).headers.etag ?? '';
  const headers = { 'if-none-match': etag };
  assert.equal((await get('beispielburg/sessions.csv', { headers }, other)).status, 304);
  await store.editOrganization(b, { openData: 'off' });
  for (const each of [server, other])
    assert.equal((await get('beispielburg/sessions.csv', { headers }, each)).status, 404);
  await store.editOrganization(b, { openData: 'on' });
  assert.equal((await get('beispielburg/sessions.csv', { headers }, other)).status, 304);
});

test('the address with an earlier slug leads to the present one', async () => {
  await store.editOrganization(b, { slug: 'beispielburg-am-see' });
  const { status, headers } = await get('beispielburg/sessions.csv');
  assert.deepEqual([status, headers.location], [308, '/open/beispielburg-am-see/sessions.csv']);
  await store.editOrganization(b, { slug: 'beispielburg' });
  assert.equal((await get('beispielburg/sessions.csv')).status, 200);
  assert.equal(
    (await get('beispielburg-am-see/sessions.csv')).headers.location,
    '/open/beispielburg/sessions.csv',
  );
});

suite('the tag of a file', { concurrency: 1 }, () => {
  const path = 'musterstadt/sessions.csv';
  let etag = '';
  before(async () => {
    etag = (await getFile(path)).headers.etag ?? '';
  });

  test('is strong, and the same on every server', async () => {
    assert.match(etag, /^"[0-9a-f]{32}"$/);
    const other = await fixture.startServer({ ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }) });
    assert.equal((await get(path, {}, other)).headers.etag, etag);
  });

  test('makes the next request a 304 without a body', async () => {
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get(path, { headers: { 'if-none-match': value } });
      assert.deepEqual([response.status, response.text], [304, ''], value);
      assert.equal(response.headers.etag, etag);
      // Some caches replace the headers of their copy by those of a 304.
      assert.equal(response.headers['content-type'], 'text/csv; charset=utf-8; header=present');
      assert.equal(response.headers['content-length'], undefined);
    }
    for (const value of ['', 'nonsense', etag.slice(1), '"', '"\u00e9"', ','.repeat(2_000)])
      assert.equal((await get(path, { headers: { 'if-none-match': value } })).status, 200, value);
  });

  test('costs one statement, which requests that arrive together share', async (t) => {
    const metrics = createMetrics();
    const own = await openStore({ ...storeDefaults, database: fixture.database, metrics });
    t.after(() => own.close());
    const openData = createOpenDataRouter(
      limitStore(own),
      createFileCache(folder, 1_000_000_000),
      pageOptions,
    );
    const respondTo = async (slugs: string[]) => {
      const before = countStatements(metrics);
      const responses = await Promise.all(
        slugs.map((slug) => openData.respond(`${slug}/sessions.csv`, '', { 'if-none-match': '*' }, client)),
      );
      assert.deepEqual([...new Set(responses.map((response) => response?.status))], [304]);
      return {
        statements: countStatements(metrics) - before,
        tags: responses.map((response) => response?.headers[1]),
      };
    };
    // The first statements also find out what the database is.
    const [tagOfA, tagOfB] = (await respondTo(['musterstadt', 'beispielburg'])).tags;
    const slugs = Array.from({ length: 20 }, (_, index) => (index % 2 ? 'musterstadt' : 'beispielburg'));
    const { statements, tags } = await respondTo(slugs);
    assert.equal(statements, isCitus ? 4 : 2);
    assert.deepEqual(
      tags,
      slugs.map((slug) => (slug === 'musterstadt' ? tagOfA : tagOfB)),
    );
  });

  test('does not move when another municipality writes, and moves with each own change', async () => {
    const headers = { 'if-none-match': etag };
    await putRecords(b, [{ kind: 'session', ...createSession(70, { committeeName: contentOfB }) }]);
    assert.equal((await get(path, { headers })).status, 304);
    await putRecords(a, [{ kind: 'session', ...createSession(71) }]);
    const changed = await getFile(path, { headers });
    assert.notEqual(changed.headers.etag, etag);
    await putRecords(a, [{ kind: 'retraction', of: 'session', id: createSession(71).id }]);
    await store.editOrganization(a, { attribution: 'Stadt Musterstadt' });
    assert.notEqual((await getFile(path)).headers.etag, changed.headers.etag);
  });
});

test('calls of requests without a key run four at a time, and the others after them', async () => {
  const calls: PromiseWithResolvers<undefined>[] = [];
  const findOrganization = () => {
    const call = Promise.withResolvers<undefined>();
    calls.push(call);
    return call.promise;
  };
  const limited = limitStore({ ...store, findOrganization });
  const found = Array.from({ length: 6 }, () => limited.findOrganization(a));
  await waitUntil('four calls', () => calls.length >= 4);
  await setTimeout(20);
  assert.equal(calls.length, 4);
  calls[0]?.reject(new Error('broken'));
  await assert.rejects(found[0] as Promise<unknown>, /broken/);
  calls[1]?.resolve(undefined);
  await waitUntil('the other calls', () => calls.length === 6);
  for (const { resolve } of calls) resolve(undefined);
  await Promise.all(found.slice(1));
});

suite('a download', () => {
  const path = 'musterstadt/submissions.csv';
  const getRange = (range: string, others = {}) => get(path, { headers: { range, ...others } });

  test('of a range continues an interrupted one', async () => {
    const whole = await getFile(path);
    const { length } = whole.body;
    assert.equal(whole.headers['content-length'], String(length));
    assert.equal(whole.headers['accept-ranges'], 'bytes');
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 10],
      ['bytes=10-', 10, length],
      ['bytes=-5', length - 5, length],
      [`bytes=5-${length * 2}`, 5, length],
    ] as const) {
      const part = await getRange(range, { 'if-range': whole.headers.etag });
      assert.equal(part.status, 206, range);
      assert.deepEqual(part.body, whole.body.subarray(from, to), range);
      assert.equal(part.headers['content-range'], `bytes ${from}-${to - 1}/${length}`);
    }
  });

  test('of a range that does not exist is a 416, and of an invalid one the whole file', async () => {
    const { length } = (await getFile(path)).body;
    const beyond = await getRange(`bytes=${length}-`);
    assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, `bytes */${length}`]);
    for (const range of [
      'bytes=9-1',
      'lines=1-2',
      'bytes',
      'bytes=a-b',
      'bytes=0-1,5-6',
      `bytes=${'0-1,'.repeat(900)}`,
    ])
      assert.deepEqual(
        [(await getRange(range)).status, (await getRange(range)).body.length],
        [200, length],
        range,
      );
    assert.equal((await getRange('bytes=0-9', { 'if-range': '"another"' })).status, 200);
  });

  test('is compressed with a tag of its own', async () => {
    const plain = await getFile(path);
    const compressed = await getFile(path, { headers: { 'accept-encoding': 'br, gzip' } });
    assert.equal(compressed.headers['content-encoding'], 'gzip');
    assert.equal(compressed.text, plain.text);
    assert.equal(compressed.headers['content-length'], String(compressed.body.length));
    assert.ok(compressed.body.length < plain.body.length);
    assert.notEqual(compressed.headers.etag, plain.headers.etag);
    assert.match(compressed.headers.vary ?? '', /Accept-Encoding/);
    const { etag = '' } = compressed.headers;
    const headers = { 'accept-encoding': 'gzip', 'if-none-match': etag };
    assert.equal((await get(path, { headers })).status, 304);
    assert.equal((await get(path, { headers: { 'if-none-match': etag } })).status, 200);
  });

  test('of a large file or of a range of it is equal to that of a small file', async () => {
    const [small, large] = [1_000_000, 0].map((maxSmallBytes) =>
      createOpenDataRouter(store, createFileCache(folder, 1_000_000_000, maxSmallBytes), pageOptions),
    );
    for (const headers of [
      {},
      { range: 'bytes=0-9' },
      { range: 'bytes=10-' },
      { 'accept-encoding': 'gzip' },
    ]) {
      const [one, other] = [
        await small?.respond(path, '', headers, client),
        await large?.respond(path, '', headers, client),
      ];
      assert.deepEqual(other?.headers, one?.headers);
      assert.ok(Buffer.isBuffer(one?.body) && !Buffer.isBuffer(other?.body));
      assert.deepEqual(await readBody(other), one.body);
    }
  });

  test('of a large file that is aborted makes room for another one', async () => {
    const openData = createOpenDataRouter(store, createFileCache(folder, 1_000_000_000, 0), pageOptions);
    for (let count = 0; count < 250; count += 1) {
      const found = await openData.respond(path, '', {}, client);
      assert.ok(typeof found?.body === 'object' && 'close' in found.body);
      await found.body.close();
    }
  });

  test('of a large file is refused while the maximum of others runs, and one of a small file is not', async () => {
    const [large, small] = [
      (await getFile(path)).body.length,
      (await getFile('musterstadt/surveys.csv')).body.length,
    ];
    assert.ok(small < large);
    const openData = createOpenDataRouter(store, createFileCache(folder, 1_000_000_000, small), pageOptions);
    const respond = (name: string) => openData.respond(name, '', {}, client);
    const begun = await Promise.all(Array.from({ length: 200 }, () => respond(path)));
    await assert.rejects(respond(path), OpenDataBusyError);
    assert.ok(Buffer.isBuffer((await respond('musterstadt/surveys.csv'))?.body));
    for (const each of begun) await close(each);
    await close(await respond(path));
  });

  test('of a small file in memory is not sent after a record was removed, or open data was switched off', async () => {
    const openData = createOpenDataRouter(store, createFileCache(folder, 1_000_000_000), pageOptions);
    const id = formatSubmissionId(42);
    await putRecords(b, [{ kind: 'submission', ...createSubmission(42) }]);
    const respond = async () => {
      const found = await openData.respond('beispielburg/submissions.csv', '', {}, client);
      return Buffer.isBuffer(found?.body) ? found.body.includes(id) : found;
    };
    assert.deepEqual([await respond(), await respond()], [true, true]);
    await store.removeRecord({ organizationId: b, kind: 'submission', id }, 'erasure');
    assert.equal(await respond(), false);
    await store.editOrganization(b, { openData: 'off' });
    assert.equal(await respond(), undefined);
    await store.editOrganization(b, { openData: 'on' });
  });

  test('with HEAD has the headers only, and other methods are rejected', async () => {
    const whole = await getFile(path);
    const head = await get(path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.body.length], [200, 0]);
    assert.equal(head.headers['content-length'], whole.headers['content-length']);
    for (const method of ['POST', 'PUT', 'DELETE']) assert.equal((await get(path, { method })).status, 405);
  });

  test('by many clients at once builds the file once, and each gets all of it', async () => {
    await putRecords(a, [{ kind: 'session', ...createSession(72) }]);
    const all = await Promise.all(Array.from({ length: 50 }, () => getFile('musterstadt/sessions.ndjson')));
    assert.equal(new Set(all.map(({ text }) => text)).size, 1);
    assert.equal(all[0]?.text.trimEnd().split('\n').length, (await readPublished('session')).length);
  });
});

suite('the files on the disk', { concurrency: 1 }, () => {
  const own = createTemporaryFolder({ after });
  const cache = createFileCache(own, 1_000_000_000, 0);
  const openData = createOpenDataRouter(store, cache, pageOptions);
  const locate = (id: string) => join(own, `${id}.open-data`);
  const listVersions = (id: string) => (existsSync(locate(id)) ? readdirSync(locate(id)) : []);
  const build = async (path: string) => {
    const found = await openData.respond(path, '', {}, client);
    await close(found);
    assert.equal(found?.status, 200);
  };

  test('are replaced by those of the next version', async () => {
    await build('musterstadt/surveys.csv');
    const [first] = listVersions(a);
    await build('musterstadt/sessions.csv');
    assert.deepEqual(listVersions(a), [first]);
    assert.deepEqual(readdirSync(join(locate(a), String(first))).sort(), [
      'sessions.csv',
      'sessions.csv.gz',
      'surveys.csv',
      'surveys.csv.gz',
    ]);
    await putRecords(a, [{ kind: 'session', ...createSession(73) }]);
    await build('musterstadt/surveys.csv');
    const [second, ...others] = listVersions(a);
    assert.notEqual(second, first);
    assert.deepEqual(others, []);
  });

  test('are removed after open data was switched off, or the data has changed', async () => {
    await build('musterstadt/surveys.csv');
    await build('beispielburg/surveys.csv');
    await store.editOrganization(b, { openData: 'off' });
    await openData.sweep(store);
    assert.deepEqual(listVersions(b), []);
    assert.equal(listVersions(a).length, 1);
    await putRecords(a, [{ kind: 'session', ...createSession(74) }]);
    await openData.sweep(store);
    assert.deepEqual(listVersions(a), []);
    await store.editOrganization(b, { openData: 'on' });
  });

  const startDownload = async (path: string) => {
    const found = await openData.respond(path, '', {}, client);
    assert.ok(typeof found?.body === 'object' && 'close' in found.body);
    const { chunks } = found.body;
    return { read: () => Array.fromAsync(chunks), stop: found.body.close };
  };

  test('are removed, and their downloads end, after a record was removed for good', async () => {
    await putRecords(b, [{ kind: 'submission', ...createSubmission(41) }]);
    const taken = await startDownload('beispielburg/submissions.csv');
    const other = await startDownload('musterstadt/submissions.csv');
    await store.removeRecord(
      { organizationId: b, kind: 'submission', id: formatSubmissionId(41) },
      'erasure',
    );
    await openData.takeDown(store);
    assert.deepEqual(listVersions(b), []);
    assert.equal(listVersions(a).length, 1);
    await assert.rejects(taken.read(), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
    assert.ok((await other.read()).length > 0);
    const present = await startDownload('beispielburg/submissions.csv');
    await openData.takeDown(store);
    assert.ok(!Buffer.concat((await present.read()) as Buffer[]).includes(formatSubmissionId(41)));
  });

  for (const [what, slug, end] of [
    ['open data was switched off', 'endort', (id) => store.editOrganization(id, { openData: 'off' })],
    ['their municipality was removed', 'fernort', (id) => store.removeOrganization(id)],
  ] satisfies [string, string, (id: string) => Promise<unknown>][])
    test(`are removed, and their downloads end, after ${what}`, async () => {
      const { id } = await store.addOrganization(slug, randomUUID());
      await store.editOrganization(id, { slug, licenseName: 'CC0-1.0', openData: 'on' });
      const taken = await startDownload(`${slug}/submissions.csv`);
      const other = await startDownload('musterstadt/submissions.csv');
      await end(id);
      await openData.takeDown(store);
      assert.deepEqual(listVersions(id), []);
      await assert.rejects(taken.read(), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
      assert.ok((await other.read()).length > 0);
    });

  test('are the only ones that are removed from their folder', async () => {
    const others = ['rostra.db', join('uploads', 'a'), join(a, 'b'), join('rostra.open-data', 'c')];
    for (const other of others) {
      mkdirSync(dirname(join(own, other)), { recursive: true });
      writeFileSync(join(own, other), 'kept');
    }
    await openData.sweep(store);
    for (const other of others) assert.equal(readFileSync(join(own, other), 'utf8'), 'kept');
  });

  test('of the municipality that was used longest ago are removed if all are too large', async () => {
    await build('beispielburg/surveys.csv');
    const small = createOpenDataRouter(store, createFileCache(own, 1), pageOptions);
    const found = await small.respond('musterstadt/surveys.csv', '', {}, client);
    await close(found);
    assert.deepEqual(listVersions(b), []);
    assert.equal(listVersions(a).length, 1);
  });

  /** @returns open data that runs `work` while the first file is being built */
  const createChanging = (work: () => Promise<unknown>) => {
    let isFirst = true;
    const changing: FileCache = {
      ...cache,
      build: (file, content) => {
        async function* readThenWork() {
          yield* content;
          if (isFirst) await work();
          isFirst = false;
        }
        return cache.build(file, Readable.from(readThenWork()));
      },
    };
    return createOpenDataRouter(store, changing, pageOptions);
  };

  test('have the present data if it changes while they are being built', async () => {
    const changed = createSession(75, { committeeName: 'Während des Aufbaus' });
    const found = await createChanging(() =>
      putRecords(a, [{ kind: 'session', ...createSession(76) }]).then(() =>
        putRecords(a, [{ kind: 'session', ...changed }]),
      ),
    ).respond('musterstadt/sessions.ndjson', '', {}, client);
    assert.equal(found?.status, 200);
    assert.match(String(await readBody(found)), /Während des Aufbaus/);
  });

  test('are built again if their version is removed while they are being built', async () => {
    await putRecords(b, [{ kind: 'session', ...createSession(78) }]);
    // A thread may add a file of the build while the folder is emptied.
    const found = await createChanging(async () =>
      rmSync(locate(b), { recursive: true, force: true, maxRetries: 10, retryDelay: 1 }),
    ).respond('beispielburg/sessions.ndjson', '', {}, client);
    assert.equal(found?.status, 200);
    await close(found);
  });

  test('are not sent if open data is switched off while they are being built', async () => {
    await putRecords(b, [{ kind: 'session', ...createSession(77) }]);
    const found = await createChanging(() => store.editOrganization(b, { openData: 'off' })).respond(
      'beispielburg/sessions.ndjson',
      '',
      {},
      client,
    );
    assert.equal(found, undefined);
    await store.editOrganization(b, { openData: 'on' });
  });

  test('are sent even if earlier ones cannot be removed', async () => {
    const { id } = await store.addOrganization('Altstadt', '00000000-0000-4000-8000-00000000000c');
    mkdirSync(locate(id));
    writeFileSync(join(locate(id), 'no-folder'), 'x');
    await putRecords(a, [{ kind: 'session', ...createSession(79) }]);
    await build('musterstadt/sessions.csv');
    rmSync(locate(id), { recursive: true });
  });

  test('that cannot be written give an error, and no file that looks complete', async () => {
    const broken = await fixture.startServer({ ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }) });
    const unwritable = createOpenDataRouter(
      store,
      createFileCache(join(import.meta.filename, 'below'), 1_000),
      pageOptions,
    );
    await assert.rejects(unwritable.respond('musterstadt/surveys.csv', '', {}, client), /ENOTDIR/);
    assert.equal((await get('musterstadt/surveys.csv', {}, broken)).status, 200);
  });
});
