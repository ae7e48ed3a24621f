/** Starts a temporary PostgreSQL on the same machine. */
import { createCluster, findBinaries } from '../test/support/postgres-cluster.ts';
import { ownerRole, servingRole } from '../test/support/postgres-database.ts';
import type { BenchDatabase } from './fill-database.ts';

export interface RunningPostgres {
  pid: number;
  /** Creates an empty database, whose owner is not the serving role. */
  newDatabase(name: string): Promise<BenchDatabase & { owner: string }>;
  remove(): Promise<void>;
}

/** Default durability, with enough memory for the data. */
const settings = ['fsync = on', 'full_page_writes = on', "shared_buffers = '1GB'", "max_wal_size = '4GB'"];

export async function startPostgres(): Promise<RunningPostgres> {
  const { folder, remove } = await findBinaries();
  const cluster = await createCluster(folder, { settings });
  for (const role of [ownerRole, servingRole]) await cluster.sql('postgres', `CREATE ROLE ${role} LOGIN`);
  await cluster.sql('postgres', `GRANT pg_checkpoint TO ${ownerRole}`);
  return {
    pid: cluster.pid(),
    newDatabase: async (name) => {
      await cluster.sql('postgres', `CREATE DATABASE ${name} OWNER ${ownerRole}`);
      return { database: cluster.url(servingRole, name), owner: cluster.url(ownerRole, name) };
    },
    remove: async () => {
      await cluster.remove();
      remove();
    },
  };
}
