/** Sends a one-time link by email, and shows whether it was sent. */

import type { Account } from '../../../domain/accounts/account.ts';
import { MailDeliveryError } from '../../../domain/accounts/mail.ts';
import { getInvitationPath, hashToken } from '../../../domain/accounts/one-time-link.ts';
import { alert, announcement, paragraph } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import type { SignedInContext } from '../requests/page-context.ts';
import { isIn } from './account-list.ts';

/** A form that is submitted again sends no second message. */
const sendWindowMs = 3_600_000;

/** @returns the parameter of the next page: `&mail=sent`, `&mail=failed`, or nothing if no message was to be sent */
export async function sendInvitation(
  { store, mailer, log }: AdminContext,
  { language, loginSession, organization, invitationOrigin }: SignedInContext,
  account: Account,
  secret: string,
): Promise<string> {
  if (mailer === undefined) return '';
  const [first] = account.roles;
  const assigned = organization === undefined ? first : account.roles.find(isIn(organization));
  const attempts = await store.hitAttemptLimit(
    `invitation ${hashToken(secret).toString('hex')}`,
    1,
    sendWindowMs,
  );
  if (attempts > 1) return '';
  try {
    await mailer.sendInvitation({
      email: account.email,
      role: assigned ?? null,
      language: account.language ?? language,
      invitedBy: describePerson(loginSession.account),
      url: invitationOrigin + getInvitationPath(secret),
    });
    return '&mail=sent';
  } catch (error) {
    if (!(error instanceof MailDeliveryError)) throw error;
    log.warn({ account: account.id, error: error.message }, 'an invitation could not be sent');
    return '&mail=failed';
  }
}

const describePerson = ({ name, email }: Account): string => (name === null ? email : `${name} (${email})`);

/** The link to copy. If it was sent, it is hidden until somebody asks for it. */
export function invitationLink(
  { text, query }: SignedInContext,
  email: string,
  copyableLink: SafeHtml,
): SafeHtml {
  const { sent, sentHint, showLink, failed, failedHint } = text.invitationMail;
  if (query.get('mail') === 'sent')
    return html`${announcement(sent(email))}${paragraph(sentHint)}
<details><summary class="kern-link">${showLink}</summary>
${paragraph(text.accounts.invitedIntro)}
${copyableLink}</details>`;
  const notice = query.get('mail') === 'failed' ? alert('warning', failed, paragraph(failedHint)) : '';
  return html`${notice}${paragraph(text.accounts.invitedIntro)}
${copyableLink}`;
}
