/** Keeps decisions on records when a backup replaces a database: otherwise it would publish records that were unpublished after it. */
import Database from 'better-sqlite3';
import { nameRecordSubject } from '../../../domain/approvals/approval-request.ts';
import {
  type DecisionKind,
  decisionKinds,
  type RecordReference,
} from '../../../domain/records/record-decision.ts';
import { deriveRecordId } from '../../../domain/values/uuid.ts';
import type { Row, SourcedRow } from '../../engine.ts';
import {
  type Correction,
  correctTexts,
  type KeptSurvey,
  type SurveyCorrection,
} from '../../record-decisions/corrections.ts';
import { listColumnNames, recordTables, wordTables } from '../../table-descriptors.ts';
import { closeAtEnd } from '../close-at-end.ts';
import { hasTable } from '../inspected-engine.ts';

interface DecisionRow extends Pick<RecordReference, 'kind' | 'id'> {
  organization_id: string;
  decision: DecisionKind;
  record: string | null;
  correction: string | null;
  reason: string;
  actor: string;
  decided_at: string;
}

type PresentDecision = Pick<DecisionRow, 'decision' | 'record' | 'decided_at'>;

const columns = 'organization_id, kind, id, decision, record, correction, reason, actor, decided_at';

/**
 * @param previous the replaced database
 * @returns the number of decisions that the backup lacked; null: the previous database is damaged, or has an older schema
 */
export function keepDecisions(previous: Database.Database, partial: string): number | null {
  let decisions: DecisionRow[];
  try {
    decisions = previous.prepare<[], DecisionRow>(`SELECT ${columns} FROM record_decision`).all();
  } catch {
    return null;
  }
  using restored = closeAtEnd(new Database(partial));
  for (const pragma of ['foreign_keys = ON', 'recursive_triggers = ON', 'secure_delete = ON'])
    restored.pragma(pragma);
  // The municipality may have been added after the backup.
  const hasOrganization = restored.prepare('SELECT 1 FROM organization WHERE id = ?');
  const kept = decisions.filter((row) => hasOrganization.get(row.organization_id) !== undefined);
  return restored.transaction(() => {
    const added = kept.filter((row) => keepDecision(restored, row));
    if (added.some(({ decision }) => decision === 'removed')) removeEndpointObjects(restored);
    forgetWords(restored);
    return added.length;
  })();
}

/** @returns whether the backup lacked the decision */
function keepDecision(restored: Database.Database, decision: DecisionRow): boolean {
  const { organization_id: organizationId, kind, id } = decision;
  const present = restored
    .prepare<string[], PresentDecision>(
      'SELECT decision, record, decided_at FROM record_decision WHERE organization_id = ? AND kind = ? AND id = ?',
    )
    .get(organizationId, kind, id);
  if (present !== undefined && !replaces(decision, present)) return false;
  const record = findRecord(restored, decision, present);
  restored
    .prepare(
      `INSERT INTO record_decision (${columns}, own_changes)
      VALUES ($organization_id, $kind, $id, $decision, $record, $correction, $reason, $actor, $decided_at, '[]')
      ON CONFLICT (organization_id, kind, id) DO UPDATE SET decision = $decision, record = $record, correction = $correction,
        reason = $reason, actor = $actor, decided_at = $decided_at`,
    )
    .run({ ...decision, record });
  if (decision.decision === 'removed') remove(restored, decision);
  else if (kind === 'survey') decideOnSurvey(restored, { ...decision, record });
  else if (decision.decision !== 'corrected') withdraw(restored, decision);
  else if (decision.correction !== null) correct(restored, decision, JSON.parse(decision.correction));
  return true;
}

/** The backup keeps what it has decided, unless the later decision is stricter, or corrects the record again. */
function replaces(later: DecisionRow, { decision, decided_at: at }: PresentDecision): boolean {
  const difference = decisionKinds.indexOf(later.decision) - decisionKinds.indexOf(decision);
  return difference > 0 || (difference === 0 && decision === 'corrected' && at < later.decided_at);
}

/** A published record as the backup has it: exactly these results of a survey are published again. */
function findRecord(
  restored: Database.Database,
  { organization_id: organizationId, kind, id, decision, record }: DecisionRow,
  present: PresentDecision | undefined,
): string | null {
  if (decision === 'removed') return null;
  if (present !== undefined) return present.record;
  if (kind !== 'survey' && decision !== 'corrected') return record;
  const row = restored
    .prepare<string[], SourcedRow>(
      `SELECT ${listColumnNames(recordTables[kind])} FROM ${kind} WHERE organization_id = ? AND id = ?`,
    )
    .get(organizationId, id);
  if (row === undefined) return null;
  if (kind !== 'survey') return JSON.stringify(row);
  const questionTexts = restored
    .prepare(
      'SELECT question_text FROM survey_question WHERE organization_id = ? AND survey_id = ? ORDER BY position',
    )
    .pluck()
    .all(organizationId, id);
  return JSON.stringify({ ...row, questionTexts });
}

function decideOnSurvey(
  restored: Database.Database,
  { organization_id: organizationId, id, decision, record, correction }: DecisionRow,
): void {
  if (record === null) return;
  const source: KeptSurvey = JSON.parse(record);
  const { title, questionTexts } =
    correction === null
      ? source
      : correctTexts(source, (JSON.parse(correction) as Correction<SurveyCorrection>).values);
  const status = decision === 'corrected' ? (source.status as string) : 'draft';
  restored
    .prepare('UPDATE survey SET status = ?, title = ? WHERE organization_id = ? AND id = ?')
    .run(status, title, organizationId, id);
  const updateQuestion = restored.prepare(
    'UPDATE survey_question SET question_text = ? WHERE organization_id = ? AND survey_id = ? AND position = ?',
  );
  for (const [position, text] of questionTexts.entries())
    updateQuestion.run(text, organizationId, id, position);
}

function correct(
  restored: Database.Database,
  { organization_id: organizationId, kind, id }: DecisionRow,
  { values }: Correction<Row>,
): void {
  const pairs = Object.keys(values).map((column) => `${column} = ?`);
  restored
    .prepare(`UPDATE ${kind} SET ${pairs.join(', ')} WHERE organization_id = ? AND id = ?`)
    .run(...Object.values(values), organizationId, id);
}

/** With the states that undos would restore and the rejections of the municipality, because one of them may name the record. */
function remove(
  restored: Database.Database,
  { organization_id: organizationId, kind, id }: DecisionRow,
): void {
  if (kind !== 'survey')
    restored
      .prepare(`DELETE FROM withheld_agenda_entry WHERE organization_id = ? AND ${kind}_id = ?`)
      .run(organizationId, id);
  restored.prepare(`DELETE FROM ${kind} WHERE organization_id = ? AND id = ?`).run(organizationId, id);
  if (kind === 'survey' && hasTable(restored, 'former_survey'))
    restored
      .prepare('DELETE FROM former_survey WHERE organization_id = ? AND id = ?')
      .run(organizationId, id);
  if (hasTable(restored, 'approval_request'))
    restored
      .prepare('DELETE FROM approval_request WHERE organization_id = ? AND subject = ?')
      .run(organizationId, nameRecordSubject({ kind, id }));
  for (const sql of [
    "UPDATE import_undo SET state = 'discarded' WHERE organization_id = ?",
    'DELETE FROM import_undo_batch WHERE organization_id = ?',
    'DELETE FROM import_rejection WHERE organization_id = ?',
    'UPDATE import_run SET detection = NULL, dry_run = NULL WHERE organization_id = ?',
  ])
    restored.prepare(sql).run(organizationId);
}

/** All at once, because an endpoint can have a million objects. */
function removeEndpointObjects(restored: Database.Database): void {
  restored.function('derive_record_id', { deterministic: true }, (organizationId, id) =>
    deriveRecordId(organizationId as string, id as string),
  );
  restored.exec(
    `DELETE FROM endpoint_object WHERE (organization_id, derive_record_id(organization_id, id)) IN
      (SELECT organization_id, id FROM record_decision WHERE decision = 'removed')`,
  );
}

/** The index of words has those of the backup, and triggers have noted the texts. The index is filled again. */
function forgetWords(restored: Database.Database): void {
  if (!hasTable(restored, 'word_pending')) return;
  const ids = restored.prepare('SELECT DISTINCT organization_id FROM word_pending').pluck().all();
  for (const table of wordTables)
    for (const id of ids) restored.prepare(`DELETE FROM ${table} WHERE organization_id = ?`).run(id);
}

function withdraw(
  restored: Database.Database,
  { organization_id: organizationId, kind, id }: DecisionRow,
): void {
  restored
    .prepare(
      `INSERT INTO withheld_agenda_entry (organization_id, session_id, position, submission_id)
      SELECT organization_id, session_id, position, submission_id FROM session_submission
      WHERE organization_id = ? AND ${kind}_id = ?`,
    )
    .run(organizationId, id);
  restored.prepare(`DELETE FROM ${kind} WHERE organization_id = ? AND id = ?`).run(organizationId, id);
}
