/** Signing in with a password, the code of the second factor, and entering the password afresh. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Administrator } from '../../domain/administration.ts';
import { isEmail } from '../../domain/email.ts';
import { hashToken } from '../../domain/invitation.ts';
import { findDevice, issueDeviceCookie } from '../auth/device-cookie.ts';
import { mayConfirm, mayTryCode, mayTryPassword } from '../auth/login-throttle.ts';
import { type Origin, TooBusy, verifyPassword } from '../auth/password-hash.ts';
import { stepOfCode } from '../auth/totp.ts';
import { actorOf, type SignedInVisit, type Visit } from '../request-context.ts';
import type { Answer, Page } from '../response.ts';
import { detour, startPage, wayBack } from '../return-url.ts';
import type { Route, Site } from '../routes.ts';
import { accountField, actionLink, alert, button, field, form, link, paragraph } from '../ui/components.ts';

export function signInRoutes(site: Site): Route[] {
  const { store, log, passwordsAllowed, singleSignOn } = site;

  function signInPage(visit: Visit, errors: Record<string, string> = {}, email = '', status = 200): Page {
    const { text, query } = visit;
    const back = wayBack(query);
    const content: SafeHtml[] = [];
    if (query.has('ended')) content.push(alert('warning', text.signIn.ended, paragraph(text.signIn.kept)));
    if (query.has('signed-out')) content.push(alert('success', text.signIn.signedOut));
    if (query.has('refused'))
      content.push(alert('danger', text.signIn.refused, paragraph(text.signIn.refusedHint)));
    if (singleSignOn !== undefined) {
      content.push(
        actionLink(
          detour('/admin/sign-in/provider', back),
          text.signIn.withProvider,
          passwordsAllowed ? 'secondary' : 'primary',
        ),
      );
    }
    if (passwordsAllowed) {
      const fields = html`<input type="hidden" name="return" value="${back ?? ''}">
${field({ name: 'email', label: text.signIn.email, type: 'email', value: email, autocomplete: 'username', error: errors.email })}
${field({ name: 'password', label: text.signIn.password, type: 'password', autocomplete: 'current-password', error: errors.password })}
${button(text.signIn.submit)}`;
      content.push(form(visit, fields, errors));
    }
    return { title: text.signIn.title, body: html`${content}`, status };
  }

  /** @returns undefined when the password is wrong, or there is no such account: nobody learns which */
  async function administratorWith(
    email: string,
    password: string,
    origin: Origin,
  ): Promise<Administrator | undefined> {
    const credentials = isEmail(email) ? await store.findCredentials(email) : undefined;
    const matches = await verifyPassword(password, credentials?.passwordHash ?? null, origin);
    return matches ? credentials?.administrator : undefined;
  }

  /** Checks a password within what is allowed; `error` has what to tell otherwise. */
  async function tried(
    visit: Visit,
    isAllowed: Promise<boolean>,
    email: string,
    password: string,
    origin: Origin,
  ): Promise<{ found: Administrator } | { error: string; status: number }> {
    const { text, address } = visit;
    if (!(await isAllowed)) {
      log.warn({ address }, 'sign-in throttled');
      return { error: text.signIn.tooMany, status: 429 };
    }
    try {
      const found = await administratorWith(email, password, origin);
      if (found !== undefined) return { found };
      log.warn({ address }, 'sign-in refused');
      return { error: text.signIn.wrong, status: 422 };
    } catch (error) {
      if (error instanceof TooBusy) return { error: text.signIn.tooMany, status: 429 };
      throw error;
    }
  }

  async function submitSignIn(visit: Visit, fields: URLSearchParams): Promise<Answer> {
    const { text } = visit;
    const email = (fields.get('email') ?? '').trim().toLowerCase();
    const password = fields.get('password') ?? '';
    visit.query.set('return', fields.get('return') ?? '');
    const missing: Record<string, string> = {};
    if (email === '') missing.email = text.signIn.emailMissing;
    if (password === '') missing.password = text.signIn.passwordMissing;
    if (Object.keys(missing).length > 0) return signInPage(visit, missing, email, 422);
    const device = await findDevice(store, visit, email);
    const isAllowed = mayTryPassword(store, email, visit.address, device);
    const result = await tried(visit, isAllowed, email, password, device === undefined ? 'unknown' : 'known');
    if ('error' in result) return signInPage(visit, { password: result.error }, email, result.status);
    return startSignIn(site, visit, result.found, wayBack(visit.query));
  }

  function codePage(visit: SignedInVisit, errors: Record<string, string> = {}, status = 200): Page {
    const { text, query } = visit;
    const fields = html`<input type="hidden" name="return" value="${wayBack(query) ?? ''}">
${field({
  name: 'code',
  label: text.code.label,
  hint: text.code.hint,
  autocomplete: 'one-time-code',
  error: errors.code,
  attributes: html` inputmode="numeric" maxlength="7"`,
})}
${button(text.code.submit)}`;
    const body = html`${form(visit, fields, errors)}${paragraph(link('/admin/sign-in', text.code.anotherAccount))}`;
    return { title: text.code.title, body, status };
  }

  async function submitCode(visit: SignedInVisit, fields: URLSearchParams): Promise<Answer> {
    const { text, signIn, nowMs } = visit;
    const { administrator } = signIn;
    visit.query.set('return', fields.get('return') ?? '');
    const device = await findDevice(store, visit, administrator.email);
    if (!(await mayTryCode(store, administrator.id, device)))
      return codePage(visit, { code: text.code.tooMany }, 429);
    const secret = (await store.findCredentials(administrator.email))?.totpSecret;
    const step = secret && stepOfCode(secret, fields.get('code') ?? '', nowMs);
    if (!step || !(await store.consumeTotpStep(administrator.id, step)))
      return codePage(visit, { code: text.code.wrong }, 422);
    await store.completeSecondFactor(signIn.id, hashToken(visit.renewToken()), actorOf(visit));
    await issueDeviceCookie(store, visit, administrator.email);
    return { to: wayBack(visit.query) ?? startPage(administrator) };
  }

  function confirmPage(visit: SignedInVisit, errors: Record<string, string> = {}, status = 200): Page {
    const { text, query, signIn } = visit;
    const back = wayBack(query);
    const content = [paragraph(text.confirm.why)];
    if (query.has('refused'))
      content.unshift(alert('danger', text.signIn.refused, paragraph(text.signIn.refusedHint)));
    if (passwordsAllowed && signIn.administrator.hasPassword) {
      const fields = html`<input type="hidden" name="return" value="${back ?? ''}">
${accountField(visit, signIn.administrator.email)}
${field({ name: 'password', label: text.signIn.password, type: 'password', autocomplete: 'current-password', error: errors.password })}
${button(text.confirm.submit)}`;
      content.push(form(visit, fields, errors));
    }
    if (singleSignOn !== undefined) {
      const address = detour('/admin/sign-in/provider', back, { afresh: '1' });
      content.push(actionLink(address, text.confirm.withProvider));
    }
    return { title: text.confirm.title, body: html`${content}`, status };
  }

  async function submitConfirm(visit: SignedInVisit, fields: URLSearchParams): Promise<Answer> {
    const { administrator, id } = visit.signIn;
    visit.query.set('return', fields.get('return') ?? '');
    const isAllowed = mayConfirm(store, id);
    const result = await tried(visit, isAllowed, administrator.email, fields.get('password') ?? '', 'known');
    if ('error' in result) {
      const error = result.status === 422 ? visit.text.confirm.wrong : result.error;
      return confirmPage(visit, { password: error }, result.status);
    }
    await store.recordReauthentication(id);
    return { to: wayBack(visit.query) ?? startPage(administrator) };
  }

  return [
    {
      path: '/admin/sign-in',
      for: 'everybody',
      show: async (visit) =>
        visit.signIn !== undefined && !visit.signIn.pendingSecondFactor
          ? { to: wayBack(visit.query) ?? startPage(visit.signIn.administrator) }
          : signInPage(visit),
      ...(passwordsAllowed && { submit: submitSignIn }),
    },
    {
      path: '/admin/sign-in/code',
      for: 'halfSignedIn',
      show: async (visit) => codePage(visit),
      submit: submitCode,
    },
    {
      path: '/admin/confirm',
      for: 'administrators',
      show: async (visit) => confirmPage(visit),
      ...(passwordsAllowed && { submit: submitConfirm }),
    },
    {
      path: '/admin/sign-out',
      for: 'administrators',
      submit: async (visit) => {
        await store.endLoginSessions(visit.signIn.administrator.id, visit.signIn.id, actorOf(visit));
        visit.renewToken();
        return { to: '/admin/sign-in?signed-out=1' };
      },
    },
  ];
}

/** Gives the browser a new secret, so that one that was known before signing in is worth nothing. */
export async function startSignIn(
  { store, bounds }: Site,
  visit: Visit,
  administrator: Administrator,
  back: string | undefined,
  proof: { pendingSecondFactor: boolean; reauthenticatedAtMs: number | undefined } = {
    pendingSecondFactor: administrator.hasSecondFactor,
    reauthenticatedAtMs: undefined,
  },
): Promise<Answer> {
  const { address, browser } = visit;
  const { pendingSecondFactor } = proof;
  const tokenHash = hashToken(visit.renewToken());
  await store.createLoginSession(
    { administratorId: administrator.id, tokenHash, ...proof, address, browser },
    bounds,
  );
  if (!pendingSecondFactor) await issueDeviceCookie(store, visit, administrator.email);
  return {
    to: pendingSecondFactor ? detour('/admin/sign-in/code', back) : (back ?? startPage(administrator)),
  };
}
