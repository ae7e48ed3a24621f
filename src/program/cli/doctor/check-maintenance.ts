/** Checks of drills, `rostra prune` and the sources of imports. */

import { type MaintenanceRun, maxMaintenanceAgeMs } from '../../../domain/installation/maintenance-run.ts';
import { describeReason } from '../../../domain/reasons/reason.ts';
import type { SourceSummary } from '../../../domain/sources/import-source.ts';
import { getSourceCondition } from '../../../domain/sources/source-schedule.ts';
import { formatInterval } from '../../../domain/values/durations.ts';
import { listSettings } from '../../config/settings.ts';
import { countSources, groupFailures, nameCause } from '../group-failures.ts';
import { formatTime } from '../output.ts';
import { type Checks, type Outcome, ok, warning } from './run-checks.ts';

export const maintenanceChecks: Checks = {
  drill: async ({ findStore }) => {
    const runs = (await (await findStore())?.listMaintenanceRuns()) ?? [];
    const remedy = 'Run the drill that docs/backup.md describes once a week.';
    const run = runs.find(({ kind }) => kind === 'drill');
    if (run !== undefined) return judgeRun(run, maxMaintenanceAgeMs.drill, remedy);
    if (!runs.some(({ kind }) => kind === 'backup')) return undefined;
    return warning('No drill has shown that the backups can be restored.', remedy);
  },

  prune: async ({ readSettings, findStore }) => {
    const names = listSettings('prune');
    const retention = readSettings(names);
    if (!names.some((name) => name.startsWith('retain') && retention[name] !== undefined)) return undefined;
    const runs = await (await findStore())?.listMaintenanceRuns();
    if (runs === undefined) return undefined;
    const remedy = 'Run "rostra prune" every night.';
    const run = runs.find(({ kind }) => kind === 'prune');
    return run === undefined
      ? warning('A retention is set, but nothing was ever removed.', remedy)
      : judgeRun(run, maxMaintenanceAgeMs.prune, remedy);
  },

  sources: async ({ findStore }) => {
    const store = await findStore();
    if (store === undefined) return undefined;
    const problems = await store.listSourceProblems();
    if (problems.length > 0) return groupFailures(problems, findCause).map(describeProblems);
    const { defined } = await store.countSources();
    if (defined === 0) return ok('There are no stored sources.');
    return ok(defined === 1 ? 'The stored source is current.' : `All ${defined} stored sources are current.`);
  },
};

function judgeRun(
  { kind, outcome, detail, finishedAt, lastSuccessAt }: MaintenanceRun,
  maxAgeMs: number,
  remedy: string,
): Outcome {
  if (outcome === 'failed')
    return warning(`The last ${kind} failed at ${formatTime(finishedAt)}: ${detail.error}`, remedy);
  const isOld = lastSuccessAt === null || Date.now() - Date.parse(lastSuccessAt) > maxAgeMs;
  const message = `The last ${kind} is from ${lastSuccessAt === null ? 'never' : formatTime(lastSuccessAt)}.`;
  return isOld ? warning(message, remedy) : ok(message);
}

/** Sources that are stale have the same cause: their schedule does not run. */
const findCause = ({ failingSince, error }: SourceSummary): string =>
  failingSince === null ? 'stale' : `failing ${error === null ? '' : nameCause(error)}`;

function describeProblems(sources: readonly [SourceSummary, ...SourceSummary[]]): Outcome {
  const [example] = sources;
  const { organizationId, organizationName, name } = example;
  const problem = `${organizationName}, ${name}: ${describeState(example)}`;
  const remedy = findRemedy(example);
  return sources.length > 1
    ? warning(
        `${countSources(sources)} have one problem, such as ${problem}`,
        `"rostra source list" shows all of them. ${remedy}`,
      )
    : { ...warning(problem, remedy), organizationId, organizationName, source: name };
}

function describeState(source: SourceSummary): string {
  const { failingSince, error } = source;
  if (failingSince === null) return describeStale(source);
  return `failing since ${formatTime(failingSince)}: ${error === null ? '' : describeReason(error)}`;
}

function findRemedy(source: SourceSummary): string {
  const { organizationName, name, failingSince } = source;
  return failingSince !== null || getSourceCondition(source, Date.now()) === 'running'
    ? `Run "rostra source run ${JSON.stringify(name)} --organization ${JSON.stringify(organizationName)}" and read its output.`
    : 'Check that "rostra source run --due" is scheduled.';
}

function describeStale({ lastSuccessAt, intervalMs }: SourceSummary): string {
  const last = lastSuccessAt === null ? 'it never succeeded' : `last success ${formatTime(lastSuccessAt)}`;
  const every = intervalMs === null ? '' : `, though it is due every ${formatInterval(intervalMs)}`;
  return `stale: ${last}${every}.`;
}
