/**
 * Writes the records of a live source to a temporary file, as a JSON array with one record per line, so that nothing is
 * imported before all of them are there.
 */
import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceValidators } from '../../domain/import-source.ts';
import type { ImportObserver } from '../../import/import-observer.ts';
import { InputError } from '../../import/input-error.ts';
import type { Preset } from '../../import/presets/preset.ts';
import { createDownloadFolder, type Download } from '../download-file.ts';
import type { HttpClient } from '../http-client.ts';
import { createRecordSource, type RecordPage } from './fetch-records.ts';

export interface RecordDownloadOptions {
  client: HttpClient;
  /** Of the file. */
  maxBytes: number;
  /** Of the records that were read last; empty: the file is always new. */
  validators: SourceValidators;
  observer: ImportObserver;
  signal: AbortSignal;
}

/** Notes repeated and skipped records. @throws InputError, or the reason of an abort */
export async function downloadRecords(
  preset: Preset,
  address: URL,
  options: RecordDownloadOptions,
): Promise<Download> {
  const { client, validators, observer } = options;
  const source = createRecordSource(preset, address, client);
  const folder = await createDownloadFolder();
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const total = await source.countRecords();
    const path = join(folder, 'records.json');
    const { size, digest, count, repeated } = await writeRecords(path, source.fetchPages(total), {
      ...options,
      address,
    });
    if (repeated > 0) observer.onNote?.({ code: 'live-records-repeated', count: repeated });
    const isPartial = total === undefined ? repeated > 0 : count < total;
    if (total !== undefined && isPartial)
      observer.onNote?.({ code: 'live-records-skipped', count: total - count, total });
    const file = digest === validators.digest ? undefined : { path, size };
    return { file, validators: { digest }, isPartial, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface WrittenRecords {
  size: number;
  /** SHA-256 in hexadecimal. */
  digest: string;
  /** Without the repeated ones. */
  count: number;
  repeated: number;
}

async function writeRecords(
  path: string,
  pages: AsyncGenerator<RecordPage>,
  { address, maxBytes, observer, signal }: RecordDownloadOptions & { address: URL },
): Promise<WrittenRecords> {
  await using file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  const seen = new Set<string>();
  const written = { size: 0, count: 0, repeated: 0 };
  const write = async (text: string) => {
    written.size += Buffer.byteLength(text);
    if (written.size > maxBytes)
      throw new InputError({
        code: 'address-too-large',
        url: address.href,
        mebibytes: Math.floor(maxBytes / 1_048_576),
      });
    hash.update(text);
    await file.write(text);
  };
  await write('[');
  for await (const { records, id } of pages) {
    signal.throwIfAborted();
    const lines: string[] = [];
    for (const record of records) {
      const key = id === undefined ? undefined : record[id];
      if (key !== undefined && seen.has(String(key))) written.repeated += 1;
      else lines.push(`${written.count + lines.length === 0 ? '' : ','}${JSON.stringify(record)}\n`);
      if (key !== undefined) seen.add(String(key));
    }
    written.count += lines.length;
    await write(lines.join(''));
    observer.onObjectsFetched?.(written.count);
  }
  await write(']');
  return { ...written, digest: hash.digest('hex') };
}
