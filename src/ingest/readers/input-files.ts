/** Finds input: files, folders, standard input. */
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from 'yauzl';
import { standardInput } from '../../domain/runs/run-history.ts';
import { InputError, toReadError } from '../input-error.ts';
import type { ImportObserver } from '../records/import-observer.ts';

export interface InputOptions {
  /** The files with data, whatever their format: an archive may contain others, such as a readme. */
  allFiles: FileSelection;
  observer: ImportObserver;
  /** Ends the reading with an error. */
  signal: AbortSignal;
  /** Name of the sheet of a spreadsheet; undefined: the only one with data. */
  sheet?: string | undefined;
  /** Row of the header of a table, from 1; undefined: it is found. */
  headerRow?: number | undefined;
  /** Path of the records in JSON (`json-lists.ts`); undefined: it is found. */
  records?: string | undefined;
  /** ISO 3166-1 code of the municipality, which decides on the order of 03/04. */
  country?: string | undefined;
}

export interface InputFile {
  name: string;
  /** Bytes; undefined if unknown. */
  size: number | undefined;
  /** Path; undefined for standard input. */
  file: string | undefined;
  /** The file in the zip archive at `file`; undefined: `file` itself. */
  entry?: Entry;
}

/** Selects the files of a folder or an archive. */
export interface FileSelection {
  /** Endings, and whole names of files that describe others. */
  fileExtensions: readonly string[];
  /** Endings of files that are read only if there are no others, because they may describe these. */
  extensionsIfAlone?: readonly string[];
}

/** @param getName the extension of the name may be followed by `.gz` */
export function selectFiles<File>(
  files: readonly File[],
  getName: (file: File) => string,
  { fileExtensions, extensionsIfAlone = [] }: FileSelection,
): File[] {
  const filter = (extensions: readonly string[]) =>
    files.filter((file) => hasExtension(getName(file), extensions));
  const selected = filter(fileExtensions);
  return selected.length > 0 ? selected : filter(extensionsIfAlone);
}

/** All endings, for messages. */
export const listExtensions = ({ fileExtensions, extensionsIfAlone = [] }: FileSelection): string[] => [
  ...fileExtensions,
  ...extensionsIfAlone,
];

/**
 * @param paths files, folders (including subfolders), or `-` for standard input
 * @param selection selects files of folders, beside zip archives
 * @throws InputError for a missing path, and for a folder without input
 */
export function findInputFiles(paths: readonly string[], selection: FileSelection): InputFile[] {
  const withArchives = { ...selection, fileExtensions: [...selection.fileExtensions, '.zip'] };
  return paths.flatMap((path): InputFile[] => {
    if (path === '-') return [{ name: standardInput, size: undefined, file: undefined }];
    const found = statIfExists(path);
    if (found === undefined) throw new InputError({ code: 'file-missing', file: path });
    if (!found.isDirectory())
      return [{ name: path, size: found.isFile() ? found.size : undefined, file: path }];
    const all = listFilesBelow(path)
      .filter((file) => hasExtension(file, listExtensions(withArchives)))
      .map((file) => ({ name: file, size: statIfExists(file)?.size, file }))
      .filter(({ size }) => size !== 0);
    const files = selectFiles(all, ({ name }) => name, withArchives);
    if (files.length > 0) return files;
    throw new InputError({ code: 'folder-without-files', file: path, extensions: listExtensions(selection) });
  });
}

function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw toReadError(path, error);
  }
}

/** Imports list their rejected records in this folder, which is no input for the next import. */
export const rejectionFolder = 'rostra-rejected';

/** Sorts by name, so that each run reads the files in the same order. Skips hidden files. */
function listFilesBelow(folder: string): string[] {
  const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1);
  return readFolder(folder)
    .filter(({ name }) => !name.startsWith('.') && name !== rejectionFolder)
    .sort(byName)
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFilesBelow(path) : [path];
    });
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw toReadError(folder, error);
  }
}

/** The extension may be followed by `.gz`. @param extensions also whole names of files */
export function hasExtension(name: string, extensions: readonly string[]): boolean {
  const unpacked = `/${name.toLowerCase().replace(/\.gz$/, '')}`;
  return extensions.some((extension) =>
    extension.startsWith('.') ? unpacked.endsWith(extension) : unpacked.endsWith(`/${extension}`),
  );
}
