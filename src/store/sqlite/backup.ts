/** Backup into one file, including the counters. */

import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StoreConflictError, StoreUnavailableError } from '../../domain/store-errors.ts';
import { withPartial } from '../../files/partial-files.ts';
import { syncToDisk } from '../../files/sync-to-disk.ts';
import { addDigest } from './backup-digest.ts';
import { backedUpCounters, createCounterTables, describeFileError } from './open-database-files.ts';
import { queryInThread } from './query-in-thread.ts';

/**
 * `VACUUM INTO` copies one state of the database without blocking writers.
 *
 * @throws StoreConflictError if the file exists
 * @throws StoreUnavailableError if the file cannot be written
 */
export async function backup(connection: Database.Database, file: string): Promise<void> {
  if (existsSync(file))
    throw new StoreConflictError(`${file} exists already. Name a new file for the backup.`);
  try {
    await withPartial(file, 'backup', async (partial) => {
      closeSync(openSync(partial, 'wx', 0o600));
      await queryInThread(connection.name, 'VACUUM INTO ?', [partial]);
      await completeCopy(connection, partial);
      syncToDisk(partial);
      renameSync(partial, file);
      syncToDisk(dirname(file));
    });
  } catch (error) {
    const reason = describeFileError(error, dirname(file));
    throw new StoreUnavailableError(`The backup ${file} could not be written: ${reason}.`, { cause: error });
  }
}

async function completeCopy(connection: Database.Database, partial: string): Promise<void> {
  const copy = new Database(partial);
  try {
    copyCounters(connection, copy);
    startNewHistories(copy);
    const [verdict] = await queryInThread<{ quick_check: string }>(partial, 'PRAGMA quick_check(1)');
    if (verdict?.quick_check !== 'ok') throw new Error(`the copy is damaged: ${verdict?.quick_check}`);
    await addDigest(copy);
  } finally {
    copy.close();
  }
}

function copyCounters(from: Database.Database, to: Database.Database): void {
  to.exec(createCounterTables.replaceAll('counters.', ''));
  to.transaction(() => {
    for (const table of backedUpCounters) {
      const rows = from.prepare(`SELECT * FROM counters.${table}`).raw();
      const places = rows.columns().map(() => '?');
      const insert = to.prepare(`INSERT INTO ${table} VALUES (${places.join(', ')})`);
      for (const row of rows.iterate() as IterableIterator<unknown[]>) insert.run(...row);
    }
    to.exec('DROP TABLE attempt');
  })();
}

/** After a restore, positions of /changes from after the backup are invalid, even if the data has overtaken them. */
export function startNewHistories(copy: Database.Database): void {
  copy.transaction(() => {
    const start = copy.prepare('UPDATE change_history SET history_id = ? WHERE organization_id = ?');
    for (const id of copy.prepare('SELECT id FROM organization').pluck().all()) start.run(randomUUID(), id);
  })();
}
