/** Files that a process is still writing, and folders of drills. A killed process leaves them behind. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRunningProcess } from './is-running-process.ts';

const host = hostname()
  .replaceAll(/[^0-9A-Za-z.-]/g, '_')
  .slice(0, 64);

/** Host and process id make the name unique for concurrent work in one folder. */
export const getPartialPath = (file: string, work: 'backup' | 'restore' | 'drill' | 'export') =>
  `${file}.rostra-${work}.${host}.${process.pid}.partial`;

/** Includes journals and logs that SQLite did not delete. */
const partialName =
  /^(.+\.rostra-(?:backup|restore|drill|export)\.([0-9A-Za-z.-]{1,64})\.(\d{1,10})\.partial)(?:-journal|-wal|-shm)?$/;

export function removePartial(partial: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm'])
    rmSync(partial + suffix, { force: true, recursive: true });
}

/** A partial file of another host without writes for this time is abandoned. */
const abandonedAfterMs = 86_400_000;

/** Removes partial files of killed processes: they contain hashes of keys, or the audit log. */
export function removeAbandonedPartials(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, partial, by, pid] = partialName.exec(name) ?? [];
    if (partial === undefined) continue;
    if (by === host ? !isRunningProcess(Number(pid)) : isAbandoned(join(folder, name)))
      removePartial(join(folder, partial));
  }
}

function isAbandoned(file: string): boolean {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return mtimeMs !== undefined && mtimeMs < Date.now() - abandonedAfterMs;
}
