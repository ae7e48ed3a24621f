import { type Command, InvalidArgumentError } from 'commander';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { overdueAfterMs, type SyncStatus } from '../../domain/sync-state.ts';
import { oparl } from '../../import/formats/oparl/oparl-format.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import type { OpenedStore } from '../../store/open.ts';
import { getImportSource } from '../../sync/sync-oparl.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { findOptionalOrganization, requireOrganization } from '../find-organization.ts';
import {
  addImportOptions,
  chooseCommandRedaction,
  chooseTimeZone,
  createTimeZoneOption,
  importSettings,
  toOption,
} from '../import-and-sync-options.ts';
import { formatTime, printError, printJson, printTable } from '../output.ts';
import {
  createJsonOption,
  createOrganizationFilterOption,
  createOrganizationOption,
  createSettingOption,
  parseHttpUrl,
  parseInterval,
  toOptionParser,
} from '../shared-options.ts';
import { type SyncFlags, syncOnce, syncPeriodically } from '../sync-once-or-periodically.ts';

export function addSyncCommands(program: Command, context: CommandContext): void {
  const sync = program.command('sync').description('Imports from endpoints');
  const userAgent = `Rostra/${context.version}`;

  const command = sync
    .command('oparl')
    .summary('import from an OParl endpoint')
    .description(
      'Imports the data of an OParl endpoint. The first run fetches everything, later runs fetch changes. A run imports nothing until it has fetched everything; an interrupted run starts over.',
    )
    .argument('<url>', 'URL of a system, a body, or a list of bodies, papers or meetings')
    .addOption(createOrganizationOption())
    .option('--body <name|id>', 'the body, if the system has more than one')
    .option('--every <time>', 'keep running, and sync at this interval: 30m, 1h, 1d', parseInterval)
    .option('--full', 'fetch everything again, and remove records that no longer exist there')
    .addOption(createTimeZoneOption());
  for (const option of oparl.options ?? []) command.addOption(toOption(option));
  command
    .option('--allow-host <host>', 'also follow references to this host; may be repeated', addAllowedHost)
    .option('--pause <milliseconds>', 'pause between two requests', createNumberParser(0, 60_000), 200)
    .option('--timeout <seconds>', 'timeout of a request', createNumberParser(1, 600), 60)
    .option(
      '--max-requests <count>',
      'maximum number of requests per run',
      createNumberParser(1, 1_000_000),
      20_000,
    );
  addImportOptions(command);
  command.action((url: string, flags: SyncFlags & { organization: string }) => {
    const address = parseEndpointUrl(url);
    if (flags.every !== undefined && flags.rejected !== undefined)
      throw new CommandError(
        '--rejected is for a single run: omit --every to list rejected records.',
        exitCodes.usage,
      );
    return withStore(
      context,
      flags,
      async (store, config) => {
        await context.ownProcess?.limitImport(config.importMemory);
        const organization = await requireOrganization(store, flags.organization);
        const { id } = organization;
        const timeZone = chooseTimeZone(flags, organization);
        const endpoint = { organizationId: id, url: address, body: flags.body };
        const from = getImportSource(endpoint);
        const { redactor, source } = await chooseCommandRedaction(store, organization, from, config, flags);
        const run = flags.every === undefined ? syncOnce : syncPeriodically;
        await run(store, endpoint, { ...flags, timeZone, userAgent, redactor, source, organization });
      },
      { used: importSettings, isTraced: true },
    );
  });

  sync
    .command('list')
    .summary('list endpoints')
    .description('Lists the endpoints with the results of their last runs.')
    .addOption(createOrganizationFilterOption())
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((flags: DatabaseFlags & { organization?: string; json?: true }) =>
      withStore(context, flags, async (store) => {
        const organization = await findOptionalOrganization(store, flags.organization);
        const syncs = await store.listSyncs(organization?.id);
        if (flags.json) return printJson(syncs);
        return printTable(
          ['ORGANIZATION', 'ADDRESS', 'LAST COMPLETE', 'NEXT', 'PUBLISHED', 'REJECTED', 'LAST ERROR'],
          syncs.map(formatRow),
        );
      }),
    );

  sync
    .command('remove')
    .summary('remove an endpoint')
    .description(
      'Removes an endpoint and its sync state. Records published from it stay. The next sync from it fetches everything.',
    )
    .argument('<url>', 'URL, as "rostra sync list" shows it')
    .addOption(createOrganizationOption())
    .option('--body <name|id>', 'the body, if it was synced with --body')
    .addOption(createSettingOption('database'))
    .action((url: string, flags: DatabaseFlags & { organization: string; body?: string }) =>
      withStore(context, flags, (store) => removeEndpoint(store, url, flags)),
    );
}

/** @throws CommandError for an unknown endpoint */
async function removeEndpoint(
  store: OpenedStore,
  url: string,
  { organization, body }: { organization: string; body?: string },
): Promise<void> {
  const { id, name } = await requireOrganization(store, organization);
  if (await store.removeSync({ organizationId: id, url: parseEndpointUrl(url), body })) {
    printError(`Removed ${url}. Records published from it stay.`);
    return;
  }
  const ofBody = body === undefined ? '' : ` (${body})`;
  throw new CommandError(`${url}${ofBody} is not an endpoint of ${name}. "rostra sync list" lists all.`);
}

function describeNextRun(nextAt: string | null): string {
  const isOverdue = nextAt !== null && Date.parse(nextAt) < Date.now() - overdueAfterMs;
  return isOverdue ? `overdue since ${formatTime(nextAt)}` : formatTime(nextAt);
}

function formatRow(sync: SyncStatus): string[] {
  const { organizationName, url, body, runningSince, completedAt, nextAt, counts, error, failedAt } = sync;
  const { inserted = 0, changed = 0, unchanged = 0, rejected } = counts ?? {};
  return [
    organizationName,
    body === null ? url : `${url} (${body})`,
    formatTime(completedAt),
    runningSince === null ? describeNextRun(nextAt) : 'running',
    counts === null ? '–' : String(inserted + changed + unchanged),
    rejected === undefined ? '–' : String(rejected),
    error === null ? '–' : `${formatTime(failedAt)} ${error}`,
  ];
}

/** @throws CommandError */
function parseEndpointUrl(text: string): string {
  const url = parseHttpUrl(text);
  url.hash = '';
  if (url.href.length <= 2_048) return url.href;
  throw new CommandError('The URL has more than 2,048 characters.', exitCodes.usage);
}

const createNumberParser = (min: number, max: number) =>
  toOptionParser(createIntegerParser('a whole number', min, max));

function addAllowedHost(text: string, before: string[] = []): string[] {
  const host = URL.canParse(`https://${text}`) ? new URL(`https://${text}`).host : '';
  if (host !== '' && /^[^/?#@]+$/.test(text)) return [...before, host];
  throw new InvalidArgumentError('It must be a host such as ris.example or ris.example:8443.');
}
