import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { isolatedTables, sharedTables, tenantTables } from '../../../src/store/table-descriptors.ts';
import { mainFile, nodeBinary, startServerProcess } from '../../support/server-process.ts';
import { createDamagedCopy, type SourceEdit } from '../damaged-copy.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { quietServer } from '../measure-figure.ts';
import { add, createTally, fail, formatNumber, getCount, raise } from '../tally.ts';
import { createProbedSettings, createTenantProbes } from '../tenant-probes.ts';
import { openPolicies, removePredicates } from './cross-tenant-probes.ts';

const probesPerCase = 20_000;

const protectedTables = [...tenantTables, ...isolatedTables, ...Object.keys(sharedTables)];

/** Some statements of these files have no municipality, so they depend on predicates. */
const crossTenantFiles = ['run-history.ts', 'run-queue.ts', 'source-definitions.ts'];

const withoutPredicate: readonly SourceEdit[] = [
  ...removePredicates('src/store/queries'),
  ...['records', 'record-decisions', 'runs'].flatMap((name) =>
    removePredicates(`src/store/${name}`, crossTenantFiles),
  ),
];

const withOpenPolicies: readonly SourceEdit[] = ['0001_schema', '0004_tenant_policies'].map((name) => ({
  file: `migrations/postgres/${name}.sql`,
  from: "USING (organization_id = current_setting('rostra.organization_id', true))",
  to: 'USING (true)',
}));

const suite = ['test/api/tenancy.test.ts', 'test/admin/tenancy.test.ts'];

interface Case {
  name: string;
  hasPredicates: boolean;
  hasPolicies: boolean;
  mustLeak: boolean;
}

const cases: Case[] = [
  { name: 'without predicates', hasPredicates: false, hasPolicies: true, mustLeak: false },
  { name: 'with open policies', hasPredicates: true, hasPolicies: false, mustLeak: false },
  { name: 'without both', hasPredicates: false, hasPolicies: false, mustLeak: true },
];

/** Runs the tests of tenancy in a copy of the program. @returns whether they pass */
function runSuite(copy: string): Promise<boolean> {
  const { ROSTRA_TEST_CLUSTER, ...env } = process.env;
  const options = ['--test', '--test-timeout=300000', '--test-global-setup=test/support/postgres-setup.ts'];
  return new Promise((resolve) => {
    execFile(nodeBinary, [...options, ...suite], { cwd: copy, env, maxBuffer: 2 ** 28 }, (error) =>
      resolve(error === null),
    );
  });
}

async function start({ scope, createFixture, tally }: FigureRun): Promise<Measurement> {
  async function measureCase({ name, hasPredicates, hasPolicies, mustLeak }: Case): Promise<void> {
    const edits = hasPredicates ? [] : withoutPredicate;
    const served = createDamagedCopy(scope, edits);
    // A server rejects the database of another migration, so only the tests have the changed one.
    const tested = createDamagedCopy(scope, hasPolicies ? edits : [...edits, ...withOpenPolicies]);
    const fixture = await createFixture();
    if (!hasPolicies) await openPolicies(fixture, protectedTables);
    const start = (program: string) =>
      startServerProcess(
        scope,
        fixture.database,
        { ...quietServer, ...createProbedSettings(scope) },
        program,
      );
    const intact = await start(mainFile);
    const damaged = await start(join(served, 'src/main.ts'));
    const probes = await createTenantProbes(fixture, intact.port);
    await intact.stop();
    // With its own tally, because leaks are expected in one case.
    const own = createTally();
    await probes.send(damaged.port, 0, probesPerCase, own);
    await damaged.stop();
    add(tally, 'probes', getCount(own, 'probes'));
    raise(tally, `leaks ${name}`, getCount(own, 'leaks'));
    const passes = await runSuite(tested);
    add(tally, `${passes ? 'suite passes' : 'suite fails'} ${name}`);
    if (mustLeak !== getCount(own, 'leaks') > 0) fail(tally, `${getCount(own, 'leaks')} leaks ${name}`);
    const distinguishable = getCount(own, 'distinguishable');
    if (!mustLeak && distinguishable > 0)
      fail(tally, `${name}: ${distinguishable} foreign ids are not like missing ones`);
    if (mustLeak === passes) fail(tally, `the suite ${passes ? 'passes' : 'fails'} ${name}`);
  }

  return {
    measure: async (first, count) => {
      for (const one of cases.slice(first, first + count)) await measureCase(one);
    },
  };
}

export const removedBarriers: Figure = {
  number: 4,
  promise:
    'Without the tenant predicates of all queries, or with row-level security that allows all rows, nothing leaks and the tests of tenancy pass; without both, data leaks and these tests fail.',
  unit: 'cases',
  fullSize: cases.length,
  minSize: cases.length,
  batchSize: 1,
  engines: ['postgres'],
  minutes: 3,
  // The figure itself damages the program.
  defect: undefined,
  start,
  conclude: (tally) => ({
    measured: cases
      .map(({ name }) => {
        const passes = getCount(tally, `suite passes ${name}`) > 0;
        return `${name} ${formatNumber(tally.maxima[`leaks ${name}`] ?? 0)} leaks in ${formatNumber(probesPerCase)} probes, and the tests ${passes ? 'pass' : 'fail'}`;
      })
      .join('; '),
    violations: [],
  }),
};
