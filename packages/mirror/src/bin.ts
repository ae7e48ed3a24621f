#!/usr/bin/env node
/** The command `rostra-mirror`. */
import { Command, InvalidArgumentError, Option } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { MirrorError, MirrorUsageError } from './mirror-error.ts';
import { type MirrorFlags, mirrorDescription, mirrorOptions } from './mirror-options.ts';
import { runMirror } from './run-mirror.ts';

const exitCodes = { failure: 1, usage: 2, interrupted: 130 };

/** Text from an installation can contain terminal escape sequences. */
const createPrinter = (stream: NodeJS.WriteStream) => (line: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
  void stream.write(`${line.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')}\n`);

const print = createPrinter(process.stdout);
const printError = createPrinter(process.stderr);

function createOption(name: string): Option {
  const { value, description, isRequired, choices, parse } = mirrorOptions[name as keyof MirrorFlags];
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const option = new Option(value === undefined ? flag : `${flag} <${value}>`, description);
  if (isRequired) option.makeOptionMandatory();
  if (choices !== undefined) option.choices(choices);
  if (parse !== undefined)
    option.argParser((text: string) => {
      try {
        return parse(text);
      } catch (error) {
        throw new InvalidArgumentError(`It must ${(error as Error).message}.`);
      }
    });
  return option;
}

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
for (const name of Object.keys(mirrorOptions)) command.addOption(createOption(name));
await command.parseAsync();
