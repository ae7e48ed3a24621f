/** Forms of method POST, and their fields. */
import { randomUUID } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import { actionLink, button, errorSummary, field } from '../../ui/components.ts';
import { createFormToken } from '../auth/browser-secret.ts';
import type { PageContext } from '../page-context.ts';

/** The hidden field that every form of method POST needs. */
export const csrfField = ({ browserSecret }: PageContext): SafeHtml =>
  html`<input type="hidden" name="token" value="${createFormToken(browserSecret)}">`;

/** Identifies one display of a form, so that a form that is submitted twice acts once. */
export const formIdField = (): SafeHtml => html`<input type="hidden" name="form" value="${randomUUID()}">`;

/** The submit button of a form, and a link to leave it. */
export function formActions(
  { text }: PageContext,
  submit: string,
  cancelPath: string,
  kind: 'primary' | 'destructive' = 'primary',
): SafeHtml {
  return html`<div class="actions">${button(submit, kind)} ${actionLink(cancelPath, text.form.cancel)}</div>`;
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
  { action = context.path, encoding }: { action?: string; encoding?: string | undefined } = {},
): SafeHtml {
  return html`${errorSummary(context, errors)}
<form method="post" action="${action}" class="page-form" novalidate${encoding ? html` enctype="${encoding}"` : ''}>
${csrfField(context)}
${content}
</form>`;
}
