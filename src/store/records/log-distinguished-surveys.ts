/** Logs that a person has distinguished surveys from similar published ones, in the transaction that publishes them. */
import type { Actor } from '../../domain/accounts/actor.ts';
import type { RecordWrite } from '../../domain/records/records.ts';
import type { ImportOutcome } from '../../domain/store.ts';
import { recordEvent } from '../installation/audit-log.ts';
import { isRun } from '../runs/run-history.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';

type SurveyWrite = Extract<RecordWrite, { kind: 'survey' }>;

const maxLoggedSurveys = 20;

/** @param outcomes by the id of the survey; undefined: it was not published */
export async function logDistinguishedSurveys(
  { transaction, organizationId, runId, dryRun }: TenantTransaction,
  surveys: readonly SurveyWrite[],
  outcomes: ReadonlyMap<string, ImportOutcome>,
): Promise<void> {
  const distinguished = surveys.filter(
    ({ surveyId, besides }) => besides !== undefined && outcomes.has(surveyId),
  );
  if (distinguished.length === 0 || runId === undefined || dryRun !== undefined) return;
  const [by] = await transaction.query<Actor>(
    `SELECT actor AS name, address FROM import_run WHERE ${isRun}`,
    [organizationId, runId],
  );
  if (by === undefined) return;
  for (const { surveyId: id, besides = [] } of distinguished)
    await recordEvent(transaction, by, 'record.distinguished', organizationId, `survey ${id}`, {
      kind: 'survey',
      id,
      changes: besides
        .slice(0, maxLoggedSurveys)
        .map((other) => ({ field: 'similarSurvey', before: null, after: other })),
    });
}
