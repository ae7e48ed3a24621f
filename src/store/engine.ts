/** What the store needs of an SQL engine. One file implements it for each. */
import type { Admission, ImportOutcome } from '../domain/store.ts';
import type { Columns, SourcedTable } from './schema.ts';

/** A list of texts or of numbers is an array of PostgreSQL's. */
export type Value = string | number | Buffer | null | readonly (string | number)[];

/** Values by the names of their columns. */
export type Row = Readonly<Record<string, Value>>;

/**
 * Runs SQL with `$1`, `$2`, … for parameters, which both SQLite and PostgreSQL read. Rejects with
 * `StoreUnavailable` or with the engine's own error.
 */
export interface Queryable {
  query<Row>(sql: string, parameters?: readonly Value[]): Promise<Row[]>;
  /** How many rows were written. */
  execute(sql: string, parameters?: readonly Value[]): Promise<number>;
  /**
   * Writes rows by municipality and id, and leaves equal ones alone.
   *
   * @param rows values of all columns by their names; no id twice, and all of one `source_id`
   * @returns what became of each, in their order; a different `source_id` alone is written and is no change
   */
  upsert(table: SourcedTable, organizationId: string, rows: readonly Row[]): Promise<ImportOutcome[]>;
  /** Several statements without parameters. */
  exec(sql: string): Promise<void>;
  /** The store's clock, Unix milliseconds. */
  now(): Promise<number>;
}

/** Parameters of which the first names a municipality. */
export type TenantParameters = readonly [string, ...Value[]];

/** A page of a hundred, and the row that tells whether there is another. */
export const maxPageRows = 101;

/** One page of a list, and the row behind it, put together. */
export interface PageRow {
  /** JSON texts with `documentSeparator` between them; empty where there are none. */
  documents: Buffer;
  /** The sort keys of the rows without anything between them: `at`, of one length in a list, and `id`. */
  keys: string;
  count: number;
}

/** Reads of one municipality that all see the same state of the database, whatever is written meanwhile. */
export interface Snapshot {
  query<Row>(sql: string, parameters: TenantParameters): Promise<Row[]>;
  /** May be called more than once. */
  close(): Promise<void>;
}

export interface Engine extends Queryable {
  /** Where the numbered migrations of this engine lie, below `migrations/`. */
  dialect: 'sqlite' | 'postgres';
  /** As `rows`, for what is published: reads the rows of one municipality, which `$1` names, and no others. */
  tenantQuery<Row>(sql: string, parameters: TenantParameters): Promise<Row[]>;
  /** As `rowsOf`, for one row of each of several municipalities, in their order. `parameters` are from `$2` on. */
  queryForEachTenant<Row>(
    sql: string,
    organizationIds: readonly string[],
    parameters: readonly Value[],
  ): Promise<Row[]>;
  /** As `rowsOf`, for one `document` by its id, which `$2` names; undefined where there is none. */
  readDocument(sql: string, organizationId: string, id: string): Promise<string | undefined>;
  /**
   * As `rowsOf`, one page of a list.
   *
   * @param parts queries for `document`, `at` and `id`, without order and limit; all rows of one come before those of the next, and each is
   *   ordered by its column `at` descending, then by `id`
   * @param limit most rows in all, 1 to `maximumRows`
   */
  readPage(
    parts: readonly string[],
    parameters: readonly [string, ...string[]],
    limit: number,
  ): Promise<PageRow>;
  /** Opens a snapshot. Waits while as many are open as the engine allows: each has a connection of its own. */
  openSnapshot(organizationId: string): Promise<Snapshot>;
  /**
   * Runs `work` in one transaction: what it wrote is kept unless it rejects. `work` uses only the statements it
   * is given, and for published data only those of the municipality. Transactions of the same municipality run
   * one after the other, in all processes; so do those of none. Reads go on beside them.
   */
  transaction<Result>(
    organizationId: string | undefined,
    work: (inside: Queryable) => Promise<Result>,
  ): Promise<Result>;
  /**
   * A table expression: the objects of the JSON array that a parameter holds, as rows.
   *
   * @param parameter such as `$2`. Bytes are hexadecimal in it.
   */
  recordset(alias: string, parameter: string, columns: Columns): string;
  /** Whether there is a table or view of this name. */
  hasTable(name: string): Promise<boolean>;
  /** See `Access.admit`: the one statement of the hot path that differs between engines. */
  admit(secretHash: Buffer): Promise<Admission | undefined>;
  backup(file: string): Promise<void>;
  /** Resolves with a sentence when the database was replaced by another one: only a new process can read that. */
  replaced: Promise<string>;
  close(): Promise<void>;
}
