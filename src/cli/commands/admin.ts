import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { type Config, environmentName } from '../../config/settings.ts';
import type { Administrator } from '../../domain/administration.ts';
import { createInvitation, getInvitationPath } from '../../domain/invitation.ts';
import type { Store } from '../../domain/store.ts';
import { isEmail } from '../../domain/validation.ts';
import { type CommandContext, type DatabaseFlags, databaseSettings, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { findOptionalOrganization } from '../find-organization.ts';
import { jsonOption, organizationFilterOption, settingOption } from '../options.ts';
import { indentedJson, printError, printJson, printSecret, printTable, shortTime } from '../output.ts';

/** The settings that determine the URL of a one-time link. */
const linkSettings = [...databaseSettings, 'publicUrl', 'host', 'port', 'adminPort'] as const;

interface AddFlags extends DatabaseFlags {
  publicUrl?: string;
  organization?: string;
  json?: true;
}

export function addAdminCommands(program: Command, context: CommandContext): void {
  const admin = program.command('admin').description('Accounts of the admin area');

  admin
    .command('add')
    .summary('add an administrator')
    .description(
      'Adds an administrator of one municipality, or an operator of all municipalities. Prints a one-time link to set the password on standard output, and nothing else.',
    )
    .argument('<email>', 'email address to sign in with', email)
    .option(
      '--organization <name|id>',
      'the municipality, by name or id; if omitted, the account is an operator of all',
    )
    .addOption(settingOption('database'))
    .addOption(settingOption('publicUrl'))
    .addOption(jsonOption())
    .action((address: string, flags: AddFlags) => {
      return withStore(
        context,
        flags,
        async (store, config) => {
          const organization = await findOptionalOrganization(store, flags.organization);
          const { secret, invitation } = newInvitation();
          const added = await store.addAdministrator(address, organization?.id, invitation);
          await present(added, linkTo(config, secret), flags.json);
        },
        { create: false },
        linkSettings,
      );
    });

  admin
    .command('invite')
    .summary('create a new one-time link')
    .description(
      'Creates a new one-time link to set the password, for people who lost the link, the password or the second factor. Using the link removes the second factor. Until then nothing changes.',
    )
    .argument('<email>', 'email address of the administrator', email)
    .addOption(settingOption('database'))
    .addOption(settingOption('publicUrl'))
    .addOption(jsonOption())
    .action((address: string, flags: AddFlags) =>
      withStore(
        context,
        flags,
        async (store, config) => {
          const found = await administratorNamed(store, address);
          const { secret, invitation } = newInvitation();
          await store.replaceInvitation(found.id, invitation);
          await present(found, linkTo(config, secret), flags.json);
        },
        { create: false },
        linkSettings,
      ),
    );

  admin
    .command('list')
    .summary('list administrators')
    .description('Lists the accounts of the admin area by email address.')
    .addOption(organizationFilterOption())
    .addOption(settingOption('database'))
    .addOption(jsonOption())
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
            shortTime(one.createdAt),
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
    .argument('<email>', 'email address of the administrator', email)
    .addOption(settingOption('database'))
    .action((address: string, flags: DatabaseFlags) =>
      withStore(context, flags, async (store) => {
        const found = await administratorNamed(store, address);
        await store.removeAdministrator(found.id);
        printError(`Removed ${found.email}, ${roleOf(found)}.`);
      }),
    );
}

/** The secret of a one-time link, and the hash to store. */
export function newInvitation() {
  const secret = randomBytes(32).toString('base64url');
  return { secret, invitation: createInvitation(secret) };
}

/** Without `publicUrl`, the link leads to the server on this machine. */
function linkTo({ publicUrl, host, port, adminPort }: Config, secret: string): string {
  const everywhere = ['0.0.0.0', '::'].includes(host);
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return (publicUrl ?? `http://${name}:${adminPort ?? port}`) + getInvitationPath(secret);
}

const roleOf = ({ organizationName }: Administrator) =>
  organizationName === null ? 'an operator' : `an administrator of ${organizationName}`;

async function present(administrator: Administrator, link: string, json: true | undefined): Promise<void> {
  const remedy = `The link is lost. Create another one with "rostra admin invite ${administrator.email}".`;
  if (json) {
    await printSecret(indentedJson({ ...administrator, link }), remedy);
    return;
  }
  printError(
    `${administrator.email} is ${roleOf(administrator)}. The link below sets the password. It works once, within seven days. To change its host, set ${environmentName('publicUrl')}.`,
  );
  await printSecret(link, remedy);
}

async function administratorNamed(store: Store, address: string): Promise<Administrator> {
  const found = await store.findAdministrator(address);
  if (found) return found;
  throw new CommandError(`Unknown administrator "${address}". "rostra admin list" lists all.`);
}

function email(text: string): string {
  const address = text.trim().toLowerCase();
  if (isEmail(address)) return address;
  throw new InvalidArgumentError('It must be an email address such as name@stadt.example.');
}
