/**
 * Batches reads of published data. Requests with the same query for one municipality that arrive in one turn of the event
 * loop share one statement, because the overhead of a statement is as large as the cost of a page. The statement starts
 * after all its requests have arrived.
 */
import { type Engine, maxBatchRows, maxPageRows, type PageRow } from '../engine.ts';
import { nextEventLoopTurn } from '../event-loop-turn.ts';
import { documentSeparator, memoize } from '../queries/statements.ts';
import type { Query } from './connection-pool.ts';

/**
 * Sets the municipality for row-level security within the statement: no extra round trip, and the setting ends with the
 * statement even if it fails. The query depends on the result of set_config, so it cannot run earlier. It also compares with
 * the parameter itself, so that Citus knows the node that has the rows, and runs the whole statement there.
 */
const setTenant = "set_config('rostra.organization_id', $1, true) AS tenant (id)";

/** OFFSET 0 prevents the planner from flattening the subquery. */
export const withTenant = memoize(
  (sql: string) => `SELECT result.* FROM ${setTenant}
    CROSS JOIN LATERAL (${bindTenant(sql)} OFFSET 0) AS result`,
);

/** Parameters: an array of municipalities, then the parameters of the query from `$2`. One row for each municipality. */
export const withEachTenant = memoize(
  (sql: string) => `SELECT ordinal, result.* FROM unnest($1::text[]) WITH ORDINALITY AS request (id, ordinal)
    CROSS JOIN LATERAL set_config('rostra.organization_id', request.id, true) AS tenant (id)
    CROSS JOIN LATERAL (${sql.replaceAll(/\$1\b/g, 'tenant.id')} OFFSET 0) AS result`,
);

/** Parameters: the municipality, and an array of ids. */
export const composeDocumentsQuery = memoize(
  (sql: string) => `SELECT ordinal, result.document FROM ${setTenant}
    CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS request (p2, ordinal)
    CROSS JOIN LATERAL (${bindParameters(sql)} OFFSET 0) AS result`,
);

/**
 * Joins one row for each page to a municipality `tenant (id)`.
 *
 * Each part has a constant limit: for a parameter as limit, the planner assumes a tenth of the table and chooses a scan
 * with a sort. The parts are appended, not merged, because a merge would require a sort.
 *
 * @param parameterCount number of arrays: the parameters of the parts, and the limits
 * @param firstParameter number of the first array
 * @param bind binds the municipality and the other parameters of a part
 * @param textColumn name of one more array, as a column of `request`
 */
export function composePageJoins(
  parts: readonly string[],
  parameterCount: number,
  firstParameter: number,
  bind: (sql: string) => string,
  textColumn?: string,
): string {
  const limited = parts.map(
    (part) => `SELECT * FROM (${bind(part)} ORDER BY at DESC, id LIMIT ${maxPageRows}) AS part`,
  );
  const numbers = Array.from({ length: parameterCount }, (_, index) => index + 2);
  const limit = `p${parameterCount + 1}`;
  const arrays = numbers.map(
    (number, index) => `$${firstParameter + index}::${number === parameterCount + 1 ? 'int' : 'text'}[]`,
  );
  const names = numbers.map((number) => `p${number}`);
  if (textColumn !== undefined) {
    arrays.push(`$${firstParameter + parameterCount}::text[]`);
    names.push(textColumn);
  }
  return `CROSS JOIN unnest(${arrays.join(', ')}) WITH ORDINALITY AS request (${names.join(', ')}, ordinal)
    CROSS JOIN LATERAL (
      SELECT coalesce(string_agg(document, E'${documentSeparator.replace('\n', '\\n')}'), '') AS documents,
        coalesce(string_agg(at || id, ''), '') AS keys, count(*) AS count
      FROM (SELECT * FROM (${limited.join(' UNION ALL ')}) AS rows LIMIT request.${limit}) AS rows
    ) AS page`;
}

/** Parameters: the municipality, an array for each other parameter of the parts, and an array of limits. */
export const composePagesQuery = memoize(
  (parts: readonly string[], parameterCount: number) =>
    `SELECT ordinal, page.* FROM ${setTenant} ${composePageJoins(parts, parameterCount, 2, bindParameters)}`,
);

const bindTenant = (sql: string) => sql.replaceAll(/(\S+) = \$1\b/g, '$1 = tenant.id AND $1 = $$1');

const bindParameters = (sql: string) => bindRequest(bindTenant(sql));

export const bindRequest = (sql: string) =>
  sql.replaceAll(/\$(\d+)\b/g, (parameter, number) => (number === '1' ? parameter : `request.p${number}`));

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
  /** A new map for each turn: the old tables of a map with many changes would keep results in memory. */
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
      results: nextEventLoopTurn().then(() => {
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
    readPage: async (organizationId, { parts, values, limit }) => {
      const parameters = [...values, limit];
      const sql = composePagesQuery(parts, parameters.length);
      return parsePage((await read<TextPageRow>(sql, organizationId, parameters, limit)) as TextPageRow);
    },
    readDocument: async (sql, organizationId, id) =>
      (await read<{ document: string }>(composeDocumentsQuery(sql), organizationId, [id], 1))?.document,
  };
}

/** `PageRow` with the documents as text, as the driver returns them. */
export interface TextPageRow extends Omit<PageRow, 'documents'> {
  documents: string;
}

export const parsePage = ({ documents, keys, count }: TextPageRow): PageRow => ({
  documents: Buffer.from(documents),
  keys,
  count,
});
