/** Key files of commands. */
import { readKeyFile as readKey } from '../../platform/key-file.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { CommandError } from './command-error.ts';
import { getStreams } from './command-streams.ts';
import { printError } from './output.ts';

/** @param file `-` for standard input. @throws CommandError */
export async function readKeyFile(file: string): Promise<string> {
  try {
    return await readKey(file, getStreams().stdin, printError);
  } catch (error) {
    throw new CommandError((error as Error).message, exitCodes.usage);
  }
}
