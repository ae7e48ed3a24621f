/** A temporary file of JSON lines for values that wait until the whole input is read. */
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { InputError } from './input-error.ts';

export interface Spool<Value> {
  /** @throws InputError if the folder for temporary files is not writable, or full */
  add(value: Value): void;
  /** Yields the values added so far in order. */
  values(): AsyncGenerator<Value>;
  remove(): void;
}

/** Characters per write. */
const bufferLength = 65_536;

/** JSON does not escape these characters, but readline ends a line at them. */
const separators = /[\u2028\u2029]/g;
const escapedSeparator = (character: string) => `\\u${character.charCodeAt(0).toString(16)}`;

/** @throws InputError if the folder for temporary files is not writable */
export function createSpool<Value>(): Spool<Value> {
  const folder = describeFailure(() => mkdtempSync(join(tmpdir(), 'rostra-import-')));
  const path = join(folder, 'spool.ndjson');
  const file = describeFailure(() => openSync(path, 'wx', 0o600));
  let buffer = '';
  const flush = () => {
    describeFailure(() => writeFileSync(file, buffer));
    buffer = '';
  };
  return {
    add: (value) => {
      buffer += `${JSON.stringify(value).replaceAll(separators, escapedSeparator)}\n`;
      if (buffer.length >= bufferLength) flush();
    },
    values: async function* () {
      flush();
      const input = createReadStream(path);
      for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
        yield JSON.parse(line) as Value;
    },
    remove: () => {
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function describeFailure<Result>(access: () => Result): Result {
  try {
    return access();
  } catch (error) {
    const { message } = error as Error;
    throw new InputError({ code: 'temporary-folder-unwritable', folder: tmpdir(), detail: message });
  }
}
