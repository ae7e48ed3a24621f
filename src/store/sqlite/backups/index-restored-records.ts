/** Removes what a restore has removed or changed from the index of words of the restored file. */
import Database from 'better-sqlite3';
import type { Queryable, SourcedRow, SqlValue } from '../../engine.ts';
import { listColumnNames } from '../../table-descriptors.ts';
import { indexPendingRecords } from '../../words/maintain-word-index.ts';
import { recordset } from '../sqlite-engine.ts';
import { prepareNumbered } from '../sqlite-queryable.ts';

export async function indexRestoredRecords(partial: string): Promise<void> {
  const restored = new Database(partial);
  try {
    for (const pragma of ['foreign_keys = ON', 'recursive_triggers = ON', 'secure_delete = ON'])
      restored.pragma(pragma);
    // A backup of version 1.0 has no index.
    if (restored.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'word_pending'").get() === undefined)
      return;
    const transaction = createTransaction(restored);
    const organizations = restored
      .prepare<[], string>('SELECT DISTINCT organization_id FROM word_pending')
      .pluck()
      .all();
    restored.exec('BEGIN');
    for (const organizationId of organizations)
      await indexPendingRecords({
        transaction,
        engine: { dialect: 'sqlite', recordset },
        organizationId,
        isEnabled: true,
      });
    restored.exec('COMMIT');
  } finally {
    restored.close();
  }
}

function createTransaction(
  connection: Database.Database,
): Pick<Queryable, 'query' | 'execute' | 'readRows' | 'exec'> {
  const prepare = (sql: string, parameters: readonly SqlValue[]) => {
    const { statement, order } = prepareNumbered(connection, sql);
    return { statement, values: order.map((index) => parameters[index]) };
  };
  const query = async <Row>(sql: string, parameters: readonly SqlValue[] = []) => {
    const { statement, values } = prepare(sql, parameters);
    return statement.all(...values) as Row[];
  };
  return {
    query,
    exec: async (sql) => void connection.exec(sql),
    execute: async (sql, parameters = []) => {
      const { statement, values } = prepare(sql, parameters);
      return statement.run(...values).changes;
    },
    readRows: async (table, organizationId, ids) =>
      query<SourcedRow>(
        `SELECT ${listColumnNames(table)} FROM ${table.name}
        WHERE organization_id = $1 AND id IN (SELECT value FROM json_each($2))`,
        [organizationId, JSON.stringify(ids)],
      ),
  };
}
