/** Checks the definition of a source before it is stored. */
import type { Config } from '../config/settings.ts';
import { maxIntervalMs, minIntervalMs, type SourceDefinition } from '../domain/import-source.ts';
import { isTimeZone } from '../domain/timestamps.ts';
import { InputError, runAll } from '../import/input-error.ts';
import { createRedactor } from '../import/redaction/create-redactor.ts';
import { compilePatterns } from '../import/redaction/pattern-file.ts';
import { findFormat, isEndpoint, parseSourceOptions } from './source-options.ts';

const maxUrlLength = 2_048;

export const isSourceName = (text: string): boolean => /^\S(?:.{0,98}\S)?$/u.test(text);

/**
 * @param readOptions default: those of the definition
 * @returns the definition with its URL in normal form
 * @throws InputError with an English sentence on each problem
 */
export function checkDefinition(
  definition: SourceDefinition,
  settings: Pick<Config, 'downloadNetworks'>,
  readOptions = () => definition.options,
): SourceDefinition {
  const { name, intervalMs, timeZone, redaction, maxDeletedPercent } = definition;
  let { url, options } = definition;
  runAll([
    () => {
      if (!isSourceName(name))
        throw new InputError(
          'The name of a source must have 1 to 100 characters, without spaces around it or line breaks.',
        );
    },
    () => {
      if (url !== null) url = normalizeUrl(url, settings);
    },
    () => {
      if (intervalMs !== null && url === null)
        throw new InputError('Only a source with an address can have a schedule.');
      if (intervalMs !== null && !(intervalMs >= minIntervalMs && intervalMs <= maxIntervalMs))
        throw new InputError('The schedule must be from one minute to 31 days.');
    },
    () => {
      if (timeZone !== null && !isTimeZone(timeZone))
        throw new InputError(`"${timeZone}" is not a time zone such as Europe/Berlin.`);
    },
    () => {
      const format = findFormat(definition.format);
      if (maxDeletedPercent !== null && (format.isPartialInput || isEndpoint(definition)))
        throw new InputError(`Imports of the format ${format.name} cannot delete missing records here.`);
    },
    () => {
      options = readOptions();
      const parsed = parseSourceOptions({ ...definition, url, options });
      // A format that needs a mapping reports a missing one.
      findFormat(definition.format).getMappings?.(parsed);
    },
    () => {
      createRedactor({
        kinds: redaction.kinds ?? [],
        country: redaction.country ?? 'DE',
        patterns: compilePatterns(redaction.patterns),
        language: 'en',
      });
    },
  ]);
  return { ...definition, url, options };
}

function normalizeUrl(text: string, { downloadNetworks }: Pick<Config, 'downloadNetworks'>): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttpAllowed = downloadNetworks.length > 0;
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isHttpAllowed))
    throw new InputError(`"${text}" is not an https URL.`);
  if (url.username !== '' || url.password !== '')
    throw new InputError('The URL must not contain a user name or password, because it is stored and shown.');
  url.hash = '';
  if (url.href.length > maxUrlLength)
    throw new InputError(`The URL has more than ${maxUrlLength} characters.`);
  return url.href;
}
