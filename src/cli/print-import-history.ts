/** What was imported: as a list, newest first, and one import with the records that it refused. */
import type { ImportRun, Store } from '../domain/store.ts';
import {
  CommandError,
  type DatabaseFlags,
  exitCodes,
  print,
  printJson,
  printTable,
  requireOrganization,
  shortTime,
} from './command-context.ts';

export interface HistoryFlags extends DatabaseFlags {
  organization?: string;
  run?: string;
  limit?: number;
  json?: true;
}

const usualLimit = 20;
export const mostRuns = 1_000;

/** A list has room for so much of the names of files. */
const shownSources = 60;

const counts = ['read', 'inserted', 'changed', 'unchanged', 'removed', 'ignored', 'rejected'] as const;

export async function printHistory(store: Store, flags: HistoryFlags): Promise<void> {
  const { organization: named, run } = flags;
  const organization = named === undefined ? undefined : await requireOrganization(store, named);
  if (run !== undefined) return printRun(store, organization?.id, run, flags.json);
  const runs = await store.listImportRuns(organization?.id, undefined, flags.limit ?? usualLimit);
  if (flags.json) return printJson(runs);
  const names = new Map((await store.listOrganizationNames()).map(({ id, name }) => [id, name]));
  const rows = runs.map((one) => [
    one.id,
    shortTime(one.startedAt),
    ...(organization === undefined ? [names.get(one.organizationId) ?? one.organizationId] : []),
    one.format,
    stateNames[one.state],
    ...counts.map((count) => String(one[count])),
    cut(one.sources),
  ]);
  const whose = organization === undefined ? ['ORGANIZATION'] : [];
  const headings = ['ID', 'STARTED', ...whose, 'FORMAT', 'OUTCOME'];
  return printTable([...headings, ...counts.map((count) => count.toUpperCase()), 'FROM'], rows);
}

const stateNames: Record<ImportRun['state'], string> = {
  running: 'running',
  done: 'done',
  failed: 'failed',
  interrupted: 'interrupted',
  stale: 'broken off',
};

const cut = (text: string) => {
  const characters = [...text];
  return characters.length <= shownSources ? text : `${characters.slice(0, shownSources - 1).join('')}…`;
};

async function printRun(
  store: Store,
  organizationId: string | undefined,
  id: string,
  json: true | undefined,
): Promise<void> {
  const run = await store.findImportRun(organizationId, id.toLowerCase());
  if (run === undefined) {
    throw new CommandError(
      `There is no import "${id.slice(0, 40)}". "rostra import --history" shows those there are.`,
    );
  }
  const refusals = await store.listRejectedRecords(run);
  if (json) return printJson({ ...run, refusals });
  const { name } = await requireOrganization(store, run.organizationId);
  printFacts(run, name);
  if (refusals.length === 0) return;
  print('');
  printTable(
    ['FILE', 'LINE', 'ENTRY', 'ID', 'REASON'],
    refusals.map(({ source, line, entry, id: recordId, reason }) => [
      source,
      String(line ?? ''),
      String(entry ?? ''),
      recordId ?? '',
      reason,
    ]),
  );
  if (run.rejected > refusals.length)
    print(`These are the first ${refusals.length} of ${run.rejected}; more are not kept.`);
}

function printFacts(run: ImportRun, organization: string): void {
  const facts: [string, string][] = [
    ['id', run.id],
    ['organization', organization],
    ['outcome', stateNames[run.state]],
    ['started', run.startedAt],
    run.endedAt === null ? ['last seen', run.heartbeatAt] : ['ended', run.endedAt],
    ['by', `${run.actor} (${run.address})`],
    ['format', run.format],
    ['from', run.sources],
    ...(run.failure === null ? [] : [['failure', run.failure] satisfies [string, string]]),
    ...counts.map((count): [string, string] => [count, String(run[count])]),
  ];
  for (const [name, value] of facts) print(`${name.padEnd(14)}${value}`);
}

/** @throws CommandFailure for options that only `--history` has */
export function refuseWithoutHistory(flags: HistoryFlags): void {
  const [given] = Object.keys(flags);
  if (given === undefined) return;
  throw new CommandError(
    `--${given} stands behind the format, or with --history: "rostra import FORMAT PATH… --${given} …".`,
    exitCodes.usage,
  );
}
