/** Options of `source add` and `source edit`: from flags to the definition of a source. */

import {
  defaultMaxDeletedPercent,
  type RedactionKind,
  redactionKinds,
  type SourceDefinition,
  type SourceRedaction,
} from '../../../domain/sources/import-source.ts';
import {
  describeSourceField,
  type RedactionEntryName,
  type RedactionField,
  redactionFields,
  type SourceEntryName,
  type SourceField,
  type SourceValues,
  sourceFields,
} from '../../../domain/sources/source-fields.ts';
import { allOptions as formatOptions } from '../../../ingest/formats/format-registry.ts';
import { InputError } from '../../../ingest/input-error.ts';
import { readPatternFile } from '../../../ingest/privacy/redaction/pattern-file.ts';
import { readOptionFile } from '../../../ingest/readers/read-file-named-by-option.ts';
import type { CommandOption } from '../../../platform/command-options.ts';
import { settings } from '../../config/settings.ts';
import { option, type Values } from '../define-command.ts';
import { toOptionName } from '../options/edit-options.ts';
import { createLineParser, parseSourceInterval, parseSwitch } from '../options/option-parsers.ts';
import { declareFormatOptions, deletionOptions, redactionOptions, timeZone } from '../runs/import-options.ts';

function parseAcceptedKinds(text: string): readonly RedactionKind[] {
  const words = text === 'off' ? [] : text.split(',').map((word) => word.trim());
  const kinds = redactionKinds.filter((kind) => words.includes(kind));
  if (kinds.length === words.length) return kinds;
  throw new Error(`be off, or some of ${redactionKinds.join(', ')}`);
}

function createValueOption(field: SourceField): CommandOption<unknown> {
  const declared = describeSourceField(field);
  switch (declared.kind) {
    case 'line':
      return option('text', declared.about, createLineParser(declared.max));
    case 'interval':
      return option('time', declared.about, parseSourceInterval);
    case 'timeZone':
      return timeZone;
    case 'percent':
      return deletionOptions.maxDeleted;
    case 'url':
      return option('url', declared.about);
    case 'switch':
      return option('on|off', declared.about, parseSwitch);
  }
}

type ValueOptions = {
  [Field in SourceField as SourceEntryName<Field>]: CommandOption<
    NonNullable<SourceValues[Field]> | undefined
  >;
};

const { maxDeleted: _, ...valueOptions } = sourceFields.mapEntries(createValueOption) as ValueOptions;

const redactionFlags = {
  accept: option(
    'kinds',
    `all personal data that schedules may publish: ${redactionKinds.join(', ')}, separated by commas, or off`,
    parseAcceptedKinds,
  ),
  ...redactionOptions,
};

/** Texts of formats are stored, so that they are parsed again for each import. */
export const sourceOptions: typeof valueOptions & typeof deletionOptions & typeof redactionFlags = {
  ...valueOptions,
  ...deletionOptions,
  // Names of formats' options are texts for the compiler, and would make all others unknown.
  ...(declareFormatOptions(formatOptions, ({ isFile }, text) =>
    isFile ? readOptionFile(text) : text,
  ) as object),
  ...redactionFlags,
};

type SourceFlags = Values<typeof sourceOptions>;

/** @returns the options of formats that were given, as texts */
function listGivenOptions(flags: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(flags)
      .filter(([name]) => Object.hasOwn(formatOptions, name))
      .map(([name, value]) => [name, String(value)]),
  );
}

/** New values of a source. null removes a value, and absent ones stay. */
type SourceEdits = {
  [Field in SourceField as SourceEntryName<Field>]?: SourceValues[Field] | undefined;
} & {
  [Field in RedactionField as RedactionEntryName<Field>]?: SourceRedaction[Field] | null | undefined;
};

export function editDefinition(before: SourceDefinition, edits: SourceEdits): SourceDefinition {
  const values = sourceFields.toChanges(edits) as Partial<SourceValues>;
  const redaction = { ...before.redaction, ...redactionFields.toChanges(edits) };
  return {
    ...before,
    // Only a source with an address has a schedule.
    ...(edits.url === null && { intervalMs: null }),
    ...values,
    // Off is no value.
    ...(values.locations !== undefined && { locations: values.locations === 'on' ? 'on' : null }),
    redaction: {
      ...redaction,
      patterns: redaction.patterns ?? {},
      accepted: redaction.accepted ?? undefined,
    } as SourceRedaction,
  };
}

/** @throws InputError for an invalid redaction */
export function applyFlags(before: SourceDefinition, flags: SourceFlags): SourceDefinition {
  const { deleteMissing, maxDeleted, redact, redactCountry, redactPatterns } = flags;
  if (maxDeleted !== undefined && !deleteMissing && before.maxDeletedPercent === null)
    throw new InputError({ code: 'max-deleted-alone' });
  const parse = <Value>(flag: string, text: string | undefined, parser: (text: string) => Value) => {
    try {
      return text === undefined ? undefined : (parser(text) ?? null);
    } catch (error) {
      throw new InputError({ code: 'flag-invalid', flag, problem: (error as Error).message });
    }
  };
  return {
    ...editDefinition(before, {
      ...flags,
      maxDeleted:
        maxDeleted ?? (deleteMissing ? (before.maxDeletedPercent ?? defaultMaxDeletedPercent) : undefined),
      redact: parse('--redact', redact, settings.redact.parse),
      redactCountry: parse('--redact-country', redactCountry, settings.redactCountry.parse),
      redactPatterns:
        redactPatterns === undefined
          ? undefined
          : Object.fromEntries(
              [...readPatternFile(redactPatterns)].map(([name, { source }]) => [name, source]),
            ),
    }),
    options: { ...before.options, ...listGivenOptions(flags) },
  };
}

type Clear = (definition: SourceDefinition) => SourceDefinition;

const clear =
  (edits: SourceEdits): Clear =>
  (definition) =>
    editDefinition(definition, edits);

/** The key of the portal is not a part of the definition. */
export const clearKey: Clear = (definition) => definition;

const listClears = (options: object) =>
  Object.keys(options).map((name): [string, Clear] => [toOptionName(name), clear({ [name]: null })]);

/** By the name of the option, for `--clear`. */
export const clearableFields: ReadonlyMap<string, Clear> = new Map([
  ...listClears(valueOptions),
  ['delete-missing', clear({ maxDeleted: null })],
  ...listClears(redactionOptions),
  ['key', clearKey],
  ...Object.keys(formatOptions).map((name): [string, Clear] => [
    toOptionName(name),
    ({ options: { [name]: _, ...options }, ...definition }) => ({ ...definition, options }),
  ]),
]);
