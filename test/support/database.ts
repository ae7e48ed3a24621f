/** A database for one test, with the engine of the test run. SQLite files are empty, PostgreSQL databases migrated. */
import type { PageParts } from '../../src/store/engine.ts';
import type { Scope } from './files.ts';
import { createPostgresDatabase, createPostgresTemplate } from './postgres-database.ts';
import { createSqliteDatabase, createSqliteTemplate } from './sqlite-database.ts';

/** Runs a statement with the parameters `$1`, … directly on the database. */
export type Sql = <Row = Record<string, unknown>>(
  text: string,
  parameters?: readonly (string | number | Buffer | null)[],
) => Promise<Row[]>;

/** Query plan in a form for both engines. */
export interface Plan {
  /** Accesses by an index, with the columns that limit the search, such as `created_at <`. */
  seeks: { table: string; index: string; bounds: string[] }[];
  /** Accesses without an index. */
  scans: string[];
  /** Sorts outside of aggregates. */
  sorts: string[];
  /** The whole plan, for messages. */
  text: string;
}

export interface TestDatabase {
  /** For `--database` and ROSTRA_DATABASE. */
  database: string;
  sql: Sql;
  /** Plan of a query as `Engine.tenantQuery` runs it, or of the parts of a page as `Engine.readPage` runs them. */
  explain(
    query: string | PageParts,
    parameters: readonly (string | Buffer)[],
    options?: {
      /** PostgreSQL runs the query: it plans the step of a recursion then, and counts rows. */
      analyze: boolean;
    },
  ): Promise<Plan>;
  /** Columns of each index and key of a table, in order. */
  listIndexes(table: string): Promise<string[][]>;
  /** Rejects if the database is damaged. */
  assertIntact(): Promise<void>;
}

/** Set by postgres-setup.ts; undefined for a run on SQLite. */
const cluster = process.env.ROSTRA_TEST_CLUSTER;

export const engine = cluster === undefined ? 'SQLite' : 'PostgreSQL';

/** @param folder for the file of an SQLite database */
export function createDatabase(scope: Scope, folder: string): Promise<TestDatabase> {
  return cluster === undefined ? createSqliteDatabase(scope, folder) : createPostgresDatabase(scope, cluster);
}

/** A database to copy. */
export interface DatabaseTemplate<Content> {
  copy: typeof createDatabase;
  /** What `FillDatabase` returned. */
  content: Content;
}

/** Fills an empty database, and closes it. */
export type FillDatabase<Content> = (database: string) => Promise<Content>;

/** Each copy creates its own secret of cursors. */
export const createTemplate = <Content>(fill: FillDatabase<Content>): Promise<DatabaseTemplate<Content>> =>
  cluster === undefined ? createSqliteTemplate(fill) : createPostgresTemplate(cluster, fill);

/** Options of stores that tests open. */
export const storeDefaults = {
  owner: undefined,
  readUrls: [],
  maxReadLagMs: 10_000,
  connections: 2,
  create: true,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 10_000,
  rateLimit: 1000,
  // The window of the test servers.
  rateWindowMs: 86_400_000,
  clock: Date.now,
  actor: { name: 'test', address: '' },
  notice: () => undefined,
  reportAuditEvents: () => undefined,
  wordSearch: true,
};
