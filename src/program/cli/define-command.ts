/** Declarations of commands. Parsing, help, completion, pages and the types of the values follow from them. */
import type { Command } from 'commander';
import { toFlagName } from '../../domain/values/define-entered-fields.ts';
import {
  type CommandArgument,
  type CommandOption,
  type Parameter,
  toArgument,
  toOption,
} from '../../platform/command-options.ts';
import type { OpenedStore } from '../../store/open.ts';
import type { Reader } from '../config/setting.ts';
import { type Config, type SettingName, settings } from '../config/settings.ts';
import { type CommandContext, type DatabaseFlags, withStore } from './command-context.ts';

type ArgumentValue<Usage> = Usage extends `${string}...${string}`
  ? string[]
  : Usage extends `[${string}`
    ? string | undefined
    : string;

export function argument<const Usage extends string>(
  usage: Usage,
  description: string,
): CommandArgument<ArgumentValue<Usage>>;
export function argument<Value>(
  usage: string,
  description: string,
  parse: (text: string) => Value,
): CommandArgument<Value>;
export function argument(
  usage: string,
  description: string,
  parse?: (text: string) => unknown,
): CommandArgument<unknown> {
  return { usage, description, ...(parse && { parse }) };
}

export function option(value: string, description: string): CommandOption<string | undefined>;
export function option<Value>(
  value: string,
  description: string,
  parse: (text: string) => Value,
): CommandOption<Value | undefined>;
export function option(
  value: string,
  description: string,
  parse?: (text: string) => unknown,
): CommandOption<unknown> {
  return { value, description, ...(parse && { parse }) };
}

export const flag = (description: string): CommandOption<true | undefined> => ({ description });

export const required = <Value>(optional: CommandOption<Value | undefined>) =>
  ({ ...optional, isRequired: true }) as CommandOption<Value>;

/** @param shown in the help */
export const withDefault = <Value>(optional: CommandOption<Value | undefined>, value: Value, shown: string) =>
  ({ ...optional, default: { value, shown } }) as CommandOption<Value>;

export const oneOf = <const Choice extends string, Declared extends Parameter<string | undefined>>(
  choices: readonly Choice[],
  parameter: Declared,
) =>
  ({ ...parameter, choices }) as unknown as Declared extends CommandArgument<string>
    ? CommandArgument<Choice>
    : CommandOption<Choice | undefined>;

/** Its text, which `readConfig` parses. */
export function settingOption(name: SettingName): CommandOption<string | undefined> {
  const { value, description, default: fallback } = settings[name];
  const text = fallback === '' ? description : `${description} (default: ${fallback})`;
  return option(value, text.replaceAll('`', ''));
}

export const json = flag('print JSON');
export const yes = flag('skip the confirmation');
export const database = settingOption('database');
export const organization = required(option('name|id', 'the municipality, by name or id'));
export const organizationFilter = option('name|id', 'only those of one municipality');

/** @param condition follows "if" */
export const ifMissing = (condition: string) => flag(`succeed and change nothing if ${condition}`);

type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type Values<Declared> = {
  [Name in keyof Declared]: Declared[Name] extends Parameter<infer Value> ? Value : never;
};

interface Declaration<Arguments, Options> {
  name: string;
  summary: string;
  description: string;
  /** Not in the help, because other programs of Rostra start it. */
  isHidden?: boolean;
  /** In the order of the command line. */
  arguments?: Arguments;
  /** The flag follows from the name: `timeZone` is `--time-zone`. */
  options?: Options;
}

export type AddCommand = (parent: Command, context: CommandContext) => void;

// biome-ignore lint/complexity/noBannedTypes: a command without arguments has no such values
type None = {};

export function defineCommand<Arguments extends Parameters = None, Options extends Parameters = None>({
  name,
  summary,
  description,
  isHidden = false,
  arguments: expected,
  options,
  run,
}: Declaration<Arguments, Options> & {
  run(
    values: Values<Arguments> & Values<Options>,
    context: CommandContext,
    command: Command,
  ): Promise<void> | void;
}): AddCommand {
  return (parent, context) => {
    const command = parent.command(name, { hidden: isHidden }).summary(summary).description(description);
    const names = Object.keys(expected ?? {});
    for (const each of Object.values(expected ?? {}))
      command.addArgument(toArgument(each as CommandArgument<unknown>));
    for (const [key, each] of Object.entries(options ?? {}))
      command.addOption(toOption(toFlagName(key), each));
    command.action((...given: unknown[]) => {
      const values = { ...command.opts(), ...Object.fromEntries(names.map((key, at) => [key, given[at]])) };
      return run(values as Values<Arguments> & Values<Options>, context, command);
    });
  };
}

interface StoreDeclaration<Arguments, Options> extends Declaration<Arguments, Options> {
  /** Other commands whose settings it reads. */
  readers?: readonly Reader[];
  /** Creates a missing SQLite file. */
  create?: boolean;
  /** Exports traces of the work. */
  isTraced?: boolean;
  run(
    values: Values<Arguments> & Values<Options>,
    store: OpenedStore,
    config: Config,
    context: CommandContext,
    command: Command,
  ): Promise<void> | void;
}

/** A command that works in a database. It has the option `--database`. */
export function defineStoreCommand<Arguments extends Parameters = None, Options extends Parameters = None>({
  run,
  readers,
  create = false,
  isTraced = false,
  ...declaration
}: StoreDeclaration<Arguments, Options>): AddCommand {
  return defineCommand({
    ...declaration,
    options: { ...declaration.options, database },
    run: (values, context, command) =>
      withStore(
        context,
        values as DatabaseFlags,
        async (store, config) =>
          run(values as Values<Arguments> & Values<Options>, store, config, context, command),
        { create, isTraced, readers: readers ?? [] },
      ),
  });
}

/** Commands whose first word is the same. */
export const defineGroup =
  (name: string, summary: string, commands: readonly AddCommand[]): AddCommand =>
  (parent, context) => {
    const group = parent.command(name).summary(summary).description(`Commands to ${summary}.`);
    for (const add of commands) add(group, context);
  };
