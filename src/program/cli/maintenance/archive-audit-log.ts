/** Writes entries of the audit log to files, and removes only the entries that a complete file on disk has. */
import { createHash } from 'node:crypto';
import { constants, copyFileSync, createReadStream, createWriteStream, linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { RecordedAuditEvent } from '../../../domain/accounts/audit-log.ts';
import type { AuditExport, PruningStore } from '../../../domain/installation/pruning.ts';
import { StoreUnavailableError } from '../../../domain/store-errors.ts';
import { withPartial } from '../../../platform/partial-files.ts';
import { syncToDisk } from '../../../platform/sync-to-disk.ts';

const maxDeletedEvents = 500;

interface AuditLogPruning {
  deleted: number;
  /** Paths of the files that have the deleted entries. */
  files: string[];
}

export interface PruningSteps {
  /** Is called before the first deletion. */
  onBegin(): Promise<void>;
  /** Waits after each transaction, so that others can write. @throws the reason of an abort */
  pause(deleted: number): Promise<void>;
}

/**
 * Exports and removes all entries before a time, one file for each calendar month. A run after an interrupted one
 * continues with the files of that run.
 *
 * @throws StoreUnavailableError if a file cannot be written or read; then its entries stay
 */
export async function archiveAuditLog(
  store: PruningStore,
  folder: string,
  before: string,
  { onBegin, pause }: PruningSteps,
): Promise<AuditLogPruning> {
  await store.assertAuditLogPrunable();
  const pruning: AuditLogPruning = { deleted: 0, files: [] };
  const remove = async (path: string) => {
    if (pruning.deleted === 0) await onBegin();
    for await (const events of readBatches(path)) {
      const deleted = await store.deleteAuditEvents(events);
      pruning.deleted += deleted;
      await pause(deleted);
    }
    pruning.files.push(path);
  };
  const findOldest = async () => (await store.listAuditEventsBefore(before, undefined))[0];
  for (let oldest = await findOldest(); oldest !== undefined; ) {
    const month = getMonth(oldest.at);
    for (const { file, sha256 } of await store.listAuditExports(month.from, month.until)) {
      const path = join(folder, file);
      if ((await hashFile(path)) === sha256) await remove(path);
    }
    oldest = await findOldest();
    if (oldest !== undefined && oldest.at < month.until) {
      const exported = await runFileStep(folder, () => writeExport(store, folder, month));
      await store.recordAuditExport(exported);
      await remove(join(folder, exported.file));
      oldest = await findOldest();
    }
  }
  return pruning;
}

interface Month {
  /** `2026-03` */
  name: string;
  from: string;
  until: string;
}

function getMonth(at: string): Month {
  const from = new Date(`${at.slice(0, 7)}-01T00:00:00.000Z`);
  const until = new Date(from);
  until.setUTCMonth(from.getUTCMonth() + 1);
  return { name: at.slice(0, 7), from: from.toISOString(), until: until.toISOString() };
}

/** The beginning of the month, as months are exported completely. */
export const getMonthStart = (timeMs: number): string => getMonth(new Date(timeMs).toISOString()).from;

const explain = (folder: string, error: unknown) =>
  new StoreUnavailableError(
    `The audit log cannot be exported to ${folder}: ${(error as Error).message}. Its entries stay in the database.`,
    { cause: error },
  );

async function runFileStep<Result>(folder: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') throw error;
    throw explain(folder, error);
  }
}

/** Returns when the file with its name is on disk. */
async function writeExport(
  store: PruningStore,
  folder: string,
  { name, until }: Month,
): Promise<AuditExport> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const range = { firstAt: '', lastAt: '', entries: 0 };
  async function* composeLines() {
    for (let after: RecordedAuditEvent | undefined; ; ) {
      const events: RecordedAuditEvent[] = await store.listAuditEventsBefore(until, after);
      if (events.length === 0) return;
      for (const event of events) {
        if (range.entries === 0) range.firstAt = event.at;
        range.lastAt = event.at;
        range.entries += 1;
        yield `${JSON.stringify(event)}\n`;
      }
      after = events.at(-1);
    }
  }
  return withPartial(join(folder, `audit-log-${name}`), 'export', async (partial) => {
    // `flush` makes the stream call fsync before it closes the file.
    const output = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.from(composeLines()), createGzip(), output);
    const sha256 = await hashFile(partial);
    if (sha256 === undefined) throw new StoreUnavailableError(`${partial} was removed while it was written.`);
    const file = placeFile(folder, partial, `audit-log-${name}`);
    return { file, sha256, ...range };
  });
}

/** Gives the file its name. An existing file is never replaced: the next free number is appended. */
function placeFile(folder: string, partial: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const file = `${name}${number === 1 ? '' : `-${number}`}.ndjson.gz`;
    try {
      linkOrCopy(partial, join(folder, file));
      syncToDisk(folder);
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes((error as { code: string }).code)) throw error;
    // Some network file systems have no links.
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    syncToDisk(to);
  }
}

/** @returns undefined if the file is missing or cannot be read */
async function hashFile(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}

async function* readBatches(path: string): AsyncGenerator<RecordedAuditEvent[]> {
  const input = createReadStream(path).pipe(createGunzip());
  let batch: RecordedAuditEvent[] = [];
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    batch.push(JSON.parse(line));
    if (batch.length === maxDeletedEvents) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
