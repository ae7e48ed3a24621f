/** Sends invitations while the page loads. */
import { randomUUID } from 'node:crypto';
import type { Mailer } from '../domain/mail.ts';
import { selectMailLanguage } from './messages/languages.ts';
import { renderMail } from './render-mail.ts';
import type { SmtpTransport } from './smtp-transport.ts';

/** A person waits for the page. */
const timeoutMs = 15_000;

/**
 * The link of an invitation is never stored: the database has only its hash, so a reader of the database or of a backup
 * cannot use it. A message that cannot be sent is therefore not repeated; the page shows the link instead.
 */
export function createInvitationMailer(transport: SmtpTransport, publicUrl: string): Mailer {
  return {
    sendInvitation: async ({ email, language, role, organizationName, invitedBy, url }) => {
      const { language: chosen, text } = selectMailLanguage(language);
      const { facts, invitation, roles } = text;
      const body = renderMail({
        language: chosen,
        subject: invitation.subject(organizationName),
        paragraphs: [invitation.intro(invitedBy)],
        groups: [
          [
            [facts.account, email],
            ...(organizationName === null ? [] : [[facts.municipality, organizationName] as const]),
            [facts.role, roles[role]],
          ],
        ],
        action: { label: invitation.action, url },
        remarks: [invitation.validity, invitation.unexpected],
        footer: [invitation.reason(publicUrl)],
        footerLinks: [],
      });
      const messageId = `<${randomUUID()}@${transport.senderDomain}>`;
      await transport.send({ ...body, to: email, messageId, unsubscribeUrl: undefined }, timeoutMs);
    },
  };
}
