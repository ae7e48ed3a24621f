/** Checks of the database: reachable and writable, schema, role, replicas, nodes of Citus. */
import type { Config } from '../../config/settings.ts';
import type { DatabaseInspection, OpenedStore } from '../../store/open.ts';
import { type Check, critical, ok, unknown, warning } from './finding.ts';

export interface DatabaseAccess {
  inspect(): Promise<DatabaseInspection>;
  /** Rejects if the schema or the role does not fit. */
  openStore(): Promise<OpenedStore>;
  inspectReplicas(): Promise<PromiseSettledResult<boolean>[]>;
  /** undefined: no owner is set. */
  isOwnerSuperuser: (() => Promise<boolean>) | undefined;
}

/** @param pool undefined: its settings are invalid */
export function createDatabaseChecks(
  { inspect, openStore, inspectReplicas, isOwnerSuperuser }: DatabaseAccess,
  pool: Pick<Config, 'workers' | 'databasePoolSize'> | undefined,
): Check[] {
  /** Runs a check of the inspected database. The check `database` reports why it cannot be read. */
  const whenReadable = (run: (inspection: DatabaseInspection) => ReturnType<Check['run']>) => async () => {
    const inspection = await inspect().catch(() => undefined);
    return inspection === undefined ? [] : run(inspection);
  };
  return [
    {
      name: 'database',
      run: async () => {
        let inspection: DatabaseInspection;
        try {
          inspection = await inspect();
        } catch (error) {
          return [
            critical(
              (error as Error).message,
              'Check ROSTRA_DATABASE, and that the database runs and accepts connections from this machine.',
            ),
          ];
        }
        const { engine, version, pendingMigrations, schemaProblem, roleProblem } = inspection;
        if (pendingMigrations.length > 0 || schemaProblem !== undefined || roleProblem !== undefined)
          return [ok(`${engine} ${version} answers.`)];
        try {
          await (await openStore()).assertReady();
        } catch (error) {
          return [
            critical(
              `${engine} ${version} answers, but cannot be written: ${(error as Error).message}`,
              'Check free space, permissions and read-only modes.',
            ),
          ];
        }
        return [ok(`${engine} ${version} can be read and written.`)];
      },
    },
    {
      name: 'schema',
      run: whenReadable(async ({ schema, pendingMigrations, schemaProblem }) => {
        if (schemaProblem !== undefined)
          return [critical(schemaProblem, 'Install the version of Rostra that the database belongs to.')];
        if (pendingMigrations.length > 0)
          return [
            critical(
              `The database lacks ${pendingMigrations.join(', ')}.`,
              'Back up, then run "rostra migrate".',
            ),
          ];
        return [ok(`The schema is up to date: ${schema}.`)];
      }),
    },
    {
      name: 'role',
      run: whenReadable(async ({ engine, roleProblem }) => {
        if (engine === 'SQLite') return [];
        return roleProblem === undefined
          ? [ok('The role can neither change tables nor bypass row-level security.')]
          : [critical(roleProblem, 'See docs/scaling.md for the rights of the two roles.')];
      }),
    },
    {
      name: 'owner',
      run: async () => {
        if (isOwnerSuperuser === undefined) return [];
        const remedy =
          'Set ROSTRA_DATABASE_OWNER to a role that owns the tables and has no other rights: docs/scaling.md.';
        try {
          return (await isOwnerSuperuser())
            ? [warning('The role of ROSTRA_DATABASE_OWNER is a superuser of PostgreSQL.', remedy)]
            : [ok('The role of ROSTRA_DATABASE_OWNER is not a superuser.')];
        } catch (error) {
          return [
            critical(`The role of ROSTRA_DATABASE_OWNER cannot connect: ${(error as Error).message}`, remedy),
          ];
        }
      },
    },
    {
      name: 'connections',
      run: whenReadable(async ({ maxConnections }) => {
        if (pool === undefined || maxConnections === undefined) return [];
        const { workers, databasePoolSize } = pool;
        const needed = workers * databasePoolSize;
        const sum = `${workers} × ${databasePoolSize} connections (ROSTRA_WORKERS, ROSTRA_DATABASE_POOL_SIZE)`;
        if (needed <= maxConnections) return [ok(`PostgreSQL accepts ${sum}: at most ${maxConnections}.`)];
        return [
          warning(
            `The server can need ${sum}, but PostgreSQL accepts at most ${maxConnections} of this role.`,
            'Lower one of the settings, raise max_connections, or use a pooler: docs/scaling.md.',
          ),
        ];
      }),
    },
    {
      name: 'replicas',
      run: async () => {
        const replicas = await inspectReplicas();
        return replicas.map((replica, index) => {
          const name = `Replica ${index + 1} of ${replicas.length}`;
          if (replica.status === 'rejected')
            return warning(
              `${name} cannot be read: ${(replica.reason as Error).message}`,
              'The primary answers in its place. Start the replica, or remove it from ROSTRA_DATABASE_REPLICAS.',
            );
          return replica.value
            ? ok(`${name} is a standby and answers.`)
            : warning(
                `${name} is not a standby.`,
                'It would never receive changes: set ROSTRA_DATABASE_REPLICAS to streaming replicas.',
              );
        });
      },
    },
    {
      name: 'nodes',
      run: whenReadable(async ({ nodes }) =>
        nodes.map(({ name, isConnected }) =>
          isConnected
            ? ok(`The coordinator of Citus is connected to ${name}.`)
            : critical(
                `The coordinator of Citus cannot connect to ${name}.`,
                'Its municipalities are unavailable. Start the node, and check the network and the passwords between the servers.',
              ),
        ),
      ),
    },
  ];
}

const maxSkewMs = 5_000;
const criticalSkewMs = 60_000;

/** @param isSynchronized whether the machine's clock follows a time server; undefined if unknown */
export function createClockCheck(
  inspect: () => Promise<DatabaseInspection | undefined>,
  isSynchronized: () => Promise<boolean | undefined>,
): Check {
  return {
    name: 'clock',
    run: async () => {
      const inspection = await inspect();
      const skewMs = inspection?.engine === 'PostgreSQL' ? inspection.clockSkewMs : 0;
      if (Math.abs(skewMs) > maxSkewMs) {
        const create = Math.abs(skewMs) > criticalSkewMs ? critical : warning;
        return [
          create(
            `The clock of the database is ${Math.abs(skewMs) / 1_000} seconds ${skewMs > 0 ? 'ahead of' : 'behind'} this machine.`,
            'Synchronise both clocks with a time server.',
          ),
        ];
      }
      const synchronized = await isSynchronized();
      if (synchronized === false)
        return [
          warning(
            'The clock of this machine does not follow a time server.',
            'Switch on NTP, such as with "timedatectl set-ntp true".',
          ),
        ];
      if (synchronized === undefined)
        return [ok('It is unknown whether the clock of this machine follows a time server.')];
      return [ok('The clock follows a time server.')];
    },
  };
}

/** A check that needs settings which are invalid. */
export const skipped = (name: Check['name']): Check => ({
  name,
  run: async () => [
    unknown('Not checked, because settings that it needs are invalid.', 'Correct the settings first.'),
  ],
});
