/** Checks the files of backups: the record of a backup says nothing about its file. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isPostgresUrl } from '../../../domain/installation/is-postgres-url.ts';
import type { MaintenanceRun } from '../../../domain/installation/maintenance-run.ts';
import type { DatabaseInspection } from '../../../store/open.ts';
import { readBackupTime } from '../maintenance/backup-name.ts';
import { formatTime } from '../output.ts';
import { type Check, critical, type Outcome, ok, warning } from './run-checks.ts';

const backupRemedy = 'Run "rostra backup" every night, and check its output.';

const dumpRemedy = 'Write a dump every night as docs/backup.md describes, and check its output.';

export const checkBackups: Check = async (installation) => {
  const { backupFolder, maxBackupAgeMs } = installation;
  const runs = await (await installation.findStore())?.listMaintenanceRuns();
  if (runs === undefined) return undefined;
  const { database } = installation.readDatabaseSettings();
  const isPostgres = isPostgresUrl(database);
  if (backupFolder !== undefined) {
    const files = await listFiles(backupFolder, () => true);
    return judgeAge(files, maxBackupAgeMs, isPostgres ? dumpRemedy : backupRemedy);
  }
  if (isPostgres) return judgeArchive((await installation.findInspection())?.archive);
  const related = runs
    .filter(({ kind }) => kind === 'backup' || kind === 'restore')
    .toSorted((one, other) => other.finishedAt.localeCompare(one.finishedAt));
  const [last] = related;
  const recorded = related.flatMap(({ detail: { file } }) => (typeof file === 'string' ? [file] : []));
  const isBackup = (path: string, timeMs: number | undefined) =>
    recorded.includes(path) || timeMs !== undefined;
  const folders = new Set([
    ...recorded.map((file) => dirname(file)),
    join(dirname(resolve(database)), 'backups'),
  ]);
  const files = await Promise.all([...folders].map((each) => listFiles(each, isBackup).catch(() => [])));
  // A restored database has an older record: of a file that later backups may have replaced.
  const problem = last?.kind === 'backup' ? await findProblem(last) : undefined;
  return [...(problem === undefined ? [] : [problem]), judgeAge(files.flat(), maxBackupAgeMs, backupRemedy)];
};

interface BackupFile {
  path: string;
  timeMs: number;
}

async function listFiles(
  folder: string,
  isBackup: (path: string, timeMs: number | undefined) => boolean,
): Promise<BackupFile[]> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      const timeMs = readBackupTime(name);
      if (name.endsWith('.partial') || !isBackup(path, timeMs)) return [];
      const found = await stat(path).catch(() => undefined);
      return found?.isFile() && found.size > 0 ? [{ path, timeMs: timeMs ?? found.mtimeMs }] : [];
    }),
  );
  return files.flat();
}

function judgeAge(files: readonly BackupFile[], maxAgeMs: number, remedy: string): Outcome {
  const [newest] = files.toSorted((one, other) => other.timeMs - one.timeMs);
  if (newest === undefined) return warning('There is no file of a backup.', remedy);
  const ageMs = Date.now() - newest.timeMs;
  const message = `The newest backup is from ${formatTime(new Date(newest.timeMs).toISOString())}: ${newest.path}.`;
  if (ageMs > 3 * maxAgeMs) return critical(message, remedy);
  return ageMs > maxAgeMs ? warning(message, remedy) : ok(message);
}

/** Compares the record of the last backup with its file. */
async function findProblem({ outcome, finishedAt, detail }: MaintenanceRun): Promise<Outcome | undefined> {
  if (outcome === 'failed')
    return warning(`The last backup failed at ${formatTime(finishedAt)}: ${detail.error}`, backupRemedy);
  const { file, bytes } = detail as { file: string; bytes: number };
  const found = await stat(file).catch(() => undefined);
  if (found === undefined)
    return warning(
      `The file of the last backup is missing: ${file}.`,
      'Find out what removed it. If backups are elsewhere, name their folder with --backup-folder.',
    );
  if (found.size === bytes) return undefined;
  return critical(
    `${file} has ${found.size} bytes, but ${bytes} were written.`,
    'Write a new backup, and find out what changed this one.',
  );
}

/** @param archive undefined: its state is unknown */
export function judgeArchive(archive: DatabaseInspection['archive'] | undefined): Outcome | undefined {
  if (archive === undefined) return undefined;
  const { isOn, lastArchivedMs, lastFailedMs } = archive;
  if (!isOn)
    return warning(
      'PostgreSQL does not archive its write-ahead log, and Rostra does not know where its dumps are.',
      'Back it up as docs/backup.md describes. If there are dumps, name their folder with --backup-folder.',
    );
  if (lastArchivedMs === null && lastFailedMs === null)
    return warning(
      'PostgreSQL has not archived any of its write-ahead log yet.',
      'Run "SELECT pg_switch_wal();" and check again. If nothing is archived, read the log of PostgreSQL, and check archive_command.',
    );
  const last = lastArchivedMs === null ? 'never' : formatTime(new Date(lastArchivedMs).toISOString());
  if (lastArchivedMs === null || (lastFailedMs ?? 0) > lastArchivedMs)
    return critical(
      `PostgreSQL cannot archive its write-ahead log; the last success: ${last}.`,
      'Read the log of PostgreSQL, and correct archive_command.',
    );
  return ok(`PostgreSQL archives its write-ahead log, last at ${last}.`);
}
