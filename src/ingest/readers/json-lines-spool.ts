/** A temporary file of JSON lines for values that wait until the whole input is read. */
import { createReadStream } from 'node:fs';
import { createTemporaryFile } from './temporary-file.ts';

export interface Spool<Value> extends Disposable {
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
    [Symbol.dispose]: remove,
  };
}

const lineFeed = 10;

/**
 * Reads a file of JSON lines.
 *
 * @param skipped number of values to leave out
 * @returns the others, without an unfinished last line
 */
export async function* readJsonLines<Value>(path: string, skipped = 0): AsyncGenerator<Value> {
  let remaining = skipped;
  let beginning: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      if (remaining > 0) remaining -= 1;
      else yield JSON.parse(Buffer.concat([...beginning, chunk.subarray(start, end)]).toString()) as Value;
      beginning = [];
      start = end + 1;
    }
    beginning.push(chunk.subarray(start));
  }
}
