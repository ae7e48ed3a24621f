/** A PostgreSQL cluster for one test, which may stop, crash and fill it; on Citus the coordinator. */
import { randomUUID } from 'node:crypto';
import { createCitusCluster, openDistributed } from './citus-cluster.ts';
import type { Scope } from './files.ts';
import { issueKey } from './fixture.ts';
import { type Cluster, type ClusterOptions, createCluster, findBinaries } from './postgres-cluster.ts';
import { isCitus, servingRole, templateName } from './postgres-database.ts';
import { openMigrated } from './postgres-setup.ts';
import { recordsOfA } from './records.ts';

export interface OwnCluster extends Cluster {
  /** URL of the database for the serving role. */
  database: string;
  /** Keys of one municipality. Requests of one key wait for each other, so clients use several. */
  keys: readonly string[];
  /** Runs a statement in the database as the superuser. */
  query<Row = Record<string, unknown>>(text: string): Promise<Row[]>;
  /** PostgreSQL's processes for the serving role. */
  listBackends(): Promise<Backend[]>;
}

export interface Backend {
  pid: number;
  /** Whether it waits for a lock. */
  isWaiting: boolean;
}

/** @param folder with `postgres` and `initdb`; those of the test run by default */
export async function createOwnCluster(
  scope: Scope,
  options?: ClusterOptions,
  folder?: string,
): Promise<OwnCluster> {
  const installed = await findBinaries();
  const binaries = folder ?? installed.folder;
  const citus = isCitus ? await createCitusCluster(binaries, 2, options) : undefined;
  const cluster = citus?.coordinator ?? (await createCluster(binaries, options));
  scope.after(async () => {
    await (citus ?? cluster).remove();
    installed.remove();
  });
  const store = await (citus ? openDistributed(citus, templateName) : openMigrated(cluster, templateName));
  const { id: organizationId } = await store.addOrganization('Musterstadt', randomUUID());
  await store.write(organizationId, (writer) => writer.put(recordsOfA));
  const keys: string[] = [];
  for (let issued = 0; issued < 8; issued += 1) keys.push((await issueKey(store, organizationId)).secret);
  await store.close();
  return {
    ...cluster,
    database: cluster.url(servingRole, templateName),
    keys,
    query: (text) => cluster.sql(templateName, text),
    listBackends: () =>
      cluster.sql(
        'postgres',
        `SELECT pid, wait_event_type IS NOT DISTINCT FROM 'Lock' AS "isWaiting" FROM pg_stat_activity
        WHERE usename = $1`,
        [servingRole],
      ),
  };
}
