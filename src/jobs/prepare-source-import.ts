/** Turns the definition of a source into the options of an import. */
import type { Config } from '../config/settings.ts';
import type { ImportSourceStore, SourceDefinition } from '../domain/import-source.ts';
import type { OrganizationStore } from '../domain/store.ts';
import { StoreConflictError } from '../domain/store-errors.ts';
import type { Format, FormatOptions } from '../import/format-definition.ts';
import { formats } from '../import/format-registry.ts';
import { InputError } from '../import/input-error.ts';
import { compilePatterns, readPatternFile } from '../import/redaction/pattern-file.ts';
import { chooseRedaction } from './choose-redaction.ts';
import type { FileImport } from './import-files.ts';

type PreparedImport = Pick<
  FileImport,
  'format' | 'redactedSource' | 'formatOptions' | 'timeZone' | 'maxDeletedPercent'
>;

/** @throws InputError for an invalid definition, StoreConflictError if the municipality was removed */
export async function prepareSourceImport(
  store: ImportSourceStore & Pick<OrganizationStore, 'findOrganization'>,
  organizationId: string,
  definition: SourceDefinition,
  { redact, redactCountry, redactPatterns }: Config,
): Promise<PreparedImport> {
  const organization = await store.findOrganization(organizationId);
  if (organization === undefined) throw new StoreConflictError('The municipality was removed.');
  const { name, redaction } = definition;
  const format = findFormat(definition.format);
  const requested = {
    kinds: redaction.kinds ?? redact,
    country: redaction.country ?? redactCountry,
    patterns: new Map([...readPatternFile(redactPatterns), ...compilePatterns(redaction.patterns)]),
  };
  const timeZone = definition.timeZone ?? organization.timeZone;
  return {
    format,
    redactedSource: await chooseRedaction(
      store,
      organizationId,
      { format: format.name, name },
      requested,
      false,
    ),
    // Formats read the chosen time zone too.
    formatOptions: {
      ...parseOptions(format, definition.options),
      ...(definition.timeZone !== null && { timeZone }),
    },
    timeZone,
    maxDeletedPercent: definition.maxDeletedPercent ?? undefined,
  };
}

/** @throws InputError */
export function findFormat(name: string): Format {
  const format = formats.find((each) => each.name === name);
  if (format === undefined) throw new InputError(`The format ${name} is unknown.`);
  return format;
}

/** @throws InputError for an unknown option or an invalid value */
function parseOptions({ name, options = [] }: Format, given: SourceDefinition['options']): FormatOptions {
  return Object.fromEntries(
    Object.entries(given).map(([key, text]) => {
      const option = options.find(({ flags }) => toOptionName(flags) === key);
      if (option === undefined) throw new InputError(`The format ${name} has no option ${key}.`);
      return [key, option.flags.includes('<') ? option.parse(text, key) : text === 'true'];
    }),
  );
}

/** `--min-count <number>` → `minCount` */
const toOptionName = (flags: string) =>
  (/--([\w-]+)/.exec(flags)?.[1] ?? '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
