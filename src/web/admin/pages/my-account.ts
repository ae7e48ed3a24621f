/** The user's own account: tasks, password, emails and login sessions. */

import Bowser from 'bowser';
import type { LoginSession } from '../../../domain/accounts/login-session.ts';
import { listNotificationKinds } from '../../../domain/accounts/mail.ts';
import { isTimeZone } from '../../../domain/values/timestamps.ts';
import { isLanguage, type Language, messages } from '../../messages/languages.ts';
import {
  actionLink,
  announcement,
  badge,
  button,
  descriptionList,
  paragraph,
  section,
  table,
  userText,
} from '../../ui/components.ts';
import { getFormatter } from '../../ui/formatter.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { issueDeviceCookie } from '../auth/device-cookie.ts';
import { personNameField, readPersonName } from '../forms/account-fields.ts';
import { accountField, csrfField, form, formActions } from '../forms/forms.ts';
import { currentActor, type PageContext, type SignedInContext } from '../requests/page-context.ts';
import type { AdminResponse, FormState, Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { namePermissions } from '../ui/permission-names.ts';
import { hashNewPassword, newPasswordField } from './invitation.ts';
import {
  recoveryCodesPath,
  recoveryCodeWarning,
  secondFactorPath,
  secondFactorRoutes,
} from './set-up-second-factor.ts';

const path = '/admin/account';

/** Such as "Firefox, Linux". */
function browserName({ browser }: LoginSession, { text }: PageContext): string {
  if (browser === '') return text.myAccount.unknownBrowser;
  const { browser: program, os } = Bowser.parse(browser);
  return [program.name, os.name].filter(Boolean).join(', ') || text.myAccount.unknownBrowser;
}

/** The emails that the account receives: undefined without email, and for roles without notifications. */
async function notificationSection(
  { store, mailer }: AdminContext,
  context: SignedInContext,
): Promise<SafeHtml | undefined> {
  const { text, loginSession } = context;
  const { account } = loginSession;
  const kinds = listNotificationKinds(account);
  if (mailer === undefined || kinds.length === 0) return undefined;
  const disabled = await store.listDisabledNotifications(account.id);
  const { title, legend, hint, kinds: labels, save } = text.notifications;
  const choices = kinds.map(
    (kind) => html`<div class="kern-form-check">
<input class="kern-form-check__checkbox" type="checkbox" id="notify-${kind}" name="${kind}" value="on"${disabled.includes(kind) ? '' : html` checked`} aria-describedby="notify-${kind}-hint">
<label class="kern-label" for="notify-${kind}">${labels[kind].label}</label>
<div class="kern-hint" id="notify-${kind}-hint">${labels[kind].hint}</div>
</div>`,
  );
  return html`<section id="notifications"><h2 class="kern-heading-medium">${title}</h2>
<form method="post" action="${path}/notifications">
${csrfField(context)}
<fieldset class="kern-fieldset notification-kinds" aria-describedby="notifications-hint">
<legend class="kern-label">${legend}</legend>
<div class="kern-hint" id="notifications-hint">${hint(account.email)}</div>
<div class="kern-fieldset__body">${choices}</div>
</fieldset>
<div class="actions">${button(save, 'secondary')}</div>
</form></section>`;
}

export function myAccountRoutes(admin: AdminContext): Route[] {
  const { store, sessionLimits, passwordLoginEnabled } = admin;

  async function accountPage(context: SignedInContext): Promise<Page> {
    const { text, query, loginSession } = context;
    const { account } = loginSession;
    const format = getFormatter(context.language, await findTimeZone(context));
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
    const body = html`${notice === undefined ? '' : announcement(notice)}
${descriptionList([
  account.name !== null && [text.accounts.name, userText(account.name)],
  [text.signIn.email, html`<bdi>${account.email}</bdi>`],
  [text.accounts.tasks, roleList(context)],
  isLanguage(account.language ?? '') && [
    text.myAccount.language,
    html`<span lang="${account.language}">${messages[account.language as Language].layout.ownName}</span>`,
  ],
])}
${actionLink(`${path}/name`, text.myAccount.changeName)}
${account.language === null ? '' : paragraph(text.myAccount.languageHint)}
${passwordLoginEnabled ? security(context) : ''}
${(await notificationSection(admin, context)) ?? ''}
${section(browsers, table(browsers, columns, rows, { cards: '' }))}
${smallForm(context, `${path}/sign-out-everywhere`, text.myAccount.endAll)}`;
    return { title: text.myAccount.title, body };
  }

  /** That of the municipality, if the account has only one. */
  async function findTimeZone({ loginSession, timeZone }: SignedInContext): Promise<string> {
    const [only, ...others] = loginSession.account.roles;
    const home = only && others.length === 0 ? await store.findOrganization(only.organizationId) : undefined;
    return home !== undefined && isTimeZone(home.timeZone) ? home.timeZone : timeZone;
  }

  function roleList(context: SignedInContext): SafeHtml | string {
    const { isOperator, roles } = context.loginSession.account;
    if (isOperator) return context.text.accounts.roles.operator;
    const items = roles.map(
      ({ organizationName, permissions }) =>
        html`<li>${namePermissions(context, permissions)} (<bdi>${organizationName}</bdi>)</li>`,
    );
    return html`<ul class="inline-list">${items}</ul>`;
  }

  function security(context: SignedInContext): SafeHtml {
    const { text, format, loginSession } = context;
    const { hasSecondFactor, recoveryCodes } = loginSession.account;
    const [state, action] = hasSecondFactor
      ? [
          `${text.secondFactor.isOn} ${text.recoveryCodes.left(format.number(recoveryCodes))}`,
          html`${actionLink(recoveryCodesPath, text.recoveryCodes.create)} ${actionLink(`${secondFactorPath}/remove`, text.secondFactor.remove)}`,
        ]
      : [text.secondFactor.isOff, actionLink(secondFactorPath, text.secondFactor.setUp)];
    return section(
      text.myAccount.security,
      html`${recoveryCodeWarning(context)}${paragraph(state)}
<div class="actions">${actionLink(`${path}/password`, text.myAccount.changePassword)} ${action}</div>`,
    );
  }

  /** @param about read by screen readers after the label, if several buttons have the same label */
  function smallForm(context: SignedInContext, action: string, label: string, about?: string): SafeHtml {
    return html`<form method="post" action="${action}">${csrfField(context)}<button class="kern-btn kern-btn--secondary kern-btn--x-small" type="submit"><span class="kern-label">${label}${about && html`<span class="hidden-text">: ${about}</span>`}</span></button></form>`;
  }

  async function passwordPage(context: SignedInContext, { errors }: FormState): Promise<Page> {
    const { text, loginSession } = context;
    const fields = html`${accountField(context, loginSession.account.email)}
${newPasswordField(context, errors.password)}
${formActions(context, text.myAccount.changePassword, path)}`;
    const body = html`${paragraph(text.myAccount.passwordIntro)}${form(context, fields, errors)}`;
    return { title: text.myAccount.changePassword, body };
  }

  async function changePassword(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    const { account } = context.loginSession;
    const hash = await hashNewPassword(context, values, account);
    await store.setPassword(account.id, hash, context.loginSession, currentActor(context));
    await issueDeviceCookie(store, context, account.email);
    return { redirectTo: `${path}?done=password` };
  }

  async function namePage(context: SignedInContext, { values, errors }: FormState): Promise<Page> {
    const { text, loginSession } = context;
    const name = values.get('name') ?? loginSession.account.name ?? '';
    const fields = html`${personNameField(context, name, errors, 'name')}
${formActions(context, text.form.save, path)}`;
    return { title: text.myAccount.changeName, body: form(context, fields, errors) };
  }

  async function changeName(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    await store.setName(context.loginSession.account.id, readPersonName(context, values));
    return { redirectTo: `${path}?done=name` };
  }

  const routes: Route[] = [
    { path, access: 'signedIn', get: accountPage },
    { path: `${path}/name`, access: 'signedIn', get: namePage, post: changeName },
    {
      path: `${path}/notifications`,
      access: 'signedIn',
      post: async (context, values) => {
        const { account } = context.loginSession;
        const disabled = listNotificationKinds(account).filter((kind) => !values.has(kind));
        await store.setNotifications(account.id, disabled, currentActor(context));
        return { redirectTo: `${path}?done=notifications` };
      },
    },
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
      get: passwordPage,
      post: changePassword,
    },
    ...secondFactorRoutes(admin),
  ];
}
