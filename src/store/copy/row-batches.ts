/** Reads and hashes the rows of one municipality in batches. */
import { createHash } from 'node:crypto';
import type { Engine, SqlValue } from '../engine.ts';
import { publishedTables, type Table } from '../table-descriptors.ts';

const batchSize = 1_000;

export type Row = Record<string, SqlValue>;

/** Consecutive rows in key order: after `after`, up to and including `last`. undefined: no bound. */
export interface RowBatch {
  rows: Row[];
  after: SqlValue[] | undefined;
  last: SqlValue[] | undefined;
}

export async function* readBatches(
  engine: Engine,
  table: Table,
  organizationId: string,
): AsyncGenerator<RowBatch> {
  const keys = Object.keys(table.key);
  for (let after: SqlValue[] | undefined; ; ) {
    const rows = await readBatch(engine, table, organizationId, after, undefined);
    const isEnd = rows.length < batchSize;
    const lastRow = rows.at(-1);
    const last = isEnd || lastRow === undefined ? undefined : keys.map((name) => lastRow[name] as SqlValue);
    yield { rows, after, last };
    if (last === undefined) return;
    after = last;
  }
}

const isPublished = (table: Table) => publishedTables.some(({ name }) => name === table.name);

/** All columns, including generated ones, of at most one batch of rows. */
async function readBatch(
  engine: Engine,
  table: Table,
  organizationId: string,
  after: SqlValue[] | undefined,
  last: SqlValue[] | undefined,
): Promise<Row[]> {
  const keys = Object.keys(table.key);
  const names = [...keys, ...Object.keys(table.columns), ...table.generated].join(', ');
  const { condition, parameters } = composeKeyRange(table, organizationId, after, last);
  const sql = `SELECT ${names} FROM ${table.name} WHERE ${condition} ORDER BY ${keys.join(', ')} LIMIT ${batchSize}`;
  return isPublished(table) ? engine.tenantQuery<Row>(sql, parameters) : engine.query<Row>(sql, parameters);
}

export function composeKeyRange(
  table: Table,
  organizationId: string,
  after: SqlValue[] | undefined,
  last: SqlValue[] | undefined,
) {
  const keys = Object.keys(table.key);
  const parameters: [string, ...SqlValue[]] = [organizationId];
  const conditions = ['organization_id = $1'];
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
  to: Engine,
  table: Table,
  organizationId: string,
  { after, last }: RowBatch,
): Promise<Row[]> {
  const keys = Object.keys(table.key);
  const all: Row[] = [];
  for (let from = after; ; ) {
    const rows = await readBatch(to, table, organizationId, from, last);
    all.push(...rows);
    const lastRow = rows.at(-1);
    if (rows.length < batchSize || lastRow === undefined) return all;
    from = keys.map((name) => lastRow[name] as SqlValue);
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

/** Hashes the rows of the target whose keys the source has. */
export async function hashMatchingRows(
  from: Engine,
  to: Engine,
  table: Table,
  organizationId: string,
  signal: AbortSignal,
) {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const batch of readBatches(from, table, organizationId)) {
    signal.throwIfAborted();
    const present = await readRange(to, table, organizationId, batch);
    const byKey = new Map(present.map((row) => [getRowKey(table, row), row]));
    for (const row of batch.rows) {
      const found = byKey.get(getRowKey(table, row));
      if (found === undefined) continue;
      hash.update(toJson(found));
      rows += 1;
    }
  }
  return { rows, checksum: hash.digest('hex') };
}

export async function hashTable(engine: Engine, table: Table, organizationId: string, signal: AbortSignal) {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const batch of readBatches(engine, table, organizationId)) {
    signal.throwIfAborted();
    for (const row of batch.rows) hash.update(toJson(row));
    rows += batch.rows.length;
  }
  return { rows, checksum: hash.digest('hex') };
}
