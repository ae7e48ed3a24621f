/** Files that a process is still writing, and folders of drills. A killed process leaves them behind. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

const host = hostname()
  .replaceAll(/[^0-9A-Za-z.-]/g, '_')
  .slice(0, 64);

/** Includes journals and logs that SQLite did not delete. */
const partialName =
  /^(.+\.rostra-(?:backup|restore|drill|export)\.([0-9A-Za-z.-]{1,64})\.(\d{1,10})\.partial)(?:-journal|-wal|-shm)?$/;

const partials = new Set<string>();
const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Removes the partial file when `write` has ended, and when Ctrl-C ends the process: long work must leave the event loop
 * free. Removes those of killed processes first: they contain hashes of keys, or the audit log.
 *
 * @param write receives a path beside the file. Host and process id make it unique for concurrent work in one folder
 */
export async function withPartial<Result>(
  file: string,
  work: 'backup' | 'restore' | 'drill' | 'export',
  write: (partial: string) => Promise<Result>,
): Promise<Result> {
  removeAbandonedPartials(dirname(file));
  const partial = `${file}.rostra-${work}.${host}.${process.pid}.partial`;
  if (partials.size === 0) {
    for (const name of signals) process.on(name, endBySignal);
    process.on('exit', removeAll);
  }
  partials.add(partial);
  try {
    return await write(partial);
  } finally {
    removePartial(partial);
    partials.delete(partial);
    if (partials.size === 0) stopListening();
  }
}

function endBySignal(name: NodeJS.Signals): void {
  // A server shuts down by itself.
  if (process.listenerCount(name) > 1) return;
  removeAll();
  stopListening();
  process.kill(process.pid, name);
}

function stopListening(): void {
  for (const name of signals) process.off(name, endBySignal);
  process.off('exit', removeAll);
}

function removeAll(): void {
  for (const partial of partials) removePartial(partial);
}

function removePartial(partial: string): void {
  try {
    for (const suffix of ['', '-journal', '-wal', '-shm'])
      rmSync(partial + suffix, { force: true, recursive: true });
  } catch {
    // The reason why it could not be written matters more. The next work in this folder tries again.
  }
}

/** A partial file of another host without writes for this time is abandoned. */
const abandonedAfterMs = 86_400_000;

function removeAbandonedPartials(folder: string): void {
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

/** Whether another process of this machine has the id. After a restart, a container uses the same ids. */
export function isRunningProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
