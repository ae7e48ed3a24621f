/** Options of `source add` and `source edit`: from flags to the definition of a source. */
import { settings } from '../config/settings.ts';
import {
  type RedactionKind,
  redactionKinds,
  type SourceDefinition,
  type SourceRedaction,
} from '../domain/import-source.ts';
import type { FormatOption } from '../import/format-definition.ts';
import { formats } from '../import/format-registry.ts';
import { InputError } from '../import/input-error.ts';
import { readOptionFile } from '../import/readers/option-file.ts';
import { readPatternFile } from '../import/redaction/pattern-file.ts';
import { endpointOptions, getOptionName } from '../runs/source-options.ts';
import { option, type Values } from './define-command.ts';
import {
  declareFormatOptions,
  defaultMaxDeleted,
  deletionOptions,
  redactionOptions,
  timeZone,
} from './import-options.ts';
import { parseSourceInterval } from './option-parsers.ts';

/** The options of all formats. Options of the same name have the same meaning. */
const formatOptions: ReadonlyMap<string, FormatOption> = new Map(
  [...formats.flatMap(({ options = [] }) => options), ...endpointOptions].map((option) => [
    getOptionName(option),
    option,
  ]),
);

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
  ...declareFormatOptions([...formatOptions.values()], ({ isFile }, text) =>
    isFile ? readOptionFile(text) : text,
  ),
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
      .filter(([name]) => formatOptions.has(name))
      .map(([name, value]) => [name, String(value)]),
  );
}

/** @throws InputError for an invalid redaction */
export function applyFlags(before: SourceDefinition, flags: SourceFlags): SourceDefinition {
  const deletesMissing = flags.deleteMissing ?? before.maxDeletedPercent !== null;
  if (flags.maxDeleted !== undefined && !deletesMissing) throw new InputError({ code: 'max-deleted-alone' });
  return {
    ...before,
    url: flags.url ?? before.url,
    intervalMs: flags.every ?? before.intervalMs,
    timeZone: flags.timeZone ?? before.timeZone,
    maxDeletedPercent: deletesMissing
      ? (flags.maxDeleted ?? before.maxDeletedPercent ?? defaultMaxDeleted)
      : null,
    redaction: applyRedactionFlags(before.redaction, flags),
    options: { ...before.options, ...listGivenOptions(flags) },
  };
}

function applyRedactionFlags(
  before: SourceRedaction,
  { redact, redactCountry, redactPatterns, accept }: SourceFlags,
): SourceRedaction {
  const parse = <Value>(flag: string, text: string, parser: (text: string) => Value): Value => {
    try {
      return parser(text);
    } catch (error) {
      throw new InputError({ code: 'flag-invalid', flag, problem: (error as Error).message });
    }
  };
  return {
    kinds: redact === undefined ? before.kinds : (parse('--redact', redact, settings.redact.parse) ?? null),
    country:
      redactCountry === undefined
        ? before.country
        : (parse('--redact-country', redactCountry, settings.redactCountry.parse) ?? null),
    patterns:
      redactPatterns === undefined
        ? before.patterns
        : Object.fromEntries(
            [...readPatternFile(redactPatterns)].map(([name, { source }]) => [name, source]),
          ),
    accepted: accept ?? before.accepted,
  };
}

const clearers: ReadonlyMap<string, (definition: SourceDefinition) => SourceDefinition> = new Map([
  ['url', (one) => ({ ...one, url: null, intervalMs: null })],
  ['every', (one) => ({ ...one, intervalMs: null })],
  ['time-zone', (one) => ({ ...one, timeZone: null })],
  ['delete-missing', (one) => ({ ...one, maxDeletedPercent: null })],
  ['redact', (one) => ({ ...one, redaction: { ...one.redaction, kinds: null } })],
  ['redact-country', (one) => ({ ...one, redaction: { ...one.redaction, country: null } })],
  ['redact-patterns', (one) => ({ ...one, redaction: { ...one.redaction, patterns: {} } })],
]);

/** By the name of the option, for `--clear`. */
export const clearableFields: typeof clearers = new Map([
  ...clearers,
  ...[...formatOptions].map(([name, option]) => {
    const flag = /--([\w-]+)/.exec(option.flags)?.[1] ?? name;
    const clear = (definition: SourceDefinition): SourceDefinition => {
      const { [name]: _, ...options } = definition.options;
      return { ...definition, options };
    };
    return [flag, clear] as const;
  }),
]);
