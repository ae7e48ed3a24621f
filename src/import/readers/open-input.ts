/** Opens input of any kind: text, gzip, a zip archive with one file, a file of a zip archive, or a spreadsheet. */
import { createReadStream } from 'node:fs';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ImportObserver } from '../import-observer.ts';
import { InputError } from '../input-error.ts';
import { isZip, rejectBinaryFormat, rejectMarkupFormat } from './binary-formats.ts';
import { assertPlausibleRatio } from './decompression-limit.ts';
import { detectEncoding, firstCharacter } from './encoding.ts';
import type { InputFile, InputOptions } from './input-files.ts';
import { describeOleFile, isOleFile, maxOleHeadBytes } from './ole-file.ts';
import { peek } from './peek.ts';
import { chooseSheet } from './spreadsheet/choose-sheet.ts';
import { openWorkbook } from './spreadsheet/open-workbook.ts';
import type { Sheet } from './spreadsheet/workbook.ts';
import { createTemporaryFile } from './temporary-file.ts';
import { openZipArchive, readZippedFile, type ZipArchive } from './zip-archive.ts';
import { chooseZippedFile } from './zipped-files.ts';

export interface TextInput {
  /** By the first character. */
  kind: 'json' | 'xml' | 'delimited';
  /** For messages: the name of the file, in a zip archive followed by the name of the file inside it. */
  name: string;
  /** The first bytes. */
  head: Buffer;
  /** Decompressed. */
  content: AsyncGenerator<Buffer>;
  /** Receives a note on the encoding. */
  observer: Pick<ImportObserver, 'onNote'>;
}

export interface SheetInput {
  kind: 'sheet';
  name: string;
  sheet: Sheet;
}

/** Disposing closes files and removes temporary ones. */
export type Input = (TextInput | SheetInput) & AsyncDisposable;

/**
 * @throws InputError if the file cannot be read, is empty, truncated, too large when decompressed, or in a format that
 *   no import reads
 */
export async function openInput(source: InputFile, options: InputOptions): Promise<Input> {
  const { name } = source;
  const resources = new AsyncDisposableStack();
  try {
    if (source.entry !== undefined) {
      const content = readZippedFile(name, source.file as string, source.entry, options);
      return await openZippedContent(name, content, options, resources);
    }
    const bytes = readBytes(source, options);
    resources.defer(async () => void (await bytes.return(undefined)));
    const { head, content } = await peek(name, bytes);
    if (isGzip(head)) return await openUnpacked(name, unpackGzip(content, name), options, resources);
    if (isOleFile(head)) throw await describeOle(name, head, content);
    if (!isZip(head)) return toTextInput(name, head, content, options, resources);
    if (source.file === undefined || source.size === undefined)
      return await openSpooled(name, content, options, resources);
    await bytes.return(undefined);
    return await openZipped(name, source.file, options, resources);
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

/**
 * Yields the decompressed content, for formats without tables.
 *
 * @throws InputError as `openInput`, and for a spreadsheet
 */
export async function* readInputFile(source: InputFile, options: InputOptions): AsyncGenerator<Buffer> {
  await using input = await openInput(source, options);
  if (input.kind === 'sheet') throw new InputError({ code: 'file-is-spreadsheet', file: input.name });
  yield* input.content;
}

/** A file of a zip archive may be compressed with gzip. */
async function openZippedContent(
  name: string,
  unzipped: AsyncGenerator<Buffer>,
  options: InputOptions,
  resources: AsyncDisposableStack,
): Promise<Input> {
  resources.defer(async () => void (await unzipped.return(undefined)));
  const { head, content } = await peek(name, unzipped);
  return await openUnpacked(name, isGzip(head) ? unpackGzip(content, name) : content, options, resources);
}

/** Content of a gzip or of a zip archive. */
async function openUnpacked(
  name: string,
  unpacked: AsyncGenerator<Buffer>,
  options: InputOptions,
  resources: AsyncDisposableStack,
): Promise<Input> {
  resources.defer(async () => void (await unpacked.return(undefined)));
  const { head, content } = await peek(name, unpacked);
  if (isGzip(head)) throw new InputError({ code: 'gzip-twice', file: name });
  if (isOleFile(head)) throw await describeOle(name, head, content);
  if (!isZip(head)) return toTextInput(name, head, content, options, resources);
  return await openSpooled(name, content, options, resources, true);
}

/** @param isNested whether the archive was in another one, so that it must be a spreadsheet */
async function openZipped(
  name: string,
  path: string,
  options: InputOptions,
  resources: AsyncDisposableStack,
  isNested = false,
): Promise<Input> {
  const archive = await openZipArchive(name, path, options);
  resources.defer(() => archive.close());
  const workbook = await openWorkbook(name, archive, resources);
  if (workbook !== undefined) {
    const sheet = await chooseSheet(name, workbook, options.sheet);
    return { kind: 'sheet', name, sheet, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  }
  if (isNested) throw new InputError({ code: 'archive-nested', file: name });
  return await openZippedFile(name, archive, options, resources);
}

async function openZippedFile(
  name: string,
  archive: ZipArchive,
  options: InputOptions,
  resources: AsyncDisposableStack,
): Promise<Input> {
  const entry = chooseZippedFile(name, archive.entries);
  return await openZippedContent(`${name}/${entry.name}`, archive.read(entry), options, resources);
}

function toTextInput(
  name: string,
  head: Buffer,
  content: AsyncGenerator<Buffer>,
  { observer }: InputOptions,
  resources: AsyncDisposableStack,
): Input {
  rejectBinaryFormat(name, head);
  rejectMarkupFormat(name, new TextDecoder(detectEncoding(head)).decode(head.subarray(0, 4096)));
  const kind = detectKind(name, head);
  return { kind, name, head, content, observer, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

function detectKind(name: string, head: Buffer): TextInput['kind'] {
  switch (firstCharacter(head)) {
    case '':
      throw new InputError({ code: 'file-empty', file: name });
    case '{':
    case '[':
      return 'json';
    case '<':
      return 'xml';
    default:
      return 'delimited';
  }
}

/** Standard input and compressed spreadsheets have no random access, which zip archives need. */
async function openSpooled(
  name: string,
  content: AsyncGenerator<Buffer>,
  options: InputOptions,
  resources: AsyncDisposableStack,
  isNested = false,
): Promise<Input> {
  const { path, remove } = await createTemporaryFile(name, content);
  resources.defer(remove);
  // Its bytes have been counted.
  const observer = { ...options.observer, onBytesRead: () => undefined };
  return await openZipped(name, path, { ...options, observer }, resources, isNested);
}

async function describeOle(name: string, head: Buffer, content: AsyncGenerator<Buffer>): Promise<InputError> {
  const { head: start } = await peek(name, content, maxOleHeadBytes).catch(() => ({ head }));
  return describeOleFile(name, start);
}

async function* readBytes(
  source: InputFile,
  { observer, signal }: InputOptions,
): AsyncGenerator<Buffer, undefined> {
  const raw = addAbortSignal(
    signal,
    source.file === undefined ? process.stdin : createReadStream(source.file),
  );
  try {
    for await (const chunk of raw) {
      observer.onBytesRead?.(chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof InputError || signal.aborted) throw error;
    throw new InputError({
      code: 'file-unreadable',
      file: source.name,
      detail: (error as Error).message,
    });
  } finally {
    raw.destroy();
  }
}

const isGzip = ([first, second]: Buffer) => first === 0x1f && second === 0x8b;

async function* unpackGzip(packed: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer, undefined> {
  const gunzip = createGunzip();
  // The iteration below reports the error of each stream.
  pipeline(Readable.from(packed), gunzip, () => undefined);
  let bytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      assertPlausibleRatio(name, undefined, bytes, gunzip.bytesWritten);
      yield chunk;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw new InputError({ code: 'gzip-truncated', file: name });
    if (code?.startsWith('Z_')) throw new InputError({ code: 'gzip-damaged', file: name, detail: message });
    throw error;
  }
}
