import { StoreDamagedError } from '../../../domain/store-errors.ts';
import { actionLink, alert, paragraph } from '../../ui/components.ts';
import { html } from '../../ui/html.ts';
import { reopenForm } from '../forms/forms.ts';
import { type InterruptedForm, isTooLarge } from '../requests/interrupted-form.ts';
import type { PageContext } from '../requests/page-context.ts';
import type { Page } from '../requests/response-types.ts';

/** For readers who open a page that only administrators may use. */
export function insufficientRolePage({ text }: PageContext): Page {
  const { title, hint } = text.insufficientRole;
  const body = html`${alert('danger', title, paragraph(hint))}${actionLink('/admin', text.errorPage.toStart)}`;
  return { title, body, status: 403 };
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
