import type { Queryable, SqlValue } from '../engine.ts';

const defaultPageRows = 500;

/**
 * Reads any number of rows of a municipality with bounded memory. The rows that were read may be deleted meanwhile.
 *
 * @param sql ends with a condition on the municipality `$1`
 * @param key columns of the result that identify a row
 */
export async function* readInPages<Row extends object>(
  transaction: Queryable,
  sql: string,
  organizationId: string,
  key: readonly (keyof Row & string)[],
  pageRows = defaultPageRows,
): AsyncGenerator<Row> {
  const columns = key.join(', ');
  const after = `AND (${columns}) > (${key.map((_, index) => `$${index + 2}`).join(', ')})`;
  let position: SqlValue[] | undefined;
  for (;;) {
    const page = `${sql} ${position === undefined ? '' : after} ORDER BY ${columns} LIMIT ${pageRows}`;
    const rows = await transaction.query<Row>(page, [organizationId, ...(position ?? [])]);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    position = key.map((name) => last[name] as SqlValue);
  }
}
