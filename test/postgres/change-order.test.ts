/** Concurrent transactions: no mirror misses a change, whatever the order of begins, writes and commits. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { tenantTables } from '../../src/store/table-descriptors.ts';
import { assertMirrorsPublishedObjects, createChangeMirror } from '../support/change-mirror.ts';
import type { Scope } from '../support/files.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { isCitus, ownerRole } from '../support/postgres-database.ts';
import {
  createSeededRandom,
  createSubmission,
  formatSubmissionId,
  formatSurveyId,
} from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const onPlainPostgres = {
  skip: isCitus && 'on Citus, other programs than Rostra cannot write published data',
};

const fixture = await createFixtureWithServer({ after });
const { server, database, a, alice, charlie, sql, putRecords } = fixture;

const surveyIds = [1, 2, 3, 4].map(formatSurveyId);

/** A program that sets the municipality for row-level security, but takes no lock of Rostra. */
async function connect(scope: Scope): Promise<Client> {
  const client = new Client(database);
  scope.after(() => client.end());
  await client.connect();
  await client.query("SELECT set_config('rostra.organization_id', $1, false)", [a]);
  return client;
}

const support =
  'UPDATE submission SET support_count = support_count + 1 WHERE organization_id = $1 AND id = $2';

test(
  'a transaction that began and wrote first, but commits last, is not missed',
  onPlainPostgres,
  async (t) => {
    const [one, other] = await Promise.all([connect(t), connect(t)]);
    const mirror = createChangeMirror(server, alice);
    await mirror.poll();
    await one.query('BEGIN');
    await other.query('BEGIN');
    await one.query('SELECT count(*) FROM submission');
    await other.query(support, [a, formatSubmissionId(1)]);
    // Waits for the lock of the municipality until the other transaction ends.
    const waiting = one.query(support, [a, formatSubmissionId(2)]);
    assert.deepEqual(await mirror.poll(), []);
    await other.query('COMMIT');
    await waiting;
    assert.deepEqual(
      (await mirror.poll()).map(({ id }) => id),
      [formatSubmissionId(1)],
    );
    await one.query('COMMIT');
    assert.deepEqual(
      (await mirror.poll()).map(({ id }) => id),
      [formatSubmissionId(2)],
    );
    await assertMirrorsPublishedObjects(mirror, server, alice, surveyIds);
  },
);

test('results of a draft that is published concurrently are not missed', onPlainPostgres, async (t) => {
  const id = formatSurveyId(4);
  const survey = { title: 'Survey', status: 'draft', totalResponses: 9, questions: [] };
  await putRecords(a, [{ kind: 'survey', surveyId: id, ...survey }]);
  const [publisher, editor] = await Promise.all([connect(t), connect(t)]);
  const mirror = createChangeMirror(server, alice);
  await publisher.query('BEGIN');
  await publisher.query("UPDATE survey SET status = 'active' WHERE organization_id = $1 AND id = $2", [
    a,
    id,
  ]);
  await editor.query('BEGIN');
  // Waits for the lock of the municipality until the other transaction ends.
  const waiting = editor.query(
    `INSERT INTO survey_question (organization_id, survey_id, position, question_text, question_type)
    VALUES ($1, $2, 0, 'Which?', 'single_choice')`,
    [a, id],
  );
  await waitUntil('a wait for the lock', async () => {
    const found = await sql(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return found.length === 1;
  });
  await publisher.query('COMMIT');
  await mirror.poll();
  await waiting;
  await editor.query('COMMIT');
  await mirror.poll();
  await assertMirrorsPublishedObjects(mirror, server, alice, surveyIds);
});

test('mirrors equal the data after overlapping transactions of four programs', onPlainPostgres, async (t) => {
  const random = createSeededRandom(7);
  const ids = Array.from({ length: 30 }, (_, n) => formatSubmissionId(1_000 + n));
  await putRecords(
    a,
    ids.map((id) => ({ kind: 'submission', ...createSubmission(0, { id }) })),
  );
  let isRunning = true;
  const write = async () => {
    const client = await connect(t);
    for (let turn = 0; turn < 12; turn += 1) {
      await client.query(turn % 3 === 0 ? 'BEGIN ISOLATION LEVEL REPEATABLE READ' : 'BEGIN');
      try {
        for (let count = Math.ceil(random() * 3); count > 0; count -= 1) {
          const id = ids[Math.floor(random() * ids.length)] as string;
          if (random() < 0.2)
            await client.query('DELETE FROM submission WHERE organization_id = $1 AND id = $2', [a, id]);
          else await client.query(support, [a, id]);
          await setTimeout(random() * 3);
        }
        await client.query(random() < 0.2 ? 'ROLLBACK' : 'COMMIT');
      } catch (error) {
        // A deadlock, or a concurrent update in a transaction with a fixed snapshot.
        assert.match((error as { code: string }).code, /^40/);
        await client.query('ROLLBACK');
      }
    }
  };
  const mirrors = Array.from({ length: 3 }, () => createChangeMirror(server, alice));
  const reading = mirrors.map(async (mirror) => {
    while (isRunning) await mirror.readPage(1 + Math.floor(random() * 20));
  });
  await Promise.all(Array.from({ length: 4 }, write));
  isRunning = false;
  await Promise.all(reading);
  for (const mirror of mirrors) {
    await mirror.poll();
    await assertMirrorsPublishedObjects(mirror, server, alice, surveyIds);
  }
});

test(
  'a statement of a superuser that changes several municipalities is logged in each',
  onPlainPostgres,
  async () => {
    const mirrors = [createChangeMirror(server, alice), createChangeMirror(server, charlie)];
    for (const mirror of mirrors) await mirror.poll();
    await sql('UPDATE submission SET support_count = 5');
    for (const [index, mirror] of mirrors.entries()) {
      assert.ok((await mirror.poll()).length > 0);
      await assertMirrorsPublishedObjects(mirror, server, [alice, charlie][index] as string, surveyIds);
    }
  },
);

/** Row-level security applies to the owner, too. */
const runAsOwner = async (statement: string) => {
  await sql(`SET ROLE ${ownerRole}`);
  await sql(statement).finally(() => sql('RESET ROLE'));
};

test('TRUNCATE requires mirrors to start anew', onPlainPostgres, async () => {
  const mirror = createChangeMirror(server, alice);
  await mirror.poll();
  await runAsOwner('TRUNCATE submission CASCADE');
  const { status } = await server.get(`/changes?cursor=${mirror.cursor}`, { key: alice });
  assert.equal(status, 410);
  const fresh = createChangeMirror(server, alice);
  await fresh.poll();
  await assertMirrorsPublishedObjects(fresh, server, alice, surveyIds);
});

test(
  'TRUNCATE of the changes alone is rejected, because a walk would miss all objects',
  onPlainPostgres,
  async () => {
    await assert.rejects(runAsOwner('TRUNCATE change'), /lists all published objects/);
  },
);

test('the owner removes a municipality together with its published data', onPlainPostgres, async () => {
  await runAsOwner(`DELETE FROM organization WHERE id = '${fixture.b}'`);
  for (const table of tenantTables)
    assert.deepEqual(await sql(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [fixture.b]), [], table);
});

// The last test, because it removes all municipalities.
test('TRUNCATE of the municipalities removes their changes', onPlainPostgres, async () => {
  await putRecords(a, [{ kind: 'submission', ...createSubmission(1) }]);
  await runAsOwner('TRUNCATE organization CASCADE');
  await fixture.store.addOrganization('Musterstadt', a);
  const { secret } = await fixture.issueKey(a);
  assert.deepEqual(await createChangeMirror(server, secret).poll(), []);
});
