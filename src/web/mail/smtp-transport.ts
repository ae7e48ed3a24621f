/** Sends single messages to the SMTP server. */

import { createTransport, type NodemailerError } from 'nodemailer';
import { MailDeliveryError } from '../../domain/accounts/mail.ts';
import { ownAuthorityRemedy } from '../../domain/values/explain-network-error.ts';
import type { MailBody } from './render-mail.ts';

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

/** Certificates that are self-signed, from an unknown authority, expired, or of another host (Node.js). */
const certificateError = /certificate|altnames/i;

/** Whether a later attempt may succeed, and what an operator can do. */
function toDeliveryError(error: unknown, server: SmtpOptions): MailDeliveryError {
  const { code = '', command = '', responseCode, permanent = false } = error as NodemailerError;
  // The server refused this recipient or this message. Every other failure concerns all messages.
  const concernsMessage =
    (responseCode !== undefined && /^(RCPT TO|DATA)$/.test(command)) ||
    (command === 'API' && code === 'EENVELOPE');
  const reason = redact((error as Error).message, server);
  return new MailDeliveryError(
    `${reason.replace(/(?<![.\s])[.\s]+$/, '')}. ${describeRemedy(error as NodemailerError, server)}`,
    {
      isPermanent: concernsMessage && (permanent || command === 'API'),
      concernsServer: !concernsMessage,
    },
  );
}

function describeRemedy(error: NodemailerError, { host, port, tls }: SmtpOptions): string {
  const { code, originalCode, command, message } = error as NodemailerError & { originalCode?: string };
  if (code === 'EAUTH') return 'Check the user name and the password in ROSTRA_SMTP_URL.';
  if (code === 'ENOAUTH' || /auth/i.test(error.response ?? ''))
    return 'The server requires a login: add the user name and the password to ROSTRA_SMTP_URL.';
  if (code === 'EDNS') return `Check the host name ${host} in ROSTRA_SMTP_URL.`;
  if (certificateError.test(message)) return `Check the certificate of the server. ${ownAuthorityRemedy}.`;
  if (code === 'ETLS' && command === 'STARTTLS')
    return 'The server does not offer STARTTLS. Use another port, or smtps:// in ROSTRA_SMTP_URL.';
  if (code === 'ETIMEDOUT')
    return `The server ${host} did not answer on port ${port} in time. Check host and port, and whether a firewall blocks the connection.`;
  if (originalCode === 'ECONNREFUSED')
    return `No server listens on ${host}, port ${port}. Check ROSTRA_SMTP_URL.`;
  if (command === 'MAIL FROM') return 'The server does not accept the sender. Check ROSTRA_MAIL_FROM.';
  if (command === 'RCPT TO') return 'The server does not accept the recipient.';
  if (command === 'API') return 'The address is not valid for this server.';
  if (tls === 'implicit' && code === 'ESOCKET')
    return 'If the server expects STARTTLS, use smtp:// instead of smtps:// in ROSTRA_SMTP_URL.';
  return 'Check ROSTRA_SMTP_URL and the log of the SMTP server.';
}

/** Servers may repeat parts of a login in their response. */
function redact(text: string, { login }: SmtpOptions): string {
  if (login === undefined) return text;
  const { user, password } = login;
  const plain = Buffer.from(`\0${user}\0${password}`).toString('base64');
  const secrets = [password, plain, Buffer.from(password).toString('base64')];
  return secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text);
}

/** The SMTP server of ROSTRA_SMTP_URL. */
interface SmtpOptions {
  host: string;
  port: number;
  tls: 'implicit' | 'starttls' | 'off';
  verifiesCertificate: boolean;
  login: { user: string; password: string } | undefined;
}
