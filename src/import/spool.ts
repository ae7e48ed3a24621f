/** A temporary file of JSON lines for values that wait until the whole input is read. */
import { readJsonLines } from './json-lines.ts';
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
      buffer += `${JSON.stringify(value)}\n`;
      if (buffer.length >= bufferLength) flush();
    },
    values: async function* () {
      flush();
      yield* readJsonLines<Value>(path);
    },
    remove,
  };
}
