import { type Command, InvalidArgumentError } from 'commander';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { type Config, redactionSettings } from '../../config/settings.ts';
import type { SyncStatus } from '../../domain/sync-state.ts';
import type { FormatOptions } from '../../import/format-definition.ts';
import { oparl } from '../../import/formats/oparl/oparl-format.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import type { OpenedStore } from '../../store/open.ts';
import { getImportSource } from '../../sync/sync-oparl.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { findOptionalOrganization, requireOrganization } from '../find-organization.ts';
import {
  jsonOption,
  optionParser,
  organizationFilterOption,
  organizationOption,
  parseDuration,
  settingOption,
} from '../options.ts';
import { printError, printJson, printTable, shortTime } from '../output.ts';
import { chooseRedaction, givenRedaction, loosenOption } from '../redaction-options.ts';
import { importSettings } from '../run-import.ts';
import { type SyncFlags, syncOnce, syncPeriodically } from '../run-sync.ts';
import { asOption, timeZone } from './import.ts';

export function addSyncCommands(program: Command, context: CommandContext): void {
  const sync = program.command('sync').description('Endpoints: fetch from one what is new there');
  const userAgent = `Rostra/${context.version}`;

  const command = sync
    .command('oparl')
    .summary('fetch from an OParl endpoint')
    .description(
      'Fetches what an OParl endpoint has, from the second time on what changed there, and imports it. Nothing is applied before everything was fetched; what broke off begins anew.',
    )
    .argument('<url>', 'address of a system, a body, or a list of bodies, papers or meetings')
    .addOption(organizationOption())
    .option('--body <name|id>', 'which body, where the system has more than one')
    .option('--every <time>', 'go on, and fetch again after this time: 30m, 1h, 1d', parseInterval)
    .option('--full', 'fetch everything again, and remove what is not there any more')
    .option('--time-zone <zone>', 'of times without an offset, such as Europe/Berlin', timeZone);
  for (const option of oparl.options ?? []) command.addOption(asOption(option));
  command
    .option(
      '--allow-host <host>',
      'ask this host too, where the endpoint refers to it; may be repeated',
      allowedHost,
    )
    .option('--pause <milliseconds>', 'wait between two requests', parseNumber(0, 60_000), 200)
    .option('--timeout <seconds>', 'wait for an answer', parseNumber(1, 600), 60)
    .option('--max-requests <count>', 'ask no more often in one run', parseNumber(1, 1_000_000), 20_000)
    .option('--rejected <file>', 'write rejected records to this file, one JSON object per line');
  for (const setting of redactionSettings) command.addOption(settingOption(setting));
  command
    .addOption(loosenOption())
    .addOption(settingOption('database'))
    .addOption(jsonOption())
    .action((url: string, flags: SyncFlags & { organization: string }) => {
      const address = addressOf(url);
      if (flags.every !== undefined && flags.rejected !== undefined)
        throw new CommandError(
          '--rejected is for a single run: omit --every to list rejected records.',
          exitCodes.usage,
        );
      context.lowerPriority();
      const work = async (store: OpenedStore, config: Config) => {
        const given = givenRedaction(config);
        const { id } = await requireOrganization(store, flags.organization);
        const endpoint = { organizationId: id, url: address, body: flags.body };
        const from = getImportSource(endpoint);
        const { redactor, source } = await chooseRedaction(store, id, from, given, flags);
        const run = flags.every === undefined ? syncOnce : syncPeriodically;
        await run(
          store,
          endpoint,
          { ...flags, userAgent, redactor, source },
          flags as unknown as FormatOptions,
        );
      };
      return withStore(context, flags, work, { create: false }, importSettings);
    });

  sync
    .command('list')
    .summary('list endpoints')
    .description('Lists the endpoints that were fetched from, with how the last runs went.')
    .addOption(organizationFilterOption())
    .addOption(settingOption('database'))
    .addOption(jsonOption())
    .action((flags: DatabaseFlags & { organization?: string; json?: true }) =>
      withStore(context, flags, async (store) => {
        const organization = await findOptionalOrganization(store, flags.organization);
        const syncs = await store.listSyncs(organization?.id);
        if (flags.json) return printJson(syncs);
        return printTable(
          ['ORGANIZATION', 'ADDRESS', 'LAST COMPLETE', 'NEXT', 'PUBLISHED', 'REJECTED', 'LAST ERROR'],
          syncs.map(row),
        );
      }),
    );

  sync
    .command('remove')
    .summary('forget an endpoint')
    .description(
      'Forgets an endpoint, and what is known of it. What was published from it stays; the next sync from it fetches everything.',
    )
    .argument('<url>', 'address, as "rostra sync list" shows it')
    .addOption(organizationOption())
    .option('--body <name|id>', 'which body, where it was fetched with one')
    .addOption(settingOption('database'))
    .action((url: string, flags: DatabaseFlags & { organization: string; body?: string }) =>
      withStore(context, flags, (store) => forget(store, url, flags)),
    );
}

/** @throws CommandFailure for one that was never fetched from */
async function forget(
  store: OpenedStore,
  url: string,
  { organization, body }: { organization: string; body?: string },
): Promise<void> {
  const { id, name } = await requireOrganization(store, organization);
  if (await store.removeSync({ organizationId: id, url: addressOf(url), body })) {
    printError(`Forgot ${url}. What was published from it stays.`);
    return;
  }
  const ofBody = body === undefined ? '' : ` (${body})`;
  throw new CommandError(`${url}${ofBody} was never fetched for ${name}. "rostra sync list" shows what was.`);
}

/** What should have begun by itself, and did not, was ended with the process that would have begun it. */
function nextRun(nextAt: string | null): string {
  const isOverdue = nextAt !== null && Date.parse(nextAt) < Date.now() - 60_000;
  return isOverdue ? `overdue since ${shortTime(nextAt)}` : shortTime(nextAt);
}

function row(sync: SyncStatus): string[] {
  const { organizationName, url, body, runningSince, completedAt, nextAt, counts, error, failedAt } = sync;
  const { inserted = 0, changed = 0, unchanged = 0, rejected } = counts ?? {};
  return [
    organizationName,
    body === null ? url : `${url} (${body})`,
    shortTime(completedAt),
    runningSince === null ? nextRun(nextAt) : 'running',
    counts === null ? '–' : String(inserted + changed + unchanged),
    rejected === undefined ? '–' : String(rejected),
    error === null ? '–' : `${shortTime(failedAt)} ${error}`,
  ];
}

/** @throws CommandFailure */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol))
    throw new CommandError(`"${text}" is no http or https address.`, exitCodes.usage);
  if (url.username !== '' || url.password !== '') {
    throw new CommandError(
      'The address must have no name or password: it is shown and kept.',
      exitCodes.usage,
    );
  }
  url.hash = '';
  if (url.href.length <= 2_048) return url.href;
  throw new CommandError('The address has more than 2,048 characters.', exitCodes.usage);
}

const parseNumber = (min: number, max: number) =>
  optionParser(createIntegerParser('a whole number', min, max));

const minIntervalMs = 60_000;
/** Node.js timers overflow after 24 days. */
const maxIntervalMs = 14 * 86_400_000;

/** @returns milliseconds */
function parseInterval(text: string): number {
  const intervalMs = parseDuration(text);
  if (intervalMs >= minIntervalMs && intervalMs <= maxIntervalMs) return intervalMs;
  throw new InvalidArgumentError('It must be a duration from 1m to 14d.');
}

function allowedHost(text: string, before: string[] = []): string[] {
  const host = URL.canParse(`https://${text}`) ? new URL(`https://${text}`).host : '';
  if (host !== '' && /^[^/?#@]+$/.test(text)) return [...before, host];
  throw new InvalidArgumentError('It must be a host such as ris.example, with its port where it has one.');
}
