/**
 * Notices when the files of an open database are removed or replaced. SQLite itself goes on with the file that it has
 * opened, whatever its path leads to by now, and so would answer from old data, and to keys that are revoked by now.
 *
 * Only `stat` is used: to open and close a database file would take SQLite's locks away from this process.
 */
import { rmSync, type Stats, statSync } from 'node:fs';
import { StoreUnavailableError } from '../../domain/store-errors.ts';

const checkIntervalMs = 500;

export interface FileWatch {
  /** Costs nothing: relies on the last check. @throws StoreUnavailable when a file was removed or replaced */
  assertUnchanged(): void;
  /** As `assertUnchanged`, after a check of its own. */
  checkNow(): void;
  /** Resolves with a sentence when other files are in place: only a new process can read them. */
  replaced: Promise<string>;
  stop(): void;
}

interface OpenFile {
  path: string;
  opened: Stats;
  /** The write-ahead log and its index, which SQLite finds by their paths. */
  logs: { path: string; opened: Stats | undefined }[];
}

/**
 * @param paths of open files, the database first
 * @param flushLogs writes what is in the write-ahead logs into the open files, and empties the logs
 * @param notice receives a sentence when a file was removed or replaced, and when it is back
 */
export function watchFiles(
  paths: readonly [string, ...string[]],
  { flushLogs, notice }: { flushLogs: () => void; notice: (sentence: string) => void },
): FileWatch {
  const files = paths.map(
    (path): OpenFile => ({
      path,
      opened: statSync(path),
      logs: ['-wal', '-shm'].map((suffix) => ({ path: path + suffix, opened: statIfPresent(path + suffix) })),
    }),
  );
  const [database] = paths;
  const { promise: replaced, resolve: resolveReplaced } = Promise.withResolvers<string>();
  let problem: string | undefined;
  let isReplaced = false;
  let lastSeen: Stats | undefined;

  function check(): void {
    const present = statIfPresent(database);
    const changed = files.filter(({ path, opened }) => !isSameFile(statIfPresent(path), opened));
    if (isReplaced) endWhenSettled(present);
    else if (changed.length === 0) markPresent();
    else if (present === undefined) markMissing();
    else markReplaced(changed);
    lastSeen = present;
  }

  function markPresent(): void {
    if (problem !== undefined) notice(`The database file ${database} is back: requests are answered again.`);
    problem = undefined;
  }

  /** It may come back, as when it was moved by mistake. Wherever it is now, it is complete without its log. */
  function markMissing(): void {
    if (problem !== undefined) return;
    flushLogs();
    refuseRequests(`The database file ${database} was removed.`);
  }

  function refuseRequests(sentence: string): void {
    problem = sentence;
    notice(`${sentence} Requests with a key are answered with 503.`);
  }

  /** A log that stays behind would be taken for that of the new file, and damage it. */
  function markReplaced(changed: readonly OpenFile[]): void {
    if (problem === undefined) flushLogs();
    isReplaced = true;
    const [first] = changed as [OpenFile];
    const how = statIfPresent(first.path) === undefined ? 'removed' : 'replaced';
    refuseRequests(`The database file ${first.path} was ${how}.`);
    for (const { path, opened } of changed.flatMap(({ logs }) => logs))
      if (opened !== undefined && isSameFile(statIfPresent(path), opened)) rmSync(path, { force: true });
  }

  /** A file that is still being copied would not open. */
  function endWhenSettled(present: Stats | undefined): void {
    if (present === undefined || lastSeen === undefined || !isSameFile(present, lastSeen)) return;
    if (present.size !== lastSeen.size || present.mtimeMs !== lastSeen.mtimeMs) return;
    resolveReplaced(
      `${problem} This process ends: start it again, and it reads the files that are there by then.`,
    );
  }

  function assertUnchanged(): void {
    if (problem !== undefined) throw new StoreUnavailableError(problem);
  }

  const timer = setInterval(() => {
    try {
      check();
    } catch (error) {
      notice(`The files of the database cannot be checked: ${(error as Error).message}.`);
    }
  }, checkIntervalMs).unref();
  return {
    assertUnchanged,
    checkNow: () => {
      if (problem === undefined) check();
      assertUnchanged();
    },
    replaced,
    stop: () => clearInterval(timer),
  };
}

function statIfPresent(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

const isSameFile = (one: Stats | undefined, other: Stats) => one?.dev === other.dev && one.ino === other.ino;
