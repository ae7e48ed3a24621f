/** The page for a forgotten password. Its response is the same, in the same time, for existing and unknown accounts. */
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { anonymous } from '../../../domain/accounts/actor.ts';
import type { Mailer } from '../../../domain/accounts/mail.ts';
import { createPasswordReset, getInvitationPath } from '../../../domain/accounts/one-time-link.ts';
import { parseAccountEmail } from '../../../domain/values/name-and-email-validation.ts';
import { announcement, field, link, paragraph } from '../../ui/components.ts';
import { html } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { allowPasswordReset } from '../auth/login-attempt-limits.ts';
import { form, formActions } from '../forms/forms.ts';
import type { PageContext } from '../requests/page-context.ts';
import { type AdminResponse, FormError, type FormState, type Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';

/** The link is created after the response, at a time that nobody can guess: SQLite writes it in the thread of the responses. */
const delayMs = { min: 200, max: 1_000 };

export const forgottenPasswordPath = '/admin/sign-in/forgotten-password';

export function forgottenPasswordRoutes({
  store,
  mailer,
  log,
  oidc,
  passwordLoginEnabled,
}: AdminContext): Route[] {
  async function show(context: PageContext, { values, errors }: FormState): Promise<Page> {
    const { text, query } = context;
    const { title, intro, submit, sent, sentHint, withoutMail, withoutMailOperator } = text.forgottenPassword;
    const toSignIn = paragraph(link('/admin/sign-in', text.forgottenPassword.toSignIn));
    if (mailer === undefined)
      return {
        title,
        body: html`${paragraph(withoutMail)}${paragraph(withoutMailOperator)}${toSignIn}`,
      };
    if (query.has('sent'))
      return { title, body: html`${announcement(sent)}${paragraph(sentHint)}${toSignIn}` };
    const fields = html`${field({ name: 'email', label: text.signIn.email, type: 'email', value: values.get('email') ?? '', autocomplete: 'username', error: errors.email })}
${formActions(context, submit, '/admin/sign-in')}`;
    return { title, body: html`${paragraph(intro)}${form(context, fields, errors)}` };
  }

  async function submit(
    context: PageContext,
    values: URLSearchParams,
    configuredMailer: Mailer,
  ): Promise<AdminResponse> {
    const { text, clientAddress } = context;
    const email = parseAccountEmail(values.get('email') ?? '');
    if (email === undefined) throw new FormError({ email: text.accounts.emailWrong });
    if (!(await allowPasswordReset(store, email, clientAddress)))
      throw new FormError({ email: text.forgottenPassword.tooMany }, 429);
    // The response does not wait, because its time would show whether the account exists.
    setTimeout(randomInt(delayMs.min, delayMs.max), undefined, { ref: false })
      .then(() => sendLink(context, email, configuredMailer))
      .catch((error: Error) =>
        log.warn({ error: error.message }, 'a link for a forgotten password could not be sent'),
      );
    return { redirectTo: `${forgottenPasswordPath}?sent` };
  }

  async function sendLink(
    { language, clientAddress, invitationOrigin }: PageContext,
    email: string,
    configuredMailer: Mailer,
  ): Promise<void> {
    const credentials = await store.findCredentials(email);
    if (credentials === undefined) return;
    const { account, passwordHash, hasIdentity } = credentials;
    const to = { email, language: account.language ?? language };
    if (oidc !== undefined && hasIdentity && passwordHash === null)
      return configuredMailer.sendPasswordReset({ ...to, url: undefined });
    const secret = randomBytes(32).toString('base64url');
    await store.replaceInvitation(account.id, createPasswordReset(secret), {
      name: anonymous,
      address: clientAddress,
    });
    return configuredMailer.sendPasswordReset({ ...to, url: invitationOrigin + getInvitationPath(secret) });
  }

  if (!passwordLoginEnabled) return [];
  return [
    {
      path: forgottenPasswordPath,
      access: 'public',
      get: show,
      ...(mailer !== undefined && {
        post: (context: PageContext, values: URLSearchParams) => submit(context, values, mailer),
      }),
    },
  ];
}
