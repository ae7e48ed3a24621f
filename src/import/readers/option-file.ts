/** Files that an option of the command names, such as a mapping: small enough to be read whole. */
import { readFileSync, statSync } from 'node:fs';
import { InputError } from '../parsed-record.ts';

const maximumSize = 64 * 1024 * 1024;

/** UTF-8, with a byte order mark or without. @throws InputError */
export function readOptionFile(path: string): string {
  try {
    if (statSync(path).size > maximumSize) throw new Error('it is larger than 64 MiB');
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new InputError(`There is no file ${path}.`);
    const what =
      code === 'EISDIR' ? 'it is a folder' : error instanceof TypeError ? 'it is not UTF-8' : message;
    throw new InputError(`${path} cannot be read: ${what}.`);
  }
}

/** @throws InputError */
export function readOptionJson(path: string): unknown {
  const text = readOptionFile(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`${path} is not JSON: ${(error as Error).message}.`);
  }
}
