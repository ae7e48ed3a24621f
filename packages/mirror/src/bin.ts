#!/usr/bin/env node
/** The command `rostra-mirror`. */
import { Command } from 'commander';
import { toFlagName } from '../../../src/domain/values/define-entered-fields.ts';
import { toOption } from '../../../src/platform/command-options.ts';
import { explainUnsupportedNode } from '../../../src/platform/explain-unsupported-node.ts';
import { replaceControlCharacters } from '../../../src/platform/terminal-output.ts';
import packageFile from '../package.json' with { type: 'json' };
import { MirrorError, MirrorUsageError } from './mirror-error.ts';
import { type MirrorFlags, mirrorDescription, mirrorOptions } from './mirror-options.ts';
import { runMirror } from './run-mirror.ts';

const exitCodes = { failure: 1, usage: 2, interrupted: 130 };

const createPrinter = (stream: NodeJS.WriteStream) => (line: string) =>
  void stream.write(`${replaceControlCharacters(line)}\n`);

const print = createPrinter(process.stdout);
const printError = createPrinter(process.stderr);

async function run(flags: MirrorFlags): Promise<void> {
  const stopped = new AbortController();
  // The next signal ends the process.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort());
  const { signal } = stopped;
  const { stdin, stderr } = process;
  try {
    await runMirror(flags, { signal, stdin, isTerminal: stderr.isTTY === true, print, printError });
  } catch (error) {
    if (signal.aborted) {
      printError('Interrupted. Run the same command again to continue.');
      process.exitCode = exitCodes.interrupted;
    } else if (error instanceof MirrorError) {
      printError(error.message);
      process.exitCode = error instanceof MirrorUsageError ? exitCodes.usage : exitCodes.failure;
    } else throw error;
  }
}

const command = new Command('rostra-mirror')
  .description(mirrorDescription)
  .version(packageFile.version)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.usage))
  .action(run);
for (const [name, declared] of Object.entries(mirrorOptions))
  command.addOption(toOption(toFlagName(name), declared));
const unsupported = explainUnsupportedNode('rostra-mirror');
if (unsupported === undefined) await command.parseAsync();
else {
  printError(unsupported);
  process.exitCode = exitCodes.failure;
}
