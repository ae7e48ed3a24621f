/** The rows of a table of one municipality, in batches, as a copy reads and compares them. */
import { createHash } from 'node:crypto';
import type { Engine, Value } from '../engine.ts';
import { publishedTables, type Table } from '../schema.ts';

/** Rows that are compared, and written, at once. */
const batchSize = 1_000;

export type Row = Record<string, Value>;

/** Neighbours in the order of the key: all rows behind `after`, to `last` or, at the end, to infinity. */
export interface Batch {
  rows: Row[];
  after: Value[] | undefined;
  last: Value[] | undefined;
}

export async function* readBatches(
  engine: Engine,
  table: Table,
  organizationId: string,
): AsyncGenerator<Batch> {
  const keys = Object.keys(table.key);
  for (let after: Value[] | undefined; ; ) {
    const rows = await readBatch(engine, table, organizationId, after, undefined);
    const end = rows.length < batchSize;
    const lastRow = rows.at(-1);
    const last = end || lastRow === undefined ? undefined : keys.map((name) => lastRow[name] as Value);
    yield { rows, after, last };
    if (last === undefined) return;
    after = last;
  }
}

const isPublished = (table: Table) => publishedTables.some(({ name }) => name === table.name);

/** Rows of a table, all columns and what is generated, at most a batch. */
async function readBatch(
  engine: Engine,
  table: Table,
  organizationId: string,
  after: Value[] | undefined,
  last: Value[] | undefined,
): Promise<Row[]> {
  const keys = Object.keys(table.key);
  const names = [...keys, ...Object.keys(table.columns), ...table.generated].join(', ');
  const { condition, parameters } = keyRangeCondition(table, organizationId, after, last);
  const sql = `SELECT ${names} FROM ${table.name} WHERE ${condition} ORDER BY ${keys.join(', ')} LIMIT ${batchSize}`;
  return isPublished(table) ? engine.tenantQuery<Row>(sql, parameters) : engine.query<Row>(sql, parameters);
}

export function keyRangeCondition(
  table: Table,
  organizationId: string,
  after: Value[] | undefined,
  last: Value[] | undefined,
) {
  const keys = Object.keys(table.key);
  const parameters: [string, ...Value[]] = [organizationId];
  const conditions = ['organization_id = $1'];
  for (const [operator, bound] of [
    ['>', after],
    ['<=', last],
  ] as const) {
    if (bound === undefined) continue;
    const places = bound.map((_, index) => `$${parameters.length + index + 1}`);
    conditions.push(`(${keys.join(', ')}) ${operator} (${places.join(', ')})`);
    parameters.push(...bound);
  }
  return { condition: conditions.join(' AND '), parameters };
}

/** The range may hold more rows in the target than in the source. */
export async function readRange(
  to: Engine,
  table: Table,
  organizationId: string,
  { after, last }: Batch,
): Promise<Row[]> {
  const keys = Object.keys(table.key);
  const all: Row[] = [];
  for (let from = after; ; ) {
    const rows = await readBatch(to, table, organizationId, from, last);
    all.push(...rows);
    const lastRow = rows.at(-1);
    if (rows.length < batchSize || lastRow === undefined) return all;
    from = keys.map((name) => lastRow[name] as Value);
  }
}

export const rowKey = ({ key }: Table, row: Row) => JSON.stringify(Object.keys(key).map((name) => row[name]));

/** Bytes as `Engine.recordset` reads them. */
export function toJson(rows: Row | readonly Row[]): string {
  return JSON.stringify(rows, function (this: Row, name, value) {
    const original = this[name];
    return Buffer.isBuffer(original) ? original.toString('hex') : value;
  });
}

/** Of the rows that the source has, as the target has them. */
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
    const byKey = new Map(present.map((row) => [rowKey(table, row), row]));
    for (const row of batch.rows) {
      const found = byKey.get(rowKey(table, row));
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
