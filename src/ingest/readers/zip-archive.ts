/**
 * Reads zip archives (PKWARE APPNOTE 6.3, with zip64) from a file, within limits: nothing is extracted to disk, and sizes
 * are checked before and while an entry is decompressed.
 */
import { addAbortSignal, type Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { InputError, toReadError } from '../input-error.ts';
import { assertPlausibleRatio } from './decompression-limit.ts';
import type { InputOptions } from './input-files.ts';

export interface ZipArchive extends Disposable {
  /** By their paths with slashes, which are never absolute, and without `..`; without folders. */
  entries: ReadonlyMap<string, Entry>;
  /** Yields the decompressed content. @throws InputError */
  read(entry: Entry): AsyncGenerator<Buffer, undefined>;
}

/** Local file header, an archive without files, and an archive in parts. */
export const isZip = (head: Buffer): boolean =>
  ['504b0304', '504b0506', '504b0708'].includes(head.toString('hex', 0, 4));

const maxEntries = 10_000;

/** Bytes of one decompressed entry. */
const maxEntryBytes = 4 * 1024 ** 3;

/** @throws InputError for a damaged archive, too many entries, and names that point outside of the archive */
export async function openZipArchive(name: string, path: string, options: InputOptions): Promise<ZipArchive> {
  const zip = await openFile(name, path);
  try {
    const entries = await listEntries(name, zip);
    return {
      entries,
      read: (entry) => readEntry(name, zip, entry, options),
      [Symbol.dispose]: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Yields the decompressed content of an entry without reading the directory of the archive again. @throws InputError */
export async function* readZippedFile(
  name: string,
  path: string,
  entry: Entry,
  options: InputOptions,
): AsyncGenerator<Buffer, undefined> {
  const zip = await openFile(name, path);
  try {
    yield* readEntry(name, zip, entry, options);
  } finally {
    zip.close();
  }
}

const openFile = (name: string, path: string): Promise<ZipFile> =>
  openPromise(path, { autoClose: false }).catch((error) => {
    throw createZipError(name, error);
  });

async function listEntries(name: string, zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxEntries)
    throw new InputError({ code: 'archive-too-many-files', file: name, max: maxEntries });
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw createZipError(name, error);
  }
  return entries;
}

async function* readEntry(
  name: string,
  zip: ZipFile,
  entry: Entry,
  { observer, signal }: InputOptions,
): AsyncGenerator<Buffer, undefined> {
  assertReadable(name, entry);
  let checksum = 0;
  let stream: Readable | undefined;
  try {
    stream = addAbortSignal(signal, await zip.openReadStreamPromise(entry));
    const packedShare = entry.uncompressedSize === 0 ? 1 : entry.compressedSize / entry.uncompressedSize;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum);
      observer.onBytesRead?.(chunk.length * packedShare);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof InputError || signal.aborted) throw error;
    throw createZipError(name, error);
  } finally {
    stream?.destroy();
  }
  if (checksum !== entry.crc32)
    throw new InputError({ code: 'archive-checksum-wrong', file: name, entry: entry.fileName });
}

/** The reader reports an error if an entry is longer than its size says. @throws InputError */
function assertReadable(name: string, entry: Entry): void {
  const { fileName, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted())
    throw new InputError({ code: 'archive-entry-encrypted', file: name, entry: fileName });
  if (!entry.canDecodeFileData())
    throw new InputError({
      code: 'archive-method-unknown',
      file: name,
      entry: fileName,
      method: entry.compressionMethod,
    });
  if (uncompressedSize > maxEntryBytes)
    throw new InputError({ code: 'archive-entry-too-large', file: name, entry: fileName });
  assertPlausibleRatio(name, fileName, uncompressedSize, compressedSize);
}

/** The reader's own messages quote names of files. */
function createZipError(name: string, error: unknown): InputError {
  const { message, code } = error as NodeJS.ErrnoException;
  if (/^(?:invalid relative path|absolute path|invalid characters in fileName)/.test(message))
    return new InputError({ code: 'archive-unsafe-name', file: name });
  if (/strong encryption/.test(message)) return new InputError({ code: 'archive-encrypted', file: name });
  if (/^multi-disk/i.test(message)) return new InputError({ code: 'archive-in-parts', file: name });
  if (code !== undefined && !code.startsWith('Z_')) return toReadError(name, error);
  return new InputError({ code: 'archive-damaged', file: name });
}
