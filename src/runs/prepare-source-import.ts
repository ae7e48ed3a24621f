/** Turns the definition of a source into the options of an import. */
import type { Config } from '../config/settings.ts';
import { type ImportSourceStore, isEndpoint, type SourceDefinition } from '../domain/import-source.ts';
import type { Organization } from '../domain/organization.ts';
import { getPublishedWords, type Language } from '../domain/published-words.ts';
import { compileRedactionTerms } from '../domain/redaction-terms.ts';
import type { OrganizationStore } from '../domain/store.ts';
import { StoreConflictError } from '../domain/store-errors.ts';
import { isTimeZone } from '../domain/timestamps.ts';
import { InputError } from '../import/input-error.ts';
import type { RequestedRedaction } from '../import/redaction/forbid-looser-redaction.ts';
import { compilePatterns, readPatternFile } from '../import/redaction/pattern-file.ts';
import { chooseRedaction } from './choose-redaction.ts';
import type { FileImport } from './import-files.ts';
import { findFormat, parseSourceOptions } from './source-options.ts';

/** What the definition of a source leaves to the installation. */
export type RedactionSettings = Pick<
  Config,
  'language' | 'country' | 'redact' | 'redactCountry' | 'redactPatterns'
>;

export type PreparedImport = Pick<
  FileImport,
  | 'organizationId'
  | 'format'
  | 'isEndpoint'
  | 'redactedSource'
  | 'formatOptions'
  | 'timeZone'
  | 'language'
  | 'maxDeletedPercent'
>;

/**
 * @param mayLoosen allows less redaction than in earlier imports
 * @throws InputError for an invalid definition, and for less redaction than in earlier imports
 * @throws StoreConflictError if the municipality was removed
 */
export async function prepareSourceImport(
  store: Pick<ImportSourceStore, 'findRedaction'> & Pick<OrganizationStore, 'findOrganization'>,
  organizationId: string,
  definition: SourceDefinition,
  settings: RedactionSettings,
  mayLoosen = false,
): Promise<PreparedImport> {
  const organization = await store.findOrganization(organizationId);
  if (organization === undefined) throw new StoreConflictError({ code: 'organization-removed' });
  const timeZone = definition.timeZone ?? organization.timeZone;
  if (!isTimeZone(timeZone))
    throw new InputError({
      code: 'organization-time-zone-unknown',
      name: organization.name,
      timeZone,
    });
  const locale = chooseLocale(organization, settings);
  return {
    organizationId,
    format: findFormat(definition.format),
    isEndpoint: isEndpoint(definition),
    // Formats read the chosen time zone too.
    formatOptions: {
      ...parseSourceOptions(definition),
      ...(definition.timeZone !== null && { timeZone }),
    },
    timeZone,
    language: locale.language,
    maxDeletedPercent: definition.maxDeletedPercent ?? undefined,
    redactedSource: await chooseRedaction(
      store,
      organizationId,
      { format: definition.format, name: definition.name },
      {
        ...toRequestedRedaction(definition, settings),
        locale,
        terms: compileTerms(organization, locale.language),
      },
      mayLoosen,
    ),
  };
}

/** Language and country of a municipality, or the defaults of the installation. */
export const chooseLocale = (
  organization: Pick<Organization, 'language' | 'country'>,
  settings: Pick<Config, 'language' | 'country'>,
): RequestedRedaction['locale'] => ({
  language: organization.language ?? settings.language,
  country: organization.country ?? settings.country,
});

/** The words and patterns that a municipality replaces, by their placeholders. */
export function compileTerms(
  { redactionTerms }: Pick<Organization, 'redactionTerms'>,
  language: Language,
): RequestedRedaction['terms'] {
  const { words, patterns } = compileRedactionTerms(redactionTerms);
  const { removed } = getPublishedWords(language);
  return words === undefined ? patterns : new Map([...patterns, [removed, words]]);
}

/** The patterns of the installation always apply. */
function toRequestedRedaction(
  { redaction: { kinds, country, patterns } }: SourceDefinition,
  { redact, redactCountry, redactPatterns }: RedactionSettings,
): Omit<RequestedRedaction, 'locale' | 'terms'> {
  return {
    kinds: kinds ?? redact,
    country: country ?? redactCountry,
    patterns: new Map([...readPatternFile(redactPatterns), ...compilePatterns(patterns)]),
  };
}
