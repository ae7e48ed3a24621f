import { mayGrant, type Permission } from '../../../domain/accounts/account.ts';
import { StoreDamagedError } from '../../../domain/store-errors.ts';
import { actionLink, alert, paragraph, userText } from '../../ui/components.ts';
import { html } from '../../ui/html.ts';
import { rowsPerPage } from '../../ui/list-page.ts';
import type { AdminContext } from '../admin-context.ts';
import { reopenForm } from '../forms/forms.ts';
import { type InterruptedForm, isTooLarge } from '../requests/interrupted-form.ts';
import type { PageContext } from '../requests/page-context.ts';
import type { Page } from '../requests/response-types.ts';

const maxNamedAccounts = 5;

/** For accounts that lack a permission in a municipality. @param needed as in `MissingPermissionError` */
export async function missingPermissionPage(
  { store }: AdminContext,
  context: PageContext,
  organizationId: string,
  needed: readonly (readonly Permission[])[],
): Promise<Page> {
  const { text } = context;
  const words = text.missingPermission;
  const names = needed.map((all) => all.map((each) => text.permissions[each].label).join(' + '));
  const { accounts } = await store.searchAccounts(organizationId, '', 0, rowsPerPage, 'accounts');
  const helpers = accounts.filter((one) => needed.some((all) => mayGrant(one, organizationId, all)));
  const items = helpers
    .slice(0, maxNamedAccounts)
    .map(({ name, email }) => html`<li>${userText(name === null ? email : `${name}, ${email}`)}</li>`);
  const whom = items.length === 0 ? '' : html`${paragraph(words.whom)}<ul>${items}</ul>`;
  const hint = html`${paragraph(words.hint(names))}${whom}${items.length === 0 ? paragraph(words.operators) : ''}`;
  const body = html`${alert('danger', words.title, hint)}${actionLink('/admin', text.errorPage.toStart)}`;
  return { title: words.title, body, status: 403 };
}

interface Failure {
  error: unknown;
  status: number;
  /** Of the line in the log; only an internal error shows it. */
  requestId: string;
}

/**
 * The page of a failed request. With the status 403 or 503 it offers the form again, with its entries.
 *
 * @param interrupted the form that was sent
 */
export function errorPage(
  context: PageContext,
  { error, status, requestId }: Failure,
  interrupted: InterruptedForm | undefined,
): Page {
  const { text } = context;
  const { title, hint } =
    error instanceof StoreDamagedError
      ? text.damagedData
      : (text.errors[status] ?? (text.errors[500] as { title: string; hint: string }));
  const keepsForm =
    interrupted !== undefined && !isTooLarge(interrupted) && (status === 403 || status === 503);
  const way = keepsForm
    ? reopenForm(context, interrupted, text.errorPage.toForm, 'secondary')
    : actionLink('/admin', text.errorPage.toStart);
  const reference = status === 500 ? paragraph(text.errorPage.requestId(requestId)) : html``;
  return { title, body: html`${alert('danger', title, html`${paragraph(hint)}${reference}`)}${way}`, status };
}
