/** Composes and writes rows of sources, and publishes those that no administrator has unpublished, with their corrections. */
import { type Field, type Fields, getValueSchema, listStoredFields } from '../../contract/field.ts';
import { mapFieldsByKind } from '../../domain/records/records.ts';
import type { ImportOutcome } from '../../domain/store.ts';
import type { Row, RowDifference, SourcedRow, SqlValue } from '../engine.ts';
import { keepRows } from '../record-decisions/record-decisions.ts';
import { publishAgendaEntries, withholdMatches } from '../record-decisions/withhold-matches.ts';
import type { SourcedTable } from '../table-descriptors.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';
import { compareRows, toOutcomes } from './compare-rows.ts';
import { noteChangedRows } from './dry-run-differences.ts';

/** @returns a function that returns the columns of the fields, without keys */
function createRowComposer(fields: Fields): (record: object) => Record<string, SqlValue> {
  const stored = listStoredFields(fields);
  return (record) => {
    const values = record as Readonly<Record<string, SqlValue | boolean | object>>;
    const row: Record<string, SqlValue> = {};
    for (const { field, column } of stored) row[column] = toStoredValue(values[field] ?? null);
    return row;
  };
}

function toStoredValue(value: SqlValue | boolean | object): SqlValue {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'object' || value === null) return value as SqlValue;
  return Array.isArray(value) && value.length === 0 ? null : JSON.stringify(value);
}

/** @param stored of a column @returns the value of the field */
export function fromStoredValue(field: Field, stored: SqlValue): unknown {
  if (field.composedOf !== undefined)
    return stored === null ? field.importDefault : JSON.parse(String(stored));
  return getValueSchema(field).type === 'boolean' ? stored === 1 : stored;
}

export const composeRow = mapFieldsByKind(createRowComposer);

/**
 * Writes the rows that differ from those that the sources delivered before.
 *
 * @param given with unique ids
 */
export async function putRows(
  target: TenantTransaction,
  table: SourcedTable,
  given: readonly SourcedRow[],
): Promise<ImportOutcome[]> {
  const { decisions, limitLocation } = target;
  const rows =
    table.name === 'submission'
      ? given.map((row) => limitLocation(row, decisions.findCorrectedTopic(row.id)))
      : given;
  // Surveys: see `putSurveys`.
  if (decisions.isEmpty || table.name === 'survey') {
    const changes = await writeDifferences(target, table, rows);
    target.undoLog?.noteWritten(table, changes);
    return toOutcomes(rows, changes);
  }
  const matched = await withholdMatches(target, table.name, rows);
  const { decided = [], undecided = [] } = Object.groupBy(
    rows.filter(({ id }) => !matched.has(id)),
    ({ id }) => (decisions.has(table.name, id) ? 'decided' : 'undecided'),
  );
  const differences = await writeDifferences(target, table, undecided);
  const kept = await keepRows(
    target,
    table,
    decided.filter(({ id }) => !decisions.isRemoved(table.name, id)),
  );
  const corrected = decided.flatMap((row) => {
    const values = decisions.findCorrection<Row>(table.name, row.id);
    return values === undefined ? [] : [limitLocation({ ...row, ...values }, row.topic_category_name)];
  });
  const published = await writeDifferences(target, table, corrected);
  target.undoLog?.noteWritten(table, [...differences, ...kept]);
  const inserted = differences.filter(({ before }) => before === undefined).map(({ after }) => after.id);
  await publishAgendaEntries(target, table.name, inserted);
  const outcomes = toOutcomes(rows, [...differences, ...published]);
  return rows.map(({ id }, index) => {
    if (matched.has(id)) return 'matched';
    return decisions.isWithheld(table.name, id) ? 'withheld' : (outcomes[index] as ImportOutcome);
  });
}

async function writeDifferences(
  target: TenantTransaction,
  table: SourcedTable,
  rows: readonly SourcedRow[],
): Promise<RowDifference[]> {
  if (rows.length === 0) return [];
  const differences = await compareRows(target, table, rows);
  if (target.dryRun !== undefined) noteChangedRows(target.dryRun, table.name, differences);
  else if (differences.length > 0)
    await target.transaction.writeRows(table, target.organizationId, differences);
  return differences;
}
