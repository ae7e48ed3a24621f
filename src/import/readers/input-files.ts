/** Finds and reads input: files, folders, standard input, optionally compressed with gzip. */
import { createReadStream, type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { standardInput } from '../../domain/import-history.ts';
import type { ImportObserver } from '../import-observer.ts';
import { InputError } from '../input-error.ts';

export interface InputOptions {
  observer: ImportObserver;
  /** Ends the reading with an error. */
  signal: AbortSignal;
}

export interface InputFile {
  name: string;
  /** Bytes on disk; undefined if unknown. */
  size: number | undefined;
  /** Path; undefined for standard input. */
  file: string | undefined;
}

export const jsonExtensions = ['.json', '.ndjson', '.jsonl'];
export const tableExtensions = ['.csv', '.tsv'];
const allExtensions = [...jsonExtensions, ...tableExtensions, '.xml'];

/**
 * @param paths files, folders (including subfolders), or `-` for standard input
 * @param extensions select files of folders, also with `.gz`
 * @throws InputError for a missing path, and for a folder without input
 */
export function findInputFiles(
  paths: readonly string[],
  extensions: readonly string[] = allExtensions,
): InputFile[] {
  return paths.flatMap((path): InputFile[] => {
    if (path === '-') return [{ name: standardInput, size: undefined, file: undefined }];
    const found = statIfExists(path);
    if (found === undefined) throw new InputError(`There is no file ${path}.`);
    if (!found.isDirectory())
      return [{ name: path, size: found.isFile() ? found.size : undefined, file: path }];
    const files = listFilesBelow(path, extensions)
      .map((file) => ({ name: file, size: statIfExists(file)?.size, file }))
      .filter(({ size }) => size !== 0);
    if (files.length > 0) return files;
    throw new InputError(
      `The folder ${path} has no file of this format (${extensions.join(', ')}, also with .gz), or all are empty.`,
    );
  });
}

function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new InputError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** Imports list their rejected records in this folder, which is no input for the next import. */
export const rejectionFolder = 'rostra-rejected';

/** Sorts by name, so that each run reads the files in the same order. Skips hidden files. */
function listFilesBelow(folder: string, extensions: readonly string[]): string[] {
  const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1);
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== rejectionFolder)
    .sort(byName)
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listFilesBelow(path, extensions);
      const name = entry.name.toLowerCase().replace(/\.gz$/, '');
      return extensions.some((extension) => name.endsWith(extension)) ? [path] : [];
    });
}

/**
 * Yields the decompressed content.
 *
 * @throws InputError if the file cannot be read, is empty, truncated, or in a binary format
 */
export async function* readInputFile(
  source: InputFile,
  { observer, signal }: InputOptions,
): AsyncGenerator<Buffer> {
  const raw = addAbortSignal(
    signal,
    source.file === undefined ? process.stdin : createReadStream(source.file),
  );
  const counted = countBytes(raw, observer);
  try {
    const { head, content } = await peek(source.name, counted);
    rejectBinaryFormats(head, source.name);
    yield* isGzip(head) ? unpackGzip(content, source.name) : content;
  } catch (error) {
    if (error instanceof InputError || signal.aborted) throw error;
    throw new InputError(describeReadError(error as NodeJS.ErrnoException, source.name));
  } finally {
    raw.destroy();
  }
}

const isGzip = ([first, second]: Buffer) => first === 0x1f && second === 0x8b;

async function* countBytes(raw: AsyncIterable<Buffer>, observer: ImportObserver) {
  for await (const chunk of raw) {
    observer.onBytesRead?.(chunk.length);
    yield chunk;
  }
}

/** Enough to detect encoding and format. */
const headBytes = 65_536;

/** Reads the first bytes, and returns them with the whole content. @throws InputError if the content is empty */
export async function peek(name: string, content: AsyncGenerator<Buffer>, minBytes: number = headBytes) {
  const chunks: Buffer[] = [];
  let failure: { error: unknown } | undefined;
  try {
    for (let length = 0; length < minBytes; ) {
      const { done, value } = await content.next();
      if (done) break;
      chunks.push(value);
      length += value.length;
    }
  } catch (error) {
    if (chunks.length === 0) throw error;
    // The records before the failure are imported.
    failure = { error };
  }
  const head = Buffer.concat(chunks);
  if (head.length === 0) throw new InputError(`${name} is empty.`);
  async function* replay(): AsyncGenerator<Buffer> {
    yield* chunks;
    if (failure !== undefined) throw failure.error;
    yield* content;
  }
  return { head, content: replay() };
}

async function* unpackGzip(packed: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // The iteration below reports the error of each stream.
  pipeline(Readable.from(packed), gunzip, () => undefined);
  let isEmpty = true;
  for await (const chunk of gunzip) {
    if (isEmpty) rejectBinaryFormats(chunk, name);
    if (isEmpty && isGzip(chunk))
      throw new InputError(`${name} is compressed with gzip twice: decompress it once.`);
    isEmpty = false;
    yield chunk;
  }
  if (isEmpty) throw new InputError(`${name} is empty.`);
}

/** First bytes (hexadecimal), and the end of a message on such files. */
const binaryFormats: readonly [start: string, description: string][] = [
  ['504b0304', 'a zip archive: unpack it and import its files'],
  ['504b0506', 'an empty zip archive'],
  ['504b0708', 'a zip archive in several parts: unpack it and import its files'],
  ['377abcaf271c', 'a 7z archive: unpack it and import its files'],
  ['526172211a07', 'a rar archive: unpack it and import its files'],
  ['fd377a585a00', 'compressed with xz: decompress it, or use gzip'],
  ['28b52ffd', 'compressed with Zstandard: decompress it, or use gzip'],
  ['425a68', 'compressed with bzip2: decompress it, or use gzip'],
  ['255044462d', 'a PDF document: ask for its data as CSV or JSON'],
  ['d0cf11e0a1b11ae1', 'an old Office document: save it as CSV in UTF-8'],
  ['53514c69746520666f726d6174203300', 'an SQLite database: export its tables as CSV'],
];

/** The first file of the zip archive identifies Office documents. */
const officeDocument = /\[Content_Types\]\.xml|^.{30}(?:_rels\/|xl\/|mimetypeapplication\/vnd\.oasis)/s;

function rejectBinaryFormats(head: Buffer, name: string): void {
  const start = head.subarray(0, 16).toString('hex');
  const description = binaryFormats.find(([bytes]) => start.startsWith(bytes))?.[1];
  if (description === undefined) return;
  if (description.startsWith('a zip') && officeDocument.test(head.subarray(0, 200).toString('latin1')))
    throw new InputError(`${name} is an Office document or spreadsheet: save it as CSV in UTF-8.`);
  throw new InputError(`${name} is ${description}.`);
}

function describeReadError({ code, message }: NodeJS.ErrnoException, name: string): string {
  if (code === 'Z_BUF_ERROR') return `${name} is truncated: the gzip data is incomplete. Fetch it again.`;
  if (code?.startsWith('Z_')) return `${name} is damaged: ${message}. Fetch it again.`;
  return `${name} cannot be read: ${message}.`;
}
