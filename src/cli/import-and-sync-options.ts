/** Options that `import` and `sync` share, and the redaction that they choose. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, redactionSettings } from '../config/settings.ts';
import type { Organization } from '../domain/organization.ts';
import type { ImportSource, ImportSourceStore, WritingSource } from '../domain/source-redaction-policy.ts';
import { isTimeZone } from '../domain/timestamps.ts';
import type { FormatOption } from '../import/format-definition.ts';
import { InputError } from '../import/input-error.ts';
import { createRedactor, type Redactor } from '../import/redaction/create-redactor.ts';
import {
  describePolicy,
  resolveRedaction,
  toRedactionPolicy,
} from '../import/redaction/forbid-looser-redaction.ts';
import { readPatternFile } from '../import/redaction/pattern-file.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { type DatabaseFlags, databaseSettings } from './command-context.ts';
import { CommandError, failOnInputError } from './command-error.ts';
import { printError } from './output.ts';
import { createJsonOption, createSettingOption } from './shared-options.ts';

/** The settings of commands that import. */
export const importSettings = [...databaseSettings, ...redactionSettings];

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

export function toOption({ flags, description, parse }: FormatOption): Option {
  return new Option(flags, description).argParser((text: string) => {
    try {
      return parse(text);
    } catch (error) {
      throw error instanceof InputError ? new InvalidArgumentError(error.message) : error;
    }
  });
}

/** Adds the options at the end of the help. */
export function addImportOptions(command: Command): void {
  command.option('--rejected <file>', 'write rejected records to this file, one JSON object per line');
  for (const setting of redactionSettings) command.addOption(createSettingOption(setting));
  command
    .option('--loosen-redaction', 'allow less redaction than in earlier imports of this source')
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption());
}

interface RedactedSource {
  source: WritingSource;
  redactor: Redactor | undefined;
  /** Whether an earlier import wrote records of this source. */
  isKnown: boolean;
}

/**
 * Chooses the redaction of an import before it reads anything.
 *
 * @throws CommandError for an invalid pattern file, an unknown country, and less redaction than in earlier imports
 */
export async function chooseRedaction(
  store: ImportSourceStore,
  organizationId: string,
  source: ImportSource,
  { redact: kinds, redactCountry: country, redactPatterns: patternFile }: Config,
  { loosenRedaction }: ImportFlags,
): Promise<RedactedSource> {
  const remembered = await store.findRedaction(organizationId, source);
  return failOnInputError(() => {
    const requested = { kinds, country, patterns: readPatternFile(patternFile) };
    const rules = resolveRedaction(requested, remembered, loosenRedaction === true);
    const redaction = toRedactionPolicy(rules);
    const redactor = createRedactor(rules);
    if (kinds === undefined && rules.kinds.length > 0)
      printError(`Redacting ${describePolicy(redaction)}, as earlier imports of this source did.`);
    return {
      source: { ...source, redaction, follows: remembered },
      redactor,
      isKnown: remembered !== undefined,
    };
  }, exitCodes.usage);
}
