/** Checks of drills, `rostra prune` and the sources of imports. */

import { formatInterval, getSourceCondition, type SourceSummary } from '../../domain/import-source.ts';
import { type MaintenanceRun, maxMaintenanceAgeMs } from '../../domain/maintenance-run.ts';
import { describeReason } from '../../reasons/reason.ts';
import type { OpenedStore } from '../../store/open.ts';
import { formatTime } from '../output.ts';
import { type Check, type Outcome, ok, warning } from './finding.ts';

/** @param openStore undefined: the database cannot be used, which other checks report */
export function createMaintenanceChecks(
  openStore: () => Promise<OpenedStore | undefined>,
  hasRetention: boolean,
): Check[] {
  const createCheck = (
    name: 'drill' | 'prune',
    judge: (run: MaintenanceRun | undefined, runs: readonly MaintenanceRun[]) => Outcome[],
  ): Check => ({
    name,
    run: async () => {
      const store = await openStore();
      if (store === undefined) return [];
      const runs = await store.listMaintenanceRuns();
      return judge(
        runs.find(({ kind }) => kind === name),
        runs,
      );
    },
  });
  return [
    createCheck('drill', (run, runs) => {
      const remedy = 'Run the drill that docs/backup.md describes once a week.';
      if (run !== undefined) return judgeRun('drill', run, maxMaintenanceAgeMs.drill, remedy);
      const hasBackup = runs.some(({ kind }) => kind === 'backup');
      return hasBackup ? [warning('No drill has shown that the backups can be restored.', remedy)] : [];
    }),
    createCheck('prune', (run) => {
      if (!hasRetention) return [];
      const remedy = 'Run "rostra prune" every night.';
      if (run === undefined) return [warning('A retention is set, but nothing was ever removed.', remedy)];
      return judgeRun('prune', run, maxMaintenanceAgeMs.prune, remedy);
    }),
  ];
}

function judgeRun(
  name: string,
  { outcome, detail, finishedAt, lastSuccessAt }: MaintenanceRun,
  maxAgeMs: number,
  remedy: string,
): Outcome[] {
  const ageMs = lastSuccessAt === null ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(lastSuccessAt);
  const last = lastSuccessAt === null ? 'never' : formatTime(lastSuccessAt);
  if (outcome === 'failed')
    return [warning(`The last ${name} failed at ${formatTime(finishedAt)}: ${detail.error}`, remedy)];
  if (ageMs > maxAgeMs) return [warning(`The last ${name} is from ${last}.`, remedy)];
  return [ok(`The last ${name} is from ${last}.`)];
}

/** @param openStore as in `createMaintenanceChecks` */
export function createSourceCheck(openStore: () => Promise<OpenedStore | undefined>): Check {
  return {
    name: 'sources',
    run: async () => {
      const store = await openStore();
      if (store === undefined) return [];
      const problems = await store.listSourceProblems();
      if (problems.length > 0) return problems.map(toOutcome);
      const { defined } = await store.countSources();
      if (defined === 0) return [ok('There are no stored sources.')];
      return [
        ok(defined === 1 ? 'The stored source is current.' : `All ${defined} stored sources are current.`),
      ];
    },
  };
}

function toOutcome(source: SourceSummary): Outcome {
  const { organizationId, organizationName, name, failingSince, error } = source;
  const isFailing = failingSince !== null;
  const state = isFailing
    ? `failing since ${formatTime(failingSince)}: ${error === null ? '' : describeReason(error)}`
    : describeStale(source);
  return {
    ...warning(
      `${organizationName}, ${name}: ${state}`,
      isFailing || getSourceCondition(source, Date.now()) === 'running'
        ? `Run "rostra source run ${JSON.stringify(name)} --organization ${JSON.stringify(organizationName)}" and read its output.`
        : 'Check that "rostra source run --due" is scheduled.',
    ),
    organizationId,
    organizationName,
    source: name,
  };
}

function describeStale({ lastSuccessAt, intervalMs }: SourceSummary): string {
  const last = lastSuccessAt === null ? 'it never succeeded' : `last success ${formatTime(lastSuccessAt)}`;
  const every = intervalMs === null ? '' : `, though it is due every ${formatInterval(intervalMs)}`;
  return `stale: ${last}${every}.`;
}
