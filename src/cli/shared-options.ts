/** Options that several commands share, and parsers of option values. */
import { InvalidArgumentError, Option } from 'commander';
import { type SettingName, settings, toFlagName } from '../config/settings.ts';
import {
  maxIntervalMs as maxSourceIntervalMs,
  minIntervalMs as minSourceIntervalMs,
} from '../domain/import-source.ts';
import { isValidName } from '../domain/name-validation.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { didYouMean } from '../text/did-you-mean.ts';
import { CommandError } from './command-error.ts';

export function createSettingOption(name: SettingName): Option {
  const { value, description, default: fallback } = settings[name];
  const text = fallback === '' ? description : `${description} (default: ${fallback})`;
  return new Option(`${toFlagName(name)} <${value}>`, text.replaceAll('`', ''));
}

export function createJsonOption(): Option {
  return new Option('--json', 'print JSON');
}

/** @param condition follows "if" */
export function createIfMissingOption(condition: string): Option {
  return new Option('--if-missing', `succeed and change nothing if ${condition}`);
}

export function createOrganizationOption(): Option {
  return new Option('--organization <name|id>', 'the municipality, by name or id').makeOptionMandatory();
}

export function createOrganizationFilterOption(): Option {
  return new Option('--organization <name|id>', 'only those of one municipality');
}

/** Turns a parser of settings, whose message follows "must", into a parser of option values. */
export function toOptionParser<Value>(parse: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(`It must ${(error as Error).message}.`);
    }
  };
}

const unitsMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds */
export function parseDuration(text: string): number {
  if (text === '0') return 0;
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const unitMs = unitsMs[unit];
  if (unitMs === undefined) throw new InvalidArgumentError('It must be a duration such as 30m, 12h or 7d.');
  return Number(count) * unitMs;
}

const minIntervalMs = 60_000;
/** Node.js timers overflow after 24 days. */
const maxIntervalMs = 14 * 86_400_000;

/** For `--every`. @returns milliseconds */
export function parseInterval(text: string): number {
  const intervalMs = parseDuration(text);
  if (intervalMs >= minIntervalMs && intervalMs <= maxIntervalMs) return intervalMs;
  throw new InvalidArgumentError('It must be a duration from 1m to 14d.');
}

/** As `parseInterval`, without the limit of timers. @returns milliseconds */
export function parseSourceInterval(text: string): number {
  const intervalMs = parseDuration(text);
  if (intervalMs >= minSourceIntervalMs && intervalMs <= maxSourceIntervalMs) return intervalMs;
  throw new InvalidArgumentError('It must be a duration from 1m to 31d.');
}

/** @throws CommandError */
export function parseHttpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol))
    throw new CommandError(`"${text}" is not an http or https URL.`, exitCodes.usage);
  if (url.username === '' && url.password === '') return url;
  throw new CommandError(
    'The URL must not contain a user name or password, because it is stored and shown.',
    exitCodes.usage,
  );
}

/** For `--clear`. @param removable fields by the name of their option */
export function createClearParser<Field>(removable: ReadonlyMap<string, Field>): (text: string) => Field[] {
  const names = [...removable.keys()];
  return (text) =>
    text.split(',').map((part) => {
      const name = part.trim();
      const field = removable.get(name);
      if (field !== undefined) return field;
      const near = didYouMean(name, names);
      throw new InvalidArgumentError(
        near === undefined ? `It must be some of ${names.join(', ')}.` : `Did you mean ${near}?`,
      );
    });
}

/** @throws CommandError unless the text has 1 to 200 characters, none of them a control character */
export function parseName(text: string, what: string): string {
  if (isValidName(text)) return text;
  throw new CommandError(
    `${what} must have 1 to 200 characters, none of them a control character.`,
    exitCodes.usage,
  );
}
