/** A setting that allows less of locations applies at once to everything that is stored: records, decisions and notes of imports. */
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import type { Engine, Queryable, Row, SourcedRow, SqlValue } from '../engine.ts';
import { readInPages } from '../queries/read-in-pages.ts';
import { selectIds } from '../queries/statements.ts';
import type { Correction } from '../record-decisions/corrections.ts';
import { allowUndo, limitNotes } from '../runs/undo-log.ts';
import type { LimitLocation } from '../tenant-transaction.ts';
import { limitCorrection, readLocationLimit } from './limit-locations.ts';

interface LimitedTransaction {
  transaction: Queryable;
  recordset: Engine['recordset'];
  organizationId: string;
}

/** Call it after a setting may have become stricter. */
export async function limitStoredLocations(target: LimitedTransaction): Promise<void> {
  const limit = await readLocationLimit(target.transaction, target.organizationId);
  const topics = await limitDecisions(target, limit);
  await limitNotes(target, (row) => limit(row, topics.get(row.id)?.corrected));
  await allowUndo(target, () => limitSubmissions(target, (row) => limit(row, topics.get(row.id)?.source)));
}

/** Writes the column alone: to write whole rows takes many times as long. */
async function limitSubmissions(
  { transaction, recordset, organizationId }: LimitedTransaction,
  limit: (row: SourcedRow) => SourcedRow,
): Promise<void> {
  const stored = readInPages<SourcedRow>(
    transaction,
    `SELECT id, location, topic_category_name, source_id FROM submission
    WHERE organization_id = $1 AND location IS NOT NULL`,
    organizationId,
    ['id'],
  );
  const limited: Row[] = [];
  const limitedRows = recordset('limited', '$2', { id: 'text', location: 'text' });
  const write = async () => {
    const rows = limited.splice(0);
    if (rows.length > 0)
      await transaction.execute(
        `UPDATE submission SET location = (SELECT limited.location FROM ${limitedRows} WHERE limited.id = submission.id)
        WHERE organization_id = $1 AND id IN (${selectIds(recordset, '$2')})`,
        [organizationId, JSON.stringify(rows)],
      );
    if (isSliceUsedUp()) await waitForSlice();
  };
  for await (const row of stored) {
    const { location } = limit(row);
    if (location !== row.location) limited.push({ id: row.id, location: location ?? null });
    if (limited.length === maxWrittenRows) await write();
  }
  await write();
}

/** Each row looks for itself among them. */
const maxWrittenRows = 100;

interface DecidedTopics {
  source: SqlValue | undefined;
  corrected: SqlValue | undefined;
}

/**
 * A decision stays if its only corrected value is removed: it has the reason, and its changes prevent no undo.
 *
 * @returns the topics of submissions with a decision, by id
 */
async function limitDecisions(
  { transaction, organizationId }: LimitedTransaction,
  limit: LimitLocation,
): Promise<Map<string, DecidedTopics>> {
  const topics = new Map<string, DecidedTopics>();
  const decisions = readInPages<{ id: string; record: string | null; correction: string | null }>(
    transaction,
    `SELECT id, record, correction FROM record_decision WHERE organization_id = $1 AND kind = 'submission'`,
    organizationId,
    ['id'],
  );
  for await (const { id, record, correction } of decisions) {
    const source: SourcedRow | undefined = record === null ? undefined : JSON.parse(record);
    const corrected: Correction<Row> | undefined = correction === null ? undefined : JSON.parse(correction);
    const correctedTopic = corrected?.values.topic_category_name;
    topics.set(id, { source: source?.topic_category_name, corrected: correctedTopic });
    const row = source && limit(source, correctedTopic);
    const values = corrected && limitCorrection(corrected.values, source, limit);
    if (row === source && values === corrected?.values) continue;
    await transaction.execute(
      `UPDATE record_decision SET record = $3, correction = $4
      WHERE organization_id = $1 AND kind = 'submission' AND id = $2`,
      [
        organizationId,
        id,
        row === undefined ? null : JSON.stringify(row),
        values === undefined ? null : JSON.stringify({ ...corrected, values }),
      ],
    );
  }
  return topics;
}
