/** Who may open a page. */
import { type Account, findRole } from '../../domain/accounts/account.ts';

/** Access levels of routes. */
export type Access =
  | 'public'
  /** The user has entered the password, but not yet the code. */
  | 'pendingSecondFactor'
  /** Any account. */
  | 'signedIn'
  /** Accounts with a role in several municipalities, and operators. Others receive 404. */
  | 'severalOrganizations'
  /** Accounts with a role in the municipality in the path, and operators. Others receive 404. */
  | 'reader'
  /** Administrators of the municipality in the path, and operators. Its readers receive 403, others 404. */
  | 'administrator'
  /** Other accounts receive 404. */
  | 'operator';

/**
 * Whether an account that has signed in completely may open pages of a level.
 *
 * @param organizationId of the municipality in the path
 */
export function hasAccess(account: Account, access: Access, organizationId: string | undefined): boolean {
  const role = findRole(account, organizationId);
  if (access === 'operator') return account.isOperator;
  if (access === 'severalOrganizations') return account.isOperator || account.roles.length > 1;
  if (access === 'reader') return role !== undefined;
  return access !== 'administrator' || role === 'administrator' || role === 'operator';
}
