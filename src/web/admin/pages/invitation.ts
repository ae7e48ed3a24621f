/** The page of a one-time link, where a person chooses a password. */

import type { Account, InvitedAccount, Permission } from '../../../domain/accounts/account.ts';
import { hashToken } from '../../../domain/accounts/one-time-link.ts';
import { alert, button, field, link, paragraph } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { type AdminContext, appName } from '../admin-context.ts';
import {
  HashQueueFullError,
  hashPassword,
  maxPasswordLength,
  minPasswordLength,
} from '../auth/password-hash.ts';
import { findWeakness } from '../auth/password-strength.ts';
import { accountField, form } from '../forms/forms.ts';
import type { PageContext } from '../requests/page-context.ts';
import {
  type AdminResponse,
  FormError,
  type FormErrors,
  type FormState,
  type Page,
} from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { forgottenPasswordPath } from './forgotten-password.ts';
import { startLoginSession } from './sign-in.ts';

/** Hashes the new password in a form. @throws FormError */
export async function hashNewPassword(
  { text, publicUrl }: PageContext,
  values: URLSearchParams,
  { email, roles }: Account,
): Promise<string> {
  const reject = (password: string) => new FormError({ password });
  const password = values.get('password') ?? '';
  const length = [...password].length;
  if (length < minPasswordLength) throw reject(text.password.tooShort(minPasswordLength));
  if (length > maxPasswordLength) throw reject(text.password.tooLong(maxPasswordLength));
  const host = URL.parse(publicUrl)?.hostname ?? '';
  const names = [
    email,
    ...email.split('@'),
    ...roles.map(({ organizationName }) => organizationName),
    appName,
    host,
  ];
  const weakness = await findWeakness(password, names);
  if (weakness !== undefined) throw reject(text.password.weak[weakness]);
  try {
    return await hashPassword(password);
  } catch (error) {
    if (error instanceof HashQueueFullError) throw new FormError({ password: text.signIn.tooMany }, 429);
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

/** Where the account has which tasks. */
function describeRoles({ text }: PageContext, { isOperator, roles }: Account): SafeHtml {
  const words = text.invitation;
  if (isOperator) return paragraph(words.asOperator);
  const describe = (permission: Permission) => {
    const { label, hint } = text.permissions[permission];
    return html`<li><strong>${label}</strong>: ${hint}</li>`;
  };
  return html`${roles.map(
    ({ organizationName, permissions }) =>
      html`${paragraph(words.asRole(organizationName))}<ul class="kern-list kern-body">${permissions.map(describe)}</ul>`,
  )}`;
}

export function invitationRoutes(admin: AdminContext): Route[] {
  const { store, passwordLoginEnabled } = admin;
  const hashLinkToken = ({ params }: PageContext) => hashToken(params.secret ?? '');

  function expiredPage({ text }: PageContext): Page {
    const body = html`${alert('warning', text.invitation.expired, paragraph(text.invitation.expiredHint))}${paragraph(link('/admin/sign-in', text.signIn.title))}${passwordLoginEnabled ? paragraph(link(forgottenPasswordPath, text.forgottenPassword.title)) : ''}`;
    return { title: text.invitation.title, body, status: 410 };
  }

  function passwordPage(context: PageContext, account: InvitedAccount, errors: FormErrors): Page {
    const { text } = context;
    const roles = account.keepsSecondFactor ? '' : describeRoles(context, account);
    const { email, hasPassword, hasSecondFactor, keepsSecondFactor } = account;
    const { intro, effect, effectWithSecondFactor, secondFactorStays } = text.invitation;
    const fields = html`${accountField(context, email)}
${newPasswordField(context, errors.password)}
${button(text.invitation.submit)}`;
    const body = html`${roles}${paragraph(intro)}${hasPassword ? paragraph(keepsSecondFactor ? effect : effectWithSecondFactor) : ''}${keepsSecondFactor && hasSecondFactor ? paragraph(secondFactorStays) : ''}${form(context, fields, errors)}`;
    // As in the email that has the link.
    const title = keepsSecondFactor ? text.invitation.titleOfReset : text.invitation.title;
    return { title, body };
  }

  async function show(context: PageContext, { errors }: FormState): Promise<AdminResponse> {
    const invited = await store.findInvitedAccount(hashLinkToken(context));
    if (invited === undefined) return expiredPage(context);
    return passwordLoginEnabled ? passwordPage(context, invited, errors) : { redirectTo: '/admin/sign-in' };
  }

  async function submit(context: PageContext, values: URLSearchParams): Promise<AdminResponse> {
    const invited = await store.findInvitedAccount(hashLinkToken(context));
    if (invited === undefined) return expiredPage(context);
    const hash = await hashNewPassword(context, values, invited);
    const accepted = await store.acceptInvitation(hashLinkToken(context), hash, context.clientAddress);
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
