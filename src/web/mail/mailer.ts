/** Sends messages that answer an action: invitations, and links for a forgotten password. */
import { randomUUID } from 'node:crypto';
import { findRole, listGranted, type Permission } from '../../domain/accounts/account.ts';
import type { Mailer } from '../../domain/accounts/mail.ts';
import type { MailMessages } from './messages/en.ts';
import { selectMailLanguage } from './messages/languages.ts';
import { renderMail } from './render-mail.ts';
import type { SmtpTransport } from './smtp-transport.ts';

/** A person waits for the page, or for the message. */
const timeoutMs = 15_000;

/**
 * A one-time link is never stored: the database has only its hash, so a reader of the database or of a backup cannot use it.
 * A message that cannot be sent is therefore not repeated.
 */
export function createMailer(transport: SmtpTransport, publicUrl: string): Mailer {
  const send = async (to: string, content: Omit<Parameters<typeof renderMail>[0], 'footerLinks'>) => {
    const messageId = `<${randomUUID()}@${transport.senderDomain}>`;
    const body = renderMail({ ...content, footerLinks: [] });
    await transport.send({ ...body, to, messageId, unsubscribeUrl: undefined }, timeoutMs);
  };
  return {
    sendInvitation: async ({ email, language, role, invitedBy, url }) => {
      const { language: chosen, text } = selectMailLanguage(language);
      const { facts, invitation } = text;
      const organizationName = role?.organizationName ?? null;
      await send(email, {
        language: chosen,
        subject: invitation.subject(organizationName),
        paragraphs: [invitation.intro(invitedBy)],
        groups: [
          [
            [facts.account, email],
            ...(organizationName === null ? [] : [[facts.municipality, organizationName] as const]),
            [facts.tasks, role === null ? text.roles.operator : namePermissions(text, role.permissions)],
          ],
        ],
        action: { label: invitation.action, url },
        remarks: [invitation.validity, invitation.unexpected],
        footer: [invitation.reason(publicUrl)],
      });
    },
    sendPasswordReset: async ({ email, language, url }) => {
      const { language: chosen, text } = selectMailLanguage(language);
      const { facts, passwordReset, singleSignOn } = text;
      const isWithoutPassword = url === undefined;
      await send(email, {
        language: chosen,
        subject: passwordReset.subject,
        paragraphs: [passwordReset.intro, ...(isWithoutPassword ? [singleSignOn.explanation] : [])],
        groups: [[[facts.account, email]]],
        action: isWithoutPassword
          ? { label: singleSignOn.action, url: `${publicUrl}/admin/sign-in` }
          : { label: passwordReset.action, url },
        remarks: [...(isWithoutPassword ? [] : [passwordReset.validity]), passwordReset.unexpected],
        footer: [passwordReset.reason(publicUrl)],
      });
    },
  };
}

function namePermissions({ roles, permissions }: MailMessages, held: readonly Permission[]): string {
  const role = findRole(held);
  if (role !== undefined) return roles[role];
  return listGranted(held)
    .map((each) => permissions[each])
    .join(', ');
}
