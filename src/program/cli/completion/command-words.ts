/** The words of the command line, from the definitions of the commands. */

import type { Argument, Command, Option } from 'commander';
import { toFlagName } from '../../../domain/values/define-entered-fields.ts';
import { type SettingName, settings } from '../../config/settings.ts';

/** Values that a shell can suggest. */
export type SuggestedValues = 'files' | 'folders' | readonly string[] | undefined;

interface OptionWords {
  /** `--json` */
  flag: string;
  description: string;
  /** Placeholder of its value; undefined if the option has no value. */
  placeholder: string | undefined;
  values: SuggestedValues;
}

interface ArgumentWords {
  name: string;
  values: SuggestedValues;
  isVariadic: boolean;
}

export interface CommandWords {
  /** `['key', 'issue']`; empty for `rostra` itself. */
  path: readonly string[];
  /** A few words. */
  summary: string;
  /** Complete sentences. */
  description: string;
  options: readonly OptionWords[];
  arguments: readonly ArgumentWords[];
  /** Includes `help` where the command has it. */
  subcommands: readonly CommandWords[];
}

export function describeCommand(command: Command, path: readonly string[] = []): CommandWords {
  const help = command.createHelp();
  return {
    path,
    summary: toOneLine(help.subcommandDescription(command)),
    description: toOneLine(command.description()),
    options: help.visibleOptions(command).flatMap(describeOption),
    arguments: command.registeredArguments.map(describeArgument),
    subcommands: help
      .visibleCommands(command)
      .map((subcommand) => describeCommand(subcommand, [...path, subcommand.name()])),
  };
}

/** A command, then all commands below it. */
export function listCommands(command: CommandWords): CommandWords[] {
  return [command, ...command.subcommands.flatMap(listCommands)];
}

function describeOption({ long, flags, description, argChoices }: Option): OptionWords[] {
  if (typeof long !== 'string') return [];
  const placeholder = /[<[]([^<>[\]]+)[>\]]/.exec(flags)?.[1];
  const values = argChoices ?? settingChoices.get(long) ?? suggestPaths(placeholder);
  return [{ flag: long, description: toOneLine(description), placeholder, values }];
}

function describeArgument(argument: Argument): ArgumentWords {
  const name = argument.name();
  return { name, values: argument.argChoices ?? suggestPaths(name), isVariadic: argument.variadic };
}

/** By the flag of `serve`. */
const settingChoices = new Map(
  (Object.keys(settings) as SettingName[]).map((name) => {
    const parse: { choices?: readonly string[] } = settings[name].parse;
    return [toFlagName(name), parse.choices];
  }),
);

function suggestPaths(placeholder = ''): SuggestedValues {
  if (/^(files?|paths?|database)\b/.test(placeholder)) return 'files';
  return placeholder === 'folder' ? 'folders' : undefined;
}

const toOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
