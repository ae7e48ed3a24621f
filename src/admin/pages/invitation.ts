/** The one-time link with which an administrator chooses a password. */
import { html } from '@remix-run/html-template';
import type { Administrator } from '../../domain/administration.ts';
import { hashToken } from '../../domain/invitation.ts';
import { hashPassword, longestPassword, shortestPassword, TooBusy } from '../auth/password-hash.ts';
import { findWeakness } from '../auth/password-strength.ts';
import type { Visit } from '../request-context.ts';
import type { Answer, Page } from '../response.ts';
import { appName, type Route, type Site } from '../routes.ts';
import { accountField, alert, button, field, form, link, paragraph } from '../ui/components.ts';
import { startSignIn } from './sign-in.ts';

/** @returns the reason why a new password is refused; undefined for a good one */
export async function findPasswordProblem(
  { text, publicUrl }: Visit,
  password: string,
  { email, organizationName }: Administrator,
): Promise<string | undefined> {
  const length = [...password].length;
  if (length < shortestPassword) return text.password.tooShort(shortestPassword);
  if (length > longestPassword) return text.password.tooLong(longestPassword);
  const host = URL.parse(publicUrl)?.hostname ?? '';
  const names = [email, ...email.split('@'), organizationName ?? '', appName, host];
  const weakness = await findWeakness(password, names);
  return weakness && `${text.password.weak[weakness]} ${text.password.remedy}`;
}

export function newPasswordField({ text }: Visit, error: string | undefined) {
  return field({
    name: 'password',
    label: text.password.label,
    hint: text.password.hint(shortestPassword),
    type: 'password',
    autocomplete: 'new-password',
    error,
    attributes: html` minlength="${shortestPassword}" maxlength="${longestPassword}"`,
  });
}

export function invitationRoutes(site: Site): Route[] {
  const { store, passwordsAllowed } = site;
  const tokenOf = ({ parameters }: Visit) => hashToken(parameters.secret ?? '');

  function expired({ text }: Visit): Page {
    const body = html`${alert('warning', text.invitation.expired, paragraph(text.invitation.expiredHint))}${paragraph(link('/admin/sign-in', text.signIn.title))}`;
    return { title: text.invitation.title, body, status: 410 };
  }

  function page(visit: Visit, { email }: Administrator, error?: string, status = 200): Page {
    const { text } = visit;
    const fields = html`${accountField(visit, email)}
${newPasswordField(visit, error)}
${button(text.invitation.submit)}`;
    const body = html`${paragraph(text.invitation.intro)}${form(visit, fields, error === undefined ? {} : { password: error })}`;
    return { title: text.invitation.title, body, status };
  }

  async function show(visit: Visit): Promise<Answer> {
    const invited = await store.findInvitedAdministrator(tokenOf(visit));
    if (invited === undefined) return expired(visit);
    return passwordsAllowed ? page(visit, invited) : { to: '/admin/sign-in' };
  }

  async function submit(visit: Visit, typed: URLSearchParams): Promise<Answer> {
    const invited = await store.findInvitedAdministrator(tokenOf(visit));
    if (invited === undefined) return expired(visit);
    const password = typed.get('password') ?? '';
    const problem = await findPasswordProblem(visit, password, invited);
    if (problem !== undefined) return page(visit, invited, problem, 422);
    try {
      const hash = await hashPassword(password);
      const accepted = await store.acceptInvitation(tokenOf(visit), hash, visit.address);
      return accepted === undefined ? expired(visit) : startSignIn(site, visit, accepted, undefined);
    } catch (error) {
      if (error instanceof TooBusy) return page(visit, invited, visit.text.signIn.tooMany, 429);
      throw error;
    }
  }

  return [{ path: '/admin/invitation/:secret', for: 'everybody', show, ...(passwordsAllowed && { submit }) }];
}
