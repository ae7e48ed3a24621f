/** A cluster of a file's own, which its tests may stop, crash and fill. */
import { randomUUID } from 'node:crypto';
import { generateKey, hashKey, keyPrefix } from '../../src/access/key.ts';
import { openStore } from '../../src/store/open.ts';
import { binaries, type Cluster, type ClusterOptions, createCluster } from '../support/cluster.ts';
import { storeDefaults } from '../support/database.ts';
import { ownerRole, servingRole, templateName } from '../support/postgres-database.ts';
import { prepareRoles } from '../support/postgres-setup.ts';
import { recordsOfA } from '../support/records.ts';
import type { Scope } from '../support/server.ts';

export interface OwnCluster extends Cluster {
  /** Address of the database as the role that serves. */
  database: string;
  /** Keys of one municipality. Those of one key wait for each other, so clients use several. */
  keys: readonly string[];
  /** Runs a statement in the database as the superuser. */
  ask<Row = Record<string, unknown>>(text: string): Promise<Row[]>;
  /** PostgreSQL's processes for the role that serves, and whether each waits for a lock. */
  backends(): Promise<Backend[]>;
}

export interface Backend {
  pid: number;
  waits: boolean;
}

/** @param folder holds `postgres` and `initdb`, where not those of this run of the tests are wanted */
export async function newOwnCluster(
  scope: Scope,
  options?: ClusterOptions,
  folder?: string,
): Promise<OwnCluster> {
  const installed = await binaries();
  const cluster = await createCluster(folder ?? installed.folder, options);
  scope.after(async () => {
    await cluster.remove();
    installed.remove();
  });
  await prepareRoles(cluster);
  await cluster.sql('postgres', `CREATE DATABASE ${templateName} OWNER ${ownerRole}`);
  const database = cluster.url(servingRole, templateName);
  const store = await openStore({
    ...storeDefaults,
    database,
    owner: cluster.url(ownerRole, templateName),
  });
  const { id: organizationId } = await store.addOrganization('Musterstadt', randomUUID());
  await store.write(organizationId, (writer) => writer.put(recordsOfA));
  const keys = Array.from({ length: 8 }, generateKey);
  for (const secret of keys) {
    await store.addKey({
      organizationId,
      secretHash: hashKey(secret),
      prefix: keyPrefix(secret),
      name: 'Open-data portal',
      requestLimit: undefined,
      expiresAt: undefined,
    });
  }
  await store.close();
  return {
    ...cluster,
    database,
    keys,
    ask: (text) => cluster.sql(templateName, text),
    backends: () =>
      cluster.sql(
        'postgres',
        `SELECT pid, wait_event_type IS NOT DISTINCT FROM 'Lock' AS waits FROM pg_stat_activity
        WHERE usename = $1`,
        [servingRole],
      ),
  };
}
