/** Writes imported records by municipality and id, and tells what became of each. */
import type { Engine, Statements, Value } from './engine.ts';
import {
  type ImportOutcome,
  type ImportRecord,
  type Intake,
  type SessionRecord,
  StoreRefusal,
  type SubmissionRecord,
  type SurveyRecord,
  type SurveySummary,
  type Writer,
} from './store.ts';

export function intake(engine: Engine): Intake {
  return {
    listSurveys: (organizationId) =>
      engine.rows<SurveySummary>(
        `SELECT id, title, status, total_responses AS "totalResponses" FROM survey
        WHERE organization_id = $1 ORDER BY title, id`,
        [organizationId],
      ),
    write: (organizationId, work) =>
      engine.transaction(async (inside) => {
        await inside.script(createMet);
        return work(writer(inside, organizationId));
      }),
  };
}

/** Ids met so far, by run; on disk where they are many, and gone with the connection. */
const createMet = `CREATE TEMPORARY TABLE IF NOT EXISTS met_in_run (
  run TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (run, kind, id))`;

function writer(inside: Statements, organizationId: string): Writer {
  return {
    put: (record) => {
      switch (record.kind) {
        case 'submission':
          return putSubmission(inside, organizationId, record);
        case 'session':
          return putSession(inside, organizationId, record);
        case 'survey':
          return putSurvey(inside, organizationId, record);
        case 'removal':
          return remove(inside, organizationId, record);
      }
    },
    firstInRun: async (run, kind, id) => {
      const met = 'INSERT INTO met_in_run (run, kind, id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
      return (await inside.change(met, [run, kind, id])) > 0;
    },
  };
}

/** An upsert that leaves an equal row alone, so that nothing is written twice and changes can be counted. */
function upsert(table: string, columns: readonly string[]) {
  const all = ['organization_id', 'id', ...columns];
  const places = all.map((_, index) => `$${index + 1}`);
  return {
    insert: `INSERT INTO ${table} (${all.join(', ')}) VALUES (${places.join(', ')}) ON CONFLICT DO NOTHING`,
    update: `UPDATE ${table} SET ${columns.map((column, index) => `${column} = $${index + 3}`).join(', ')}
      WHERE organization_id = $1 AND id = $2
      AND (${columns.map((column, index) => `${column} IS DISTINCT FROM $${index + 3}`).join(' OR ')})`,
  };
}

async function put(
  inside: Statements,
  sql: ReturnType<typeof upsert>,
  values: Value[],
): Promise<ImportOutcome> {
  if ((await inside.change(sql.insert, values)) > 0) return 'inserted';
  return (await inside.change(sql.update, values)) > 0 ? 'changed' : 'unchanged';
}

const submissionUpsert = upsert('submission', [
  'created_at',
  'reference_number',
  'status',
  'status_changed_at',
  'topic_category_name',
  'priority_level',
  'support_count',
  'has_attachments',
  'protocol_url',
  'description',
]);

function putSubmission(inside: Statements, organizationId: string, record: SubmissionRecord) {
  return put(inside, submissionUpsert, [
    organizationId,
    record.id,
    record.createdAt,
    record.referenceNumber,
    record.status,
    record.statusChangedAt,
    record.topicCategoryName,
    record.priorityLevel,
    record.supportCount,
    Number(record.hasAttachments),
    record.protocolUrl,
    record.description,
  ]);
}

const sessionUpsert = upsert('session', ['date', 'committee_name', 'time_slot', 'created_at']);

async function putSession(
  inside: Statements,
  organizationId: string,
  record: SessionRecord,
): Promise<ImportOutcome> {
  if (record.submissions) await refuseUnknownSubmissions(inside, organizationId, record.submissions);
  const outcome = await put(inside, sessionUpsert, [
    organizationId,
    record.id,
    record.date,
    record.committeeName,
    record.timeSlot,
    record.createdAt,
  ]);
  if (record.submissions === undefined) return outcome;
  const agendaChanged = await putAgenda(inside, organizationId, record.id, record.submissions);
  return outcome === 'unchanged' && agendaChanged ? 'changed' : outcome;
}

async function refuseUnknownSubmissions(inside: Statements, organizationId: string, ids: readonly string[]) {
  for (const id of ids) {
    const [found] = await inside.rows('SELECT 1 FROM submission WHERE organization_id = $1 AND id = $2', [
      organizationId,
      id,
    ]);
    if (found === undefined) {
      throw new StoreRefusal(
        `submissions: there is no submission ${id} yet. Put submissions before the sessions that name them, or import the file again.`,
      );
    }
  }
}

async function putAgenda(
  inside: Statements,
  organizationId: string,
  sessionId: string,
  ids: readonly string[],
) {
  const present = await inside.rows<{ id: string }>(
    `SELECT submission_id AS id FROM session_submission
    WHERE organization_id = $1 AND session_id = $2 ORDER BY position`,
    [organizationId, sessionId],
  );
  if (present.length === ids.length && present.every(({ id }, position) => id === ids[position]))
    return false;
  await inside.change('DELETE FROM session_submission WHERE organization_id = $1 AND session_id = $2', [
    organizationId,
    sessionId,
  ]);
  for (const [position, id] of ids.entries()) {
    await inside.change(
      `INSERT INTO session_submission (organization_id, session_id, position, submission_id)
      VALUES ($1, $2, $3, $4)`,
      [organizationId, sessionId, position, id],
    );
  }
  return true;
}

const surveyUpsert = upsert('survey', ['title', 'status', 'total_responses']);

async function putSurvey(
  inside: Statements,
  organizationId: string,
  record: SurveyRecord,
): Promise<ImportOutcome> {
  const outcome = await put(inside, surveyUpsert, [
    organizationId,
    record.surveyId,
    record.title,
    record.status,
    record.totalResponses,
  ]);
  const questionsChanged = await putQuestions(inside, organizationId, record);
  return outcome === 'unchanged' && questionsChanged ? 'changed' : outcome;
}

async function putQuestions(
  inside: Statements,
  organizationId: string,
  { surveyId, questions }: SurveyRecord,
) {
  const survey = [organizationId, surveyId];
  const wanted = questions.flatMap((question, questionPosition) => [
    [questionPosition, -1, question.questionText, question.questionType],
    ...question.options.map((option, position) => [
      questionPosition,
      position,
      option.optionText,
      option.responseCount,
    ]),
  ]);
  const present = await inside.rows<Record<string, Value>>(
    `SELECT position AS question, -1 AS option, question_text AS text, question_type AS detail
    FROM survey_question WHERE organization_id = $1 AND survey_id = $2
    UNION ALL
    SELECT question_position, position, option_text, response_count
    FROM survey_option WHERE organization_id = $1 AND survey_id = $2
    ORDER BY question, option`,
    survey,
  );
  const same = JSON.stringify(present.map((row) => Object.values(row))) === JSON.stringify(wanted);
  if (same) return false;
  await inside.change('DELETE FROM survey_question WHERE organization_id = $1 AND survey_id = $2', survey);
  for (const [questionPosition, question] of questions.entries()) {
    await inside.change(
      `INSERT INTO survey_question (organization_id, survey_id, position, question_text, question_type)
      VALUES ($1, $2, $3, $4, $5)`,
      [...survey, questionPosition, question.questionText, question.questionType],
    );
    for (const [position, option] of question.options.entries()) {
      await inside.change(
        `INSERT INTO survey_option
          (organization_id, survey_id, question_position, position, option_text, response_count)
        VALUES ($1, $2, $3, $4, $5, $6)`,
        [...survey, questionPosition, position, option.optionText, option.responseCount],
      );
    }
  }
  return true;
}

async function remove(
  inside: Statements,
  organizationId: string,
  { of, id }: Extract<ImportRecord, { kind: 'removal' }>,
): Promise<ImportOutcome> {
  const removed = await inside.change(`DELETE FROM ${of} WHERE organization_id = $1 AND id = $2`, [
    organizationId,
    id,
  ]);
  return removed > 0 ? 'removed' : 'absent';
}
