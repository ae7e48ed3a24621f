/**
 * Reads of published data. What one municipality is asked for alike in one turn of the event loop is read with one
 * statement, which begins after each of the requests has arrived: to send one, and to get it going, costs as much
 * as the page that it reads.
 */
import { maxPageRows, type PageRow } from '../engine.ts';
import { nextEventLoopTurn } from '../event-loop-turn.ts';
import { documentSeparator, memoize } from '../queries/statements.ts';
import type { Query } from './connection-pool.ts';

/** Rows that one statement reads for all: sixteen pages of the usual size. With more they would wait for each other. */
const maxBatchRows = 336;

/**
 * Sets the municipality for row-level security inside the statement that reads: no round trip of its own, and
 * nothing left on the connection when it ends or fails. What follows compares with what set_config returned, so it
 * cannot begin earlier.
 */
const setTenant = "set_config('rostra.organization_id', $1, true) AS tenant (id)";

/** OFFSET 0 keeps the planner from taking the query apart. */
export const withTenant = memoize(
  (sql: string) => `SELECT answer.* FROM ${setTenant}
    CROSS JOIN LATERAL (${bindTenant(sql)} OFFSET 0) AS answer`,
);

/** Parameters: the municipalities as an array, and those of the query from `$2` on. One row for each. */
export const withEachTenant = memoize(
  (sql: string) => `SELECT place, answer.* FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, place)
    CROSS JOIN LATERAL set_config('rostra.organization_id', asked.id, true) AS tenant (id)
    CROSS JOIN LATERAL (${bindTenant(sql)} OFFSET 0) AS answer`,
);

/** Parameters: the municipality, and the ids as an array. */
export const documentsQuery = memoize(
  (sql: string) => `SELECT place, answer.document FROM ${setTenant}
    CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS asked (p2, place)
    CROSS JOIN LATERAL (${bindParameters(sql)} OFFSET 0) AS answer`,
);

/**
 * Parameters: the municipality, each other parameter of the parts as an array, and the limits as an array.
 *
 * Each part is limited to the longest page, because for a limit that it does not know the planner expects a tenth
 * of the table, which it would rather read and sort. The parts are appended: they come in the order of the list,
 * and to merge them the planner would have to sort one.
 */
export const pagesQuery = memoize((parts: readonly string[], parameterCount: number) => {
  const limited = parts.map(
    (part) => `SELECT * FROM (${bindParameters(part)} ORDER BY at DESC, id LIMIT ${maxPageRows}) AS part`,
  );
  const places = Array.from({ length: parameterCount }, (_, index) => index + 2);
  const types = places.map((place) => `$${place}::${place === parameterCount + 1 ? 'int' : 'text'}[]`);
  return `SELECT place, page.* FROM ${setTenant}
    CROSS JOIN unnest(${types.join(', ')}) WITH ORDINALITY AS asked (${places.map((place) => `p${place}`).join(', ')}, place)
    CROSS JOIN LATERAL (
      SELECT coalesce(string_agg(document, E'${documentSeparator.replace('\n', '\\n')}'), '') AS documents,
        coalesce(string_agg(at || id, ''), '') AS keys, count(*) AS count
      FROM (SELECT * FROM (${limited.join(' UNION ALL ')}) AS rows LIMIT asked.p${parameterCount + 1}) AS rows
    ) AS page`;
});

const bindTenant = (sql: string) => sql.replaceAll(/\$1\b/g, 'tenant.id');

const bindParameters = (sql: string) => bindTenant(sql).replaceAll(/\$(\d+)\b/g, 'asked.p$1');

interface PositionedRow {
  /** From 1. */
  place: number;
}

/** Reads that the next statement answers together. */
interface Batch {
  /** What each asks for; a thing that is asked twice is read once. */
  asked: Map<string, readonly (string | number)[]>;
  rows: number;
  answers: Promise<Map<string, object>>;
}

export interface ReadBatcher {
  readPage(
    parts: readonly string[],
    parameters: readonly [string, ...string[]],
    limit: number,
  ): Promise<PageRow>;
  /** For one row, that is; what puts many together is read by itself. */
  readDocument(sql: string, organizationId: string, id: string): Promise<string | undefined>;
}

export function createReadBatcher(ask: Query): ReadBatcher {
  const gatherings = new Map<string, Batch>();

  async function readAll(sql: string, organizationId: string, asked: Batch['asked']) {
    const answers = new Map<string, object>();
    const names = [...asked.keys()];
    const values = [...asked.values()];
    const columns = (values[0] ?? []).map((_, column) => values.map((row) => row[column] as string));
    const { rows } = await ask<PositionedRow>(sql, [organizationId, ...columns]);
    for (const row of rows) answers.set(names[row.place - 1] as string, row);
    return answers;
  }

  function gather(key: string, sql: string, organizationId: string): Batch {
    const asked: Batch['asked'] = new Map();
    const gathering = {
      asked,
      rows: 0,
      answers: nextEventLoopTurn().then(() => {
        if (gatherings.get(key) === gathering) gatherings.delete(key);
        return readAll(sql, organizationId, asked);
      }),
    };
    gatherings.set(key, gathering);
    return gathering;
  }

  async function read<Row>(
    sql: string,
    organizationId: string,
    values: readonly (string | number)[],
    rows: number,
  ): Promise<Row | undefined> {
    const key = organizationId + sql;
    let gathering = gatherings.get(key);
    if (gathering === undefined || gathering.rows + rows > maxBatchRows)
      gathering = gather(key, sql, organizationId);
    gathering.rows += rows;
    const name = JSON.stringify(values);
    gathering.asked.set(name, values);
    return (await gathering.answers).get(name) as Row | undefined;
  }

  return {
    readPage: async (parts, [organizationId, ...others], limit) => {
      const values = [...others, limit];
      const row = await read<TextRow>(pagesQuery(parts, values.length), organizationId, values, limit);
      const { documents, keys, count } = row as TextRow;
      return { documents: Buffer.from(documents), keys, count };
    },
    readDocument: async (sql, organizationId, id) =>
      (await read<{ document: string }>(documentsQuery(sql), organizationId, [id], 1))?.document,
  };
}

/** As `PageRow`; the driver has it as text. */
interface TextRow {
  documents: string;
  keys: string;
  count: number;
}
