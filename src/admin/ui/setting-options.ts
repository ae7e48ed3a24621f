/** Time zones, languages and licences that text fields suggest. */
import { languages } from '../../domain/published-words.ts';
import type { PageContext } from '../page-context.ts';
import type { Suggestion } from './data-list.ts';

const timeZones = Intl.supportedValuesOf('timeZone').map((value) => ({ value }));

/** IANA names. */
export const listTimeZoneOptions = (): readonly Suggestion[] => timeZones;

/** Languages of words in published data, with their names. */
export const listLanguageOptions = ({ language }: PageContext): Suggestion[] => {
  const names = new Intl.DisplayNames(language, { type: 'language' });
  return languages.map((value) => ({ value, label: names.of(value) ?? value }));
};

/** Usual licences of open data in Germany and Europe, by SPDX identifier. */
const licenseUrls = {
  'DL-DE-BY-2.0': 'https://www.govdata.de/dl-de/by-2-0',
  'DL-DE-ZERO-2.0': 'https://www.govdata.de/dl-de/zero-2-0',
  'CC-BY-4.0': 'https://creativecommons.org/licenses/by/4.0/',
  'CC0-1.0': 'https://creativecommons.org/publicdomain/zero/1.0/',
} as const;

const identifiers = Object.keys(licenseUrls) as (keyof typeof licenseUrls)[];

export const listLicenseOptions = ({ text }: PageContext): Suggestion[] =>
  identifiers.map((value) => ({
    value,
    label: text.organizationSettings.licenses[value],
    related: licenseUrls[value],
  }));

export const listLicenseUrlOptions = ({ text }: PageContext): Suggestion[] =>
  identifiers.map((identifier) => ({
    value: licenseUrls[identifier],
    label: text.organizationSettings.licenses[identifier],
  }));
