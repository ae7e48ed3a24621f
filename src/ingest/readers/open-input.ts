/** Opens input of any kind: text, gzip, a zip archive with one file, a file of a zip archive, or a spreadsheet. */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { InputError, toReadError } from '../input-error.ts';
import type { ImportObserver } from '../records/import-observer.ts';
import { isPrivateHeading } from '../records/retraction-marks.ts';
import { assertPlausibleRatio } from './decompression-limit.ts';
import { detectEncoding, firstCharacter } from './encoding.ts';
import type { InputFile, InputOptions } from './input-files.ts';
import { peek } from './peek.ts';
import { chooseSheet } from './spreadsheet/choose-sheet.ts';
import { openWorkbook } from './spreadsheet/open-workbook.ts';
import type { Sheet } from './spreadsheet/workbook.ts';
import { copyToTemporaryFile } from './temporary-file.ts';
import { chooseZippedFile } from './unfold-archives.ts';
import {
  describeOleFile,
  isOleFile,
  maxOleHeadBytes,
  rejectBinaryFormat,
  rejectMarkupFormat,
} from './unsupported-formats.ts';
import { isZip, openZipArchive, readZippedFile } from './zip-archive.ts';

export interface TextInput {
  /** By the first character. */
  kind: 'json' | 'xml' | 'delimited';
  /** For messages: the name of the file, in a zip archive followed by the name of the file inside it. */
  name: string;
  /** The first bytes. */
  head: Buffer;
  /** Decompressed. */
  content: AsyncGenerator<Buffer>;
  /** Receives a note on the encoding, and names of values that no row contains. */
  observer: Pick<ImportObserver, 'onEncodingDetected' | 'onBackslashQuotes' | 'onLeftOutColumns'>;
}

export interface SheetInput {
  kind: 'sheet';
  name: string;
  sheet: Sheet;
  /** Receives a note on hidden rows. */
  observer: Pick<ImportObserver, 'onNote'>;
}

/** Disposing closes files and removes temporary ones. */
export type Input = (TextInput | SheetInput) & AsyncDisposable;

/**
 * @throws InputError if the file cannot be read, is empty, truncated, too large when decompressed, or in a format that
 *   no import reads
 */
export async function openInput(source: InputFile, options: InputOptions): Promise<Input> {
  noteFileName(source, options.observer);
  const resources = new AsyncDisposableStack();
  try {
    const input = await createOpener(source, options, resources)();
    return { ...input, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

/**
 * Notes a file whose name, or whose folder in an archive, says that its records are not public: "Interne Vorgänge.csv". Folders of
 * the machine say nothing about them.
 */
function noteFileName({ name, entry }: InputFile, { onNote }: Pick<ImportObserver, 'onNote'>): void {
  const outer = entry === undefined ? name : name.slice(0, -entry.fileName.length - 1);
  const parts = [basename(outer), ...(entry?.fileName.split('/') ?? [])];
  const found = parts.find((part) => isPrivateHeading(part.replace(/(?:\.\p{L}{1,5}){1,2}$/u, '')));
  if (found !== undefined) onNote?.({ code: 'file-may-withhold', file: found });
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

/** @param resources receives what has to be closed after reading */
function createOpener(source: InputFile, options: InputOptions, resources: AsyncDisposableStack) {
  const { name, size, file, entry } = source;

  const peekAndClose = (of: string, bytes: AsyncGenerator<Buffer>) => {
    resources.defer(async () => void (await bytes.return(undefined)));
    return peek(of, bytes);
  };

  /** Content of a zip archive, which may be compressed with gzip. */
  const openZippedContent = async (of: string, unzipped: AsyncGenerator<Buffer>) => {
    const { head, content } = await peekAndClose(of, unzipped);
    return await openUnpacked(of, isGzip(head) ? unpackGzip(content, of) : content);
  };

  /** Content of a gzip or of a zip archive. */
  const openUnpacked = async (of: string, unpacked: AsyncGenerator<Buffer>) => {
    const { head, content } = await peekAndClose(of, unpacked);
    if (isGzip(head)) throw new InputError({ code: 'gzip-twice', file: of });
    return await openContent(of, head, content, true);
  };

  /** @param isNested whether the content was in an archive, so that an archive must be a spreadsheet */
  const openContent = async (
    of: string,
    head: Buffer,
    content: AsyncGenerator<Buffer>,
    isNested = false,
  ): Promise<TextInput | SheetInput> => {
    if (isOleFile(head)) throw await describeOle(of, head, content);
    if (isZip(head)) return await openSpooled(of, content, isNested);
    rejectBinaryFormat(of, head);
    rejectMarkupFormat(of, new TextDecoder(detectEncoding(head)).decode(head.subarray(0, 4096)));
    return { kind: detectKind(of, head), name: of, head, content, observer: options.observer };
  };

  /** Standard input and compressed spreadsheets have no random access, which zip archives need. */
  const openSpooled = async (of: string, content: AsyncGenerator<Buffer>, isNested: boolean) => {
    const { path, remove } = await copyToTemporaryFile(of, content);
    resources.defer(remove);
    // Its bytes have been counted.
    const observer = { ...options.observer, onBytesRead: () => undefined };
    return await openZipped(of, path, { ...options, observer }, isNested);
  };

  const openZipped = async (
    of: string,
    path: string,
    readOptions: InputOptions,
    isNested = false,
  ): Promise<TextInput | SheetInput> => {
    const archive = resources.use(await openZipArchive(of, path, readOptions));
    const workbook = await openWorkbook(of, archive, resources);
    if (workbook !== undefined)
      return {
        kind: 'sheet',
        name: of,
        sheet: await chooseSheet(of, workbook, options.sheet),
        observer: options.observer,
      };
    if (isNested) throw new InputError({ code: 'archive-nested', file: of });
    const chosen = chooseZippedFile(of, archive, options);
    return await openZippedContent(`${of}/${chosen.fileName}`, archive.read(chosen));
  };

  return async () => {
    if (entry !== undefined)
      return await openZippedContent(name, readZippedFile(name, file as string, entry, options));
    const bytes = readBytes(source, options);
    const { head, content } = await peekAndClose(name, bytes);
    if (isGzip(head)) return await openUnpacked(name, unpackGzip(content, name));
    if (!isZip(head) || file === undefined || size === undefined)
      return await openContent(name, head, content);
    await bytes.return(undefined);
    return await openZipped(name, file, options);
  };
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
    throw toReadError(source.name, error);
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
