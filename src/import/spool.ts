/** A temporary file of JSON lines, for what has to wait until the rest of the input is read. */
import { createReadStream, createWriteStream, mkdtempSync, rmSync, type WriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { InputError } from './parsed-record.ts';

export interface Spool<Value> {
  add(value: Value): Promise<void>;
  /** Everything added, in order. Nothing can be added any more. */
  values(): AsyncGenerator<Value>;
  remove(): void;
}

/** JSON leaves them as they are, and whoever reads lines takes them for the end of one. */
const separators = /[\u2028\u2029]/g;
const escapedSeparator = (character: string) => `\\u${character.charCodeAt(0).toString(16)}`;

export function createSpool<Value>(): Spool<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-import-'));
  const file = join(folder, 'spool.ndjson');
  const output = createWriteStream(file, { mode: 0o600 });
  // A full disk is reported by the next `add`, or by the end.
  let failure: InputError | undefined;
  output.on('error', ({ message }) => {
    failure = new InputError(`The folder for temporary files, ${tmpdir()}, cannot take more: ${message}.`);
  });
  return {
    add: async (value) => {
      if (failure) throw failure;
      // After a failure nothing drains any more.
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
