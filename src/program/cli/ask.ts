import { createInterface } from 'node:readline/promises';
import { getStreams } from './command-streams.ts';

/** Asks on the terminal. @returns undefined after Ctrl-C and Ctrl-D */
export async function ask(question: string): Promise<string | undefined> {
  const { stdin, stderr } = getStreams();
  const terminal = createInterface({ input: stdin, output: stderr });
  // Ctrl-C and Ctrl-D close the terminal.
  const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
  const answer = await Promise.race([terminal.question(question).catch(() => undefined), closed]);
  terminal.close();
  return answer;
}
