/** Writes rows of sources, and publishes those that no administrator has unpublished. */
import type { ImportOutcome } from '../../domain/store.ts';
import type { SourcedRow } from '../engine.ts';
import type { SourcedTable } from '../table-descriptors.ts';
import { compareRows, toOutcomes } from './compare-rows.ts';
import { keepRows } from './record-decisions.ts';
import type { TenantTransaction } from './tenant-transaction.ts';

/**
 * Writes the rows that differ from those that the sources delivered before.
 *
 * @param rows with unique ids
 */
export async function putRows(
  target: TenantTransaction,
  table: SourcedTable,
  rows: readonly SourcedRow[],
): Promise<ImportOutcome[]> {
  // Surveys: see `putSurveys`.
  const isDecided = ({ id }: SourcedRow) => table.name !== 'survey' && target.decisions.has(table.name, id);
  const published = target.decisions.isEmpty ? rows : rows.filter((row) => !isDecided(row));
  const differences = await compareRows(target, table, published);
  if (differences.length > 0 && target.dryRun === undefined)
    await target.transaction.writeRows(table, target.organizationId, differences);
  const kept = target.decisions.isEmpty ? [] : await keepRows(target, table, rows.filter(isDecided));
  target.undoLog?.noteWritten(table, [...differences, ...kept]);
  const outcomes = toOutcomes(rows, differences);
  return outcomes.map((outcome, index) => (isDecided(rows[index] as SourcedRow) ? 'withheld' : outcome));
}
