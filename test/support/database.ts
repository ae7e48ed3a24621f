/** A database for one test, of the engine that this run of the tests is about; empty, or migrated. */

import type { Scope } from './files.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import { createSqliteDatabase } from './sqlite-database.ts';

/** Runs a statement past the service, as an operator may, with `$1`, … for parameters. */
export type Sql = <Row = Record<string, unknown>>(
  text: string,
  parameters?: readonly (string | number | Buffer | null)[],
) => Promise<Row[]>;

/** How a query is carried out, in words that both engines' plans are put into. */
export interface Plan {
  /** Each access to a table: its index, and the columns that bound the search, such as `created_at <`. */
  seeks: { table: string; index: string; bounds: string[] }[];
  /** Tables that are read without an index. */
  scans: string[];
  /** Sorts other than those inside of aggregates. */
  sorts: string[];
  /** The whole plan, for messages. */
  text: string;
}

export interface TestDatabase {
  /** What `--database` and ROSTRA_DATABASE name. */
  database: string;
  sql: Sql;
  /** How a query of ours is carried out, as `Engine.rowsOf` has it run, or the parts of a page, as `Engine.page`. */
  explain(query: string | readonly string[], parameters: readonly (string | Buffer)[]): Promise<Plan>;
  /** Columns of each index and key of a table, in their order. */
  listIndexes(table: string): Promise<string[][]>;
  /** Throws unless the database is whole. */
  assertIntact(): Promise<void>;
}

/** The cluster that this run of the tests was given; without one it is about SQLite. */
const cluster = process.env.ROSTRA_TEST_CLUSTER;

export const engine = cluster === undefined ? 'SQLite' : 'PostgreSQL';

/** @param folder where a file goes, if the engine has files */
export function createDatabase(scope: Scope, folder: string): Promise<TestDatabase> {
  return cluster === undefined ? createSqliteDatabase(scope, folder) : createPostgresDatabase(scope, cluster);
}

/** How tests open a store beside the servers they start. */
export const storeDefaults = {
  owner: undefined,
  readUrls: [],
  maxReadLagMs: 10_000,
  connections: 2,
  create: true,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 10_000,
  rateLimit: 1000,
  // The window that the servers of the tests have.
  rateWindowMs: 86_400_000,
  clock: Date.now,
  actor: { name: 'test', address: '' },
  notice: () => undefined,
};
