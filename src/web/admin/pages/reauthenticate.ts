/**
 * Confirmation of the identity, if the last one is too old. docs/decisions/0063 has the alternatives.
 *
 * A form that was sent is answered with a page that asks for the password and carries the form's fields, so that the
 * action completes with the password. Accounts without a password confirm with the provider in another tab, and then send it.
 */

import { actionLink, alert, button, field, paragraph } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { allowReauthenticationAttempt } from '../auth/login-attempt-limits.ts';
import { checkPassword } from '../auth/password-check.ts';
import { accountField, form, hiddenFields, reopenButton } from '../forms/forms.ts';
import { authorField, type FormEncoding, portalKeyField } from '../requests/interrupted-form.ts';
import type { SignedInContext } from '../requests/page-context.ts';
import { carriedFileField } from '../requests/read-buffered-form.ts';
import type { AdminResponse, Page } from '../requests/response-types.ts';
import { addReturnUrl, confirmedInTabPath, homePath, safeReturnUrl } from '../requests/return-url.ts';
import type { Route } from '../route.ts';

const passwordFieldName = 'currentPassword';
const emailFieldName = 'currentEmail';

/** Fields that the page adds, that the form replaces, or that no page shows. */
const leftOutFields = [passwordFieldName, emailFieldName, 'token', authorField, portalKeyField];

/**
 * Checks the password that was sent with a form, or asks for it.
 *
 * @param sent `hasPage`: the form has a page, to which cancelling leads
 * @returns undefined if the user has confirmed their identity; the fields of the confirmation are removed from `values`
 */
export async function confirmForm(
  admin: AdminContext,
  context: SignedInContext,
  values: URLSearchParams,
  { hasPage, encoding }: { hasPage: boolean; encoding: FormEncoding },
): Promise<AdminResponse | undefined> {
  const password = values.get(passwordFieldName);
  for (const name of [passwordFieldName, emailFieldName]) values.delete(name);
  if (context.hasRecentAuth) return undefined;
  const isTried = password !== null && asksForPassword(admin, context);
  const error = isTried ? await confirmPassword(admin, context, password) : undefined;
  if (isTried && error === undefined) {
    context.hasRecentAuth = true;
    return undefined;
  }
  const carried = [...values].filter(([name]) => !leftOutFields.includes(name));
  const file = context.uploadedFile?.toString('base64');
  if (file !== undefined) carried.push([carriedFileField, file]);
  const { cancel } = context.text.form;
  const question = {
    hidden: hiddenFields(carried),
    encoding,
    cancel: hasPage ? reopenButton(cancel) : actionLink('/admin', cancel),
    isForm: true,
    returnUrl: confirmedInTabPath,
  };
  return { ...passwordPage(admin, context, question, error), oneTime: true };
}

const asksForPassword = ({ passwordLoginEnabled }: AdminContext, { loginSession }: SignedInContext) =>
  passwordLoginEnabled && loginSession.account.hasPassword;

/** @returns the error message and status for a wrong password */
async function confirmPassword(
  admin: AdminContext,
  context: SignedInContext,
  password: string,
): Promise<{ message: string; status: number } | undefined> {
  const { account, id } = context.loginSession;
  const isAllowed = await allowReauthenticationAttempt(admin.store, id);
  const result = await checkPassword(admin, context, isAllowed, account.email, password, 'known');
  if ('error' in result) {
    const message = result.status === 422 ? context.text.confirm.wrong : result.error;
    return { message, status: result.status };
  }
  await admin.store.recordReauthentication(id);
  return undefined;
}

interface Question {
  hidden: SafeHtml;
  encoding?: FormEncoding;
  cancel: SafeHtml;
  /** A form has been sent. The provider is outside and cannot carry it, so the page stays open beside the provider's. */
  isForm: boolean;
  /** Where the provider's page leads. */
  returnUrl: string | undefined;
}

function passwordPage(
  admin: AdminContext,
  context: SignedInContext,
  question: Question,
  error?: { message: string; status: number },
): Page {
  const { text, query, loginSession } = context;
  const { hidden, encoding, cancel, isForm } = question;
  const content = [paragraph(text.confirm.why)];
  if (query.has('failed'))
    content.unshift(alert('danger', text.signIn.providerFailed, paragraph(text.signIn.providerFailedHint)));
  const provider = providerLink(admin, context, question);
  if (asksForPassword(admin, context)) {
    const fields = html`${hidden}
${accountField(context, loginSession.account.email, emailFieldName)}
${field({ name: passwordFieldName, label: text.signIn.password, type: 'password', autocomplete: 'current-password', error: error?.message })}
<div class="actions">${button(text.confirm.submit)} ${cancel}</div>`;
    const errors = error === undefined ? {} : { [passwordFieldName]: error.message };
    content.push(form(context, fields, errors, { encoding }), provider);
  } else if (isForm) {
    const fields = html`${hidden}<div class="actions">${button(text.confirm.continue)} ${cancel}</div>`;
    content.push(provider, paragraph(text.confirm.thenContinue), form(context, fields, {}, { encoding }));
  } else content.push(html`<div class="actions">${provider} ${cancel}</div>`);
  return { title: text.confirm.title, body: html`${content}`, status: error?.status ?? 200 };
}

function providerLink(
  admin: AdminContext,
  context: SignedInContext,
  { isForm, returnUrl }: Question,
): SafeHtml {
  if (admin.oidc === undefined) return html``;
  const { withProvider, withProviderInTab } = context.text.confirm;
  const address = addReturnUrl('/admin/sign-in/provider', returnUrl, { force: '1' });
  const kind = asksForPassword(admin, context) ? 'secondary' : 'primary';
  return actionLink(address, isForm ? withProviderInTab : withProvider, kind, isForm);
}

function confirmedInTabPage({ text }: SignedInContext): Page {
  return { title: text.confirm.done, body: paragraph(text.confirm.doneHint) };
}

/** The page for pages that display a secret, and for accounts without a password. */
export function confirmRoutes(admin: AdminContext): Route[] {
  function showPage(context: SignedInContext, error?: { message: string; status: number }): Page {
    const returnUrl = safeReturnUrl(context.query);
    const cancelUrl = context.query.has('cancel') ? returnUrl : undefined;
    const question = {
      hidden: hiddenFields([['return', returnUrl ?? '']]),
      cancel: actionLink(cancelUrl ?? '/admin', context.text.form.cancel),
      isForm: false,
      returnUrl,
    };
    return passwordPage(admin, context, question, error);
  }

  async function submit(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    const error = await confirmPassword(admin, context, values.get(passwordFieldName) ?? '');
    if (error !== undefined) return showPage(context, error);
    return { redirectTo: safeReturnUrl(context.query) ?? homePath(context.loginSession.account) };
  }

  return [
    {
      path: '/admin/confirm',
      access: 'signedIn',
      allowedWithoutSecondFactor: true,
      get: async (context) =>
        context.query.has('done') && context.hasRecentAuth ? confirmedInTabPage(context) : showPage(context),
      ...(admin.passwordLoginEnabled && { post: submit }),
    },
  ];
}
