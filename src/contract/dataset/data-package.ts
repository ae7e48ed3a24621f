/** Describes the CSV files of the tables as a tabular data package: https://specs.frictionlessdata.io/tabular-data-package/ */
import type { Contact, License } from '../resources/organization.ts';
import { type Column, type Table, toCsvName } from './tables.ts';

/** What the API publishes of the municipality, and the data package repeats. */
interface Organization {
  id: string;
  name: string;
  timeZone: string;
  license: License | null;
  contact: Contact | null;
  attribution: string | null;
}

/** Of a table with records of sources that have a licence of their own. */
export interface TableTerms {
  /** Of all its records. */
  licenses: readonly License[];
  /** Names of these sources. */
  sources: readonly string[];
}

/**
 * @param organization undefined if the installation does not publish it
 * @param terms by the name of the table. The others have the licence of the municipality
 */
export function createDataPackage(
  organization: Organization | undefined,
  tables: readonly Table[],
  terms: ReadonlyMap<string, TableTerms> = new Map(),
): object {
  return {
    profile: 'tabular-data-package',
    ...(organization && describeOrganization(organization)),
    resources: tables.map((table) => describeTable(table, terms.get(table.name))),
  };
}

function describeOrganization({ id, name, timeZone, license, contact, attribution }: Organization): object {
  return {
    id,
    title: name,
    description: `Civic participation data of ${name}. Local times are in the time zone ${timeZone}.`,
    ...(license && { licenses: [describeLicense(license)] }),
    contributors: [{ title: name, role: 'publisher' }, ...(contact ? [describeContact(contact, name)] : [])],
    ...(attribution !== null && { attribution }),
  };
}

/** The specification allows only identifiers as names of licences, and requires a name or a path. */
function describeLicense({ name, url }: License): object {
  const identifier = name?.replaceAll(/[^A-Za-z0-9._-]+/g, '-') || undefined;
  return removeEmpty({
    name: identifier === name || url === null ? identifier : null,
    path: url,
    title: name,
  });
}

function describeContact({ name, email, url }: Contact, publisher: string): object {
  return removeEmpty({ title: name ?? publisher, email, path: url, role: 'maintainer' });
}

const removeEmpty = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

/** Each licence once. */
const describeLicenses = (licenses: readonly License[]): object[] => [
  ...new Map(licenses.map((license) => [JSON.stringify(license), describeLicense(license)])).values(),
];

function describeTable(
  { name, description, columns, primaryKey, foreignKeys }: Table,
  terms: TableTerms | undefined,
): object {
  return {
    name,
    path: toCsvName({ name }),
    profile: 'tabular-data-resource',
    description,
    format: 'csv',
    mediatype: 'text/csv',
    encoding: 'utf-8',
    ...(terms && {
      licenses: describeLicenses(terms.licenses),
      sources: terms.sources.map((title) => ({ title })),
    }),
    schema: {
      fields: columns.map(describeColumn),
      primaryKey,
      foreignKeys: foreignKeys.map((key) => ({
        fields: key.columns,
        reference: { resource: key.table, fields: key.references },
      })),
    },
  };
}

function describeColumn({ name, type, format, isNullable, description }: Column): object {
  return {
    name,
    type,
    format,
    description,
    // An empty text and an unknown value are the same in CSV.
    ...(!isNullable && type !== 'string' && { constraints: { required: true } }),
  };
}
