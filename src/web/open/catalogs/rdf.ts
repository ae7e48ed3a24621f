/** Descriptions of resources in the words of DCAT, and their two syntaxes. */
import { isSliceUsedUp, mapInSlices, waitForSlice } from '../../../platform/time-slices.ts';

const prefixes = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dcatde: 'http://dcat-ap.de/def/dcatde/',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  hydra: 'http://www.w3.org/ns/hydra/core#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
} as const;

type PrefixedName = `${keyof typeof prefixes}:${string}`;

/** By the name in JSON-LD: the property, and whether its value is a text, the IRI of another resource, or a literal of a type. */
const properties = {
  accessRights: ['dct:accessRights', 'iri'],
  accessURL: ['dcat:accessURL', 'iri'],
  agentType: ['dct:type', 'iri'],
  catalog: ['dcat:catalog', 'iri'],
  contactPoint: ['dcat:contactPoint', 'iri'],
  dataset: ['dcat:dataset', 'iri'],
  description: ['dct:description', 'text'],
  distribution: ['dcat:distribution', 'iri'],
  downloadURL: ['dcat:downloadURL', 'iri'],
  endDate: ['dcat:endDate', 'xsd:date'],
  endpointDescription: ['dcat:endpointDescription', 'iri'],
  endpointURL: ['dcat:endpointURL', 'iri'],
  first: ['hydra:first', 'iri'],
  firstPage: ['hydra:firstPage', 'iri'],
  formattedName: ['vcard:fn', 'text'],
  format: ['dct:format', 'iri'],
  frequency: ['dct:accrualPeriodicity', 'iri'],
  hasEmail: ['vcard:hasEmail', 'iri'],
  hasURL: ['vcard:hasURL', 'iri'],
  homepage: ['foaf:homepage', 'iri'],
  identifier: ['dct:identifier', 'text'],
  keyword: ['dcat:keyword', 'text'],
  landingPage: ['dcat:landingPage', 'iri'],
  language: ['dct:language', 'iri'],
  license: ['dct:license', 'iri'],
  licenseAttributionByText: ['dcatde:licenseAttributionByText', 'text'],
  mediaType: ['dcat:mediaType', 'iri'],
  modified: ['dct:modified', 'xsd:dateTime'],
  name: ['foaf:name', 'text'],
  next: ['hydra:next', 'iri'],
  nextPage: ['hydra:nextPage', 'iri'],
  page: ['foaf:page', 'iri'],
  prefLabel: ['skos:prefLabel', 'text'],
  publisher: ['dct:publisher', 'iri'],
  service: ['dcat:service', 'iri'],
  servesDataset: ['dcat:servesDataset', 'iri'],
  spatial: ['dct:spatial', 'iri'],
  startDate: ['dcat:startDate', 'xsd:date'],
  temporal: ['dct:temporal', 'iri'],
  theme: ['dcat:theme', 'iri'],
  themeTaxonomy: ['dcat:themeTaxonomy', 'iri'],
  title: ['dct:title', 'text'],
  view: ['hydra:view', 'iri'],
} as const satisfies Record<string, [PrefixedName, keyof Values]>;

type Property = keyof typeof properties;

/** By language. */
export interface LocalizedText<Text = string> {
  de: Text;
  en: Text;
}

interface Values {
  text: string | LocalizedText<string | readonly string[]>;
  iri: string | readonly string[];
  'xsd:date': string;
  'xsd:dateTime': string;
}

export type Resource = {
  readonly [Name in Property]?: Values[(typeof properties)[Name][1]] | undefined;
} & {
  /** Its IRI. */
  id: string;
  type: PrefixedName | readonly PrefixedName[];
};

type Value = Values[keyof Values];

/** Without the values that are undefined. */
const listValues = ({ id: _, type: __, ...values }: Resource) =>
  Object.entries(values).filter(([, value]) => value !== undefined) as [Property, Value][];

/** Characters that no IRI has, and that would end it in Turtle. */
const encodeIri = (iri: string) => iri.replace(/[\p{Cc} "<>\\^`{|}]/gu, encodeURIComponent);

const mapOneOrMore = (value: string | readonly string[], map: (one: string) => string) =>
  typeof value === 'string' ? map(value) : value.map(map);

/** The first description of a resource counts. */
async function prepare(resources: readonly Resource[]): Promise<Resource[]> {
  const encoded = await mapInSlices(resources, (resource) => ({
    id: encodeIri(resource.id),
    type: resource.type,
    ...Object.fromEntries(
      listValues(resource).map(([name, value]) => [
        name,
        properties[name][1] === 'iri' ? mapOneOrMore(value as Values['iri'], encodeIri) : value,
      ]),
    ),
  }));
  return [...new Map(encoded.toReversed().map((resource) => [resource.id, resource])).values()].toReversed();
}

const context = {
  ...prefixes,
  id: '@id',
  type: '@type',
  ...Object.fromEntries(
    Object.entries(properties).map(([name, [iri, kind]]) => [name, { '@id': iri, ...describeKind(kind) }]),
  ),
};

function describeKind(kind: keyof Values) {
  if (kind === 'text') return { '@container': '@language' };
  return { '@type': kind === 'iri' ? '@id' : kind };
}

async function writeJsonLd(resources: readonly Resource[]): Promise<string> {
  const empty = JSON.stringify({ '@context': context, '@graph': [] }, null, 2);
  const written = await mapInSlices(await prepare(resources), (resource) =>
    JSON.stringify(resource, null, 2).replaceAll(/^/gm, '    '),
  );
  return `${empty.slice(0, empty.lastIndexOf(']'))}\n${written.join(',\n')}\n  ]\n}\n`;
}

function expand(name: PrefixedName): string {
  const [prefix, local] = name.split(':') as [keyof typeof prefixes, string];
  return prefixes[prefix] + local;
}

async function writeTurtle(resources: readonly Resource[]): Promise<string> {
  // Only servers whose catalogue is read load the package (docs/decisions/0081).
  const { DataFactory, Writer } = await import('n3');
  const { literal, namedNode } = DataFactory;
  const toObjects = (name: Property, value: Value) => {
    const [, kind] = properties[name];
    if (kind === 'iri') return [value as Values['iri']].flat().map((iri) => namedNode(iri));
    if (typeof value === 'string')
      return [kind === 'text' ? literal(value) : literal(value, namedNode(expand(kind)))];
    return Object.entries(value).flatMap(([language, texts]) =>
      [texts].flat().map((text) => literal(text, language)),
    );
  };
  const writer = new Writer({ prefixes });
  for (const resource of await prepare(resources)) {
    const subject = namedNode(resource.id);
    for (const type of [resource.type].flat())
      writer.addQuad(subject, namedNode(`${rdfNamespace}type`), namedNode(expand(type)));
    for (const [name, value] of listValues(resource))
      for (const object of toObjects(name, value))
        writer.addQuad(subject, namedNode(expand(properties[name][0])), object);
    if (isSliceUsedUp()) await waitForSlice();
  }
  return new Promise((resolve, reject) =>
    writer.end((error, result) => (error ? reject(error) : resolve(result))),
  );
}

const rdfNamespace = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

interface RdfSyntax {
  mediaType: string;
  write(resources: readonly Resource[]): Promise<string>;
}

/** By the end of the names of their files. */
export const rdfSyntaxes: Readonly<Record<'jsonld' | 'ttl', RdfSyntax>> = {
  jsonld: { mediaType: 'application/ld+json', write: writeJsonLd },
  ttl: { mediaType: 'text/turtle', write: writeTurtle },
};
