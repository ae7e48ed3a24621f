import { findRole, listGranted, type Permission } from '../../../domain/accounts/account.ts';
import type { ViewContext } from '../../ui/view-context.ts';

/** The tasks of an account in a municipality, such as "Import, Publish". */
export function namePermissions({ text }: Pick<ViewContext, 'text'>, held: readonly Permission[]): string {
  const role = findRole(held);
  if (role !== undefined) return text.accounts.roles[role];
  return listGranted(held)
    .map((each) => text.permissions[each].label)
    .join(', ');
}
