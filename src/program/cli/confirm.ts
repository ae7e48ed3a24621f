import { exitCodes } from '../process/exit-codes.ts';
import { ask } from './ask.ts';
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
  if (!getStreams().stdin.isTTY) {
    throw new CommandError(
      `Nothing was ${past}. Use --yes to ${verb} ${what} without confirmation.`,
      exitCodes.usage,
    );
  }
  const answer = await ask(`This ${present} ${what}. Type "${expectedAnswer}" to continue: `);
  if (answer === undefined) throw new CommandError(`\nNothing was ${past}.`, exitCodes.interrupted);
  if (answer !== expectedAnswer) throw new CommandError(`Nothing was ${past}.`);
}
