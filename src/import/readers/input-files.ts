/** Files, folders, gzip and standard input as streams of bytes. */
import { createReadStream, type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { standardInput } from '../../domain/import-history.ts';
import type { ImportObserver } from '../import-observer.ts';
import { InputError } from '../parsed-record.ts';

export interface InputOptions {
  observer: ImportObserver;
  /** Ends the reading with an error. */
  signal: AbortSignal;
}

export interface InputFile {
  name: string;
  /** Bytes on disk; undefined where that is not known. */
  size: number | undefined;
  file: string | undefined;
}

/** By which a folder's files are known, packed with gzip or not. */
export const jsonExtensions = ['.json', '.ndjson', '.jsonl'];
export const tableExtensions = ['.csv', '.tsv'];
const allFiles = [...jsonExtensions, ...tableExtensions, '.xml'];

/**
 * @param paths files, folders (read with all below them), or `-` for standard input
 * @param endings of a folder, only files whose names end so
 * @throws InputError for a path that does not exist, and for a folder without anything to read
 */
export function findInputFiles(paths: readonly string[], endings: readonly string[] = allFiles): InputFile[] {
  return paths.flatMap((path): InputFile[] => {
    if (path === '-') return [{ name: standardInput, size: undefined, file: undefined }];
    const found = statIfExists(path);
    if (found === undefined) throw new InputError(`There is no file ${path}.`);
    if (!found.isDirectory())
      return [{ name: path, size: found.isFile() ? found.size : undefined, file: path }];
    const files = listFilesBelow(path, endings).filter((file) => statIfExists(file)?.size !== 0);
    if (files.length === 0) {
      throw new InputError(
        `The folder ${path} has no file of this format (${endings.join(', ')}), packed with gzip or not, or all are empty.`,
      );
    }
    return files.map((file) => ({ name: file, size: statIfExists(file)?.size, file }));
  });
}

function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new InputError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** The folder in which an import lists its refused records: no input for the next one. */
export const rejectionFolder = 'rostra-rejected';

/** In the order of their names, so that two runs read alike; hidden files stay hidden. */
function listFilesBelow(folder: string, endings: readonly string[]): string[] {
  const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1);
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== rejectionFolder)
    .sort(byName)
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listFilesBelow(path, endings);
      const name = entry.name.toLowerCase().replace(/\.gz$/, '');
      return endings.some((ending) => name.endsWith(ending)) ? [path] : [];
    });
}

/**
 * The content of a source, unpacked.
 *
 * @throws InputError when it cannot be read, is not what it seems, or ends early
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
    throw new InputError(readProblem(error as NodeJS.ErrnoException, source.name));
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

/** As much of a content as tells what it is, bytes. */
const headLength = 65_536;

/** The first bytes of a content, and the content with them. @throws InputError when there are none */
export async function peek(name: string, content: AsyncGenerator<Buffer>, wanted: number = headLength) {
  const chunks: Buffer[] = [];
  let rest: AsyncIterable<Buffer> = content;
  try {
    for (let length = 0; length < wanted; ) {
      const { done, value } = await content.next();
      if (done) break;
      chunks.push(value);
      length += value.length;
    }
  } catch (error) {
    if (chunks.length === 0) throw error;
    // What came before the failure is good; the failure comes after it.
    rest = failing(error);
  }
  const head = Buffer.concat(chunks);
  if (head.length === 0) throw new InputError(`${name} is empty.`);
  return { head, content: startingWith(chunks, rest) };
}

// biome-ignore lint/correctness/useYield: it gives nothing but its error
async function* failing(error: unknown): AsyncGenerator<Buffer> {
  throw error;
}

async function* startingWith(chunks: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
  yield* rest;
}

async function* unpackGzip(packed: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const fed = (async () => {
    for await (const chunk of packed) {
      if (!gunzip.write(chunk)) await new Promise((resolve) => gunzip.once('drain', resolve));
    }
    gunzip.end();
  })();
  fed.catch((error) => gunzip.destroy(error));
  let empty = true;
  for await (const chunk of gunzip) {
    if (empty) rejectBinaryFormats(chunk, name);
    if (empty && isGzip(chunk)) throw new InputError(`${name} is packed with gzip twice: unpack it once.`);
    empty = false;
    yield chunk;
  }
  if (empty) throw new InputError(`${name} is empty.`);
}

/** Files that are no text, by the bytes they begin with (hexadecimal), and what to do with them. */
const otherFormats: readonly [start: string, what: string][] = [
  ['504b0304', 'a zip archive: unpack it and import what is in it'],
  ['504b0506', 'an empty zip archive'],
  ['504b0708', 'a zip archive in several parts: unpack it and import what is in it'],
  ['377abcaf271c', 'a 7z archive: unpack it and import what is in it'],
  ['526172211a07', 'a rar archive: unpack it and import what is in it'],
  ['fd377a585a00', 'packed with xz: unpack it, or pack it with gzip'],
  ['28b52ffd', 'packed with Zstandard: unpack it, or pack it with gzip'],
  ['425a68', 'packed with bzip2: unpack it, or pack it with gzip'],
  ['255044462d', 'a PDF document: ask for the data that it was made from'],
  ['d0cf11e0a1b11ae1', 'a document of an older Office: save it as CSV in UTF-8'],
  ['53514c69746520666f726d6174203300', 'an SQLite database: export its tables as CSV'],
];

/** Zip archives of which the first file tells what they are. */
const spreadsheet = /\[Content_Types\]\.xml|^.{30}(?:_rels\/|xl\/|mimetypeapplication\/vnd\.oasis)/s;

function rejectBinaryFormats(head: Buffer, name: string): void {
  const start = head.subarray(0, 16).toString('hex');
  const what = otherFormats.find(([bytes]) => start.startsWith(bytes))?.[1];
  if (what === undefined) return;
  if (what.startsWith('a zip') && spreadsheet.test(head.subarray(0, 200).toString('latin1')))
    throw new InputError(`${name} is a spreadsheet or document of an Office: save it as CSV in UTF-8.`);
  throw new InputError(`${name} is ${what}.`);
}

function readProblem({ code, message }: NodeJS.ErrnoException, name: string): string {
  if (code === 'Z_BUF_ERROR') return `${name} ends early: the gzip is incomplete. Fetch it again.`;
  if (code?.startsWith('Z_')) return `${name} is damaged: ${message}. Fetch it again.`;
  return `${name} cannot be read: ${message}.`;
}
