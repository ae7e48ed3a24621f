/** A PostgreSQL cluster that only one figure uses, with a migrated database. */
import type { TestDatabase } from '../support/database.ts';
import type { Scope } from '../support/files.ts';
import { type Cluster, createCluster } from '../support/postgres-cluster.ts';
import { servingRole, templateName } from '../support/postgres-database.ts';
import { openMigrated } from '../support/postgres-setup.ts';

/** @param folder of the programs of PostgreSQL */
export async function createClusterDatabase(
  scope: Scope,
  folder: string,
): Promise<{ cluster: Cluster; database: TestDatabase }> {
  const cluster = await createCluster(folder);
  scope.after(() => cluster.remove());
  await (await openMigrated(cluster, templateName)).close();
  const database: TestDatabase = {
    database: cluster.url(servingRole, templateName),
    // Its connections are short, so they survive a kill of the server.
    sql: (text, parameters) => cluster.sql(templateName, text, parameters as unknown[] | undefined),
    explain: () => Promise.reject(new Error('not used')),
    listIndexes: () => Promise.reject(new Error('not used')),
    assertIntact: async () => {
      await cluster.sql(templateName, 'SELECT count(*) FROM submission');
      await cluster.sql(templateName, 'SELECT count(*) FROM api_key');
    },
  };
  return { cluster, database };
}
