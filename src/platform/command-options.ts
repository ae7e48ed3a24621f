/** Arguments and options of commands: their declarations, and what the parser of command lines makes of them. */
import { Argument, InvalidArgumentError, Option } from 'commander';

/** An argument or an option. */
export interface Parameter<Value> {
  description: string;
  choices?: readonly string[];
  /** @throws Error whose message follows "must", or InvalidArgumentError */
  parse?: (text: string) => Value;
}

export interface CommandArgument<Value> extends Parameter<Value> {
  /** `<name>`, `[name]` or `[names...]` */
  usage: string;
}

export interface CommandOption<Value> extends Parameter<Value> {
  /** Placeholder of the value. undefined: the option is a switch. */
  value?: string;
  isRequired?: true;
  /** Names of options that exclude this one. */
  conflicts?: string[];
  default?: { value: Value; shown: string };
}

export function toArgument({ usage, description, choices, parse }: CommandArgument<unknown>): Argument {
  const created = new Argument(usage, description);
  if (choices !== undefined) return created.choices(choices);
  return parse === undefined ? created : created.argParser(toCommanderParser(parse));
}

/** @param flag such as `--rate-limit` */
export function toOption(flag: string, declared: CommandOption<unknown>): Option {
  const { value, description, choices, isRequired, conflicts = [], default: fallback, parse } = declared;
  const created = new Option(`${flag}${value === undefined ? '' : ` <${value}>`}`, description);
  if (choices !== undefined) created.choices(choices);
  else if (parse !== undefined) created.argParser(toCommanderParser(parse));
  if (fallback !== undefined) created.default(fallback.value, fallback.shown);
  return created.conflicts(conflicts).makeOptionMandatory(isRequired === true);
}

const toCommanderParser =
  <Value>(parse: (text: string) => Value) =>
  (text: string): Value => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof InvalidArgumentError) throw error;
      throw new InvalidArgumentError(`It must ${(error as Error).message}.`);
    }
  };
