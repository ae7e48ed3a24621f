/** Redacts the rows that an undo restores. */
import { type Field, type Fields, listStoredFields } from '../../contract/field.ts';
import { fieldsByKind } from '../../domain/records/records.ts';
import type { RedactRestored, RestoredRecord } from '../../domain/runs/undo.ts';
import type { SourcedRow } from '../engine.ts';
import { composeRow, fromStoredValue } from '../records/put-rows.ts';
import type { UndoableKind } from './undo-log.ts';

/** @returns the rows in their order; a row without such a text is the same object */
export async function redactRestoredRows(
  kind: UndoableKind,
  rows: readonly SourcedRow[],
  redact: RedactRestored,
): Promise<SourcedRow[]> {
  const { [kind]: fields } = fieldsByKind;
  const stored = listStoredFields(fields);
  const toRecord = (row: SourcedRow) =>
    ({
      kind,
      ...Object.fromEntries(
        stored.map(({ field, column }) => [
          field,
          fromStoredValue((fields as Fields)[field] as Field, row[column] ?? null),
        ]),
      ),
    }) as unknown as RestoredRecord;
  const records = rows.map(toRecord);
  const redacted = await redact(records);
  const getField = (record: RestoredRecord, field: string) =>
    (record as unknown as Readonly<Record<string, unknown>>)[field];
  return rows.map((row, index) => {
    const [before, after] = [records[index] as RestoredRecord, redacted[index] as RestoredRecord];
    if (after === before) return row;
    const changed = stored.filter(({ field }) => getField(before, field) !== getField(after, field));
    const values = composeRow[kind](after);
    return { ...row, ...Object.fromEntries(changed.map(({ column }) => [column, values[column] ?? null])) };
  });
}
