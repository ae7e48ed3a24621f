/** The user's second factor and its recovery codes. */

import {
  actionLink,
  alert,
  announcement,
  button,
  copyField,
  descriptionList,
  paragraph,
} from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { type AdminContext, appName } from '../admin-context.ts';
import { deriveSecret } from '../auth/browser-secret.ts';
import { allowCodeAttempt } from '../auth/login-attempt-limits.ts';
import { fewRecoveryCodes, generateRecoveryCodes, hashRecoveryCode } from '../auth/recovery-codes.ts';
import { createEnrolment, secretBytes, verifyCode } from '../auth/totp.ts';
import { codeField, form, formActions } from '../forms/forms.ts';
import { currentActor, type SignedInContext } from '../requests/page-context.ts';
import { type AdminResponse, FormError, type FormErrors, type Page } from '../requests/response-types.ts';
import { addReturnUrl, homePath, safeReturnUrl } from '../requests/return-url.ts';
import type { Route } from '../route.ts';

const accountPath = '/admin/account';
export const secondFactorPath = `${accountPath}/second-factor`;
export const recoveryCodesPath = `${accountPath}/recovery-codes`;

/** Whether the account must set up a second factor before it can do anything else. */
export function mustSetUpSecondFactor(
  { passwordLoginEnabled, requiresSecondFactor }: AdminContext,
  { loginSession }: SignedInContext,
): boolean {
  const { hasPassword, hasSecondFactor } = loginSession.account;
  return requiresSecondFactor && passwordLoginEnabled && hasPassword && !hasSecondFactor;
}

/** A warning if few recovery codes are left. */
export function recoveryCodeWarning({ text, format, loginSession }: SignedInContext): SafeHtml {
  const { hasSecondFactor, recoveryCodes } = loginSession.account;
  if (!hasSecondFactor || recoveryCodes > fewRecoveryCodes) return html``;
  return alert(
    'warning',
    text.recoveryCodes.few(recoveryCodes, format.number(recoveryCodes)),
    paragraph(text.recoveryCodes.fewHint),
  );
}

export function secondFactorRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  /**
   * Derived from the login session, so that it does not have to be stored before the first code, and a reload does not
   * change it. The time step makes it different after each set-up.
   */
  async function deriveTotpSecret({ browserSecret, loginSession }: SignedInContext): Promise<Buffer> {
    const { id, account } = loginSession;
    const step = (await store.findCredentials(account.email))?.totpStep;
    return deriveSecret(browserSecret, `second factor ${id} ${step}`).subarray(0, secretBytes);
  }

  async function setUpPage(context: SignedInContext, errors: FormErrors): Promise<Page> {
    const { text, loginSession, query } = context;
    const { email } = loginSession.account;
    const { secret, qrCode } = createEnrolment(await deriveTotpSecret(context), email, appName);
    const isRequired = mustSetUpSecondFactor(admin, context);
    const fields = html`<input type="hidden" name="return" value="${safeReturnUrl(query) ?? ''}">
${codeField(context, text.secondFactor.codeHint, errors.code)}
${isRequired ? button(text.secondFactor.setUp) : formActions(context, text.secondFactor.setUp, accountPath)}`;
    const required = alert('info', text.secondFactor.required, paragraph(text.secondFactor.requiredHint));
    const body = html`${isRequired ? required : ''}${paragraph(text.secondFactor.intro)}
${paragraph(text.secondFactor.effect)}
<div class="qr-code" role="img" aria-label="${text.secondFactor.qrCode}">${html.raw`${qrCode}`}</div>
${descriptionList([[text.secondFactor.secret, html`<code>${secret}</code>`]])}
${form(context, fields, errors)}`;
    return { title: text.secondFactor.setUp, body };
  }

  async function setUp(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    const { text, loginSession, nowMs } = context;
    const { account } = loginSession;
    const done = { redirectTo: addReturnUrl(recoveryCodesPath, safeReturnUrl(context.query), { done: '1' }) };
    // The form may have been submitted twice.
    if (account.hasSecondFactor) return done;
    if (!(await allowCodeAttempt(store, account.id))) throw new FormError({ code: text.code.tooMany }, 429);
    const secret = await deriveTotpSecret(context);
    const step = verifyCode(secret, values.get('code') ?? '', nowMs);
    if (step === undefined || !(await store.consumeTotpStep(account.id, step)))
      throw new FormError({ code: text.code.wrong });
    await store.setSecondFactor(account.id, secret, loginSession, currentActor(context));
    return done;
  }

  function removalPage(context: SignedInContext): Page {
    const { text } = context;
    const fields = formActions(context, text.secondFactor.remove, accountPath);
    const effect = admin.requiresSecondFactor
      ? text.secondFactor.removeIntroRequired
      : text.secondFactor.removeIntro;
    const body = html`${paragraph(effect)}${form(context, fields)}`;
    return { title: text.secondFactor.remove, body };
  }

  async function remove(context: SignedInContext): Promise<AdminResponse> {
    const { loginSession } = context;
    await store.setSecondFactor(loginSession.account.id, null, loginSession, currentActor(context));
    return { redirectTo: `${accountPath}?done=second-factor-removed` };
  }

  function recoveryCodesPage(context: SignedInContext): AdminResponse {
    const { text, format, query, loginSession } = context;
    const { hasSecondFactor, recoveryCodes } = loginSession.account;
    if (!hasSecondFactor) return { redirectTo: accountPath };
    const returnUrl = safeReturnUrl(query);
    const fields = html`<input type="hidden" name="return" value="${returnUrl ?? ''}">
${formActions(context, text.recoveryCodes.create, returnUrl ?? accountPath, 'primary', text.recoveryCodes.later)}`;
    const left = text.recoveryCodes.left(format.number(recoveryCodes));
    const body = html`${query.has('done') ? announcement(text.myAccount.done['second-factor'] ?? '') : recoveryCodeWarning(context)}
${paragraph(text.recoveryCodes.intro)}
${paragraph(left)}
${recoveryCodes > 0 ? paragraph(text.recoveryCodes.replaces) : ''}
${form(context, fields)}`;
    return { title: text.recoveryCodes.title, body };
  }

  /** The response shows the codes. If the form is sent again, new codes replace them. */
  async function createRecoveryCodes(context: SignedInContext): Promise<AdminResponse> {
    const { text, query, loginSession } = context;
    const { id, hasSecondFactor } = loginSession.account;
    if (!hasSecondFactor) return { redirectTo: accountPath };
    const codes = generateRecoveryCodes();
    const hashes = codes.map((code) => hashRecoveryCode(id, code)).filter((hash) => hash !== undefined);
    await store.replaceRecoveryCodes(id, hashes, currentActor(context));
    const body = html`${alert('success', text.recoveryCodes.created, paragraph(text.recoveryCodes.createdHint))}
${copyField(text.recoveryCodes.title, 'codes', codes.join('\n'), text.recoveryCodes.copy, text.form.copied)}
${actionLink(safeReturnUrl(query) ?? homePath(loginSession.account), text.recoveryCodes.continue, 'primary')}`;
    return { title: text.recoveryCodes.title, body, oneTime: true };
  }

  return [
    {
      path: secondFactorPath,
      access: 'signedIn',
      requiresRecentAuth: true,
      allowedWithoutSecondFactor: true,
      get: async (context, { errors }) =>
        context.loginSession.account.hasSecondFactor
          ? { redirectTo: accountPath }
          : setUpPage(context, errors),
      post: setUp,
    },
    {
      path: `${secondFactorPath}/remove`,
      access: 'signedIn',
      requiresRecentAuth: true,
      get: async (context) => removalPage(context),
      post: remove,
    },
    {
      path: recoveryCodesPath,
      access: 'signedIn',
      requiresRecentAuth: true,
      get: async (context) => recoveryCodesPage(context),
      post: createRecoveryCodes,
    },
  ];
}
