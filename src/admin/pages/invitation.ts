/** The page of a one-time link, where a person chooses a password. */
import { html } from '@remix-run/html-template';
import type { Account } from '../../domain/account.ts';
import { hashToken } from '../../domain/one-time-link.ts';
import { type AdminContext, appName } from '../admin-context.ts';
import {
  HashQueueFullError,
  hashPassword,
  maxPasswordLength,
  minPasswordLength,
} from '../auth/password-hash.ts';
import { findWeakness } from '../auth/password-strength.ts';
import type { PageContext } from '../page-context.ts';
import type { AdminResponse, Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import { accountField, alert, button, field, form, link, paragraph } from '../ui/components.ts';
import { startLoginSession } from './sign-in.ts';

/** Checks and hashes the new password in a form. `error` is the message for the user. */
export async function hashNewPassword(
  { text, publicUrl }: PageContext,
  values: URLSearchParams,
  { email, roles }: Account,
): Promise<{ hash: string } | { error: string; status: number }> {
  const password = values.get('password') ?? '';
  const length = [...password].length;
  if (length < minPasswordLength) return { error: text.password.tooShort(minPasswordLength), status: 422 };
  if (length > maxPasswordLength) return { error: text.password.tooLong(maxPasswordLength), status: 422 };
  const host = URL.parse(publicUrl)?.hostname ?? '';
  const names = [
    email,
    ...email.split('@'),
    ...roles.map(({ organizationName }) => organizationName),
    appName,
    host,
  ];
  const weakness = await findWeakness(password, names);
  if (weakness !== undefined) return { error: text.password.weak[weakness], status: 422 };
  try {
    return { hash: await hashPassword(password) };
  } catch (error) {
    if (error instanceof HashQueueFullError) return { error: text.signIn.tooMany, status: 429 };
    throw error;
  }
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
  const hashLinkToken = ({ params }: PageContext) => hashToken(params.secret ?? '');

  function expiredPage({ text }: PageContext): Page {
    const body = html`${alert('warning', text.invitation.expired, paragraph(text.invitation.expiredHint))}${paragraph(link('/admin/sign-in', text.signIn.title))}`;
    return { title: text.invitation.title, body, status: 410 };
  }

  function passwordPage(
    context: PageContext,
    { email, hasPassword }: Account,
    error?: string,
    status = 200,
  ): Page {
    const { text } = context;
    const fields = html`${accountField(context, email)}
${newPasswordField(context, error)}
${button(text.invitation.submit)}`;
    const body = html`${paragraph(text.invitation.intro)}${hasPassword ? paragraph(text.invitation.effect) : ''}${form(context, fields, error === undefined ? {} : { password: error })}`;
    return { title: text.invitation.title, body, status };
  }

  async function show(context: PageContext): Promise<AdminResponse> {
    const invited = await store.findInvitedAccount(hashLinkToken(context));
    if (invited === undefined) return expiredPage(context);
    return passwordLoginEnabled ? passwordPage(context, invited) : { redirectTo: '/admin/sign-in' };
  }

  async function submit(context: PageContext, values: URLSearchParams): Promise<AdminResponse> {
    const invited = await store.findInvitedAccount(hashLinkToken(context));
    if (invited === undefined) return expiredPage(context);
    const checked = await hashNewPassword(context, values, invited);
    if ('error' in checked) return passwordPage(context, invited, checked.error, checked.status);
    const accepted = await store.acceptInvitation(
      hashLinkToken(context),
      checked.hash,
      context.clientAddress,
    );
    return accepted === undefined
      ? expiredPage(context)
      : startLoginSession(admin, context, accepted, undefined);
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
