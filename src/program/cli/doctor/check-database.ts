/** Checks of the database: reachable and writable, schema, role, replicas, nodes of Citus. */

import { StoreDamagedError } from '../../../domain/store-errors.ts';
import type { DatabaseInspection } from '../../../store/open.ts';
import { ConfigurationError } from '../../config/read-config.ts';
import { type Check, type Checks, critical, ok, warning } from './run-checks.ts';

const mebibyte = 1_048_576;

const describeDamage = ({ problem, remedy }: StoreDamagedError) => critical(problem, remedy);

/** Runs a check of the inspected database. The check `database` reports why it cannot be read. */
const whenReadable =
  (run: (inspection: DatabaseInspection) => Awaited<ReturnType<Check>>): Check =>
  async ({ findInspection }) => {
    const inspection = await findInspection();
    return inspection && run(inspection);
  };

export const databaseChecks: Checks = {
  database: async ({ inspect, openStore }) => {
    let inspection: DatabaseInspection;
    try {
      inspection = await inspect();
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      if (error instanceof StoreDamagedError) return describeDamage(error);
      return critical(
        (error as Error).message,
        'Check ROSTRA_DATABASE, and that the database runs and accepts connections from this machine.',
      );
    }
    const { engine, version, pendingMigrations, schemaProblem, roleProblem } = inspection;
    if (pendingMigrations.length > 0 || schemaProblem !== undefined || roleProblem !== undefined)
      return ok(`${engine} ${version} answers.`);
    try {
      await (await openStore()).assertReady();
    } catch (error) {
      if (error instanceof StoreDamagedError) return describeDamage(error);
      return critical(
        `${engine} ${version} answers, but cannot be written: ${(error as Error).message}`,
        'Check free space, permissions and read-only modes.',
      );
    }
    return ok(`${engine} ${version} can be read and written.`);
  },

  integrity: async ({ findInspection, checkDatabasePages }) => {
    // The check `database` reports damage that prevents it.
    if ((await findInspection()) === undefined) return undefined;
    const checked = await checkDatabasePages();
    if (checked === undefined) return undefined;
    const { bytes, damage } = checked;
    const size = `${Math.ceil(bytes / mebibyte)} MiB`;
    if (damage === undefined)
      return ok(
        `The files of the database have ${size}, too much for a check of seconds. "rostra drill" reads all rows.`,
      );
    return damage.length > 0 ? damage.map(describeDamage) : ok(`No page of ${size} is damaged.`);
  },

  schema: whenReadable(({ schema, isLaterSchema, pendingMigrations, schemaProblem }) => {
    if (schemaProblem !== undefined)
      return critical(schemaProblem, 'Install the version of Rostra that the database belongs to.');
    if (pendingMigrations.length > 0)
      return critical(
        `The database lacks ${pendingMigrations.join(', ')}.`,
        'Back up, then run "rostra migrate".',
      );
    if (isLaterSchema) return ok(`The schema is from a later version that works with this one: ${schema}.`);
    return ok(`The schema is up to date: ${schema}.`);
  }),

  role: whenReadable(({ engine, roleProblem }) => {
    if (engine === 'SQLite') return undefined;
    return roleProblem === undefined
      ? ok('The role can neither change tables nor bypass row-level security.')
      : critical(roleProblem, 'See docs/scaling.md for the rights of the two roles.');
  }),

  owner: async ({ readDatabaseSettings, isOwnerSuperuser }) => {
    if (readDatabaseSettings().databaseOwner === undefined) return undefined;
    const remedy =
      'Set ROSTRA_DATABASE_OWNER to a role that owns the tables and has no other rights: docs/scaling.md.';
    try {
      return (await isOwnerSuperuser())
        ? warning('The role of ROSTRA_DATABASE_OWNER is a superuser of PostgreSQL.', remedy)
        : ok('The role of ROSTRA_DATABASE_OWNER is not a superuser.');
    } catch (error) {
      return critical(
        `The role of ROSTRA_DATABASE_OWNER cannot connect: ${(error as Error).message}`,
        remedy,
      );
    }
  },

  connections: async ({ readSettings, findInspection }) => {
    const { workers, databasePoolSize } = readSettings(['workers', 'databasePoolSize']);
    const connections = (await findInspection())?.connections;
    if (connections === undefined) return undefined;
    const { max, othersOfProcess } = connections;
    const ofProcess = databasePoolSize + othersOfProcess;
    const sum = `${workers} × ${ofProcess} connections (ROSTRA_WORKERS × (ROSTRA_DATABASE_POOL_SIZE + ${othersOfProcess}))`;
    if (workers * ofProcess <= max) return ok(`PostgreSQL accepts ${sum}: at most ${max}.`);
    return warning(
      `The server can need ${sum}, but PostgreSQL accepts at most ${max} of this role.`,
      'Lower one of the settings, raise max_connections, or use a pooler: docs/scaling.md.',
    );
  },

  replicas: async ({ inspectReplicas }) =>
    (await inspectReplicas()).map((replica, index, { length }) => {
      const name = `Replica ${index + 1} of ${length}`;
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
    }),

  nodes: whenReadable(({ nodes }) =>
    nodes.map(({ name, isConnected }) =>
      isConnected
        ? ok(`The coordinator of Citus is connected to ${name}.`)
        : critical(
            `The coordinator of Citus cannot connect to ${name}.`,
            'Its municipalities are unavailable. Start the node, and check the network and the passwords between the servers.',
          ),
    ),
  ),

  words: async ({ findInspection, readSettings, openStore }) => {
    const inspection = await findInspection();
    if (inspection === undefined || inspection.pendingMigrations.length > 0) return undefined;
    if (inspection.schemaProblem !== undefined || inspection.roleProblem !== undefined) return undefined;
    const isOff = readSettings(['wordSearch']).wordSearch === 'off';
    let count = 0;
    for await (const _ of (await openStore()).listUnindexed()) count += 1;
    if (count === 0)
      return ok(isOff ? 'The search by words is switched off.' : 'The index of words has all records.');
    const municipalities = count === 1 ? 'a municipality' : `${count} municipalities`;
    return warning(
      isOff
        ? `The index of words of ${municipalities} is still in the database.`
        : `The index of words lacks records of ${municipalities}.`,
      isOff
        ? 'Servers remove it in the background. Without a server, run "rostra word-index fill".'
        : 'Servers add them in the background. Without a server, run "rostra word-index fill".',
    );
  },
};
