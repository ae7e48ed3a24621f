/** A temporary file of JSON lines for values that wait until the whole input is read. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createTemporaryFile } from './readers/temporary-file.ts';

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
  const { path, write, remove } = createTemporaryFile('spool.ndjson');
  let buffer = '';
  const flush = () => {
    write(buffer);
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
    remove,
  };
}
