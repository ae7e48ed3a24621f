/**
 * Confirmation of the identity, if the last one is too old. docs/decisions/0063 has the alternatives.
 *
 * A form that was sent is answered with a page that asks for the password and carries the form's fields, so that the
 * action completes with the password. Accounts without a password return from the provider to the filled-in form.
 */
import { html, type SafeHtml } from '@remix-run/html-template';
import { actionLink, alert, field, paragraph } from '../../ui/components.ts';
import type { AdminContext } from '../admin-context.ts';
import { allowReauthenticationAttempt } from '../auth/login-attempt-limits.ts';
import { checkPassword } from '../auth/password-check.ts';
import type { SignedInContext } from '../page-context.ts';
import { carriedFileField } from '../read-upload.ts';
import type { AdminResponse, Page } from '../response-types.ts';
import { addReturnUrl, homePath, portalKeyField, safeReturnUrl } from '../return-url.ts';
import type { Route } from '../route.ts';
import { accountField, form, formActions } from '../ui/forms.ts';

const passwordFieldName = 'currentPassword';
const emailFieldName = 'currentEmail';

/** Fields that the page adds, that the form replaces, or that no page shows. */
const leftOutFields = [passwordFieldName, emailFieldName, 'token', portalKeyField];

/**
 * Checks the password that was sent with a form, or asks for it.
 *
 * @param from `formUrl`: the URL of the form with its fields filled in; undefined if the form has no page. `encoding`: of the
 *   form, which may have long texts; undefined: the default
 * @returns undefined if the user has confirmed their identity; the fields of the confirmation are removed from `values`
 */
export async function confirmForm(
  admin: AdminContext,
  context: SignedInContext,
  values: URLSearchParams,
  { formUrl, encoding }: { formUrl: string | undefined; encoding: string | undefined },
): Promise<AdminResponse | undefined> {
  const password = values.get(passwordFieldName);
  for (const name of [passwordFieldName, emailFieldName]) values.delete(name);
  if (context.hasRecentAuth) return undefined;
  const { account } = context.loginSession;
  if (!admin.passwordLoginEnabled || !account.hasPassword)
    return { redirectTo: addReturnUrl('/admin/confirm', formUrl, { cancel: '1' }) };
  const error = password === null ? undefined : await confirmPassword(admin, context, password);
  if (password !== null && error === undefined) {
    context.hasRecentAuth = true;
    return undefined;
  }
  const carried = [...values].filter(([name]) => !leftOutFields.includes(name));
  const file = context.uploadedFile?.toString('base64');
  if (file !== undefined) carried.push([carriedFileField, file]);
  const hidden = html`${carried.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
  return passwordPage(admin, context, hidden, { returnUrl: formUrl, cancelUrl: formUrl, encoding }, error);
}

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

function passwordPage(
  { oidc, passwordLoginEnabled }: AdminContext,
  context: SignedInContext,
  hidden: SafeHtml,
  {
    returnUrl,
    cancelUrl,
    encoding,
  }: { returnUrl: string | undefined; cancelUrl: string | undefined; encoding?: string | undefined },
  error?: { message: string; status: number },
): Page {
  const { text, query, loginSession } = context;
  const { account } = loginSession;
  const cancelPath = cancelUrl ?? '/admin';
  const asksForPassword = passwordLoginEnabled && account.hasPassword;
  const content = [paragraph(text.confirm.why)];
  if (query.has('failed'))
    content.unshift(alert('danger', text.signIn.providerFailed, paragraph(text.signIn.providerFailedHint)));
  if (asksForPassword) {
    const fields = html`${hidden}
${accountField(context, account.email, emailFieldName)}
${field({ name: passwordFieldName, label: text.signIn.password, type: 'password', autocomplete: 'current-password', error: error?.message })}
${formActions(context, text.confirm.submit, cancelPath)}`;
    const errors = error === undefined ? {} : { [passwordFieldName]: error.message };
    content.push(form(context, fields, errors, { encoding }));
  }
  if (oidc !== undefined) {
    const address = addReturnUrl('/admin/sign-in/provider', returnUrl, { force: '1' });
    content.push(
      html`<div class="actions">${actionLink(address, text.confirm.withProvider, asksForPassword ? 'secondary' : 'primary')}${asksForPassword ? '' : html` ${actionLink(cancelPath, text.form.cancel)}`}</div>`,
    );
  }
  return { title: text.confirm.title, body: html`${content}`, status: error?.status ?? 200 };
}

/** The page for pages that display a secret, and for accounts without a password. */
export function confirmRoutes(admin: AdminContext): Route[] {
  function showPage(context: SignedInContext, error?: { message: string; status: number }): Page {
    const returnUrl = safeReturnUrl(context.query);
    const hidden = html`<input type="hidden" name="return" value="${returnUrl ?? ''}">`;
    const cancelUrl = context.query.has('cancel') ? returnUrl : undefined;
    return passwordPage(admin, context, hidden, { returnUrl, cancelUrl }, error);
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
      get: async (context) => showPage(context),
      ...(admin.passwordLoginEnabled && { post: submit }),
    },
  ];
}
