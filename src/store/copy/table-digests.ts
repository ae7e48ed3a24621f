/** Row counts and checksums of all tables by municipality, which the databases compute themselves. */
import { createHash } from 'node:crypto';
import type { Engine } from '../engine.ts';
import { nextEventLoopTurn } from '../event-loop-turn.ts';
import { getColumns, globalTenantId, publishedTables, type Table } from '../table-descriptors.ts';

export interface TableDigest {
  rows: number;
  /** SHA-256 in hexadecimal of the SHA-256 of each row in key order. Equal in both engines. */
  checksum: string;
}

/** By table, then by municipality. Empty tables of a municipality are missing. */
export type TableDigests = ReadonlyMap<string, ReadonlyMap<string, TableDigest>>;

export const emptyDigest: TableDigest = { rows: 0, checksum: createHash('sha256').digest('hex') };

export interface DigestObserver {
  /** Receives the number of rows of one statement. */
  onRows: (rows: number) => void;
  signal: AbortSignal;
}

/** @param organizationIds for published tables. Other tables are read as a whole. */
export async function readTableDigests(
  engine: Engine,
  tables: readonly Table[],
  organizationIds: readonly string[],
  observer: DigestObserver,
): Promise<TableDigests> {
  const digests = new Map(tables.map(({ name }) => [name, new Map<string, TableDigest>()]));
  const add = (table: string, organizationId: string, text: string) => {
    const digest = parseDigest(text);
    if (digest.rows > 0) digests.get(table)?.set(organizationId, digest);
    observer.onRows(digest.rows);
  };
  const published = tables.filter(isPublished);
  await forEachConcurrently(split(organizationIds), async (ids) => {
    observer.signal.throwIfAborted();
    const rows = await engine.queryForEachTenant<Record<string, string>>(
      composeTenantQuery(engine, published),
      ids,
      [],
    );
    for (const [index, id] of ids.entries())
      for (const { name } of published) add(name, id, rows[index]?.[name] as string);
  });
  for (const table of tables.filter((one) => !isPublished(one))) {
    observer.signal.throwIfAborted();
    const rows = await engine.query<{ owner: string; digest: string }>(composeWholeQuery(engine, table));
    for (const { owner, digest } of rows) add(table.name, owner, digest);
  }
  return digests;
}

/** Tables of the installation have no municipalities. */
const composeWholeQuery = (engine: Engine, table: Table) =>
  table.isGlobal
    ? `SELECT '${globalTenantId}' AS owner, ${composeDigest(engine, table)} AS digest FROM ${table.name}`
    : `SELECT organization_id AS owner, ${composeDigest(engine, table)} AS digest FROM ${table.name} GROUP BY organization_id`;

const isPublished = (table: Table) => publishedTables.some(({ name }) => name === table.name);

/** The row-level security of PostgreSQL allows one municipality at a time. */
const composeTenantQuery = (engine: Engine, tables: readonly Table[]) =>
  `SELECT ${tables.map(({ name }) => `of_${name}.digest AS ${name}`).join(', ')} FROM ${tables
    .map(
      (table) =>
        `(SELECT ${composeDigest(engine, table)} AS digest FROM ${table.name} WHERE organization_id = $1) AS of_${table.name}`,
    )
    .join(' CROSS JOIN ')}`;

/** An aggregate: number of rows, colon, checksum. */
function composeDigest(engine: Engine, table: Table): string {
  const columns = [
    ...Object.entries(getColumns(table)).map(([name, type]) => toText(engine, name, type)),
    ...(table.generated ?? []),
  ];
  // The length of each value makes the text of a row unambiguous.
  const row = columns.map((text) => `coalesce(octet_length(${text}) || ':' || ${text}, '-')`).join(' || ');
  const keys = Object.keys(table.key).join(', ');
  const digests = `string_agg(${composeSha256(engine, row)}, '' ORDER BY ${keys})`;
  return `count(*) || ':' || ${composeSha256(engine, `coalesce(${digests}, '')`)}`;
}

function toText({ dialect }: Engine, name: string, type: 'text' | 'integer' | 'bytes'): string {
  if (type === 'integer') return `CAST(${name} AS text)`;
  if (type === 'text') return name;
  // SQLite's hex(NULL) is an empty text.
  return dialect === 'sqlite' ? `iif(${name} IS NULL, NULL, lower(hex(${name})))` : `encode(${name}, 'hex')`;
}

/** sqlite/sqlite-engine.ts adds the function to SQLite. */
const composeSha256 = ({ dialect }: Engine, text: string) =>
  dialect === 'sqlite' ? `sha256(${text})` : `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

function parseDigest(text: string): TableDigest {
  const [rows, checksum = ''] = text.split(':');
  return { rows: Number(rows), checksum };
}

/** Municipalities of one statement. */
const idsPerStatement = 100;

function split(ids: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let from = 0; from < ids.length; from += idsPerStatement)
    parts.push(ids.slice(from, from + idsPerStatement));
  return parts;
}

/** PostgreSQL works while the other database is read. */
const maxConcurrentStatements = 2;

async function forEachConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items.values();
  const workers = Array.from({ length: maxConcurrentStatements }, async () => {
    for (const item of iterator) {
      await work(item);
      await nextEventLoopTurn();
    }
  });
  await Promise.all(workers);
}
