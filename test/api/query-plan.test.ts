/** Query plans of the published data, on tables large enough for the planner to use indexes. */
import assert from 'node:assert/strict';
import { after, before, test as run } from 'node:test';
import { documentLists, facetKinds } from '../../src/contract/operations.ts';
import type { SurveyRecord } from '../../src/domain/records/records.ts';
import { selectPersonNames } from '../../src/store/accounts/accounts.ts';
import { composeAuditQuery } from '../../src/store/installation/audit-log.ts';
import {
  composeDailyRequestsQuery,
  composeInactiveUseQuery,
  composeLimitedKeysQuery,
  selectExpiredDays,
  selectExpiredRequests,
  selectKeyUsage,
  selectRejectedRequests,
} from '../../src/store/keys/key-usage.ts';
import { composeNewestFirst } from '../../src/store/newest-first.ts';
import { selectOpenData } from '../../src/store/organizations/organizations.ts';
import { recordset as recordsetOfPostgres } from '../../src/store/postgres/postgres-engine.ts';
import { composeSessionCounts } from '../../src/store/queries/count-sessions.ts';
import { composeKeysQuery } from '../../src/store/queries/merged-page.ts';
import { composeCells, countAll } from '../../src/store/queries/monthly-counts.ts';
import { composeOpenPageQueries } from '../../src/store/queries/open-data-pages.ts';
import {
  composeContentQuery,
  composeLatestQuery,
  lastChangeOfSessions,
  lastDecision,
  selectSources,
} from '../../src/store/queries/published-extent.ts';
import {
  afterEveryTime,
  getPageParts,
  type List,
  publishedLists,
  toEqualities,
} from '../../src/store/queries/published-lists.ts';
import { composeDecidedOfStatus } from '../../src/store/queries/read-decided-submissions.ts';
import { composeFacetQueries } from '../../src/store/queries/read-facets.ts';
import {
  changePage,
  changePageOfKind,
  decidedAfter,
  longSession,
  sessionWithSubmissions,
  submissionById,
  surveyResults,
  surveySummaries,
  tallyById,
} from '../../src/store/queries/statements.ts';
import { selectRemovingOrganizations } from '../../src/store/record-decisions/record-decision-store.ts';
import { isListed, selectImportRuns } from '../../src/store/runs/run-history.ts';
import { recordset } from '../../src/store/sqlite/sqlite-engine.ts';
import { tenantTables } from '../../src/store/table-descriptors.ts';
import { findByWords } from '../../src/store/words/find-by-words.ts';
import { indexedKinds } from '../../src/store/words/indexed-kinds.ts';
import { engine } from '../support/database.ts';
import { createFixture } from '../support/fixture.ts';
import { isCitus } from '../support/postgres-database.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
} from '../support/records.ts';

const reason = 'a plan of Citus shows the task of a worker, not its indexes';
const skipTest: typeof run.skip = (title) => run(title as string, { skip: reason });
const test = isCitus ? skipTest : run;

const fixture = await createFixture({ after });
const { a, explain, sql } = fixture;

/** Ten rows per day share a sort key. */
const createDay = (n: number) => new Date(Date.UTC(2020, 0, 1 + Math.floor(n / 10)));

const survey = (n: number): SurveyRecord => ({
  surveyId: formatSurveyId(n),
  title: `Survey ${n}`,
  status: 'closed',
  totalResponses: 1,
  questions: [
    {
      questionText: 'Which?',
      questionType: 'single_choice',
      options: [{ optionText: 'This', responseCount: 1 }],
    },
  ],
});

before(async () => {
  const submissions = Array.from({ length: 2_500 }, (_, n) =>
    createSubmission(n, { createdAt: createDay(n).toISOString() }),
  );
  const sessions = Array.from({ length: 1_000 }, (_, n) =>
    createSession(n, { date: createDay(n).toISOString().slice(0, 10), submissions: [formatSubmissionId(n)] }),
  );
  const surveys = Array.from({ length: 1_000 }, (_, n) => survey(n));
  await fixture.putRecords(a, [
    ...submissions.map((record) => ({ kind: 'submission' as const, ...record })),
    ...sessions.map((record) => ({ kind: 'session' as const, ...record })),
    ...surveys.map((record) => ({ kind: 'survey' as const, ...record })),
  ]);
  const numbers = 'WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 5000)';
  const id = "'00000000-0000-4000-8000-' || (100000000000 + n)";
  const day = "'20' || (10 + n % 80) || '-' || (10 + n % 3) || '-' || (10 + n % 18)";
  await sql(
    `${numbers} INSERT INTO import_run (organization_id, id, started_at, heartbeat_at, ended_at, actor, address, format, sources, outcome)
    SELECT $1, ${id}, ${day} || 'T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'x', 'x', 'x', 'x', 'done' FROM number`,
    [a],
  );
  await sql(
    `${numbers} INSERT INTO key_usage_daily (organization_id, key_id, day, operation, status, requests)
    SELECT $1, ${id}, ${day}, 'getMe', CASE WHEN n % 50 = 0 THEN 429 WHEN n % 50 = 1 THEN 401 ELSE 200 END, 1 FROM number`,
    [a],
  );
  await sql(
    `${numbers} INSERT INTO rejected_request (organization_id, key_id, at, id, operation, status, message)
    SELECT $1, ${id}, ${day} || 'T00:00:00.000Z', ${id}, 'getMe', 404, 'Resource not found.' FROM number`,
    [a],
  );
  await sql(
    `${numbers} INSERT INTO audit_event (organization_id, id, at, actor, address, action, subject, subject_kind, subject_id)
    SELECT $1, ${id}, '2026-01-01T00:00:00.' || (100 + n % 900) || 'Z', 'actor-' || (n % 5), 'x', 'action-' || (n % 4), 'x',
      'key', ${id} FROM number`,
    [a],
  );
  await sql('ANALYZE');
});

const dialect = engine === 'SQLite' ? 'sqlite' : 'postgres';

const recordsets = { dialect, recordset: dialect === 'sqlite' ? recordset : recordsetOfPostgres } as const;

/** Every selection of some filters, in their order. */
function combine<Each>([first, ...others]: readonly Each[]): Each[][] {
  if (first === undefined) return [[]];
  const rest = combine(others);
  return [...rest, ...rest.map((some) => [first, ...some])];
}

/** Each list of the API, and the other order of a search. */
const orders = Object.entries(documentLists).flatMap(([operationId, { list, filters, ...search }]) => {
  const order = {
    name: operationId,
    list: publishedLists[list] as List,
    filters,
    isSearch: 'days' in search,
  };
  if (!('other' in search)) return [order];
  return [
    order,
    { ...order, name: `${operationId} by ${search.other.list}`, list: publishedLists[search.other.list] },
  ];
});

/** The index of each combination of filters has the names of their parameters. */
const lists = orders.flatMap(({ name, list, filters, isSearch }) =>
  combine(Object.entries<string>(filters)).map((some) => {
    const by = some.length === 0 ? '' : `_by_${some.map(([parameter]) => parameter).join('_and_')}`;
    const fields = some.map(([, field]) => field);
    return {
      name: `${name}${by.replaceAll('_', ' ')}`,
      list,
      fields,
      filters: fields.flatMap((field) => toEqualities([field, 'x'])).map(([column]) => column),
      index: `${list.index ?? `${list.table}_list`}${by}`,
      isSearch,
    };
  }),
);

for (const { name, list, fields, filters, index, isSearch } of lists) {
  const { at } = list;
  const { afterTime, afterRow } = getPageParts(dialect, list, filters);
  const values = filters.map(() => 'in_review');
  const time = at === 'date' ? '2026-03-01' : '2026-03-01T09:15:00.000Z';

  test(`${name}: the first page is one seek of its index, and sorts nothing`, async () => {
    const { seeks, scans, sorts, text } = await explain(afterTime, [a, ...values, afterEveryTime]);
    assert.deepEqual([scans, sorts], [[], []], text);
    assert.deepEqual(
      seeks.map((seek) => seek.index),
      [index],
    );
  });

  test(`${name}: a page behind a sort key that no other row shares is one seek`, async () => {
    const { seeks, scans, sorts, text } = await explain(afterTime, [a, ...values, time]);
    assert.deepEqual([scans, sorts], [[], []], text);
    assert.deepEqual(
      seeks.map((seek) => [seek.index, seek.bounds.at(-1)]),
      [[index, `${at} <`]],
      text,
    );
  });

  test(`${name}: a page within a shared sort key is two seeks of its index, bounded by the cursor, and sorts nothing`, async () => {
    const { seeks, scans, sorts, text } = await explain(afterRow, [
      a,
      ...values,
      time,
      formatSubmissionId(1),
    ]);
    assert.deepEqual([scans, sorts], [[], []], text);
    assert.deepEqual(
      seeks.map((seek) => seek.index),
      [index, index],
      text,
    );
    // One seek continues within the cursor's timestamp, the other starts after it.
    const bounds = seeks.map((seek) => seek.bounds.slice(1 + fields.length));
    assert.deepEqual(bounds.toSorted(), [[`${at} <`], [`${at} =`, 'id >']], text);
  });

  if (!isSearch) continue;
  for (const direction of ['desc', 'asc'] as const) {
    const range = ['2020-01-01', '2026-12-31'];
    const parts = getPageParts(dialect, list, filters, { hasRange: true, direction });

    test(`${name}: a page of some days is one or two seeks of its index, ${direction}, and sorts nothing`, async () => {
      for (const [query, position, count] of [
        [parts.afterTime, [], 1],
        [parts.afterRow, [time, formatSubmissionId(1)], 2],
      ] as const) {
        const { seeks, scans, sorts, text } = await explain(query, [a, ...values, ...position, ...range]);
        assert.deepEqual([scans, sorts], [[], []], text);
        assert.deepEqual(
          seeks.map((seek) => seek.index),
          Array(count).fill(index),
          text,
        );
      }
    });

    if (filters.length === 0) continue;
    test(`${name}: several values are seeks of its index, ${direction}, and sort nothing`, async () => {
      const keysOf = (isOfOneTime: boolean) =>
        composeKeysQuery(recordsets, list, fields, direction, isOfOneTime);
      const asked = JSON.stringify([Object.fromEntries(filters.map((column) => [column, 'in_review']))]);
      for (const [query, bounds] of [
        [keysOf(false), range],
        [keysOf(true), [time, formatSubmissionId(1)]],
      ] as const) {
        const { seeks, scans, sorts, text } = await explain(query, [a, asked, ...bounds, '21']);
        // The values, and the rows that were found.
        const others = scans.filter((scan) => !/json_each|asked|found|part/.test(scan));
        assert.deepEqual([others, sorts], [[], []], text);
        assert.deepEqual(
          seeks.map((seek) => seek.index),
          [index],
          text,
        );
        assert.equal(seeks[0]?.bounds[0], 'organization_id =', text);
      }
    });
  }
}

const facets = facetKinds.map((kind) => ({ kind, ...composeFacetQueries(dialect, kind) }));

for (const { kind, seek, ofStart } of facets) {
  const { list: { table } = publishedLists.submissions, filters: [column] = [] } =
    lists.find(({ index }) => index.endsWith(`_list_by_${kind}`)) ?? {};
  const index = `${table}_list_by_${kind}`;

  test(`facets: each ${kind} is a seek of its index after the one before, and sorts nothing`, async () => {
    const { seeks, scans, sorts, text } = await explain(seek, [a, '', '21'], { analyze: true });
    // The values that were found.
    const others = scans.filter((scan) => !/\bfound\b|CONSTANT ROW|WorkTable/.test(scan));
    assert.deepEqual([others, sorts], [[], []], text);
    assert.deepEqual(
      seeks.map((each) => [each.index, each.bounds.slice(0, 2)]),
      Array(2).fill([index, ['organization_id =', `${column} >`]]),
      text,
    );
  });

  if (ofStart === undefined) continue;
  test(`facets: each ${kind} with a common start is in a range of its index`, async () => {
    const { seeks, scans, text } = await explain(ofStart, [a, 'x', '', '21']);
    assert.deepEqual(scans, [], text);
    assert.deepEqual(
      seeks.map((each) => [each.index, each.bounds.slice(0, 2)]),
      [[index, ['organization_id =', `${column} =`]]],
      text,
    );
  });
}

const ofPostgres = engine === 'PostgreSQL' ? false : 'SQLite chooses an index without statistics';
test('lists with one status and ten thousand topics use the index of their filters, whatever the statistics say', {
  skip: ofPostgres,
}, async (t) => {
  const skewed = await createFixture(t);
  const assertIndexes = async (statistics: string) => {
    for (const { name, list, filters, index } of lists) {
      const values = filters.map(() => 'no row has it');
      const { seeks, sorts, text } = await skewed.explain(getPageParts(dialect, list, filters).afterTime, [
        skewed.a,
        ...values,
        afterEveryTime,
      ]);
      const read = seeks.map((seek) => seek.index);
      assert.deepEqual([read, sorts], [[index], []], `${name}, ${statistics}\n${text}`);
    }
    // Reading the few sessions is cheaper than an index.
    for (const { kind, seek } of facets.filter(({ ofStart }) => ofStart === undefined)) {
      const { seeks, sorts, text } = await skewed.explain(seek, [skewed.a, '', '21'], { analyze: true });
      const read = new Set(seeks.map((each) => each.index.replace(/^\w+?_/, '')));
      assert.deepEqual([[...read], sorts], [[`list_by_${kind}`], []], `${kind}, ${statistics}\n${text}`);
    }
  };
  await assertIndexes('a small table without statistics');
  await skewed.sql('DELETE FROM submission');
  await skewed.sql(
    `INSERT INTO submission (organization_id, id, reference_number, description, status, topic_category_name, support_count,
      has_attachments, created_at, status_changed_at)
    SELECT $1, '00000000-0000-4000-8000-' || (100000000000 + n), 'A-' || n, 'x', 'submitted', 'Topic ' || n % 10000, 0, 0,
      '2026-01-01T00:00:00.' || (100 + n % 900) || 'Z', '2026-01-01T00:00:00.000Z' FROM generate_series(1, 10000) AS n`,
    [skewed.a],
  );
  await assertIndexes('a large table without statistics');
  await skewed.sql('ANALYZE');
  await assertIndexes('a large table with one status and ten thousand topics');
});

for (const [name, query] of Object.entries({ submissionById, tallyById })) {
  test(`${name}: one seek by municipality and id`, async () => {
    const { seeks, scans, sorts, text } = await explain(query, [a, formatSubmissionId(1)]);
    assert.deepEqual([scans, sorts], [[], []], text);
    assert.deepEqual(
      seeks.map((seek) => seek.bounds),
      [['organization_id =', 'id =']],
    );
  });
}

for (const [name, query, id] of [
  ['sessionWithSubmissions', sessionWithSubmissions, formatSessionId(1)],
  ['surveyResults', surveyResults, formatSurveyId(1)],
] as const) {
  test(`${name}: uses index seeks that begin with the municipality, and sorts only the merged rows`, async () => {
    const { seeks, scans, sorts, text } = await explain(query, [a, id]);
    assert.deepEqual([scans, sorts], [[], []], text);
    assert.equal(seeks.length, 3);
    for (const { bounds } of seeks) assert.equal(bounds[0], 'organization_id =', text);
  });
}

for (const [name, query, parameters, bounds] of [
  ['with one end', surveySummaries.sameEnd, ['2025', formatSurveyId(1)], ['ended =', 'id >']],
  ['with earlier ends', surveySummaries.earlier, ['2025'], ['ended <']],
] as const)
  test(`a page of surveys ${name} is one seek of the list, and sorts nothing`, async () => {
    const { seeks, scans, sorts, text } = await explain(query, [a, ...parameters]);
    assert.deepEqual([scans, sorts], [[], []], text);
    assert.deepEqual(
      seeks.map((seek) => [seek.index, seek.bounds]),
      [['survey_list', ['organization_id =', ...bounds]]],
      text,
    );
  });

for (const [name, query, parameters, tables] of [
  ['opening', longSession.opening, [], 1],
  ['sizes', longSession.sizes, [], 2],
  ['documents', longSession.documents, ['10', '20'], 2],
] as const) {
  test(`longSession.${name}: seeks only, by municipality first`, async () => {
    const { seeks, scans, sorts, text } = await explain(query, [a, formatSessionId(1), ...parameters]);
    assert.deepEqual([scans, sorts], [[], []], text);
    assert.equal(seeks.length, tables, text);
    for (const { bounds } of seeks) assert.equal(bounds[0], 'organization_id =', text);
  });
}

for (const [name, query, parameters, index] of [
  [
    'next sessions',
    composeOpenPageQueries(dialect).upcomingSessions,
    ['2020-02-01', '5', '12:00'],
    'session_list',
  ],
  [
    'latest decisions',
    decidedAfter,
    ['2020-02-01T00:00:00.000Z', formatSubmissionId(1)],
    'submission_decided',
  ],
  [
    'latest decisions with a status',
    composeDecidedOfStatus(dialect),
    ['2020-02-01T00:00:00.000Z', formatSubmissionId(1), 'accepted', '2020-01-01T00:00:00.000Z'],
    'submission_status_changes_by_status',
  ],
] as const) {
  test(`pages of open data: the query of the ${name} is one seek, and sorts nothing`, async () => {
    const { seeks, scans, sorts, text } = await explain(query, [a, ...parameters]);
    assert.deepEqual([scans, sorts], [[], []], text);
    assert.deepEqual(
      seeks.map((seek) => [seek.index, seek.bounds[0]]),
      [[index, 'organization_id =']],
      text,
    );
  });
}

test('names of people: seeks of the roles and accounts, and the index of operators', {
  skip: engine === 'SQLite' ? false : 'only SQLite keeps the order of joins',
}, async () => {
  const { seeks, scans, text } = await explain(selectPersonNames, [a]);
  assert.deepEqual(
    seeks.map(({ table }) => table),
    ['account_role', 'account'],
    text,
  );
  assert.deepEqual(
    scans.filter((scan) => /account/.test(scan)),
    ['SCAN account USING INDEX account_operator'],
    text,
  );
});

test('catalogues: the first and the last day are seeks of the lists, and sort nothing', async () => {
  const { seeks, scans, sorts, text } = await explain(composeContentQuery(dialect), [a]);
  const others = scans.filter((scan) => !/CONSTANT ROW|\blisted\b/.test(scan));
  assert.deepEqual([others, sorts], [[], []], text);
  const lists = seeks.filter(({ index }) => /_list$/.test(index));
  assert.deepEqual(
    lists.map((seek) => [seek.index, seek.bounds[0]]),
    ['submission', 'submission', 'session', 'session'].map((table) => [`${table}_list`, 'organization_id =']),
    text,
  );
  for (const { bounds } of seeks) assert.equal(bounds[0], 'organization_id =', text);
});

for (const kind of ['submission', 'session'] as const)
  test(`catalogues: the sources of the latest ${kind}s are one seek of the list`, async () => {
    const { seeks, text } = await explain(composeLatestQuery(dialect, publishedLists[`${kind}s`]), [a]);
    assert.deepEqual(
      seeks.map((seek) => [seek.index, seek.bounds[0]]),
      [[`${kind}_list`, 'organization_id =']],
      text,
    );
  });

test('catalogues: the last change of sessions and the last decision are seeks of their indexes', async () => {
  const change = await explain(lastChangeOfSessions, [a]);
  assert.deepEqual(change.sorts, [], change.text);
  assert.ok(
    change.seeks.some(
      ({ index, bounds }) => index === 'change_list_by_kind' && bounds.includes('sequence >'),
    ),
    change.text,
  );
  const decision = await explain(lastDecision, [a]);
  assert.deepEqual(decision.sorts, [], decision.text);
  assert.equal(decision.seeks.length, 4, decision.text);
  for (const { index, bounds } of decision.seeks) {
    // If one municipality has all events, PostgreSQL finds the index without the municipality as fast.
    assert.match(index, /^audit_event_(?:list_)?by_action$/, decision.text);
    assert.ok(bounds.includes('action ='), decision.text);
  }
});

test('catalogues: the last run of a source with a change is a walk of the runs of the source', async () => {
  const { seeks, sorts, text } = await explain(selectSources, [a]);
  assert.deepEqual(sorts, [], text);
  const runs = seeks.filter(({ index }) => index.startsWith('import_run'));
  assert.ok(runs.length >= 3, text);
  for (const { index, bounds } of runs) {
    assert.equal(index, 'import_run_by_source', text);
    assert.deepEqual(bounds.slice(0, 2), ['organization_id =', 'source_id ='], text);
  }
});

test('pages of open data: the sessions of a submission are seeks by municipality first', async () => {
  const query = composeOpenPageQueries(dialect).sessionsOfSubmission;
  const { seeks, scans, text } = await explain(query, [a, formatSubmissionId(1), '5']);
  assert.deepEqual(scans, [], text);
  assert.equal(seeks.length, 2, text);
  for (const { bounds } of seeks) assert.equal(bounds[0], 'organization_id =', text);
});

for (const [name, query, kind, index, bounds] of [
  ['changes', changePage, [], 'change_list', ['organization_id =', 'sequence >']],
  [
    'changes of a kind',
    changePageOfKind,
    ['survey'],
    'change_list_by_kind',
    ['organization_id =', 'kind =', 'sequence >'],
  ],
] as const)
  test(`${name}: a page is one seek of its index, bounded by the cursor, and seeks of documents by municipality and id`, async () => {
    const { seeks, scans, sorts, text } = await explain(query, [a, '25000', '1000', ...kind]);
    // The planner scans the histories of the two municipalities, and the page itself.
    const others = scans.filter((scan) => !/\b(change_history|sized|listed|subquery)\b/.test(scan));
    assert.deepEqual([others, sorts], [[], []], text);
    // The last change of a kind is a seek without a bound.
    const ofPage = seeks.filter(
      (seek) => /^change_(?!history)/.test(seek.index) && seek.bounds.includes('sequence >'),
    );
    assert.deepEqual(
      ofPage.map((seek) => [seek.index, seek.bounds]),
      [[index, bounds]],
      text,
    );
    for (const { bounds } of seeks) assert.equal(bounds[0], 'organization_id =', text);
  });

test('statistics: a count of submissions, with or without a topic, is a range of an index', async () => {
  const cell = { cell: 0, status: 'in_review', topic: 'Mobility', first: '2026-01-01', next: '2026-02-01' };
  const { seeks, scans, sorts, text } = await explain(composeCells(recordsets, countAll), [
    a,
    JSON.stringify([cell]),
  ]);
  const others = scans.filter((scan) => !/json_each|cells/.test(scan));
  assert.deepEqual([others, sorts], [[], []], text);
  assert.deepEqual(
    seeks.map((seek) => [seek.index, seek.bounds.slice(0, 2)]),
    Array(2).fill(['submission_list_by_status_and_topic', ['organization_id =', 'status =']]),
    text,
  );
});

test('statistics: the end of a part of the sessions is one seek that sorts nothing, and its sessions are a range of their list', async () => {
  const { days, oneDay } = composeSessionCounts(dialect, ['committee_name AS name'], true);
  for (const [{ firstBeyond, counts }, range, bounds] of [
    [days, ['2020-02-01', '2020-02-03'], ['organization_id =', 'date <']],
    [
      oneDay,
      [formatSessionId(1), formatSessionId(500), '2020-02-01'],
      ['organization_id =', 'date =', 'id <'],
    ],
  ] as const) {
    const end = await explain(firstBeyond, [a, ...range]);
    assert.deepEqual([end.scans, end.sorts], [[], []], end.text);
    const part = await explain(counts, [a, ...range, '7']);
    assert.deepEqual(part.scans, [], part.text);
    for (const { seeks, text } of [end, part]) {
      assert.deepEqual(
        seeks.map((seek) => seek.index),
        ['session_list'],
        text,
      );
      for (const bound of bounds) assert.ok(seeks[0]?.bounds.includes(bound), text);
    }
  }
});

test('imports: the list of one municipality, that of all and one by its id are seeks, and sort nothing', async () => {
  const after = { at: '2026-03-01T09:15:00.000Z', id: formatSubmissionId(1) };
  const composeList = (organizationId?: string) =>
    composeNewestFirst(selectImportRuns, 'started_at', organizationId, after, 21, () => [isListed]);
  for (const [[query, parameters], index] of [
    [composeList(a), 'import_run_list'],
    [composeList(), 'import_run_list_of_all'],
    [[`${selectImportRuns} WHERE id = $1 AND ${isListed}`, [formatSubmissionId(1)]], 'import_run_by_id'],
  ] as const) {
    const { seeks, scans, sorts, text } = await explain(query, parameters.map(String));
    // Each run of the page reads the name of its source by key. PostgreSQL scans that table while it is as small as here.
    const large = scans.filter((scan) => !scan.endsWith(' import_source'));
    assert.deepEqual([large, sorts], [[], []], text);
    const ofRuns = seeks.filter(({ table }) => table === 'import_run');
    assert.deepEqual(
      ofRuns.map((seek) => seek.index),
      [index],
      text,
    );
  }
});

test('audit log: the lists of one municipality and of all, with and without a filter, are seeks of their index', async () => {
  const after = { at: '2026-03-01T09:15:00.000Z', id: formatSubmissionId(1) };
  const actor = 'actor-1';
  const action = 'key.issued';
  for (const [organizationId, range, index] of [
    [a, {}, 'audit_event_list'],
    [undefined, {}, 'audit_event_list_of_all'],
    [a, { actor }, 'audit_event_list_by_actor'],
    [a, { action }, 'audit_event_list_by_action'],
    [undefined, { actor }, 'audit_event_by_actor'],
    [undefined, { action }, 'audit_event_by_action'],
    [undefined, { subjectIds: [formatSubmissionId(1), formatSubmissionId(2)] }, 'audit_event_by_subject'],
  ] as const) {
    const [query, parameters] = composeAuditQuery(organizationId, after, 200, range);
    const { seeks, scans, text } = await explain(query, parameters.map(String));
    const read = [...seeks.map((seek) => seek.index), ...scans].filter((name) =>
      name.startsWith('audit_event'),
    );
    assert.deepEqual(read, [index], text);
  }
});

for (const [what, query, parameters, index, bounds] of [
  ['old days', selectExpiredDays, ['2025-01-01'], 'key_usage_daily_by_day', ['day <']],
  ['old rejected requests', selectExpiredRequests, ['2025-01-01'], 'rejected_request_by_time', ['at <']],
] as const) {
  test(`use of keys: ${what} are found by one seek`, async () => {
    const { seeks, scans, sorts, text } = await explain(query, [...parameters]);
    assert.deepEqual([scans, sorts], [[], []], text);
    assert.deepEqual(
      seeks.map((seek) => [seek.index, ...seek.bounds]),
      [[index, ...bounds]],
      text,
    );
  });
}

test('use of keys: counts and rejected requests of a key are found by one seek', async () => {
  for (const [query, parameters] of [
    [selectKeyUsage, [a, formatSubmissionId(1), '2026-01-01']],
    [selectRejectedRequests, [a, formatSubmissionId(1)]],
  ] as const) {
    const { seeks, scans, sorts, text } = await explain(query, [...parameters]);
    assert.deepEqual([seeks.length, scans, sorts], [1, [], []], text);
  }
});

// PostgreSQL chooses a plan by the number of municipalities.
const skip = engine === 'SQLite' ? false : 'only SQLite keeps the order of joins';
test('use of keys: sums of municipalities seek each day of each municipality', { skip }, async () => {
  const wanted = JSON.stringify([{ organization_id: a, day: '2026-01-01' }]);
  const now = '2026-01-02T00:00:00.000Z';
  const byKey = 'SEARCH api_key USING INDEX sqlite_autoindex_api_key_2 (organization_id=? AND id=?)';
  for (const [query, parameters, expected] of [
    [
      composeDailyRequestsQuery({ recordset }),
      [wanted],
      [
        'SEARCH usage USING COVERING INDEX key_usage_daily_by_day (day=? AND organization_id=?)',
        'SEARCH usage USING COVERING INDEX key_usage_daily_by_day (day=? AND organization_id=? AND status>?)',
      ],
    ],
    [
      composeInactiveUseQuery({ recordset }),
      [wanted, now],
      [
        'SEARCH usage USING COVERING INDEX key_usage_daily_by_day (day=? AND organization_id=? AND status=?)',
        'SCAN used',
        byKey,
      ],
    ],
    [
      composeLimitedKeysQuery({ recordset }),
      [wanted, now],
      [
        'SEARCH usage USING COVERING INDEX key_usage_daily_by_day (day=? AND organization_id=? AND status=?)',
        'SCAN used',
        byKey,
      ],
    ],
  ] as const) {
    const { text } = await explain(query, [...parameters]);
    const steps = text
      .split('\n')
      .filter((step) => /^(SEARCH|SCAN) /.test(step) && !step.includes('json_each'));
    assert.deepEqual(steps, expected, text);
  }
});

test('a search by words seeks the index of words by municipality and segment, and scans no table', async () => {
  const queries = new Map<string, readonly (string | Buffer)[]>();
  const toNumber = (value: unknown) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  /** Runs the statements of a search, and notes them. */
  const noting = {
    ...recordsets,
    tenantQuery: async (query: string, parameters: readonly string[]) => {
      queries.set(query, parameters);
      const rows = await sql(query, parameters);
      return rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toNumber(value)])),
      );
    },
  } as unknown as Parameters<typeof findByWords>[0];
  await sql(`UPDATE submission SET description = 'Noted' WHERE organization_id = $1 AND id = $2`, [
    a,
    formatSubmissionId(3),
  ]);
  for (const indexed of Object.values(indexedKinds)) {
    const found = await findByWords(noting, a, indexed, {
      words: [{ text: indexed.kind === 'submission' ? 'submission' : 'committee', isWhole: false }],
      filters: indexed.kind === 'submission' ? [['status', ['submitted', 'in_review']]] : [],
      range: { from: '2020-01-01', before: '2020-12-31' },
      direction: 'desc',
      after: undefined,
      limit: 20,
    });
    assert.equal(found.length, 21);
  }
  const read = new Set<string>();
  for (const [query, parameters] of queries) {
    // As for requests. It ends with the plan.
    if (engine === 'PostgreSQL') await sql('SET enable_seqscan = off; SET enable_bitmapscan = off');
    const { seeks, scans, text } = await explain(query, parameters);
    const large = scans.filter((scan) => !/json_each|asked|CONSTANT|one|subquery|SCAN found/.test(scan));
    assert.deepEqual(large, [], `${query}\n${text}`);
    for (const { bounds, index } of seeks) {
      assert.equal(bounds[0], 'organization_id =', `${query}\n${text}`);
      read.add(index);
    }
    const ofPostings = seeks.filter(({ bounds }) => bounds.includes('word <'));
    if (/word_posting/.test(query)) assert.equal(ofPostings.length, 1, text);
    if (/word_posting|word_segment_keys/.test(query))
      assert.ok(
        seeks.some(({ bounds }) => bounds.includes('segment =')),
        text,
      );
  }
  assert.equal(queries.size, 6);
  await sql(`UPDATE submission SET description = $3 WHERE organization_id = $1 AND id = $2`, [
    a,
    formatSubmissionId(3),
    'Submission 3',
  ]);
});

test('every index and primary key of published data starts with the municipality', async () => {
  for (const table of tenantTables) {
    const found = await fixture.listIndexes(table);
    assert.ok(found.length > 0, table);
    for (const columns of found) assert.equal(columns[0], 'organization_id', `${table}: ${columns}`);
  }
});

test('a page of municipalities with open data is one seek of their index', async () => {
  await sql(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 500)
    INSERT INTO organization (id, name, created_at, slug, open_data, license_name)
    SELECT '00000000-0000-4000-8000-' || (100000000000 + n), 'Ort ' || n, '2026-01-01T00:00:00.000Z', 'ort-' || n,
      CASE WHEN n % 10 = 0 THEN 'on' ELSE 'off' END, 'CC-BY-4.0' FROM number`);
  const { seeks, scans, sorts, text } = await explain(selectOpenData, ['ort-2', '21']);
  assert.deepEqual(
    [seeks.map(({ index }) => index), scans, sorts],
    [['organization_open_data'], [], []],
    text,
  );
});

test('the latest removals for good are one seek of their index', async () => {
  await sql(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2000)
    INSERT INTO record_decision (organization_id, kind, id, decision, own_changes, reason, actor, decided_at)
    SELECT $1, 'submission', '00000000-0000-4000-8000-' || (100000000000 + n), 'removed', '[]', 'x', 'x',
      '20' || (10 + n % 80) || '-01-01T00:00:00.000Z' FROM number`,
    [a],
  );
  await sql('ANALYZE record_decision');
  const { seeks, scans, text } = await explain(selectRemovingOrganizations, ['2089-06-01T00:00:00.000Z']);
  assert.deepEqual([seeks.map(({ index }) => index), scans], [['record_decision_removed'], []], text);
});
