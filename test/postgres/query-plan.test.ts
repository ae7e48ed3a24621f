/** Plans that only PostgreSQL makes: of its own statements, and those that it keeps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sessionId, submission, submissionId, surveyId } from '../support/records.ts';
import { newTown, type Town } from '../support/town.ts';

/** Scans of whole tables, as PostgreSQL counts them. */
async function wholeScans({ sql }: Town): Promise<Record<string, number>> {
  // What a connection has done is counted when it has been idle for a moment.
  await setTimeout(1_500);
  await sql('SELECT pg_stat_clear_snapshot()');
  const rows = await sql<{ name: string; scans: string }>(
    `SELECT relname AS name, seq_scan AS scans FROM pg_stat_user_tables
    WHERE relname IN ('submission', 'session', 'session_submission', 'survey', 'survey_question', 'survey_option', 'api_key', 'key_use')`,
  );
  return Object.fromEntries(rows.map(({ name, scans }) => [name, Number(scans)]));
}

test('no request reads a whole table, though its statements were prepared while the tables were small', async (t) => {
  const town = await newTown(t);
  await town.sql('ANALYZE');
  const server = await town.serve({ ROSTRA_DATABASE_CONNECTIONS: '1' });
  const paths = [
    '/submissions?limit=100',
    '/submissions?status=in_review',
    '/submissions?topic=Mobility',
    '/submissions?topic=Mobility&status=in_review',
    '/support',
    '/sessions?limit=1',
    `/submissions/${submissionId(1)}`,
    `/sessions/${sessionId(1)}`,
    `/surveys/${surveyId(1)}/results`,
  ];
  const askAll = async () => {
    for (const path of paths) {
      const { status } = await server.get(path, { key: town.alice });
      assert.ok(status === 200 || status === 404);
    }
  };
  // Each statement is planned once, now that the tables are small.
  await askAll();
  const many = Array.from({ length: 20_000 }, (_, n) => ({ kind: 'submission' as const, ...submission(n) }));
  await town.put(town.a, many);
  const before = await wholeScans(town);
  await askAll();
  const { json } = await server.get('/submissions', { key: town.alice });
  for (let round = 0; round < 8; round += 1)
    await server.get(`/submissions?cursor=${json.pagination.next_cursor}`, { key: town.alice });
  assert.deepEqual(await wholeScans(town), before);
});
