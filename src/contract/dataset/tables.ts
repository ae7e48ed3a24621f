/** The tables of a municipality’s published data. Names, types and descriptions of columns come from the contract. */

import { type Field, listNames } from '../field.ts';
import { DocumentLink, type ExtendedKind, extensionFields } from '../resources/extension-fields.ts';
import { flatOrganizationFields, Organization } from '../resources/organization.ts';
import { Session, sessionFields } from '../resources/session.ts';
import { Submission, submissionFields } from '../resources/submission.ts';
import { SurveyOption, SurveyQuestion, SurveySummary } from '../resources/survey.ts';

export interface Column {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime';
  /** Format of a string, in the words of Frictionless. */
  format: 'default' | 'uuid' | 'uri';
  isNullable: boolean;
  description: string;
}

interface ForeignKey {
  columns: string[];
  table: string;
  references: string[];
}

export interface Table {
  name: string;
  description: string;
  columns: Column[];
  /** Begins with the id of the object: a submission, session, survey or municipality. */
  primaryKey: string[];
  foreignKeys: ForeignKey[];
}

/** A row by the names of its columns, with the values of the API. */
export type Row = Record<string, unknown>;

/** The parts of JSON Schema that the fields of these resources use. */
interface FieldSchema {
  type?: string;
  format?: string;
  anyOf?: FieldSchema[];
  description?: string;
}

type Fields = Record<string, FieldSchema>;

const columnTypes: Record<string, Column['type']> = {
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  'date-time': 'datetime',
};

const stringFormats: readonly string[] = ['uuid', 'uri'] satisfies Column['format'][];

function createColumns(fields: Fields): Column[] {
  return Object.entries(fields).map(([name, schema]) => {
    const { type = '', format = '' } = schema.anyOf?.[0] ?? schema;
    return {
      name,
      type: columnTypes[format] ?? columnTypes[type] ?? 'string',
      format: stringFormats.includes(format) ? (format as Column['format']) : 'default',
      isNullable: schema.anyOf !== undefined,
      description: schema.description ?? '',
    };
  });
}

const createReference = (description: string): FieldSchema => ({
  type: 'string',
  format: 'uuid',
  description,
});
const createPosition = (of: string): FieldSchema => ({
  type: 'integer',
  description: `Position of the ${of}, from 1.`,
});

/** Columns beside the fields of the API, with the timestamp of which each is the local date: `createdOn` of `createdAt`. */
export const localDates: Readonly<Record<string, string>> = Object.fromEntries(
  [submissionFields, sessionFields]
    .flatMap((fields) => listNames(fields, ({ fromColumn }) => fromColumn?.kind === 'time'))
    .map((name) => [name.replace(/At$/, 'On'), name]),
);

/** The local date follows its timestamp. */
const addLocalDates = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, schema]): [string, FieldSchema][] => {
      const added = Object.entries(localDates).filter(([, timestamp]) => timestamp === name);
      const description = `Local date of \`${name}\`; null without a timestamp, or if the installation does not publish its time zone.`;
      const date = { anyOf: [{ type: 'string', format: 'date' }], description };
      return [[name, schema], ...added.map(([column]): [string, FieldSchema] => [column, date])];
    }),
  );

/** TypeBox's types lack annotations; all schemas of the contract have them. */
const getDescription = (schema: object) => (schema as { description: string }).description;

const createDegrees = (description: string): FieldSchema => ({
  anyOf: [{ type: 'number' }],
  description: `${description} in degrees of WGS 84; null without a location.`,
});

/** The columns of a location, in the order of its coordinates. */
export const coordinateColumns = ['longitude', 'latitude'] as const;

/** A location has two columns, and lists have tables of their own. */
const createExtensionColumns = (kind: ExtendedKind): Fields =>
  Object.fromEntries(
    Object.entries(extensionFields[kind]).flatMap(([name, { schema, composedOf }]: [string, Field]) => {
      if (composedOf === undefined) return [[name, schema]];
      if (composedOf !== 'point') return [];
      return [
        ['longitude', createDegrees('Longitude of the rounded location,')],
        ['latitude', createDegrees('Latitude of the rounded location,')],
      ] satisfies [(typeof coordinateColumns)[number], FieldSchema][];
    }),
  );

const createTable = (name: string, description: string, fields: Fields): Table => ({
  name,
  description,
  columns: createColumns(fields),
  primaryKey: ['id'],
  foreignKeys: [],
});

const { options: _options, ...questionFields } = SurveyQuestion.properties;

const surveyId = createReference('Identifier of the survey.');

/** The members of an object are null if the object is. */
const organizationFields: Fields = Object.fromEntries(
  flatOrganizationFields.map(({ name, path: [, member], schema }) => {
    const { anyOf, ...rest }: FieldSchema = schema;
    return [name, member === undefined ? schema : { ...rest, anyOf: anyOf ?? [schema] }];
  }),
);

export const organizationTable = createTable(
  'organization',
  getDescription(Organization),
  organizationFields,
);

const submissions = createTable('submissions', getDescription(Submission), {
  ...addLocalDates(Submission.properties),
  ...createExtensionColumns('submission'),
});

const sessions = createTable('sessions', getDescription(Session), {
  ...addLocalDates(Session.properties),
  ...createExtensionColumns('session'),
});

const agendaItems: Table = {
  ...createTable('agenda_items', 'A submission on the agenda of a session.', {
    sessionId: createReference('Identifier of the session.'),
    position: createPosition('submission on the agenda'),
    submissionId: createReference('Identifier of the submission.'),
  }),
  primaryKey: ['sessionId', 'position'],
  foreignKeys: [
    { columns: ['sessionId'], table: 'sessions', references: ['id'] },
    { columns: ['submissionId'], table: 'submissions', references: ['id'] },
  ],
};

const createDocumentsTable = (kind: ExtendedKind, { name }: Table): Table => ({
  ...createTable(`${kind}_documents`, `A document of a ${kind}.`, {
    [`${kind}Id`]: createReference(`Identifier of the ${kind}.`),
    position: createPosition('document'),
    ...DocumentLink.properties,
  }),
  primaryKey: [`${kind}Id`, 'position'],
  foreignKeys: [{ columns: [`${kind}Id`], table: name, references: ['id'] }],
});

const submissionDocuments = createDocumentsTable('submission', submissions);
const sessionDocuments = createDocumentsTable('session', sessions);

const surveys = createTable('surveys', getDescription(SurveySummary), SurveySummary.properties);

const surveyQuestions: Table = {
  ...createTable('survey_questions', getDescription(SurveyQuestion), {
    surveyId,
    position: createPosition('question'),
    ...questionFields,
  }),
  primaryKey: ['surveyId', 'position'],
  foreignKeys: [{ columns: ['surveyId'], table: 'surveys', references: ['id'] }],
};

const surveyOptions: Table = {
  ...createTable('survey_options', getDescription(SurveyOption), {
    surveyId,
    questionPosition: createPosition('question'),
    position: createPosition('option'),
    ...SurveyOption.properties,
  }),
  primaryKey: ['surveyId', 'questionPosition', 'position'],
  foreignKeys: [
    {
      columns: ['surveyId', 'questionPosition'],
      table: 'survey_questions',
      references: ['surveyId', 'position'],
    },
  ],
};

/** Tables of each kind of object; the first has one row for each object. */
export const tablesByKind = {
  submission: [submissions, submissionDocuments],
  session: [sessions, agendaItems, sessionDocuments],
  survey: [surveys, surveyQuestions, surveyOptions],
} as const;

export const tables: readonly Table[] = [organizationTable, ...Object.values(tablesByKind).flat()];

/** The file of a table. */
export const toCsvName = ({ name }: Pick<Table, 'name'>): string => `${name}.csv`;

/** The file that describes those of the tables. */
export const dataPackageName = 'datapackage.json';
