/** Options of imports, and the redaction that they choose. */
import { InvalidArgumentError } from 'commander';
import { createIntegerParser } from '../config/setting-parsers.ts';
import type { Config } from '../config/settings.ts';
import type { ImportSource, ImportSourceStore } from '../domain/import-source.ts';
import type { Organization } from '../domain/organization.ts';
import { isTimeZone } from '../domain/timestamps.ts';
import type { FormatOption } from '../import/format-definition.ts';
import { InputError } from '../import/input-error.ts';
import { readPatternFile } from '../import/redaction/pattern-file.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { describeReason } from '../reasons/reason.ts';
import { chooseRedaction, type RedactedSource } from '../runs/choose-redaction.ts';
import { chooseLocale, compileTerms } from '../runs/prepare-source-import.ts';
import { getOptionName } from '../runs/source-options.ts';
import { CommandError, failOnInputError } from './command-error.ts';
import { type CommandOption, flag, option, settingOption } from './define-command.ts';
import { printError } from './output.ts';

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

/** @throws CommandError if the municipality has a time zone that this version of Node.js does not know */
export function chooseTimeZone(chosen: string | undefined, { name, timeZone }: Organization): string {
  if (chosen !== undefined || isTimeZone(timeZone)) return chosen ?? timeZone;
  throw new CommandError(
    `${name} has the unknown time zone ${timeZone}. Set another one with "rostra organization edit --time-zone".`,
  );
}

/**
 * Chooses the redaction by flags and environment, and prints a note if only earlier imports asked for it.
 *
 * @throws CommandError for an invalid pattern file, an unknown country, and less redaction than in earlier imports
 */
export async function chooseCommandRedaction(
  store: ImportSourceStore,
  organization: Organization,
  source: ImportSource,
  config: Config,
  mayLoosen: boolean,
): Promise<RedactedSource> {
  return failOnInputError(async () => {
    const { redact: kinds, redactCountry: country, redactPatterns: patternFile } = config;
    const locale = chooseLocale(organization, config);
    const terms = compileTerms(organization, locale.language);
    const requested = { kinds, country, patterns: readPatternFile(patternFile), locale, terms };
    const redacted = await chooseRedaction(store, organization.id, source, requested, mayLoosen);
    if (redacted.note !== undefined) printError(describeReason(redacted.note));
    return redacted;
  }, exitCodes.usage);
}
