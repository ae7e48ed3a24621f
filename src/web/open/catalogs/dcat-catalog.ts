/** Describes what municipalities publish to everyone, by DCAT-AP 3.0 and DCAT-AP.de 3.0. */

import { dataPackageName, tablesByKind } from '../../../contract/dataset/tables.ts';
import { recordKinds } from '../../../contract/resources/changes.ts';
import type { License } from '../../../contract/resources/organization.ts';
import { findUsualLicense } from '../../../domain/organizations/licenses.ts';
import type { OpenDataOrganization } from '../../../domain/organizations/organization.ts';
import type { Language } from '../../../domain/organizations/placeholder-words.ts';
import {
  findExtentDays,
  type KindExtent,
  type UpdateInterval,
} from '../../../domain/records/published-extent.ts';
import type { RecordKind } from '../../../domain/records/records.ts';
import type { RecordLicenses } from '../../../domain/records/source-licenses.ts';
import { createLocalDays, isTimeZone } from '../../../domain/values/timestamps.ts';
import { type DownloadForm, hasRows, type OpenFile, openFiles } from '../open-files.ts';
import { locateApi } from './api-catalog.ts';
import {
  apiTexts,
  catalogTexts,
  composeCatalogDescription,
  composeInstallationTexts,
  datasetTexts,
  formTexts,
  tableTexts,
  termLabels,
} from './catalog-texts.ts';
import type { LocalizedText, Resource } from './rdf.ts';

export interface CatalogContext {
  /** Origin at which clients reach this installation. */
  publicUrl: string;
  /** Of municipalities without a language of their own. */
  language: Language;
}

const locateTerm = (vocabulary: string, code: string) =>
  `http://publications.europa.eu/resource/authority/${vocabulary}/${code}`;

const themes = {
  government: locateTerm('data-theme', 'GOVE'),
  society: locateTerm('data-theme', 'SOCI'),
};

const themeTaxonomy = 'http://publications.europa.eu/resource/authority/data-theme';
const localAuthority = 'http://purl.org/adms/publishertype/LocalAuthority';
const everyone = locateTerm('access-right', 'PUBLIC');
const keyHolders = locateTerm('access-right', 'RESTRICTED');

const languageTerms: Readonly<Record<Language, string>> = {
  de: locateTerm('language', 'DEU'),
  en: locateTerm('language', 'ENG'),
  fr: locateTerm('language', 'FRA'),
  es: locateTerm('language', 'SPA'),
  ca: locateTerm('language', 'CAT'),
  it: locateTerm('language', 'ITA'),
  nl: locateTerm('language', 'NLD'),
  pl: locateTerm('language', 'POL'),
};

const themesByKind: Readonly<Record<RecordKind, readonly string[]>> = {
  submission: [themes.government, themes.society],
  session: [themes.government],
  survey: [themes.government, themes.society],
};

const csvType = 'https://www.iana.org/assignments/media-types/text/csv';
const geoJsonMediaType = 'https://www.iana.org/assignments/media-types/application/geo+json';

/** IANA has no type for NDJSON. */
const formTerms: Readonly<Record<DownloadForm, Pick<Resource, 'format' | 'mediaType'>>> = {
  csv: { format: locateTerm('file-type', 'CSV'), mediaType: csvType },
  excel: { format: locateTerm('file-type', 'CSV'), mediaType: csvType },
  'excel-comma': { format: locateTerm('file-type', 'CSV'), mediaType: csvType },
  ndjson: { format: locateTerm('file-type', 'JSON') },
  geojson: { format: locateTerm('file-type', 'GEOJSON'), mediaType: geoJsonMediaType },
};

/** The classes that DCAT-AP requires of terms, because not every reader loads the vocabularies. */
const terms: readonly Resource[] = [
  { id: themes.government, type: 'skos:Concept', prefLabel: termLabels.government },
  { id: themes.society, type: 'skos:Concept', prefLabel: termLabels.society },
  { id: themeTaxonomy, type: 'skos:ConceptScheme', title: termLabels.themes },
  { id: localAuthority, type: 'skos:Concept', prefLabel: termLabels.localAuthority },
  { id: everyone, type: 'dct:RightsStatement' },
  { id: keyHolders, type: 'dct:RightsStatement' },
  { id: locateTerm('file-type', 'CSV'), type: 'dct:MediaTypeOrExtent' },
  { id: locateTerm('file-type', 'JSON'), type: 'dct:MediaTypeOrExtent' },
  { id: locateTerm('file-type', 'GEOJSON'), type: 'dct:MediaTypeOrExtent' },
  { id: csvType, type: 'dct:MediaType' },
  { id: geoJsonMediaType, type: 'dct:MediaType' },
  ...Object.values(languageTerms).map((id): Resource => ({ id, type: 'dct:LinguisticSystem' })),
];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Codes by milliseconds between updates. */
const frequencies = new Map([
  [minuteMs, '1MIN'],
  [5 * minuteMs, '5MIN'],
  [10 * minuteMs, '10MIN'],
  [15 * minuteMs, '15MIN'],
  [30 * minuteMs, '30MIN'],
  [hourMs, 'HOURLY'],
  [2 * hourMs, 'BIHOURLY'],
  [3 * hourMs, 'TRIHOURLY'],
  [12 * hourMs, '12HRS'],
  [dayMs, 'DAILY'],
  [7 * dayMs, 'WEEKLY'],
  [14 * dayMs, 'BIWEEKLY'],
  ...[28, 29, 30, 31].map((days): [number, string] => [days * dayMs, 'MONTHLY']),
]);

/** `OTHER` is another regular interval. */
const locateFrequency = (interval: UpdateInterval) =>
  locateTerm('frequency', interval === 'irregular' ? 'IRREG' : (frequencies.get(interval) ?? 'OTHER'));

/** Languages of the texts of a catalogue. */
const textLanguages = [languageTerms.de, languageTerms.en];

const appendName = ({ de, en }: LocalizedText, name: string): LocalizedText => ({
  de: `${de} – ${name}`,
  en: `${en} – ${name}`,
});

const appendForm = ({ de, en }: LocalizedText, form: LocalizedText): LocalizedText => ({
  de: `${de} (${form.de})`,
  en: `${en} (${form.en})`,
});

/** @param address of the open data of a municipality, or of the installation */
const createIdentifier = (address: string) => (fragment: string) => `${address}#${fragment}`;

type Shared = Pick<Resource, 'publisher' | 'contactPoint' | 'language' | 'license' | 'spatial'>;

/** @returns undefined without an address at which somebody can be reached */
function describeContact({ name, contact }: OpenDataOrganization, id: string): Resource | undefined {
  if (contact === null || (contact.email ?? contact.url) === null) return undefined;
  return {
    id,
    type: 'vcard:Kind',
    formattedName: contact.name ?? name,
    hasEmail: contact.email === null ? undefined : `mailto:${encodeEmail(contact.email)}`,
    hasURL: contact.url ?? undefined,
  };
}

/** RFC 6068 */
const encodeEmail = (email: string) => email.split('@').map(encodeURIComponent).join('@');

interface DescribedLicense {
  document: Resource;
  attribution: string | undefined;
}

/** @param ownId of a licence that is known by its name only */
function describeLicense(license: License, ownId: string): Resource {
  const id = findUsualLicense(license)?.catalogUri ?? license.url ?? ownId;
  return { id, type: 'dct:LicenseDocument', title: license.name ?? undefined };
}

function describeOwnLicense(
  { name, license, attribution }: OpenDataOrganization,
  ownId: string,
): DescribedLicense {
  const usual = findUsualLicense(license);
  return {
    document: describeLicense(license, ownId),
    attribution:
      usual === undefined
        ? (attribution ?? undefined)
        : usual.requiresAttribution
          ? (attribution ?? name)
          : undefined,
  };
}

/** @returns the first and the last day of the records; undefined without times */
function describePeriod(
  kind: RecordKind,
  extent: KindExtent,
  timeZone: string,
  id: string,
): Resource | undefined {
  // Another version of Node.js may have stored a zone that this one does not know.
  const findDay = createLocalDays(isTimeZone(timeZone) ? timeZone : 'UTC');
  const days = findExtentDays(kind, extent, findDay);
  return days === null
    ? undefined
    : { id, type: 'dct:PeriodOfTime', startDate: days.first, endDate: days.last };
}

/**
 * A distribution has one licence. If the sources of its records disagree, it is that of the municipality, and the attribution names
 * the sources with another one.
 */
function chooseLicense(
  { sources, hasOthers }: RecordLicenses,
  own: DescribedLicense,
  identify: (fragment: string) => string,
): DescribedLicense {
  const [first, ...others] = sources.map(({ license }) =>
    describeLicense(license, identify(`license-${encodeURIComponent(license.name ?? '')}`)),
  );
  if (first === undefined) return own;
  if (!hasOthers && others.every(({ id }) => id === first.id)) {
    const isFree = sources.every(({ license }) => findUsualLicense(license)?.requiresAttribution === false);
    return { document: first, attribution: isFree ? undefined : sources.map(({ name }) => name).join('; ') };
  }
  const named = sources.map(({ name, license }) => `${name} (${license.name ?? license.url})`);
  return { document: own.document, attribution: [own.attribution, ...named].filter(Boolean).join('; ') };
}

function describeDownload(
  [fileName, { download }]: [string, OpenFile],
  address: string,
  { language }: Shared,
  license: DescribedLicense,
): Resource[] {
  if (download === undefined) return [];
  const { table, form } = download;
  const title = tableTexts[table];
  const distribution: Resource = {
    id: createIdentifier(address)(fileName),
    type: 'dcat:Distribution',
    title: title && appendForm(title, formTexts[form].name),
    description: formTexts[form].description,
    accessURL: `${address}/${fileName}`,
    downloadURL: `${address}/${fileName}`,
    ...formTerms[form],
    language,
    license: license.document.id,
    licenseAttributionByText: license.attribution,
  };
  return [distribution];
}

function describeDataset(
  kind: RecordKind,
  { id: organizationId, name, timeZone, extent }: OpenDataOrganization,
  address: string,
  shared: Shared,
  license: DescribedLicense,
): Resource[] {
  const ofKind = extent.extents[kind];
  if (ofKind === undefined) return [];
  const [{ name: fragment }] = tablesByKind[kind];
  const { title, description, keywords } = datasetTexts[kind];
  const distributions = [...openFiles]
    .filter(([, { download }]) => download?.kind === kind && hasRows(download, extent))
    .flatMap((file) => describeDownload(file, address, shared, license));
  const { publisher, contactPoint, language, spatial } = shared;
  const identify = createIdentifier(address);
  const period = describePeriod(kind, ofKind, timeZone, identify(`${fragment}-period`));
  const frequency = ofKind.updateInterval === null ? undefined : locateFrequency(ofKind.updateInterval);
  const dataset: Resource = {
    id: identify(fragment),
    type: 'dcat:Dataset',
    // It stays the same when the slug changes.
    identifier: `${organizationId}/${fragment}`,
    title: appendName(title, name),
    description,
    keyword: keywords,
    theme: themesByKind[kind],
    publisher,
    contactPoint,
    language,
    spatial,
    temporal: period?.id,
    modified: ofKind.changedAt ?? undefined,
    frequency,
    accessRights: everyone,
    landingPage: address,
    page: `${address}/${dataPackageName}`,
    distribution: distributions.map(({ id }) => id),
  };
  return [
    dataset,
    ...distributions,
    license.document,
    ...(period === undefined ? [] : [period]),
    ...(frequency === undefined ? [] : [{ id: frequency, type: 'dct:Frequency' } as const]),
  ];
}

function describeApi(
  { name, extent }: OpenDataOrganization,
  id: string,
  datasets: readonly Resource[],
  publicUrl: string,
  { publisher, contactPoint, license }: Shared,
): Resource[] {
  const { endpoint, openapi, documentation } = locateApi(publicUrl);
  const service: Resource = {
    id,
    type: 'dcat:DataService',
    title: appendName(apiTexts.title, name),
    description: apiTexts.description,
    keyword: joinKeywords(extent.kinds),
    theme: themes.government,
    publisher,
    contactPoint,
    license,
    accessRights: keyHolders,
    endpointURL: endpoint,
    endpointDescription: openapi,
    landingPage: documentation,
    servesDataset: datasets.map((dataset) => dataset.id),
  };
  return [service, { id: documentation, type: 'foaf:Document' }];
}

/** Each once. */
const joinKeywords = (kinds: readonly RecordKind[]) => {
  const join = (language: keyof LocalizedText) => [
    ...new Set(kinds.flatMap((kind) => datasetTexts[kind].keywords[language])),
  ];
  return { de: join('de'), en: join('en') };
};

const isDataset = ({ type }: Resource) => type === 'dcat:Dataset';
const isLicense = ({ type }: Resource) => type === 'dct:LicenseDocument';

/** The catalogue of one municipality. */
export function describeMunicipality(
  organization: OpenDataOrganization,
  address: string,
  { publicUrl, language: defaultLanguage }: CatalogContext,
): Resource[] {
  const { name, language, extent } = organization;
  const identify = createIdentifier(address);
  const publisher: Resource = {
    id: identify('publisher'),
    type: 'foaf:Agent',
    name,
    agentType: localAuthority,
  };
  const place: Resource = { id: identify('place'), type: 'dct:Location', prefLabel: name };
  const contact = describeContact(organization, identify('contact'));
  const license = describeOwnLicense(organization, identify('license'));
  const shared: Shared = {
    publisher: publisher.id,
    contactPoint: contact?.id,
    language: languageTerms[language ?? defaultLanguage],
    license: license.document.id,
    spatial: place.id,
  };
  const described = recordKinds.flatMap((kind) => {
    const ofRecords = chooseLicense(organization.licenses[kind], license, identify);
    return describeDataset(kind, organization, address, shared, ofRecords);
  });
  const datasets = described.filter(isDataset);
  const service = describeApi(organization, identify('api'), datasets, publicUrl, shared);
  const catalog: Resource = {
    id: identify('catalog'),
    type: 'dcat:Catalog',
    title: appendName(catalogTexts.title, name),
    description: composeCatalogDescription(extent.kinds),
    publisher: publisher.id,
    language: textLanguages,
    themeTaxonomy,
    homepage: address,
    dataset: datasets.map(({ id }) => id),
    service: identify('api'),
  };
  const documents = [address, `${address}/${dataPackageName}`].map(
    (id): Resource => ({ id, type: 'foaf:Document' }),
  );
  return [
    catalog,
    ...described,
    ...service,
    publisher,
    ...(datasets.length > 0 ? [place] : []),
    ...(contact ? [contact] : []),
    license.document,
    ...documents,
    ...terms,
  ];
}

interface PageLinks {
  /** Of the page itself. */
  address: string;
  first: string;
  next: string | undefined;
}

/** A page of the catalogue of all municipalities. Harvesters follow `next` (ckanext-dcat) or the older `nextPage`. */
export function describeInstallation(
  municipalities: readonly Resource[][],
  { address, first, next }: PageLinks,
  { publicUrl }: CatalogContext,
): Resource[] {
  const { title, description, operator } = composeInstallationTexts(new URL(publicUrl).host);
  const identify = createIdentifier(publicUrl);
  const publisher = identify('publisher');
  const all = municipalities.flat();
  const listIds = (type: Resource['type']) => all.filter((one) => one.type === type).map((one) => one.id);
  return [
    {
      id: identify('catalog'),
      type: 'dcat:Catalog',
      title,
      description,
      publisher,
      language: textLanguages,
      themeTaxonomy,
      catalog: listIds('dcat:Catalog'),
      dataset: listIds('dcat:Dataset'),
      service: listIds('dcat:DataService'),
      view: address,
    },
    {
      id: address,
      type: ['hydra:PartialCollectionView', 'hydra:PagedCollection'],
      first,
      firstPage: first,
      next,
      nextPage: next,
    },
    { id: publisher, type: 'foaf:Agent', name: operator, homepage: publicUrl },
    { id: publicUrl, type: 'foaf:Document' },
    ...all.filter((one) => !isLicense(one)),
    // Last, because the first description counts: the address of a licence could be that of another municipality's data.
    ...all.filter(isLicense),
    ...terms,
  ];
}
