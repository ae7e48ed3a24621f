/** Backup into one file, including the counters. */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { StoreConflictError, StoreUnavailableError } from '../../domain/store-errors.ts';
import { backedUpCounters, createCounterTables, describeFileError } from './open-database-files.ts';

/**
 * `VACUUM INTO` copies one state of the database without blocking writers.
 *
 * @throws StoreConflictError if the file exists
 * @throws StoreUnavailableError if the file cannot be written
 */
export function backup(connection: Database.Database, file: string): void {
  if (existsSync(file))
    throw new StoreConflictError(`${file} exists already. Name a new file for the backup.`);
  const partial = getPartialPath(file);
  try {
    removeAbandonedBackups(dirname(file));
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
    renameSync(partial, file);
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

/** After a restore, positions of /changes from after the backup are invalid, even if the data has overtaken them. */
function startNewHistories(copy: Database.Database): void {
  const start = copy.prepare('UPDATE organization SET history_id = ? WHERE id = ?');
  for (const id of copy.prepare('SELECT id FROM organization').pluck().all()) start.run(randomUUID(), id);
}

const host = hostname()
  .replaceAll(/[^0-9A-Za-z.-]/g, '_')
  .slice(0, 64);

/** Host and process id make the name unique for concurrent backups into one folder. */
const getPartialPath = (file: string) => `${file}.rostra-backup.${host}.${process.pid}.partial`;

/** Includes journals that SQLite did not delete. */
const partialName = /^(.+\.rostra-backup\.([0-9A-Za-z.-]+)\.(\d+)\.partial)(-journal)?$/;

function removePartial(partial: string): void {
  for (const file of [partial, `${partial}-journal`]) rmSync(file, { force: true });
}

/** A backup of another host without writes for this time was aborted. */
const abandonedAfterMs = 86_400_000;

/** Removes partial backups of killed processes: they contain hashes of keys. */
function removeAbandonedBackups(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, partial, by, pid] = partialName.exec(name) ?? [];
    if (partial === undefined) continue;
    if (by === host ? !isRunningProcess(Number(pid)) : isAbandoned(join(folder, name)))
      removePartial(join(folder, partial));
  }
}

function isRunningProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function isAbandoned(file: string): boolean {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return mtimeMs !== undefined && mtimeMs < Date.now() - abandonedAfterMs;
}
