/** Interface of the SQL engines. sqlite/sqlite-engine.ts and postgres/postgres-engine.ts implement it. */
import type { RecordedAuditEvent } from '../domain/accounts/audit-log.ts';
import type { AccessStore } from '../domain/store.ts';
import type { StoreDamagedError } from '../domain/store-errors.ts';
import type { StoreMetrics } from '../platform/metrics/metrics-registry.ts';
import type { Columns, CrossTenantPurpose, SourcedTable } from './table-descriptors.ts';

/** Arrays are PostgreSQL arrays. */
export type SqlValue = string | number | Buffer | null | readonly (string | number | Buffer)[];

/** Values by column. */
export type Row = Readonly<Record<string, SqlValue>>;

/** The values of all `getColumns` of a table that has a `source_id`. */
export type SourcedRow = Row & { id: string; source_id: number | null };

/** An incoming row that differs from the stored row with its id. */
export interface RowDifference {
  /** The stored row; undefined: missing. */
  before: SourcedRow | undefined;
  after: SourcedRow;
  /** Only `source_id` differs, so the published document stays the same. */
  isMove: boolean;
}

/** Runs SQL with the parameters `$1`, `$2`, … @throws StoreUnavailableError, or the error of the engine */
export interface Queryable {
  query<Row>(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** Returns the number of written rows. */
  execute(sql: string, parameters?: readonly SqlValue[]): Promise<number>;
  /** The stored rows with these ids, in any order. */
  readRows(table: SourcedTable, organizationId: string, ids: readonly string[]): Promise<SourcedRow[]>;
  /**
   * Writes rows as they are after each difference. The caller has validated the values.
   *
   * @param differences from the stored rows, as this transaction has read them; unique ids
   */
  writeRows(
    table: SourcedTable,
    organizationId: string,
    differences: readonly RowDifference[],
  ): Promise<void>;
  /** Runs several statements without parameters. */
  exec(sql: string): Promise<void>;
  /** The store's clock in Unix milliseconds. */
  now(): Promise<number>;
}

/** The store's clock in published form. */
export const readTimestamp = async (statements: Queryable) => new Date(await statements.now()).toISOString();

/** The first parameter is the id of a municipality. */
export type TenantParameters = readonly [string, ...SqlValue[]];

/** A page of 100 rows, and one more row that shows whether there is a next page. */
export const maxPageRows = 101;

/** Rows of all pages that share a statement: sixteen pages of the default size. More would delay the first requests. */
export const maxBatchRows = 336;

/** The queries of a page. */
export interface PageParts {
  /** For `document`, `at` and `id`, without ORDER BY and LIMIT. All rows of a query come before the rows of the next one. */
  queries: readonly string[];
  order: PageOrder;
}

type PageOrder = 'at DESC, id' | 'at, id DESC';

/** One page of a list. */
export interface PageQuery {
  /** The same object for the same queries. */
  parts: PageParts;
  /** Parameters from `$2`; `$1` is the municipality. */
  values: readonly string[];
  /** Of all parts, 2 to `maxPageRows`: the page, and one more row. */
  maxRows: number;
}

/** The rows of one page and the row after it, aggregated into one row. */
export interface PageRow {
  /** JSON texts separated by `documentSeparator`; may be empty. */
  documents: Buffer;
  /** `at`, then `id`, of all rows without separators. All have the same length. */
  sortKeys: string;
  count: number;
}

/** Connections with one purpose, and where their statements are counted. */
export interface MeteredPool {
  /** In the metrics. SQLite has `reader`, `writer` and `snapshot`, PostgreSQL the others and `snapshot`. */
  name: 'primary' | 'replica' | 'transaction' | 'snapshot' | 'reader' | 'writer';
  metrics: StoreMetrics | undefined;
}

/** The numbering of the changes of a municipality. */
export interface ChangeHistory {
  historyId: string;
  /** Of the latest change. */
  sequence: number;
}

/** Reads of one municipality from one state of the database. */
export interface Snapshot {
  query<Row>(sql: string, parameters: TenantParameters): Promise<Row[]>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** A municipality, all municipalities for a purpose, or neither. */
export type TransactionScope = string | { purpose: CrossTenantPurpose } | undefined;

export interface Engine extends Queryable {
  /** Folder of the engine's migrations in `migrations/`. */
  dialect: 'sqlite' | 'postgres';
  /**
   * As `query`, for tables with row-level security. Reads only rows of the municipality `$1`.
   *
   * @param from a replica may be behind the primary
   */
  tenantQuery<Row>(
    sql: string,
    parameters: TenantParameters,
    from?: 'primary or replica' | 'primary',
  ): Promise<Row[]>;
  /**
   * As `query`, and the row of `selectChangeHistory` of each municipality. One statement, except on Citus.
   *
   * @param sql its rows have different `organizationId`
   */
  queryWithChangeHistory<Row extends { organizationId: string }>(
    sql: string,
    parameters: readonly SqlValue[],
  ): Promise<(Row & ChangeHistory)[]>;
  /** As `execute`, for tables with row-level security. Writes only rows of the municipality `$1`, and does not wait for its transactions. */
  tenantExecute(sql: string, parameters: TenantParameters): Promise<number>;
  /** As `query`. Also reads the tables of the purpose. */
  queryAcrossTenants<Row>(
    purpose: CrossTenantPurpose,
    sql: string,
    parameters?: readonly SqlValue[],
  ): Promise<Row[]>;
  /**
   * As `tenantQuery` for any number of municipalities, in their order, but not from one state. `parameters` start at `$2`.
   *
   * @param substitute rows of each municipality whose node of Citus is unavailable. Default: the query rejects
   */
  queryForEachTenant<Row>(
    sql: string,
    organizationIds: readonly string[],
    parameters: readonly SqlValue[],
    substitute?: readonly Row[],
  ): Promise<Row[]>;
  /** As `tenantQuery`, for the `document` with the id `$2`. undefined: missing. */
  readDocument(sql: string, organizationId: string, id: string): Promise<string | undefined>;
  /** As `tenantQuery`, for one page of a list. */
  readPage(organizationId: string, page: PageQuery): Promise<PageRow>;
  /** Each snapshot has its own connection. Waits while the maximum number is open. */
  openSnapshot(organizationId: string): Promise<Snapshot>;
  /**
   * Runs `work` in one transaction and rolls back if it rejects. `work` may only use the given `Queryable`, and may
   * only access published data of the municipality. Transactions of one municipality are serialized across all
   * processes, and so are those without a municipality. Reads continue concurrently.
   */
  transaction<Result>(
    scope: TransactionScope,
    work: (transaction: Queryable) => Promise<Result>,
  ): Promise<Result>;
  /**
   * A table expression for the rows of a JSON array of objects.
   *
   * @param parameter such as `$2`. Bytes are hexadecimal.
   */
  recordset(alias: string, parameter: string, columns: Columns): string;
  hasTable(name: string): Promise<boolean>;
  /** See `AccessStore.admit`. */
  admit: AccessStore['admit'];
  backup(file: string): Promise<void>;
  /** Resolves with a message when the database file was replaced. Only a new process can read the new file. */
  replaced: Promise<string>;
  /** Resolves with the first damage that a statement has found. SQLite only. */
  damaged: Promise<StoreDamagedError>;
  close(): Promise<void>;
  /** As `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Reads rows of the municipality that is the first parameter, on the primary, for imports and administration. SQLite has no
 * row-level security, and the pauses of `tenantQuery` are for requests.
 */
export const createTenantReader = (engine: Engine): Pick<Queryable, 'query' | 'now'> =>
  engine.dialect === 'sqlite'
    ? engine
    : {
        query: (sql, parameters) => engine.tenantQuery(sql, parameters as TenantParameters, 'primary'),
        now: engine.now,
      };

/** Reads the condition of a database. */
export type InspectedEngine = Pick<Engine, 'dialect' | 'hasTable' | 'query' | 'now'>;

/** Whether a statement violated a constraint: SQLSTATE class 23, or SQLITE_CONSTRAINT. */
export const isConstraintError = ({ code = '' }: { code?: string }): boolean =>
  /^(23|SQLITE_CONSTRAINT)/.test(code);

/** The audit events of each open transaction. */
const eventsOfTransactions = new WeakMap<Queryable, RecordedAuditEvent[]>();

/** @returns the engine, which reports the audit events of each transaction after its commit */
export function reportAuditEvents(
  engine: Engine,
  report: (events: readonly RecordedAuditEvent[]) => void,
): Engine {
  return {
    ...engine,
    transaction: async (scope, work) => {
      const events: RecordedAuditEvent[] = [];
      const result = await engine.transaction(scope, (transaction) => {
        eventsOfTransactions.set(transaction, events);
        return work(transaction);
      });
      if (events.length > 0) report(events);
      return result;
    },
  };
}

export function reportAfterCommit(transaction: Queryable, events: readonly RecordedAuditEvent[]): void {
  eventsOfTransactions.get(transaction)?.push(...events);
}
