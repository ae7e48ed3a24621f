import type { IncomingMessage } from 'node:http';

/** A host name or IP address with an optional port (RFC 9110, section 7.2). */
const hostPattern = /^([a-z\d]([\w.-]*[a-z\d])?|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/**
 * The origin for links to this service. Headers can be forged, so the host is checked.
 *
 * @param hosts in the order of preference
 * @returns undefined without a valid host
 */
export function createOrigin(scheme: 'http' | 'https', hosts: readonly string[]): string | undefined {
  const host = hosts.find((name) => hostPattern.test(name) && URL.canParse(`${scheme}://${name}`));
  return host === undefined ? undefined : `${scheme}://${host}`;
}

/** The origin of a request. Only its own response shows the scheme, so the header of any proxy is good enough. */
export function readOrigin({ headers, socket }: IncomingMessage): string {
  const isHttps = headers['x-forwarded-proto'] === 'https';
  return (
    createOrigin(isHttps ? 'https' : 'http', [headers.host ?? '']) ?? `http://localhost:${socket.localPort}`
  );
}
