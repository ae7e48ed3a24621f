/** Signing in and out: password, and code of the second factor. */

import type { Account } from '../../../domain/accounts/account.ts';
import { hashToken } from '../../../domain/accounts/one-time-link.ts';
import { parseAccountEmail } from '../../../domain/values/name-and-email-validation.ts';
import { actionLink, alert, button, field, link, paragraph } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { findDevice, issueDeviceCookie } from '../auth/device-cookie.ts';
import { allowCodeAttempt, allowPasswordAttempt } from '../auth/login-attempt-limits.ts';
import { checkPassword } from '../auth/password-check.ts';
import { fewRecoveryCodes, hashRecoveryCode } from '../auth/recovery-codes.ts';
import { reportSignInFailure } from '../auth/report-sign-in-failure.ts';
import { verifyCode } from '../auth/totp.ts';
import { codeField, form, hiddenFields, reopenButton, reopenForm } from '../forms/forms.ts';
import { carryForm, type InterruptedForm, isAuthor, readCarriedForm } from '../requests/interrupted-form.ts';
import { currentActor, type PageContext, type SignedInContext } from '../requests/page-context.ts';
import { type AdminResponse, FormError, type FormErrors, type Page } from '../requests/response-types.ts';
import { addReturnUrl, confirmedInTabPath, homePath, safeReturnUrl } from '../requests/return-url.ts';
import type { Route } from '../route.ts';
import { forgottenPasswordPath } from './forgotten-password.ts';
import { recoveryCodesPath } from './set-up-second-factor.ts';

export function signInRoutes(admin: AdminContext): Route[] {
  const { store, passwordLoginEnabled } = admin;

  async function submitSignIn(context: PageContext, fields: URLSearchParams): Promise<AdminResponse> {
    const { text } = context;
    const entered = (fields.get('email') ?? '').trim();
    const email = parseAccountEmail(entered) ?? entered;
    fields.set('email', email);
    const password = fields.get('password') ?? '';
    const missing: Record<string, string> = {};
    if (email === '') missing.email = text.signIn.emailMissing;
    if (password === '') missing.password = text.signIn.passwordMissing;
    if (Object.keys(missing).length > 0) throw new FormError(missing);
    const device = await findDevice(store, context, email);
    const isAllowed = await allowPasswordAttempt(store, email, context.clientAddress, device);
    const trust = device === undefined ? 'unknown' : 'known';
    const result = await checkPassword(admin, context, isAllowed, email, password, trust);
    if ('error' in result) throw new FormError({ password: result.error }, result.status);
    const { found } = result;
    const response = await startLoginSession(admin, context, found, safeReturnUrl(context.query));
    const interrupted = readCarriedForm(fields);
    if (interrupted === undefined) return response;
    return found.hasSecondFactor
      ? codePage(context, interrupted, {})
      : continuePage(context, interrupted, found);
  }

  function rejectCode(context: PageContext, reason: 'code' | 'limit', message: string): FormError {
    reportSignInFailure(admin, context, reason);
    return new FormError({ code: message }, reason === 'limit' ? 429 : 422);
  }

  async function submitCode(context: SignedInContext, fields: URLSearchParams): Promise<AdminResponse> {
    const { text, loginSession, nowMs } = context;
    const { account } = loginSession;
    const device = await findDevice(store, context, account.email);
    if (!(await allowCodeAttempt(store, account.id, device)))
      throw rejectCode(context, 'limit', text.code.tooMany);
    const secret = (await store.findCredentials(account.email))?.totpSecret;
    const step = secret && verifyCode(secret, fields.get('code') ?? '', nowMs);
    if (!step || !(await store.consumeTotpStep(account.id, step)))
      throw rejectCode(context, 'code', text.code.wrong);
    return completeSignIn(context, fields, safeReturnUrl(context.query) ?? homePath(account));
  }

  async function completeSignIn(
    context: SignedInContext,
    fields: URLSearchParams,
    redirectTo: string,
  ): Promise<AdminResponse> {
    const { id, account } = context.loginSession;
    await store.completeSecondFactor(id, hashToken(context.renewBrowserSecret()), currentActor(context));
    await issueDeviceCookie(store, context, account.email);
    await rememberLanguage(admin, context, account);
    const interrupted = readCarriedForm(fields);
    return interrupted === undefined ? { redirectTo } : continuePage(context, interrupted, account);
  }

  async function submitRecoveryCode(
    context: SignedInContext,
    fields: URLSearchParams,
  ): Promise<AdminResponse> {
    const { text, clientAddress } = context;
    const { account } = context.loginSession;
    const device = await findDevice(store, context, account.email);
    if (!(await allowCodeAttempt(store, account.id, device)))
      throw rejectCode(context, 'limit', text.code.tooMany);
    const hash = hashRecoveryCode(account.id, fields.get('code') ?? '');
    if (hash === undefined || !(await store.consumeRecoveryCode(account.id, hash, clientAddress)))
      throw rejectCode(context, 'code', text.recoveryCodes.wrong);
    const returnUrl = safeReturnUrl(context.query);
    const hasFew = account.recoveryCodes - 1 <= fewRecoveryCodes;
    return completeSignIn(
      context,
      fields,
      hasFew ? addReturnUrl(recoveryCodesPath, returnUrl) : (returnUrl ?? homePath(account)),
    );
  }

  return [
    {
      path: signInPath,
      access: 'public',
      get: async (context, { values, errors }) => {
        const { loginSession, query } = context;
        const isSignedIn = loginSession !== undefined && !loginSession.pendingSecondFactor;
        // Otherwise a failed sign-in to another account would end in this one.
        if (isSignedIn && Object.keys(errors).length === 0)
          return { redirectTo: safeReturnUrl(query) ?? homePath(loginSession.account) };
        const interrupted = readCarriedForm(values);
        return signInPage(admin, context, { interrupted, email: values.get('email') ?? '', errors });
      },
      carriesForm: true,
      ...(passwordLoginEnabled && { post: submitSignIn }),
    },
    {
      path: codePath,
      access: 'pendingSecondFactor',
      carriesForm: true,
      get: async (context, { values, errors }) => codePage(context, readCarriedForm(values), errors),
      post: submitCode,
    },
    {
      path: recoveryCodePath,
      access: 'pendingSecondFactor',
      carriesForm: true,
      get: async (context, { values, errors }) => recoveryCodePage(context, readCarriedForm(values), errors),
      post: submitRecoveryCode,
    },
    {
      path: '/admin/sign-out',
      access: 'signedIn',
      allowedWithoutSecondFactor: true,
      post: async (context) => {
        await store.endLoginSessions(
          context.loginSession.account.id,
          context.loginSession.id,
          currentActor(context),
        );
        context.renewBrowserSecret();
        return { redirectTo: '/admin/sign-in?signed-out=1' };
      },
    },
  ];
}

const signInPath = '/admin/sign-in';
const codePath = `${signInPath}/code`;
const recoveryCodePath = `${signInPath}/recovery-code`;

/** @param interrupted a form that an ended login session has interrupted */
export function signInPage(
  { oidc, passwordLoginEnabled }: AdminContext,
  context: PageContext,
  { interrupted, email = '', errors = {} }: SignInPageOptions,
): Page {
  const { text, query } = context;
  const { endedHints } = text.signIn;
  const content: SafeHtml[] = [];
  const ended = query.get('ended') ?? '';
  if (Object.hasOwn(endedHints, ended))
    content.push(
      alert('warning', text.signIn.ended, paragraph(endedHints[ended as keyof typeof endedHints])),
    );
  if (query.has('signed-out')) content.push(alert('success', text.signIn.signedOut));
  if (query.has('failed'))
    content.push(alert('danger', text.signIn.providerFailed, paragraph(text.signIn.providerFailedHint)));
  if (oidc !== undefined) content.push(providerSection(context, interrupted, passwordLoginEnabled));
  if (passwordLoginEnabled) {
    const fields = html`${returnFields(context, interrupted)}
${field({ name: 'email', label: text.signIn.email, type: 'email', value: email, autocomplete: 'username', error: errors.email })}
${passwordField(context, errors.password)}
${button(text.signIn.title)}`;
    content.push(form(context, fields, errors, { action: signInPath }));
    content.push(paragraph(link(forgottenPasswordPath, text.forgottenPassword.title)));
  }
  return withoutLanguageLinks({ title: text.signIn.title, body: html`${content}` }, interrupted);
}

interface SignInPageOptions {
  interrupted: InterruptedForm | undefined;
  email?: string;
  errors?: FormErrors;
}

/** The provider is outside, so it cannot carry a form: the page stays open for it. */
function providerSection(
  context: PageContext,
  interrupted: InterruptedForm | undefined,
  isSecondary: boolean,
): SafeHtml {
  const { text, query } = context;
  const { withProvider, withProviderInTab, thenContinue } = text.signIn;
  const kind = isSecondary ? 'secondary' : 'primary';
  const opensTab = interrupted !== undefined;
  const address = addReturnUrl(
    '/admin/sign-in/provider',
    opensTab ? confirmedInTabPath : safeReturnUrl(query),
  );
  const start = actionLink(address, opensTab ? withProviderInTab : withProvider, kind, opensTab);
  return interrupted === undefined
    ? start
    : html`${start}${paragraph(thenContinue)}${reopenForm(context, interrupted, text.errorPage.toForm, 'secondary')}`;
}

function codePage(context: PageContext, interrupted: InterruptedForm | undefined, errors: FormErrors): Page {
  const { text } = context;
  const recovery =
    interrupted === undefined
      ? paragraph(link(addReturnUrl(recoveryCodePath, safeReturnUrl(context.query)), text.recoveryCodes.use))
      : '';
  const fields = html`${returnFields(context, interrupted)}
${codeField(context, text.code.hint, errors.code)}
<div class="actions">${button(text.code.submit)}${interrupted && reopenButton(text.recoveryCodes.use, recoveryCodePath)}</div>`;
  const body = html`${form(context, fields, errors, { action: codePath })}${recovery}${paragraph(link(signInPath, text.code.anotherAccount))}`;
  return withoutLanguageLinks({ title: text.code.title, body }, interrupted);
}

function recoveryCodePage(
  context: PageContext,
  interrupted: InterruptedForm | undefined,
  errors: FormErrors,
): Page {
  const { text, query } = context;
  const cancel =
    interrupted === undefined
      ? actionLink(addReturnUrl(codePath, safeReturnUrl(query)), text.form.cancel)
      : reopenButton(text.form.cancel, codePath);
  const fields = html`${returnFields(context, interrupted)}
${field({ name: 'code', label: text.recoveryCodes.label, hint: text.recoveryCodes.hint, error: errors.code, autocomplete: 'off', attributes: html` maxlength="40" spellcheck="false"` })}
<div class="actions">${button(text.code.submit)} ${cancel}</div>`;
  const body = form(context, fields, errors, { action: recoveryCodePath });
  return withoutLanguageLinks({ title: text.recoveryCodes.use, body }, interrupted);
}

/** Leads back to the form: a person sends it, because another site or user may have written the entries. */
function continuePage(context: PageContext, interrupted: InterruptedForm, { id }: Account): Page {
  if (!isAuthor(interrupted.entries, id)) return otherAuthorPage(context);
  const { title, hint } = context.text.resumedForm;
  const body = html`${paragraph(hint)}${reopenForm(context, interrupted, context.text.errorPage.toForm)}`;
  return { title, body, oneTime: true };
}

/** For a user who signs in after another one, and must not see what that one has entered. */
export function otherAuthorPage({ text }: PageContext): Page {
  const { title, hint } = text.formOfOther;
  const body = html`${paragraph(hint)}${actionLink('/admin', text.errorPage.toStart)}`;
  return { title, body, oneTime: true };
}

/** They would lose the interrupted form. */
const withoutLanguageLinks = (page: Page, interrupted: InterruptedForm | undefined): Page =>
  interrupted === undefined ? page : { ...page, oneTime: true };

const returnFields = ({ query }: PageContext, interrupted: InterruptedForm | undefined): SafeHtml =>
  hiddenFields(interrupted === undefined ? [['return', safeReturnUrl(query) ?? '']] : carryForm(interrupted));

const passwordField = ({ text }: PageContext, error: string | undefined) =>
  field({
    name: 'password',
    label: text.signIn.password,
    type: 'password',
    autocomplete: 'current-password',
    error,
  });

/** Emails are written in the language of the pages at the last sign-in. */
async function rememberLanguage(
  { store }: Pick<AdminContext, 'store'>,
  { language }: PageContext,
  account: Account,
): Promise<void> {
  if (account.language !== language) await store.setLanguage(account.id, language);
}

/** Creates a login session with a new browser secret, which prevents session fixation. */
export async function startLoginSession(
  { store, sessionLimits }: AdminContext,
  context: PageContext,
  account: Account,
  returnUrl: string | undefined,
  proof: { pendingSecondFactor: boolean; reauthenticatedAtMs: number | undefined } = {
    pendingSecondFactor: account.hasSecondFactor,
    reauthenticatedAtMs: undefined,
  },
): Promise<AdminResponse> {
  const { clientAddress: address, userAgent: browser } = context;
  const { pendingSecondFactor } = proof;
  const tokenHash = hashToken(context.renewBrowserSecret());
  await store.createLoginSession(
    { accountId: account.id, tokenHash, ...proof, address, browser },
    sessionLimits,
  );
  if (!pendingSecondFactor) {
    await issueDeviceCookie(store, context, account.email);
    await rememberLanguage({ store }, context, account);
  }
  return {
    redirectTo: pendingSecondFactor ? addReturnUrl(codePath, returnUrl) : (returnUrl ?? homePath(account)),
  };
}
