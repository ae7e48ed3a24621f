/**
 * Writes the records of a live source to a temporary file, as a JSON array with one record per line, so that nothing is
 * imported before all of them are there.
 */
import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reason } from '../../../domain/reasons/reason.ts';
import type { SourceValidators } from '../../../domain/sources/import-source.ts';
import type { Preset } from '../../presets/preset.ts';
import { listRecordColumns } from '../../readers/tables/json-table.ts';
import type { ImportObserver } from '../../records/import-observer.ts';
import {
  assertDownloadSize,
  createDownloadFolder,
  type Download,
  toDownloadError,
} from '../download-file.ts';
import type { HttpClient } from '../http-client.ts';
import type { ChangedSince } from './changed-since.ts';
import { listCompleteTimes, type ReadWindow } from './completed-windows.ts';
import { createRecordSource } from './fetch-records.ts';
import type { RecordPage } from './fetched-record-page.ts';

interface RecordDownloadOptions {
  client: HttpClient;
  /** Of the file. */
  maxBytes: number;
  /** Of the records that were read last; empty: the file is always new. */
  validators: SourceValidators;
  changedSince: ChangedSince;
  observer: ImportObserver;
  signal: AbortSignal;
}

/** Notes repeated and skipped records, and windows that were not read completely. @throws InputError, or the reason of an abort */
export async function downloadRecords(
  preset: Preset,
  address: URL,
  options: RecordDownloadOptions,
): Promise<Download> {
  const { client, validators, changedSince, observer } = options;
  const { condition, next } = changedSince;
  const source = createRecordSource(preset, address, client, condition);
  const folder = await createDownloadFolder();
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const total = await source.countRecords();
    const path = join(folder, 'records.json');
    const written = await writeRecords(path, source.fetchPages(total), { ...options, address });
    const { size, digest, count, repeated, missing, missingColumns, windows, hasMoved } = written;
    if (repeated > 0) observer.onNote?.({ code: 'live-records-repeated', count: repeated });
    // A record that was removed from a page meanwhile moves those of later pages forward.
    const isChanged = (await source.countRecords()) !== total;
    const skipped = Math.max(missing, (total ?? 0) - count);
    const cut = windows.filter(({ isCut }) => isCut);
    const isPartial = isChanged || hasMoved || repeated > 0 || skipped > 0 || cut.length > 0;
    if (isPartial) observer.onNote?.(describeMissing(cut, skipped, count));
    const isExcerpt = condition !== undefined;
    const isKnown = digest === validators.digest || (isExcerpt && count === 0 && !isPartial);
    const file = isKnown ? undefined : { path, size };
    const { since, completeAt } = validators;
    // The next run must not find the same records unchanged, before it knows that there are no others.
    const unfinished = isExcerpt ? { since, completeAt } : {};
    return {
      file,
      validators: isPartial ? unfinished : { digest, ...next },
      total,
      isPartial,
      isExcerpt,
      isEmpty: count === 0,
      lacksColumn: count > 0 && missingColumns.size > 0,
      ...(windows.length > 0 && !isExcerpt && { completeTimes: listCompleteTimes(windows) }),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function describeMissing(cut: readonly ReadWindow[], skipped: number, count: number): Reason {
  const [window] = cut;
  if (window !== undefined)
    return {
      code: 'live-windows-cut',
      count: cut.length,
      from: new Date(window.fromMs).toISOString(),
      to: new Date(window.toMs).toISOString(),
    };
  return skipped > 0
    ? { code: 'live-records-skipped', count: skipped, total: count + skipped }
    : { code: 'live-records-moved' };
}

interface WrittenRecords {
  size: number;
  /** SHA-256 in hexadecimal, which differs between a complete run and one that fetches changes. */
  digest: string;
  /** Without the repeated ones. */
  count: number;
  repeated: number;
  /** The server did not return them although the request named them. */
  missing: number;
  /** Those of `ChangedSince` that no record has. */
  missingColumns: Set<string>;
  windows: ReadWindow[];
  hasMoved: boolean;
}

async function writeRecords(
  path: string,
  pages: AsyncGenerator<RecordPage>,
  { address, maxBytes, changedSince, observer, signal }: RecordDownloadOptions & { address: URL },
): Promise<WrittenRecords> {
  await using file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  // The same records mean something else if a complete run finds no others.
  if (changedSince.condition !== undefined) hash.update('changes');
  const seen = new Set<string>();
  const written = {
    size: 0,
    count: 0,
    repeated: 0,
    missing: 0,
    missingColumns: new Set(changedSince.columns),
    windows: [] as ReadWindow[],
    hasMoved: false,
  };
  const write = async (text: string) => {
    written.size += Buffer.byteLength(text);
    assertDownloadSize(address, written.size, maxBytes);
    hash.update(text);
    await file.appendFile(text).catch((error) => {
      throw toDownloadError(address, error);
    });
  };
  await write('[');
  for await (const { records, id, requested = 0, window, hasMoved = false } of pages) {
    signal.throwIfAborted();
    written.missing += Math.max(0, requested - records.length);
    const lines: string[] = [];
    for (const record of records) {
      if (written.missingColumns.size > 0)
        for (const column of listRecordColumns(record)) written.missingColumns.delete(column);
      const key = id === undefined ? undefined : JSON.stringify(record[id]);
      if (key !== undefined && seen.has(key)) written.repeated += window === undefined ? 1 : 0;
      else lines.push(`${written.count + lines.length === 0 ? '' : ','}${JSON.stringify(record)}\n`);
      if (key !== undefined) seen.add(key);
    }
    written.count += lines.length;
    if (window !== undefined) written.windows.push(window);
    written.hasMoved ||= hasMoved;
    await write(lines.join(''));
    observer.onObjectsFetched?.(written.count);
  }
  await write(']');
  return { ...written, digest: hash.digest('hex') };
}
