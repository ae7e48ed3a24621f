/**
 * Detects removed and replaced database files. SQLite continues with the open file, so the server would return old data and
 * accept keys that have been revoked since.
 *
 * Uses `stat` only: POSIX releases all locks of a process on a file when the process closes any descriptor of it
 * (https://sqlite.org/howtocorrupt.html, section 2.2).
 */
import { rmSync, type Stats, statSync } from 'node:fs';
import { StoreUnavailableError } from '../../domain/store-errors.ts';

const checkIntervalMs = 500;

export interface FileWatch {
  /** Uses the result of the last check. @throws StoreUnavailableError if a file was removed or replaced */
  assertUnchanged(): void;
  /** As `assertUnchanged`, with a new check. */
  checkNow(): void;
  /** Resolves with a message when other files are in place. Only a new process can read them. */
  replaced: Promise<string>;
  stop(): void;
}

interface OpenFile {
  path: string;
  opened: Stats;
  /** The write-ahead log and its index. SQLite finds them by path. */
  logs: { path: string; opened: Stats | undefined }[];
}

/**
 * @param paths open files, the database first
 * @param opened the database file before it was opened: another process may replace it meanwhile
 * @param flushLogs writes the write-ahead logs into the open files and truncates the logs
 * @param notice receives a message when a file is removed or replaced, and when it is back
 */
export function watchFiles(
  paths: readonly [string, ...string[]],
  opened: Stats,
  { flushLogs, notice }: { flushLogs: () => void; notice: (sentence: string) => void },
): FileWatch {
  const files = paths.map(
    (path, index): OpenFile => ({
      path,
      opened: index === 0 ? opened : statSync(path),
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
    if (problem !== undefined)
      notice(`The database file ${database} is back. The server answers requests again.`);
    problem = undefined;
  }

  /** The file may come back. Without a log it is complete, wherever it is now. */
  function markMissing(): void {
    if (problem !== undefined) return;
    flushLogs();
    rejectRequests(`The database file ${database} was removed.`);
  }

  function rejectRequests(sentence: string): void {
    problem = sentence;
    notice(`${sentence} Requests with a key get 503.`);
  }

  /** SQLite would apply an old log to the new file and damage it. */
  function markReplaced(changed: readonly OpenFile[]): void {
    if (problem === undefined) flushLogs();
    isReplaced = true;
    const [first] = changed as [OpenFile];
    const how = statIfPresent(first.path) === undefined ? 'removed' : 'replaced';
    rejectRequests(`The database file ${first.path} was ${how}.`);
    for (const { path, opened } of changed.flatMap(({ logs }) => logs))
      if (opened !== undefined && isSameFile(statIfPresent(path), opened)) rmSync(path, { force: true });
  }

  /** Waits until the file no longer changes: it may still be incomplete. */
  function endWhenSettled(present: Stats | undefined): void {
    if (present === undefined || lastSeen === undefined || !isSameFile(present, lastSeen)) return;
    if (present.size !== lastSeen.size || present.mtimeMs !== lastSeen.mtimeMs) return;
    resolveReplaced(`${problem} This process stops. Restart it to use the new files.`);
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
