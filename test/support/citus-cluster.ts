/** A coordinator of Citus and its workers, for tests. */
import type { Store } from '../../src/domain/store.ts';
import { distributeStore, openStore } from '../../src/store/open.ts';
import { storeDefaults } from './database.ts';
import { type Cluster, type ClusterOptions, createCluster } from './postgres-cluster.ts';
import { ownerRole, servingRole } from './postgres-database.ts';

export interface CitusCluster {
  coordinator: Cluster;
  workers: Cluster[];
  remove(): Promise<void>;
}

const settings = [
  "shared_preload_libraries = 'citus'",
  "citus.node_conninfo = 'sslmode=disable'",
  'citus.shard_count = 4',
  // To move shards.
  'wal_level = logical',
  'max_wal_senders = 20',
  'max_replication_slots = 20',
  'max_prepared_transactions = 200',
  // Each database of Citus has a daemon.
  'max_worker_processes = 100',
  'synchronous_commit = off',
];

/**
 * @param folder with `postgres` and `initdb` of an installation that has Citus
 * @param options of the coordinator
 */
export async function createCitusCluster(
  folder: string,
  workerCount = 2,
  options: ClusterOptions = {},
): Promise<CitusCluster> {
  const clusters: Cluster[] = [];
  const remove = async () => {
    await Promise.all(clusters.map((cluster) => cluster.remove()));
  };
  try {
    for (let created = 0; created <= workerCount; created += 1)
      clusters.push(await createNode(folder, created === 0 ? options : {}));
    const [coordinator, ...workers] = clusters as [Cluster, ...Cluster[]];
    return { coordinator, workers, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

export const createNode = (folder: string, options: ClusterOptions = {}) =>
  createCluster(folder, { ...options, settings: [...settings, ...(options.settings ?? [])] });

/** An empty database on all nodes, with two roles, as an operator creates it (docs/scaling.md). */
async function createCitusDatabase({ coordinator, workers }: CitusCluster, name: string): Promise<void> {
  for (const cluster of [coordinator, ...workers]) {
    await cluster.sql('postgres', `CREATE DATABASE ${name}`);
    await cluster.sql(name, 'CREATE EXTENSION citus');
  }
  await coordinator.sql(name, "SELECT citus_set_coordinator_host('127.0.0.1', $1)", [coordinator.port]);
  for (const { port } of workers) await addNode(coordinator, name, port);
  for (const role of [ownerRole, servingRole]) await coordinator.sql(name, `CREATE ROLE ${role} LOGIN`);
  await coordinator.sql(name, `GRANT CREATE ON SCHEMA public TO ${ownerRole}`);
}

export const addNode = (coordinator: Cluster, database: string, port: number) =>
  coordinator.sql(database, "SELECT citus_add_node('127.0.0.1', $1)", [port]);

/** Creates the tables as an operator does (docs/scaling.md). */
export async function openDistributed(citus: CitusCluster, name: string): Promise<Store> {
  await createCitusDatabase(citus, name);
  const options = {
    ...storeDefaults,
    database: citus.coordinator.url(servingRole, name),
    owner: citus.coordinator.url(ownerRole, name),
  };
  const store = await openStore(options);
  await distributeStore(options);
  return store;
}
