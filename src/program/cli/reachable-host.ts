/** @returns the host of a URL. A server that listens on all addresses is reachable at the loopback address. */
export function toReachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
