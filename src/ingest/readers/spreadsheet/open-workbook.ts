/** Opens spreadsheets: Excel and OpenDocument. */

import { InputError } from '../../input-error.ts';
import type { ZipArchive } from '../zip-archive.ts';
import { isOpenDocument, openOds } from './ods-workbook.ts';
import type { Workbook } from './workbook.ts';
import { isXlsx, openXlsx } from './xlsx-workbook.ts';

const isAppleDocument = ({ entries }: ZipArchive) =>
  entries.keys().some((path) => /(?:^|\/)Index\/Document\.iwa$/.test(path));

/** Whether the files of the archive belong to one document. */
export const isDocument = (archive: ZipArchive): boolean =>
  isXlsx(archive) || isOpenDocument(archive) || isAppleDocument(archive);

/** @returns undefined if the archive is no document @throws InputError for other documents, and damaged ones */
export async function openWorkbook(
  name: string,
  archive: ZipArchive,
  resources: AsyncDisposableStack,
): Promise<Workbook | undefined> {
  if (isXlsx(archive)) return await openXlsx(name, archive, resources);
  if (isOpenDocument(archive)) return await openOds(name, archive);
  if (isAppleDocument(archive)) throw new InputError({ code: 'file-is-numbers', file: name });
  return undefined;
}
