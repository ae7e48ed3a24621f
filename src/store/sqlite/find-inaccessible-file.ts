/** Finds out which file of a database this process may not use, and why. SQLite says only that it cannot open the database. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';

/** SQLite and Rostra create all but the first beside it. */
const suffixes = ['', '-wal', '-shm', '-journal', '-counters', '-counters-wal', '-counters-shm'];

const { R_OK, W_OK, X_OK } = constants;

/** @returns a clause without its full stop; undefined: this process may use all files */
export function findInaccessibleFile(database: string): string | undefined {
  const folder = dirname(database);
  if (!mayBeFolder(folder)) return undefined;
  // A file in a closed folder looks as if it were missing.
  return (
    describeDenial(folder, R_OK | W_OK | X_OK) ??
    suffixes
      .map((suffix) => describeDenial(database + suffix, R_OK | W_OK))
      .find((denial) => denial !== undefined)
  );
}

/** Of a path in a closed folder, nothing is known. */
function mayBeFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

function describeDenial(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') return `${path} is on a read-only file system`;
    return code === 'EACCES' || code === 'EPERM' ? describeOwner(path) : undefined;
  }
}

function describeOwner(path: string): string {
  const own = process.geteuid?.() ?? -1;
  const self = findUserName(own);
  let owner: number;
  try {
    owner = statSync(path).uid;
  } catch {
    return `${self}, as whom this process runs, may not open the folder ${dirname(path)}`;
  }
  const reason =
    owner === own
      ? `the permissions of ${path} do not let its owner ${self} read and write it`
      : `${path} belongs to ${findUserName(owner)}, and this process runs as ${self}`;
  return `${reason}. Run the command as the user of the service, or give the file to it with chown and chmod: docs/damaged-database.md`;
}

/** @returns the number of a user without a name on this machine, as in a container */
function findUserName(id: number): string {
  try {
    const own = userInfo();
    if (own.uid === id) return own.username;
  } catch {
    // This process has no name.
  }
  try {
    const entries = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
    return entries.find(([, , uid]) => uid === String(id))?.[0] ?? `the user ${id}`;
  } catch {
    return `the user ${id}`;
  }
}
