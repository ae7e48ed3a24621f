/** Writes one row from its values by column. */
import type { Queryable, Row } from './engine.ts';

export function insertRow(transaction: Queryable, table: string, row: Row): Promise<number> {
  const places = Object.keys(row).map((_, index) => `$${index + 1}`);
  return transaction.execute(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  );
}

/** @param key values that identify the row */
export function updateRow(transaction: Queryable, table: string, key: Row, values: Row): Promise<number> {
  const pairs = [...Object.keys(values), ...Object.keys(key)].map((name, index) => `${name} = $${index + 1}`);
  const { length } = Object.keys(values);
  return transaction.execute(
    `UPDATE ${table} SET ${pairs.slice(0, length).join(', ')} WHERE ${pairs.slice(length).join(' AND ')}`,
    [...Object.values(values), ...Object.values(key)],
  );
}
