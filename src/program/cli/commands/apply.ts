import { readFile as readFileContent } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Store } from '../../../domain/store.ts';
import { describeReadError } from '../../../domain/values/describe-read-error.ts';
import type { Config } from '../../config/settings.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { getStreams } from '../command-streams.ts';
import { argument, database, defineCommand, flag, json } from '../define-command.ts';
import { print, printError, printJson } from '../output.ts';
import { applyPlan } from '../provisioning/apply-plan.ts';
import type { fileSchema, Read } from '../provisioning/file-schema.ts';
import { type Change, createPlan, type Plan } from '../provisioning/plan.ts';
import { planAccounts } from '../provisioning/plan-accounts.ts';
import { planKeys } from '../provisioning/plan-keys.ts';
import { planOrganizations } from '../provisioning/plan-organizations.ts';
import { planSources } from '../provisioning/plan-sources.ts';
import { type Problems, readFile } from '../provisioning/read-file.ts';

const maxFileMebibytes = 64;

/** `provisioning/` reads the file, plans the changes and applies the plan. */
export const addApplyCommand = defineCommand({
  name: 'apply',
  summary: 'add and change municipalities, keys, sources and accounts as a file describes them',
  description:
    'Compares a YAML or JSON file with the database, and adds and changes what differs. Everything that the file does not mention stays as it is. The whole file is checked before anything is written. Creates the database if it is missing.',
  arguments: { path: argument('<file>', 'the file, or - for standard input') },
  options: { dryRun: flag('show the difference, but change nothing'), database, json },
  run: async ({ path, ...flags }, context) => {
    const name = path === '-' ? 'standard input' : path;
    const { file, problems } = readFile(await readText(path, name), name);
    try {
      await withStore(
        context,
        flags,
        async (store, config) => {
          const folder = path === '-' ? '.' : dirname(path);
          const plan = await planChanges(file, problems, store, config, folder);
          problems.throwIfAny();
          if (!flags.dryRun) await applyPlan(store, plan);
          report(plan, flags);
        },
        { readers: ['import'], create: !flags.dryRun, actorName: 'apply' },
      );
    } catch (error) {
      // Those that were found without the database.
      problems.throwIfAny();
      throw error;
    }
  },
});

async function planChanges(
  { values }: Read<typeof fileSchema>,
  problems: Problems,
  store: Store,
  config: Config,
  folder: string,
): Promise<Plan> {
  const planner = { plan: createPlan(), problems, byName: new Map(), byId: new Map() };
  const stored = await store.readProvisioned();
  const organizations = planOrganizations(planner, values.organizations ?? [], stored);
  planKeys(planner, organizations, stored.keys);
  await planSources(planner, organizations, store, config, folder);
  planAccounts(planner, values.accounts ?? [], await store.listAccounts());
  return planner.plan;
}

/** @throws CommandError for a file that cannot be read, is too large, or is not UTF-8 */
async function readText(path: string, name: string): Promise<string> {
  try {
    const content = await (path === '-' ? buffer(getStreams().stdin) : readFileContent(path));
    if (content.length > maxFileMebibytes * 1_048_576)
      throw new Error(`it is larger than ${maxFileMebibytes} MiB`);
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    throw new CommandError(`${name} cannot be read: ${describeReadError(error)}.`, exitCodes.usage);
  }
}

function report(
  { changes, unchanged, warnings, additions }: Plan,
  { dryRun, json }: { dryRun: true | undefined; json: true | undefined },
): void {
  for (const warning of warnings) printError(`Warning: ${warning}`);
  if (json) {
    printJson({ dryRun: dryRun === true, changes, unchanged, warnings });
    return;
  }
  for (const change of changes) print(formatChange(change));
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  const counts = `${count('add')} added, ${count('change')} changed, ${count('revoke')} revoked, ${unchanged} unchanged`;
  if (changes.length === 0) printError(`Nothing to change: ${unchanged} unchanged.`);
  else printError(dryRun ? `Dry run, nothing was written: ${counts}.` : `${counts}.`);
  if (!dryRun && additions.accounts.length > 0)
    printError(
      'New accounts have no password. People use single sign-on, or a link from "rostra admin invite".',
    );
}

const signs = { add: '+', change: '~', revoke: '-' } as const;

function formatChange({ action, kind, name, organization, fields = [] }: Change): string {
  const place = organization === undefined ? '' : ` of ${organization}`;
  const shown = action === 'change' ? fields : [];
  return [
    `${signs[action]} ${kind} ${name}${place}`,
    ...shown.map(({ field, before, after }) => `    ${field}: ${before ?? 'none'} → ${after ?? 'none'}`),
  ].join('\n');
}
