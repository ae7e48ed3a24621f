/**
 * Global setup of a test run on Citus: a coordinator and two workers with a migrated and distributed template database.
 *
 * `ROSTRA_TEST_CITUS` is the folder of the binaries of a PostgreSQL installation that has Citus.
 */
import { type CitusCluster, createCitusCluster, openDistributed } from './citus-cluster.ts';
import { templateName } from './postgres-database.ts';
import { dropPoliciesOfEarlierVersions } from './postgres-setup.ts';

let remove: (() => Promise<void>) | undefined;

export async function globalSetup(): Promise<void> {
  const folder = process.env.ROSTRA_TEST_CITUS;
  if (folder === undefined) {
    console.error(
      'Set ROSTRA_TEST_CITUS to the folder of the binaries of a PostgreSQL installation that has Citus 13.2, such as /usr/lib/postgresql/17/bin.',
    );
    process.exit(1);
  }
  const citus = await createCitusCluster(folder);
  remove = citus.remove;
  try {
    await distributeTemplate(citus);
  } catch (error) {
    // There is no teardown after a failed setup.
    await remove();
    throw error;
  }
  const toUrl = (port: number) => `postgres://postgres@127.0.0.1:${port}`;
  // The processes of the test files inherit these.
  process.env.ROSTRA_TEST_CLUSTER = toUrl(citus.coordinator.port);
  process.env.ROSTRA_TEST_WORKERS = citus.workers.map(({ port }) => toUrl(port)).join(' ');
  process.env.ROSTRA_TEST_POSTGRES = folder;
}

export async function globalTeardown(): Promise<void> {
  await remove?.();
}

async function distributeTemplate(citus: CitusCluster): Promise<void> {
  await (await openDistributed(citus, templateName)).close();
  await citus.coordinator.sql(templateName, dropPoliciesOfEarlierVersions);
  // Each copy creates its own secret.
  await citus.coordinator.sql(templateName, 'DELETE FROM cursor_secret');
  // The daemons of Citus are connected to the template, so it could not be copied. One that runs would start the others.
  const nodes = [citus.coordinator, ...citus.workers];
  for (const node of nodes) await node.stop();
  for (const node of nodes) await node.start();
}
