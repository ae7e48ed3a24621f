/** The user's own account: password, second factor and login sessions. */

import { html, type SafeHtml } from '@remix-run/html-template';
import Bowser from 'bowser';
import type { LoginSession } from '../../domain/admin-area-store.ts';
import { type AdminContext, appName } from '../admin-context.ts';
import { deriveSecret } from '../auth/browser-secret.ts';
import { issueDeviceCookie } from '../auth/device-cookie.ts';
import { allowCodeAttempt } from '../auth/login-attempt-limits.ts';
import { createEnrolment, secretBytes, verifyCode } from '../auth/totp.ts';
import { currentActor, type PageContext, type SignedInContext } from '../page-context.ts';
import type { AdminResponse, Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import {
  accountField,
  actionLink,
  announcement,
  badge,
  codeField,
  csrfField,
  descriptionList,
  form,
  formActions,
  paragraph,
  section,
  table,
} from '../ui/components.ts';
import { hashNewPassword, newPasswordField } from './invitation.ts';

const path = '/admin/account';

/** Such as "Firefox, Linux". */
function browserName({ browser }: LoginSession, { text }: PageContext): string {
  if (browser === '') return text.myAccount.unknownBrowser;
  const { browser: program, os } = Bowser.parse(browser);
  return [program.name, os.name].filter(Boolean).join(', ') || text.myAccount.unknownBrowser;
}

export function myAccountRoutes(admin: AdminContext): Route[] {
  const { store, sessionLimits, passwordLoginEnabled } = admin;

  async function accountPage(context: SignedInContext): Promise<Page> {
    const { text, format, query, loginSession } = context;
    const { account } = loginSession;
    const sessions = await store.listLoginSessions(account.id, sessionLimits);
    const rows = sessions.map((one) => [
      browserName(one, context),
      one.address,
      format.time(new Date(one.createdAtMs).toISOString()),
      format.time(new Date(one.lastSeenAtMs).toISOString()),
      one.id === loginSession.id
        ? badge('info', text.myAccount.thisBrowser)
        : smallForm(
            context,
            `${path}/sessions/${one.id}/end`,
            text.layout.signOut,
            browserName(one, context),
          ),
    ]);
    const { browsers, browser, address, since, lastSeen } = text.myAccount;
    const columns = [browser, address, since, lastSeen, text.layout.signOut];
    const done = query.get('done') ?? '';
    const notice = Object.hasOwn(text.myAccount.done, done) ? text.myAccount.done[done] : undefined;
    const role =
      account.organizationId === null
        ? text.accounts.roles.operator
        : html`${text.accounts.roles[account.role]} (<bdi>${account.organizationName ?? ''}</bdi>)`;
    const body = html`${notice === undefined ? '' : announcement(notice)}
${descriptionList([
  [text.signIn.email, html`<bdi>${account.email}</bdi>`],
  [text.accounts.role, role],
])}
${passwordLoginEnabled ? security(context) : ''}
${section(browsers, table(browsers, columns, rows))}
${smallForm(context, `${path}/sign-out-everywhere`, text.myAccount.endAll)}`;
    return { title: text.myAccount.title, body };
  }

  function security({ text, loginSession }: SignedInContext): SafeHtml {
    const secondFactor = `${path}/second-factor`;
    const [state, action] = loginSession.account.hasSecondFactor
      ? [text.secondFactor.isOn, actionLink(`${secondFactor}/remove`, text.secondFactor.remove)]
      : [text.secondFactor.isOff, actionLink(secondFactor, text.secondFactor.setUp)];
    return section(
      text.myAccount.security,
      html`${paragraph(state)}
<div class="actions">${actionLink(`${path}/password`, text.myAccount.changePassword)} ${action}</div>`,
    );
  }

  /** @param about read by screen readers after the label, if several buttons have the same label */
  function smallForm(context: SignedInContext, action: string, label: string, about?: string): SafeHtml {
    return html`<form method="post" action="${action}">${csrfField(context)}<button class="kern-btn kern-btn--secondary kern-btn--x-small" type="submit"><span class="kern-label">${label}${about && html`<span class="hidden-text">: ${about}</span>`}</span></button></form>`;
  }

  function passwordPage(context: SignedInContext, error?: string, status = 200): Page {
    const { text, loginSession } = context;
    const fields = html`${accountField(context, loginSession.account.email)}
${newPasswordField(context, error)}
${formActions(context, text.myAccount.changePassword, path)}`;
    const body = html`${paragraph(text.myAccount.passwordIntro)}${form(context, fields, error === undefined ? {} : { password: error })}`;
    return { title: text.myAccount.changePassword, body, status };
  }

  async function changePassword(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    const { account } = context.loginSession;
    const checked = await hashNewPassword(context, values, account);
    if ('error' in checked) return passwordPage(context, checked.error, checked.status);
    await store.setPassword(account.id, checked.hash, context.loginSession, currentActor(context));
    await issueDeviceCookie(store, context, account.email);
    return { redirectTo: `${path}?done=password` };
  }

  /**
   * Derived from the login session, so that it does not have to be stored before the first code, and a reload does not
   * change it. The time step makes it different after each set-up.
   */
  async function deriveTotpSecret({ browserSecret, loginSession }: SignedInContext): Promise<Buffer> {
    const { id, account } = loginSession;
    const step = (await store.findCredentials(account.email))?.totpStep;
    return deriveSecret(browserSecret, `second factor ${id} ${step}`).subarray(0, secretBytes);
  }

  async function setUpPage(context: SignedInContext, error?: string, status = 200): Promise<Page> {
    const { text, loginSession } = context;
    const { email } = loginSession.account;
    const { secret, qrCode } = createEnrolment(await deriveTotpSecret(context), email, appName);
    const fields = html`${codeField(context, text.secondFactor.codeHint, error)}
${formActions(context, text.secondFactor.setUp, path)}`;
    const body = html`${paragraph(text.secondFactor.intro)}
<div class="qr-code" role="img" aria-label="${text.secondFactor.qrCode}">${html.raw`${qrCode}`}</div>
${descriptionList([[text.secondFactor.secret, html`<code>${secret}</code>`]])}
${form(context, fields, error === undefined ? {} : { code: error })}`;
    return { title: text.secondFactor.setUp, body, status };
  }

  async function setUp(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    const { text, loginSession, nowMs } = context;
    const { account } = loginSession;
    // The form may have been submitted twice.
    if (account.hasSecondFactor) return { redirectTo: `${path}?done=second-factor` };
    if (!(await allowCodeAttempt(store, account.id))) return setUpPage(context, text.code.tooMany, 429);
    const secret = await deriveTotpSecret(context);
    const step = verifyCode(secret, values.get('code') ?? '', nowMs);
    if (step === undefined || !(await store.consumeTotpStep(account.id, step)))
      return setUpPage(context, text.code.wrong, 422);
    await store.setSecondFactor(account.id, secret, loginSession, currentActor(context));
    return { redirectTo: `${path}?done=second-factor` };
  }

  function removalPage(context: SignedInContext): Page {
    const { text } = context;
    const fields = formActions(context, text.secondFactor.remove, path);
    const body = html`${paragraph(text.secondFactor.removeIntro)}${form(context, fields)}`;
    return { title: text.secondFactor.remove, body };
  }

  const routes: Route[] = [
    { path, access: 'signedIn', get: accountPage },
    {
      path: `${path}/sessions/:loginSessionId/end`,
      access: 'signedIn',
      post: async (context) => {
        const { account } = context.loginSession;
        await store.endLoginSessions(account.id, context.params.loginSessionId, currentActor(context));
        return { redirectTo: `${path}?done=ended` };
      },
    },
    {
      path: `${path}/sign-out-everywhere`,
      access: 'signedIn',
      post: async (context) => {
        await store.endLoginSessions(context.loginSession.account.id, undefined, currentActor(context));
        context.renewBrowserSecret();
        return { redirectTo: '/admin/sign-in?signed-out=1' };
      },
    },
  ];
  if (!passwordLoginEnabled) return routes;
  return [
    ...routes,
    {
      path: `${path}/password`,
      access: 'signedIn',
      requiresRecentAuth: true,
      get: async (context) => passwordPage(context),
      post: changePassword,
    },
    {
      path: `${path}/second-factor`,
      access: 'signedIn',
      requiresRecentAuth: true,
      get: async (context) =>
        context.loginSession.account.hasSecondFactor ? { redirectTo: path } : setUpPage(context),
      post: setUp,
    },
    {
      path: `${path}/second-factor/remove`,
      access: 'signedIn',
      requiresRecentAuth: true,
      get: async (context) => removalPage(context),
      post: async (context) => {
        const { loginSession } = context;
        await store.setSecondFactor(loginSession.account.id, null, loginSession, currentActor(context));
        return { redirectTo: `${path}?done=second-factor-removed` };
      },
    },
  ];
}
