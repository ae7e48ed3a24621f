/** Who may open a page. */
import {
  type Account,
  askingPermissions,
  findPermissions,
  type Permission,
  permissions,
} from '../../domain/accounts/account.ts';

/** Levels of pages in which several tasks meet: one of these permissions is enough. */
const sharedLevels = {
  /** A dry run: one person prepares it, another one may publish it. */
  importOrPublish: ['import', 'publish'],
  /** The settings of a municipality. */
  publishOrAccounts: ['publish', 'accounts'],
  /** Requests to publish: one person asks, another one approves. */
  approvals: askingPermissions,
} as const satisfies Record<string, readonly Permission[]>;

/**
 * Levels of the pages of the municipality in the path. Accounts that lack the permission there receive 403, accounts without a role
 * there 404.
 */
export type TenantAccess = Permission | keyof typeof sharedLevels;

/** Access levels of routes. */
export type Access =
  | 'public'
  /** The user has entered the password, but not yet the code. */
  | 'pendingSecondFactor'
  /** Any account. */
  | 'signedIn'
  /** Accounts with a role in several municipalities, and operators. Others receive 404. */
  | 'severalOrganizations'
  /** Other accounts receive 404. */
  | 'operator'
  | TenantAccess;

export const isTenantAccess = (access: Access): access is TenantAccess =>
  access in sharedLevels || permissions.some((each) => each === access);

/** One of them is enough. */
export const listPermissions = (access: TenantAccess): readonly Permission[] =>
  access in sharedLevels ? sharedLevels[access as keyof typeof sharedLevels] : [access as Permission];

/**
 * Whether an account that has signed in completely may open pages of a level.
 *
 * @param organizationId of the municipality in the path
 */
export function hasAccess(account: Account, access: Access, organizationId: string | undefined): boolean {
  if (access === 'operator') return account.isOperator;
  if (access === 'severalOrganizations') return account.isOperator || account.roles.length > 1;
  if (!isTenantAccess(access)) return true;
  const held = findPermissions(account, organizationId);
  return listPermissions(access).some((each) => held.includes(each));
}
