/** Accounts of a provisioning file, and their roles. */
import { randomUUID } from 'node:crypto';
import {
  type Account,
  findPermissions,
  formatPermissions,
  type Permission,
  permissionsByRole,
  toPermissions,
} from '../../../domain/accounts/account.ts';
import { suggestName } from '../../../platform/did-you-mean.ts';
import type { AccountEntry } from './file-schema.ts';
import type { PlannedOrganization, Planner } from './plan-organizations.ts';

interface PlannedRole {
  organization: PlannedOrganization;
  permissions: readonly Permission[];
}

export function planAccounts(
  planner: Planner,
  entries: readonly AccountEntry[],
  stored: readonly Account[],
): void {
  const { problems } = planner;
  const byEmail = new Map(stored.map((account) => [account.email, account]));
  const seen = new Set<string>();
  for (const entry of entries) {
    const { email, operator } = entry.values;
    const roles = resolveRoles(planner, entry);
    if (email === undefined) continue;
    const at = entry.offsets.email ?? entry.offset;
    const account = byEmail.get(email);
    const remedy = `Remove the account first: rostra admin remove ${email}`;
    if (seen.has(email)) problems.add(at, `The account ${email} occurs twice.`);
    else if (operator && roles.length > 0) problems.add(at, `${email} is an operator, who needs no roles.`);
    else if (account === undefined && !operator && !entry.values.roles?.length)
      problems.add(at, `${email} needs roles, or "operator: true".`);
    else if (account === undefined) addAccount(planner, email, operator === true, roles);
    else if (account.isOperator && (operator === false || roles.length > 0))
      problems.add(at, `${email} is an operator. ${remedy}`);
    else if (!account.isOperator && operator)
      problems.add(at, `${email} has roles in municipalities. ${remedy}`);
    else changeRoles(planner, account, roles);
    seen.add(email);
  }
}

function resolveRoles({ problems, byName, byId }: Planner, { values }: AccountEntry): PlannedRole[] {
  const seen = new Set<PlannedOrganization>();
  return (values.roles ?? []).flatMap((entry) => {
    const { organization: nameOrId, role, permissions } = entry.values;
    if ((entry.offsets.role === undefined) === (entry.offsets.permissions === undefined)) {
      problems.add(entry.offset, 'Each role needs either "role" or "permissions".');
      return [];
    }
    // The reader of the file has reported invalid values.
    if (nameOrId === undefined || (role ?? permissions) === undefined) return [];
    const at = entry.offsets.organization ?? entry.offset;
    const organization = byName.get(nameOrId) ?? byId.get(nameOrId.toLowerCase());
    if (organization === undefined) {
      problems.add(at, `Unknown municipality "${nameOrId}".${suggestName(nameOrId, [...byName.keys()])}`);
      return [];
    }
    if (seen.has(organization)) problems.add(at, `The municipality ${organization.name} occurs twice.`);
    seen.add(organization);
    return [{ organization, permissions: role ? permissionsByRole[role] : toPermissions(permissions ?? []) }];
  });
}

function addAccount(
  { plan }: Planner,
  email: string,
  isOperator: boolean,
  roles: readonly PlannedRole[],
): void {
  const id = randomUUID();
  plan.additions.accounts.push({ id, email, isOperator });
  if (isOperator) plan.changes.push({ action: 'add', kind: 'account', name: `${email} (operator)` });
  for (const { organization, permissions } of roles) {
    plan.additions.roles.push({ accountId: id, email, organizationId: organization.id, permissions });
    const name = `${email} (${formatPermissions(permissions)})`;
    plan.changes.push({ action: 'add', kind: 'account', name, organization: organization.name });
  }
}

function changeRoles({ plan }: Planner, account: Account, roles: readonly PlannedRole[]): void {
  const different = roles
    .map(({ organization, permissions }) => ({
      organization,
      permissions,
      before: findPermissions(account, organization.id),
    }))
    .filter(({ before, permissions }) => formatPermissions(before) !== formatPermissions(permissions));
  if (different.length === 0) plan.unchanged += 1;
  for (const { organization, permissions, before } of different) {
    const after = formatPermissions(permissions);
    const name = `${account.email} (${after})`;
    const shown = { kind: 'account', name, organization: organization.name } as const;
    if (before.length === 0) {
      plan.edits.push((store) => store.addRole(account.id, organization.id, permissions));
      plan.changes.push({ action: 'add', ...shown });
    } else {
      plan.edits.push((store) => store.changeRole(account.id, organization.id, permissions));
      plan.changes.push({
        action: 'change',
        ...shown,
        fields: [{ field: 'role', before: formatPermissions(before), after }],
      });
    }
  }
}
