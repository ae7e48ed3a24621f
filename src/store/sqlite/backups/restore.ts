/**
 * Puts a backup in place of a database. The previous files stay beside it. A kill at any moment leaves either the previous
 * database or the restored one in place.
 */
import {
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StoreConflictError, StoreUnavailableError } from '../../../domain/store-errors.ts';
import { withPartial } from '../../../platform/partial-files.ts';
import { syncToDisk } from '../../../platform/sync-to-disk.ts';
import { closeAtEnd } from '../close-at-end.ts';
import {
  assertRostraDatabase,
  describeFileError,
  giveToOwnerOf,
  isRoot,
  setFileMode,
} from '../open-database-files.ts';
import { countersSuffix } from '../sqlite-errors.ts';
import { startNewHistories } from './backup.ts';
import { digestTable } from './backup-digest.ts';
import { assertBackupContent, assertBackupFile } from './check-backup-file.ts';
import { keepDecisions } from './keep-decisions.ts';
import { keepOpenData } from './keep-open-data.ts';
import { keepRecordDigests } from './keep-record-digests.ts';
import { type KeptAccess, keepRevocations, type RevivedAccess } from './keep-revocations.ts';
import { lockDatabaseFile } from './lock-database-file.ts';

export interface RestoreResult {
  /** Where the previous database is now; null: there was no database. */
  previous: string | null;
  /** Number of decisions on records that only the previous database had; null: it is missing or cannot be read. */
  keptDecisions: number | null;
  /** What was removed, revoked or changed after the backup and stays so; null: the previous database is missing or cannot be read. */
  keptAccess: KeptAccess | null;
  /** What may be usable again although it was removed, revoked or changed after the backup. */
  revivedAccess: RevivedAccess;
}

/**
 * @param file a backup. It is only read.
 * @param database path of the database, which may be missing or damaged
 * @param confirm called once the file looks like a backup, before anything changes. If it rejects, nothing changes
 * @throws StoreConflictError if the database is in use, or the file is not a backup that this version can read
 * @throws StoreUnavailableError if the files cannot be written
 */
export async function restore(
  file: string,
  database: string,
  confirm: () => Promise<void> = async () => undefined,
): Promise<RestoreResult> {
  const stats = assertBackupFile(file);
  const target = resolveTarget(database);
  const counters = resolveTarget(`${database}-counters`);
  if (isSameFile(stats, statIfPresent(target)))
    throw new StoreConflictError(`${file} is the database itself.`);
  await confirm();
  const locked = lockFiles(target, counters);
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    return await withPartial(target, 'restore', async (partial) => {
      await copyBackup(file, stats, partial);
      matchOwner(partial, target);
      const access = await keepRevocations(locked.database, partial);
      const keptDecisions = locked.database === undefined ? null : keepDecisions(locked.database, partial);
      if (locked.database !== undefined) {
        await keepRecordDigests(locked.database, partial);
        keepOpenData(locked.database, partial);
      }
      syncToDisk(partial);
      return {
        previous: replaceFiles(partial, target, counters),
        keptDecisions,
        keptAccess: access.kept,
        revivedAccess: access.revived,
      };
    });
  } catch (error) {
    if (error instanceof StoreConflictError) throw error;
    const reason = describeFileError(error, dirname(target));
    throw new StoreUnavailableError(`The backup ${file} could not be restored: ${reason}.`, { cause: error });
  } finally {
    locked.database?.close();
    locked.counters?.close();
  }
}

/** A symbolic link stays, and its target is replaced. Counters are beside the link, logs beside the target. */
function resolveTarget(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
  throw new StoreConflictError(`${path} is a symbolic link to a missing file.`);
}

const statIfPresent = (file: string) => statSync(file, { throwIfNoEntry: false });

const isSameFile = (one: Stats, other: Stats | undefined) => one.dev === other?.dev && one.ino === other.ino;

/** undefined: missing or damaged. */
interface LockedFiles {
  database: Database.Database | undefined;
  counters: Database.Database | undefined;
}

function lockFiles(target: string, counters: string): LockedFiles {
  const database = existsSync(target) ? lockDatabaseFile(target) : undefined;
  try {
    // A mistyped path must replace nothing.
    if (database !== undefined) assertRostraDatabase(database, target);
    return { database, counters: existsSync(counters) ? lockDatabaseFile(counters) : undefined };
  } catch (error) {
    database?.close();
    throw error;
  }
}

/** @throws StoreConflictError if the copy is not a usable backup */
async function copyBackup(file: string, stats: Stats, partial: string): Promise<void> {
  await copyFile(file, partial, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  setFileMode(partial, 0o600);
  const { size, mtimeMs } = statSync(file);
  if (size !== stats.size || mtimeMs !== stats.mtimeMs)
    throw new StoreConflictError(`${file} changed while it was read. Is another program still writing it?`);
  using copy = closeAtEnd(new Database(partial, { fileMustExist: true }));
  await assertBackupContent(copy, file);
  copy.pragma('journal_mode = DELETE');
  startNewHistories(copy);
  // As in a copy, people sign in again: sessions and links may have been ended or used after the backup.
  copy.exec(`DELETE FROM login_session; DELETE FROM invitation; DROP TABLE ${digestTable}`);
}

/** @throws StoreConflictError if the service could not read the restored file */
function matchOwner(partial: string, target: string): void {
  const previous = statIfPresent(target);
  if (previous !== undefined) setFileMode(partial, previous.mode & 0o777);
  if (isRoot()) giveToOwnerOf(previous === undefined ? dirname(target) : target, partial);
  else if (previous !== undefined && previous.uid !== statSync(partial).uid)
    throw new StoreConflictError(`${target} belongs to another user. Restore as that user, or as root.`);
}

/**
 * Each step leaves a usable state: a log never stays beside another database, and counters of the previous database beside
 * the restored one are merged by its first start.
 *
 * @returns where the previous database is now
 */
function replaceFiles(partial: string, target: string, counters: string): string | null {
  const suffix = `.before-restore-${new Date().toISOString().replaceAll(':', '-')}`;
  const exists = existsSync(target);
  if (exists) linkSync(target, target + suffix);
  for (const log of logSuffixes) moveIfPresent(target + log, target + suffix + log);
  renameSync(partial, target);
  const previousCounters = `${counters.slice(0, -countersSuffix.length)}${suffix}${countersSuffix}`;
  for (const log of [...logSuffixes, '']) moveIfPresent(counters + log, previousCounters + log);
  for (const folder of new Set([dirname(target), dirname(counters)])) syncToDisk(folder);
  return exists ? target + suffix : null;
}

const logSuffixes = ['-wal', '-shm', '-journal'] as const;

function moveIfPresent(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}
