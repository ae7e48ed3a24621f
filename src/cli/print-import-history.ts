/** `rostra import --history`: the list of imports, or one import with its rejected records. */
import { type ImportRun, importCounts } from '../domain/import-history.ts';
import type { Store } from '../domain/store.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { DatabaseFlags } from './command-context.ts';
import { CommandError } from './command-error.ts';
import { findOptionalOrganization, requireOrganization } from './find-organization.ts';
import { formatTime, print, printJson, printTable } from './output.ts';

export interface HistoryFlags extends DatabaseFlags {
  organization?: string;
  run?: string;
  limit?: number;
  json?: true;
}

const defaultLimit = 20;
export const maxRuns = 1_000;

/** Characters in the list. */
const maxSourcesLength = 60;

export async function printHistory(store: Store, flags: HistoryFlags): Promise<void> {
  const { run } = flags;
  const organization = await findOptionalOrganization(store, flags.organization);
  if (run !== undefined) return printRun(store, organization?.id, run, flags.json);
  const runs = await store.listImportRuns(organization?.id, undefined, flags.limit ?? defaultLimit);
  if (flags.json) return printJson(runs);
  const names = new Map((await store.listOrganizationNames()).map(({ id, name }) => [id, name]));
  const rows = runs.map((one) => [
    one.id,
    formatTime(one.startedAt),
    ...(organization === undefined ? [names.get(one.organizationId) ?? one.organizationId] : []),
    one.format,
    describeOutcome(one),
    ...importCounts.map((count) => String(one[count])),
    truncate(one.sources),
  ]);
  const whose = organization === undefined ? ['ORGANIZATION'] : [];
  const headings = ['ID', 'STARTED', ...whose, 'FORMAT', 'OUTCOME'];
  return printTable([...headings, ...importCounts.map((count) => count.toUpperCase()), 'FROM'], rows);
}

const stateNames: Record<ImportRun['state'], string> = {
  running: 'running',
  done: 'done',
  failed: 'failed',
  interrupted: 'interrupted',
  stale: 'stalled',
};

const describeOutcome = ({ state, undoneAt }: ImportRun) =>
  undoneAt === null ? stateNames[state] : 'undone';

const truncate = (text: string) => {
  const characters = [...text];
  return characters.length <= maxSourcesLength
    ? text
    : `${characters.slice(0, maxSourcesLength - 1).join('')}…`;
};

async function printRun(
  store: Store,
  organizationId: string | undefined,
  id: string,
  json: true | undefined,
): Promise<void> {
  const run = await store.findImportRun(organizationId, id.toLowerCase());
  if (run === undefined) {
    throw new CommandError(`Unknown import "${id.slice(0, 40)}". "rostra import --history" lists all.`);
  }
  const rejections = await store.listRejectedRecords(run);
  if (json) return printJson({ ...run, rejections });
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
      reason,
    ]),
  );
  if (run.rejected > rejections.length)
    print(`The first ${rejections.length} of ${run.rejected} rejected records; only these are stored.`);
}

function printDetails(run: ImportRun, organization: string): void {
  const details: [string, string][] = [
    ['id', run.id],
    ['organization', organization],
    ['outcome', describeOutcome(run)],
    ['started', run.startedAt],
    run.endedAt === null ? ['last seen', run.heartbeatAt] : ['ended', run.endedAt],
    ...(run.undoneAt === null ? [] : [['undone', run.undoneAt] satisfies [string, string]]),
    ['by', `${run.actor} (${run.address})`],
    ['format', run.format],
    ['from', run.sources],
    ...(run.failure === null ? [] : [['failure', run.failure] satisfies [string, string]]),
    ...importCounts.map((count): [string, string] => [count, String(run[count])]),
  ];
  for (const [name, value] of details) print(`${name.padEnd(14)}${value}`);
}

/** Options of `--history` that were given before a format. @throws CommandError */
export function rejectHistoryOptions(flags: HistoryFlags): void {
  const [given] = Object.keys(flags);
  if (given === undefined) return;
  throw new CommandError(
    `Put --${given} after the format ("rostra import FORMAT PATH… --${given} …") or use it with --history.`,
    exitCodes.usage,
  );
}
