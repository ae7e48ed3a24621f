import type { Command } from 'commander';
import { emptySourceDefinition, pickDefinition, type SourceDefinition } from '../../domain/import-source.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { checkDefinition } from '../../runs/check-definition.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError, failOnInputError } from '../command-error.ts';
import { findOptionalOrganization, requireOrganization } from '../find-organization.ts';
import { formatTime, print, printError, printJson, printTable } from '../output.ts';
import { formatSourceRow, printSource, toSourceJson, toSummaryJson } from '../print-source.ts';
import { requireSource } from '../require-source.ts';
import {
  createClearParser,
  createIfMissingOption,
  createJsonOption,
  createOrganizationFilterOption,
  createOrganizationOption,
  createSettingOption,
} from '../shared-options.ts';
import { addSourceOptions, applyFlags, clearableFields, type SourceFlags } from '../source-flags.ts';
import { addRunCommands } from './source-run.ts';
import { addUndoCommand } from './undo-import.ts';

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
      { readers: ['import'] },
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
        { readers: ['import'] },
      ),
  );

  addRunCommands(source, context);
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

const maxShownRuns = 5;

const addCommonOptions = (command: Command): Command =>
  command.addOption(createSettingOption('database')).addOption(createJsonOption());
