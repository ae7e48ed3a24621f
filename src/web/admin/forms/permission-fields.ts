/** The tasks of an account in a municipality, as checkboxes. */
import {
  grantedPermissions,
  mayGrant,
  type Permission,
  toPermissions,
} from '../../../domain/accounts/account.ts';
import { paragraph } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { SignedInContext } from '../requests/page-context.ts';
import { checkbox, checkboxGroup } from './checkbox.ts';

const fieldName = (permission: Permission) => `permission.${permission}`;

/** Those that the user may grant. @param organizationId undefined: of any municipality, for operators */
export function permissionFields(
  { text, loginSession }: SignedInContext,
  organizationId: string | undefined,
  held: readonly Permission[],
): SafeHtml {
  const offered = grantedPermissions.filter((each) =>
    mayGrant(loginSession.account, organizationId ?? '', [each]),
  );
  const { see } = text.permissions;
  return checkboxGroup(text.accounts.tasks, [
    paragraph(html`<strong>${see.label}</strong>: ${see.hint}`),
    ...offered.map((each) =>
      checkbox({ name: fieldName(each), ...text.permissions[each], isChecked: held.includes(each) }),
    ),
  ]);
}

export const readPermissions = (values: URLSearchParams): readonly Permission[] =>
  toPermissions(grantedPermissions.filter((each) => values.has(fieldName(each))));
