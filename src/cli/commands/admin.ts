import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { type Config, toEnvironmentName } from '../../config/settings.ts';
import type { Administrator } from '../../domain/admin-area-store.ts';
import { createInvitation, getInvitationPath } from '../../domain/invitation.ts';
import { isEmail } from '../../domain/name-validation.ts';
import type { Store } from '../../domain/store.ts';
import { type CommandContext, type DatabaseFlags, databaseSettings, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { findOptionalOrganization } from '../find-organization.ts';
import { formatJson, formatTime, printError, printJson, printSecret, printTable } from '../output.ts';
import { createJsonOption, createOrganizationFilterOption, createSettingOption } from '../shared-options.ts';

/** The settings that determine the URL of a one-time link. */
const linkSettings = [...databaseSettings, 'publicUrl', 'host', 'port', 'adminPort'] as const;

interface AddFlags extends DatabaseFlags {
  publicUrl?: string;
  organization?: string;
  json?: true;
}

export function addAdminCommands(program: Command, context: CommandContext): void {
  const admin = program.command('admin').description('Manages accounts of the admin area');

  admin
    .command('add')
    .summary('add an administrator')
    .description(
      'Adds an administrator of one municipality, or an operator of all municipalities. Prints a one-time link to set the password on standard output, and nothing else.',
    )
    .argument('<email>', 'email address to sign in with', parseEmail)
    .option(
      '--organization <name|id>',
      'the municipality, by name or id; if omitted, the account is an operator of all',
    )
    .addOption(createSettingOption('database'))
    .addOption(createSettingOption('publicUrl'))
    .addOption(createJsonOption())
    .action((address: string, flags: AddFlags) =>
      withStore(
        context,
        flags,
        async (store, config) => {
          const organization = await findOptionalOrganization(store, flags.organization);
          const { secret, invitation } = createSecretInvitation();
          const added = await store.addAdministrator(address, organization?.id, invitation);
          await printInvitation(added, createInvitationUrl(config, secret), flags.json);
        },
        { used: linkSettings },
      ),
    );

  admin
    .command('invite')
    .summary('create a new one-time link')
    .description(
      'Creates a new one-time link to set the password, for people who lost the link, the password or the second factor. Using the link removes the second factor. Until then nothing changes.',
    )
    .argument('<email>', 'email address of the administrator', parseEmail)
    .addOption(createSettingOption('database'))
    .addOption(createSettingOption('publicUrl'))
    .addOption(createJsonOption())
    .action((address: string, flags: AddFlags) =>
      withStore(
        context,
        flags,
        async (store, config) => {
          const found = await requireAdministrator(store, address);
          const { secret, invitation } = createSecretInvitation();
          await store.replaceInvitation(found.id, invitation);
          await printInvitation(found, createInvitationUrl(config, secret), flags.json);
        },
        { used: linkSettings },
      ),
    );

  admin
    .command('list')
    .summary('list administrators')
    .description('Lists the accounts of the admin area by email address.')
    .addOption(createOrganizationFilterOption())
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((flags: AddFlags) =>
      withStore(context, flags, async (store) => {
        const organization = await findOptionalOrganization(store, flags.organization);
        const administrators = await store.listAdministrators(organization?.id);
        if (flags.json) return printJson(administrators);
        return printTable(
          ['EMAIL', 'ROLE', 'PASSWORD', 'SECOND FACTOR', 'ADDED'],
          administrators.map((one) => [
            one.email,
            one.organizationName ?? 'operator',
            one.hasPassword ? 'set' : 'not set',
            one.hasSecondFactor ? 'yes' : 'no',
            formatTime(one.createdAt),
          ]),
        );
      }),
    );

  admin
    .command('remove')
    .summary('remove an administrator')
    .description(
      'Removes an administrator and ends all sessions of the account. Keys that the account issued stay valid.',
    )
    .argument('<email>', 'email address of the administrator', parseEmail)
    .addOption(createSettingOption('database'))
    .action((address: string, flags: DatabaseFlags) =>
      withStore(context, flags, async (store) => {
        const found = await requireAdministrator(store, address);
        await store.removeAdministrator(found.id);
        printError(`Removed ${found.email}, ${describeRole(found)}.`);
      }),
    );
}

/** The secret of a one-time link, and the hash to store. */
export function createSecretInvitation() {
  const secret = randomBytes(32).toString('base64url');
  return { secret, invitation: createInvitation(secret) };
}

/** Without `publicUrl`, the link leads to the server on this machine. */
function createInvitationUrl({ publicUrl, host, port, adminPort }: Config, secret: string): string {
  const isAnyAddress = ['0.0.0.0', '::'].includes(host);
  const name = isAnyAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return (publicUrl ?? `http://${name}:${adminPort ?? port}`) + getInvitationPath(secret);
}

const describeRole = ({ organizationName }: Administrator) =>
  organizationName === null ? 'an operator' : `an administrator of ${organizationName}`;

async function printInvitation(
  administrator: Administrator,
  link: string,
  json: true | undefined,
): Promise<void> {
  const remedy = `The link is lost. Create another one with "rostra admin invite ${administrator.email}".`;
  if (json) {
    await printSecret(formatJson({ ...administrator, link }), remedy);
    return;
  }
  printError(
    `${administrator.email} is ${describeRole(administrator)}. The link below sets the password. It works once, within seven days. To change its host, set ${toEnvironmentName('publicUrl')}.`,
  );
  await printSecret(link, remedy);
}

async function requireAdministrator(store: Store, address: string): Promise<Administrator> {
  const found = await store.findAdministrator(address);
  if (found) return found;
  throw new CommandError(`Unknown administrator "${address}". "rostra admin list" lists all.`);
}

function parseEmail(text: string): string {
  const address = text.trim().toLowerCase();
  if (isEmail(address)) return address;
  throw new InvalidArgumentError('It must be an email address such as name@stadt.example.');
}
