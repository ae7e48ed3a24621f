import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { tenantTables } from '../../../src/store/table-descriptors.ts';
import { checkout } from '../../support/checkout.ts';
import type { Fixture } from '../../support/fixture.ts';
import { servingRole } from '../../support/postgres-database.ts';
import { formatSubmissionId } from '../../support/records.ts';
import type { SourceEdit } from '../damaged-copy.ts';
import type { EngineName, Figure, FigureRun, Measurement } from '../figure.ts';
import { add, formatCount, getCount } from '../tally.ts';
import { createProbedSettings, createTenantProbes } from '../tenant-probes.ts';

const predicate = /(\w+\.)?organization_id = \$1/;

/** Removes the tenant predicate from the statements of a folder and its subfolders. */
export const removePredicates = (folder: string, exceptions: readonly string[] = []): SourceEdit[] =>
  readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !exceptions.includes(basename(name)))
    .map((name) => join(folder, name))
    .filter((file) => predicate.test(readFileSync(join(checkout, file), 'utf8')))
    .map((file) => ({ file, from: new RegExp(predicate, 'g'), to: 'CAST($1 AS text) IS NOT NULL' }));

/** Removes the tenant predicate from all queries of published data. */
const withoutPredicate = removePredicates('src/store/queries');

/** Makes policies allow all rows. A server does not start if row-level security is disabled. */
export async function openPolicies(
  { sql }: Fixture,
  tables: readonly string[] = tenantTables,
): Promise<void> {
  for (const table of tables) await sql(`ALTER POLICY tenant ON ${table} USING (true)`);
}

/** Pause between two aborted transactions. */
const abortEveryMs = 20;

/** Writes a removal and rolls it back; on PostgreSQL, also cancels the running statements of the server. */
async function abortTransaction({ store, sql, b }: Fixture, engine: EngineName): Promise<void> {
  const aborted = store.write(b, async (writer) => {
    await writer.put([{ kind: 'retraction', of: 'submission', id: formatSubmissionId(5) }]);
    throw new Error('rolled back');
  });
  await aborted.catch(() => undefined);
  if (engine !== 'postgres') return;
  await sql(
    `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = $1 AND datname = current_database()`,
    [servingRole],
  );
}

async function start({ createFixture, startServer, engine, tally, scope }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const intact = await fixture.startServer();
  const server = await startServer(fixture.database, createProbedSettings(scope));
  const probes = await createTenantProbes(fixture, intact.port);
  await intact.stop();

  let isStopped = false;
  const abortRepeatedly = async () => {
    for (; !isStopped; await setTimeout(abortEveryMs)) {
      await abortTransaction(fixture, engine);
      add(tally, 'rollbacks');
    }
  };
  const aborting = abortRepeatedly();
  scope.after(async () => {
    isStopped = true;
    await aborting;
  });
  return { measure: (first, count) => probes.send(server.port, first, count, tally) };
}

export const crossTenantProbes: Figure = {
  number: 3,
  promise:
    'No response contains data of another municipality, and ids of other municipalities are indistinguishable from missing ids: with two pooled connections, aborted transactions and clients that hang up.',
  unit: 'probes',
  fullSize: 1_000_000,
  minSize: 4_000,
  batchSize: 4_000,
  engines: ['sqlite', 'postgres'],
  minutes: 12,
  defect: {
    description: 'queries lack the tenant predicate, and policies allow all rows',
    edits: withoutPredicate,
    damageDatabase: async (fixture, engine) => {
      if (engine === 'postgres') await openPolicies(fixture);
    },
  },
  start,
  conclude: (tally) => {
    const format = (name: string) => formatCount(tally, name);
    const violations = ['foreign id', 'foreign cursor', 'own', 'rollbacks']
      .filter((name) => getCount(tally, name) === 0)
      .map((name) => `no ${name}`);
    return {
      measured: `${format('leaks')} leaks in ${format('probes')} probes (${format('foreign id')} foreign ids, ${format('foreign cursor')} foreign cursors); ${format('identical')} responses identical to those for missing ids and invalid cursors, ${format('distinguishable')} different; ${format('rollbacks')} rollbacks, ${format('aborted')} requests with a cancelled statement (503)`,
      violations,
    };
  },
};
