/** Backup into one file, including the counters. */

import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import {
  StoreConflictError,
  StoreDamagedError,
  StoreUnavailableError,
} from '../../../domain/store-errors.ts';
import { withPartial } from '../../../platform/partial-files.ts';
import { syncToDisk } from '../../../platform/sync-to-disk.ts';
import { closeAtEnd } from '../close-at-end.ts';
import { backedUpCounters, createCounterTables, describeFileError } from '../open-database-files.ts';
import { readWholeFile } from '../query-in-thread.ts';
import { countersSuffix, isDamage, toStoreError } from '../sqlite-errors.ts';
import { addDigest } from './backup-digest.ts';
import { findDamage } from './find-damage.ts';

/**
 * `VACUUM INTO` copies one state of the database without blocking writers.
 *
 * @throws StoreConflictError if the file exists
 * @throws StoreUnavailableError if the file cannot be written
 * @throws StoreDamagedError if the database cannot be read
 */
export async function backup(connection: Database.Database, file: string): Promise<void> {
  if (existsSync(file))
    throw new StoreConflictError(`${file} exists already. Name a new file for the backup.`);
  try {
    await withPartial(file, 'backup', async (partial) => {
      closeSync(openSync(partial, 'wx', 0o600));
      await readWholeFile(connection.name, 'VACUUM INTO ?', [partial]).catch((error) => {
        throw isDamage(error) ? toStoreError(error, connection.name) : error;
      });
      await completeCopy(connection, partial);
      syncToDisk(partial);
      renameSync(partial, file);
      syncToDisk(dirname(file));
    });
  } catch (error) {
    if (error instanceof StoreDamagedError) throw error;
    const reason = describeFileError(error, dirname(file));
    throw new StoreUnavailableError(`The backup ${file} could not be written: ${reason}.`, { cause: error });
  }
}

async function completeCopy(connection: Database.Database, partial: string): Promise<void> {
  using copy = closeAtEnd(new Database(partial));
  copyCounters(connection, copy);
  startNewHistories(copy);
  const damage = await findDamage(partial, 'quick_check');
  if (damage !== undefined) throw new Error(`the copy is damaged: ${damage}`);
  await addDigest(copy);
}

function copyCounters(from: Database.Database, to: Database.Database): void {
  to.exec(createCounterTables.replaceAll('counters.', ''));
  to.transaction(() => {
    for (const table of backedUpCounters) {
      const rows = from.prepare(`SELECT * FROM counters.${table}`).raw();
      const places = rows.columns().map(() => '?');
      const insert = to.prepare(`INSERT INTO ${table} VALUES (${places.join(', ')})`);
      try {
        for (const row of rows.iterate() as IterableIterator<unknown[]>) insert.run(...row);
      } catch (error) {
        throw isDamage(error) ? toStoreError(error, from.name + countersSuffix) : error;
      }
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
