/** Options of imports, and the redaction that they choose. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config/settings.ts';
import type { ImportSource, ImportSourceStore } from '../domain/import-source.ts';
import type { Organization } from '../domain/organization.ts';
import { isTimeZone } from '../domain/timestamps.ts';
import type { FormatOption } from '../import/format-definition.ts';
import { InputError } from '../import/input-error.ts';
import { readOptionFile } from '../import/readers/option-file.ts';
import { readPatternFile } from '../import/redaction/pattern-file.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { chooseRedaction, type RedactedSource } from '../runs/choose-redaction.ts';
import { chooseLocale, compileTerms } from '../runs/prepare-source-import.ts';
import type { DatabaseFlags } from './command-context.ts';
import { CommandError, failOnInputError } from './command-error.ts';
import { printError } from './output.ts';
import { createJsonOption, createSettingOption } from './shared-options.ts';

export interface ImportFlags extends DatabaseFlags {
  timeZone?: string;
  rejected?: string;
  loosenRedaction?: true;
  json?: true;
}

export function createTimeZoneOption(): Option {
  const description =
    'time zone of times without an offset, such as Europe/Berlin (default: that of the municipality)';
  return new Option('--time-zone <zone>', description).argParser((text: string) => {
    if (isTimeZone(text)) return text;
    throw new InvalidArgumentError('It must be a time zone such as Europe/Berlin.');
  });
}

/** @throws CommandError if the municipality has a time zone that this version of Node.js does not know */
export function chooseTimeZone({ timeZone: chosen }: ImportFlags, { name, timeZone }: Organization): string {
  if (chosen !== undefined || isTimeZone(timeZone)) return chosen ?? timeZone;
  throw new CommandError(
    `${name} has the unknown time zone ${timeZone}. Set another one with "rostra organization edit --time-zone".`,
  );
}

export function toOption({ flags, description, isFile, parse }: FormatOption): Option {
  return new Option(flags, description).argParser((text: string) => {
    try {
      return isFile ? parse(readOptionFile(text), text) : parse(text, text);
    } catch (error) {
      throw error instanceof InputError ? new InvalidArgumentError(error.message) : error;
    }
  });
}

/** Adds the options at the end of the help. */
export function addImportOptions(command: Command): void {
  command.option('--rejected <file>', 'write rejected records to this file, one JSON object per line');
  for (const setting of ['redact', 'redactCountry', 'redactPatterns'] as const)
    command.addOption(createSettingOption(setting));
  command
    .option('--loosen-redaction', 'allow less redaction than in earlier imports of this source')
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption());
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
  { loosenRedaction }: ImportFlags,
): Promise<RedactedSource> {
  return failOnInputError(async () => {
    const { redact: kinds, redactCountry: country, redactPatterns: patternFile } = config;
    const locale = chooseLocale(organization, config);
    const terms = compileTerms(organization, locale.language);
    const requested = { kinds, country, patterns: readPatternFile(patternFile), locale, terms };
    const redacted = await chooseRedaction(
      store,
      organization.id,
      source,
      requested,
      loosenRedaction === true,
    );
    if (redacted.note !== undefined) printError(redacted.note);
    return redacted;
  }, exitCodes.usage);
}
