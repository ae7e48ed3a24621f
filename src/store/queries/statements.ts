/** The SQL that every engine reads alike. `$1` is the municipality wherever a query has one. */
import type { Engine } from '../engine.ts';
import type { Table } from '../schema.ts';

export const selectCursorSecrets =
  'SELECT generation, secret FROM cursor_secret ORDER BY generation DESC LIMIT 2';

/** Between the documents of a page. No JSON text of a database has a line break inside, so the last one can be found. */
export const documentSeparator = ',\n';

/** A list of the API; `at` is the column that it descends by. */
interface List {
  table: string;
  document: string;
  at: string;
}

/**
 * One page, in parts for `Engine.page`. Parameters: municipality, one value per filter, and the sort key of the row
 * to go on behind; for `after` its id too.
 *
 * The order descends by one column and ascends by the other, which no row comparison can express. Two seeks
 * can: the rest of the rows that share the sort key, then all that come later; most often there is no such rest,
 * and `later` does. Neither sorts, so a page costs the same at any depth, however many rows share a timestamp.
 */
function buildPageQueries({ table, document, at }: List, filters: readonly string[]) {
  const scope = ['organization_id = $1', ...filters.map((column, index) => `${column} = $${index + 2}`)].join(
    ' AND ',
  );
  const first = `SELECT ${document} AS document, ${at} AS at, id FROM ${table} WHERE ${scope}`;
  const afterAt = `$${filters.length + 2}`;
  const afterId = `$${filters.length + 3}`;
  const later = `${first} AND ${at} < ${afterAt}`;
  return {
    first: [first],
    later: [later],
    after: [`${first} AND ${at} = ${afterAt} AND id > ${afterId}`, later],
  };
}

const submissions: List = { table: 'submission', document: 'document', at: 'created_at' };

export const pageQueries = {
  submissions: buildPageQueries(submissions, []),
  submissionsByStatus: buildPageQueries(submissions, ['status']),
  submissionsByTopic: buildPageQueries(submissions, ['topic_category_name']),
  submissionsByStatusAndTopic: buildPageQueries(submissions, ['status', 'topic_category_name']),
  support: buildPageQueries({ ...submissions, document: 'tally' }, []),
  sessions: buildPageQueries({ table: 'session', document: 'document', at: 'date' }, []),
};

export const submissionById = 'SELECT document FROM submission WHERE organization_id = $1 AND id = $2';

export const tallyById = 'SELECT tally AS document FROM submission WHERE organization_id = $1 AND id = $2';

/** A stored document, opened again to take one more member: `{…` without the closing brace. */
const withoutClosingBrace = (document: string) => `substr(${document}, 1, length(${document}) - 1)`;

/** The beginning of a session's document, up to the first submission of its agenda. */
const sessionOpening = `${withoutClosingBrace('session.document')} || ',"submissions":['`;

const agenda = `
  FROM session_submission
  JOIN submission ON submission.organization_id = session_submission.organization_id
    AND submission.id = session_submission.submission_id
  WHERE session_submission.organization_id = $1 AND session_submission.session_id = $2`;

/** Submissions of an agenda that is read with one statement. */
const maxShortAgenda = 100;

/** `document` is null where the agenda is too long to be read with one statement. */
export const sessionWithSubmissions = `
  SELECT CASE WHEN session.submission_count <= ${maxShortAgenda} THEN ${sessionOpening} || coalesce((
    SELECT string_agg(submission.document, ',' ORDER BY session_submission.position) ${agenda}
  ), '') || ']}' END AS document
  FROM session
  WHERE session.organization_id = $1 AND session.id = $2`;

/** The parts of a session whose agenda is long. */
export const longSession = {
  opening: `SELECT ${sessionOpening} AS opening FROM session WHERE session.organization_id = $1 AND session.id = $2`,
  /** Does not read the documents themselves. */
  sizes: `SELECT session_submission.position, octet_length(submission.document) AS bytes ${agenda}
    ORDER BY session_submission.position`,
  /** Parameters: municipality, session, first and last position. */
  documents: `SELECT submission.document ${agenda} AND session_submission.position BETWEEN $3 AND $4
    ORDER BY session_submission.position`,
};

/** Of drafts too: `pickPublished` decides. */
export const surveyResults = `
  SELECT survey.status, ${withoutClosingBrace('survey.document')} || ',"questions":[' || coalesce((
    SELECT string_agg(${withoutClosingBrace('survey_question.document')} || ',"options":[' || coalesce((
      SELECT string_agg(survey_option.document, ',' ORDER BY survey_option.position)
      FROM survey_option
      WHERE survey_option.organization_id = $1 AND survey_option.survey_id = $2
        AND survey_option.question_position = survey_question.position
    ), '') || ']}', ',' ORDER BY survey_question.position)
    FROM survey_question
    WHERE survey_question.organization_id = $1 AND survey_question.survey_id = $2
  ), '') || ']}' AS document
  FROM survey
  WHERE survey.organization_id = $1 AND survey.id = $2`;

/** Of `upsertQuery`: key, then the other columns. */
export const writtenColumns = ({ key, columns }: Table) => [...Object.keys(key), ...Object.keys(columns)];

/**
 * Writes rows by municipality and key, and leaves equal ones alone, so that nothing is written twice.
 *
 * @param rows a query for the municipality and the table's `writtenColumns`, or `VALUES`
 */
export function upsertQuery(table: Table, rows: string): string {
  const { name, key, columns, appendOnly } = table;
  const keys = Object.keys(key).join(', ');
  const others = Object.keys(columns);
  const update = `DO UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE ${others.map((column) => `${name}.${column} IS DISTINCT FROM excluded.${column}`).join(' OR ')}`;
  return `INSERT INTO ${name} (organization_id, ${writtenColumns(table).join(', ')}) ${rows}
    ON CONFLICT (organization_id, ${keys}) ${appendOnly ? 'DO NOTHING' : update}`;
}

/** As `upsertQuery`. Parameters: municipality, and the rows as a JSON array. */
export function upsertRecordsetQuery(table: Table, recordset: Engine['recordset']): string {
  const incoming = recordset('incoming', '$2', { ...table.key, ...table.columns });
  return upsertQuery(table, `SELECT $1, ${writtenColumns(table).join(', ')} FROM ${incoming} WHERE true`);
}

/** Composes each query once: the text is the key under which an engine finds what it has prepared. */
export function memoize<Query extends string | readonly string[]>(
  compose: (query: Query, parameterCount: number) => string,
) {
  const composed = new Map<Query, string>();
  return (query: Query, parameterCount = 0): string => {
    let text = composed.get(query);
    if (text === undefined) {
      text = compose(query, parameterCount);
      composed.set(query, text);
    }
    return text;
  };
}
