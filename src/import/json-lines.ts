/** Files of JSON values, one per line, that this program has written. */
import { createReadStream } from 'node:fs';

const lineFeed = 10;

/** @param skipped number of values to leave out @returns the others, without an unfinished last line */
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
