import { randomUUID } from 'node:crypto';
import { renderMail } from './render-mail.ts';
import type { OutgoingMail } from './smtp-transport.ts';

/** The message of `rostra mail test`, which is for operators and therefore in English, as all commands are. */
export function composeTestMail(to: string, publicUrl: string, senderDomain: string): OutgoingMail {
  const body = renderMail({
    language: 'en',
    subject: 'Test message from Rostra',
    paragraphs: [
      'This message shows that Rostra can send emails. You do not need to do anything.',
      'If it arrived in the spam folder, check the SPF and DKIM records of the sender’s domain.',
    ],
    groups: [],
    action: undefined,
    remarks: [],
    footer: [`Sent by "rostra mail test" for ${publicUrl}`],
    footerLinks: [],
  });
  return { ...body, to, messageId: `<${randomUUID()}@${senderDomain}>`, unsubscribeUrl: undefined };
}
