import { Argument, type Command } from 'commander';
import { createBashCompletion } from '../completion/bash-completion.ts';
import { type CommandWords, describeCommand } from '../completion/command-words.ts';
import { createFishCompletion } from '../completion/fish-completion.ts';
import { createZshCompletion } from '../completion/zsh-completion.ts';
import { print } from '../output.ts';

const shells: Record<string, (root: CommandWords) => string> = {
  bash: createBashCompletion,
  zsh: createZshCompletion,
  fish: createFishCompletion,
};

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .summary('print the completion for a shell')
    .description(
      'Prints a script with which a shell completes commands, options and values of rostra. The Debian package installs it.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(shells)))
    .action((shell: string) =>
      print((shells[shell] as (typeof shells)[string])(describeCommand(program)).trimEnd()),
    );
}
