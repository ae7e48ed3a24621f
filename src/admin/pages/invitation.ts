/** The page of a one-time link, where an administrator chooses a password. */
import { html } from '@remix-run/html-template';
import type { Administrator } from '../../domain/administration.ts';
import { hashToken } from '../../domain/invitation.ts';
import {
  HashQueueFullError,
  hashPassword,
  maxPasswordLength,
  minPasswordLength,
} from '../auth/password-hash.ts';
import { findWeakness } from '../auth/password-strength.ts';
import type { PageContext } from '../page-context.ts';
import type { AdminResponse, Page } from '../response.ts';
import { type AdminContext, appName, type Route } from '../route.ts';
import { accountField, alert, button, field, form, link, paragraph } from '../ui/components.ts';
import { startLoginSession } from './sign-in.ts';

/** @returns an error message; undefined for an acceptable password */
export async function findPasswordProblem(
  { text, publicUrl }: PageContext,
  password: string,
  { email, organizationName }: Administrator,
): Promise<string | undefined> {
  const length = [...password].length;
  if (length < minPasswordLength) return text.password.tooShort(minPasswordLength);
  if (length > maxPasswordLength) return text.password.tooLong(maxPasswordLength);
  const host = URL.parse(publicUrl)?.hostname ?? '';
  const names = [email, ...email.split('@'), organizationName ?? '', appName, host];
  const weakness = await findWeakness(password, names);
  return weakness && text.password.weak[weakness];
}

export function newPasswordField({ text }: PageContext, error: string | undefined) {
  return field({
    name: 'password',
    label: text.password.label,
    hint: text.password.hint(minPasswordLength),
    type: 'password',
    autocomplete: 'new-password',
    error,
    attributes: html` minlength="${minPasswordLength}" maxlength="${maxPasswordLength}"`,
  });
}

export function invitationRoutes(admin: AdminContext): Route[] {
  const { store, passwordLoginEnabled } = admin;
  const tokenOf = ({ params }: PageContext) => hashToken(params.secret ?? '');

  function expiredPage({ text }: PageContext): Page {
    const body = html`${alert('warning', text.invitation.expired, paragraph(text.invitation.expiredHint))}${paragraph(link('/admin/sign-in', text.signIn.title))}`;
    return { title: text.invitation.title, body, status: 410 };
  }

  function passwordPage(context: PageContext, { email }: Administrator, error?: string, status = 200): Page {
    const { text } = context;
    const fields = html`${accountField(context, email)}
${newPasswordField(context, error)}
${button(text.invitation.submit)}`;
    const body = html`${paragraph(text.invitation.intro)}${form(context, fields, error === undefined ? {} : { password: error })}`;
    return { title: text.invitation.title, body, status };
  }

  async function show(context: PageContext): Promise<AdminResponse> {
    const invited = await store.findInvitedAdministrator(tokenOf(context));
    if (invited === undefined) return expiredPage(context);
    return passwordLoginEnabled ? passwordPage(context, invited) : { redirectTo: '/admin/sign-in' };
  }

  async function submit(context: PageContext, values: URLSearchParams): Promise<AdminResponse> {
    const invited = await store.findInvitedAdministrator(tokenOf(context));
    if (invited === undefined) return expiredPage(context);
    const password = values.get('password') ?? '';
    const problem = await findPasswordProblem(context, password, invited);
    if (problem !== undefined) return passwordPage(context, invited, problem, 422);
    try {
      const hash = await hashPassword(password);
      const accepted = await store.acceptInvitation(tokenOf(context), hash, context.clientAddress);
      return accepted === undefined
        ? expiredPage(context)
        : startLoginSession(admin, context, accepted, undefined);
    } catch (error) {
      if (error instanceof HashQueueFullError)
        return passwordPage(context, invited, context.text.signIn.tooMany, 429);
      throw error;
    }
  }

  return [
    {
      path: '/admin/invitation/:secret',
      access: 'public',
      get: show,
      ...(passwordLoginEnabled && { post: submit }),
    },
  ];
}
