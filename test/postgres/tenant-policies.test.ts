/** Policies of the tables that belong to a municipality, beside those of published data. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import {
  type CrossTenantPurpose,
  crossTenantPurposes,
  isolatedTables,
  sharedTables,
  tenantTables,
  unprotectedTables,
} from '../../src/store/table-descriptors.ts';
import { checkout } from '../support/checkout.ts';
import { createFixture } from '../support/fixture.ts';
import { servingRole } from '../support/postgres-database.ts';
import { formatSubmissionId } from '../support/records.ts';

const purposes = Object.entries(crossTenantPurposes) as [CrossTenantPurpose, readonly string[]][];

/** The policies of each table by its name. A table with an `organization_id` that none of the lists names is an error. */
const expectedPolicies = new Map<string, string[]>([
  ...tenantTables.map((name): [string, string[]] => [name, ['tenant']]),
  ['change_history', ['new_organization', 'tenant']],
  ...isolatedTables.map((name): [string, string[]] => [
    name,
    [...purposes.filter(([, tables]) => tables.includes(name)).map(([purpose]) => purpose), 'tenant'].sort(),
  ]),
  ...Object.keys(sharedTables).map((name): [string, string[]] => [name, ['tenant', 'without_tenant']]),
  ...Object.keys(unprotectedTables).map((name): [string, string[]] => [name, []]),
]);

const id = formatSubmissionId(1);
const time = '2026-07-01T10:00:00.000Z';
const digest = 'a'.repeat(64);

/** A row of each table, without `organization_id`. */
const rows: Record<(typeof isolatedTables)[number] | keyof typeof sharedTables, object> = {
  change_checkpoint: { at: time, sequence: 1 },
  digest_key: { algorithm: 'test', key: `\\x${digest}` },
  endpoint_object: { source_id: 1, id: 'object', object: '{}' },
  former_survey: { id, record: '{}' },
  import_rejection: { run_id: id, position: 0, source: 'file', reason: '{}' },
  import_undo: { source_id: 1, run_id: id, created_at: time, state: 'available', redaction: '{}' },
  import_undo_batch: {
    ...{
      source_id: 1,
      position: 1,
      first_sequence: 0,
      last_sequence: 1,
      inserted: 0,
      replaced: 0,
      surveys: 0,
    },
    ...{ inserted_ids: '\\x', steps: '\\x' },
  },
  record_decision: {
    ...{
      kind: 'submission',
      id,
      decision: 'removed',
      own_changes: '[]',
      reason: 'x',
      actor: 'x',
      decided_at: time,
    },
  },
  record_digest: { kind: 'submission', id, position: 0, digest },
  record_note: { kind: 'submission', record_id: id, id, text: 'x', actor: 'x', created_at: time },
  record_match: { kind: 'submission', id, decided_id: id, matched_at: time },
  approval_request: {
    id,
    kind: 'undo',
    subject: 'x',
    asked_account_id: id,
    asked_by: 'x',
    asked_at: time,
    state: 'open',
  },
  withheld_agenda_entry: { session_id: id, position: 0, submission_id: id },
  account_role: { account_id: id, role: 'reader' },
  audit_event: { id, at: time, actor: 'x', address: '', action: 'x', subject: 'x' },
  import_run: { id, started_at: time, heartbeat_at: time, actor: 'x', address: '', sources: 'file' },
  import_source: { id: 1, format: 'table', name: 'Source' },
  key_usage_daily: { key_id: id, day: '2026-07-01', operation: 'x', status: 200, requests: 1 },
  mail_message: {
    ...{
      account_id: id,
      kind: 'x',
      subject_id: '',
      event: 'x',
      state: 'queued',
      created_at_ms: 1,
      due_at_ms: 1,
    },
  },
  organization_logo: { digest: 'a'.repeat(32), content: '\\x00' },
  rejected_request: { key_id: id, at: time, id, operation: 'x', status: 400, message: 'x' },
};

const { sql, a, b } = await createFixture({ after });
// Without foreign keys.
await sql('SET session_replication_role = replica');
for (const organizationId of [a, b])
  for (const [table, row] of Object.entries(rows)) {
    const values = { organization_id: organizationId, ...row };
    const columns = Object.keys(values).join(', ');
    const populated = `json_populate_record(NULL::${table}, $1)`;
    await sql(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${populated}`, [
      JSON.stringify(values),
    ]);
  }
await sql('RESET session_replication_role');

suite('every table of a municipality', () => {
  const setMunicipality = (organizationId: string) =>
    sql("SELECT set_config('rostra.organization_id', $1, false)", [organizationId]);
  const setPurpose = (purpose: string) => sql("SELECT set_config('rostra.purpose', $1, false)", [purpose]);

  /** @returns the number of municipalities of which the role sees rows */
  async function countSeen(table: string): Promise<number> {
    const [seen] = await sql<{ count: number }>(
      `SELECT count(DISTINCT organization_id)::int AS count FROM ${table} WHERE organization_id IN ($1, $2)`,
      [a, b],
    );
    return seen?.count ?? 0;
  }

  test('has the policies of its list, and none is missing in the lists', async () => {
    const found = await sql<{ name: string; forced: boolean; policies: string[] }>(`
      SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS forced,
        ARRAY(SELECT polname::text FROM pg_policy WHERE polrelid = pg_class.oid ORDER BY polname COLLATE "C") AS policies
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'organization_id'
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT attisdropped
      ORDER BY relname COLLATE "C"`);
    assert.deepEqual(
      found.map(({ name, policies }) => [name, policies]),
      [...expectedPolicies].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
    for (const { name, forced, policies } of found) assert.equal(forced, policies.length > 0, name);
  });

  test('shows and changes only rows of the municipality of a statement', async () => {
    await sql(`SET ROLE ${servingRole}`);
    for (const table of Object.keys(rows)) {
      await setMunicipality(a);
      assert.equal(await countSeen(table), 1, table);
      const changed = sql(`DELETE FROM ${table} WHERE organization_id = $1 RETURNING 1`, [b]);
      if (table === 'audit_event') await assert.rejects(changed, /permission denied/);
      else assert.deepEqual(await changed, [], table);
      await setMunicipality('');
      assert.equal(await countSeen(table), table in sharedTables ? 2 : 0, table);
    }
    await sql('RESET ROLE');
  });

  test('shows all rows for a purpose that names the table, and for no other', async () => {
    await sql(`SET ROLE ${servingRole}`);
    for (const [purpose, tables] of purposes) {
      await setPurpose(purpose);
      for (const table of isolatedTables)
        assert.equal(await countSeen(table), tables.includes(table) ? 2 : 0, `${purpose}: ${table}`);
    }
    await setPurpose('none');
    for (const table of isolatedTables) assert.equal(await countSeen(table), 0, table);
    await setPurpose('');
    await sql('RESET ROLE');
  });

  test('shows all rows to statements of version 1.0, which have neither municipality nor purpose, and to no others', async () => {
    const read = (name: string) => readFileSync(join(checkout, 'migrations/postgres', `${name}.sql`), 'utf8');
    const schema = read('0001_schema');
    const policies = read('0004_tenant_policies').match(/^CREATE POLICY version_1_0 [^;]+;/gm) ?? [];
    await sql(policies.join('\n'));
    await sql(`SET ROLE ${servingRole}`);
    for (const table of isolatedTables) {
      const isKnown = schema.includes(`CREATE TABLE ${table} (`);
      assert.equal(await countSeen(table), isKnown ? 2 : 0, table);
      await setMunicipality(a);
      assert.equal(await countSeen(table), 1, table);
      await setMunicipality('');
      await setPurpose('none');
      assert.equal(await countSeen(table), 0, table);
      await setPurpose('');
    }
    await sql('RESET ROLE');
  });
});
