/** A temporary file of JSON lines, for what has to wait until the rest of the input is read. */
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Spool<Value> {
  add(value: Value): Promise<void>;
  /** Everything added, in order. Nothing can be added any more. */
  values(): AsyncGenerator<Value>;
  remove(): void;
}

export function createSpool<Value>(): Spool<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-import-'));
  const file = join(folder, 'spool.ndjson');
  const output = createWriteStream(file, { mode: 0o600 });
  // A full disk is reported by the next `add`, or by the end.
  let failure: Error | undefined;
  output.on('error', (error) => {
    failure = error;
  });
  return {
    add: async (value) => {
      if (failure) throw failure;
      if (!output.write(`${JSON.stringify(value)}\n`)) await once(output, 'drain');
    },
    values: async function* () {
      if (!output.closed) {
        output.end();
        await once(output, 'close');
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
