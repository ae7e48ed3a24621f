/** Converts objects of the API into rows of the tables, and back. */
import type { Change, Organization, SurveyResults } from '../client/contract-types.ts';
import { localDates, type Row, type Table, tablesByKind } from './tables.ts';

export type Kind = Change['kind'];

/** A published object, or its deletion. */
export type MirroredChange = Pick<Change, 'kind' | 'id'> & { data: Change['data'] };

type Session = NonNullable<Extract<Change, { kind: 'session' }>['data']>;

export function createOrganizationRow({ license, contact, logo, ...fields }: Organization): Row {
  return {
    ...fields,
    licenseName: license?.name ?? null,
    licenseUrl: license?.url ?? null,
    contactName: contact?.name ?? null,
    contactEmail: contact?.email ?? null,
    contactUrl: contact?.url ?? null,
    logoUrl: logo?.url ?? null,
    logoMediaType: logo?.mediaType ?? null,
    logoWidth: logo?.width ?? null,
    logoHeight: logo?.height ?? null,
  };
}

/** @returns the municipality as the API publishes it */
export function createOrganization(row: Row): Organization {
  const { id, name, timeZone, attribution } = row;
  const license = { name: row.licenseName, url: row.licenseUrl };
  const contact = { name: row.contactName, email: row.contactEmail, url: row.contactUrl };
  const logo = {
    url: row.logoUrl,
    mediaType: row.logoMediaType,
    width: row.logoWidth,
    height: row.logoHeight,
  };
  const hasValue = (group: object) => Object.values(group).some((value) => value !== null);
  return {
    id,
    name,
    timeZone,
    license: hasValue(license) ? license : null,
    contact: hasValue(contact) ? contact : null,
    attribution,
    logo: hasValue(logo) ? logo : null,
  } as Organization;
}

/** @returns null for a text that is not a timestamp, and for an unknown time zone */
export function toLocalDate(timestamp: unknown, timeZone: string | undefined): string | null {
  try {
    const instant = Temporal.Instant.from(String(timestamp));
    return timeZone === undefined ? null : instant.toZonedDateTimeISO(timeZone).toPlainDate().toString();
  } catch {
    return null;
  }
}

/** @returns for each table of the kind its rows */
export function createRows(
  kind: Kind,
  data: NonNullable<Change['data']>,
  timeZone: string | undefined,
): Row[][] {
  const rows = createRowsOfKind(kind, data);
  const [[row = {}] = []] = rows;
  for (const [column, timestamp] of Object.entries(localDates))
    if (timestamp in row) row[column] = toLocalDate(row[timestamp], timeZone);
  return rows;
}

function createRowsOfKind(kind: Kind, data: NonNullable<Change['data']>): Row[][] {
  if (kind === 'session') return createSessionRows(data as Session);
  return kind === 'survey' ? createSurveyRows(data as SurveyResults) : [[{ ...data }]];
}

function createSessionRows({ submissionIds, ...session }: Session): Row[][] {
  const items = submissionIds.map((submissionId, index) => ({
    sessionId: session.id,
    position: index + 1,
    submissionId,
  }));
  return [[session], items];
}

function createSurveyRows({ surveyId, questions, ...survey }: SurveyResults): Row[][] {
  const questionRows = questions.map(({ options: _, ...question }, index) => ({
    surveyId,
    position: index + 1,
    ...question,
  }));
  const optionRows = questions.flatMap(({ options }, questionIndex) =>
    options.map((option, index) => ({
      surveyId,
      questionPosition: questionIndex + 1,
      position: index + 1,
      ...option,
    })),
  );
  return [[{ id: surveyId, ...survey }], questionRows, optionRows];
}

/** Finds the rows of one object in a table other than the first one of its kind, in their order. */
export type FindRows = (table: Table, id: string) => Row[];

/** @param row of the first table of the kind @returns the object as /changes publishes it */
export function createObject(kind: Kind, row: Row, findRows: FindRows): Row {
  const id = String(row.id);
  const { createdOn: _createdOn, statusChangedOn: _statusChangedOn, ...published } = row;
  if (kind === 'session') {
    const [, agendaItems] = tablesByKind.session;
    return { ...published, submissionIds: findRows(agendaItems, id).map(({ submissionId }) => submissionId) };
  }
  if (kind === 'submission') return published;
  const [, surveyQuestions, surveyOptions] = tablesByKind.survey;
  const options = findRows(surveyOptions, id);
  const { id: surveyId, ...survey } = row;
  const questions = findRows(surveyQuestions, id).map(({ surveyId: _, position, ...question }) => ({
    ...question,
    options: options
      .filter(({ questionPosition }) => questionPosition === position)
      .map(({ optionText, responseCount }) => ({ optionText, responseCount })),
  }));
  return { surveyId, ...survey, questions };
}
