/** An administrator's own account: password, second factor, and the browsers that are signed in. */

import { html, type SafeHtml } from '@remix-run/html-template';
import Bowser from 'bowser';
import type { LoginSession } from '../../domain/administration.ts';
import { issueDeviceCookie } from '../auth/device-cookie.ts';
import { mayTryCode } from '../auth/login-throttle.ts';
import { hashPassword, TooBusy } from '../auth/password-hash.ts';
import { enrolment, secretLength, stepOfCode } from '../auth/totp.ts';
import { actorOf, derived, formToken, type SignedInVisit } from '../request-context.ts';
import type { Answer, Page } from '../response.ts';
import { appName, type Route, type Site } from '../routes.ts';
import {
  accountField,
  actionLink,
  announcement,
  badge,
  button,
  descriptionList,
  field,
  form,
  paragraph,
  table,
} from '../ui/components.ts';
import { findPasswordProblem, newPasswordField } from './invitation.ts';

const path = '/admin/account';

/** Such as "Firefox, Linux". */
function browserName({ browser }: LoginSession): string | undefined {
  if (browser === '') return undefined;
  const { browser: program, os } = Bowser.parse(browser);
  return [program.name, os.name].filter(Boolean).join(', ') || undefined;
}

export function accountRoutes(site: Site): Route[] {
  const { store, bounds, passwordsAllowed } = site;

  async function show(visit: SignedInVisit): Promise<Page> {
    const { text, format, query, signIn } = visit;
    const { administrator } = signIn;
    const signIns = await store.listLoginSessions(administrator.id, bounds);
    const rows = signIns.map((one) => [
      browserName(one) ?? text.account.unknownBrowser,
      one.address,
      format.time(new Date(one.createdAtMs).toISOString()),
      format.time(new Date(one.lastSeenAtMs).toISOString()),
      one.id === signIn.id ? badge('info', text.account.thisBrowser) : endButton(visit, one),
    ]);
    const done = query.get('done') ?? '';
    const notice = Object.hasOwn(text.account.done, done) ? text.account.done[done] : undefined;
    const role =
      administrator.organizationId === null
        ? text.administrators.operator
        : html`${text.administrators.administratorOf} <bdi>${administrator.organizationName ?? ''}</bdi>`;
    const body = html`${notice === undefined ? '' : announcement(notice)}
${descriptionList([
  [text.signIn.email, html`<bdi>${administrator.email}</bdi>`],
  [text.administrators.role, role],
])}
${passwordsAllowed ? security(visit) : ''}
<h2 class="kern-heading-medium">${text.account.browsers}</h2>
${table(
  text.account.browsers,
  [
    { heading: text.account.browser },
    { heading: text.account.address },
    { heading: text.account.since },
    { heading: text.account.lastSeen },
    { heading: text.account.end },
  ],
  rows,
  { hideCaption: true },
)}
${smallForm(visit, `${path}/sign-out-everywhere`, text.account.endAll, '')}`;
    return { title: text.account.title, body };
  }

  function security({ text, signIn }: SignedInVisit): SafeHtml {
    const { hasSecondFactor } = signIn.administrator;
    return html`<h2 class="kern-heading-medium">${text.account.security}</h2>
${paragraph(hasSecondFactor ? text.secondFactor.isOn : text.secondFactor.isOff)}
<div class="actions">${actionLink(`${path}/password`, text.account.changePassword)} ${actionLink(
      hasSecondFactor ? `${path}/second-factor/remove` : `${path}/second-factor`,
      hasSecondFactor ? text.secondFactor.remove : text.secondFactor.setUp,
    )}</div>`;
  }

  function endButton(visit: SignedInVisit, signIn: LoginSession): SafeHtml {
    const { end, unknownBrowser } = visit.text.account;
    return smallForm(visit, `${path}/sign-ins/${signIn.id}/end`, end, browserName(signIn) ?? unknownBrowser);
  }

  /** @param about read out after the button's text, where several buttons say the same */
  function smallForm({ token }: SignedInVisit, action: string, label: string, about: string): SafeHtml {
    return html`<form method="post" action="${action}"><input type="hidden" name="token" value="${formToken(token)}"><button class="kern-btn kern-btn--secondary kern-btn--x-small" type="submit"><span class="kern-label">${label}${about === '' ? '' : html`<span class="hidden-text">: ${about}</span>`}</span></button></form>`;
  }

  function passwordPage(visit: SignedInVisit, error?: string, status = 200): Page {
    const { text, signIn } = visit;
    const fields = html`${accountField(visit, signIn.administrator.email)}
${newPasswordField(visit, error)}
<div class="actions">${button(text.account.changePassword)} ${actionLink(path, text.form.cancel)}</div>`;
    const body = html`${paragraph(text.account.passwordIntro)}${form(visit, fields, error === undefined ? {} : { password: error })}`;
    return { title: text.account.changePassword, body, status };
  }

  async function changePassword(visit: SignedInVisit, typed: URLSearchParams): Promise<Answer> {
    const { administrator } = visit.signIn;
    const password = typed.get('password') ?? '';
    const problem = await findPasswordProblem(visit, password, administrator);
    if (problem !== undefined) return passwordPage(visit, problem, 422);
    try {
      const hash = await hashPassword(password);
      await store.setPassword(administrator.id, hash, visit.signIn, actorOf(visit));
      await issueDeviceCookie(store, visit, administrator.email);
      return { to: `${path}?done=password` };
    } catch (error) {
      if (error instanceof TooBusy) return passwordPage(visit, visit.text.signIn.tooMany, 429);
      throw error;
    }
  }

  /**
   * Of one sign-in the same until its code was taken, so that it need not be kept before that, and a reload does not
   * change what the app has read.
   */
  async function secretFor({ token, signIn }: SignedInVisit): Promise<Buffer> {
    const { id, administrator } = signIn;
    const step = (await store.findCredentials(administrator.email))?.totpStep;
    return derived(token, `second factor ${id} ${step}`).subarray(0, secretLength);
  }

  async function setUpPage(visit: SignedInVisit, error?: string, status = 200): Promise<Page> {
    const { text, signIn } = visit;
    const { secret, qrCode } = enrolment(await secretFor(visit), signIn.administrator.email, appName);
    const fields = html`${field({
      name: 'code',
      label: text.code.label,
      hint: text.secondFactor.codeHint,
      autocomplete: 'one-time-code',
      error,
      attributes: html` inputmode="numeric" maxlength="7"`,
    })}
<div class="actions">${button(text.secondFactor.setUp)} ${actionLink(path, text.form.cancel)}</div>`;
    const body = html`${paragraph(text.secondFactor.intro)}
<div class="qr-code" role="img" aria-label="${text.secondFactor.qrCode}">${html.raw`${qrCode}`}</div>
${descriptionList([[text.secondFactor.secret, html`<code>${secret}</code>`]])}
${form(visit, fields, error === undefined ? {} : { code: error })}`;
    return { title: text.secondFactor.setUp, body, status };
  }

  async function setUp(visit: SignedInVisit, typed: URLSearchParams): Promise<Answer> {
    const { text, signIn, nowMs } = visit;
    const { administrator } = signIn;
    // The form may have been sent twice.
    if (administrator.hasSecondFactor) return { to: `${path}?done=second-factor` };
    if (!(await mayTryCode(store, administrator.id))) return setUpPage(visit, text.code.tooMany, 429);
    const secret = await secretFor(visit);
    const step = stepOfCode(secret, typed.get('code') ?? '', nowMs);
    if (step === undefined || !(await store.consumeTotpStep(administrator.id, step)))
      return setUpPage(visit, text.code.wrong, 422);
    await store.setSecondFactor(administrator.id, secret, signIn, actorOf(visit));
    return { to: `${path}?done=second-factor` };
  }

  function removalPage(visit: SignedInVisit): Page {
    const { text } = visit;
    const fields = html`<div class="actions">${button(text.secondFactor.remove)} ${actionLink(path, text.form.cancel)}</div>`;
    const body = html`${paragraph(text.secondFactor.removeIntro)}${form(visit, fields)}`;
    return { title: text.secondFactor.remove, body };
  }

  const routes: Route[] = [
    { path, for: 'administrators', show },
    {
      path: `${path}/sign-ins/:signInId/end`,
      for: 'administrators',
      submit: async (visit) => {
        const { administrator } = visit.signIn;
        await store.endLoginSessions(administrator.id, visit.parameters.signInId, actorOf(visit));
        return { to: `${path}?done=ended` };
      },
    },
    {
      path: `${path}/sign-out-everywhere`,
      for: 'administrators',
      submit: async (visit) => {
        await store.endLoginSessions(visit.signIn.administrator.id, undefined, actorOf(visit));
        visit.renewToken();
        return { to: '/admin/sign-in?signed-out=1' };
      },
    },
  ];
  if (!passwordsAllowed) return routes;
  return [
    ...routes,
    {
      path: `${path}/password`,
      for: 'administrators',
      fresh: true,
      show: async (visit) => passwordPage(visit),
      submit: changePassword,
    },
    {
      path: `${path}/second-factor`,
      for: 'administrators',
      fresh: true,
      show: async (visit) => (visit.signIn.administrator.hasSecondFactor ? { to: path } : setUpPage(visit)),
      submit: setUp,
    },
    {
      path: `${path}/second-factor/remove`,
      for: 'administrators',
      fresh: true,
      show: async (visit) => removalPage(visit),
      submit: async (visit) => {
        const { signIn } = visit;
        await store.setSecondFactor(signIn.administrator.id, null, signIn, actorOf(visit));
        return { to: `${path}?done=second-factor-removed` };
      },
    },
  ];
}
