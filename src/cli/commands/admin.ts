import { randomBytes } from 'node:crypto';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, toEnvironmentName } from '../../config/settings.ts';
import type { Account, AccountRole, NewAccount } from '../../domain/admin-area-store.ts';
import { createInvitation, getInvitationPath } from '../../domain/invitation.ts';
import { parseAccountEmail } from '../../domain/name-validation.ts';
import type { Store } from '../../domain/store.ts';
import { type CommandContext, type DatabaseFlags, databaseSettings, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { findOptionalOrganization } from '../find-organization.ts';
import { formatJson, formatTime, printError, printJson, printSecret, printTable } from '../output.ts';
import { createJsonOption, createOrganizationFilterOption, createSettingOption } from '../shared-options.ts';

/** The settings that determine the URL of a one-time link. */
const linkSettings = [...databaseSettings, 'publicUrl', 'host', 'port', 'adminPort'] as const;

type OrganizationRole = Exclude<AccountRole, 'operator'>;

const organizationRoles: readonly OrganizationRole[] = ['reader', 'administrator'];

interface AddFlags extends DatabaseFlags {
  publicUrl?: string;
  role?: OrganizationRole;
  organization?: string;
  json?: true;
}

export function addAdminCommands(program: Command, context: CommandContext): void {
  const admin = program.command('admin').description('Manages accounts of the admin area');

  admin
    .command('add')
    .summary('add an account')
    .description(
      'Adds an account of one municipality, or of an operator of all municipalities. Prints a one-time link to set the password on standard output, and nothing else.',
    )
    .argument('<email>', 'email address to sign in with', parseEmailArgument)
    .option(
      '--organization <name|id>',
      'the municipality, by name or id; if omitted, the account is an operator of all',
    )
    .addOption(
      new Option(
        '--role <role>',
        'readers can view the pages of the municipality, administrators can also change it (default: administrator)',
      ).choices(organizationRoles),
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
          if (organization === undefined && flags.role !== undefined)
            throw new CommandError(
              '--role needs --organization. Without a municipality, the account is an operator.',
            );
          const account: NewAccount =
            organization === undefined
              ? { email: address, role: 'operator', organizationId: null }
              : { email: address, role: flags.role ?? 'administrator', organizationId: organization.id };
          const { secret, invitation } = createSecretInvitation();
          const added = await store.addAccount(account, invitation);
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
    .argument('<email>', 'email address of the account', parseEmailArgument)
    .addOption(createSettingOption('database'))
    .addOption(createSettingOption('publicUrl'))
    .addOption(createJsonOption())
    .action((address: string, flags: AddFlags) =>
      withStore(
        context,
        flags,
        async (store, config) => {
          const found = await requireAccount(store, address);
          const { secret, invitation } = createSecretInvitation();
          await store.replaceInvitation(found.id, invitation);
          await printInvitation(found, createInvitationUrl(config, secret), flags.json);
        },
        { used: linkSettings },
      ),
    );

  admin
    .command('list')
    .summary('list accounts')
    .description('Lists the accounts of the admin area by email address.')
    .addOption(createOrganizationFilterOption())
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((flags: AddFlags) =>
      withStore(context, flags, async (store) => {
        const organization = await findOptionalOrganization(store, flags.organization);
        const accounts = await store.listAccounts(organization?.id);
        if (flags.json) return printJson(accounts);
        return printTable(
          ['EMAIL', 'ROLE', 'MUNICIPALITY', 'PASSWORD', 'SECOND FACTOR', 'ADDED'],
          accounts.map((one) => [
            one.email,
            one.role,
            one.organizationName ?? '–',
            one.hasPassword ? 'set' : 'not set',
            one.hasSecondFactor ? 'yes' : 'no',
            formatTime(one.createdAt),
          ]),
        );
      }),
    );

  admin
    .command('role')
    .summary('change the role of an account')
    .description(
      'Changes the role of an account of a municipality. The new role applies with the next page that the person opens.',
    )
    .argument('<email>', 'email address of the account', parseEmailArgument)
    .addArgument(
      new Argument(
        '<role>',
        'readers can view the pages of the municipality, administrators can also change it',
      ).choices(organizationRoles),
    )
    .addOption(createSettingOption('database'))
    .action((address: string, role: OrganizationRole, flags: DatabaseFlags) =>
      withStore(context, flags, async (store) => {
        const found = await requireAccount(store, address);
        if (found.role === 'operator')
          throw new CommandError(
            `${found.email} is an operator. Only the role of a municipality's account can be changed: remove this account, and add it with --organization.`,
          );
        const isSame = found.role === role;
        if (!isSame) await store.changeRole(found.id, role);
        printError(`${found.email} is ${isSame ? 'already' : 'now'} ${describeRole({ ...found, role })}.`);
      }),
    );

  admin
    .command('remove')
    .summary('remove an account')
    .description('Removes an account and ends all its sessions. Keys that it issued stay valid.')
    .argument('<email>', 'email address of the account', parseEmailArgument)
    .addOption(createSettingOption('database'))
    .action((address: string, flags: DatabaseFlags) =>
      withStore(context, flags, async (store) => {
        const found = await requireAccount(store, address);
        await store.removeAccount(found.id);
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

const describeRole = ({ role, organizationName }: Account) =>
  role === 'operator'
    ? 'an operator'
    : `${role === 'reader' ? 'a reader' : 'an administrator'} of ${organizationName}`;

async function printInvitation(account: Account, link: string, json: true | undefined): Promise<void> {
  const remedy = `The link is lost. Create another one with "rostra admin invite ${account.email}".`;
  if (json) {
    await printSecret(formatJson({ ...account, link }), remedy);
    return;
  }
  printError(
    `${account.email} is ${describeRole(account)}. The link below sets the password. It works once, within seven days. To change its host, set ${toEnvironmentName('publicUrl')}.`,
  );
  await printSecret(link, remedy);
}

async function requireAccount(store: Store, address: string): Promise<Account> {
  const found = await store.findAccount(address);
  if (found) return found;
  throw new CommandError(`Unknown account "${address}". "rostra admin list" lists all.`);
}

function parseEmailArgument(text: string): string {
  const address = parseAccountEmail(text);
  if (address !== undefined) return address;
  throw new InvalidArgumentError('It must be an email address such as name@stadt.example.');
}
