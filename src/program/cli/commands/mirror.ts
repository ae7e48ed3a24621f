import { MirrorError, MirrorUsageError } from '../../../../packages/mirror/src/mirror-error.ts';
import { mirrorDescription, mirrorOptions } from '../../../../packages/mirror/src/mirror-options.ts';
import { runMirror } from '../../../../packages/mirror/src/run-mirror.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { CommandError } from '../command-error.ts';
import { getStreams } from '../command-streams.ts';
import { defineCommand } from '../define-command.ts';
import { runInterruptible } from '../interruptible.ts';
import { print, printError } from '../output.ts';

/** As the package `rostra-mirror`, which needs no server. */
export const addMirrorCommand = defineCommand({
  name: 'mirror',
  summary: 'keep a local copy of the published data of an installation',
  description: mirrorDescription,
  options: mirrorOptions,
  run: (flags) =>
    runInterruptible('Run the same command again to continue.', (signal) => {
      const { stdin, stderr } = getStreams();
      const isTerminal = stderr.isTTY === true;
      return runMirror(flags, { signal, stdin, isTerminal, print, printError }).catch((error: unknown) => {
        if (!(error instanceof MirrorError)) throw error;
        const isUsage = error instanceof MirrorUsageError;
        throw new CommandError(error.message, isUsage ? exitCodes.usage : exitCodes.failure);
      });
    }),
});
