/** The settings of a source, read from a form. */
import { LineCounter, parseDocument, stringify } from 'yaml';
import type { SubmissionField } from '../../../../../contract/resources/submission.ts';
import { parseCountry } from '../../../../../domain/organizations/placeholder-words.ts';
import { describeReason } from '../../../../../domain/reasons/reason.ts';
import type { EnteredSettings } from '../../../../../domain/runs/run-queue.ts';
import {
  defaultMaxDeletedPercent,
  defaultRedactionKinds,
  maxOptionsLength,
  maxSourceNameLength,
  type RedactionKind,
  redactionKinds,
  type SourceDefinition,
} from '../../../../../domain/sources/import-source.ts';
import type { SuggestedMapping } from '../../../../../domain/sources/suggested-mapping.ts';
import type { TableMappingDraft } from '../../../../../domain/sources/table-mapping.ts';
import { isOneLine } from '../../../../../domain/values/name-and-email-validation.ts';
import { isTimeZone } from '../../../../../domain/values/timestamps.ts';
import {
  commonOptions,
  findOptionProblem,
  getOptionKind,
  getRange,
  licenseOptions,
  type OptionDeclarations,
} from '../../../../../ingest/format-options.ts';
import { findFormat } from '../../../../../ingest/formats/format-registry.ts';
import type { TenantContext } from '../../../requests/page-context.ts';

import { enterChosenLicense, isOtherLicenseMissing } from '../../license-choice.ts';
import { parseField } from '../../organization-settings.ts';
import { type MappingDraft, type MappingError, mergeEntries, readMappingForm } from './mapping-draft.ts';

/** The settings that the form shows, valid or not. */
export interface Settings {
  name: string;
  format: string;
  options: Record<string, string>;
  redaction: string[];
  country: string;
  timeZone: string;
  isRemovingMissing: boolean;
  maxDeleted: string;
  hasLocations: boolean;
  /** Milliseconds, or empty. */
  interval: string;
  /** undefined: the form shows `options.mapping` as text. */
  mapping: TableMappingDraft | undefined;
}

interface ReadSettings {
  settings: Settings;
  /** Messages by the name of the form field. */
  errors: Record<string, string>;
}

/** Characters. The server parses the text between two requests, which takes time for many keys or levels. */
const maxMappingLength = 50_000;

/** The dry run reports repeated keys: finding them takes quadratic time. */
const yamlOptions = { schema: 'failsafe', prettyErrors: false, uniqueKeys: false } as const;

/** The text of the option that the form has a field for. */
const defaultMaxDeleted = String(defaultMaxDeletedPercent);

/** @param suggestion undefined: the mapping is shown as text */
export function openSettings(
  definition: SourceDefinition,
  suggestion: SuggestedMapping | undefined,
): Settings {
  const { redaction, maxDeletedPercent, intervalMs } = definition;
  return {
    name: definition.name,
    format: definition.format,
    options: { ...definition.options },
    redaction: [...(redaction.kinds ?? defaultRedactionKinds)],
    country: redaction.country ?? '',
    timeZone: definition.timeZone ?? '',
    isRemovingMissing: maxDeletedPercent !== null,
    maxDeleted: maxDeletedPercent === null ? defaultMaxDeleted : String(maxDeletedPercent),
    hasLocations: definition.locations === 'on',
    interval: intervalMs === null ? '' : String(intervalMs),
    mapping: suggestion && (parseMapping(definition.options.mapping ?? '') ?? suggestion.mapping),
  };
}

/** For a source without a definition. Texts are redacted by default. */
export const draftSettings = (
  name: string,
  format: string,
  suggestion: SuggestedMapping | undefined,
  { sheet, headerRow }: { sheet: string | undefined; headerRow: number | null },
): Settings => ({
  name,
  format,
  options: {
    ...(suggestion !== undefined && { mapping: suggestion.yaml }),
    ...(sheet !== undefined && 'sheet' in findFormat(format).options && { sheet }),
    ...(headerRow !== null && 'headerRow' in findFormat(format).options && { headerRow: String(headerRow) }),
    ...(suggestion?.mapping.records !== undefined && { records: suggestion.mapping.records }),
  },
  redaction: [...defaultRedactionKinds],
  country: '',
  timeZone: '',
  isRemovingMissing: false,
  maxDeleted: defaultMaxDeleted,
  hasLocations: false,
  interval: '',
  mapping: suggestion && withoutOptions(suggestion.mapping),
});

/**
 * The settings of a form whose file was examined again: entries stay if the file still has their columns.
 *
 * @returns with the fields of the other entries, which are drafted anew
 */
export function keepEntries(
  { definition, draft }: EnteredSettings,
  suggestion: SuggestedMapping,
): { settings: Settings; lost: SubmissionField[] } {
  const settings = openSettings(definition, suggestion);
  const entered = parseMapping(definition.options.mapping ?? '');
  // The text of a mapping of sessions stays as it is.
  if (entered === undefined) return { settings: { ...settings, mapping: undefined }, lost: [] };
  const { mapping, lost } = mergeEntries(
    entered,
    withoutOptions(draft),
    withoutOptions(suggestion.mapping),
    suggestion,
  );
  return {
    settings: { ...settings, mapping, options: { ...settings.options, mapping: writeMapping(mapping) } },
    lost,
  };
}

/** The place of the records is in the options of the form. */
function withoutOptions(given: TableMappingDraft): TableMappingDraft {
  const { sheet: _, records: __, headerRow: ___, ...mapping } = given;
  return mapping;
}

/** @returns undefined for a text that is no mapping of submissions: the form shows it as text */
export function parseMapping(text: string): TableMappingDraft | undefined {
  const document = parseDocument(text, yamlOptions);
  if (document.errors.length > 0) return undefined;
  const value: unknown = toPlainValue(document);
  return isRecord(value) && isRecord(value.submission) ? (value as unknown as TableMappingDraft) : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Aliases are rejected with the mapping, because they can multiply its size. */
function toPlainValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}

export const writeMapping = (mapping: TableMappingDraft): string => stringify(mapping, { lineWidth: 0 });

/** @param base the mapping that the form was opened with; undefined if the form has the mapping as text */
export function readSettings(
  context: TenantContext,
  form: URLSearchParams,
  present: Settings,
  suggestion: SuggestedMapping | undefined,
): ReadSettings {
  const errors: Record<string, string> = {};
  const words = context.text.importSettings.errors;
  const { format } = present;
  const read = (name: string) => (form.get(name) ?? '').trim();
  const settings: Settings = {
    name: form.has('name') ? read('name') : present.name,
    format,
    options: readOptions(form, format),
    redaction: form
      .getAll('redaction')
      .filter((kind) => (redactionKinds as readonly string[]).includes(kind)),
    country: read('country').toUpperCase(),
    timeZone: read('timeZone'),
    isRemovingMissing: form.get('missing') === 'remove' && !findFormat(format).isPartialInput,
    maxDeleted: read('maxDeleted') || defaultMaxDeleted,
    hasLocations: form.has('locations') && findFormat(format).hasLocations === true,
    interval: read('interval'),
    mapping: undefined,
  };
  if (!isOneLine(settings.name, maxSourceNameLength)) errors.name = words.sourceName(maxSourceNameLength);
  if (settings.country !== '' && parseCountry(settings.country) === undefined) errors.country = words.country;
  if (settings.timeZone !== '' && !isTimeZone(settings.timeZone)) errors.timeZone = words.timeZone;
  if (settings.isRemovingMissing && !/^(\d{1,2}|100)$/.test(settings.maxDeleted))
    errors.maxDeleted = words.limit;
  Object.assign(errors, findOptionErrors(context, settings), findUnreadableFiles(context, form));
  Object.assign(errors, readLicense(context, form, settings.options));
  if (format === 'table') readMapping(context, form, present, suggestion, settings, errors);
  Object.assign(errors, findExcessText(context, settings));
  return { settings, errors };
}

/** The mapping has a form of its own. */
export function listFormOptions(format: string): OptionDeclarations {
  const { mapping: _, ...options } = findFormat(format).options;
  return options;
}

/** The dry run checks the others. */
function findOptionErrors(
  { text, format: formatter, language }: TenantContext,
  { format, options }: Settings,
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [name, option] of Object.entries(listFormOptions(format))) {
    const { [name]: value } = options;
    if (value === undefined) continue;
    const problem = findOptionProblem(option, value);
    if (problem !== undefined) errors[`option.${name}`] = describeReason(problem, language);
    if (getOptionKind(option) !== 'number') continue;
    const { min, max } = getRange(option);
    if (!/^\d{1,9}$/.test(value) || Number(value) < min || Number(value) > max)
      errors[`option.${name}`] = text.importSettings.errors.number(
        formatter.number(min),
        formatter.number(max),
      );
  }
  return errors;
}

/** Files of options whose text could not be read: see `readStreamedForm`. */
function findUnreadableFiles({ text }: TenantContext, form: URLSearchParams): Record<string, string> {
  const unreadable = [...form].filter(([name]) => name.startsWith('option.') && name.endsWith('.unreadable'));
  return Object.fromEntries(
    unreadable.map(([name, file]) => [
      name.replace(/unreadable$/, 'file'),
      text.importSettings.errors.notText(file),
    ]),
  );
}

/** The store limits the length of all options together. The error is at the longest. */
function findExcessText(
  { text, format: formatter }: TenantContext,
  { options }: Settings,
): Record<string, string> {
  const excess = JSON.stringify(options).length - maxOptionsLength;
  const [longest] = Object.entries(options).sort(([, one], [, other]) => other.length - one.length);
  if (excess <= 0 || longest === undefined) return {};
  const [name, { length }] = longest;
  const message = text.importSettings.errors.tooLong(
    formatter.number(length),
    formatter.number(Math.max(0, length - excess)),
  );
  return { [name === 'mapping' ? name : `option.${name}`]: message };
}

function readOptions(form: URLSearchParams, format: string): Record<string, string> {
  const options: Record<string, string> = {};
  for (const name of Object.keys(listFormOptions(format))) {
    const value = (form.get(`option.${name}`) ?? '').replaceAll('\r\n', '\n').trim();
    if (value !== '') options[name] = name === 'ended' ? readDay(value) : value;
  }
  // The choice beside the first rows.
  const headings = form.get('headings');
  if (headings !== null && headings !== form.get('headings.shown') && 'headerRow' in listFormOptions(format))
    options.headerRow = headings;
  return options;
}

/** A day as Germans write it, such as 31.03.2026, as the option has it. */
const readDay = (text: string): string =>
  text.replace(
    /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/,
    (_, day: string, month: string, year: string) =>
      `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );

const licenseOptionNames = Object.keys(licenseOptions) as (keyof typeof licenseOptions)[];

/** Adds the licence to the options. @returns messages by field */
function readLicense(
  { text }: TenantContext,
  form: URLSearchParams,
  options: Record<string, string>,
): Record<string, string> {
  enterChosenLicense(form);
  if (isOtherLicenseMissing(form)) return { licenseName: text.importSettings.license.missing };
  const errors: Record<string, string> = {};
  for (const name of licenseOptionNames) {
    const value = (form.get(name) ?? '').trim();
    if (value === '') continue;
    options[name] = value;
    if (parseField(name, value) === undefined) errors[name] = text.organizationSettings.errors[name];
  }
  return errors;
}

function readMapping(
  context: TenantContext,
  form: URLSearchParams,
  present: Settings,
  suggestion: SuggestedMapping | undefined,
  settings: Settings,
  errors: Record<string, string>,
): void {
  const entered = form.get('mapping');
  if (entered !== null) {
    const text = entered.replaceAll('\r\n', '\n');
    settings.options.mapping = text;
    const problem = findYamlProblem(context, text);
    if (problem !== undefined) errors.mapping = problem;
    return;
  }
  if (suggestion === undefined) return;
  const base = present.mapping ?? { submission: {} as MappingDraft };
  const { mapping, errors: problems } = readMappingForm(form, base, suggestion);
  settings.mapping = mapping;
  settings.options.mapping = writeMapping(mapping);
  for (const problem of problems) errors[problem.name] ??= describeMappingError(context, problem);
}

function describeMappingError(context: TenantContext, { problem, subject, reason }: MappingError): string {
  const { text } = context;
  const { errors } = text.importSettings.mapping;
  const fields: Readonly<Record<string, { label: string }>> = text.submissionFields;
  if (problem === 'statusColumn') return errors.statusColumn;
  if (problem === 'unknownColumn') return errors.unknownColumn(subject);
  if (problem === 'status') return errors.status(subject);
  if (reason !== undefined) return errors.invalidDatePattern(describeReason(reason, context.language));
  return errors[problem](fields[subject]?.label ?? subject);
}

/** The import checks the keys of the mapping. */
function findYamlProblem({ text, format }: TenantContext, mapping: string): string | undefined {
  if (mapping.length > maxMappingLength)
    return text.importSettings.errors.tooLong(format.number(mapping.length), format.number(maxMappingLength));
  const { yaml, yamlShape } = text.importSettings.mapping.errors;
  const lines = new LineCounter();
  const document = parseDocument(mapping, { ...yamlOptions, lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) return yaml(String(lines.linePos(error.pos[0]).line));
  const value = toPlainValue(document);
  return isRecord(value) && (isRecord(value.submission) || isRecord(value.session)) ? undefined : yamlShape;
}

/** @param url of an address; null for files */
export function toDefinition(
  settings: Settings,
  url: string | null,
  present: SourceDefinition | null,
): SourceDefinition {
  // The form has no fields for the options of endpoints, and for a permission.
  const { endpointOptions } = findFormat(settings.format);
  const { mayRepublish } = commonOptions;
  const hidden = { ...(url !== null && endpointOptions), mayRepublish };
  const kept = Object.entries(present?.options ?? {}).filter(([name]) => Object.hasOwn(hidden, name));
  return {
    name: settings.name,
    format: settings.format,
    url,
    intervalMs: url === null || settings.interval === '' ? null : Number(settings.interval),
    options: { ...settings.options, ...Object.fromEntries(kept) },
    timeZone: settings.timeZone || null,
    redaction: {
      kinds: settings.redaction as RedactionKind[],
      country: settings.country === '' ? null : settings.country,
      patterns: present?.redaction.patterns ?? {},
      accepted: present?.redaction.accepted,
    },
    maxDeletedPercent: settings.isRemovingMissing ? Number(settings.maxDeleted) : null,
    locations: settings.hasLocations ? 'on' : null,
  };
}
