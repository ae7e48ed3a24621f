import { type Command, InvalidArgumentError } from 'commander';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { listSettings } from '../../config/settings.ts';
import type { Format, FormatOptions } from '../../import/format-definition.ts';
import { formats } from '../../import/format-registry.ts';
import { findInputFiles } from '../../import/readers/input-files.ts';
import { unfoldArchives } from '../../import/readers/zipped-files.ts';
import { sheetOption } from '../../import/sheet-option.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { isSourceName } from '../../runs/check-definition.ts';
import { chooseLocale } from '../../runs/prepare-source-import.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { type CommandContext, withStore } from '../command-context.ts';
import { CommandError, failOnInputError } from '../command-error.ts';
import { printDetectedFormats } from '../detect-input.ts';
import { requireOrganization } from '../find-organization.ts';
import { addImportOptions, createTimeZoneOption, toOption } from '../import-options.ts';
import { print, printTable } from '../output.ts';
import { type HistoryFlags, maxRuns, printHistory, rejectHistoryOptions } from '../print-import-history.ts';
import { type FileImportFlags, runImportCommand } from '../run-import.ts';
import {
  createJsonOption,
  createOrganizationOption,
  createSettingOption,
  toOptionParser,
} from '../shared-options.ts';

export function addImportCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('import')
    .summary('import data')
    .description(
      'Imports files, folders or standard input (-), optionally compressed with gzip. Importing the same data again changes nothing, so an interrupted import can be repeated.',
    )
    .usage('<format> <paths...> --organization <name|id>')
    .option('--list', 'list the formats')
    .option('--history', 'list past imports, newest first')
    .option('--organization <name|id>', 'with --history: only imports into this municipality')
    .option('--run <id>', 'with --history: one import, with its rejected records')
    .option(
      '--limit <number>',
      'with --history: how many (default: 20)',
      toOptionParser(createIntegerParser('a whole number', 1, maxRuns)),
    )
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .hook('preSubcommand', (parent) => rejectHistoryOptions(parent.opts()))
    // The action reports unknown formats, whatever arguments follow.
    .allowExcessArguments()
    .allowUnknownOption()
    .action(async ({ list, history, ...flags }: HistoryFlags & { list?: true; history?: true }) => {
      if (list) listFormats();
      else if (history) await withStore(context, flags, (store) => printHistory(store, flags));
      else command.error(describeUnknownFormat(command), { exitCode: exitCodes.usage });
    });
  for (const format of formats) addFormat(command, format, context);
  command
    .command('detect')
    .summary('detect the format of files')
    .description(
      'Reads the beginning of each file and prints the formats that fit, with the reason. A folder is summarised.',
    )
    .argument('<files...>', 'files or folders')
    .addOption(toOption(sheetOption))
    .action((paths: string[], { sheet }: { sheet?: string }) =>
      failOnInputError(() => printDetectedFormats(paths, sheet)),
    );
}

function describeUnknownFormat({ args: [given] }: Command): string {
  if (given?.startsWith('-')) return `Unknown option ${given}. "rostra import --help" lists all.`;
  const names = [...formats.map(({ name }) => name), 'detect'];
  if (given === undefined)
    return `Name a format: ${names.join(', ')}. "rostra import --list" describes them.`;
  const near = didYouMean(given, names);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return `Unknown format "${given}".${hint} "rostra import --list" lists all, and "rostra import detect FILE" suggests one.`;
}

interface FormatFlags extends FileImportFlags {
  organization?: string;
  explain?: true;
  suggest?: true;
  sheet?: string;
}

function addFormat(parent: Command, format: Format, context: CommandContext): void {
  const { name, description, options = [] } = format;
  const command = parent
    .command(name)
    .summary(description.split(':', 1)[0] as string)
    .description(`${description}.`)
    .argument('[paths...]', 'files, folders, or - for standard input')
    .addOption(createOrganizationOption().makeOptionMandatory(false))
    .option('--explain', 'show which source field each field is read from, and import nothing')
    .option('--dry-run', 'check and count all records, but import nothing')
    .option('--strict', 'import nothing if any record is rejected; blocks other writers meanwhile')
    .option(
      '--source <name>',
      'name of the source system, if several systems use the same ids; use the same name each time',
      parseSourceName,
    )
    .addOption(createTimeZoneOption());
  if (!format.isPartialInput) {
    command
      .option('--delete-missing', 'delete published records of this source that are missing from the input')
      .option(
        '--max-deleted <percent>',
        'with --delete-missing: delete nothing if more than this share of any kind of record is missing',
        toOptionParser(createIntegerParser('a whole number', 0, 100)),
        50,
      );
  }
  for (const option of options) command.addOption(toOption(option));
  if (format.suggestMapping) command.option('--suggest', 'draft a mapping from the columns of the files');
  addImportOptions(command);
  command.action(async (paths: string[], flags: FormatFlags) => {
    await failOnInputError(() => format.assertOptions?.({ ...flags }), exitCodes.usage);
    if (flags.explain) return failOnInputError(() => explain(format, { ...flags }));
    if (flags.suggest) return failOnInputError(() => suggest(context, format, paths, flags));
    const { organization } = flags;
    if (paths.length === 0) command.error("error: missing required argument 'paths'");
    if (organization === undefined)
      return command.error("error: required option '--organization <name|id>' not specified");
    return withStore(
      context,
      flags,
      async (store, config) => {
        await context.ownProcess?.limitImport(config.importMemory);
        const target = await requireOrganization(store, organization);
        await runImportCommand(store, target, format, paths, flags, config);
      },
      { readers: ['import'], isTraced: true },
    );
  });
}

function listFormats(): void {
  printTable(
    ['FORMAT', 'DESCRIPTION'],
    formats.map(({ name, description }) => [name, description]),
  );
}

function explain(format: Format, options: FormatOptions): void {
  const { description, omitted } = format;
  const mappings = format.getMappings?.(options) ?? format.mappings;
  print(`${description}.`);
  for (const { kind, fieldSources } of mappings) {
    print('');
    printTable(
      [kind.toUpperCase(), 'FROM'],
      fieldSources.map(({ field, from }) => [field, from]),
    );
  }
  print(`\n${omitted}`);
}

async function suggest(
  context: CommandContext,
  format: Format,
  paths: string[],
  flags: FormatFlags,
): Promise<void> {
  const { fileExtensions } = format;
  const found = findInputFiles(paths, fileExtensions);
  const [source, ...others] = await unfoldArchives(found, fileExtensions, inputOptions);
  if (source === undefined)
    throw new CommandError('Name the files to draft a mapping from.', exitCodes.usage);
  const suggestion = await format.suggestMapping?.([source, ...others], {
    ...inputOptions,
    sheet: flags.sheet,
    country: await findCountry(context, flags),
  });
  print(suggestion?.yaml.trimEnd() ?? '');
}

/** Of the municipality, or the default of the installation: it decides what 03/04 means. */
async function findCountry(
  context: CommandContext,
  { organization, ...flags }: FormatFlags,
): Promise<string> {
  if (organization === undefined) return context.readConfig({}, listSettings('import')).country;
  return withStore(
    context,
    flags,
    async (store, config) => chooseLocale(await requireOrganization(store, organization), config).country,
    { readers: ['import'] },
  );
}

const inputOptions = { signal: new AbortController().signal, observer: {} };

function parseSourceName(text: string): string {
  if (isSourceName(text)) return text;
  throw new InvalidArgumentError('It must be a name of 1 to 100 characters, without spaces around it.');
}
