/** An SMTP server that keeps the messages it receives, parsed. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Scope } from './files.ts';
import { waitUntil } from './wait-until.ts';

export interface ReceivedMail extends Email {
  subject: string;
  text: string;
  html: string;
  /** The message as it was transferred. */
  raw: string;
  /** Address of the command RCPT TO. */
  recipient: string;
  /** User of the login. */
  user: string | undefined;
  encrypted: boolean;
}

/** Refuses a command with this code and text; undefined accepts it. */
type Answer = { code: number; text: string } | undefined;

export interface SmtpTestServer {
  port: number;
  /** Value of ROSTRA_SMTP_URL. */
  url: string;
  received: ReceivedMail[];
  /** Number of connections so far. */
  connections: number;
  /** Decides about each recipient. Default: accepts all. */
  answerRecipient: (address: string) => Answer;
  answerMessage: (address: string) => Answer | Promise<Answer>;
  /** Resolves when this number of messages has arrived. */
  waitForMails(count: number): Promise<ReceivedMail[]>;
  stop(): Promise<void>;
}

interface SmtpTestServerOptions {
  /** Key and certificate in PEM. */
  tls?: { key: string; cert: string };
  /** TLS from the first byte instead of STARTTLS. */
  implicitTls?: boolean;
  login?: { user: string; password: string };
  port?: number;
}

const toError = ({ code, text }: { code: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: code });

export async function startSmtpServer(
  scope: Scope,
  { tls, implicitTls = false, login, port = 0 }: SmtpTestServerOptions = {},
): Promise<SmtpTestServer> {
  const options: SMTPServerOptions = {
    ...tls,
    secure: implicitTls,
    authOptional: login === undefined,
    disabledCommands: [...(tls === undefined ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])],
    // The tests check that Rostra does not send a password without encryption.
    allowInsecureAuth: tls === undefined,
    disableReverseLookup: true,
    logger: false,
    onConnect: (_session, done) => {
      running.connections += 1;
      done();
    },
    onAuth: ({ username = '', password }, _session, done) => {
      const isValid = username === login?.user && password === login.password;
      if (isValid) done(null, { user: username });
      else done(toError({ code: 535, text: `5.7.8 Authentication failed for ${password}` }));
    },
    onRcptTo: ({ address }, _session, done) => {
      const refusal = running.answerRecipient(address);
      done(refusal && toError(refusal));
    },
    onData: async (stream, session, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const recipient = session.envelope.rcptTo[0]?.address ?? '';
      const refusal = await running.answerMessage(recipient);
      if (refusal !== undefined) return done(toError(refusal));
      const raw = Buffer.concat(chunks).toString();
      const email = await PostalMime.parse(raw);
      running.received.push({
        ...email,
        subject: email.subject ?? '',
        text: email.text ?? '',
        html: email.html ?? '',
        raw,
        recipient,
        user: session.user as string | undefined,
        encrypted: session.secure,
      });
      return done(null, `2.0.0 kept as ${running.received.length}`);
    },
  };
  const server = new SMTPServer(options);
  // Clients that abort a connection are part of the tests.
  server.on('error', () => undefined);
  const running: SmtpTestServer = {
    port: 0,
    url: '',
    received: [],
    connections: 0,
    answerRecipient: () => undefined,
    answerMessage: () => undefined,
    waitForMails: async (count) => {
      await waitUntil(`${count} messages`, () => running.received.length >= count);
      return running.received;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
  const listener = server.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  running.port = (listener.address() as AddressInfo).port;
  const credentials =
    login === undefined ? '' : `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`;
  running.url = `${implicitTls ? 'smtps' : 'smtp'}://${credentials}127.0.0.1:${running.port}`;
  scope.after(running.stop);
  return running;
}
