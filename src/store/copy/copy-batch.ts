/** Writes the rows of a batch into the target of a copy. */
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { Engine, Queryable } from '../engine.ts';
import { isConstraintError } from '../engine.ts';
import { composeRecordsetUpsert } from '../queries/statements.ts';
import {
  getColumns,
  keyUsageTable,
  rateWindowTable,
  rejectedRequestTable,
  sessionSubmissionTable,
  type Table,
  withheldAgendaEntryTable,
} from '../table-descriptors.ts';
import { concurrentWrite } from './compare-databases.ts';
import { keepsSurplus } from './copied-tables.ts';
import { composeKeyRange, getRowKey, type RowBatch, readRange, toJson } from './row-batches.ts';

/** Replaces the target's rows in the key range of the batch. @returns the number of new or changed rows */
export async function copyBatch(
  to: Engine,
  table: Table,
  organizationId: string,
  batch: RowBatch,
): Promise<number> {
  const present = new Map(
    (await readRange(to, table, organizationId, batch)).map((row) => [getRowKey(table, row), toJson(row)]),
  );
  const changed = batch.rows.filter((row) => present.get(getRowKey(table, row)) !== toJson(row));
  const wanted = new Set(batch.rows.map((row) => getRowKey(table, row)));
  const hasSurplus =
    !keepsSurplus(table, organizationId) && [...present.keys()].some((key) => !wanted.has(key));
  if (changed.length === 0 && !hasSurplus) return 0;
  // Entries of an agenda may swap positions, which an upsert cannot do row by row.
  const isReplaced = hasSurplus || isAgenda(table);
  const write = async (statements: Queryable) => {
    if (isReplaced) {
      const { condition, parameters } = composeKeyRange(table, organizationId, batch.after, batch.last);
      await statements.execute(`DELETE FROM ${table.name} WHERE ${condition}`, parameters);
    }
    if (isAgenda(table)) await deleteMovedEntries(to, statements, table, organizationId, batch);
    const rows = isReplaced ? batch.rows : changed;
    if (rows.length > 0)
      await statements.execute(composeRecordsetUpsert(table, to.recordset), [organizationId, toJson(rows)]);
  };
  await (isCounter(table) ? write(to) : to.transaction(organizationId, write)).catch((error) => {
    // For example, a row refers to a row that the source got after its table was copied.
    throw isConstraintError(error) ? new StoreConflictError(`${table.name}: ${concurrentWrite}`) : error;
  });
  return changed.length;
}

/** An entry of an agenda may have moved, and still be in a later batch of the target. */
async function deleteMovedEntries(
  { recordset }: Engine,
  statements: Queryable,
  table: Table,
  organizationId: string,
  { rows }: RowBatch,
): Promise<void> {
  await statements.execute(
    `DELETE FROM ${table.name} WHERE organization_id = $1 AND (session_id, submission_id) IN (
      SELECT session_id, submission_id FROM ${recordset('moved', '$2', getColumns(table))}
    )`,
    [organizationId, toJson(rows)],
  );
}

const isAgenda = ({ name }: Table) =>
  [sessionSubmissionTable, withheldAgendaEntryTable].some((agenda) => agenda.name === name);

/** On SQLite, counters are in a file without transactions of the data. */
const isCounter = ({ name }: Table) =>
  [rateWindowTable, keyUsageTable, rejectedRequestTable].some((counter) => counter.name === name);
