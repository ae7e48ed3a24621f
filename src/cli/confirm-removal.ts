import { createInterface } from 'node:readline/promises';
import { exitCodes } from '../process/exit-codes.ts';
import { CommandError } from './command-error.ts';
import { getStreams } from './command-streams.ts';

/**
 * Asks for confirmation on the terminal.
 *
 * @param what the object of the removal, for the question
 * @param expectedAnswer the text to type as confirmation
 * @throws CommandError without confirmation or without a terminal
 */
export const confirmRemoval = (what: string, expectedAnswer: string): Promise<void> =>
  confirm({ present: 'removes', past: 'removed', infinitive: 'remove' }, what, expectedAnswer);

/** As `confirmRemoval`. */
export const confirmUndo = (what: string, expectedAnswer: string): Promise<void> =>
  confirm({ present: 'undoes', past: 'undone', infinitive: 'undo' }, what, expectedAnswer);

/** As `confirmRemoval`. */
export const confirmReplacement = (what: string, expectedAnswer: string): Promise<void> =>
  confirm({ present: 'replaces', past: 'replaced', infinitive: 'replace' }, what, expectedAnswer);

async function confirm(
  { present, past, infinitive }: Record<'present' | 'past' | 'infinitive', string>,
  what: string,
  expectedAnswer: string,
): Promise<void> {
  const { stdin, stderr } = getStreams();
  if (!stdin.isTTY) {
    throw new CommandError(
      `Nothing was ${past}. Use --yes to ${infinitive} ${what} without confirmation.`,
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
