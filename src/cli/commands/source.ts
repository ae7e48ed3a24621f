import type { Command } from 'commander';
import { downloadSettings } from '../../config/settings.ts';
import {
  emptySourceDefinition,
  pickDefinition,
  type SourceDefinition,
  type StoredSource,
} from '../../domain/import-source.ts';
import { findInputFiles } from '../../import/readers/input-files.ts';
import { checkDefinition } from '../../jobs/check-definition.ts';
import { runSource } from '../../jobs/run-source.ts';
import { findFormat } from '../../jobs/source-options.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import type { OpenedStore } from '../../store/open.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { type CommandContext, type DatabaseFlags, databaseSettings, withStore } from '../command-context.ts';
import { CommandError, failOnInputError } from '../command-error.ts';
import { findOptionalOrganization, requireOrganization } from '../find-organization.ts';
import { importSettings } from '../import-options.ts';
import { formatTime, print, printError, printJson, printTable } from '../output.ts';
import { formatSourceRow, printSource, toSourceJson, toSummaryJson } from '../print-source.ts';
import { reportImport, sumSizes } from '../run-import.ts';
import {
  createClearParser,
  createIfMissingOption,
  createJsonOption,
  createOrganizationFilterOption,
  createOrganizationOption,
  createSettingOption,
} from '../shared-options.ts';
import { addSourceOptions, applyFlags, clearableFields, type SourceFlags } from '../source-flags.ts';
import { addUndoCommand } from './undo-import.ts';

const definitionSettings = [...databaseSettings, ...downloadSettings];

export const sourceRunSettings = [...importSettings, ...downloadSettings];

export function addSourceCommands(program: Command, context: CommandContext): void {
  const source = program
    .command('source')
    .description(
      'Manages stored sources: the format, the mapping, the redaction and the schedule of imports',
    );

  const add = source
    .command('add')
    .summary('store a source')
    .description(
      'Stores how the data of a source is imported, so that "rostra source run" needs only its name. Files that options name are stored with their content.',
    )
    .argument('<name>', 'unique name in the municipality; records imported with this --source belong to it')
    .addOption(createOrganizationOption())
    .requiredOption('--format <format>', 'format, as "rostra import --list" shows it')
    .addOption(createIfMissingOption('the municipality has a source with this name'));
  addSourceOptions(add);
  addCommonOptions(add).action((name: string, flags: SourceFlags & { format: string; ifMissing?: true }) =>
    withStore(
      context,
      flags,
      async (store, config) => {
        const { id, name: organization } = await requireOrganization(store, flags.organization);
        const existing = flags.ifMissing && (await store.findSource({ organizationId: id, name }));
        if (existing) {
          if (flags.json) return printJson(toSourceJson(existing));
          return printError(`${organization} has a source ${name} already. Nothing changed.`);
        }
        const added = await failOnInputError(() => {
          const definition = applyFlags({ ...emptySourceDefinition, name, format: flags.format }, flags);
          return store.addSource(id, checkDefinition(definition, config));
        }, exitCodes.usage);
        if (flags.json) return printJson(toSourceJson(added));
        const next = added.url === null ? ` FILE` : '';
        printError(
          `Added ${name}. Next: rostra source run "${name}"${next} --organization "${organization}" --dry-run`,
        );
      },
      { used: [...definitionSettings] },
    ),
  );

  addCommonOptions(
    source
      .command('list')
      .summary('list the sources')
      .description('Lists the sources with the results of their last runs.')
      .addOption(createOrganizationFilterOption()),
  ).action((flags: DatabaseFlags & { organization?: string; json?: true }) =>
    withStore(context, flags, async (store) => {
      const organization = await findOptionalOrganization(store, flags.organization);
      const sources = await store.listSources(organization?.id);
      if (flags.json) return printJson(sources.map(toSummaryJson));
      return printTable(
        ['ORGANIZATION', 'SOURCE', 'FORMAT', 'EVERY', 'STATE', 'LAST SUCCESS', 'NEXT', 'LAST ERROR'],
        sources.map(formatSourceRow),
      );
    }),
  );

  addCommonOptions(
    source
      .command('show')
      .summary('show a source')
      .description('Prints the definition of a source, its state and its last runs.')
      .argument('<name>', 'name of the source')
      .addOption(createOrganizationOption()),
  ).action((name: string, flags: DatabaseFlags & { organization: string; json?: true }) =>
    withStore(context, flags, async (store) => {
      const found = await requireSource(store, name, flags.organization);
      const runs = await store.listImportRunsOfSource(found.organizationId, found, maxShownRuns);
      if (flags.json) return printJson({ ...toSourceJson(found), runs });
      printSource(found);
      if (runs.length === 0) return;
      print('');
      printTable(
        ['RUN', 'STARTED', 'STATE', 'READ', 'INSERTED', 'CHANGED', 'REMOVED', 'REJECTED'],
        runs.map(({ id, startedAt, state, read, inserted, changed, removed, rejected }) => [
          id,
          formatTime(startedAt),
          state,
          ...[read, inserted, changed, removed, rejected].map(String),
        ]),
      );
    }),
  );

  const edit = source
    .command('edit')
    .summary('change a source')
    .description(
      'Changes the definition of a source. Other options than the given ones stay as they are. The format cannot be changed.',
    )
    .argument('<name>', 'name of the source')
    .addOption(createOrganizationOption())
    .option(
      '--clear <options>',
      'remove these options, separated by commas',
      createClearParser(clearableFields),
    );
  addSourceOptions(edit);
  addCommonOptions(edit).action(
    (name: string, flags: SourceFlags & { clear?: ((definition: SourceDefinition) => SourceDefinition)[] }) =>
      withStore(
        context,
        flags,
        async (store, config) => {
          const before = await requireSource(store, name, flags.organization);
          const {
            name: _,
            format,
            ...changes
          } = await failOnInputError(() => {
            const cleared = (flags.clear ?? []).reduce((one, clear) => clear(one), pickDefinition(before));
            return checkDefinition(applyFlags(cleared, flags), config);
          }, exitCodes.usage);
          const edited = await store.editSource(before, changes);
          if (edited === undefined) throw new CommandError('The source was removed meanwhile.');
          if (flags.json) return printJson(toSourceJson(edited));
          printError(`Changed ${name}.`);
        },
        { used: [...definitionSettings] },
      ),
  );

  const run = source
    .command('run')
    .summary('import a source')
    .description(
      'Imports files as a source defines it, or fetches its address. The whole input is read before anything is written.',
    )
    .argument('<name>', 'name of the source')
    .argument('[paths...]', 'files, folders, or - for standard input; default: the address of the source')
    .addOption(createOrganizationOption())
    .option('--dry-run', 'check and count all records, but import nothing')
    .option(
      '--full',
      'OParl: fetch everything again, and remove records that no longer exist at the endpoint',
    )
    .option('--rejected <file>', 'write rejected records to this file, one JSON object per line')
    .option('--loosen-redaction', 'allow less redaction than in earlier imports of this source');
  for (const setting of downloadSettings) run.addOption(createSettingOption(setting));
  addCommonOptions(run).action((name: string, paths: string[], flags: RunFlags) =>
    withStore(
      context,
      flags,
      async (store, config) => {
        await context.ownProcess?.limitImport(config.importMemory);
        const organization = await requireOrganization(store, flags.organization);
        const found = await requireSource(store, name, flags.organization);
        if (paths.length === 0 && found.url === null)
          throw new CommandError(
            `The source ${name} has no address. Name the files to import.`,
            exitCodes.usage,
          );
        const input = await failOnInputError(() =>
          paths.length === 0
            ? undefined
            : { files: findInputFiles(paths, findFormat(found.format).fileExtensions), paths },
        );
        const reported = { ...flags, deleteMissing: found.maxDeletedPercent === null ? undefined : true };
        await reportImport(
          async (hooks) => {
            const result = await runSource(store, found, {
              settings: config,
              userAgent: `Rostra/${context.version}`,
              input,
              skipsUnchanged: false,
              full: flags.full === true,
              dryRun: flags.dryRun === true,
              mayLoosenRedaction: flags.loosenRedaction === true,
              ...hooks,
            });
            if (result !== undefined) return result;
            throw new CommandError(
              `Another import of ${organization.name} is running. Wait until it ends. If it was killed, a new one can start after one minute.`,
            );
          },
          reported as typeof flags,
          input && sumSizes(input.files),
          findFormat(found.format),
        );
      },
      { used: sourceRunSettings, isTraced: true },
    ),
  );

  addUndoCommand(source, context);

  source
    .command('remove')
    .summary('remove a source')
    .description('Removes the definition and the schedule of a source. Records published from it stay.')
    .argument('<name>', 'name of the source')
    .addOption(createOrganizationOption())
    .addOption(createSettingOption('database'))
    .action((name: string, flags: DatabaseFlags & { organization: string }) =>
      withStore(context, flags, async (store) => {
        const found = await requireSource(store, name, flags.organization);
        await store.removeSource(found);
        printError(`Removed ${name}. Records published from it stay.`);
      }),
    );
}

type RunFlags = DatabaseFlags & {
  organization: string;
  dryRun?: true;
  full?: true;
  rejected?: string;
  loosenRedaction?: true;
  json?: true;
};

const maxShownRuns = 5;

const addCommonOptions = (command: Command): Command =>
  command.addOption(createSettingOption('database')).addOption(createJsonOption());

/** @throws CommandError for an unknown municipality or source */
async function requireSource(
  store: OpenedStore,
  name: string,
  organizationNameOrId: string,
): Promise<StoredSource> {
  const organization = await requireOrganization(store, organizationNameOrId);
  const found = await store.findSource({ organizationId: organization.id, name });
  if (found !== undefined) return found;
  const near = didYouMean(
    name,
    (await store.listSources(organization.id)).map((one) => one.name),
  );
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new CommandError(
    `${organization.name} has no source "${name}".${hint} "rostra source list" lists all.`,
  );
}
