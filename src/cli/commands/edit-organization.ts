import { type Command, InvalidArgumentError, Option } from 'commander';
import { getFieldValues, type OrganizationChanges } from '../../domain/organization.ts';
import { organizationFieldParsers } from '../../domain/organization-fields.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { requireOrganization } from '../find-organization.ts';
import { printError, printJson, printTable } from '../output.ts';
import { createClearParser, createJsonOption, createSettingOption } from '../shared-options.ts';

type Field = keyof OrganizationChanges;

const oneLine = (maxLength: number) => `1 to ${maxLength} characters in one line`;
const url = 'a URL that begins with https:// or http://';

/** Describes the value of an option in the help and in errors. */
const fields: Readonly<Record<Field, { value: string; description: string; mustBe: string }>> = {
  name: { value: 'name', description: 'unique name', mustBe: oneLine(200) },
  timeZone: {
    value: 'zone',
    description: 'time zone of the municipality; imports read times without an offset in it',
    mustBe: 'an IANA time zone such as Europe/Berlin',
  },
  licenseName: {
    value: 'license',
    description: 'licence of the data: an SPDX identifier such as CC-BY-4.0, or a name',
    mustBe: oneLine(200),
  },
  licenseUrl: { value: 'url', description: 'text of the licence', mustBe: url },
  contactName: {
    value: 'name',
    description: 'person or office for questions about the data',
    mustBe: oneLine(200),
  },
  contactEmail: {
    value: 'email',
    description: 'email address for questions about the data',
    mustBe: 'an email address',
  },
  contactUrl: { value: 'url', description: 'page with further contacts', mustBe: url },
  attribution: {
    value: 'text',
    description: 'text with which others name the source of the data',
    mustBe: oneLine(1_000),
  },
};

const fieldNames = Object.keys(fields) as Field[];

/** `licenseName` → `license-name` */
const toOptionName = (field: Field) => field.replace(/[A-Z]/g, '-$&').toLowerCase();

const required: readonly Field[] = ['name', 'timeZone'];
const removable = new Map(
  fieldNames.filter((field) => !required.includes(field)).map((field) => [toOptionName(field), field]),
);

type Flags = DatabaseFlags & Partial<Record<Field, string>> & { clear?: Field[]; json?: true };

export function addEditOrganizationCommand(organization: Command, context: CommandContext): void {
  const command = organization
    .command('edit')
    .summary('change name, time zone, licence, contact or attribution')
    .description(
      'Changes the facts about a municipality that the API publishes at /organization, and prints all of them. Values that no option names stay as they are.',
    )
    .argument('<name|id>', 'the municipality');
  for (const field of fieldNames) command.addOption(createFieldOption(field));
  command
    .option(
      '--clear <options>',
      `remove values, separated by commas: ${[...removable.keys()].join(', ')}`,
      createClearParser(removable),
    )
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((nameOrId: string, flags: Flags) => {
      const changes = readChanges(flags);
      return withStore(context, flags, async (store) => {
        const organization = await requireOrganization(store, nameOrId);
        const edited = await store.editOrganization(organization.id, changes);
        if (flags.json) return printJson(edited);
        const [before, after] = [getFieldValues(organization), getFieldValues(edited)];
        const changed = (Object.keys(changes) as Field[]).filter((field) => before[field] !== after[field]);
        printError(
          changed.length === 0
            ? `${organization.name} has these values already.`
            : `Changed ${changed.map(toOptionName).join(', ')} of ${organization.name}.`,
        );
        return printTable(
          ['FIELD', 'VALUE'],
          fieldNames.map((field) => [toOptionName(field), after[field] ?? '–']),
        );
      });
    });
}

function createFieldOption(field: Field): Option {
  const { value, description, mustBe } = fields[field];
  return new Option(`--${toOptionName(field)} <${value}>`, description).argParser((text: string) => {
    const parsed = organizationFieldParsers[field](text.trim());
    if (parsed !== undefined) return parsed;
    const hint =
      text === '' && removable.has(toOptionName(field)) ? ` --clear ${toOptionName(field)} removes it.` : '';
    throw new InvalidArgumentError(`It must be ${mustBe}.${hint}`);
  });
}

/** @throws CommandError without a change, and if a value is both set and removed */
function readChanges({ clear = [], ...flags }: Flags): OrganizationChanges {
  const changes: Partial<Record<Field, string | null>> = {};
  for (const field of fieldNames) if (flags[field] !== undefined) changes[field] = flags[field];
  for (const field of clear) {
    if (changes[field] !== undefined && changes[field] !== null)
      throw new CommandError(
        `--${toOptionName(field)} and --clear ${toOptionName(field)} contradict each other. Use one of them.`,
        exitCodes.usage,
      );
    changes[field] = null;
  }
  if (Object.keys(changes).length === 0)
    throw new CommandError('Name at least one change, such as --license-name CC-BY-4.0.', exitCodes.usage);
  return changes as OrganizationChanges;
}
