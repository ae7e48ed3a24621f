/** Reads mirrors without Rostra, in the form of `ChangeMirror.objects`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { openSqlite } from './cli-workspace.ts';

export type MirrorFormat = 'sqlite' | 'csv' | 'ndjson';

type Row = Record<string, unknown>;
type Tables = Record<string, Row[]>;

export function readMirror(path: string, format: MirrorFormat): Map<string, Row> {
  if (format === 'ndjson') return readNdjson(path);
  return assembleObjects(format === 'sqlite' ? readSqliteTables(path) : readCsvTables(path));
}

function readSqliteTables(file: string): Tables {
  const booleans = ['hasAttachments'];
  const readTable = (name: string) =>
    openSqlite(file, (sql) => sql.prepare(`SELECT * FROM ${name}`).all() as Row[]).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          booleans.includes(column) ? value === 1 : value,
        ]),
      ),
    );
  return Object.fromEntries(
    [
      'submissions',
      'submission_documents',
      'sessions',
      'agenda_items',
      'session_documents',
      'surveys',
      'survey_questions',
      'survey_options',
    ].map((name) => [name, readTable(name)]),
  );
}

/** Reads the types of columns from the data package. */
function readCsvTables(folder: string): Tables {
  const { resources } = JSON.parse(readFileSync(join(folder, 'datapackage.json'), 'utf8'));
  const convert: Record<string, (text: string) => unknown> = {
    integer: Number,
    number: Number,
    boolean: (text) => text === 'true',
  };
  return Object.fromEntries(
    resources.map(({ name, path, schema }: { name: string; path: string; schema: { fields: Row[] } }) => {
      const rows = parse(readFileSync(join(folder, path)), {
        columns: true,
        // Other programs accept every line break as the end of a row.
        record_delimiter: ['\r\n', '\n', '\r'],
      }) as Record<string, string>[];
      const typed = rows.map((row) =>
        Object.fromEntries(
          schema.fields.map((field) => {
            const text = row[field.name as string] as string;
            // The description of a submission is the only text that can be empty.
            if (text === '' && field.name !== 'description') return [field.name, null];
            return [field.name, convert[field.type as string]?.(text) ?? text];
          }),
        ),
      );
      return [name, typed];
    }),
  );
}

function assembleObjects(tables: Tables): Map<string, Row> {
  const ofParent = (table: string, column: string, id: unknown) =>
    (tables[table] ?? []).filter((row) => row[column] === id).toSorted(byPosition);
  const objects = new Map<string, Row>();
  const findDocuments = (kind: string, id: unknown) =>
    ofParent(`${kind}_documents`, `${kind}Id`, id).map(({ title, url, mediaType }) => ({
      title,
      url,
      mediaType,
    }));
  for (const row of tables.submissions ?? []) {
    const { longitude, latitude, ...submission } = omitLocalDates(row);
    objects.set(`submission ${row.id}`, {
      ...submission,
      documents: findDocuments('submission', row.id),
      location: longitude === null ? null : { type: 'Point', coordinates: [longitude, latitude] },
    });
  }
  for (const row of tables.sessions ?? []) {
    const submissionIds = ofParent('agenda_items', 'sessionId', row.id).map((item) => item.submissionId);
    const documents = findDocuments('session', row.id);
    objects.set(`session ${row.id}`, { ...omitLocalDates(row), documents, submissionIds });
  }
  for (const { id, ...survey } of tables.surveys ?? []) {
    const questions = ofParent('survey_questions', 'surveyId', id).map(
      ({ questionText, questionType, position }) => ({
        questionText,
        questionType,
        options: ofParent('survey_options', 'surveyId', id)
          .filter(({ questionPosition }) => questionPosition === position)
          .map(({ optionText, responseCount }) => ({ optionText, responseCount })),
      }),
    );
    objects.set(`survey ${id}`, { surveyId: id, ...survey, questions });
  }
  return objects;
}

/** The API does not have these columns. */
const omitLocalDates = ({ createdOn: _createdOn, statusChangedOn: _statusChangedOn, ...row }: Row) => row;

const byPosition = (one: Row, other: Row) => Number(one.position) - Number(other.position);

function readNdjson(folder: string): Map<string, Row> {
  const read = (kind: string, idField: string) =>
    readFileSync(join(folder, `${kind}s.ndjson`), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line): [string, Row] => {
        const row = JSON.parse(line) as Row;
        return [`${kind} ${row[idField]}`, row];
      });
  return new Map([...read('submission', 'id'), ...read('session', 'id'), ...read('survey', 'surveyId')]);
}
