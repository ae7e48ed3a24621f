/** Reads whole files that a command-line option names, such as a mapping. */
import { readFileSync, statSync } from 'node:fs';
import { InputError } from '../input-error.ts';

const maxBytes = 64 * 1024 * 1024;

/** UTF-8 with or without byte order mark. @throws InputError */
export function readOptionFile(file: string): string {
  try {
    if (statSync(file).size > maxBytes) throw new InputError({ code: 'file-too-large', file });
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new InputError({ code: 'file-missing', file });
    if (code === 'EISDIR') throw new InputError({ code: 'file-is-folder', file });
    if (error instanceof TypeError) throw new InputError({ code: 'file-not-utf8', file });
    throw new InputError({ code: 'file-unreadable', file, detail: message });
  }
}

/** @param name of the file, for messages @throws InputError */
export function parseOptionJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError({ code: 'file-not-json', file: name, detail: (error as Error).message });
  }
}
