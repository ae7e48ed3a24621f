import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openStore } from '../../../src/store/open.ts';
import { storeDefaults } from '../../support/database.ts';
import { createTemporaryFolder, type Scope } from '../../support/files.ts';
import { createFixture, type Fixture } from '../../support/fixture.ts';
import { ownerRole, servingRole, templateName } from '../../support/postgres-database.ts';
import { createSubmission, formatSubmissionId } from '../../support/records.ts';
import { nodeBinary } from '../../support/server-process.ts';
import { createClusterDatabase } from '../cluster-database.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, fail, formatCount, getCount, raise } from '../tally.ts';

const run = promisify(execFile);
/** pg_dump and pg_restore have the version of the server. */
const binaries = '/usr/lib/postgresql/15/bin';
/** Records of the fixture have smaller numbers. */
const firstNumber = 1_000_000;
const maxKept = 2_000;
const writeEveryMs = 2;

interface Drill {
  fixture: Fixture;
  /** Backs up the database and restores it elsewhere. @returns the restored database */
  restore(number: number): Promise<string>;
}

async function createSqliteDrill({ scope, createFixture, program }: FigureRun): Promise<Drill> {
  const fixture = await createFixture();
  const folder = createTemporaryFolder(scope);
  const runRostra = (...args: string[]) => run(nodeBinary, [program, ...args]);
  return {
    fixture,
    restore: async (number) => {
      const backup = join(folder, `${number}.backup`);
      const restored = join(folder, `${number}.db`);
      await runRostra('backup', backup, '--database', fixture.database);
      await runRostra('restore', backup, '--yes', '--database', restored);
      return restored;
    },
  };
}

async function createPostgresDrill({ scope }: FigureRun): Promise<Drill> {
  if (!existsSync(join(binaries, 'pg_dump'))) throw new Error(`${binaries} has no pg_dump`);
  const { cluster, database } = await createClusterDatabase(scope, binaries);
  const fixture = await createFixture(scope, async () => database);
  const folder = createTemporaryFolder(scope);
  const inCluster = ['--host=127.0.0.1', `--port=${cluster.port}`, '--username=postgres'];
  return {
    fixture,
    restore: async (number) => {
      const dump = join(folder, `${number}.dump`);
      const name = `restored_${number}`;
      await run(join(binaries, 'pg_dump'), [...inCluster, '--format=custom', `--file=${dump}`, templateName]);
      await cluster.sql('postgres', `CREATE DATABASE ${name} OWNER ${ownerRole}`);
      await run(join(binaries, 'pg_restore'), [...inCluster, `--dbname=${name}`, dump]);
      const restored = cluster.url(servingRole, name);
      const store = await openStore({ ...storeDefaults, database: restored });
      await store.close();
      return restored;
    },
  };
}

/** Writes one record after another until it is stopped. */
function startWriting({ store, b }: Fixture, scope: Scope) {
  const acknowledged: number[] = [];
  let isStopped = false;
  const write = async () => {
    for (let number = firstNumber; !isStopped; number += 1) {
      const record = { kind: 'submission' as const, ...createSubmission(number) };
      const removal = {
        kind: 'retraction' as const,
        of: 'submission' as const,
        id: formatSubmissionId(number - maxKept),
      };
      // The number of records stays constant.
      await store.write(b, (writer) =>
        writer.put([record, ...(acknowledged.length >= maxKept ? [removal] : [])]),
      );
      acknowledged.push(number);
      await setTimeout(writeEveryMs);
    }
  };
  const writing = write();
  scope.after(async () => {
    isStopped = true;
    await writing;
  });
  return acknowledged;
}

async function start(figureRun: FigureRun): Promise<Measurement> {
  const { engine, tally, startServer, scope } = figureRun;
  const { fixture, restore } = await (engine === 'sqlite' ? createSqliteDrill : createPostgresDrill)(
    figureRun,
  );
  const acknowledged = startWriting(fixture, scope);

  async function drill(number: number): Promise<void> {
    const countBefore = acknowledged.length;
    const expected = acknowledged.slice(-maxKept / 2);
    const restored = await restore(number);
    const countAfter = acknowledged.length;
    raise(tally, 'written meanwhile', countAfter - countBefore);
    add(tally, 'written', countAfter - countBefore);
    const server = await startServer(restored);
    const found = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const parameter: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { json } = await server.get(`/submissions?limit=100${parameter}`, { key: fixture.charlie });
      for (const { id } of json.data) found.add(id);
      cursor = json.pagination.next_cursor as string | null;
    }
    const code = await server.stop();
    if (code !== 0) fail(tally, `the server of the restored database ended with ${code}`);
    // Later writes may have removed the oldest records during the backup.
    const removedMeanwhile = Math.max(0, countAfter - countBefore + expected.length - maxKept);
    const lost = expected
      .slice(removedMeanwhile)
      .filter((written) => !found.has(formatSubmissionId(written)));
    add(tally, 'checked', expected.length - removedMeanwhile);
    if (lost.length > 0) fail(tally, `drill ${number}: ${lost.length} acknowledged writes are missing`);
  }

  return {
    measure: async (first, count) => {
      for (let number = first; number < first + count; number += 1) await drill(number);
    },
  };
}

export const restoreDrills: Figure = {
  number: 16,
  promise:
    'A backup of a running database, restored, has every write that was acknowledged before the backup began, and a server starts on it.',
  unit: 'backups and restores',
  fullSize: 20,
  minSize: 2,
  batchSize: 1,
  engines: ['sqlite', 'postgres'],
  minutes: 2,
  // Backups of PostgreSQL are made by its own tools.
  defect: undefined,
  start,
  conclude: (tally, done) => ({
    measured: `${done} drills: ${formatCount(tally, 'checked')} acknowledged writes present, ${tally.failureCount === 0 ? 'none' : 'some'} missing; ${formatCount(tally, 'written')} writes during the drills`,
    violations: ['checked', 'written']
      .filter((name) => getCount(tally, name) === 0)
      .map((name) => `none ${name}`),
  }),
};
