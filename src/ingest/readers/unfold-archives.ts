/** Chooses the files of a zip archive to import: an archive with several files counts as a folder. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Entry } from 'yauzl';
import { InputError, toReadError } from '../input-error.ts';
import type { ImportObserver } from '../records/import-observer.ts';
import { assertPlausibleRatio } from './decompression-limit.ts';
import {
  type FileSelection,
  type InputFile,
  type InputOptions,
  listExtensions,
  rejectionFolder,
  selectFiles,
} from './input-files.ts';
import { isDocument } from './spreadsheet/open-workbook.ts';
import { isZip, openZipArchive, type ZipArchive } from './zip-archive.ts';

const maxNames = 10;

/** Files that operating systems add, hidden files, and the list of rejected records of an import. */
const isSkipped = (name: string) =>
  name
    .split('/')
    .some(
      (part) =>
        part === '__MACOSX' || part === rejectionFolder || /^(?:\.|Thumbs\.db$|desktop\.ini$)/i.test(part),
    );

const isArchive = ({ fileName }: Entry) => /\.zip$/i.test(fileName);

const listFiles = ({ entries }: ZipArchive) =>
  [...entries.values()].filter(
    ({ fileName, uncompressedSize }) => uncompressedSize > 0 && !isSkipped(fileName),
  );

const listData = (files: readonly Entry[], allFiles: FileSelection) =>
  selectFiles(files, ({ fileName }) => fileName, allFiles);

/**
 * Replaces each zip archive with several files of data by these files, sorted by name. Other input stays as it is.
 *
 * @param selection selects files of archives
 * @throws InputError for an archive that is damaged, has another archive beside data, or has no file with the extensions
 */
export async function unfoldArchives(
  sources: readonly InputFile[],
  selection: FileSelection,
  options: Pick<InputOptions, 'allFiles' | 'signal'>,
): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const source of sources) files.push(...(await unfoldArchive(source, selection, options)));
  return files;
}

async function unfoldArchive(
  source: InputFile,
  selection: FileSelection,
  { allFiles, signal }: Pick<InputOptions, 'allFiles' | 'signal'>,
): Promise<InputFile[]> {
  const { name, file, size } = source;
  // Standard input cannot be read twice.
  if (file === undefined || size === undefined || !startsAsZip(name, file)) return [source];
  using archive = await openZipArchive(name, file, { allFiles, signal, observer: {} });
  if (isDocument(archive)) return [source];
  const files = listFiles(archive);
  const data = listData(files, allFiles);
  const inner = files.find(isArchive);
  if (inner !== undefined && data.length > 0)
    throw new InputError({ code: 'archive-nested', file: name, entry: inner.fileName });
  if (data.length < 2) return [source];
  // Files of an archive may share their bytes.
  const bytes = data.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  assertPlausibleRatio(name, undefined, bytes, size);
  const chosen = selectFiles(data, ({ fileName }) => fileName, selection);
  if (chosen.length === 0)
    throw new InputError({
      code: 'archive-without-format',
      file: name,
      extensions: listExtensions(selection),
      ...listNames(data),
    });
  return chosen
    .toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1))
    .map((entry) => ({
      name: `${name}/${entry.fileName}`,
      size: entry.uncompressedSize,
      file,
      entry,
    }));
}

/**
 * Removes each file with the content of an earlier file of its archive. Of a table that an export has twice, no column would
 * seem to identify the rows.
 */
export function removeRepeatedFiles(
  files: readonly InputFile[],
  { onNote }: Pick<ImportObserver, 'onNote'>,
): InputFile[] {
  const contents = new Set<string>();
  const repeated: string[] = [];
  const distinct = files.filter(({ name, file, entry }) => {
    if (entry === undefined) return true;
    const content = `${entry.uncompressedSize} ${entry.crc32} ${file}`;
    if (contents.has(content)) repeated.push(name);
    return !contents.has(content) && contents.add(content);
  });
  const [example] = repeated;
  if (example !== undefined) onNote?.({ code: 'files-repeated', count: repeated.length, file: example });
  return distinct;
}

function startsAsZip(name: string, path: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const head = Buffer.alloc(4);
    readSync(file, head, { length: 4 });
    return isZip(head);
  } catch (error) {
    throw toReadError(name, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** @returns the only file with data; other files such as a readme are ignored @throws InputError */
export function chooseZippedFile(
  name: string,
  archive: ZipArchive,
  { allFiles }: Pick<InputOptions, 'allFiles'>,
): Entry {
  const files = listFiles(archive);
  const data = listData(files, allFiles);
  const candidates = data.length > 0 ? data : files;
  const [entry] = candidates;
  if (entry === undefined) throw new InputError({ code: 'archive-empty', file: name });
  if (candidates.length === 1) return entry;
  throw new InputError({ code: 'archive-several-files', file: name, ...listNames(candidates) });
}

function listNames(entries: readonly Entry[]) {
  const names = entries.slice(0, maxNames).map(({ fileName }) => fileName);
  return { names, others: entries.length - names.length };
}
