import { extname } from 'node:path';
import { isSea } from 'node:sea';
import { Worker } from 'node:worker_threads';
import { readTextAsset } from './assets.ts';
import { findProgramFile } from './program-files.ts';

/**
 * Runs a module as the program of a worker thread. An executable contains a bundle of each such module.
 *
 * @param module path in a checkout, without extension
 */
export const startThread = (module: string, workerData: unknown): Worker =>
  isSea()
    ? new Worker(readTextAsset(`${module}.js`), { eval: true, workerData })
    : new Worker(findProgramFile(module + extname(import.meta.filename)), { workerData });
