/** Manages accounts of the admin area. */
import { randomBytes } from 'node:crypto';
import {
  type Account,
  type AssignedRole,
  findPermissions,
  findRole,
  formatPermissions,
  grantedPermissions,
  type NewAccount,
  type OrganizationRole,
  organizationRoles,
  type Permission,
  permissionsByRole,
  toPermissions,
} from '../../../domain/accounts/account.ts';
import { createInvitation, getInvitationPath } from '../../../domain/accounts/one-time-link.ts';
import type { Store } from '../../../domain/store.ts';
import { type Config, toEnvironmentName } from '../../config/settings.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { CommandError } from '../command-error.ts';
import {
  argument,
  defineGroup,
  defineStoreCommand,
  ifMissing,
  json,
  oneOf,
  option,
  organizationFilter,
} from '../define-command.ts';
import { findOptionalOrganization } from '../find-organization.ts';
import { createListParser } from '../options/edit-options.ts';
import { parseAddress } from '../options/option-parsers.ts';
import { formatJson, formatTime, printError, printJson, printSecret, printTable } from '../output.ts';

const permissionsOption = option(
  'list',
  `tasks beside viewing pages, in place of a role: ${grantedPermissions.join(', ')}, separated by commas`,
  createListParser(new Map(grantedPermissions.map((each) => [each, each]))),
);

/** @returns undefined without both. @throws CommandError for both */
function readGrant(
  role: OrganizationRole | undefined,
  tasks: readonly string[] | undefined,
): readonly Permission[] | undefined {
  if (role !== undefined && tasks !== undefined)
    throw new CommandError('Use either a role or --permissions, not both.', exitCodes.usage);
  return role === undefined ? tasks && toPermissions(tasks) : permissionsByRole[role];
}

export const addAdminCommands = defineGroup('admin', 'manage accounts of the admin area', [
  defineStoreCommand({
    name: 'add',
    summary: 'add an account, or a role to an account',
    description:
      'Adds an account with a role in one municipality, or the account of an operator of all municipalities. Prints a one-time link to set the password on standard output, and nothing else. If the account exists, adds the role in the municipality.',
    arguments: { address: argument('<email>', 'email address to sign in with', parseAddress) },
    options: {
      organization: option(
        'name|id',
        'the municipality, by name or id; if omitted, the account is an operator of all',
      ),
      role: oneOf(
        organizationRoles,
        option(
          'role',
          'readers can view the pages of the municipality, administrators have all tasks (default: administrator)',
        ),
      ),
      permissions: permissionsOption,
      ifMissing: ifMissing('the account has a role in the municipality, or is an operator'),
      json,
    },
    readers: ['invite'],
    run: async ({ address, ...flags }, store, config) => {
      const organization = await findOptionalOrganization(store, flags.organization);
      for (const name of ['role', 'permissions'] as const)
        if (organization === undefined && flags[name] !== undefined)
          throw new CommandError(
            `--${name} needs --organization. Without a municipality, the account is an operator.`,
          );
      const granted = readGrant(flags.role, flags.permissions) ?? permissionsByRole.administrator;
      const existing = await store.findAccount(address);
      if (existing !== undefined && existing.isOperator === (organization === undefined)) {
        const isHeld = findPermissions(existing, organization?.id).length > 0;
        if (isHeld && flags.ifMissing) return printUnchanged(existing, flags.json);
        if (!isHeld && organization !== undefined)
          return addRole(store, config, existing, organization.id, granted, flags.json);
      }
      const account: NewAccount =
        organization === undefined
          ? { email: address, organizationId: null }
          : { email: address, organizationId: organization.id, permissions: granted };
      const { secret, invitation } = createSecretInvitation();
      const added = await store.addAccount(account, invitation);
      await printInvitation(config, added, secret, flags.json);
    },
  }),

  defineStoreCommand({
    name: 'invite',
    summary: 'create a new one-time link',
    description:
      'Creates a new one-time link to set the password, for people who lost the link, the password or the second factor. Using the link removes the second factor. Until then nothing changes.',
    arguments: { address: argument('<email>', 'email address of the account', parseAddress) },
    options: { json },
    readers: ['invite'],
    run: async ({ address, ...flags }, store, config) =>
      inviteAgain(store, config, await requireAccount(store, address), flags.json),
  }),

  defineStoreCommand({
    name: 'list',
    summary: 'list accounts',
    description: 'Lists the accounts of the admin area by email address, with a line for each role.',
    options: { organization: organizationFilter, json },
    run: async (flags, store) => {
      const organization = await findOptionalOrganization(store, flags.organization);
      const accounts = await store.listAccounts(organization?.id);
      if (flags.json) return printJson(accounts);
      return printTable(
        ['EMAIL', 'ROLE', 'MUNICIPALITY', 'PASSWORD', 'SECOND FACTOR', 'ADDED'],
        accounts.flatMap((one) =>
          listRoles(one, organization?.id).map(({ shown, organizationName }) => [
            one.email,
            shown,
            organizationName,
            one.hasPassword ? 'set' : 'not set',
            one.hasSecondFactor ? 'yes' : 'no',
            formatTime(one.createdAt),
          ]),
        ),
      );
    },
  }),

  defineStoreCommand({
    name: 'role',
    summary: 'change the role of an account',
    description:
      'Changes the role of an account in a municipality, or its tasks. They apply with the next page that the person opens.',
    arguments: {
      address: argument('<email>', 'email address of the account', parseAddress),
      role: oneOf(
        organizationRoles,
        argument('[role]', 'readers can view the pages of the municipality, administrators have all tasks'),
      ),
    },
    options: {
      permissions: permissionsOption,
      organization: option(
        'name|id',
        'the municipality, by name or id; required if the account has roles in several municipalities',
      ),
    },
    run: async ({ address, role, ...flags }, store) => {
      const granted = readGrant(role, flags.permissions);
      if (granted === undefined)
        throw new CommandError('Name the role, or the tasks with --permissions.', exitCodes.usage);
      const found = await requireAccount(store, address);
      if (found.isOperator)
        throw new CommandError(
          `${found.email} is an operator. Only the role in a municipality can be changed: remove this account, and add it with --organization.`,
        );
      const assigned = await requireRole(store, found, flags.organization);
      const isSame = formatPermissions(assigned.permissions) === formatPermissions(granted);
      if (!isSame) await store.changeRole(found.id, assigned.organizationId, granted);
      printError(
        `${found.email} is ${isSame ? 'already' : 'now'} ${describeRole({ ...assigned, permissions: granted })}.`,
      );
    },
  }),

  defineStoreCommand({
    name: 'remove',
    summary: 'remove an account, or its role in a municipality',
    description:
      'Removes an account with all its roles, and ends all its sessions. Keys that it issued stay valid.',
    arguments: { address: argument('<email>', 'email address of the account', parseAddress) },
    options: {
      organization: option(
        'name|id',
        'the municipality, by name or id; removes only the role there; the last role is removed with the account',
      ),
    },
    run: async ({ address, ...flags }, store) => {
      const found = await requireAccount(store, address);
      if (flags.organization === undefined || found.isOperator) {
        await store.removeAccount(found.id);
        return printError(`Removed ${found.email}, ${describeAccount(found)}.`);
      }
      const assigned = await requireRole(store, found, flags.organization);
      await store.removeRole(found.id, assigned.organizationId);
      const rest = found.roles.filter((one) => one !== assigned);
      return printError(
        rest.length === 0
          ? `Removed ${found.email}, ${describeRole(assigned)}.`
          : `${found.email} is no longer ${describeRole(assigned)}, but still ${rest.map(describeRole).join(' and ')}.`,
      );
    },
  }),
]);

/** The secret of a one-time link, and the hash to store. */
export function createSecretInvitation() {
  const secret = randomBytes(32).toString('base64url');
  return { secret, invitation: createInvitation(secret) };
}

/** Without `publicUrl`, the link leads to the server on this machine. */
const createInvitationUrl = (config: Config, secret: string): string =>
  (config.publicUrl ?? getLocalUrl(config, config.adminPort ?? config.port)) + getInvitationPath(secret);

/** URL of the server on this machine. */
export function getLocalUrl({ host }: Config, port: number): string {
  const isAnyAddress = ['0.0.0.0', '::'].includes(host);
  return `http://${isAnyAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

function describeRole({
  permissions,
  organizationName,
}: Pick<AssignedRole, 'permissions' | 'organizationName'>): string {
  const role = findRole(permissions);
  if (role === undefined) return `in ${organizationName} with the tasks ${formatPermissions(permissions)}`;
  return `${role === 'reader' ? 'a reader' : 'an administrator'} of ${organizationName}`;
}

const describeAccount = ({ isOperator, roles }: Account) =>
  isOperator ? 'an operator' : roles.map(describeRole).join(' and ');

/** The lines of an account in the table. @param organizationId undefined: of all municipalities */
const listRoles = ({ isOperator, roles }: Account, organizationId: string | undefined) =>
  isOperator
    ? [{ shown: 'operator', organizationName: '–' }]
    : roles
        .filter((one) => organizationId === undefined || one.organizationId === organizationId)
        .map(({ organizationName, permissions }) => ({
          shown: formatPermissions(permissions),
          organizationName,
        }));

/** @throws CommandError if the account has no role there, or several roles without `nameOrId` */
async function requireRole(
  store: Store,
  { email, roles }: Account,
  nameOrId: string | undefined,
): Promise<AssignedRole> {
  const organization = await findOptionalOrganization(store, nameOrId);
  const [found, another] = roles.filter(
    ({ organizationId }) => organization === undefined || organizationId === organization.id,
  );
  if (found === undefined) throw new CommandError(`${email} has no role in ${organization?.name}.`);
  if (another === undefined) return found;
  const names = roles.map(({ organizationName }) => organizationName).join(', ');
  throw new CommandError(
    `${email} has roles in ${names}. Name the municipality with --organization.`,
    exitCodes.usage,
  );
}

/** A person who never set a password needs a new link, because the role invalidates the one before. */
async function addRole(
  store: Store,
  config: Config,
  existing: Account,
  organizationId: string,
  granted: readonly Permission[],
  json: true | undefined,
): Promise<void> {
  const added = await store.addRole(existing.id, organizationId, granted);
  if (!added.hasPassword) return inviteAgain(store, config, added, json);
  if (json) return printJson(added);
  printError(`${added.email} is ${describeAccount(added)}. The password stays the same.`);
}

export async function inviteAgain(
  store: Store,
  config: Config,
  account: Account,
  json: true | undefined,
): Promise<void> {
  const { secret, invitation } = createSecretInvitation();
  await store.replaceInvitation(account.id, invitation);
  if (!json) printError(`Earlier links for ${account.email} no longer work.`);
  await printInvitation(config, account, secret, json);
}

export function printUnchanged(account: Account, json: true | undefined): void {
  if (json) printJson(account);
  else printError(`${account.email} is already ${describeAccount(account)}. Nothing changed.`);
}

export async function printInvitation(
  config: Config,
  account: Account,
  secret: string,
  json: true | undefined,
): Promise<void> {
  const link = createInvitationUrl(config, secret);
  const remedy = `The link is lost. Create another one with "rostra admin invite ${account.email}".`;
  if (json) {
    await printSecret(formatJson({ ...account, link }), remedy);
    return;
  }
  const hostRemedy =
    config.publicUrl === undefined ? ` To change its host, set ${toEnvironmentName('publicUrl')}.` : '';
  printError(
    `${account.email} is ${describeAccount(account)}. The link below sets the password. It works once, within seven days.${hostRemedy}`,
  );
  await printSecret(link, remedy);
}

async function requireAccount(store: Store, address: string): Promise<Account> {
  const found = await store.findAccount(address);
  if (found) return found;
  throw new CommandError(`Unknown account "${address}". "rostra admin list" lists all.`);
}
