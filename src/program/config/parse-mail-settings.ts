/** Parsers of the settings of email. Each throws an Error whose message follows "must". */
import { isEmail, isOneLine, maxNameLength } from '../../domain/values/name-and-email-validation.ts';
import { isLoopbackHost } from './setting-parsers.ts';

/** The SMTP server that accepts outgoing messages. */
interface SmtpServer {
  host: string;
  port: number;
  /**
   * `implicit`: from the first byte (RFC 8314). `starttls`: required before the login and the message (RFC 3207).
   * `off`: for servers on this machine or on a trusted network.
   */
  tls: 'implicit' | 'starttls' | 'off';
  /** Checks the certificate of the server. */
  verifiesCertificate: boolean;
  /** undefined: the server requires no login. */
  login: { user: string; password: string } | undefined;
}

/** A name may be empty. */
interface MailSender {
  name: string;
  address: string;
}

const smtpUrlMessage =
  'be a URL such as smtp://user:password@mail.stadt.example:587 or smtps://user:password@mail.stadt.example';

const submissionPort = 587;
const implicitTlsPort = 465;

const booleans: Record<string, boolean> = { true: true, false: false };

/** The names of nodemailer's options, which its documentation explains. */
const smtpParameters = ['requireTLS', 'ignoreTLS', 'tls.rejectUnauthorized'] as const;

/** The message never quotes the URL, which contains a password. */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.hash !== '')
    throw new Error(smtpUrlMessage);
  if (!['', '/'].includes(url.pathname)) throw new Error(smtpUrlMessage);
  const parameters = parseSmtpParameters(url.searchParams);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isImplicit = url.protocol === 'smtps:';
  const isLocal = isLoopbackHost(host);
  const isOff = parameters.ignoreTLS ?? (isLocal && parameters.requireTLS !== true);
  return {
    host,
    port: url.port === '' ? (isImplicit ? implicitTlsPort : submissionPort) : Number(url.port),
    tls: isImplicit ? 'implicit' : isOff ? 'off' : 'starttls',
    verifiesCertificate: parameters['tls.rejectUnauthorized'] ?? true,
    login: parseLogin(url),
  };
}

function parseSmtpParameters(
  parameters: URLSearchParams,
): Partial<Record<(typeof smtpParameters)[number], boolean>> {
  const parsed: Partial<Record<string, boolean>> = {};
  for (const [name, value] of parameters) {
    const isKnown = (smtpParameters as readonly string[]).includes(name);
    if (!isKnown || booleans[value] === undefined)
      throw new Error(`have no other parameters than ${smtpParameters.join(', ')}, which are true or false`);
    parsed[name] = booleans[value];
  }
  if (parsed.ignoreTLS && parsed.requireTLS) throw new Error('not have both ignoreTLS and requireTLS');
  return parsed;
}

function parseLogin({ username, password }: URL): SmtpServer['login'] {
  if (username === '' && password === '') return undefined;
  try {
    const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    if (isOneLine(login.user, 1_000) && isOneLine(login.password, 1_000)) return login;
  } catch {
    // A percent sign that is not encoded as %25.
  }
  throw new Error('have a user name and a password, with special characters in percent-encoding');
}

/** `Name <address>`, or an address. */
export function parseMailSender(text: string): MailSender {
  const [, quoted = '', inBrackets] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? [];
  const name = quoted.trim().replace(/^"(.*)"$/, '$1');
  const address = (inBrackets ?? text).trim();
  if (isEmail(address) && !/[<>"(),:;]/.test(address) && (name === '' || isOneLine(name, maxNameLength)))
    return { name, address };
  throw new Error(
    'be an address such as rostra@stadt.example, or a name and an address such as Rostra <rostra@stadt.example>',
  );
}
