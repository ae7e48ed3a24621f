/** The columns of a record from its fields. */
import { type Fields, listStoredFields } from '../../contract/field.ts';
import { mapFieldsByKind } from '../../domain/records.ts';
import type { SqlValue } from '../engine.ts';

/** @returns a function that returns the columns of the fields, without keys */
function createRowComposer(fields: Fields): (record: object) => Record<string, SqlValue> {
  const stored = listStoredFields(fields);
  return (record) => {
    const values = record as Readonly<Record<string, SqlValue | boolean>>;
    const row: Record<string, SqlValue> = {};
    for (const { field, column } of stored) {
      const value = values[field] as SqlValue | boolean;
      row[column] = typeof value === 'boolean' ? Number(value) : value;
    }
    return row;
  };
}

export const composeRow = mapFieldsByKind(createRowComposer);
