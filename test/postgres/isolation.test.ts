/** Predicates and row-level security isolate municipalities: each is sufficient without the other. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { getKeyPrefix } from '../../src/domain/keys/api-key.ts';
import { tenantTables } from '../../src/store/table-descriptors.ts';
import type { Scope } from '../support/files.ts';
import { createFixture, type Fixture } from '../support/fixture.ts';
import { isNightly } from '../support/nightly.ts';
import { isCitus, servingRole } from '../support/postgres-database.ts';
import {
  contentOfB,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
  sharedIds,
} from '../support/records.ts';
import type { Server } from '../support/server.ts';
import { startServerProcess } from '../support/server-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { createDamagedCopy } from '../trust/damaged-copy.ts';

/** All operations and filters, with ids that exist in A, in B and in both. */
const paths = [
  '/submissions?limit=100',
  '/submissions?limit=100&status=in_review',
  '/submissions?limit=100&topic=Mobility',
  '/sessions?limit=100',
  '/support?limit=100',
  '/changes?limit=1000',
  ...(isNightly ? [...Array(12).keys(), 500] : [0, 11, 500]).flatMap((n) => [
    `/submissions/${formatSubmissionId(n)}`,
    `/support?submission_id=${formatSubmissionId(n)}`,
    `/sessions/${formatSessionId(n)}`,
    `/surveys/${formatSurveyId(n)}/results`,
  ]),
  `/submissions/${sharedIds.submission}`,
  `/sessions/${sharedIds.session}`,
  `/surveys/${sharedIds.survey}/results`,
];

/** @returns the responses for a key, and the paths whose responses contain data of B */
async function askAll(server: Server, key: string): Promise<{ answers: string[]; leaks: string[] }> {
  const answers: string[] = [];
  const leaks: string[] = [];
  for (const path of paths) {
    const { text } = await server.get(path, { key });
    answers.push(text);
    if (text.includes(contentOfB)) leaks.push(path);
  }
  return { answers, leaks };
}

const listPaths = paths.filter((path) => path.includes('limit=100') && !path.startsWith('/changes'));

/** The last requests of both keys shared a statement. */
async function haveSharedStatement({ sql, store }: Fixture, keys: readonly string[]): Promise<boolean> {
  const writers = new Set<string | undefined>();
  for (const key of keys) {
    const [record] = await store.findKeys(getKeyPrefix(key));
    const query = 'SELECT xmin::text AS writer FROM rate_window WHERE key_id = $1';
    const [row] = await sql<{ writer: string }>(query, [record?.id ?? '']);
    writers.add(row?.writer);
  }
  return writers.size === 1;
}

let uncached = 0;

/** Requests each list with keys of A and B at once until they share a statement. @returns the different responses for each */
async function askTogether(fixture: Fixture, server: Server): Promise<string[][][]> {
  const keys = [fixture.alice, fixture.charlie];
  const answers: string[][][] = [];
  for (const path of listPaths) {
    const texts = keys.map(() => new Set<string>());
    await waitUntil(`a statement for both keys and ${path}`, async () => {
      const requests = Array.from({ length: 20 }, async (_, index) => {
        // The response cache does not know this URL.
        const url = `${path}${'&'.repeat(1 + (uncached++ % 400))}`;
        const { text } = await server.get(url, { key: keys[index % 2] as string });
        texts[index % 2]?.add(text);
      });
      await Promise.all(requests);
      return haveSharedStatement(fixture, keys);
    });
    answers.push(texts.map((different) => [...different]));
  }
  return answers;
}

/** @returns the entry point of a copy of the program whose queries lack the municipality predicate */
function copyWithoutPredicate(scope: Scope): string {
  const copy = createDamagedCopy(
    scope,
    ['published-lists', 'statements'].map((name) => ({
      file: `src/store/queries/${name}.ts`,
      from: /(\w+\.)?organization_id = \$1/g,
      to: '$1::text = $1::text',
    })),
  );
  return join(copy, 'src/main.ts');
}

/** test/citus/isolation.test.ts is the counterpart. */
const onPlainPostgres = { skip: isCitus && 'Citus routes by the predicate, and passes on SET LOCAL only' };

async function dropPolicies({ sql }: Fixture): Promise<void> {
  for (const table of tenantTables) {
    await sql(`DROP POLICY tenant ON ${table}`);
    await sql(`CREATE POLICY tenant ON ${table} USING (true)`);
  }
}

test(
  'without the predicate or without the policy nothing leaks, not even in statements for two municipalities; without both, this test detects a leak',
  onPlainPostgres,
  async (t) => {
    const fixture = await createFixture(t);
    const entryPoint = copyWithoutPredicate(t);
    const [intact, damaged] = await Promise.all([
      fixture.startServer(),
      startServerProcess(t, fixture.database, {}, entryPoint),
    ]);
    const expected = await askAll(intact, fixture.alice);
    const ofB = await askAll(intact, fixture.charlie);
    const together = listPaths.map((path) => {
      const index = paths.indexOf(path);
      return [[expected.answers[index]], [ofB.answers[index]]];
    });
    assert.deepEqual(expected.leaks, []);
    assert.deepEqual(await askTogether(fixture, intact), together);
    assert.deepEqual(await askAll(damaged, fixture.alice), expected);
    assert.deepEqual(await askTogether(fixture, damaged), together);
    await dropPolicies(fixture);
    assert.deepEqual(await askAll(intact, fixture.alice), expected);
    assert.deepEqual(await askTogether(fixture, intact), together);
    const { leaks } = await askAll(damaged, fixture.alice);
    assert.ok(leaks.length > 0);
    assert.notDeepEqual(await askTogether(fixture, damaged), together);
  },
);

test(
  'the serving role sees no rows without a municipality, and with one only its rows',
  onPlainPostgres,
  async (t) => {
    const { sql, a, b } = await createFixture(t);
    for (const id of [a, b])
      await sql("INSERT INTO word_pending (organization_id, kind, id) VALUES ($1, 'session', '')", [id]);
    await sql(`SET ROLE ${servingRole}`);
    for (const table of tenantTables) {
      assert.deepEqual(await sql(`SELECT 1 FROM ${table}`), [], table);
      await sql("SELECT set_config('rostra.organization_id', $1, false)", [a]);
      const rows = await sql<{ id: string }>(`SELECT DISTINCT organization_id AS id FROM ${table}`);
      assert.deepEqual(rows, [{ id: a }], table);
      const changed = await sql(`DELETE FROM ${table} WHERE organization_id = $1 RETURNING 1`, [b]);
      assert.deepEqual(changed, [], table);
      await sql("SELECT set_config('rostra.organization_id', '', false)");
    }
    await sql("SELECT set_config('rostra.organization_id', $1, false)", [a]);
    const foreign = sql(
      `INSERT INTO survey (organization_id, id, title, status, total_responses) VALUES ($1, $2, 'x', 'closed', 0)`,
      [b, formatSurveyId(77)],
    );
    await assert.rejects(foreign, /violates row-level security policy/);
  },
);

test(
  'a municipality without a row in change_history is not removed, and the error names the row',
  onPlainPostgres,
  async (t) => {
    const { sql, b } = await createFixture(t);
    await sql('DELETE FROM change_history WHERE organization_id = $1', [b]);
    await assert.rejects(
      sql('DELETE FROM organization WHERE id = $1', [b]),
      new RegExp(`The municipality ${b} has no row in change_history\\. Add the row`),
    );
    await sql('INSERT INTO change_history (organization_id) VALUES ($1)', [b]);
    await sql('DELETE FROM organization WHERE id = $1', [b]);
  },
);

const rounds = isNightly ? 8_000 : 8;

test(`two pooled connections carry nothing from one municipality to the other, even after aborted transactions (${rounds} rounds)`, async (t) => {
  const fixture = await createFixture(t);
  const server = await fixture.startServer({
    ROSTRA_DATABASE_POOL_SIZE: '2',
    ROSTRA_RATE_LIMIT: '2000000000',
  });
  const [ofA, ofB] = await Promise.all([askAll(server, fixture.alice), askAll(server, fixture.charlie)]);
  assert.deepEqual(ofA.leaks, []);
  assert.ok(ofB.leaks.length > 0);
  for (let round = 0; round < rounds; round += 1) {
    // Returns its connection to the pool after a rollback.
    const aborted = fixture.store.write(fixture.b, async (writer) => {
      await writer.put([{ kind: 'retraction', of: 'submission', id: sharedIds.submission }]);
      throw new Error('changed its mind');
    });
    const [one, other] = await Promise.all([
      askAll(server, fixture.alice),
      askAll(server, fixture.charlie),
      aborted.catch(() => undefined),
    ]);
    assert.deepEqual(one, ofA);
    assert.deepEqual(other, ofB);
  }
});
