/** Options of imports. */
import { InvalidArgumentError } from 'commander';
import { createIntegerParser } from '../config/setting-parsers.ts';
import { isTimeZone } from '../domain/timestamps.ts';
import type { FormatOption } from '../import/format-definition.ts';
import { InputError } from '../import/input-error.ts';
import { getOptionName } from '../runs/source-options.ts';
import { type CommandOption, flag, option, settingOption } from './define-command.ts';

export const timeZone = option(
  'zone',
  'time zone of times without an offset, such as Europe/Berlin (default: that of the municipality)',
  (text) => {
    if (isTimeZone(text)) return text;
    throw new Error('be a time zone such as Europe/Berlin');
  },
);

export const defaultMaxDeleted = 50;

export const deletionOptions = {
  deleteMissing: flag('delete published records of this source that are missing from the input'),
  maxDeleted: option(
    'percent',
    `with --delete-missing: delete nothing if more than this share of any kind of record is missing (default: ${defaultMaxDeleted})`,
    createIntegerParser('a whole number', 0, 100),
  ),
};

export const redactionOptions = {
  redact: settingOption('redact'),
  redactCountry: settingOption('redactCountry'),
  redactPatterns: settingOption('redactPatterns'),
};

export const rejected = option('file', 'write rejected records to this file, one JSON object per line');

export const loosenRedaction = flag('allow less redaction than in earlier imports of this source');

/** @param parse how the option's text is read */
export function declareFormatOptions(
  formatOptions: readonly FormatOption[],
  parse: (option: FormatOption, text: string) => unknown,
): Record<string, CommandOption<unknown>> {
  const declare = (one: FormatOption): CommandOption<unknown> => {
    const [, value] = /<(.*)>/.exec(one.flags) ?? [];
    if (value === undefined) return flag(one.description);
    return option(value, one.description, (text) => {
      try {
        return parse(one, text);
      } catch (error) {
        throw error instanceof InputError ? new InvalidArgumentError(error.message) : error;
      }
    });
  };
  return Object.fromEntries(formatOptions.map((one) => [getOptionName(one), declare(one)]));
}
