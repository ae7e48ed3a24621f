/** A PostgreSQL of our own for the time of the measurement, on the same machine as everything else. */
import { binaries, createCluster } from '../test/support/cluster.ts';
import { ownerRole, servingRole } from '../test/support/postgres-database.ts';
import type { Place } from './data.ts';

export interface RunningPostgres {
  place: Place & { owner: string };
  pid: number;
  remove(): Promise<void>;
}

/** As safe as a new installation is, with memory enough for the data. */
const settings = ['fsync = on', 'full_page_writes = on', "shared_buffers = '1GB'", "max_wal_size = '4GB'"];

export async function startPostgres(): Promise<RunningPostgres> {
  const { folder, remove } = await binaries();
  const cluster = await createCluster(folder, { settings });
  const name = 'rostra_bench';
  await cluster.sql('postgres', `CREATE ROLE ${ownerRole} LOGIN`);
  await cluster.sql('postgres', `CREATE ROLE ${servingRole} LOGIN`);
  await cluster.sql('postgres', `CREATE DATABASE ${name} OWNER ${ownerRole}`);
  return {
    place: { database: cluster.url(servingRole, name), owner: cluster.url(ownerRole, name) },
    pid: cluster.pid(),
    remove: async () => {
      await cluster.remove();
      remove();
    },
  };
}
