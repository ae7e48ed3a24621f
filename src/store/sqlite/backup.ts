/** Backup into one file, including the counters. */
import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StoreConflictError, StoreUnavailableError } from '../../domain/store-errors.ts';
import { getPartialPath, removeAbandonedPartials, removePartial } from '../../files/partial-files.ts';
import { syncToDisk } from '../../files/sync-to-disk.ts';
import { backedUpCounters, createCounterTables, describeFileError } from './open-database-files.ts';
import { startNewHistories } from './start-new-histories.ts';

/**
 * `VACUUM INTO` copies one state of the database without blocking writers.
 *
 * @throws StoreConflictError if the file exists
 * @throws StoreUnavailableError if the file cannot be written
 */
export function backup(connection: Database.Database, file: string): void {
  if (existsSync(file))
    throw new StoreConflictError(`${file} exists already. Name a new file for the backup.`);
  const partial = getPartialPath(file, 'backup');
  try {
    removeAbandonedPartials(dirname(file));
    closeSync(openSync(partial, 'wx', 0o600));
  } catch (error) {
    throw createBackupError(file, describeFileError(error, dirname(file)), error);
  }
  let copy: Database.Database | undefined;
  try {
    // VACUUM uses the last page size that was set, which is that of the counters.
    connection.pragma(`main.page_size = ${connection.pragma('main.page_size', { simple: true })}`);
    connection.prepare('VACUUM main INTO $1').run({ 1: partial });
    copy = new Database(partial);
    copyCounters(connection, copy);
    startNewHistories(copy);
    const verdict = copy.pragma('quick_check', { simple: true });
    if (verdict !== 'ok') throw new Error(`the copy is damaged: ${verdict}`);
    copy.close();
    syncToDisk(partial);
    renameSync(partial, file);
    syncToDisk(dirname(file));
  } catch (error) {
    copy?.close();
    removePartial(partial);
    throw createBackupError(file, (error as Error).message, error);
  }
}

const createBackupError = (file: string, reason: string, cause: unknown) =>
  new StoreUnavailableError(`The backup ${file} could not be written: ${reason}.`, { cause });

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
