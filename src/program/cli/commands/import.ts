import type { Command } from 'commander';
import { describeReason } from '../../../domain/reasons/reason.ts';
import { toFlagName } from '../../../domain/values/define-entered-fields.ts';
import { type FormatOptions, parseOption, sheet } from '../../../ingest/format-options.ts';
import { type Format, type FormatReader, getOmitted } from '../../../ingest/formats/format-definition.ts';
import { allFiles, formats } from '../../../ingest/formats/format-registry.ts';
import { InputError } from '../../../ingest/input-error.ts';
import { findInputFiles } from '../../../ingest/readers/input-files.ts';
import { readOptionFile } from '../../../ingest/readers/read-file-named-by-option.ts';
import { removeRepeatedFiles, unfoldArchives } from '../../../ingest/readers/unfold-archives.ts';
import { isSourceName } from '../../../ingest/runs/check-source-definition.ts';
import { chooseLocale } from '../../../ingest/runs/prepare-import.ts';
import type { CommandOption } from '../../../platform/command-options.ts';
import { listSettings } from '../../config/settings.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { type CommandContext, withStore } from '../command-context.ts';
import { CommandError, failOnInputError } from '../command-error.ts';
import {
  type AddCommand,
  argument,
  database,
  defineCommand,
  flag,
  json,
  option,
  type Values,
} from '../define-command.ts';
import { requireOrganization } from '../find-organization.ts';
import { print, printTable } from '../output.ts';
import {
  declareFormatOptions,
  deletionOptions,
  locations,
  loosenRedaction,
  questionOptions,
  redactionOptions,
  rejected,
  timeZone,
} from '../runs/import-options.ts';
import { printDetectedFormats } from '../runs/print-detected-formats.ts';
import { runImportCommand } from '../runs/run-import.ts';
import { showHistory } from './import-history.ts';

const detectFormat = defineCommand({
  name: 'detect',
  summary: 'detect the format of files',
  description:
    'Reads the beginning of each file and prints the formats that fit, with the reason. A folder is summarised.',
  arguments: { paths: argument('<files...>', 'files or folders') },
  options: { sheet: option('name', sheet.description) },
  run: ({ paths, sheet }) => failOnInputError(() => printDetectedFormats(paths, sheet)),
});

const importOptions = {
  organization: option('name|id', 'the municipality, by name or id'),
  explain: flag('show which source field each field is read from, and import nothing'),
  dryRun: flag('check and count all records, but import nothing'),
  strict: flag('import nothing if any record is rejected; blocks other writers meanwhile'),
  source: option(
    'name',
    'name of the source, if several sources use the same ids; use the same name each time',
    parseSourceName,
  ),
  timeZone,
};

const suggestion = flag('draft a mapping from the columns of the files');

const finalOptions = { rejected, ...redactionOptions, loosenRedaction, database, json };

/** Those that a format does not have are undefined. */
type FormatFlags = Values<
  typeof importOptions &
    typeof deletionOptions &
    typeof questionOptions &
    typeof finalOptions & { suggest: typeof suggestion; locations: typeof locations }
>;

function defineFormatCommand(format: Format): AddCommand {
  const { name, description, options } = format;
  return defineCommand({
    name,
    summary: description.split(':', 1)[0] as string,
    description: `${description}.`,
    arguments: { paths: argument('[paths...]', 'files, folders, or - for standard input') },
    options: {
      ...importOptions,
      ...(!format.isPartialInput && deletionOptions),
      ...(format.hasLocations && { locations }),
      ...declareFormatOptions(options, (one, text): unknown =>
        one.isFile ? { file: text, content: readOptionFile(text) } : parseOption(one, text),
      ),
      beside: questionOptions.beside,
      ...(format.mayRetractBySettings && { removeSkipped: questionOptions.removeSkipped }),
      ...(format.hasMapping && { suggest: suggestion }),
      ...finalOptions,
    } as Record<string, CommandOption<unknown>>,
    run: async ({ paths, ...given }, context, command) => {
      const flags = given as FormatFlags;
      const { reader } = await format.load();
      const own = parseFiles(format, reader, given, command);
      await failOnInputError(() => reader.assertOptions?.(own), exitCodes.usage);
      if (flags.explain) return failOnInputError(() => explain(format, reader, own), exitCodes.usage);
      if (flags.suggest) return failOnInputError(() => suggest(context, format, reader, paths, flags));
      const { organization } = flags;
      if (paths.length === 0) command.error("error: missing required argument 'paths'");
      if (organization === undefined)
        return command.error("error: required option '--organization <name|id>' not specified");
      // A format that needs a mapping reports a missing one, before a run begins and fails.
      await failOnInputError(() => reader.listMappings(own), exitCodes.usage);
      return withStore(
        context,
        flags,
        async (store, config) => {
          await context.ownProcess?.limitImport(config.importMemory);
          const target = await requireOrganization(store, organization);
          await runImportCommand(store, target, format, paths, flags, own, config);
        },
        { readers: ['import'], isTraced: true },
      );
    },
  });
}

/** Parses the files that options name, with the format's reader. An invalid file is an invalid argument. */
const parseFiles = (
  { options }: Format,
  { fileParsers = {} }: FormatReader,
  given: Readonly<Record<string, unknown>>,
  command: Command,
): FormatOptions =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const parse = fileParsers[name];
      if (parse === undefined || value === undefined) return [name, value];
      const { file, content } = value as { file: string; content: string };
      try {
        return [name, parse(content, file)];
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        return command.error(
          `error: option '${toFlagName(name)} <${options[name]?.value}>' argument '${file}' is invalid. ${error.message}`,
        );
      }
    }),
  );

/** One subcommand for each format, whose options follow from the description of the format. */
export const addImportCommand: AddCommand = (program, context) => {
  const command = program
    .command('import')
    .summary('import data')
    .description(
      'Imports files, folders or standard input (-), optionally compressed with gzip. Importing the same data again changes nothing, so an interrupted import can be repeated.',
    )
    .usage('<format> <paths...> --organization <name|id>');
  for (const add of [...formats.map(defineFormatCommand), detectFormat, showHistory]) add(command, context);
  command.showHelpAfterError(
    '"rostra import --help" lists the formats, and "rostra import detect FILE" suggests one.',
  );
};

function explain(format: Format, reader: FormatReader, options: FormatOptions): void {
  const mappings = reader.listMappings(options);
  print(`${format.description}.`);
  for (const { kind, fieldSources } of mappings) {
    print('');
    printTable(
      [kind.toUpperCase(), 'FROM'],
      fieldSources.map(({ field, from }) => [field, from]),
    );
  }
  print(`\n${describeReason(getOmitted(format))}`);
}

async function suggest(
  context: CommandContext,
  format: Format,
  reader: FormatReader,
  paths: string[],
  flags: FormatFlags & { sheet?: string; records?: string; headerRow?: number },
): Promise<void> {
  const found = findInputFiles(paths, format);
  const files = await unfoldArchives(found, format, inputOptions);
  const [source, ...others] = removeRepeatedFiles(files, {});
  if (source === undefined)
    throw new CommandError('Name the files to draft a mapping from.', exitCodes.usage);
  const suggestion = await reader.suggestMapping?.([source, ...others], {
    ...inputOptions,
    sheet: flags.sheet,
    records: flags.records,
    headerRow: flags.headerRow,
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

const inputOptions = { allFiles, signal: new AbortController().signal, observer: {} };

function parseSourceName(text: string): string {
  if (isSourceName(text)) return text;
  throw new Error('be a name of 1 to 100 characters, without spaces around it');
}
