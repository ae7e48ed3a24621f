/** Why a file seems to have a format, as clauses about the file. */

interface Named {
  name: string;
}

export const detection = {
  'api-columns': 'its columns have the names of the API',
  'records-have-kind': 'its records have a "kind"',
  'has-root-element': ({ name }: Named) => `its root element is <${name}>`,
  'has-column': ({ name }: Named) => `it has a column "${name}"`,
  'has-property': ({ name }: Named) => `its objects have a "${name}"`,
  'has-oparl-types': ({ type }: { type: string }) => `its objects have OParl types, as ${type}`,
  'named-like-oparl-list': ({ type }: { type: string }) =>
    `its name is that of a list of OParl objects of the type ${type}`,
  'begins-with-calendar': 'it begins with BEGIN:VCALENDAR',
  'begins-with-meta': 'it begins with a section META of keys and values',
  'cells-are-counts': 'its cells are counts, a column for each option',
  'limesurvey-columns': 'it has the columns of LimeSurvey responses',
  'begins-with-time-stamp': 'its first column is a time stamp, as in responses to a form',
  'decidim-columns': ({ name }: Named) => `it has the columns of Decidim proposals, such as ${name}`,
  'consul-response': "it is a response of CONSUL's GraphQL API",
  'consul-columns': 'it has the title and the summary or votes of CONSUL proposals',
  'any-table': 'any table, through a mapping file; --suggest drafts one',
  'geojson-properties':
    'the properties of its GeoJSON features, through a mapping file; --suggest drafts one',
};
