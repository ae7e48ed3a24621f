/** Keys that commands read from a file or from standard input, because arguments of processes are visible to other users. */
import { readFileSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { exitCodes } from '../process/exit-codes.ts';
import { CommandError } from './command-error.ts';
import { getStreams } from './command-streams.ts';
import { printError } from './output.ts';

/** @param file `-` for standard input. @throws CommandError */
export async function readKeyFile(file: string): Promise<string> {
  if (file === '-') return (await text(getStreams().stdin)).trim();
  try {
    // Windows has no such permissions.
    if (process.platform !== 'win32' && (statSync(file).mode & 0o004) !== 0)
      printError(`Warning: Every user of this machine can read ${file}. Run "chmod o-r ${file}".`);
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CommandError(`The key file cannot be read: ${(error as Error).message}.`, exitCodes.usage);
  }
}
