/** Sends single messages to the SMTP server. */
import { createTransport } from 'nodemailer';
import { toDeliveryError } from './delivery-error.ts';
import type { MailBody } from './render-mail.ts';
import type { SmtpOptions } from './smtp-options.ts';

export interface OutgoingMail extends MailBody {
  to: string;
  /** Equal for every attempt, so that mail programs recognise a message that arrives twice. */
  messageId: string;
  /** Unsubscribes with one POST (RFC 8058); undefined for messages that cannot be switched off. */
  unsubscribeUrl: string | undefined;
}

export interface SmtpTransport {
  /** @returns the answer of the server @throws MailDeliveryError */
  send(mail: OutgoingMail, timeoutMs: number): Promise<string>;
  /** Connects and signs in, and sends nothing. @throws MailDeliveryError */
  verify(): Promise<void>;
  /** Domain of the sender's address. */
  senderDomain: string;
}

export function createSmtpTransport(
  server: SmtpOptions,
  from: { name: string; address: string },
  /** Time limit for each answer of the server. */
  answerTimeoutMs = 10_000,
): SmtpTransport {
  const { host, port, tls, verifiesCertificate, login } = server;
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'off',
    tls: { rejectUnauthorized: verifiesCertificate },
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    dnsTimeout: answerTimeoutMs,
    connectionTimeout: answerTimeoutMs,
    greetingTimeout: answerTimeoutMs,
    socketTimeout: answerTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    senderDomain: from.address.slice(from.address.lastIndexOf('@') + 1),
    verify: async () => {
      try {
        await transport.verify();
      } catch (error) {
        throw toDeliveryError(error, server);
      }
    },
    send: async ({ to, subject, text, html, messageId, unsubscribeUrl }, timeoutMs) => {
      try {
        const { response } = await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId,
          headers: {
            // No program answers to it (RFC 3834).
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl === undefined ? {} : listUnsubscribe(unsubscribeUrl)),
          },
          signal: AbortSignal.timeout(timeoutMs),
        });
        return response;
      } catch (error) {
        throw toDeliveryError(error, server);
      }
    },
  };
}

/** RFC 2369 and RFC 8058. */
const listUnsubscribe = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
