/** Checks of the public URL: the answer of the server, the certificate, the addresses of proxies. */
import { connect } from 'node:tls';
import { apiVersion } from '../../../contract/operations.ts';
import { isLoopbackHost } from '../../config/setting-parsers.ts';
import { fetchText, parseObject } from '../fetch-text.ts';
import type { Installation } from './read-installation-on-demand.ts';
import { type Checks, critical, ok, warning } from './run-checks.ts';

const requestTimeoutMs = 5_000;
/** Default of nginx, and that of examples/proxies. */
const proxyKeepAliveMs = 60_000;
const dayMs = 86_400_000;
const warningDays = 14;
const criticalDays = 3;

const readSettings = ({ readSettings }: Installation) =>
  readSettings(['publicUrl', 'trustedProxies', 'admin', 'host', 'keepAliveTimeout']);

export const publicUrlChecks: Checks = {
  'public-url': async (installation) => checkAnswer(readSettings(installation).publicUrl),

  certificate: async (installation) => {
    const { publicUrl } = readSettings(installation);
    return publicUrl?.startsWith('https:') ? checkCertificate(new URL(publicUrl)) : undefined;
  },

  proxy: async (installation) => {
    const { publicUrl, trustedProxies, admin, host } = readSettings(installation);
    if (publicUrl === undefined)
      return isLoopbackHost(host)
        ? undefined
        : warning(
            `The server listens on ${host} without TLS, and ROSTRA_PUBLIC_URL is not set.`,
            'Put a proxy with TLS in front, and set ROSTRA_PUBLIC_URL and ROSTRA_TRUSTED_PROXIES.',
          );
    if (!publicUrl.startsWith('https:') || admin === 'off') return undefined;
    return trustedProxies.length > 0
      ? ok(`Client addresses come from the proxies ${trustedProxies.join(', ')}.`)
      : warning(
          'ROSTRA_PUBLIC_URL uses https, so a proxy is in front, but ROSTRA_TRUSTED_PROXIES is empty: all people share the address of the proxy, and strangers can use up the sign-in attempts of all.',
          'Set ROSTRA_TRUSTED_PROXIES to the address of the proxy, such as 127.0.0.1.',
        );
  },

  'keep-alive': async (installation) => {
    const { publicUrl, trustedProxies, keepAliveTimeout } = readSettings(installation);
    const hasProxy = publicUrl?.startsWith('https:') || trustedProxies.length > 0;
    if (!hasProxy || keepAliveTimeout > proxyKeepAliveMs) return undefined;
    return warning(
      `The server closes idle connections after ${keepAliveTimeout / 1_000} seconds, but proxies such as nginx send requests on them for ${proxyKeepAliveMs / 1_000}: these requests fail.`,
      'Set ROSTRA_KEEP_ALIVE_TIMEOUT to more than the keep-alive timeout of the proxy, or leave it out.',
    );
  },
};

async function checkAnswer(publicUrl: string | undefined) {
  if (publicUrl === undefined) return ok('ROSTRA_PUBLIC_URL is not set, so no URL is checked.');
  const url = `${publicUrl}/api/v1/health`;
  let status: number;
  let text: string;
  try {
    ({ status, text } = await fetchText(url));
  } catch (error) {
    return critical(
      `${url} does not answer: ${(error as Error).message}`,
      'Check the name in the DNS, the certificate, the proxy, and that the server runs.',
    );
  }
  const health = status === 200 ? parseObject(text) : undefined;
  if (health?.status !== 'ok')
    return critical(
      `${url} does not lead to Rostra: it answers with status ${status}.`,
      'Check the proxy: it must pass all paths on to Rostra.',
    );
  if (health.version !== apiVersion)
    return warning(
      `${url} answers with version ${health.version} of the API, but this program has ${apiVersion}.`,
      'Restart the server after an upgrade, or correct ROSTRA_PUBLIC_URL.',
    );
  return ok(`${url} answers.`);
}

async function checkCertificate(url: URL) {
  let expiresMs: number;
  try {
    expiresMs = await readCertificateExpiry(url);
  } catch (error) {
    return critical(
      `The certificate of ${url.host} cannot be read: ${(error as Error).message}`,
      'Check that the proxy accepts TLS connections.',
    );
  }
  const days = Math.floor((expiresMs - Date.now()) / dayMs);
  const until = new Date(expiresMs).toISOString();
  const remedy = 'Renew the certificate, and check its automatic renewal.';
  if (days < criticalDays)
    return critical(
      `The certificate of ${url.host} ${days < 0 ? 'expired' : 'expires'} at ${until}.`,
      remedy,
    );
  if (days < warningDays) return warning(`The certificate of ${url.host} expires in ${days} days.`, remedy);
  return ok(`The certificate of ${url.host} is valid for ${days} days.`);
}

/** @returns Unix milliseconds. Invalid certificates are read, too: the check of the answer reports them */
function readCertificateExpiry({ hostname, port }: URL): Promise<number> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(
    {
      host,
      port: Number(port || 443),
      servername: /[a-z]/i.test(host) ? host : '',
      rejectUnauthorized: false,
    },
    () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    },
  );
  socket.setTimeout(requestTimeoutMs, () => socket.destroy(new Error('it does not answer')));
  socket.once('error', reject);
  return promise;
}
