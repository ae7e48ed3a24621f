/**
 * Preload this file with the query `?hold=PATH` to hold the imports of a process while there is a file at the path. It
 * contains the name of the files whose reading is held: that of the input, or the spool of records that are being written.
 */
import fs, { existsSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { PassThrough, pipeline } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

const hold = new URL(import.meta.url).searchParams.get('hold') as string;
const { createReadStream } = fs;
const spoolName = 'spool.ndjson';
const pollMs = 20;

/** Seconds. Longer than the interval at which records of a slow source are published. */
const slowSource = 20;

/** @returns undefined if nothing is held */
function readHeldName(): string | undefined {
  try {
    return readFileSync(hold, 'utf8');
  } catch {
    return undefined;
  }
}

async function openAfterHold(path: string, output: PassThrough): Promise<void> {
  while (existsSync(hold) && !output.destroyed) await setTimeout(pollMs);
  if (!output.destroyed) pipeline(createReadStream(path), output, () => undefined);
}

/** The first record is published, and the others when the server asks the process to stop: the import ends between two batches only. */
function holdAfterFirstLine(path: string, output: PassThrough): void {
  const content = readFileSync(path);
  const end = content.indexOf('\n') + 1;
  const { uptime } = process;
  process.uptime = () => uptime.call(process) + slowSource;
  output.write(content.subarray(0, end));
  process.once('message', () => output.end(content.subarray(end)));
}

fs.createReadStream = ((path: string, ...others: []) => {
  const name = basename(path);
  if (readHeldName() !== name) return createReadStream(path, ...others);
  const output = new PassThrough();
  if (name === spoolName) holdAfterFirstLine(path, output);
  else void openAfterHold(path, output);
  return output;
}) as unknown as typeof createReadStream;
syncBuiltinESMExports();
