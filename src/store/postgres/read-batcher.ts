/**
 * Batches reads of published data. Requests with the same query for one municipality that arrive in one turn of the event
 * loop share one statement, because the overhead of a statement is as large as the cost of a page. The statement starts
 * after all its requests have arrived.
 */

import { setImmediate } from 'node:timers/promises';
import { type Engine, maxBatchRows } from '../engine.ts';
import type { Query } from './connection-pool.ts';
import {
  composeDocumentsStatement,
  composePagesStatement,
  parsePage,
  type TextPageRow,
} from './tenant-statements.ts';

interface OrdinalRow {
  /** Position of the request in the batch, from 1. */
  ordinal: number;
}

interface ReadBatch {
  /** Parameters of each request by their JSON text: equal requests share one entry. */
  requests: Map<string, readonly (string | number)[]>;
  /** Maximum rows of all requests. */
  rows: number;
  /** Rows by the same names. */
  results: Promise<Map<string, object>>;
}

/** Reads at most one row for each request: a document, or the aggregate of a page. */
export function createReadBatcher(query: Query): Pick<Engine, 'readPage' | 'readDocument'> {
  /** A new map for each turn: the old hash tables of a map with many changes would keep results in memory. */
  let openBatches = new Map<string, ReadBatch>();

  async function execute(sql: string, organizationId: string, requests: ReadBatch['requests']) {
    const names = [...requests.keys()];
    const values = [...requests.values()];
    const columns = (values[0] ?? []).map((_, column) => values.map((row) => row[column] as string));
    const { rows } = await query<OrdinalRow>(sql, [organizationId, ...columns]);
    return new Map<string, object>(rows.map((row) => [names[row.ordinal - 1] as string, row]));
  }

  function openBatch(key: string, sql: string, organizationId: string): ReadBatch {
    const requests: ReadBatch['requests'] = new Map();
    const batch = {
      requests,
      rows: 0,
      results: setImmediate().then(() => {
        openBatches = new Map();
        return execute(sql, organizationId, requests);
      }),
    };
    openBatches.set(key, batch);
    return batch;
  }

  async function read<Row>(
    sql: string,
    organizationId: string,
    values: readonly (string | number)[],
    rows: number,
  ): Promise<Row | undefined> {
    const key = organizationId + sql;
    let batch = openBatches.get(key);
    if (batch === undefined || batch.rows + rows > maxBatchRows) batch = openBatch(key, sql, organizationId);
    batch.rows += rows;
    const name = JSON.stringify(values);
    batch.requests.set(name, values);
    return (await batch.results).get(name) as Row | undefined;
  }

  return {
    readPage: async (organizationId, { parts, values, maxRows }) => {
      const parameters = [...values, maxRows];
      const sql = composePagesStatement(parts, parameters.length);
      return parsePage((await read<TextPageRow>(sql, organizationId, parameters, maxRows)) as TextPageRow);
    },
    readDocument: async (sql, organizationId, id) =>
      (await read<{ document: string }>(composeDocumentsStatement(sql), organizationId, [id], 1))?.document,
  };
}
