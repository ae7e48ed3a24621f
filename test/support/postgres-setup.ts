/** Global setup of a test run on PostgreSQL: one cluster with a migrated template database. */
import { rmSync } from 'node:fs';
import type { Store } from '../../src/domain/store.ts';
import { openStore } from '../../src/store/open.ts';
import { storeDefaults } from './database.ts';
import { type Cluster, createCluster, findBinaries, initializeDataFolder } from './postgres-cluster.ts';
import { ownerRole, servingRole, templateName } from './postgres-database.ts';

let remove: (() => Promise<void>) | undefined;

export async function globalSetup(): Promise<void> {
  const { folder, remove: removeBinaries } = await findBinaries();
  // The processes of the test files inherit both.
  process.env.ROSTRA_TEST_POSTGRES = folder;
  const initialized = await initializeDataFolder(folder);
  process.env.ROSTRA_TEST_DATA_FOLDER = initialized;
  const cluster = await createCluster(folder, {
    // Each deadlock costs the default of a second, in which its test keeps the processor busy.
    settings: ['synchronous_commit = off', 'deadlock_timeout = 50ms'],
  });
  remove = async () => {
    await cluster.remove();
    rmSync(initialized, { recursive: true, force: true });
    removeBinaries();
  };
  try {
    await migrateTemplate(cluster);
  } catch (error) {
    // There is no teardown after a failed setup.
    await remove();
    throw error;
  }
  process.env.ROSTRA_TEST_CLUSTER = `postgres://postgres@127.0.0.1:${cluster.port}`;
}

export async function globalTeardown(): Promise<void> {
  await remove?.();
}

/** Creates two roles and a database, and applies migrations, as an operator does (docs/scaling.md). */
export async function openMigrated(cluster: Cluster, name: string): Promise<Store> {
  await cluster.sql('postgres', `CREATE ROLE ${ownerRole} LOGIN`);
  await cluster.sql('postgres', `CREATE ROLE ${servingRole} LOGIN`);
  await cluster.sql('postgres', `CREATE DATABASE ${name} OWNER ${ownerRole}`);
  const store = await openStore({
    ...storeDefaults,
    database: cluster.url(servingRole, name),
    owner: cluster.url(ownerRole, name),
  });
  await cluster.sql(name, dropPoliciesOfEarlierVersions);
  return store;
}

/** This version must not depend on what policies allow to statements of an earlier one. */
export const dropPoliciesOfEarlierVersions = `DO $$ DECLARE found record; BEGIN
  FOR found IN SELECT policyname, tablename FROM pg_policies WHERE policyname LIKE 'version\\_%' LOOP
    EXECUTE format('DROP POLICY %I ON %I', found.policyname, found.tablename);
  END LOOP;
END $$`;

async function migrateTemplate(cluster: Cluster): Promise<void> {
  await (await openMigrated(cluster, templateName)).close();
  // Each copy creates its own secret.
  await cluster.sql(templateName, 'DELETE FROM cursor_secret');
}
