/**
 * Writes a batch without triggers and checks, and logs its changes with one statement. SQLite copies each page before a
 * statement with triggers changes it, which would cost an import a third more processor time. The checks would cost a
 * fifth.
 */
import type Database from 'better-sqlite3';
import { submissionTable } from '../table-descriptors.ts';

/** Smaller batches use the triggers: all connections read the schema again after triggers were removed. */
const minRows = 200;

/** The caller also writes the index of words, for which the last three note records. */
const ownTriggers = [
  'submission_added',
  'submission_changed',
  'submission_moved',
  'submission_removed',
  'submission_words_added',
  'submission_words_changed',
  'submission_words_removed',
];

/** An operator's triggers must run, and ours must log what they change. */
export const isBulk = (connection: Database.Database, table: string, rows: number) =>
  table === submissionTable.name &&
  rows >= minRows &&
  connection.inTransaction &&
  listTriggers(connection, table).every(({ name }) => ownTriggers.includes(name));

const listTriggers = (connection: Database.Database, table: string) =>
  connection
    .prepare<[string], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?",
    )
    .all(table);

/**
 * Runs `write` without the table's triggers and checks, and logs the changes. The transaction hides the removal of the triggers from
 * other connections.
 *
 * @param changedIds ids of the rows that `write` inserts or changes, in the order of their changes
 */
export function logInBulk(
  connection: Database.Database,
  table: string,
  organizationId: string,
  changedIds: readonly string[],
  write: () => void,
): void {
  const triggers = listTriggers(connection, table);
  for (const { name } of triggers) connection.exec(`DROP TRIGGER ${name}`);
  // Imports have validated the records with the schemas that the checks repeat.
  connection.pragma('ignore_check_constraints = ON');
  try {
    write();
    connection
      .prepare('UPDATE change_history SET change_sequence = change_sequence + ? WHERE organization_id = ?')
      .run(changedIds.length, organizationId);
    connection
      .prepare(
        `INSERT INTO change (organization_id, kind, id, sequence, changed_at)
        SELECT organization_id, $kind, changed.value, change_sequence - $count + changed.key + 1,
          strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
        FROM json_each($ids) AS changed, change_history WHERE organization_id = $organizationId
        ON CONFLICT (organization_id, kind, id) DO UPDATE SET sequence = excluded.sequence, changed_at = excluded.changed_at`,
      )
      .run({ kind: table, count: changedIds.length, ids: JSON.stringify(changedIds), organizationId });
  } finally {
    connection.pragma('ignore_check_constraints = OFF');
    // SQLite has rolled back already after some errors.
    if (connection.inTransaction) for (const { sql } of triggers) connection.exec(sql);
  }
}
