/**
 * Surveys with a decision. An unpublished one stays in its tables as a draft: no import writes it, so that exactly its rows are
 * published again. If it was updated meanwhile, the difference to the earlier results could reveal small counts.
 */
import { isDraft } from '../../domain/records/is-draft.ts';
import { surveyTable } from '../table-descriptors.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';
import { updateRow } from '../write-row.ts';
import { correctTexts, type KeptSurvey, type SurveyCorrection } from './corrections.ts';
import { readKeptRows, writeKeptRows } from './record-decisions.ts';

type SurveyTransaction = Pick<TenantTransaction, 'transaction' | 'organizationId'>;

/** @returns undefined: missing, or a draft */
export async function readPublishedSurvey(
  { transaction, organizationId }: SurveyTransaction,
  id: string,
): Promise<KeptSurvey | undefined> {
  const [row] = await transaction.readRows(surveyTable, organizationId, [id]);
  if (row === undefined || isDraft(row.status as string)) return undefined;
  const questions = await transaction.query<{ text: string }>(
    `SELECT question_text AS text FROM survey_question WHERE organization_id = $1 AND survey_id = $2
    ORDER BY position`,
    [organizationId, id],
  );
  return { ...row, title: row.title as string, questionTexts: questions.map(({ text }) => text) };
}

export async function withdrawSurvey(
  { transaction, organizationId }: SurveyTransaction,
  id: string,
): Promise<void> {
  await updateRow(transaction, 'survey', { organization_id: organizationId, id }, { status: 'draft' });
}

/** Publishes the stored rows with the status and the texts of the source, and corrected ones. */
export async function publishSurvey(
  { transaction, organizationId }: SurveyTransaction,
  source: KeptSurvey,
  correction: SurveyCorrection | undefined,
): Promise<void> {
  const { title, questionTexts } = correction === undefined ? source : correctTexts(source, correction);
  const { id, status } = source;
  for (const [position, text] of questionTexts.entries())
    await transaction.execute(
      `UPDATE survey_question SET question_text = $4
      WHERE organization_id = $1 AND survey_id = $2 AND position = $3 AND question_text <> $4`,
      [organizationId, id, position, text],
    );
  await updateRow(
    transaction,
    'survey',
    { organization_id: organizationId, id },
    { status: status as string, title },
  );
}

/** Keeps surveys as the source delivered them. */
export async function keepSurveys(target: TenantTransaction, surveys: readonly KeptSurvey[]): Promise<void> {
  if (surveys.length === 0 || target.dryRun !== undefined) return;
  const ids = surveys.map(({ id }) => id);
  const kept = await readKeptRows(target, 'survey', ids);
  const before = new Set(kept.map((survey) => JSON.stringify(survey)));
  const changed = surveys
    .map((survey) => ({ id: survey.id, record: JSON.stringify(survey) }))
    .filter(({ record }) => !before.has(record));
  await writeKeptRows(target, 'survey', changed);
}
