/**
 * Keeps the digests of decided records, with their key, when a backup replaces a database. Those of records that were removed for good
 * cannot be computed again. Call it after the decisions were kept.
 */
import Database from 'better-sqlite3';
import type { SqlValue } from '../../engine.ts';
import { applyPending } from '../../migrate.ts';
import {
  digestKeyTable,
  getColumns,
  recordDigestTable,
  recordMatchTable,
  type Table,
} from '../../table-descriptors.ts';
import { closeAtEnd } from '../close-at-end.ts';

type TenantRow = { organization_id: string } & Record<string, SqlValue>;

const listNames = (table: Table) => ['organization_id', ...Object.keys(getColumns(table))];

/** @param previous the replaced database */
export async function keepRecordDigests(previous: Database.Database, partial: string): Promise<void> {
  const read = (table: Table) =>
    previous.prepare<[], TenantRow>(`SELECT ${listNames(table).join(', ')} FROM ${table.name}`).all();
  let keys: TenantRow[] = [];
  let digests: TenantRow[] = [];
  let matches: TenantRow[] = [];
  try {
    keys = read(digestKeyTable);
    digests = read(recordDigestTable);
    matches = read(recordMatchTable);
  } catch {
    // It is damaged, or has an older schema.
  }
  if (keys.length === 0) return;
  using restored = closeAtEnd(new Database(partial));
  restored.pragma('foreign_keys = ON');
  await migrateBackup(restored);
  restored.transaction(() => {
    for (const key of keys) keepKey(restored, key);
    const isDecided = restored.prepare(
      "SELECT 1 FROM record_decision WHERE organization_id = ? AND kind = ? AND id = ? AND decision <> 'corrected'",
    );
    const selectDecided = (rows: readonly TenantRow[], id: string) =>
      rows.filter((row) => isDecided.get(row.organization_id, row.kind, row[id]) !== undefined);
    const kept = selectDecided(digests, 'id');
    const forget = restored.prepare(
      'DELETE FROM record_digest WHERE organization_id = ? AND kind = ? AND id = ?',
    );
    for (const row of kept) forget.run(row.organization_id, row.kind, row.id);
    write(restored, recordDigestTable, kept);
    write(restored, recordMatchTable, selectDecided(matches, 'decided_id'));
  })();
}

/** A backup of an earlier version lacks the tables. */
async function migrateBackup(restored: Database.Database): Promise<void> {
  const transaction = {
    query: async <Row>(sql: string) => restored.prepare(sql).all() as Row[],
    exec: async (sql: string) => void restored.exec(sql),
    execute: async (sql: string, values: readonly SqlValue[] = []) =>
      restored.prepare(sql).run(Object.fromEntries(values.map((value, index) => [index + 1, value]))).changes,
  };
  await applyPending({ dialect: 'sqlite' }, transaction);
}

/** A database has one key for ever, unless another installation's backup is restored: then that one's digests are of no use. */
function keepKey(
  restored: Database.Database,
  { organization_id: organizationId, algorithm, key }: TenantRow,
): void {
  const present = restored
    .prepare('SELECT key FROM digest_key WHERE organization_id = ? AND algorithm = ?')
    .pluck()
    .get(organizationId, algorithm) as Buffer | undefined;
  if (present?.equals(key as Buffer)) return;
  if (restored.prepare('SELECT 1 FROM organization WHERE id = ?').get(organizationId) === undefined) return;
  restored.prepare('DELETE FROM record_digest WHERE organization_id = ?').run(organizationId);
  restored
    .prepare('INSERT OR REPLACE INTO digest_key (organization_id, algorithm, key) VALUES (?, ?, ?)')
    .run(organizationId, algorithm, key);
}

function write(restored: Database.Database, table: Table, rows: readonly TenantRow[]): void {
  const names = listNames(table);
  const insert = restored.prepare(
    `INSERT OR REPLACE INTO ${table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  for (const row of rows) insert.run(...names.map((name) => row[name]));
}
