/** Forms of method POST, and their fields. */
import { randomUUID } from 'node:crypto';
import { actionLink, button, errorSummary, field } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { createFormToken } from '../auth/browser-secret.ts';
import {
  authorField,
  type FormEncoding,
  type InterruptedForm,
  reopenField,
} from '../requests/interrupted-form.ts';
import type { PageContext } from '../requests/page-context.ts';

/** @param fields names and values */
export const hiddenFields = (fields: Iterable<readonly [string, string]>): SafeHtml =>
  html`${Array.from(fields, ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

const tokenField = ({ browserSecret }: PageContext): SafeHtml =>
  hiddenFields([['token', createFormToken(browserSecret)]]);

/** The hidden fields that every form of method POST needs: the CSRF token, and the account if there is one. */
export const csrfField = (context: PageContext): SafeHtml =>
  html`${tokenField(context)}${context.loginSession ? hiddenFields([[authorField, context.loginSession.account.id]]) : ''}`;

/** Identifies one display of a form, so that a form that is submitted twice acts once. */
export const formIdField = (): SafeHtml => html`<input type="hidden" name="form" value="${randomUUID()}">`;

/** The submit button of a form, and a link to leave it. */
export function formActions(
  { text }: PageContext,
  submit: string,
  cancelPath: string,
  kind: 'primary' | 'destructive' = 'primary',
  cancel = text.form.cancel,
): SafeHtml {
  return html`<div class="actions">${button(submit, kind)} ${actionLink(cancelPath, cancel)}</div>`;
}

/** The account of a password field, for password managers and users. */
export function accountField({ text }: PageContext, email: string, name = 'email'): SafeHtml {
  return field({
    name,
    label: text.signIn.email,
    type: 'email',
    value: email,
    autocomplete: 'username',
    attributes: html` readonly`,
  });
}

export function codeField({ text }: PageContext, hint: string, error: string | undefined): SafeHtml {
  return field({
    name: 'code',
    label: text.code.label,
    hint,
    autocomplete: 'one-time-code',
    error,
    attributes: html` inputmode="numeric" maxlength="7"`,
  });
}

/**
 * A form that is submitted to the page's own path by default. A summary before it links each error to its field, and is read by
 * screen readers when the page has loaded.
 *
 * @param errors by field name
 * @param options `encoding`: `multipart/form-data` for files and long texts
 */
export function form(
  context: PageContext,
  content: SafeHtml,
  errors: Readonly<Record<string, string>> = {},
  { action = context.path, encoding }: { action?: string; encoding?: FormEncoding } = {},
): SafeHtml {
  return html`${errorSummary(context, errors)}
<form method="post" action="${action}" class="page-form" novalidate${encodingAttribute(encoding)}>
${csrfField(context)}
${content}
</form>`;
}

/** A form with a single button. @param hidden names and values */
export const buttonForm = (
  context: PageContext,
  action: string,
  label: string,
  kind?: Parameters<typeof button>[1],
  hidden: Iterable<readonly [string, string]> = [],
): SafeHtml =>
  html`<form method="post" action="${action}">${csrfField(context)}${hiddenFields(hidden)}${button(label, kind)}</form>`;

const encodingAttribute = (encoding: FormEncoding) => (encoding ? html` enctype="${encoding}"` : '');

/** A button of a form that shows another page of it with its fields, and changes nothing. @param action default: the form's */
export const reopenButton = (label: string, action?: string): SafeHtml =>
  html`<button class="kern-btn kern-btn--secondary" type="submit" name="${reopenField}" value="1"${action ? html` formaction="${action}"` : ''}><span class="kern-label">${label}</span></button>`;

/** A form whose only button leads back to an interrupted form with its entries. */
export const reopenForm = (
  context: PageContext,
  { path, encoding, entries }: InterruptedForm,
  label: string,
  kind: 'primary' | 'secondary' = 'primary',
): SafeHtml =>
  html`<form method="post" action="${path}" class="page-form"${encodingAttribute(encoding)}>
${tokenField(context)}${hiddenFields([...entries, [reopenField, '1']])}
${button(label, kind)}
</form>`;
