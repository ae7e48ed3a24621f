/** Municipalities on the nodes of an own Citus cluster, and a server for them. */
import { randomUUID } from 'node:crypto';
import type { Store } from '../../src/domain/store.ts';
import { type CitusCluster, createCitusCluster, openDistributed } from './citus-cluster.ts';
import type { Scope } from './files.ts';
import { issueKey } from './fixture.ts';
import { findBinaries } from './postgres-cluster.ts';
import { servingRole } from './postgres-database.ts';
import { recordsOfA } from './records.ts';

export const databaseName = 'towns';

export interface Town {
  id: string;
  key: string;
  /** Port of the node that has its published data. */
  port: number;
}

export interface TownCluster extends CitusCluster {
  /** URL for the serving role. */
  database: string;
  store: Store;
  /** At least two on each worker. */
  towns: Town[];
}

export async function createTownCluster(scope: Scope): Promise<TownCluster> {
  const { folder } = await findBinaries();
  const citus = await createCitusCluster(folder);
  scope.after(citus.remove);
  const store = await openDistributed(citus, databaseName);
  scope.after(() => store.close());
  const towns: Town[] = [];
  const isEnough = () =>
    citus.workers.every(({ port }) => towns.filter((town) => town.port === port).length >= 2);
  while (!isEnough()) {
    const { id } = await store.addOrganization(`Town ${towns.length}`, randomUUID());
    await store.write(id, (writer) => writer.put(recordsOfA));
    const { secret: key } = await issueKey(store, id);
    towns.push({ id, key, port: await findPort(citus, id) });
  }
  return { ...citus, database: citus.coordinator.url(servingRole, databaseName), store, towns };
}

/** @returns the port of the node that has the municipality's published data */
export async function findPort({ coordinator }: CitusCluster, organizationId: string): Promise<number> {
  const [row] = await coordinator.sql<{ port: number }>(
    databaseName,
    `SELECT nodeport AS port FROM citus_shards WHERE table_name = 'submission'::regclass
      AND shardid = get_shard_id_for_distribution_column('submission', $1::text)`,
    [organizationId],
  );
  return row?.port as number;
}
