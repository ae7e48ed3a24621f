/** SQL for both engines. `$1` is the municipality. */

import { type Field, toColumnName } from '../../contract/field.ts';
import {
  type ExtendedKind,
  extendedKinds,
  extensionFields,
  extensionNames,
} from '../../contract/resources/extension-fields.ts';
import { decidedStatuses } from '../../domain/records/decided-statuses.ts';
import { type Engine, maxPageRows } from '../engine.ts';
import { getColumns, listColumnNames, type Table } from '../table-descriptors.ts';
import { maxWholeBytes } from './large-documents/large-document.ts';

export const selectCursorSecrets =
  'SELECT generation, secret FROM cursor_secret ORDER BY generation DESC LIMIT 2';

export const submissionById = 'SELECT document FROM submission WHERE organization_id = $1 AND id = $2';

export const tallyById = 'SELECT tally AS document FROM submission WHERE organization_id = $1 AND id = $2';

/** A stored document without its closing brace, so that another member can follow. */
const cutClosingBrace = (document: string) => `substr(${document}, 1, length(${document}) - 1)`;

/**
 * The extension fields of a row of `submission` or `session`, with a comma before each. PostgreSQL would compute a
 * generated column anew for every row when a version adds a field.
 */
const composeExtension = (table: ExtendedKind) =>
  Object.entries(extensionFields[table])
    .map(([name, field]) => `',"${name}":' || ${composeValue(field, `${table}.${toColumnName(name)}`)}`)
    .join(' || ');

const composeValue = ({ composedOf, importDefault }: Field, column: string) =>
  composedOf === undefined
    ? `json_quote(${column})`
    : `coalesce(${column}, '${JSON.stringify(importDefault)}')`;

/** The document of a row of `submission` or `session` with the extension fields. */
export const extendDocument = (table: ExtendedKind) =>
  `${cutClosingBrace(`${table}.document`)} || ${composeExtension(table)} || '}'`;

/** Decided submissions that are read at a time. */
export const maxDecidedRows = 100;

/** The conditions of the indexes, which leave out most texts that are no valid time. */
const isDecided = `status IN (${decidedStatuses.map((status) => `'${status}'`).join(', ')})
  AND status_changed_at LIKE '____-__-__T__:__:__.___Z'
  AND substr(status_changed_at, 6, 2) BETWEEN '01' AND '12' AND substr(status_changed_at, 9, 2) BETWEEN '01' AND '31'
  AND substr(status_changed_at, 12, 2) BETWEEN '00' AND '23'`;

/** Keys of those after the time `$2` and the id `$3`. @param conditions with an index that has this order */
export const composeDecidedAfter = (
  conditions: readonly string[],
) => `SELECT status, created_at AS created, status_changed_at AS at, id
  FROM submission WHERE ${conditions.join(' AND ')} AND status_changed_at <= $2 AND (status_changed_at < $2 OR id > $3)
  ORDER BY status_changed_at DESC, id LIMIT ${maxDecidedRows}`;

export const decidedAfter = composeDecidedAfter(['organization_id = $1', isDecided]);

export const decidedById = `SELECT ${extendDocument('submission')} AS document FROM submission WHERE organization_id = $1 AND id = $2`;

/** The document of a session up to the first submission of its agenda. */
const sessionOpening = `${cutClosingBrace('session.document')} || ',"submissions":['`;

const fromAgenda = `
  FROM session_submission
  JOIN submission ON submission.organization_id = session_submission.organization_id
    AND submission.id = session_submission.submission_id
  WHERE session_submission.organization_id = $1 AND session_submission.session_id = $2`;

/** One statement reads smaller agendas. */
const maxShortAgenda = { submissions: 100, bytes: maxWholeBytes };

/**
 * Whether the agenda is short if all submissions have this size. A sum would be exact, but would need to read the agenda twice.
 * Both engines know the size of a text without reading it.
 */
const isShortEntry = `octet_length(submission.document) * session.submission_count <= ${maxShortAgenda.bytes}`;

/** `document` is null for a longer agenda, and for one that may be longer: see long-agenda.ts. */
export const sessionWithSubmissions = `
  SELECT CASE WHEN session.submission_count <= ${maxShortAgenda.submissions} THEN ${sessionOpening} || (
    SELECT CASE WHEN count(*) FILTER (WHERE NOT ${isShortEntry}) = 0 THEN coalesce(
      string_agg(submission.document, ',' ORDER BY session_submission.position) FILTER (WHERE ${isShortEntry}), ''
    ) END ${fromAgenda}
  ) || ']}' END AS document
  FROM session
  WHERE session.organization_id = $1 AND session.id = $2`;

/** The parts of a session with a long agenda. */
export const longSession = {
  opening: `SELECT ${sessionOpening} AS opening FROM session WHERE session.organization_id = $1 AND session.id = $2`,
  /** Does not read the documents themselves. */
  sizes: `SELECT session_submission.position, octet_length(submission.document) AS bytes ${fromAgenda}
    ORDER BY session_submission.position`,
  /** Parameters: municipality, session, first and last position. */
  documents: `SELECT submission.document ${fromAgenda} AND session_submission.position BETWEEN $3 AND $4
    ORDER BY session_submission.position`,
};

const sessionUpToSubmissionIds = `${cutClosingBrace('session.document')} || ',"submissionIds":[' || coalesce((
    SELECT string_agg('"' || session_submission.submission_id || '"', ',' ORDER BY session_submission.position)
    FROM session_submission
    WHERE session_submission.organization_id = $1 AND session_submission.session_id = session.id
  ), '')`;

/** The document of a row of `session` with the ids of its agenda. */
const sessionWithSubmissionIds = `${sessionUpToSubmissionIds} || ']}'`;

/** As `sessionWithSubmissionIds`, with the extension fields. */
export const extendedSession = `${sessionUpToSubmissionIds} || ']' || ${composeExtension('session')} || '}'`;

const composeExtensionById = (table: ExtendedKind) =>
  `SELECT '{' || substr(${composeExtension(table)}, 2) || '}' AS document FROM ${table} WHERE organization_id = $1 AND id = $2`;

/** When a row of `survey` ended, with a comma before each member. */
const composeSurveyEnd = `',"endedOn":' || CASE length(survey.ended) WHEN 10 THEN '"' || survey.ended || '"' ELSE 'null' END
    || ',"year":' || CASE survey.ended WHEN '' THEN 'null' ELSE CAST(CAST(substr(survey.ended, 1, 4) AS integer) AS text) END`;

/** The extension fields of a submission or session, and the end of a survey. */
export const extensionById = {
  submission: composeExtensionById('submission'),
  session: composeExtensionById('session'),
  survey: `SELECT '{' || substr(${composeSurveyEnd}, 2) || '}' AS document FROM survey WHERE organization_id = $1 AND id = $2`,
};

/** Beyond the specification: a document of a row of `survey` with the end of the survey. */
const addSurveyEnd = (document: string) =>
  `${cutClosingBrace(`survey.${document}`)} || ${composeSurveyEnd} || '}'`;

/** The results of a row of `survey`. */
const resultsOfSurvey = `${cutClosingBrace('survey.document')} || ',"questions":[' || coalesce((
    SELECT string_agg(${cutClosingBrace('survey_question.document')} || ',"options":[' || coalesce((
      SELECT string_agg(survey_option.document, ',' ORDER BY survey_option.position)
      FROM survey_option
      WHERE survey_option.organization_id = $1 AND survey_option.survey_id = survey.id
        AND survey_option.question_position = survey_question.position
    ), '') || ']}', ',' ORDER BY survey_question.position)
    FROM survey_question
    WHERE survey_question.organization_id = $1 AND survey_question.survey_id = survey.id
  ), '') || ']}'`;

/** Larger surveys are read in parts. */
const maxShortSurvey = { options: 200, questionBytes: 64 * 1024 };

const ofSurvey = (id: string) => `WHERE organization_id = $1 AND survey_id = ${id}`;

const isShortSurvey = `(SELECT count(*) FROM (SELECT 1 FROM survey_option ${ofSurvey('survey.id')} LIMIT ${maxShortSurvey.options + 1}) AS counted)
    <= ${maxShortSurvey.options}
    AND coalesce((SELECT sum(octet_length(document)) FROM survey_question ${ofSurvey('survey.id')}), 0) <= ${maxShortSurvey.questionBytes}`;

/** Includes drafts. `document` is null for a large survey: see survey-parts.ts. */
export const shortSurveyResults = `
  SELECT survey.status, CASE WHEN ${isShortSurvey} THEN ${resultsOfSurvey} END AS document
  FROM survey
  WHERE survey.organization_id = $1 AND survey.id = $2`;

/** As `shortSurveyResults`, for surveys of any size. */
export const surveyResults = `
  SELECT survey.status, ${resultsOfSurvey} AS document
  FROM survey
  WHERE survey.organization_id = $1 AND survey.id = $2`;

/** Options that are read at a time. */
export const maxOptionRows = 100;

/** Questions whose sizes are read at a time. */
export const maxQuestionRows = 20;

const questionsAfter = `FROM survey_question ${ofSurvey('$2')} AND position > $3 ORDER BY position`;

/** The parts of a survey. Parameters: municipality, survey, and the position of the part before. */
export const longSurvey = {
  survey: `SELECT status, ${addSurveyEnd('document')} AS document FROM survey WHERE organization_id = $1 AND id = $2`,
  questionCount: `SELECT count(*) AS count FROM survey_question ${ofSurvey('$2')}`,
  questionSizes: `SELECT octet_length(document) AS bytes ${questionsAfter} LIMIT ${maxQuestionRows}`,
  questions: `SELECT position, document ${questionsAfter} LIMIT $4`,
  options: `SELECT question_position AS "questionPosition", position, document FROM survey_option ${ofSurvey('$2')}
    AND (question_position, position) > ($3, $4) ORDER BY question_position, position LIMIT ${maxOptionRows}`,
};

const composeSurveySummaries = (condition: string, order: string) =>
  `SELECT id, ended, status, ${addSurveyEnd('summary')} AS summary FROM survey
  WHERE organization_id = $1 AND ${condition} AND status <> 'draft' ORDER BY ${order} LIMIT ${maxPageRows}`;

/**
 * Published surveys, and drafts whose status has another spelling. Parameters: municipality, `ended`, and the id. A constant limit: for a
 * parameter, the planner of PostgreSQL assumes a tenth of the table.
 */
export const surveySummaries = {
  /** Those with this end, after the id. */
  sameEnd: composeSurveySummaries('ended = $2 AND id > $3', 'id'),
  /** Those that ended before: the latest first, those with an unknown end last. */
  earlier: composeSurveySummaries('ended < $2', 'ended DESC, id'),
};

/** The questions of all surveys with their options, drafts included. Parameter: municipality. */
export const questionsOfSurveys = `
  SELECT survey.id, survey.title, survey.status, survey_question.question_text AS text,
    '[' || coalesce((
      SELECT string_agg(survey_option.document, ',' ORDER BY survey_option.position)
      FROM survey_option
      WHERE survey_option.organization_id = $1 AND survey_option.survey_id = survey.id
        AND survey_option.question_position = survey_question.position
    ), '') || ']' AS options
  FROM survey JOIN survey_question
    ON survey_question.organization_id = survey.organization_id AND survey_question.survey_id = survey.id
  WHERE survey.organization_id = $1
  ORDER BY survey.id, survey_question.position`;

/** The document of a row of `organization`, with what later versions have added. */
export const composeOrganization = `${cutClosingBrace('document')} || ',"locationDecimals":' || coalesce(location_decimals, 'null') || '}'`;

export const organizationById = `SELECT ${composeOrganization} AS document FROM organization WHERE id = $1`;

export const selectChangeHistory =
  'SELECT history_id AS "historyId", change_sequence AS sequence FROM change_history WHERE organization_id = $1';

/** A page ends before the change at which its documents reach this size. */
const maxChangePageBytes = 4_000_000;

const whereChanged = (table: string) => `WHERE organization_id = $1 AND ${table}.id = listed.id`;

const sumBytes = (table: string) =>
  `(SELECT coalesce(sum(octet_length(${table}.document)), 0) FROM ${table}
    WHERE organization_id = $1 AND ${table}.survey_id = listed.id)`;

/** Approximate size of the document with the extension fields. */
export const sumExtendedBytes = (table: ExtendedKind) =>
  ['document', ...extensionNames[table].map(toColumnName)]
    .map((column) => `coalesce(octet_length(${table}.${column}), 0)`)
    .join(' + ');

/** UUID in quotation marks and comma. */
export const submissionIdBytes = 39;

/**
 * One page of changes, in any order. Parameters: municipality, sequence of the last change, limit. An empty page is one
 * row without `kind`. `document` is null for a removed object. Includes drafts.
 *
 * The sizes come before the documents, so that a page of long texts reads only those that it returns.
 *
 * @param lastSequence of all changes that the pages have
 * @param ofKind a condition
 */
const composeChangePage = (lastSequence: string, ofKind: string) => `
  SELECT change_history.history_id AS "historyId", change_history.change_sequence AS "latestSequence",
    change_history.pruned_sequence AS "prunedSequence", ${lastSequence} AS "lastSequence",
    listed.sequence, listed.changed_at AS "changedAt", listed.kind, listed.id,
    CASE listed.kind
      WHEN 'submission' THEN (SELECT submission.document FROM submission ${whereChanged('submission')})
      WHEN 'session' THEN (
        SELECT ${sessionWithSubmissionIds}
        FROM session ${whereChanged('session')})
      WHEN 'survey' THEN (SELECT ${resultsOfSurvey} FROM survey ${whereChanged('survey')})
    END AS document,
    CASE listed.kind
      ${extendedKinds.map((table) => `WHEN '${table}' THEN (SELECT ${composeExtension(table)} FROM ${table} ${whereChanged(table)})`).join(' ')}
      WHEN 'survey' THEN (SELECT ${composeSurveyEnd} FROM survey ${whereChanged('survey')})
    END AS extension,
    CASE listed.kind WHEN 'survey' THEN (SELECT survey.status FROM survey ${whereChanged('survey')}) END AS status
  FROM change_history LEFT JOIN (
    SELECT sequence, changed_at, kind, id, sum(bytes) OVER (ORDER BY sequence ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before
    FROM (
      SELECT sequence, changed_at, kind, id, coalesce(CASE kind
        WHEN 'submission' THEN (SELECT ${sumExtendedBytes('submission')}
          FROM submission ${whereChanged('submission')})
        WHEN 'session' THEN (SELECT ${sumExtendedBytes('session')}
          + session.submission_count * ${submissionIdBytes}
          FROM session ${whereChanged('session')})
        WHEN 'survey' THEN ${sumBytes('survey_question')} + ${sumBytes('survey_option')}
      END, 0) AS bytes
      FROM change AS listed WHERE organization_id = $1 ${ofKind} AND sequence > $2 ORDER BY sequence LIMIT $3
    ) AS sized
  ) AS listed ON bytes_before < ${maxChangePageBytes}
  WHERE change_history.organization_id = $1`;

export const changePage = composeChangePage('change_history.change_sequence', '');

/** As `changePage`, for the kind `$4`. */
export const changePageOfKind = composeChangePage(
  '(SELECT max(sequence) FROM change WHERE organization_id = $1 AND kind = $4)',
  'AND kind = $4',
);

/** A query for the ids in a JSON array: see `toIdRows`. @param parameter such as `$2` */
export const selectIds = (recordset: Engine['recordset'], parameter: string) =>
  `SELECT id FROM ${recordset('ids', parameter, { id: 'text' })}`;

export const toIdRows = (ids: readonly unknown[]) => JSON.stringify(ids.map((id) => ({ id })));

/**
 * Inserts or updates rows. Does not write equal rows.
 *
 * @param rows a query, or `VALUES`, for the municipality, unless the table is global, and the `getColumns` of the table
 */
function composeUpsert(table: Table, rows: string): string {
  const { name, isGlobal, key, columns, appendOnly } = table;
  const owner = isGlobal ? '' : 'organization_id, ';
  const keys = Object.keys(key).join(', ');
  const others = Object.keys(columns);
  const update = `DO UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE ${others.map((column) => `${name}.${column} IS DISTINCT FROM excluded.${column}`).join(' OR ')}`;
  return `INSERT INTO ${name} (${owner}${listColumnNames(table)}) ${rows}
    ON CONFLICT (${owner}${keys}) ${appendOnly ? 'DO NOTHING' : update}`;
}

/** As `composeUpsert`. Parameters: the municipality, and the rows as a JSON array. */
export function composeRecordsetUpsert(table: Table, recordset: Engine['recordset']): string {
  const incoming = recordset('incoming', '$2', getColumns(table));
  const columns = listColumnNames(table);
  return composeUpsert(
    table,
    table.isGlobal
      ? `SELECT ${columns} FROM ${incoming} WHERE $1 = ''`
      : `SELECT $1, ${columns} FROM ${incoming} WHERE true`,
  );
}
