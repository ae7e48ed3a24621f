/** Distributes published data over the workers of Citus. All other tables stay on the coordinator. */
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { Engine, Queryable } from '../engine.ts';
import { tenantTables } from '../table-descriptors.ts';

export interface Distribution {
  /** Tables that were distributed now, in order. */
  tables: string[];
  /** Nodes with published data, as `host:port`. */
  nodes: string[];
}

/** `test:citus` runs on this version. */
const testedVersion = '13.2';

/** Functions that triggers call. Citus distributes the triggers' functions itself. */
const calledFunctions = [
  'find_table_beside(text, text)',
  'log_changes(text, text, text[], text[])',
  'log_results(text, text[], text[])',
];

/**
 * Changes nothing. The tables may be missing.
 *
 * @param owner connected as the owner of the tables
 * @throws StoreConflictError if the database is not the coordinator of a tested version with workers, or has data already
 */
export async function planDistribution(owner: Engine): Promise<Distribution> {
  await assertTestedVersion(owner);
  const nodes = await listNodes(owner);
  const tables = await listUndistributedTables(owner);
  const hasData =
    tables.length > 0 &&
    (await owner.hasTable('organization')) &&
    (await owner.query('SELECT 1 FROM organization LIMIT 1')).length > 0;
  if (hasData) {
    throw new StoreConflictError(
      'The database has municipalities already. Create an empty database, run "rostra migrate --citus" there, and move the data with "rostra copy".',
    );
  }
  return { tables, nodes };
}

/** @param owner as `planDistribution`. @throws as `planDistribution` */
export async function distributeTables(owner: Engine): Promise<Distribution> {
  const { tables, nodes } = await planDistribution(owner);
  if (tables.length === 0) return { tables, nodes };
  await owner.transaction(undefined, (transaction) => distribute(transaction, tables));
  return { tables, nodes };
}

/** @param tables of `tenantTables`, in its order */
export async function distribute(transaction: Queryable, tables: readonly string[]): Promise<void> {
  // The triggers only use rows of the same municipality, on the same node.
  await transaction.exec('SET LOCAL citus.enable_unsafe_triggers = on');
  for (const name of calledFunctions)
    await transaction.query('SELECT create_distributed_function($1::regprocedure)', [name]);
  for (const table of tables) {
    const [first] = tenantTables;
    const colocation = table === first ? '' : `, colocate_with => '${first}'`;
    await transaction.exec(`SELECT create_distributed_table('${table}', 'organization_id'${colocation})`);
  }
}

async function assertTestedVersion(owner: Engine): Promise<void> {
  const [extension] = await owner.query<{ version: string }>(
    "SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'",
  );
  if (extension === undefined) {
    throw new StoreConflictError(
      'The database does not have the extension Citus. As a superuser, run CREATE EXTENSION citus on the coordinator and on each worker, then add the workers with citus_add_node. See docs/scaling.md.',
    );
  }
  if (!extension.version.startsWith(`${testedVersion}-`)) {
    throw new StoreConflictError(
      `The extension Citus has version ${extension.version}. Rostra is tested with ${testedVersion} only: install that version.`,
    );
  }
}

/** @throws StoreConflictError for a worker, also before it has tables */
export async function assertNoWorker(engine: Engine, setting: string): Promise<void> {
  if (!(await engine.hasTable('pg_dist_local_group'))) return;
  const [group] = await engine.query<{ id: number }>('SELECT groupid AS id FROM pg_dist_local_group');
  if (group?.id === 0) return;
  throw new StoreConflictError(
    `${setting} is a worker of Citus. ROSTRA_DATABASE and ROSTRA_DATABASE_OWNER must be addresses of the coordinator.`,
  );
}

/** @throws StoreConflictError without workers */
async function listNodes(owner: Engine): Promise<string[]> {
  const nodes = await owner.query<{ groupId: number; name: string }>(
    `SELECT groupid AS "groupId", nodename || ':' || nodeport AS name FROM pg_dist_node
    WHERE isactive AND shouldhaveshards AND noderole = 'primary' ORDER BY nodename, nodeport`,
  );
  if (!nodes.some(({ groupId }) => groupId > 0)) {
    throw new StoreConflictError(
      "Citus has no workers. As a superuser, run SELECT citus_add_node('host', 5432) on the coordinator for each of them. See docs/scaling.md.",
    );
  }
  return nodes.map(({ name }) => name);
}

async function listUndistributedTables(owner: Engine): Promise<string[]> {
  const distributed = await owner.query<{ name: string }>(
    'SELECT relname AS name FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid',
  );
  const names = new Set(distributed.map(({ name }) => name));
  return tenantTables.filter((name) => !names.has(name));
}
