/** A row whose reason is still the stored text. */
export type StoredReason<Row, Column extends keyof Row> = Omit<Row, Column> & Record<Column, string | null>;

export function readReason<Row, Column extends keyof Row>(
  row: StoredReason<Row, Column>,
  column: Column,
): Row {
  const text = row[column];
  return { ...row, [column]: text === null ? null : JSON.parse(text) } as Row;
}
