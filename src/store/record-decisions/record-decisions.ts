/**
 * Decisions of administrators on single records. While a record has one, `record_decision` keeps its row as the sources last
 * delivered it, so that imports and undos compare with that row, and a reverted decision publishes it. Surveys: see
 * decided-surveys.ts.
 */
import type { DecisionKind } from '../../domain/records/record-decision.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import type { Queryable, Row, RowDifference, SourcedRow } from '../engine.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import { findDifferences } from '../records/compare-rows.ts';
import type { SourcedTable } from '../table-descriptors.ts';
import type { RecordDecisions, TenantTransaction } from '../tenant-transaction.ts';
import type { Correction } from './corrections.ts';
import { mapRecordKinds, readMatches, saveDigests } from './record-digests.ts';

type DecidedTransaction = Pick<
  TenantTransaction,
  'transaction' | 'recordset' | 'organizationId' | 'decisions'
>;

export async function readDecisions(
  transaction: Pick<Queryable, 'query'>,
  organizationId: string,
): Promise<RecordDecisions> {
  const rows = await transaction.query<{
    kind: RecordKind;
    id: string;
    decision: DecisionKind;
    correction: string | null;
  }>('SELECT kind, id, decision, correction FROM record_decision WHERE organization_id = $1', [
    organizationId,
  ]);
  const decided = mapRecordKinds(() => new Map<string, (typeof rows)[number]>());
  for (const row of rows) decided[row.kind].set(row.id, row);
  const matches = await readMatches(transaction, organizationId, rows.length > 0);
  const isWithheld = (row: (typeof rows)[number] | undefined) =>
    row !== undefined && row.decision !== 'corrected';
  const readValues = <Values extends Correction['values']>({ correction }: { correction: string | null }) =>
    correction ? (JSON.parse(correction) as Correction<Values>).values : undefined;
  return {
    isEmpty: rows.length === 0,
    matches,
    has: (kind, id) => decided[kind].has(id),
    isWithheld: (kind, id) => isWithheld(decided[kind].get(id)) || matches.withheld[kind].has(id),
    isRemoved: (kind, id) => decided[kind].get(id)?.decision === 'removed',
    findCorrection: <Values extends Correction['values']>(kind: RecordKind, id: string) => {
      const row = decided[kind].get(id);
      return row === undefined || isWithheld(row) ? undefined : readValues<Values>(row);
    },
    findCorrectedTopic: (id) => {
      const row = decided.submission.get(id);
      return row && readValues<Row>(row)?.topic_category_name;
    },
  };
}

/** The next ids after `after`, ordered, of records with a decision that the sources still have. */
export async function listKeptIds(
  { transaction, organizationId }: Pick<TenantTransaction, 'transaction' | 'organizationId'>,
  kind: RecordKind,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(
    `SELECT id FROM record_decision WHERE organization_id = $1 AND kind = $2 AND id > $3 AND record IS NOT NULL
    ORDER BY id LIMIT ${limit}`,
    [organizationId, kind, after],
  );
  return rows.map(({ id }) => id);
}

/** Those of these rows that the sources still have, of records with a decision. */
export async function readKeptRows(
  { transaction, recordset, organizationId, decisions }: DecidedTransaction,
  kind: RecordKind,
  ids: readonly string[],
): Promise<SourcedRow[]> {
  const decided = ids.filter((id) => decisions.has(kind, id));
  if (decided.length === 0) return [];
  const rows = await transaction.query<{ record: string }>(
    `SELECT record FROM record_decision
    WHERE organization_id = $1 AND kind = $2 AND record IS NOT NULL AND id IN (${selectIds(recordset, '$3')})`,
    [organizationId, kind, toIdRows(decided)],
  );
  return rows.map(({ record }) => JSON.parse(record));
}

/** The rows as the sources last delivered them, in any order. */
export async function readSourceRows(
  target: DecidedTransaction,
  table: SourcedTable,
  ids: readonly string[],
): Promise<SourcedRow[]> {
  const kept = await readKeptRows(target, table.name, ids);
  const undecided = ids.filter((id) => !target.decisions.has(table.name, id));
  return [...(await target.transaction.readRows(table, target.organizationId, undecided)), ...kept];
}

/** Keeps rows of records with a decision. @returns the differences from the rows that were kept before */
export async function keepRows(
  target: DecidedTransaction & Pick<TenantTransaction, 'dryRun'>,
  table: SourcedTable,
  rows: readonly SourcedRow[],
): Promise<RowDifference[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const differences = findDifferences(table, rows, await readKeptRows(target, table.name, ids));
  if (target.dryRun === undefined) {
    await writeKeptRows(
      target,
      table.name,
      differences.map(({ after }) => ({ id: after.id, record: JSON.stringify(after) })),
    );
    await saveNewDigests(target, table.name, differences);
  }
  return differences;
}

async function saveNewDigests(
  { transaction, organizationId, decisions }: DecidedTransaction,
  kind: RecordKind,
  differences: readonly RowDifference[],
): Promise<void> {
  for (const { after } of differences)
    if (decisions.isWithheld(kind, after.id))
      await saveDigests(transaction, { organizationId, kind, id: after.id }, after);
}

/** The sources no longer have these records. Those without a decision stay. */
export async function forgetKeptRows(
  target: DecidedTransaction,
  kind: RecordKind,
  ids: readonly string[],
): Promise<void> {
  const decided = ids.filter((id) => target.decisions.has(kind, id));
  await writeKeptRows(
    target,
    kind,
    decided.map((id) => ({ id, record: null })),
  );
}

export async function writeKeptRows(
  { transaction, recordset, organizationId }: DecidedTransaction,
  kind: RecordKind,
  rows: readonly { id: string; record: string | null }[],
): Promise<void> {
  if (rows.length === 0) return;
  await transaction.execute(
    `UPDATE record_decision SET record = kept.record
    FROM ${recordset('kept', '$3', { id: 'text', record: 'text' })}
    WHERE record_decision.organization_id = $1 AND record_decision.kind = $2 AND record_decision.id = kept.id`,
    [organizationId, kind, JSON.stringify(rows)],
  );
}
