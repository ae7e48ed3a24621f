import { createInterface } from 'node:readline/promises';
import { exitCodes } from '../process/exit-codes.ts';
import { CommandError } from './command-error.ts';
import { getStreams } from './command-streams.ts';

const verbs = {
  remove: { present: 'removes', past: 'removed' },
  undo: { present: 'undoes', past: 'undone' },
  replace: { present: 'replaces', past: 'replaced' },
};

/**
 * Asks for confirmation on the terminal.
 *
 * @param what the object of the verb, for the question
 * @param expectedAnswer the text to type as confirmation
 * @throws CommandError without confirmation or without a terminal
 */
export async function confirm(verb: keyof typeof verbs, what: string, expectedAnswer = 'yes'): Promise<void> {
  const { present, past } = verbs[verb];
  const { stdin, stderr } = getStreams();
  if (!stdin.isTTY) {
    throw new CommandError(
      `Nothing was ${past}. Use --yes to ${verb} ${what} without confirmation.`,
      exitCodes.usage,
    );
  }
  const terminal = createInterface({ input: stdin, output: stderr });
  // Ctrl-C and Ctrl-D close the terminal.
  const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
  const question = `This ${present} ${what}. Type "${expectedAnswer}" to continue: `;
  const answer = await Promise.race([terminal.question(question).catch(() => undefined), closed]);
  terminal.close();
  if (answer === undefined) throw new CommandError(`\nNothing was ${past}.`, exitCodes.interrupted);
  if (answer !== expectedAnswer) throw new CommandError(`Nothing was ${past}.`);
}
