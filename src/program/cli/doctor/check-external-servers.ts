/** Checks of the services that Rostra uses: emails, single sign-on, traces. */
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { MailDeliveryError } from '../../../domain/accounts/mail.ts';
import { createSmtpTransport } from '../../../web/mail/smtp-transport.ts';
import { fetchText, parseObject } from '../fetch-text.ts';
import { type Checks, critical, type Outcome, ok, warning } from './run-checks.ts';

const smtpTimeoutMs = 4_000;

export const serviceChecks: Checks = {
  smtp: async ({ readSettings }) => {
    const { smtpUrl, mailFrom } = readSettings(['smtpUrl', 'mailFrom', 'publicUrl']);
    if (smtpUrl === undefined || mailFrom === undefined) return undefined;
    try {
      await createSmtpTransport(smtpUrl, mailFrom, smtpTimeoutMs).verify();
    } catch (error) {
      if (!(error instanceof MailDeliveryError)) throw error;
      return warning(
        `The SMTP server ${smtpUrl.host} cannot be used: ${error.message}`,
        'Then send a message with "rostra mail test".',
      );
    }
    return ok(`The SMTP server ${smtpUrl.host} accepts connections of Rostra.`);
  },

  oidc: async ({ readSettings }) => {
    const { oidcIssuer } = readSettings(['oidcIssuer', 'oidcClientId', 'publicUrl']);
    return oidcIssuer === undefined ? undefined : checkIssuer(oidcIssuer);
  },

  collector: async ({ readCollector }) => {
    const endpoint = readCollector();
    if (endpoint === undefined) return undefined;
    // The URL may contain a password.
    const url = new URL(endpoint.url);
    const { host, pathname, username, password } = url;
    const name = `The collector ${host}${pathname}`;
    const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    url.username = '';
    url.password = '';
    const remedy =
      'Traces are lost until it accepts them. Check OTEL_EXPORTER_OTLP_ENDPOINT and the collector.';
    try {
      const { status } = await fetchText(url, {
        method: 'POST',
        headers: {
          ...(username && { authorization: `Basic ${login.toString('base64')}` }),
          ...parseKeyPairsIntoRecord(endpoint.headers),
          'content-type': 'application/json',
        },
        body: '{"resourceSpans":[]}',
      });
      return status < 300
        ? ok(`${name} accepts traces.`)
        : warning(`${name} answers with status ${status}.`, remedy);
    } catch (error) {
      return warning(`${name} does not answer: ${(error as Error).message}`, remedy);
    }
  },
};

async function checkIssuer(issuer: string): Promise<Outcome> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const remedy = 'Nobody can use single sign-on. Check ROSTRA_OIDC_ISSUER, and that the provider runs.';
  let status: number;
  let text: string;
  try {
    ({ status, text } = await fetchText(url));
  } catch (error) {
    return critical(`${url} does not answer: ${(error as Error).message}`, remedy);
  }
  const found = status === 200 ? parseObject(text)?.issuer : undefined;
  if (typeof found !== 'string')
    return critical(`${url} describes no OpenID provider: it answers with status ${status}.`, remedy);
  if (URL.parse(found)?.href !== new URL(issuer).href)
    return critical(`${url} describes another issuer: ${JSON.stringify(found.slice(0, 200))}.`, remedy);
  return ok(`The provider ${issuer} answers.`);
}
