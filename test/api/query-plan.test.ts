import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  findActiveKey,
  pages,
  sessionWithSubmissions,
  submissionById,
  surveyResults,
  tallyById,
} from '../../src/store/queries.ts';
import { newTown } from '../support/town.ts';

const { sql } = await newTown({ after });

/** What SQLite will do, a step a line. Values do not matter: nothing is run. */
function plan(query: string): string[] {
  const count = Math.max(...[...query.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const values = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [index + 1, index === count - 1 ? 1 : 'x']),
  );
  const rows = sql.prepare(`EXPLAIN QUERY PLAN ${query}`).all(values) as { detail: string }[];
  return rows.map(({ detail }) => detail);
}

/** Steps that read: each has to be a seek that names its index. */
const reads = (steps: readonly string[]) => steps.filter((step) => /^(SEARCH|SCAN)/.test(step));
const seek = /^SEARCH \w+ USING (COVERING )?(INDEX|PRIMARY KEY)/;

function seeksOnly(steps: readonly string[], expected: number): void {
  assert.equal(reads(steps).length, expected, steps.join('\n'));
  for (const step of reads(steps)) assert.match(step, seek);
}

const sorts = (steps: readonly string[]) => steps.filter((step) => /TEMP B-TREE/.test(step));

const indexes: Record<keyof typeof pages, string> = {
  submissions: 'submission_list',
  submissionsByStatus: 'submission_list_by_status',
  submissionsByTopic: 'submission_list_by_topic',
  submissionsByStatusAndTopic: 'submission_list_by_status_and_topic',
  support: 'submission_list',
  sessions: 'session_list',
};

for (const [name, { first, after: next }] of Object.entries(pages)) {
  const index = new RegExp(`USING INDEX ${indexes[name as keyof typeof pages]} `);

  test(`${name}: the first page is one seek of its index, and sorts nothing`, () => {
    const steps = plan(first);
    seeksOnly(steps, 1);
    assert.match(reads(steps)[0] as string, index);
    assert.deepEqual(sorts(steps), []);
  });

  test(`${name}: a further page is two seeks of its index, bounded by the cursor, and sorts nothing`, () => {
    const steps = plan(next);
    seeksOnly(steps, 2);
    for (const step of reads(steps)) assert.match(step, index);
    // One seek goes on within the cursor's timestamp, the other begins behind it.
    const bounds = reads(steps).map((step) =>
      /(created_at|date)([=<>])\?( AND id>\?)?/.exec(step)?.slice(2, 4),
    );
    assert.deepEqual(bounds.map((bound) => bound?.[0]).toSorted(), ['<', '=']);
    assert.equal(bounds.find((bound) => bound?.[0] === '=')?.[1], ' AND id>?');
    assert.deepEqual(sorts(steps), []);
  });
}

for (const [name, query] of Object.entries({ submissionById, tallyById })) {
  test(`${name}: one seek by municipality and id`, () => {
    const steps = plan(query);
    seeksOnly(steps, 1);
    assert.match(steps[0] as string, /\(organization_id=\? AND id=\?\)/);
    assert.deepEqual(sorts(steps), []);
  });
}

test('findActiveKey: one seek by the hash of the key', () => {
  const steps = plan(findActiveKey);
  seeksOnly(steps, 1);
  assert.match(steps[0] as string, /\(secret_hash=\?\)/);
});

/**
 * `string_agg(… ORDER BY …)` sorts by itself, however the rows arrive; it holds what one resource holds, at most a
 * thousand entries. No other step may sort.
 */
const aggregateSort = 'USE TEMP B-TREE FOR string_agg(ORDER BY)';

for (const [name, query, aggregates] of [
  ['sessionWithSubmissions', sessionWithSubmissions, 1],
  ['surveyResults', surveyResults, 2],
] as const) {
  test(`${name}: seeks only, by municipality first, and nothing is sorted but what it puts together`, () => {
    const steps = plan(query);
    seeksOnly(steps, 3);
    for (const step of reads(steps)) assert.match(step, /\(organization_id=\?/);
    assert.deepEqual(sorts(steps), Array(aggregates).fill(aggregateSort));
  });
}

test('every index and primary key of published data starts with the municipality', () => {
  const tables = [
    'submission',
    'session',
    'session_submission',
    'survey',
    'survey_question',
    'survey_option',
  ];
  for (const table of tables) {
    const found = sql.pragma(`index_list(${table})`) as { name: string }[];
    assert.ok(found.length > 0, table);
    for (const { name } of found) {
      const [first] = sql.pragma(`index_info(${name})`) as { name: string }[];
      assert.equal(first?.name, 'organization_id', name);
    }
  }
});
