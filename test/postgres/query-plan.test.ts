/** Plans of PostgreSQL in use; test/api/query-plan.test.ts checks the queries of both engines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertSucceeds } from '../support/cli-workspace.ts';
import type { Sql } from '../support/database.ts';
import { createFixture, type Fixture } from '../support/fixture.ts';
import { isCitus } from '../support/postgres-database.ts';
import { createSubmission, formatSessionId, formatSubmissionId, formatSurveyId } from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const onPlainPostgres = { skip: isCitus && 'a plan of Citus shows the task of a worker, not its indexes' };

/** Connections report their statistics when they end, but not after each transaction. */
async function waitForStatistics(sql: Sql): Promise<void> {
  await waitUntil('the end of all other connections', async () => {
    await sql('SELECT pg_stat_clear_snapshot()');
    const others = await sql(
      `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    return others.length === 0;
  });
  await sql('SELECT pg_stat_force_next_flush()');
  await sql('SELECT pg_stat_clear_snapshot()');
}

/** Sequential scans by table, from PostgreSQL's statistics. */
async function countSequentialScans({ sql }: Fixture): Promise<Record<string, number>> {
  await sql('SELECT pg_stat_clear_snapshot()');
  const rows = await sql<{ name: string; scans: string }>(
    `SELECT relname AS name, seq_scan AS scans FROM pg_stat_user_tables
    WHERE relname IN ('submission', 'session', 'session_submission', 'survey', 'survey_question', 'survey_option', 'api_key', 'rate_window')`,
  );
  return Object.fromEntries(rows.map(({ name, scans }) => [name, Number(scans)]));
}

test(
  'organization list counts the records of 250 municipalities in a few statements',
  onPlainPostgres,
  async (t) => {
    const { database, sql, a, store } = await createFixture(t);
    await sql(`INSERT INTO organization (id, name, created_at)
    SELECT gen_random_uuid()::text, 'Ort ' || n, '2026-01-01T00:00:00.000Z' FROM generate_series(1, 248) AS n`);
    await store.close();
    const transactions = async () => {
      await waitForStatistics(sql);
      const [row] = await sql<{ count: string }>(
        'SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()',
      );
      return Number(row?.count);
    };
    const before = await transactions();
    const listed = JSON.parse(
      await assertSucceeds(['organization', 'list', '--json', '--database', database]),
    );
    assert.ok((await transactions()) - before < 40);
    assert.equal(listed.length, 250);
    const [summary] = await sql<{ submissions: string }>(
      'SELECT count(*) AS submissions FROM submission WHERE organization_id = $1',
      [a],
    );
    const counted = new Map(
      listed.map((one: { id: string; submissions: number }) => [one.id, one.submissions]),
    );
    assert.equal(counted.get(a), Number(summary?.submissions));
    const empty = listed.filter(({ name }: { name: string }) => name.startsWith('Ort '));
    assert.ok(empty.every(({ submissions }: { submissions: number }) => submissions === 0));
  },
);

test(
  'requests never scan a table, even with statements that were prepared while the tables were small',
  onPlainPostgres,
  async (t) => {
    const fixture = await createFixture(t);
    await fixture.sql('ANALYZE');
    const server = await fixture.startServer({ ROSTRA_DATABASE_POOL_SIZE: '1' });
    const paths = [
      '/submissions?limit=100',
      '/submissions?status=in_review',
      '/submissions?topic=Mobility',
      '/submissions?topic=Mobility&status=in_review',
      '/support',
      '/sessions?limit=1',
      '/search/submissions?status=in_review&created_from=2026-01-01',
      '/search/submissions?status=in_review&status=accepted&topic=Mobility',
      '/search/sessions?direction=asc&committee=Committee%201',
      '/statistics',
      '/facets?limit=100',
      '/facets?kind=topic&limit=1',
      '/changes?kind=survey',
      `/submissions/${formatSubmissionId(1)}`,
      `/sessions/${formatSessionId(1)}`,
      `/surveys/${formatSurveyId(1)}/results`,
      '/surveys',
    ];
    const askAll = async () => {
      for (const path of paths) {
        const { status } = await server.get(path, { key: fixture.alice });
        assert.ok(status === 200 || status === 404);
      }
    };
    // Plans each statement while the tables are small.
    await askAll();
    const many = Array.from({ length: 4_000 }, (_, n) => ({
      kind: 'submission' as const,
      ...createSubmission(n),
    }));
    await fixture.putRecords(fixture.a, many);
    await fixture.store.close();
    // A connection reports its statistics after the first transaction that begins a second later.
    await setTimeout(1_100);
    assert.equal((await server.get('/submissions', { key: fixture.alice })).status, 200);
    const before = await countSequentialScans(fixture);
    await askAll();
    const { json } = await server.get('/submissions', { key: fixture.alice });
    for (let round = 0; round < 8; round += 1)
      await server.get(`/submissions?cursor=${json.pagination.next_cursor}`, { key: fixture.alice });
    await server.stop();
    await waitForStatistics(fixture.sql);
    assert.deepEqual(await countSequentialScans(fixture), before);
  },
);
