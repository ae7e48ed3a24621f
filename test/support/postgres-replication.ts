/** A primary with streaming standbys, and a municipality with one submission. Its description shows how current it is. */
import { randomUUID } from 'node:crypto';
import type { Store } from '../../src/domain/store.ts';
import { openStore } from '../../src/store/open.ts';
import { storeDefaults } from './database.ts';
import type { Scope } from './files.ts';
import { issueKey } from './fixture.ts';
import { type Cluster, createCluster, findBinaries } from './postgres-cluster.ts';
import { servingRole } from './postgres-database.ts';
import { openMigrated } from './postgres-setup.ts';
import { createSubmission, formatSubmissionId } from './records.ts';
import { type Server, startServer } from './server.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { waitUntil } from './wait-until.ts';

const database = 'rostra';

export interface Standby extends Cluster {
  /** URL of the database for the serving role. */
  address: string;
  /** Waits until everything published so far is replayed, then pauses the replay. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

export interface Replication {
  primary: Cluster;
  standbys: Standby[];
  /** Store of the primary. */
  store: Store;
  issueKey(): Promise<{ id: string; secret: string }>;
  /** Writes the description of the submission on the primary. */
  publish(description: string): Promise<void>;
  /** Starts a server with these URLs of read replicas, within the process of the test. */
  startServer(scope: Scope, readFrom: readonly string[], lagSeconds: number): Promise<Server>;
  /** With metrics. */
  startServerProcess(scope: Scope, readFrom: readonly string[], lagSeconds: number): Promise<ServerProcess>;
}

/** The submission that `Replication.publish` writes. */
export const publishedPath = `/submissions/${formatSubmissionId(1)}`;

export async function createReplication(scope: Scope, standbyCount: number): Promise<Replication> {
  const { folder, remove } = await findBinaries();
  // A restarted standby finds the log that it missed, and only the tests write.
  const settings = ['wal_keep_size = 1GB', 'autovacuum = off'];
  const primary = await createCluster(folder, { settings });
  scope.after(async () => {
    await primary.remove();
    remove();
  });
  await (await openMigrated(primary, database)).close();
  const options = { ...storeDefaults, database: primary.url(servingRole, database) };

  await primary.stop();
  const standbys = await Promise.all(
    Array.from({ length: standbyCount }, async () => {
      const cluster = await createCluster(folder, {
        toStandby: primary,
        settings: [...settings, 'wal_retrieve_retry_interval = 100ms'],
      });
      scope.after(cluster.remove);
      return createStandby(primary, cluster);
    }),
  );
  await primary.start();

  const store = await openStore(options);
  scope.after(() => store.close());
  const { id: organizationId } = await store.addOrganization('Musterstadt', randomUUID());
  return {
    primary,
    standbys,
    store,
    issueKey: () => issueKey(store, organizationId),
    publish: async (description) => {
      const record = { kind: 'submission' as const, ...createSubmission(1, { description }) };
      await store.write(organizationId, (writer) => writer.put([record]));
    },
    startServer: (where, readFrom, lagSeconds) =>
      startServer(where, options.database, createEnvironment(readFrom, lagSeconds)),
    startServerProcess: (where, readFrom, lagSeconds) =>
      startServerProcess(where, options.database, {
        ...createEnvironment(readFrom, lagSeconds),
        ROSTRA_METRICS_PORT: '0',
      }),
  };
}

const createEnvironment = (readFrom: readonly string[], lagSeconds: number) => ({
  ROSTRA_DATABASE_REPLICAS: readFrom.join(','),
  ROSTRA_DATABASE_MAX_REPLICA_LAG: String(lagSeconds),
});

function createStandby(primary: Cluster, cluster: Cluster): Standby {
  const standby: Standby = {
    ...cluster,
    address: cluster.url(servingRole, database),
    pause: async () => {
      const [now] = await primary.sql<{ lsn: string }>('postgres', 'SELECT pg_current_wal_lsn() AS lsn');
      await waitForCondition(standby, `pg_last_wal_replay_lsn() >= '${now?.lsn}'`);
      await standby.sql('postgres', 'SELECT pg_wal_replay_pause()');
      await waitForCondition(standby, `pg_get_wal_replay_pause_state() = 'paused'`);
    },
    resume: async () => {
      await standby.sql('postgres', 'SELECT pg_wal_replay_resume()');
    },
  };
  return standby;
}

/** Resolves when the SQL condition is true on the server. */
export async function waitForCondition(cluster: Cluster, condition: string): Promise<void> {
  await waitUntil(condition, async () => {
    const [row] = await cluster.sql<{ holds: boolean }>('postgres', `SELECT ${condition} AS holds`);
    return row?.holds === true;
  });
}
