import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import Database from 'better-sqlite3';
import { facetKinds } from '../../src/contract/operations.ts';
import { type Facet, maxFacetCursorLength } from '../../src/contract/resources/facets.ts';
import { composeFacetQueries } from '../../src/store/queries/read-facets.ts';
import { engine } from '../support/database.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { isCitus } from '../support/postgres-database.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatUuid,
  sessions,
  submissions,
} from '../support/records.ts';

const { server, alice, charlie, a, putRecords, issueKey, explain, sql, store, database } =
  await createFixtureWithServer({ after });

const reason = 'a plan of Citus shows the task of a worker';

const sortByCodePoints = (values: Iterable<string>) =>
  [...new Set(values)].toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

const toFacets = (kind: string, values: Iterable<string>): Facet[] =>
  sortByCodePoints(values).map((value) => ({ kind, value }));

/** A municipality with these values. Each occurs in three records. */
async function createTown(n: number, values: { topics?: readonly string[]; committees?: readonly string[] }) {
  const { id } = await store.addOrganization(`Town ${n}`, formatUuid('e', n));
  const { topics = [], committees = [] } = values;
  const thrice = <Value>(list: readonly Value[]) => [...list, ...list.toReversed(), ...list];
  await putRecords(id, [
    ...thrice(topics).map((topicCategoryName, index) => ({
      kind: 'submission' as const,
      ...createSubmission(index, {
        topicCategoryName,
        createdAt: `2026-03-0${1 + (index % 9)}T00:00:00.000Z`,
      }),
    })),
    ...thrice(committees).map((committeeName, index) => ({
      kind: 'session' as const,
      ...createSession(index, { committeeName, date: `2026-03-0${1 + (index % 9)}` }),
    })),
  ]);
  return { id, key: (await issueKey(id)).secret };
}

const toPath = (parameters: Record<string, string | number | undefined>) => {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return `/facets?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}`;
};

async function readPage(key: string, parameters: Record<string, string | number | undefined> = {}) {
  const { status, json } = await server.get(toPath(parameters), { key });
  assert.equal(status, 200, JSON.stringify(json));
  const { next_cursor: next, has_more: hasMore } = json.pagination;
  assert.equal(hasMore, next !== null);
  return { data: json.data as Facet[], next: (next ?? undefined) as string | undefined };
}

/** Reads all pages, and checks that all except the last are full, that none is empty, and that no value is repeated. */
async function walk(key: string, limit: number, kind?: string): Promise<Facet[]> {
  const found: Facet[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const { data, next } = await readPage(key, { kind, limit, cursor });
    found.push(...data);
    for (const facet of data) seen.add(JSON.stringify(facet));
    assert.equal(seen.size, found.length, `a value is repeated in ${JSON.stringify(data)}`);
    assert.ok(data.length > 0 || (cursor === undefined && next === undefined));
    if (next === undefined) return found;
    assert.equal(data.length, limit);
    cursor = next;
  }
}

const statusesOfA = toFacets(
  'status',
  submissions.map(({ status }) => status),
);
const topicsOfA = toFacets(
  'topic',
  submissions.flatMap(({ topicCategoryName }) => topicCategoryName ?? []),
);
const committeesOfA = toFacets(
  'committee',
  sessions.map(({ committeeName }) => committeeName),
);

test('statuses, topics and committees follow each other, each value once, in the order of code points', async () => {
  const { text } = await server.get('/facets?limit=100', { key: alice });
  const expected = [...statusesOfA, ...topicsOfA, ...committeesOfA];
  assert.equal(
    text,
    `{"data":[${expected.map((facet) => JSON.stringify(facet)).join(',\n')}],"pagination":{"next_cursor":null,"has_more":false}}`,
  );
  assert.deepEqual(
    expected.slice(0, 3).map(({ value }) => value),
    ['In_Review', 'accepted', 'in_review'],
  );
});

test('a page has twenty values by default, and each kind is listed alone', async () => {
  const all = [...statusesOfA, ...topicsOfA, ...committeesOfA];
  const { data } = await readPage(alice);
  assert.deepEqual(data, all.slice(0, 20));
  for (const kind of facetKinds)
    assert.deepEqual(
      (await readPage(alice, { kind })).data,
      all.filter((facet) => facet.kind === kind),
    );
});

test('pages of every size have the same values, with and without a kind', async () => {
  const all = [...statusesOfA, ...topicsOfA, ...committeesOfA];
  for (let limit = 1; limit <= all.length + 1; limit += 1) {
    assert.deepEqual(await walk(alice, limit), all, String(limit));
    for (const kind of facetKinds)
      assert.deepEqual(
        await walk(alice, limit, kind),
        all.filter((facet) => facet.kind === kind),
        `${kind} ${limit}`,
      );
  }
});

test('every value finds records as a filter', async () => {
  for (const { kind, value } of await walk(alice, 100)) {
    const list = kind === 'committee' ? 'sessions' : 'submissions';
    const { json } = await server.get(`/search/${list}?${new URLSearchParams({ [kind]: value })}`, {
      key: alice,
    });
    assert.ok(json.data.length > 0, `${kind} ${value}`);
  }
});

test('a municipality without data has no values, and one without topics only the others', async () => {
  const empty = await createTown(1, {});
  assert.deepEqual(await readPage(empty.key), { data: [], next: undefined });
  await putRecords(empty.id, [
    { kind: 'submission', ...createSubmission(1) },
    { kind: 'session', ...createSession(1) },
  ]);
  const { data } = await readPage(empty.key, { limit: 2 });
  assert.deepEqual(data, [
    { kind: 'status', value: 'submitted' },
    { kind: 'committee', value: 'Committee 1' },
  ]);
  assert.deepEqual((await readPage(empty.key, { kind: 'topic' })).data, []);
});

/** UTF-16 has U+10000 before U+E000. */
const difficultTopics = [
  ' Mobility',
  '"',
  '"}],"pagination":{',
  '%',
  "'; DROP TABLE submission; --",
  ':',
  '<b>&amp;</b>',
  'MOBILITY',
  'Mobility',
  'Mobility ',
  'Mobility  ',
  '\\',
  '\\u0041',
  '_',
  'mobility',
  'status:in_review',
  'Ä',
  'ä',
  'מועצה',
  'لجنة البيئة',
  'a\u202eb',
  'line\u2028separator',
  '\ue000',
  '\ufffd',
  '\u{10000}',
  '🌳 Bäume',
  '👩‍👩‍👧',
];

test('values with quotation marks, other scripts, and differences of case and spaces are exact, in the same bytes on both engines', async () => {
  const { key } = await createTown(2, { topics: difficultTopics });
  const expected = toFacets('topic', difficultTopics);
  assert.equal(expected.length, difficultTopics.length);
  const { text } = await server.get('/facets?kind=topic&limit=100', { key });
  assert.ok(text.startsWith(`{"data":[${expected.map((facet) => JSON.stringify(facet)).join(',\n')}]`), text);
  const values = expected.map(({ value }) => value);
  assert.ok(values.indexOf('\ufffd') < values.indexOf('\u{10000}'));
  // JavaScript has another order.
  assert.notDeepEqual(values.toSorted(), values);
  // Every value is the last one of a page.
  assert.deepEqual(await walk(key, 1, 'topic'), expected);
  assert.deepEqual((await walk(key, 2)).slice(1), expected);
});

suite('names of committees that share the beginning which the index has', () => {
  const start = 'Gemeinsame Sitzung: '.padEnd(200, 'Umwelt- und Verkehrsausschuss ');
  const trees = '🌳'.repeat(200);
  const committees = [
    'Bauausschuss',
    start.slice(0, 199),
    `${start.slice(0, 199)}A`,
    start,
    `${start} `,
    `${start}A`,
    `${start}a`,
    `${start}\ufffd`,
    `${start}\u{10000}`,
    start.padEnd(1_000, 'z'),
    start.padEnd(999, 'z'),
    `${start.slice(0, 199)}~`,
    trees,
    `${trees}${'🌳'.repeat(799)}🌲`,
    `${trees}${'🌳'.repeat(800)}`,
    `${trees}${'🌳'.repeat(799)}🌴`,
    '\u{10ffff}'.repeat(1_000),
  ];
  const expected = toFacets('committee', committees);

  test('are all listed once, and pages end between them', async () => {
    const { key } = await createTown(3, { committees });
    for (const limit of [1, 2, 3, 5, 7, 16, 17, 100])
      assert.deepEqual(await walk(key, limit, 'committee'), expected, String(limit));
    assert.deepEqual(await walk(key, 4), expected);
  });

  test('fit into a cursor, also the longest', async () => {
    const { key } = await createTown(4, { committees });
    const lengths: number[] = [];
    for (let cursor: string | undefined; ; ) {
      const { next } = await readPage(key, { kind: 'committee', limit: 1, cursor });
      if (next === undefined) break;
      lengths.push(next.length);
      assert.ok(lengths.length < committees.length);
      cursor = next;
    }
    assert.equal(lengths.length, committees.length - 1);
    // The name of a thousand trees and its kind.
    assert.ok(Math.max(...lengths) > 5_000);
    assert.ok(Math.max(...lengths) <= maxFacetCursorLength);
  });

  test('are listed after the value of a cursor has disappeared', async () => {
    const { id, key } = await createTown(5, { committees });
    for (const value of [start, `${start}A`, start.padEnd(999, 'z'), `${trees}${'🌳'.repeat(800)}`]) {
      const all = await walk(key, 100, 'committee');
      const limit = 1 + all.findIndex((facet) => facet.value === value);
      const { next } = await readPage(key, { kind: 'committee', limit });
      await sql('DELETE FROM session WHERE organization_id = $1 AND committee_name = $2', [id, value]);
      const { data } = await readPage(key, { kind: 'committee', limit: 100, cursor: next });
      assert.deepEqual(data, all.slice(limit), value);
    }
  });
});

test('a cursor continues after its value, which may have disappeared, and finds values that are new', async () => {
  const { id, key } = await createTown(6, { topics: ['b', 'd', 'f', 'h'] });
  const { data, next } = await readPage(key, { kind: 'topic', limit: 2 });
  assert.deepEqual(data, toFacets('topic', ['b', 'd']));
  await sql("DELETE FROM submission WHERE organization_id = $1 AND topic_category_name IN ('d', 'f')", [id]);
  await putRecords(
    id,
    ['a', 'c', 'dd', 'z'].map((topicCategoryName, n) => ({
      kind: 'submission',
      ...createSubmission(900 + n, { topicCategoryName }),
    })),
  );
  const rest = await readPage(key, { kind: 'topic', limit: 100, cursor: next });
  assert.deepEqual(rest, { data: toFacets('topic', ['dd', 'h', 'z']), next: undefined });
});

test('a value disappears with its last record, and when this is unpublished', async () => {
  const { id, key } = await createTown(7, {});
  const put = (n: number, topicCategoryName: string) =>
    putRecords(id, [{ kind: 'submission', ...createSubmission(n, { topicCategoryName }) }]);
  const readTopics = async () => (await readPage(key, { kind: 'topic' })).data.map(({ value }) => value);
  await put(1, 'x');
  await put(2, 'x');
  await put(3, 'y');
  await putRecords(id, [{ kind: 'session', ...createSession(1) }]);
  assert.deepEqual(await readTopics(), ['x', 'y']);
  await putRecords(id, [{ kind: 'retraction', of: 'submission', id: formatSubmissionId(1) }]);
  assert.deepEqual(await readTopics(), ['x', 'y']);
  await store.unpublishRecord({ organizationId: id, kind: 'submission', id: formatSubmissionId(2) }, 'Test');
  assert.deepEqual(await readTopics(), ['y']);
  await put(3, 'z');
  assert.deepEqual(await readTopics(), ['z']);
  await store.unpublishRecord({ organizationId: id, kind: 'session', id: formatSessionId(1) }, 'Test');
  assert.deepEqual((await readPage(key, { kind: 'committee' })).data, []);
});

test('drafts of surveys and other municipalities add no values', async () => {
  const values = (await walk(charlie, 100)).map(({ value }) => value);
  assert.ok(values.length >= 3);
  const onlyOfA = [...topicsOfA, ...committeesOfA].map(({ value }) => value);
  assert.deepEqual(
    values.filter((value) => onlyOfA.includes(value) || value === 'draft'),
    [],
  );
  const statuses = (await readPage(alice, { kind: 'status', limit: 100 })).data.map(({ value }) => value);
  const [{ count } = { count: 0 }] = await sql<{ count: number }>(
    "SELECT count(*) AS count FROM survey WHERE organization_id = $1 AND status IN ('draft', 'closed')",
    [a],
  );
  assert.ok(Number(count) > 0);
  assert.ok(!statuses.includes('draft') && !statuses.includes('closed'));
});

test('invalid parameters are rejected', async () => {
  for (const [query, message] of [
    ['kind=unknown', 'The parameter "kind" must be "status", "topic" or "committee".'],
    ['kind=Status', 'The parameter "kind" must be "status", "topic" or "committee".'],
    ['kind=', 'The parameter "kind" must be "status", "topic" or "committee".'],
    ['kind=topic&kind=status', 'The parameter "kind" must occur only once.'],
    ['limit=101', 'The parameter "limit" must be an integer from 1 to 100.'],
    ['limit=0', 'The parameter "limit" must be an integer from 1 to 100.'],
    ['status=accepted', /^The parameter "status" is unknown\./],
    [`cursor=${'A'.repeat(maxFacetCursorLength + 1)}`, /"cursor"/],
    ['cursor=', /"cursor"/],
    ['cursor=%00', /"cursor"/],
  ] as const) {
    const { status, json } = await server.get(`/facets?${query}`, { key: alice });
    assert.equal(status, 400, query);
    assert.equal(json.code, 'BAD_REQUEST');
    if (typeof message === 'string') assert.equal(json.error, message);
    else assert.match(json.error, message);
  }
});

test('each kind has a cursor of its own, which no other list accepts', async () => {
  const { text: rejection } = await server.get('/facets?cursor=x', { key: alice });
  const lists = [
    '/facets?',
    ...facetKinds.map((kind) => `/facets?kind=${kind}&`),
    '/submissions?',
    '/surveys?',
  ];
  for (const from of lists) {
    const { json } = await server.get(`${from}limit=1`, { key: alice });
    const cursor = json.pagination.next_cursor;
    assert.equal(typeof cursor, 'string', from);
    for (const to of lists) {
      const { status, text } = await server.get(`${to}cursor=${cursor}`, { key: alice });
      assert.equal(status, from === to ? 200 : 400, `${from} ${to}`);
      if (from !== to) assert.equal(text, rejection, `${from} ${to}`);
    }
    const changed = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    assert.equal((await server.get(`${from}cursor=${changed}`, { key: alice })).text, rejection);
  }
});

suite('a town with 33,000 topics, and 1,000 submissions with one of them', {
  skip: isCitus && reason,
}, () => {
  const count = 33_000;
  const limit = 100;

  /** Rows that the statement of a page reads. */
  async function countReadRows(id: string, last: string): Promise<number> {
    const { seek } = composeFacetQueries(engine === 'SQLite' ? 'sqlite' : 'postgres', 'topic');
    const values = [id, last, limit + 1];
    return engine === 'SQLite' ? countOnSqlite(seek, values) : countOnPostgres(seek, values);
  }

  function countOnSqlite(seek: string, values: readonly unknown[]): number {
    const connection = new Database(database, { readonly: true });
    let rows = 0;
    connection.function('count_row', (value) => {
      rows += 1;
      return value;
    });
    const column = 'topic_category_name';
    const counting = seek.replaceAll(`SELECT ${column} FROM`, `SELECT count_row(${column}) FROM`);
    connection.prepare(counting).all(Object.fromEntries(values.map((value, n) => [n + 1, value])));
    connection.close();
    return rows;
  }

  interface PlanNode {
    'Relation Name'?: string;
    'Actual Rows': number;
    'Actual Loops': number;
    'Rows Removed by Filter'?: number;
    Plans?: PlanNode[];
  }

  async function countOnPostgres(seek: string, values: readonly unknown[]): Promise<number> {
    const { text } = await explain(seek, values.map(String), { analyze: true });
    const sum = (node: PlanNode): number => {
      const isTable = node['Relation Name'] !== undefined;
      const own = isTable ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0;
      return (node.Plans ?? []).reduce((total, plan) => total + sum(plan), own * node['Actual Loops']);
    };
    return sum(JSON.parse(text));
  }

  test('is walked in pages that read one row for each value, and one more', async () => {
    const { id, key } = await createTown(8, {});
    await sql(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count + 1_000})
      INSERT INTO submission (organization_id, id, reference_number, description, status, topic_category_name, support_count,
        has_attachments, created_at, status_changed_at)
      SELECT $1, '00000000-0000-4000-8000-' || (100000000000 + n), 'A-' || n, 'x', 'submitted',
        'Topic ' || (100000 + CASE WHEN n > ${count} THEN 150 ELSE n END), 0, 0,
        '2026-01-01T00:00:00.' || (100 + n % 900) || 'Z', '2026-01-01T00:00:00.000Z' FROM number`,
      [id],
    );
    await sql('ANALYZE');
    const topics = await walk(key, limit, 'topic');
    assert.deepEqual(
      topics.map(({ value }) => value),
      Array.from({ length: count }, (_, n) => `Topic ${100_001 + n}`),
    );
    for (const last of ['', 'Topic 100149', 'Topic 116500', 'Topic 132800'])
      assert.equal(await countReadRows(id, last), limit + 1, last);
  });
});
