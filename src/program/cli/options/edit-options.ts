/** Commands that edit: each option sets a value, and `--clear` removes some. */

import { InvalidArgumentError } from 'commander';
import { toFlagName } from '../../../domain/values/define-entered-fields.ts';
import { didYouMean } from '../../../platform/did-you-mean.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { CommandError } from '../command-error.ts';
import { option } from '../define-command.ts';

/** `licenseName` → `license-name` */
export const toOptionName = (name: string) => toFlagName(name).slice(2);

export const clearOption = <Name extends string>(names: readonly Name[]) =>
  option(
    'options',
    `remove values, separated by commas: ${names.map(toOptionName).join(', ')}`,
    createListParser(new Map(names.map((name) => [toOptionName(name), name]))),
  );

/** Names that are separated by commas. @param values by their name */
export function createListParser<Value>(values: ReadonlyMap<string, Value>): (text: string) => Value[] {
  const names = [...values.keys()];
  return (text) =>
    text.split(',').map((part) => {
      const name = part.trim();
      const value = values.get(name);
      if (value !== undefined) return value;
      const near = didYouMean(name, names);
      if (near === undefined) throw new Error(`be some of ${names.join(', ')}`);
      throw new InvalidArgumentError(`Did you mean ${near}?`);
    });
}

/**
 * @param values by the name of their option; undefined: not given
 * @param example of an option
 * @returns the given values, and null for those to remove
 * @throws CommandError without a change, and if a value is both set and removed
 */
export function collectChanges<Name extends string>(
  values: Readonly<Record<string, unknown>>,
  clear: readonly Name[] | undefined,
  example: string,
): Partial<Record<Name, unknown>> {
  const removed = new Map((clear ?? []).map((name) => [name as string, null]));
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const [both] = given.find(([name]) => removed.has(name)) ?? [];
  if (both !== undefined)
    throw new CommandError(
      `${toFlagName(both)} and --clear ${toOptionName(both)} contradict each other. Use one of them.`,
      exitCodes.usage,
    );
  const changes = Object.fromEntries([...given, ...removed]);
  if (Object.keys(changes).length > 0) return changes as Partial<Record<Name, unknown>>;
  throw new CommandError(`Specify at least one change, such as ${example}.`, exitCodes.usage);
}
