/** Prepares an import: its options, its time zone and its redaction, before it reads anything. */

import { createLocationRules, type LocationRules } from '../../domain/organizations/location-rules.ts';
import type { Organization } from '../../domain/organizations/organization.ts';
import type { Language } from '../../domain/organizations/placeholder-words.ts';
import { compileRedactionTerms } from '../../domain/organizations/redaction-terms.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import type { SourceRedactionPolicy } from '../../domain/records/record-decision.ts';
import {
  defaultRedactionKinds,
  type ImportSource,
  type ImportSourceStore,
  isEndpoint,
  type SourceDefinition,
  type SourceRedaction,
  type WritingSource,
} from '../../domain/sources/import-source.ts';
import type { OrganizationStore } from '../../domain/store.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { isTimeZone } from '../../domain/values/timestamps.ts';
import type { FormatOptions } from '../format-options.ts';
import type { Format } from '../formats/format-definition.ts';
import { findFormat } from '../formats/format-registry.ts';
import { InputError } from '../input-error.ts';
import { createRedactor, type Redactor } from '../privacy/redaction/create-redactor.ts';
import type { CustomPatterns } from '../privacy/redaction/custom-pattern-redactor.ts';
import {
  type RequestedRedaction,
  resolveRedaction,
  toNamedPolicy,
  toRedactionPolicy,
} from '../privacy/redaction/forbid-looser-redaction.ts';
import { compilePatterns, readPatternFile } from '../privacy/redaction/pattern-file.ts';
import type { RunSettings } from '../run-settings.ts';
import { parseSourceOptions } from './source-options.ts';

/** What the definition of a source leaves to the installation. */
export type RedactionSettings = Pick<
  RunSettings,
  'language' | 'country' | 'redact' | 'redactCountry' | 'redactPatterns'
>;

export interface RedactedSource {
  source: WritingSource;
  redactor: Redactor;
  /** Whether an earlier import wrote records of this source. */
  isKnown: boolean;
  /** On redaction that only earlier imports asked for. */
  note: Reason | undefined;
}

export interface PreparedImport {
  organizationId: string;
  format: Format;
  /** Whether the source is an OParl endpoint. The ids of its objects are unique in the world. */
  isEndpoint?: boolean | undefined;
  redactedSource: RedactedSource;
  /** Of the municipality, for this source. The store applies those of the commit. */
  locationRules: LocationRules;
  formatOptions: FormatOptions;
  /** IANA name. */
  timeZone: string;
  /** ISO 3166-1 code of the municipality, which decides on the order of 03/04. */
  country: string;
  /** Of words that the import writes. */
  language: Language;
  /** Delete missing records, unless they are more than this percentage of a kind; undefined: only count them. */
  maxDeletedPercent: number | undefined;
}

/** What an import asks for, by the definition of a source or on the command line. */
interface ImportChoices {
  format: Format;
  source: ImportSource;
  isEndpoint?: boolean;
  formatOptions: FormatOptions;
  /** IANA name; null: that of the municipality. */
  timeZone: string | null;
  redaction: SourceRedaction;
  maxDeletedPercent: number | null;
  /** Whether locations may be published; undefined: as in earlier imports of the source. */
  locations: WritingSource['locations'];
  /** Allows less redaction than in earlier imports. */
  mayLoosenRedaction: boolean;
}

/** As `prepareImport`. @throws InputError for an invalid definition */
export async function prepareSourceImport(
  store: Pick<ImportSourceStore, 'findRedaction' | 'hasLocations'> &
    Pick<OrganizationStore, 'findOrganization'>,
  organizationId: string,
  definition: SourceDefinition,
  settings: RedactionSettings,
  mayLoosenRedaction = false,
): Promise<PreparedImport> {
  const organization = await store.findOrganization(organizationId);
  if (organization === undefined) throw new StoreConflictError({ code: 'organization-removed' });
  const { name, timeZone, redaction, maxDeletedPercent } = definition;
  const format = findFormat(definition.format);
  const { reader } = await format.load();
  const choices = {
    ...{ format, timeZone, redaction, maxDeletedPercent, mayLoosenRedaction },
    source: { format: format.name, name },
    locations: definition.locations ?? ('off' as const),
    isEndpoint: isEndpoint(definition),
    formatOptions: parseSourceOptions(definition, reader),
  };
  return prepareImport(store, organization, choices, settings);
}

/**
 * Resolves what an import leaves to the municipality, to earlier imports and to the installation.
 *
 * @throws InputError for invalid patterns, an unknown country, and less redaction than in earlier imports
 * @throws StoreConflictError if this version of Node.js does not know the time zone of the municipality
 */
export async function prepareImport(
  store: Pick<ImportSourceStore, 'findRedaction' | 'hasLocations'>,
  organization: Organization,
  { timeZone: chosen, ...choices }: ImportChoices,
  settings: RedactionSettings,
): Promise<PreparedImport> {
  const { format, source, isEndpoint, formatOptions, redaction, maxDeletedPercent, locations } = choices;
  const timeZone = chosen ?? organization.timeZone;
  if (!isTimeZone(timeZone))
    throw new StoreConflictError({
      code: 'organization-time-zone-unknown',
      name: organization.name,
      timeZone,
    });
  const locale = chooseLocale(organization, settings);
  const terms = compileRedactionTerms(organization.redactionTerms);
  const requested = { ...toRequestedRedaction(redaction, settings), locale, terms };
  return {
    organizationId: organization.id,
    format,
    isEndpoint,
    // Formats read the chosen time zone too.
    formatOptions: { ...formatOptions, ...(chosen !== null && { timeZone }) },
    timeZone,
    ...locale,
    maxDeletedPercent: maxDeletedPercent ?? undefined,
    locationRules: await chooseLocationRules(store, organization, source, locations),
    redactedSource: await chooseRedaction(
      store,
      organization.id,
      { ...source, locations },
      requested,
      choices.mayLoosenRedaction,
    ),
  };
}

/** Language and country of a municipality, or the defaults of the installation. */
export const chooseLocale = (
  organization: Pick<Organization, 'language' | 'country'>,
  settings: Pick<RunSettings, 'language' | 'country'>,
): RequestedRedaction['locale'] => ({
  language: organization.language ?? settings.language,
  country: organization.country ?? settings.country,
});

async function chooseLocationRules(
  store: Pick<ImportSourceStore, 'hasLocations'>,
  { id, locationDecimals, topicsWithoutLocation }: Organization,
  source: ImportSource,
  locations: WritingSource['locations'],
): Promise<LocationRules> {
  const isAllowed = locations === undefined ? await store.hasLocations(id, source) : locations === 'on';
  return createLocationRules(isAllowed ? locationDecimals : null, topicsWithoutLocation);
}

/** The patterns of the installation always apply. */
function toRequestedRedaction(
  { kinds, country, patterns }: SourceRedaction,
  { redact, redactCountry, redactPatterns }: RedactionSettings,
): Omit<RequestedRedaction, 'locale' | 'terms'> {
  return {
    kinds: kinds ?? redact,
    country: country ?? redactCountry,
    patterns: new Map([...readInstallationPatterns(redactPatterns), ...compilePatterns(patterns)]),
  };
}

/**
 * For texts that administrators type. Replaces what imports of the source replace, or the usual kinds if it has no policy.
 *
 * @throws InputError for invalid patterns
 */
export function createTypedTextRedactor(
  organization: Organization,
  { policy, patterns }: SourceRedactionPolicy,
  settings: RedactionSettings,
): Redactor {
  const locale = chooseLocale(organization, settings);
  return createRedactor({
    kinds: policy?.kinds ?? defaultRedactionKinds,
    country: policy?.country ?? settings.redactCountry ?? locale.country,
    language: locale.language,
    patterns: new Map([...readInstallationPatterns(settings.redactPatterns), ...compilePatterns(patterns)]),
    terms: compileRedactionTerms(organization.redactionTerms),
  });
}

function readInstallationPatterns(path: string): CustomPatterns {
  try {
    return readPatternFile(path);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError({ code: 'pattern-setting-invalid', problem: error.reason });
  }
}

/**
 * @param mayLoosen allows less redaction than in earlier imports
 * @throws InputError for an unknown country, and for less redaction than in earlier imports
 */
async function chooseRedaction(
  store: Pick<ImportSourceStore, 'findRedaction'>,
  organizationId: string,
  source: ImportSource & Pick<WritingSource, 'locations'>,
  requested: RequestedRedaction,
  mayLoosen: boolean,
): Promise<RedactedSource> {
  const remembered = await store.findRedaction(organizationId, source);
  const rules = resolveRedaction(requested, remembered, mayLoosen);
  const redaction = toRedactionPolicy(rules);
  return {
    source: { ...source, redaction, follows: remembered },
    redactor: createRedactor({ ...rules, terms: requested.terms }),
    isKnown: remembered !== undefined,
    note:
      requested.kinds === undefined && rules.kinds.length > 0
        ? { code: 'redacts-as-before', ...toNamedPolicy(redaction) }
        : undefined,
  };
}
