/** Turns the definition of a source into the parameters of an import. */
import type { Config } from '../config/settings.ts';
import type { ImportSource, ImportSourceStore, SourceDefinition } from '../domain/import-source.ts';
import type { Organization } from '../domain/organization.ts';
import { isTimeZone } from '../domain/timestamps.ts';
import { InputError } from '../import/input-error.ts';
import type { RequestedRedaction } from '../import/redaction/forbid-looser-redaction.ts';
import { compilePatterns, readPatternFile } from '../import/redaction/pattern-file.ts';
import { chooseRedaction } from './choose-redaction.ts';
import type { FileImport } from './import-files.ts';
import { findFormat, parseSourceOptions } from './source-options.ts';

export type RedactionSettings = Pick<Config, 'redact' | 'redactCountry' | 'redactPatterns'>;

export type PreparedImport = Pick<
  FileImport,
  'organizationId' | 'format' | 'redactedSource' | 'formatOptions' | 'timeZone' | 'maxDeletedPercent'
>;

/**
 * @param settings of the installation, for what the definition leaves open
 * @param target the source that the records are written with; default: that of the definition
 * @param mayLoosen allows less redaction than in earlier imports
 * @throws InputError for an invalid definition, and for less redaction than in earlier imports
 */
export async function prepareImport(
  store: Pick<ImportSourceStore, 'findRedaction'>,
  organization: Pick<Organization, 'id' | 'name' | 'timeZone'>,
  definition: SourceDefinition,
  settings: RedactionSettings,
  { target = definition, mayLoosen = false }: { target?: ImportSource; mayLoosen?: boolean } = {},
): Promise<PreparedImport> {
  const { timeZone, maxDeletedPercent } = definition;
  const source = { format: target.format, name: target.name };
  return {
    organizationId: organization.id,
    format: findFormat(definition.format),
    formatOptions: { ...parseSourceOptions(definition), ...(timeZone !== null && { timeZone }) },
    timeZone: chooseTimeZone(definition, organization),
    maxDeletedPercent: maxDeletedPercent ?? undefined,
    redactedSource: await chooseRedaction(
      store,
      organization.id,
      source,
      toRequestedRedaction(definition, settings),
      mayLoosen,
    ),
  };
}

function chooseTimeZone(
  { timeZone }: SourceDefinition,
  organization: Pick<Organization, 'name' | 'timeZone'>,
): string {
  const chosen = timeZone ?? organization.timeZone;
  if (isTimeZone(chosen)) return chosen;
  throw new InputError(`${organization.name} has the unknown time zone ${chosen}.`);
}

/** The patterns of the installation always apply. */
function toRequestedRedaction(
  { redaction: { kinds, country, patterns } }: SourceDefinition,
  { redact, redactCountry, redactPatterns }: RedactionSettings,
): RequestedRedaction {
  return {
    kinds: kinds ?? redact,
    country: country ?? redactCountry,
    patterns: new Map([...readPatternFile(redactPatterns), ...compilePatterns(patterns)]),
  };
}
