/** Restores a backup of the running database to another place, and compares both. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { StoreConflictError, StoreUnavailableError } from '../../../domain/store-errors.ts';
import { withPartial } from '../../../platform/partial-files.ts';
import { closeAtEnd } from '../close-at-end.ts';
import { describeFileError, openConnection } from '../open-database-files.ts';
import { backup } from './backup.ts';
import { restore } from './restore.ts';

export interface DrillResult {
  /** Size of the backup. */
  bytes: number;
  backupMs: number;
  restoreMs: number;
  compareMs: number;
  /** Rows that were in the database before the backup. The restored database has all of them. */
  rows: number;
  /** Rows that were changed, removed or added while the backup was written. */
  changedRows: number;
}

/**
 * @param parent gets a folder for the backup and the restored database, which is removed at the end
 * @param use opens the restored database as a server does
 * @throws StoreUnavailableError if the backup lacks a row, or cannot be written, restored or used
 */
export async function drill(
  database: string,
  parent: string,
  use: (restored: string) => Promise<void>,
): Promise<DrillResult> {
  try {
    return await withPartial(join(parent, 'rostra'), 'drill', async (folder) => {
      mkdirSync(folder, { mode: 0o700 });
      const result = await drillIn(folder, database);
      await use(join(folder, restoredName));
      return result;
    });
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error;
    const reason =
      error instanceof StoreConflictError ? error.message : `${describeFileError(error, parent)}.`;
    throw new StoreUnavailableError(`The drill failed: ${reason}`, { cause: error });
  }
}

const restoredName = 'rostra.db';

async function drillIn(folder: string, database: string): Promise<DrillResult> {
  const file = join(folder, 'backup.db');
  const restored = join(folder, restoredName);
  const options = { file: database, lockTimeoutMs };
  using before = closeAtEnd(openConnection(options, { counters: true }));
  using now = closeAtEnd(openConnection(options, { counters: true }));
  startSnapshot(before);
  const startedAt = performance.now();
  await backup(now, file);
  const backedUpAt = performance.now();
  await restore(file, restored);
  const restoredAt = performance.now();
  using target = closeAtEnd(openConnection({ ...options, file: restored }, { counters: true }));
  const compared = await compare(before, target, now);
  return {
    bytes: statSync(file).size,
    backupMs: Math.round(backedUpAt - startedAt),
    restoreMs: Math.round(restoredAt - backedUpAt),
    compareMs: Math.round(performance.now() - restoredAt),
    ...compared,
  };
}

const lockTimeoutMs = 10_000;

/** From now on, the connection reads the present state of the data and of the counters. */
function startSnapshot(connection: Database.Database): void {
  connection.exec('BEGIN');
  for (const schema of schemas) connection.prepare(`SELECT count(*) FROM ${schema}.sqlite_schema`).get();
}

const schemas = ['main', 'counters'] as const;

/** A restore empties these tables, or writes them. Attempts to sign in are not backed up. */
const changedByRestore = ['login_session', 'invitation', 'maintenance_run', 'attempt'];

/** A restore changes this column. */
const historyColumn = 'history_id';

/**
 * A row of the snapshot must be in the restored database, unless it was written since the snapshot.
 *
 * @param now reads the present state
 */
async function compare(
  before: Database.Database,
  restored: Database.Database,
  now: Database.Database,
): Promise<Pick<DrillResult, 'rows' | 'changedRows'>> {
  let rows = 0;
  let changedRows = 0;
  for (const table of schemas.flatMap((schema) => listTables(before, schema))) {
    const { select, selectByKey, keyIndexes, name } = table;
    const findRestored = restored.prepare(selectByKey).raw();
    const findNow = now.prepare(selectByKey).raw();
    let found = 0;
    for (const row of before.prepare(select).raw().iterate() as IterableIterator<unknown[]>) {
      rows += 1;
      // A server may answer requests in this process.
      if (rows % rowsPerTurn === 0) await setImmediate();
      const key = keyIndexes.map((index) => row[index]);
      const copy = findRestored.get(...key) as unknown[] | undefined;
      if (copy !== undefined) found += 1;
      if (isEqual(row, copy)) continue;
      if (isEqual(row, findNow.get(...key) as unknown[] | undefined))
        throw new StoreUnavailableError(describeLoss(name, key, copy));
      changedRows += 1;
    }
    changedRows += (restored.prepare(table.count).pluck().get() as number) - found;
  }
  return { rows, changedRows };
}

const rowsPerTurn = 1_000;

function listTables(connection: Database.Database, schema: (typeof schemas)[number]) {
  const names = connection
    .prepare(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
    .pluck()
    .all() as string[];
  return names
    .filter((name) => !changedByRestore.includes(name))
    .map((name) => {
      const columns = connection
        .prepare('SELECT name, pk FROM pragma_table_xinfo(?, ?) WHERE name <> ? ORDER BY cid')
        .all(name, schema, historyColumn) as { name: string; pk: number }[];
      const keys = columns.filter(({ pk }) => pk > 0);
      const select = `SELECT ${columns.map((column) => column.name).join(', ')} FROM ${schema}.${name}`;
      return {
        name,
        select,
        selectByKey: `${select} WHERE ${keys.map((key) => `${key.name} = ?`).join(' AND ')}`,
        keyIndexes: keys.map((key) => columns.indexOf(key)),
        count: `SELECT count(*) FROM ${schema}.${name}`,
      };
    });
}

const isEqual = (row: unknown[], other: unknown[] | undefined) =>
  other !== undefined &&
  row.every((value, index) =>
    Buffer.isBuffer(value) ? value.equals(other[index] as Buffer) : value === other[index],
  );

function describeLoss(table: string, key: unknown[], copy: unknown[] | undefined): string {
  const what = copy === undefined ? 'is missing' : 'differs';
  return `The drill failed: the row ${JSON.stringify(key)} of ${table} ${what} in the restored database.`;
}
