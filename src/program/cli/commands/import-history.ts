/** `rostra import history`: the list of imports, or one import with its rejected records. */

import type { Organization } from '../../../domain/organizations/organization.ts';
import { describeReason, truncate } from '../../../domain/reasons/reason.ts';
import { type ImportRun, importCounts } from '../../../domain/runs/run-history.ts';
import type { Store } from '../../../domain/store.ts';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { CommandError } from '../command-error.ts';
import { argument, defineStoreCommand, json, option, organizationFilter } from '../define-command.ts';
import { findOptionalOrganization, requireOrganization } from '../find-organization.ts';
import { formatTime, print, printJson, printTable } from '../output.ts';

const defaultLimit = 20;
const maxRuns = 1_000;

/** Characters in the list. */
const maxSourcesLength = 60;

export const showHistory = defineStoreCommand({
  name: 'history',
  summary: 'list past imports, or show one',
  description: 'Lists past imports, newest first. With an id, shows one import with its rejected records.',
  arguments: { id: argument('[id]', 'id of an import') },
  options: {
    organization: organizationFilter,
    limit: option(
      'number',
      `how many (default: ${defaultLimit})`,
      createIntegerParser('a whole number', 1, maxRuns),
    ),
    json,
  },
  run: async ({ id, limit, json, ...flags }, store) => {
    const organization = await findOptionalOrganization(store, flags.organization);
    if (id !== undefined) return printRun(store, organization?.id, id, json);
    const runs = await store.listImportRuns(organization?.id, undefined, limit ?? defaultLimit);
    if (json) return printJson(runs.map(toRunJson));
    return printRuns(store, runs, organization);
  },
});

async function printRuns(
  store: Store,
  runs: readonly ImportRun[],
  organization: Organization | undefined,
): Promise<void> {
  const names = new Map((await store.listOrganizationNames()).map(({ id, name }) => [id, name]));
  const rows = runs.map((one) => [
    one.id,
    formatTime(one.startedAt),
    ...(organization === undefined ? [names.get(one.organizationId) ?? one.organizationId] : []),
    one.format,
    describeOutcome(one),
    ...importCounts.map((count) => String(one[count])),
    truncate(one.sources, maxSourcesLength),
  ]);
  const whose = organization === undefined ? ['ORGANIZATION'] : [];
  const headings = ['ID', 'STARTED', ...whose, 'FORMAT', 'OUTCOME'];
  return printTable([...headings, ...importCounts.map((count) => count.toUpperCase()), 'FROM'], rows);
}

export const toRunJson = (run: ImportRun) => ({
  ...run,
  failure: run.failure && describeReason(run.failure),
  notes: run.notes.map((note) => describeReason(note)),
});

function describeOutcome({ state, undoneAt }: ImportRun): string {
  if (undoneAt !== null) return 'undone';
  return state === 'stale' ? 'stalled' : state;
}

async function printRun(
  store: Store,
  organizationId: string | undefined,
  id: string,
  json: true | undefined,
): Promise<void> {
  const run = await store.findImportRun(organizationId, id.toLowerCase());
  if (run === undefined) {
    throw new CommandError(`Unknown import "${id.slice(0, 40)}". "rostra import history" lists all.`);
  }
  const rejections = await store.listRejectedRecords(run);
  if (json)
    return printJson({
      ...toRunJson(run),
      rejections: rejections.map((rejected) => ({ ...rejected, reason: describeReason(rejected.reason) })),
    });
  const { name } = await requireOrganization(store, run.organizationId);
  printDetails(run, name);
  if (rejections.length === 0) return;
  print('');
  printTable(
    ['FILE', 'LINE', 'ENTRY', 'ID', 'REASON'],
    rejections.map(({ source, line, entry, id: recordId, reason }) => [
      source,
      String(line ?? ''),
      String(entry ?? ''),
      recordId ?? '',
      describeReason(reason),
    ]),
  );
  if (run.rejected > rejections.length)
    print(`The first ${rejections.length} of ${run.rejected} rejected records; only these are stored.`);
}

function describeUndo({ undoneAt, undoCounts }: ImportRun): [string, string][] {
  if (undoneAt === null || undoCounts === null) return [];
  const { removed, restored, surveys } = undoCounts;
  const kept = surveys > 0 ? `, surveys that stay: ${surveys}` : '';
  return [['undone', `${undoneAt} (removed: ${removed}, restored: ${restored}${kept})`]];
}

function printDetails(run: ImportRun, organization: string): void {
  const details: [string, string][] = [
    ['id', run.id],
    ['organization', organization],
    ['outcome', describeOutcome(run)],
    ['started', run.startedAt],
    run.endedAt === null ? ['last seen', run.heartbeatAt] : ['ended', run.endedAt],
    ...describeUndo(run),
    ['by', `${run.actor} (${run.address})`],
    ['format', run.format],
    ['from', run.sources],
    ...(run.failure === null ? [] : [['failure', describeReason(run.failure)] satisfies [string, string]]),
    ...importCounts.map((count): [string, string] => [count, String(run[count])]),
  ];
  for (const [name, value] of details) print(`${name.padEnd(14)}${value}`);
  for (const note of run.notes) print(`${'note'.padEnd(14)}${describeReason(note)}`);
}
