/** Reads the condition of a database for `rostra doctor`, and changes nothing. */
import { StoreConflictError } from '../domain/store-errors.ts';
import type { InspectedEngine } from './engine.ts';
import { isLaterSchema, listPendingMigrations, readSchemaName } from './migrate.ts';

export interface DatabaseInspection {
  engine: 'SQLite' | 'PostgreSQL';
  /** Such as `3.50.4` or `17.2`. */
  version: string;
  /** Name of the last applied migration; undefined if the schema does not fit this version. */
  schema: string | undefined;
  /** The last applied migration is of a later version, with whose schema this one works. */
  isLaterSchema: boolean;
  /** Names of the migrations that the database lacks. */
  pendingMigrations: string[];
  /** English sentence: the schema is of a newer version, or was edited. */
  schemaProblem: string | undefined;
  /** English sentence: the serving role could bypass row-level security or cannot read all tables. */
  roleProblem: string | undefined;
  /** Unix milliseconds of the database minus those of this machine. */
  clockSkewMs: number;
  /** Of the write-ahead log. PostgreSQL only. */
  archive: { isOn: boolean; lastArchivedMs: number | null; lastFailedMs: number | null } | undefined;
  /** PostgreSQL only. */
  connections: DatabaseConnections | undefined;
  /** With published data; only on Citus. */
  nodes: CitusNode[];
}

interface DatabaseConnections {
  /** Of the serving role at the same time. */
  max: number;
  /** That each process opens at most, besides those for requests. */
  othersOfProcess: number;
}

interface CitusNode {
  /** Host and port. */
  name: string;
  isConnected: boolean;
}

const listNodes = `SELECT nodename AS host, nodeport AS port FROM pg_dist_node
  WHERE isactive AND shouldhaveshards AND noderole = 'primary' ORDER BY nodename, nodeport`;

async function inspectNodes(engine: InspectedEngine): Promise<CitusNode[]> {
  if (!(await engine.hasTable('pg_dist_node'))) return [];
  const nodes = await engine.query<{ host: string; port: number }>(listNodes);
  return Promise.all(
    nodes.map(async ({ host, port }) => {
      const checked = engine.query<{ isConnected: boolean }>(
        'SELECT citus_check_connection_to_node($1, $2) AS "isConnected"',
        [host, port],
      );
      const [row] = await checked.catch(() => []);
      return { name: `${host}:${port}`, isConnected: row?.isConnected === true };
    }),
  );
}

const serverQuery = `
SELECT current_setting('archive_mode') <> 'off' AS "isOn",
  extract(epoch FROM last_archived_time)::float8 * 1000 AS "lastArchivedMs",
  extract(epoch FROM last_failed_time)::float8 * 1000 AS "lastFailedMs",
  least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0), nullif(rolconnlimit, -1), nullif(datconnlimit, -1))
    AS "maxConnections"
FROM pg_stat_archiver, pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`;

/**
 * @param assertRole throws StoreConflictError for an unsafe role
 * @param othersOfProcess see `DatabaseConnections`
 */
export async function inspectEngine(
  engine: InspectedEngine,
  assertRole: () => Promise<void>,
  othersOfProcess = 0,
): Promise<DatabaseInspection> {
  const isSqlite = engine.dialect === 'sqlite';
  const [row] = await engine.query<{ version: string }>(
    `SELECT ${isSqlite ? 'sqlite_version()' : "current_setting('server_version')"} AS version`,
  );
  const [server] = isSqlite
    ? []
    : await engine.query<NonNullable<DatabaseInspection['archive']> & { maxConnections: number }>(
        serverQuery,
      );
  const before = Date.now();
  const clockMs = await engine.now();
  // The answer is from between the two readings.
  const clockSkewMs = clockMs - (before + Date.now()) / 2;
  const pending = await explainConflict(() => listPendingMigrations(engine));
  const hasSchema = pending.problem === undefined && (await engine.hasTable('schema_migration'));
  const schema = hasSchema ? await readSchemaName(engine) : undefined;
  const role = isSqlite || !hasSchema ? undefined : await explainConflict(() => assertRole());
  return {
    engine: isSqlite ? 'SQLite' : 'PostgreSQL',
    version: row?.version.split(' ', 1)[0] ?? '',
    schema,
    isLaterSchema: schema !== undefined && isLaterSchema(engine.dialect, schema),
    pendingMigrations: pending.result ?? [],
    schemaProblem: pending.problem,
    roleProblem: role?.problem,
    clockSkewMs: Math.round(clockSkewMs),
    archive: server,
    connections: server && { max: server.maxConnections, othersOfProcess },
    nodes: isSqlite ? [] : await inspectNodes(engine),
  };
}

async function explainConflict<Result>(
  work: () => Promise<Result>,
): Promise<{ result?: Result; problem?: string }> {
  try {
    return { result: await work() };
  } catch (error) {
    if (error instanceof StoreConflictError) return { problem: error.message };
    throw error;
  }
}
