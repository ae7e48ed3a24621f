/** The address of a client, also behind the proxies that the operator trusts. */
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

/** Whether the operator trusts what a proxy with this address says about its clients. */
export type IsTrustedProxy = (address: string) => boolean;

/** Of the link, as in `fe80::1%eth0`. */
const removeZone = (address: string) => address.replace(/%.*/s, '');

/** That of the last proxy that is not trusted, or of the client. Even a trusted proxy may forward something else than an address. */
export function readClientAddress(
  { headers, socket: { remoteAddress = '' } }: Pick<IncomingMessage, 'headers' | 'socket'>,
  isTrusted: IsTrustedProxy | undefined,
): string {
  let address = remoteAddress;
  if (isTrusted !== undefined) {
    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    for (let hop = hops.pop(); hop !== undefined && isTrusted(address); hop = hops.pop())
      address = hop.trim();
  }
  return (isIP(address) === 0 ? remoteAddress : address).replace(/^::ffff:(?=\d+\.)/i, '');
}

const splitGroups = (part: string) => (part === '' ? [] : part.split(':'));

/** @returns an IPv4 address as it is, and the first 64 bits of an IPv6 address: a single client has at least that many addresses */
export function toClientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  // The last 32 bits can be written as an IPv4 address.
  const [start = '', end = ''] = removeZone(address)
    .replace(/\d{1,3}(\.\d{1,3}){3}$/, '0:0')
    .split('::');
  const first = splitGroups(start);
  const last = splitGroups(end);
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const groups = [...first, ...zeros, ...last].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
