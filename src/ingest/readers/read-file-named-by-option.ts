/** Reads whole files that a command-line option names, such as a mapping. */
import { readFileSync, statSync } from 'node:fs';
import { InputError, toReadError } from '../input-error.ts';
import type { InputFile, InputOptions } from './input-files.ts';
import { readInputFile } from './open-input.ts';

const maxBytes = 64 * 1024 * 1024;

/** UTF-8 with or without byte order mark. @throws InputError */
export function readOptionFile(file: string): string {
  try {
    if (statSync(file).size > maxBytes) throw new InputError({ code: 'file-too-large', file });
    return decodeOptionFile(readFileSync(file), file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new InputError({ code: 'file-missing', file });
    if (code === 'EISDIR') throw new InputError({ code: 'file-is-folder', file });
    throw toReadError(file, error);
  }
}

function decodeOptionFile(content: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new InputError({ code: 'file-not-utf8', file });
  }
}

/** As `readOptionFile`, for a file of the input. @throws InputError */
export async function readDescriptionFile(source: InputFile, options: InputOptions): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readInputFile(source, options)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new InputError({ code: 'file-too-large', file: source.name });
    chunks.push(chunk);
  }
  return decodeOptionFile(Buffer.concat(chunks), source.name);
}

/** @param name of the file, for messages @throws InputError */
export function parseOptionJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError({ code: 'file-not-json', file: name, detail: (error as Error).message });
  }
}
