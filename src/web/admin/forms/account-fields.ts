/** Fields of an account: the name of the person, for colleagues, and the tasks in a municipality. */

import {
  grantedPermissions,
  mayGrant,
  type Permission,
  toPermissions,
} from '../../../domain/accounts/account.ts';
import { maxPersonNameLength, parseLine } from '../../../domain/values/name-and-email-validation.ts';
import { field, paragraph } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { PageContext, SignedInContext } from '../requests/page-context.ts';
import { FormError, type FormErrors } from '../requests/response-types.ts';
import { checkbox, checkboxGroup } from './checkbox.ts';

export const personNameField = (
  { text }: PageContext,
  value: string,
  errors: FormErrors,
  autocomplete: 'name' | 'off',
): SafeHtml =>
  field({
    name: 'name',
    label: text.accounts.name,
    hint: text.accounts.nameHint,
    value,
    error: errors.name,
    optional: text.form.optional,
    autocomplete,
    attributes: html` maxlength="${maxPersonNameLength}"`,
  });

/** @returns null for an empty field. @throws FormError */
export function readPersonName({ text, format }: PageContext, values: URLSearchParams): string | null {
  const entered = (values.get('name') ?? '').trim();
  if (entered === '') return null;
  const name = parseLine(entered, maxPersonNameLength);
  if (name === undefined)
    throw new FormError({ name: text.accounts.nameTooLong(format.number(maxPersonNameLength)) });
  return name;
}

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
