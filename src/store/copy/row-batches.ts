/** Reads and hashes the rows of one municipality in batches. */
import { createHash } from 'node:crypto';
import type { Engine, Row, SqlValue } from '../engine.ts';
import { getColumns, globalTenantId, publishedTables, type Table } from '../table-descriptors.ts';

const batchSize = 1_000;

/** Consecutive rows in key order: after `after`, up to and including `last`. undefined: no bound. */
export interface RowBatch {
  rows: Row[];
  after: SqlValue[] | undefined;
  last: SqlValue[] | undefined;
}

const isPublished = (table: Table) => publishedTables.some(({ name }) => name === table.name);

/**
 * Reads all columns, including generated ones.
 *
 * @param after key before the first row
 * @param end key of the last row
 */
export async function* readBatches(
  engine: Engine,
  table: Table,
  organizationId: string,
  after?: SqlValue[],
  end?: SqlValue[],
): AsyncGenerator<RowBatch> {
  const keys = Object.keys(table.key);
  const names = [...Object.keys(getColumns(table)), ...(table.generated ?? [])].join(', ');
  for (let previous = after; ; ) {
    const { condition, parameters } = composeKeyRange(table, organizationId, previous, end);
    const sql = `SELECT ${names} FROM ${table.name} WHERE ${condition} ORDER BY ${keys.join(', ')} LIMIT ${batchSize}`;
    const rows = table.isGlobal
      ? await engine.query<Row>(sql, parameters)
      : await engine.tenantQuery<Row>(sql, parameters, isPublished(table) ? 'primary or replica' : 'primary');
    const lastRow = rows.length < batchSize ? undefined : rows.at(-1);
    const last = lastRow && keys.map((name) => lastRow[name] as SqlValue);
    yield { rows, after: previous, last };
    if (last === undefined) return;
    previous = last;
  }
}

export function composeKeyRange(
  table: Table,
  organizationId: string,
  after: SqlValue[] | undefined,
  last: SqlValue[] | undefined,
) {
  const keys = Object.keys(table.key);
  const parameters: [string, ...SqlValue[]] = [organizationId];
  const conditions = [table.isGlobal ? `$1 = '${globalTenantId}'` : 'organization_id = $1'];
  if (table.copied !== undefined) conditions.push(table.copied);
  for (const [operator, bound] of [
    ['>', after],
    ['<=', last],
  ] as const) {
    if (bound === undefined) continue;
    const placeholders = bound.map((_, index) => `$${parameters.length + index + 1}`);
    conditions.push(`(${keys.join(', ')}) ${operator} (${placeholders.join(', ')})`);
    parameters.push(...bound);
  }
  return { condition: conditions.join(' AND '), parameters };
}

/** All rows in the key range of a batch: the target may have more rows than the batch. */
export async function readRange(
  target: Engine,
  table: Table,
  organizationId: string,
  { after, last }: RowBatch,
): Promise<Row[]> {
  const all: Row[] = [];
  for await (const { rows } of readBatches(target, table, organizationId, after, last)) all.push(...rows);
  return all;
}

/** The rows of the target whose keys the source has. */
export async function* readMatchingRows(
  source: AsyncIterable<RowBatch>,
  target: Engine,
  table: Table,
  organizationId: string,
): AsyncGenerator<Pick<RowBatch, 'rows'>> {
  for await (const batch of source) {
    const present = await readRange(target, table, organizationId, batch);
    const byKey = new Map(present.map((row) => [getRowKey(table, row), row]));
    const matching = batch.rows.map((row) => byKey.get(getRowKey(table, row)));
    yield { rows: matching.filter((row) => row !== undefined) };
  }
}

export const getRowKey = ({ key }: Table, row: Row) =>
  JSON.stringify(Object.keys(key).map((name) => row[name]));

/** JSON for `Engine.recordset`. Bytes are hexadecimal. */
export function toJson(rows: Row | readonly Row[]): string {
  return JSON.stringify(rows, function (this: Row, name, value) {
    const original = this[name];
    return Buffer.isBuffer(original) ? original.toString('hex') : value;
  });
}

/** @returns the number of rows, and SHA-256 of them in hexadecimal */
export async function hashRows(
  batches: AsyncIterable<Pick<RowBatch, 'rows'>> | Iterable<Pick<RowBatch, 'rows'>>,
  signal: AbortSignal,
) {
  const hash = createHash('sha256');
  let count = 0;
  for await (const { rows } of batches) {
    signal.throwIfAborted();
    for (const row of rows) hash.update(toJson(row));
    count += rows.length;
  }
  return { rows: count, checksum: hash.digest('hex') };
}
