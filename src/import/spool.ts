/** A temporary file of JSON lines for values that wait until the whole input is read. */
import { createReadStream, createWriteStream, mkdtempSync, rmSync, type WriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { InputError } from './parsed-record.ts';

export interface Spool<Value> {
  add(value: Value): Promise<void>;
  /** Ends adding, and yields all values in order. */
  values(): AsyncGenerator<Value>;
  remove(): void;
}

/** JSON does not escape these characters, but readline ends a line at them. */
const separators = /[\u2028\u2029]/g;
const escapedSeparator = (character: string) => `\\u${character.charCodeAt(0).toString(16)}`;

export function createSpool<Value>(): Spool<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-import-'));
  const file = join(folder, 'spool.ndjson');
  const output = createWriteStream(file, { mode: 0o600 });
  // The next `add`, or `values`, reports a full disk.
  let failure: InputError | undefined;
  output.on('error', ({ message }) => {
    failure = new InputError(`The folder for temporary files, ${tmpdir()}, is not writable: ${message}.`);
  });
  return {
    add: async (value) => {
      if (failure) throw failure;
      const line = JSON.stringify(value).replaceAll(separators, escapedSeparator);
      if (!output.write(`${line}\n`)) await drained(output);
    },
    values: async function* () {
      if (!output.closed) {
        const closed = new Promise((resolve) => output.once('close', resolve));
        output.end();
        await closed;
      }
      if (failure) throw failure;
      for await (const line of createInterface({
        input: createReadStream(file),
        crlfDelay: Number.POSITIVE_INFINITY,
      })) {
        yield JSON.parse(line) as Value;
      }
    },
    remove: () => {
      output.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function drained(output: WriteStream): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      output.off('drain', done).off('close', done);
      resolve();
    };
    output.on('drain', done).on('close', done);
  });
}
