/**
 * The surveys that disclosure control compares imported ones with, as their sources call them. A survey counts as released from its
 * first public state on: while it is public or unpublished, its rows are its latest public results. Before it becomes a draft or its
 * source removes it, `former_survey` gets them. Counts of a draft itself were never public.
 */
import { isDraft } from '../../domain/records/is-draft.ts';
import type { SurveyTexts } from '../../domain/records/record-decision.ts';
import type { SurveyRecord } from '../../domain/records/records.ts';
import type { AskedSurvey, ReleasedSurvey, ReleasedSurveyStore } from '../../domain/store.ts';
import { createTenantReader, type Engine, type TenantParameters } from '../engine.ts';
import { questionsOfSurveys, selectIds, surveyResults, toIdRows } from '../queries/statements.ts';
import { type KeptSurvey, withTexts } from '../record-decisions/corrections.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';

type Read = <Row>(sql: string, parameters: TenantParameters) => Promise<Row[]>;

interface Reads {
  /** Of published tables. */
  published: Read;
  other: Read;
}

type SurveyTransaction = Pick<TenantTransaction, 'transaction' | 'recordset' | 'organizationId'>;

export function createReleasedSurveyStore(engine: Engine): ReleasedSurveyStore {
  const { query: readPrimary } = createTenantReader(engine);
  const reads: Reads = { published: engine.tenantQuery, other: readPrimary };
  return {
    findReleasedSurvey: (organizationId, id) => findReleased(reads, organizationId, id),
    listSurveyQuestions: async (organizationId) => {
      const rows = await readPrimary<QuestionRow>(questionsOfSurveys, [organizationId]);
      const kept = await readKeptSurveys(readPrimary, organizationId);
      const released = [...Map.groupBy(rows, ({ id }) => id)].filter(
        ([id, [first]]) => !isDraft((kept.get(id) ?? first)?.status as string),
      );
      const former = await readFormerSurveys(readPrimary, organizationId);
      for (const [id] of released) former.delete(id);
      return [
        ...released.flatMap(([id, asked]) => listWordings(id, asked, kept.get(id))),
        ...[...former.values()].map(({ survey }) => ({ id: survey.surveyId, ...survey })),
      ];
    },
  };
}

/** As `findReleasedSurvey` of the store. */
export const readReleasedSurvey = (
  { transaction, organizationId }: Pick<TenantTransaction, 'transaction' | 'organizationId'>,
  id: string,
): Promise<ReleasedSurvey | undefined> => {
  const read: Read = (sql, parameters) => transaction.query(sql, parameters);
  return findReleased({ published: read, other: read }, organizationId, id);
};

async function findReleased(
  { published, other }: Reads,
  organizationId: string,
  id: string,
): Promise<ReleasedSurvey | undefined> {
  const [stored] = await published<{ status: string; document: string }>(surveyResults, [organizationId, id]);
  const kept = stored && (await readKeptSurveys(other, organizationId, id)).get(id);
  const status = (kept?.status as string | undefined) ?? stored?.status;
  if (stored === undefined || status === undefined || isDraft(status))
    return (await readFormerSurveys(other, organizationId, id)).get(id);
  const survey: SurveyRecord = { ...JSON.parse(stored.document), status };
  return { state: stored.document, survey: kept === undefined ? survey : withTexts(survey, kept) };
}

/** Call it before these surveys become drafts or are deleted. Results without responses reveal nothing. */
export async function keepReleasedResults(target: SurveyTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { transaction, recordset, organizationId } = target;
  const stored = await transaction.query<{ id: string }>(
    `SELECT id FROM survey WHERE organization_id = $1 AND id IN (${selectIds(recordset, '$2')})`,
    [organizationId, toIdRows(ids)],
  );
  for (const { id } of stored) {
    const released = await readReleasedSurvey(target, id);
    if (released === undefined || released.survey.totalResponses === 0) continue;
    await transaction.execute(
      `INSERT INTO former_survey (organization_id, id, record) VALUES ($1, $2, $3)
      ON CONFLICT (organization_id, id) DO UPDATE SET record = excluded.record`,
      [organizationId, id, JSON.stringify(released.survey)],
    );
  }
}

/** Call it when these surveys are public, or removed for good. @returns their number */
export async function forgetFormerSurveys(
  { transaction, recordset, organizationId }: SurveyTransaction,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  return transaction.execute(
    `DELETE FROM former_survey WHERE organization_id = $1 AND id IN (${selectIds(recordset, '$2')})`,
    [organizationId, toIdRows(ids)],
  );
}

interface QuestionRow {
  id: string;
  title: string;
  status: string;
  text: string;
  /** JSON. */
  options: string;
}

function listWordings(
  id: string,
  asked: readonly QuestionRow[],
  kept: KeptSurvey | undefined,
): AskedSurvey[] {
  const title = (kept ?? asked[0])?.title ?? '';
  const wordings: SurveyTexts['questionTexts'][] = [asked.map(({ text }) => text)];
  if (kept?.questionTexts.some((text, index) => text !== asked[index]?.text))
    wordings.push(kept.questionTexts);
  const options = asked.map((question) => JSON.parse(question.options));
  return wordings.map((texts) => ({
    id,
    title,
    questions: texts.map((questionText, index) => ({ questionText, options: options[index] ?? [] })),
  }));
}

/** @param id default: all surveys */
async function readKeptSurveys(
  read: Read,
  organizationId: string,
  id?: string,
): Promise<Map<string, KeptSurvey>> {
  const rows = await read<{ record: string }>(
    `SELECT record FROM record_decision WHERE organization_id = $1 AND kind = 'survey' AND record IS NOT NULL
    ${id === undefined ? '' : 'AND id = $2'}`,
    id === undefined ? [organizationId] : [organizationId, id],
  );
  return new Map(
    rows.map(({ record }) => {
      const survey: KeptSurvey = JSON.parse(record);
      return [survey.id, survey];
    }),
  );
}

/** @param id default: all surveys */
async function readFormerSurveys(
  read: Read,
  organizationId: string,
  id?: string,
): Promise<Map<string, ReleasedSurvey>> {
  const rows = await read<{ id: string; record: string }>(
    `SELECT id, record FROM former_survey WHERE organization_id = $1 ${id === undefined ? '' : 'AND id = $2'} ORDER BY id`,
    id === undefined ? [organizationId] : [organizationId, id],
  );
  return new Map(
    // A public survey with the same results has another state.
    rows.map((row) => [row.id, { state: `former ${row.record}`, survey: JSON.parse(row.record) }]),
  );
}
