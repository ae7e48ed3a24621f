/** Signing in and out: password, and code of the second factor. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Account } from '../../domain/account.ts';
import { parseAccountEmail } from '../../domain/name-validation.ts';
import { hashToken } from '../../domain/one-time-link.ts';
import { actionLink, alert, button, field, link, paragraph } from '../../ui/components.ts';
import type { AdminContext } from '../admin-context.ts';
import { findDevice, issueDeviceCookie } from '../auth/device-cookie.ts';
import { allowCodeAttempt, allowPasswordAttempt } from '../auth/login-attempt-limits.ts';
import { checkPassword } from '../auth/password-check.ts';
import { fewRecoveryCodes, hashRecoveryCode } from '../auth/recovery-codes.ts';
import { reportSignInFailure } from '../auth/report-sign-in-failure.ts';
import { verifyCode } from '../auth/totp.ts';
import { currentActor, type PageContext, type SignedInContext } from '../page-context.ts';
import { type AdminResponse, FormError, type FormErrors, type Page } from '../response-types.ts';
import { addReturnUrl, homePath, safeReturnUrl } from '../return-url.ts';
import type { Route } from '../route.ts';
import { codeField, form, formActions } from '../ui/forms.ts';
import { forgottenPasswordPath } from './forgotten-password.ts';
import { recoveryCodesPath } from './set-up-second-factor.ts';

const recoveryCodePath = '/admin/sign-in/recovery-code';

export function signInRoutes(admin: AdminContext): Route[] {
  const { store, passwordLoginEnabled, oidc } = admin;

  function signInPage(context: PageContext, email: string, errors: FormErrors): Page {
    const { text, query } = context;
    const returnUrl = safeReturnUrl(query);
    const content: SafeHtml[] = [];
    if (query.has('ended'))
      content.push(alert('warning', text.signIn.ended, paragraph(text.signIn.endedHint)));
    if (query.has('signed-out')) content.push(alert('success', text.signIn.signedOut));
    if (query.has('failed'))
      content.push(alert('danger', text.signIn.providerFailed, paragraph(text.signIn.providerFailedHint)));
    if (oidc !== undefined) {
      content.push(
        actionLink(
          addReturnUrl('/admin/sign-in/provider', returnUrl),
          text.signIn.withProvider,
          passwordLoginEnabled ? 'secondary' : 'primary',
        ),
      );
    }
    if (passwordLoginEnabled) {
      const fields = html`${returnField(context)}
${field({ name: 'email', label: text.signIn.email, type: 'email', value: email, autocomplete: 'username', error: errors.email })}
${passwordField(context, errors.password)}
${button(text.signIn.title)}`;
      content.push(form(context, fields, errors));
      content.push(paragraph(link(forgottenPasswordPath, text.forgottenPassword.title)));
    }
    return { title: text.signIn.title, body: html`${content}` };
  }

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
    return startLoginSession(admin, context, result.found, safeReturnUrl(context.query));
  }

  function codePage(context: SignedInContext, errors: FormErrors): Page {
    const { text } = context;
    const fields = html`${returnField(context)}
${codeField(context, text.code.hint, errors.code)}
${button(text.code.submit)}`;
    const recovery = addReturnUrl(recoveryCodePath, safeReturnUrl(context.query));
    const body = html`${form(context, fields, errors)}${paragraph(link(recovery, text.recoveryCodes.use))}${paragraph(link('/admin/sign-in', text.code.anotherAccount))}`;
    return { title: text.code.title, body };
  }

  function recoveryCodePage(context: SignedInContext, errors: FormErrors): Page {
    const { text, query } = context;
    const fields = html`${returnField(context)}
${field({ name: 'code', label: text.recoveryCodes.label, hint: text.recoveryCodes.hint, error: errors.code, autocomplete: 'off', attributes: html` maxlength="40" spellcheck="false"` })}
${formActions(context, text.code.submit, addReturnUrl('/admin/sign-in/code', safeReturnUrl(query)))}`;
    return { title: text.recoveryCodes.use, body: form(context, fields, errors) };
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
    return completeSignIn(context, safeReturnUrl(context.query) ?? homePath(account));
  }

  async function completeSignIn(context: SignedInContext, redirectTo: string): Promise<AdminResponse> {
    const { id, account } = context.loginSession;
    await store.completeSecondFactor(id, hashToken(context.renewBrowserSecret()), currentActor(context));
    await issueDeviceCookie(store, context, account.email);
    await rememberLanguage(admin, context, account);
    return { redirectTo };
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
      hasFew ? addReturnUrl(recoveryCodesPath, returnUrl) : (returnUrl ?? homePath(account)),
    );
  }

  return [
    {
      path: '/admin/sign-in',
      access: 'public',
      get: async (context, values, errors) => {
        const { loginSession, query } = context;
        const isSignedIn = loginSession !== undefined && !loginSession.pendingSecondFactor;
        // Otherwise a failed sign-in to another account would end in this one.
        if (isSignedIn && Object.keys(errors).length === 0)
          return { redirectTo: safeReturnUrl(query) ?? homePath(loginSession.account) };
        return signInPage(context, values.get('email') ?? '', errors);
      },
      ...(passwordLoginEnabled && { post: submitSignIn }),
    },
    {
      path: '/admin/sign-in/code',
      access: 'pendingSecondFactor',
      get: async (context, _, errors) => codePage(context, errors),
      post: submitCode,
    },
    {
      path: recoveryCodePath,
      access: 'pendingSecondFactor',
      get: async (context, _, errors) => recoveryCodePage(context, errors),
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

const returnField = ({ query }: PageContext) =>
  html`<input type="hidden" name="return" value="${safeReturnUrl(query) ?? ''}">`;

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
    redirectTo: pendingSecondFactor
      ? addReturnUrl('/admin/sign-in/code', returnUrl)
      : (returnUrl ?? homePath(account)),
  };
}
