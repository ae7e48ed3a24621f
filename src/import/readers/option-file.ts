/** Reads whole files that a command-line option names, such as a mapping. */
import { readFileSync, statSync } from 'node:fs';
import { InputError } from '../input-error.ts';

const maxBytes = 64 * 1024 * 1024;

/** UTF-8 with or without byte order mark. @throws InputError */
export function readOptionFile(path: string): string {
  try {
    if (statSync(path).size > maxBytes) throw new Error('it is larger than 64 MiB');
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new InputError(`There is no file ${path}.`);
    const reason =
      code === 'EISDIR' ? 'it is a folder' : error instanceof TypeError ? 'it is not UTF-8' : message;
    throw new InputError(`${path} cannot be read: ${reason}.`);
  }
}

/** @param name of the file, for messages @throws InputError */
export function parseOptionJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`${name} is not JSON: ${(error as Error).message}.`);
  }
}
