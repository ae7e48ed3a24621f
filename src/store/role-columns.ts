/** The columns of `account_role` that contain permissions. */
import {
  findRole,
  listGranted,
  type Permission,
  permissionsByRole,
  toPermissions,
} from '../domain/accounts/account.ts';

export interface RoleColumns {
  /** `reader` for every set but the full one, so that version 1.0 never grants more. */
  role: string;
  /** null for the sets that have the name of a role; undefined in a schema without the column. */
  permissions?: string | null;
}

export function toRoleColumns(held: readonly Permission[]): Required<RoleColumns> {
  const role = findRole(held);
  if (role !== undefined) return { role, permissions: null };
  return { role: 'reader', permissions: listGranted(held).join(' ') };
}

export const fromRoleColumns = ({ role, permissions }: RoleColumns): readonly Permission[] =>
  role === 'administrator' ? permissionsByRole.administrator : toPermissions(permissions?.split(' ') ?? []);

/** @param permission SQL of its name; not of `see`, which every role includes */
export const composeHasPermission = (permission: string) =>
  `(account_role.role = 'administrator' OR ' ' || account_role.permissions || ' ' LIKE '% ' || ${permission} || ' %')`;
