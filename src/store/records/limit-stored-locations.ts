/** A setting that allows less of locations applies at once to everything that is stored: records, decisions and notes of imports. */
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import type { Queryable, Row, SourcedRow } from '../engine.ts';
import { readInPages } from '../queries/read-in-pages.ts';
import type { Correction } from '../record-decisions/corrections.ts';
import { limitUndo } from '../runs/undo-log.ts';
import { submissionTable } from '../table-descriptors.ts';
import type { LimitLocation } from '../tenant-transaction.ts';
import { limitKept, readLocationLimit } from './limit-locations.ts';

interface LimitedTransaction {
  transaction: Queryable;
  organizationId: string;
}

/** Call it after a setting may have become stricter. */
export async function limitStoredLocations(target: LimitedTransaction): Promise<void> {
  const limit = await readLocationLimit(target.transaction, target.organizationId);
  await limitUndo(target, limit, async () => {
    await limitSubmissions(target, limit);
    await limitDecisions(target, limit);
  });
}

async function limitSubmissions(
  { transaction, organizationId }: LimitedTransaction,
  limit: LimitLocation,
): Promise<void> {
  const stored = readInPages<SourcedRow>(
    transaction,
    `SELECT id, location, topic_category_name, source_id FROM submission
    WHERE organization_id = $1 AND location IS NOT NULL`,
    organizationId,
    ['id'],
  );
  let ids: string[] = [];
  for await (const row of stored) {
    if (limit(row).location !== row.location) ids.push(row.id);
    if (ids.length === maxWrittenRows) {
      await rewrite(transaction, organizationId, ids, limit);
      ids = [];
    }
    if (isSliceUsedUp()) await waitForSlice();
  }
  await rewrite(transaction, organizationId, ids, limit);
}

/** Rows of submissions, with their texts, that are in memory. */
const maxWrittenRows = 500;

async function rewrite(
  transaction: Queryable,
  organizationId: string,
  ids: readonly string[],
  limit: LimitLocation,
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await transaction.readRows(submissionTable, organizationId, ids);
  await transaction.writeRows(
    submissionTable,
    organizationId,
    rows.map((before) => ({ before, after: limit(before), isMove: false })),
  );
}

async function limitDecisions(
  { transaction, organizationId }: LimitedTransaction,
  limit: LimitLocation,
): Promise<void> {
  const decisions = readInPages<{ id: string; record: string | null; correction: string | null }>(
    transaction,
    `SELECT id, record, correction FROM record_decision WHERE organization_id = $1 AND kind = 'submission'`,
    organizationId,
    ['id'],
  );
  for await (const { id, record, correction } of decisions) {
    if (record === null) continue;
    const corrected: Correction<Row> = correction === null ? { values: {} } : JSON.parse(correction);
    const { row, values } = limitKept<SourcedRow>(JSON.parse(record), corrected.values, limit);
    await transaction.execute(
      `UPDATE record_decision SET record = $3, correction = CASE WHEN correction IS NULL THEN NULL ELSE $4 END
      WHERE organization_id = $1 AND kind = 'submission' AND id = $2`,
      [organizationId, id, JSON.stringify(row), JSON.stringify({ ...corrected, values })],
    );
  }
}
