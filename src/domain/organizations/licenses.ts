/** Usual licences of open data in Germany and Europe, and the licence in the options of a source. */
import type { License } from '../../contract/resources/organization.ts';
import { organizationFields } from './organization-fields.ts';

interface UsualLicense {
  url: string;
  /** In the vocabulary of DCAT-AP.de: http://dcat-ap.de/def/licenses */
  catalogUri: string;
  /** Reusers must name the source. */
  requiresAttribution: boolean;
}

/** By SPDX identifier. */
export const usualLicenses = {
  'DL-DE-BY-2.0': {
    url: 'https://www.govdata.de/dl-de/by-2-0',
    catalogUri: 'http://dcat-ap.de/def/licenses/dl-by-de/2.0',
    requiresAttribution: true,
  },
  'DL-DE-ZERO-2.0': {
    url: 'https://www.govdata.de/dl-de/zero-2-0',
    catalogUri: 'http://dcat-ap.de/def/licenses/dl-zero-de/2.0',
    requiresAttribution: false,
  },
  'CC-BY-4.0': {
    url: 'https://creativecommons.org/licenses/by/4.0/',
    catalogUri: 'http://dcat-ap.de/def/licenses/cc-by/4.0',
    requiresAttribution: true,
  },
  'CC0-1.0': {
    url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    catalogUri: 'http://dcat-ap.de/def/licenses/cc-zero',
    requiresAttribution: false,
  },
} as const satisfies Record<string, UsualLicense>;

/** The same for every spelling of an identifier: `dl-de/by-2-0` is DL-DE-BY-2.0. */
export const normalizeLicenseName = (name: string): string =>
  name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const normalizeUrl = (url: string) =>
  url
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/(?<!\/)\/+$/, '');

/** By name; a licence without one by its address. */
export function findUsualLicense({ name, url }: License): UsualLicense | undefined {
  const found = Object.entries(usualLicenses).find(([identifier, usual]) =>
    name === null
      ? url !== null && normalizeUrl(url) === normalizeUrl(usual.url)
      : normalizeLicenseName(name) === normalizeLicenseName(identifier),
  );
  return found?.[1];
}

/** @param options of a source @returns null without a licence: the records have that of the municipality */
export function readLicense({
  licenseName = '',
  licenseUrl = '',
}: Readonly<Record<string, string>>): License | null {
  const license = {
    name: organizationFields.declared.licenseName.parse(licenseName) ?? null,
    url: organizationFields.declared.licenseUrl.parse(licenseUrl) ?? null,
  };
  return (license.name ?? license.url) === null ? null : license;
}
