/** Joins that read a table of the index of words by its primary key. */
import type { Engine } from '../engine.ts';

/**
 * A seek in a table for each row of a recordset. PostgreSQL would read all rows of a municipality and join them afterwards if its
 * statistics expect few, as those of thousands of small municipalities do; SQLite keeps the order of CROSS JOIN.
 *
 * @param recordset see `Engine.recordset`
 * @param table its rows are named `stored`
 * @param condition on `stored` and the recordset
 */
export const composeSeeks = (
  { dialect }: Pick<Engine, 'dialect'>,
  recordset: string,
  table: string,
  condition: string,
): string =>
  dialect === 'postgres'
    ? `${recordset} CROSS JOIN LATERAL (SELECT * FROM ${table} AS stored WHERE ${condition} OFFSET 0) AS stored`
    : `${recordset} CROSS JOIN ${table} AS stored ON ${condition}`;
