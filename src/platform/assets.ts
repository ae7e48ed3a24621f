/**
 * Reads files that belong to the program: migrations, style sheets, documentation. A single executable contains them as
 * assets. Otherwise they are files of a checkout or of the published package. Their names are paths in a checkout.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, relative } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { Worker } from 'node:worker_threads';

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

/** `src` of a checkout, `dist/src` of the published package. */
const programFolder = join(import.meta.dirname, '..');

/**
 * @param name path in a checkout
 * @returns path in the file system
 */
function findProgramFile(name: string): string {
  const [first = '', ...rest] = name.split('/');
  if (first === 'src') return join(programFolder, ...rest);
  // npm may install a dependency beside the published package.
  if (first === 'node_modules') return createRequire(import.meta.url).resolve(rest.join('/'));
  return join(programFolder, extname(import.meta.filename) === '.ts' ? '..' : '../..', name);
}

/**
 * Runs a module as the program of a worker thread. An executable contains a bundle of each such module.
 *
 * @param module path in a checkout, without extension
 */
export const startThread = (module: string, workerData: unknown): Worker =>
  isSea()
    ? new Worker(readTextAsset(`${module}.js`), { eval: true, workerData })
    : new Worker(findProgramFile(module + extname(import.meta.filename)), { workerData });

/** Arguments with which `process.execPath` runs this program, before those of a command. */
export const programArguments: readonly string[] = isSea()
  ? []
  : [...process.execArgv, process.argv[1] as string];
