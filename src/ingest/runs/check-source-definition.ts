/** Checks the definition of a source before it is stored. */
import {
  isEndpoint,
  maxSourceNameLength,
  maxSourceUrlLength,
  type SourceDefinition,
} from '../../domain/sources/import-source.ts';
import { findRestrictedHost } from '../../domain/sources/portals-that-forbid-republishing.ts';
import { maxIntervalMs } from '../../domain/sources/source-schedule.ts';
import { minIntervalMs } from '../../domain/values/durations.ts';
import { isOneLine } from '../../domain/values/name-and-email-validation.ts';
import { isTimeZone } from '../../domain/values/timestamps.ts';
import { findFormat, formats } from '../formats/format-registry.ts';
import { InputError, runAll } from '../input-error.ts';
import { findPreset, getPresetFormat } from '../presets/presets.ts';
import { resolveAddress } from '../presets/resolve-address.ts';
import { createRedactor } from '../privacy/redaction/create-redactor.ts';
import { compilePatterns } from '../privacy/redaction/pattern-file.ts';
import type { RunSettings } from '../run-settings.ts';
import { parseSourceOptions } from './source-options.ts';

export const isSourceName = (text: string): boolean =>
  isOneLine(text, maxSourceNameLength) && text.trim() === text;

/**
 * @param readOptions default: those of the definition
 * @returns the definition with its URL in normal form
 * @throws InputError with all problems
 */
export async function checkSourceDefinition(
  definition: SourceDefinition,
  settings: Pick<RunSettings, 'downloadNetworks' | 'country'>,
  readOptions = () => definition.options,
): Promise<SourceDefinition> {
  const { reader } = (await formats.find((one) => one.name === definition.format)?.load()) ?? {};
  const { name, intervalMs, timeZone, redaction, maxDeletedPercent } = definition;
  let { url, options } = definition;
  runAll([
    () => {
      if (!isSourceName(name)) throw new InputError({ code: 'source-name-invalid' });
    },
    () => {
      if (url !== null) url = normalizeUrl(url, settings);
    },
    () => {
      if (intervalMs !== null && url === null) throw new InputError({ code: 'source-schedule-without-url' });
      if (intervalMs !== null && !(intervalMs >= minIntervalMs && intervalMs <= maxIntervalMs))
        throw new InputError({ code: 'source-schedule-invalid' });
    },
    () => {
      if (timeZone !== null && !isTimeZone(timeZone))
        throw new InputError({ code: 'source-time-zone-invalid', timeZone });
    },
    () => {
      const format = findFormat(definition.format);
      if (maxDeletedPercent !== null && (format.isPartialInput || isEndpoint(definition)))
        throw new InputError({ code: 'source-cannot-delete', format: format.name });
    },
    () => {
      options = readOptions();
      const restricted = url === null || options.mayRepublish ? undefined : findRestrictedHost(url);
      if (restricted !== undefined) throw new InputError({ code: 'source-terms-forbid', ...restricted });
      // A format that needs a mapping reports a missing one.
      if (reader === undefined) return;
      const parsed = parseSourceOptions({ ...definition, url, options }, reader);
      reader.listMappings(parsed);
      const preset = findPreset(parsed);
      if (parsed.changedColumn !== undefined && preset?.changes === undefined)
        throw new InputError({ code: 'changed-column-unused', system: preset?.title });
      if (preset === undefined || url === null || !URL.canParse(url)) return;
      const format = getPresetFormat(preset);
      if (definition.format !== format)
        throw new InputError({ code: 'system-of-other-format', system: preset.title, format });
      url = resolveAddress(preset, new URL(url)).href;
    },
    () => {
      createRedactor({
        kinds: redaction.kinds ?? [],
        country: redaction.country ?? settings.country,
        patterns: compilePatterns(redaction.patterns),
        language: 'en',
      });
    },
  ]);
  return { ...definition, url, options };
}

function normalizeUrl(text: string, { downloadNetworks }: Pick<RunSettings, 'downloadNetworks'>): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttpAllowed = downloadNetworks.length > 0;
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isHttpAllowed))
    throw new InputError({ code: 'url-not-https', url: text });
  if (url.username !== '' || url.password !== '') throw new InputError({ code: 'url-with-password' });
  url.hash = '';
  if (url.href.length > maxSourceUrlLength)
    throw new InputError({ code: 'url-too-long', max: maxSourceUrlLength });
  return url.href;
}
