/**
 * Reads files that belong to the program: migrations, style sheets, documentation. A single executable contains them as
 * assets. Otherwise they are files of a checkout or of the published package. Their names are paths in a checkout.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { findProgramFile } from './program-files.ts';

/** @returns the content; in an executable a view of its memory, which must not be written to */
export const readAsset = (name: string): Buffer =>
  isSea() ? Buffer.from(getRawAsset(name)) : readFileSync(findProgramFile(name));

export const readTextAsset = (name: string): string => readAsset(name).toString();

/** @returns the names of all files below a folder, sorted */
export function listAssets(folder: string): string[] {
  if (isSea())
    return getAssetKeys()
      .filter((name) => name.startsWith(`${folder}/`))
      .sort();
  const root = findProgramFile(folder);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, relative(root, entry.parentPath), entry.name))
    .sort();
}
