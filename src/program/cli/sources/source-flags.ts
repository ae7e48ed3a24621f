/** Options of `source add` and `source edit`: from flags to the definition of a source. */

import {
  defaultMaxDeletedPercent,
  type RedactionKind,
  redactionKinds,
  type SourceDefinition,
} from '../../../domain/sources/import-source.ts';
import { allOptions as formatOptions } from '../../../ingest/formats/format-registry.ts';
import { InputError } from '../../../ingest/input-error.ts';
import { readPatternFile } from '../../../ingest/privacy/redaction/pattern-file.ts';
import { readOptionFile } from '../../../ingest/readers/option-file.ts';
import { settings, toFlagName } from '../../config/settings.ts';
import { option, type Values } from '../define-command.ts';
import { parseSourceInterval } from '../options/option-parsers.ts';
import { declareFormatOptions, deletionOptions, redactionOptions, timeZone } from '../runs/import-options.ts';

function parseAcceptedKinds(text: string): readonly RedactionKind[] {
  const words = text === 'off' ? [] : text.split(',').map((word) => word.trim());
  const kinds = redactionKinds.filter((kind) => words.includes(kind));
  if (kinds.length === words.length) return kinds;
  throw new Error(`be off, or some of ${redactionKinds.join(', ')}`);
}

/** Texts of formats are stored, so that they are parsed again for each import. */
const allOptions = {
  url: option('url', 'https address that the data is fetched from; for OParl, that of the endpoint'),
  every: option('time', 'fetch it at this interval: 30m, 1h, 1d', parseSourceInterval),
  timeZone,
  ...deletionOptions,
  ...declareFormatOptions(formatOptions, ({ isFile }, text) => (isFile ? readOptionFile(text) : text)),
  accept: option(
    'kinds',
    `all personal data that schedules may publish: ${redactionKinds.join(', ')}, separated by commas, or off`,
    parseAcceptedKinds,
  ),
  ...redactionOptions,
};

// Names of formats' options are texts for the compiler, and would make all others unknown.
export const sourceOptions: Pick<
  typeof allOptions,
  'url' | 'every' | 'timeZone' | 'accept' | keyof typeof deletionOptions | keyof typeof redactionOptions
> = allOptions;

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
interface SourceEdits {
  url?: string | null | undefined;
  /** Milliseconds. */
  every?: number | null | undefined;
  timeZone?: string | null | undefined;
  maxDeleted?: number | null | undefined;
  redact?: readonly RedactionKind[] | null | undefined;
  redactCountry?: string | null | undefined;
  redactPatterns?: Readonly<Record<string, string>> | null | undefined;
  accept?: readonly RedactionKind[] | null | undefined;
}

export function editDefinition(before: SourceDefinition, edits: SourceEdits): SourceDefinition {
  const choose = <Value>(wanted: Value | undefined, stored: Value) =>
    wanted === undefined ? stored : wanted;
  const { kinds, country, patterns, accepted } = before.redaction;
  return {
    ...before,
    url: choose(edits.url, before.url),
    // Only a source with an address has a schedule.
    intervalMs: choose(edits.every, edits.url === null ? null : before.intervalMs),
    timeZone: choose(edits.timeZone, before.timeZone),
    maxDeletedPercent: choose(edits.maxDeleted, before.maxDeletedPercent),
    redaction: {
      kinds: choose(edits.redact, kinds),
      country: choose(edits.redactCountry, country),
      patterns: choose(edits.redactPatterns, patterns) ?? {},
      accepted: choose(edits.accept, accepted) ?? undefined,
    },
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

/** By the name of the option, for `--clear`. */
export const clearableFields: ReadonlyMap<string, Clear> = new Map([
  ['url', clear({ url: null })],
  ['every', clear({ every: null })],
  ['time-zone', clear({ timeZone: null })],
  ['delete-missing', clear({ maxDeleted: null })],
  ['redact', clear({ redact: null })],
  ['redact-country', clear({ redactCountry: null })],
  ['redact-patterns', clear({ redactPatterns: null })],
  ['key', clearKey],
  ...Object.keys(formatOptions).map((name): [string, Clear] => [
    toFlagName(name).slice(2),
    ({ options: { [name]: _, ...options }, ...definition }) => ({ ...definition, options }),
  ]),
]);
