/** Addresses and networks of the Internet Protocol, as settings name them. */
import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * @param ranges IP addresses, and ranges such as `10.0.0.0/8` (RFC 4632, RFC 4291)
 * @returns whether an address is among them
 * @throws if one of them is neither
 */
export function createAddressCheck(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d+))?$/.exec(range) ?? [];
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    // Without the link, as in `fe80::1%eth0`.
    const [plain = ''] = address.split('%');
    return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}

/** IANA special-purpose addresses (RFC 6890 and its successors). */
const internalRanges4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/** Inside of the global unicast range 2000::/3: Teredo and others, documentation, 6to4. */
const internalRanges6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const internal = new BlockList();
for (const [address, prefix] of internalRanges4) internal.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of internalRanges6) internal.addSubnet(address, prefix, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return globalUnicast.check(address, 'ipv6') && !internal.check(address, 'ipv6');
  return isIP(address) === 4 && !internal.check(address, 'ipv4');
}
