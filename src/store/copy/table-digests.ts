/** Row counts and checksums of all tables by municipality, which the databases compute themselves. */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { splitIntoChunks } from '../../platform/split-into-chunks.ts';
import type { Engine } from '../engine.ts';
import { getColumns, globalTenantId, publishedTables, type Table } from '../table-descriptors.ts';
import { copiedTables, installation, listTables } from './copied-tables.ts';

export interface TableDigest {
  rows: number;
  /** SHA-256 in hexadecimal of the SHA-256 of each row in key order. Equal in both engines. */
  checksum: string;
}

/** By table, then by municipality. Empty tables of a municipality are missing. */
export type TableDigests = ReadonlyMap<string, Map<string, TableDigest>>;

export const emptyDigest: TableDigest = { rows: 0, checksum: hash('sha256', '') };

export interface DigestObserver {
  /** Receives the number of rows of one municipality. */
  onRows: (rows: number) => void;
  signal: AbortSignal;
}

/** Receives a `TableDigest` as text. */
type AddDigest = (table: Table, organizationId: string, text: string) => void;

/** @param organizationIds ordered. Rows of the whole installation are read too. */
export async function readTableDigests(
  engine: Engine,
  organizationIds: readonly string[],
  { onRows, signal }: DigestObserver,
): Promise<TableDigests> {
  const digests = new Map(copiedTables.map(({ name }) => [name, new Map<string, TableDigest>()]));
  const add: AddDigest = ({ name }, organizationId, text) => {
    signal.throwIfAborted();
    const [rows, checksum = ''] = text.split(':');
    if (rows === '0') return;
    digests.get(name)?.set(organizationId, { rows: Number(rows), checksum });
    onRows(Number(rows));
  };
  const read = engine.dialect === 'sqlite' ? readFromSqlite : readFromPostgres;
  await read(engine, organizationIds, add);
  return digests;
}

/**
 * One scan of each table. For a search by municipality, statistics of ANALYZE can make the planner scan the table for each
 * of them.
 */
async function readFromSqlite(
  engine: Engine,
  _organizationIds: readonly string[],
  add: AddDigest,
): Promise<void> {
  for (const table of copiedTables) {
    // PostgreSQL works while this database is read.
    await setImmediate();
    const keys = Object.keys(table.key).join(', ');
    const owner = table.isGlobal ? `'${globalTenantId}'` : 'organization_id';
    // Otherwise SQLite would sort whole rows.
    const rows = await engine.query<DigestRow>(
      `WITH digested AS MATERIALIZED (
        SELECT ${owner} AS row_owner, ${keys}, sha256(${composeRowText(table, toSqliteText)}) AS row_digest
        FROM ${table.name} WHERE ${table.copied ?? '1 = 1'}
      )
      SELECT row_owner AS owner, count(*) || ':' || sha256(string_agg(row_digest, '' ORDER BY ${keys})) AS text
      FROM digested GROUP BY row_owner`,
    );
    for (const row of rows) add(table, row.owner, row.text);
  }
}

interface DigestRow {
  owner: string;
  text: string;
}

/** Row-level security allows one municipality at a time to read published data. */
async function readFromPostgres(
  engine: Engine,
  organizationIds: readonly string[],
  add: AddDigest,
): Promise<void> {
  const published = copiedTables.filter(({ name }) => publishedTables.some((one) => one.name === name));
  const others = copiedTables.filter((table) => !published.includes(table) && !table.isGlobal);
  const sql = composeTenantQuery(published);
  await forEachConcurrently(splitIntoChunks(organizationIds, idsPerStatement), async (ids) => {
    const rows = await engine.queryForEachTenant<Record<string, string>>(sql, ids, []);
    for (const [index, id] of ids.entries())
      for (const table of published) add(table, id, rows[index]?.[table.name] as string);
    for (const table of others) await readRange(table, ids);
  });
  const ofInstallation = listTables(installation);
  for (const table of ofInstallation.filter(({ isGlobal }) => !isGlobal))
    await readRange(table, [globalTenantId]);
  for (const table of ofInstallation.filter(({ isGlobal }) => isGlobal)) {
    const [row] = await engine.query<DigestRow>(`SELECT ${composeDigest(table)} AS text FROM ${table.name}`);
    add(table, globalTenantId, row?.text as string);
  }

  /** @param ids ordered. Other municipalities between them do no harm. */
  async function readRange(table: Table, ids: readonly string[]): Promise<void> {
    const rows = await engine.queryAcrossTenants<DigestRow>(
      'copy',
      `SELECT organization_id AS owner, ${composeDigest(table)} AS text FROM ${table.name}
      WHERE organization_id BETWEEN $1 AND $2 AND ${table.copied ?? '1 = 1'} GROUP BY organization_id`,
      [ids[0] as string, ids.at(-1) as string],
    );
    for (const { owner, text } of rows) add(table, owner, text);
  }
}

function composeTenantQuery(tables: readonly Table[]): string {
  const columns = tables.map(({ name }) => `of_${name}.text AS ${name}`);
  const queries = tables.map(
    (table) =>
      `(SELECT ${composeDigest(table)} AS text FROM ${table.name} WHERE organization_id = $1) AS of_${table.name}`,
  );
  return `SELECT ${columns.join(', ')} FROM ${queries.join(' CROSS JOIN ')}`;
}

/** An aggregate of PostgreSQL. */
function composeDigest(table: Table): string {
  const composeSha256 = (text: string) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
  const keys = Object.keys(table.key).join(', ');
  const rows = `string_agg(${composeSha256(composeRowText(table, toPostgresText))}, '' ORDER BY ${keys})`;
  return `count(*) || ':' || ${composeSha256(`coalesce(${rows}, '')`)}`;
}

type ToText = (name: string, type: 'text' | 'integer' | 'bytes') => string;

/** The length before each value makes the text unambiguous. */
function composeRowText(table: Table, toText: ToText): string {
  const texts = [
    ...Object.entries(getColumns(table)).map(([name, type]) => toText(name, type)),
    ...(table.generated ?? []),
  ];
  return texts.map((text) => `coalesce(octet_length(${text}) || ':' || ${text}, '-')`).join(' || ');
}

const toPostgresText: ToText = (name, type) =>
  type === 'bytes' ? `encode(${name}, 'hex')` : type === 'integer' ? `CAST(${name} AS text)` : name;

/** hex(NULL) is an empty text. */
const toSqliteText: ToText = (name, type) =>
  type === 'bytes' ? `iif(${name} IS NULL, NULL, lower(hex(${name})))` : `CAST(${name} AS text)`;

/** Municipalities of one statement. */
const idsPerStatement = 100;

const maxConcurrentStatements = 4;

async function forEachConcurrently<Item>(
  items: IteratorObject<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const workers = Array.from({ length: maxConcurrentStatements }, async () => {
    for (const item of items) await work(item);
  });
  await Promise.all(workers);
}
